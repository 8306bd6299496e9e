//! The time zone of the window of a form.

use serde_json::json;

use super::{Reader, with_form};
use crate::support::{FORMS, at};

#[tokio::test]
async fn the_window_is_read_and_shown_in_the_chosen_time_zone() {
    let window = json!({
        "availableStarts": "2026-11-01T08:00:00.123Z",
        "availabilityEnds": "2026-12-24T17:00:00Z",
    });
    let (app, form) = with_form(window).await;
    let path = format!("/console/forms/{form}/settings");
    let stored = async || app.alice().get(&at(FORMS, &form)).await.expect(200);
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&path).await;
    assert_eq!(page.value("timeZone").as_deref(), Some("UTC"));
    let options = page.all("#time-zones option").into_iter();
    let options: Vec<_> = options.filter_map(|option| option.attr("value")).collect();
    assert!(options.contains(&"America/New_York") && options.len() > 300);

    // The same local times in another time zone are other instants.
    let changes: [(&str, &[&str]); 2] = [
        ("timeZone", &[" europe/berlin "]),
        ("availabilityEnds", &["2026-12-24T18:30"]),
    ];
    let saved = alice.press_one(&page, "save", &changes).await;
    let page = alice.follow(&saved).await;
    assert_eq!(page.texts("p.note"), ["Your changes are saved."]);
    for (input, value) in [
        ("timeZone", "Europe/Berlin"),
        ("availableStarts", "2026-11-01T08:00"),
        ("availabilityEnds", "2026-12-24T18:30"),
    ] {
        assert_eq!(page.value(input).as_deref(), Some(value), "{input}");
    }
    let now = stored().await;
    assert_eq!(now["availableStarts"], "2026-11-01T07:00:00.000Z");
    assert_eq!(now["availabilityEnds"], "2026-12-24T17:30:00.000Z");

    // Without a choice, the page has the time zone of pages.
    let page = alice.open(&path).await;
    assert_eq!(
        page.value("availabilityEnds").as_deref(),
        Some("2026-12-24T17:30")
    );
    alice.press_one(&page, "save", &[]).await.leads_to();
    let later = stored().await;
    assert_eq!(later["availabilityEnds"], now["availabilityEnds"]);
    for unknown in ["", "?timeZone=Mars", "?timeZone="] {
        let page = alice.open(&format!("{path}{unknown}")).await;
        assert_eq!(page.value("timeZone").as_deref(), Some("UTC"), "{unknown}");
    }
}

#[tokio::test]
async fn fractions_of_a_second_are_kept_in_every_time_zone() {
    let exact = "2026-11-01T08:00:00.123Z";
    let (app, form) = with_form(json!({"availableStarts": exact})).await;
    let mut alice = Reader::signed_in(&app, "alice").await;
    let path = format!("/console/forms/{form}/settings?timeZone=Asia/Kolkata");
    let page = alice.open(&path).await;
    assert_eq!(
        page.value("availableStarts").as_deref(),
        Some("2026-11-01T13:30")
    );
    alice.press_one(&page, "save", &[]).await.leads_to();
    let stored = app.alice().get(&at(FORMS, &form)).await.expect(200);
    assert_eq!(stored["availableStarts"], exact);
}

#[tokio::test]
async fn an_unknown_time_zone_is_a_problem_that_keeps_what_was_entered() {
    let (app, form) = with_form(json!({})).await;
    let before = app.alice().get(&at(FORMS, &form)).await.expect(200);
    let mut alice = Reader::signed_in(&app, "alice").await;
    let page = alice.open(&format!("/console/forms/{form}/settings")).await;
    for name in ["", "Berlin", "../../etc/passwd", "+01:00"] {
        let changes: [(&str, &[&str]); 3] = [
            ("timeZone", &[name]),
            ("availableStarts", &["2026-12-24T18:00"]),
            ("maxNumSubmissions", &["many"]),
        ];
        let refused = alice.press_one(&page, "save", &changes).await;
        assert_eq!(refused.status(), 422, "{name}");
        let problems = refused.all(".summary a").into_iter();
        let problems: Vec<_> = problems.filter_map(|link| link.attr("href")).collect();
        assert_eq!(problems, ["#maxNumSubmissions", "#timeZone"], "{name}");
        for (input, values) in changes {
            assert_eq!(refused.value(input).as_deref(), Some(values[0]), "{name}");
        }
        // It alone is enough.
        let refused = alice
            .press_one(&refused, "save", &[("maxNumSubmissions", &[""])])
            .await;
        assert_eq!(refused.texts(".summary li").len(), 1, "{name}");
        let text = "There is no such time zone; enter a name such as Europe/Berlin or UTC";
        assert_eq!(refused.texts(".problem"), [text], "{name}");
    }
    assert_eq!(app.alice().get(&at(FORMS, &form)).await.expect(200), before);
}
