//! Summaries count what lists contain.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use formalize_core::summary::{AnswerSummary, Count, Summary};
use formalize_core::{
    Action, Caller, Clock, Error, FormId, Formalize, ResourceRef, Store, StoreError,
    SubmissionFilter, SubmissionRules, SubmissionState, Timestamp,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, instant, new_form_with, new_submission, user};
use serde_json::{Value, json};

use super::{SYSTEM, fails};

on_every_store! {
    a_summary_counts_the_submissions_of_the_list,
    a_summary_that_takes_too_long_has_the_newest,
    two_summaries_are_made_at_a_time,
    what_nobody_shows_a_user_has_no_questions,
    small_counts_are_withheld,
}

const SCHEMA: &str = r#"{"properties": {
    "meal": {"enum": ["fish", "meat"]}, "guests": {"type": "integer"}, "name": {"type": "string"}
}}"#;

async fn asked(world: &World) -> FormId {
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    };
    let new = new_form_with(SCHEMA, rules);
    let form = world.forms().create(SYSTEM, new).await.unwrap().item.id;
    let resource = ResourceRef::form(form);
    for name in ["ann", "bob"] {
        world
            .grant_to(name, &Action::CREATE_SUBMISSIONS, &resource)
            .await;
    }
    world
        .grant_to("reader", &Action::READ_SUBMISSIONS, &resource)
        .await;
    form
}

async fn submit(world: &World, caller: &Caller, form: FormId, data: &str, state: SubmissionState) {
    let new = new_submission(form, data, state);
    world.submissions().create(caller, new).await.unwrap();
}

async fn summary(formalize: &Formalize, caller: &Caller, form: FormId) -> Summary {
    let all = SubmissionFilter::default();
    let submissions = formalize.submissions();
    submissions.summary(caller, form, &all, None).await.unwrap()
}

/// The counts of a list, in the form of those of a summary.
fn counted(items: &[(Timestamp, Value)]) -> Value {
    let mut days: BTreeMap<String, u64> = BTreeMap::new();
    for (created, _) in items {
        let created = created.to_string();
        let (day, _) = created.split_once('T').unwrap();
        *days.entry(day.to_owned()).or_default() += 1;
    }
    let number = |wanted: &dyn Fn(&Value) -> bool| {
        let data = items.iter().map(|(_, data)| data);
        data.filter(|data| wanted(data)).count()
    };
    let meals = ["fish", "meat"];
    let guests: Vec<i64> = items
        .iter()
        .filter_map(|(_, data)| data["guests"].as_i64())
        .collect();
    json!({
        "days": days,
        "meals": meals.map(|meal| number(&|data| data["meal"] == meal)),
        "otherMeals": number(&|data| data["meal"].as_str().is_some_and(|meal| !meals.contains(&meal))),
        "leastGuests": guests.iter().min(),
        "greatestGuests": guests.iter().max(),
        "guests": guests.len(),
        "names": number(&|data| data["name"].as_str().is_some_and(|name| !name.is_empty())),
    })
}

fn shown(summary: &Summary) -> Value {
    let json = serde_json::to_value(summary).unwrap();
    let pairs = json["byDay"].as_array().unwrap().iter();
    let days: BTreeMap<&str, &Value> = pairs
        .map(|day| (day["date"].as_str().unwrap(), &day["count"]))
        .collect();
    let question = |pointer: &str| {
        let mut questions = json["questions"].as_array().unwrap().iter();
        questions
            .find(|question| question["pointer"] == pointer)
            .unwrap_or(&Value::Null)
    };
    let (meal, guests) = (question("/meal"), question("/guests"));
    let bins = guests["bins"].as_array().into_iter().flatten();
    let in_bins: u64 = bins.map(|bin| bin["count"].as_u64().unwrap()).sum();
    assert_eq!(guests["numAnswered"], in_bins);
    json!({
        "days": days,
        "meals": [&meal["counts"][0]["count"], &meal["counts"][1]["count"]],
        "otherMeals": meal["others"],
        "leastGuests": guests["least"],
        "greatestGuests": guests["greatest"],
        "guests": guests["numAnswered"],
        "names": question("/name")["numAnswered"],
    })
}

async fn a_summary_counts_the_submissions_of_the_list(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    let callers = [user("ann"), user("bob")];
    for (number, caller) in callers.iter().cycle().take(12).enumerate() {
        let day = number / 4 + 1;
        world
            .clock
            .set(instant(&format!("2026-12-0{day}T12:00:00Z")));
        let (data, state) = match number % 4 {
            0 => (
                format!(r#"{{"meal": "fish", "guests": {number}}}"#),
                SubmissionState::Submitted,
            ),
            1 => (
                r#"{"name": "Ada", "more": 1}"#.to_owned(),
                SubmissionState::Submitted,
            ),
            2 => (
                r#"{"meal": "tofu", "name": ""}"#.to_owned(),
                SubmissionState::Draft,
            ),
            _ => (
                format!(r#"{{"meal": "meat", "guests": -{number}}}"#),
                SubmissionState::Submitted,
            ),
        };
        submit(&world, caller, form, &data, state).await;
    }
    let days = [None, Some(instant("2026-12-02T00:00:00Z"))];
    for caller in [SYSTEM, &user("reader"), &callers[0], &callers[1]] {
        for (creator, state) in [
            (None, None),
            (Some("ann"), None),
            (None, Some(SubmissionState::Draft)),
            (Some("bob"), Some(SubmissionState::Submitted)),
        ] {
            for (created_from, created_before) in
                [(days[0], days[0]), (days[1], days[0]), (days[0], days[1])]
            {
                let filter = SubmissionFilter {
                    creator: creator.map(str::to_owned),
                    state,
                    created_from,
                    created_before,
                    ..SubmissionFilter::default()
                };
                let submissions = world.submissions();
                let listed = submissions.list(caller, form, &filter, &everything()).await;
                let items: Vec<_> = listed
                    .unwrap()
                    .items
                    .into_iter()
                    .map(|view| {
                        let data = serde_json::from_str(&view.item.data.unwrap()).unwrap();
                        (view.item.date_created, data)
                    })
                    .collect();
                let summary = submissions
                    .summary(caller, form, &filter, None)
                    .await
                    .unwrap();
                assert_eq!(
                    (summary.num_submissions, summary.is_complete),
                    (items.len() as u64, true)
                );
                if items.is_empty() && caller != SYSTEM {
                    assert_eq!(summary.questions, [], "{caller:?}");
                } else {
                    assert_eq!(shown(&summary), counted(&items), "{caller:?} {filter:?}");
                }
            }
        }
    }
    let unknown = FormId::from_uuid(uuid::Uuid::nil());
    let submissions = world.submissions();
    let all = SubmissionFilter::default();
    let unknown = submissions.summary(SYSTEM, unknown, &all, None);
    fails(unknown.await, "FormNotFound");
}

/// A clock that advances with each look at it.
struct Hurrying(AtomicI64);

impl Clock for Hurrying {
    fn now(&self) -> Timestamp {
        let millis = self.0.fetch_add(2_000, Ordering::Relaxed);
        Timestamp::from_millis(millis).unwrap()
    }
}

async fn a_summary_that_takes_too_long_has_the_newest(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let form = asked(&world).await;
    let name = "x".repeat(600_000);
    for guests in 0..7 {
        let data = format!(r#"{{"guests": {guests}, "name": "{name}"}}"#);
        submit(&world, SYSTEM, form, &data, SubmissionState::Submitted).await;
    }
    let begin = AtomicI64::new(instant("2026-12-01T00:00:00Z").as_millis());
    let builder = Formalize::builder(store).clock(Arc::new(Hurrying(begin)));
    let summary = summary(&builder.build().await.unwrap(), SYSTEM, form).await;
    assert!(!summary.is_complete);
    // Two fit in a window, and the time ends after the second window.
    assert_eq!(summary.num_submissions, 4);
    let AnswerSummary::Numbers(guests) = &summary.questions[1].answers else {
        panic!("{summary:?}");
    };
    assert_eq!((guests.least, guests.greatest), (Some(3.0), Some(6.0)));
}

async fn two_summaries_are_made_at_a_time(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    let all = SubmissionFilter::default();
    for _ in 0..2 {
        let one = || async {
            let submissions = world.submissions();
            submissions.summary(SYSTEM, form, &all, None).await
        };
        let made: [_; 4] = tokio::join!(one(), one(), one(), one()).into();
        let refused = made.iter().filter(|made| {
            matches!(made, Err(Error::Store(StoreError::Unavailable(why))) if why.contains("summaries"))
        });
        assert_eq!(refused.count(), 2);
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 2);
    }
}

async fn what_nobody_shows_a_user_has_no_questions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = asked(&world).await;
    submit(&world, SYSTEM, form, "{}", SubmissionState::Submitted).await;
    let of_stranger = summary(&world.formalize, &user("stranger"), form).await;
    assert_eq!(
        (of_stranger.num_submissions, of_stranger.questions.len()),
        (0, 0)
    );
    assert!(of_stranger.is_complete && of_stranger.by_day.is_empty());
    world
        .grant_to("stranger", &Action::READ, &ResourceRef::form(form))
        .await;
    let of_reader = summary(&world.formalize, &user("stranger"), form).await;
    assert_eq!(
        (of_reader.num_submissions, of_reader.questions.len()),
        (0, 3)
    );
}

async fn small_counts_are_withheld(store: Arc<dyn Store>) {
    let world = World::on(Arc::clone(&store)).await;
    let form = asked(&world).await;
    for (meal, times) in [("fish", 1), ("meat", 4)] {
        for _ in 0..times {
            let data = format!(r#"{{"meal": "{meal}", "guests": {times}}}"#);
            submit(&world, SYSTEM, form, &data, SubmissionState::Submitted).await;
        }
    }
    let formalize = Formalize::builder(store)
        .summary_minimum(3)
        .build()
        .await
        .unwrap();
    let summary = summary(&formalize, SYSTEM, form).await;
    assert_eq!(summary.num_submissions, 5);
    let AnswerSummary::Choices { counts, others } = &summary.questions[0].answers else {
        panic!("{summary:?}");
    };
    let counts: Vec<Count> = counts.iter().map(|choice| choice.count).collect();
    assert_eq!(counts, [Count::Below(3), Count::Withheld]);
    assert_eq!(*others, Count::Number(0));
    let AnswerSummary::Numbers(guests) = &summary.questions[1].answers else {
        panic!("{summary:?}");
    };
    let bins: Vec<Count> = guests.bins.iter().map(|bin| bin.count).collect();
    assert_eq!(
        bins,
        [
            Count::Below(3),
            Count::Number(0),
            Count::Number(0),
            Count::Withheld
        ]
    );
}
