//! Questions for files as a browser sees them.

use formalize_core::questions::Questions;
use formalize_core::{DataSchema, Violation, files::FilesRejection};
use scraper::Html;
use serde_json::json;

use super::{FormPage, Language, Shell, ShownFile, all, called, compile, text};
use crate::problem::file_message;

fn questions() -> (DataSchema, Questions) {
    let schema = compile(&json!({
        "properties": {"name": {"type": "string"}},
        "files": {
            "cv": {"allowedMimeTypes": ["application/pdf", "image/*"]},
            "photos": {"minNumber": 0, "maxNumber": 2, "allowedMimeTypes": ["*/*"]},
        },
        "x-form": {"files": {"cv": {"label": "Curriculum vitae", "hint": "One page."}}},
    }));
    let questions = Questions::of(Some(&schema), None, None).unwrap();
    (schema, questions)
}

fn file(id: &str, group: &str, is_removed: bool) -> ShownFile {
    ShownFile {
        id: id.to_owned(),
        group: group.to_owned(),
        name: format!("<{id}>.pdf"),
        size: 2048,
        path: format!("/s/1/files/{id}"),
        is_removed,
    }
}

fn rendered(page: &FormPage<'_>, shell: &Shell<'_>) -> Html {
    let page = Html::parse_document(&page.render(shell));
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    page
}

#[test]
fn files_are_asked_for_behind_all_other_questions() {
    let (_, questions) = questions();
    let shell = Shell {
        base_path: "/base",
        keeps_language: true,
        ..Shell::new(Language::English)
    };
    let page = FormPage {
        action: "/f/1",
        saves_drafts: true,
        ..FormPage::new(called("A form"), &questions)
    };
    let page = rendered(&page, &shell);
    let form = all(&page, "main form")[0];
    assert_eq!(form.attr("enctype"), Some("multipart/form-data"));
    assert_eq!(form.attr("action"), Some("/base/f/1?lang=en"));
    let names: Vec<_> = all(&page, "main form [name]:not(button)")
        .into_iter()
        .map(|input| input.attr("name").unwrap())
        .collect();
    assert_eq!(names, ["/name", "files.cv", "files.photos"]);
    let [cv, photos] = all(&page, "input[type=file]")[..] else {
        panic!();
    };
    assert_eq!(cv.attr("accept"), Some("application/pdf,image/*"));
    assert_eq!(
        (cv.attr("multiple"), photos.attr("multiple")),
        (None, Some(""))
    );
    assert_eq!(photos.attr("accept"), None);
    let labels: Vec<_> = all(&page, "label").into_iter().map(text).collect();
    assert_eq!(
        labels,
        ["Name (optional)", "Curriculum vitae", "Photos (optional)"]
    );
    let hint = all(&page, ".hint")[0];
    assert_eq!(
        text(hint),
        "One page. One file, up to 10 MB: PDF, pictures."
    );
    assert_eq!(cv.attr("aria-describedby"), hint.attr("id"));
    // These buttons store the answers.
    for button in all(&page, "button[formaction]") {
        let address = format!("/base/f/1?do={}&lang=en", button.attr("value").unwrap());
        assert_eq!(button.attr("formaction"), Some(address.as_str()));
    }
    assert_eq!(all(&page, "button[formaction]").len(), 3);
    assert_eq!(all(&page, "button[value=save]:not([formaction])").len(), 0);
}

#[test]
fn a_page_without_files_is_sent_as_before() {
    let questions = Questions::of(Some(&compile(&json!({}))), None, None).unwrap();
    let page = FormPage {
        action: "/f/1",
        ..FormPage::new(called("A form"), &questions)
    };
    let page = rendered(&page, &Shell::new(Language::English));
    assert!(all(&page, "[enctype], [action], [formaction], [type=file]").is_empty());
}

#[test]
fn stored_files_can_be_downloaded_and_removed() {
    let (_, questions) = questions();
    let files = [
        file("1", "cv", false),
        file("2", "photos", true),
        file("3", "other", false),
    ];
    let shell = Shell {
        base_path: "/base",
        ..Shell::new(Language::English)
    };
    let page = FormPage {
        action: "/s/1",
        files: &files,
        ..FormPage::new(called("A form"), &questions)
    };
    let page = rendered(&page, &shell);
    let links: Vec<_> = all(&page, ".files a")
        .into_iter()
        .map(|link| (link.attr("href").unwrap(), text(link)))
        .collect();
    let link = |id: &str, address| (address, format!("<{id}>.pdf"));
    let expected = [
        link("1", "/base/s/1/files/1"),
        link("2", "/base/s/1/files/2"),
        link("3", "/base/s/1/files/3"),
    ];
    assert_eq!(links, expected);
    let buttons: Vec<_> = all(&page, ".files button")
        .into_iter()
        .map(|button| (button.attr("value").unwrap(), text(button)))
        .collect();
    let button = |value, label: &str| (value, label.to_owned());
    let expected = [
        button("remove-file:1", "Remove <1>.pdf"),
        button("keep-file:2", "Keep <2>.pdf"),
        button("remove-file:3", "Remove <3>.pdf"),
    ];
    assert_eq!(buttons, expected);
    let removed: Vec<_> = all(&page, "[name=remove-file]")
        .into_iter()
        .map(|input| input.attr("value").unwrap())
        .collect();
    assert_eq!(removed, ["2"]);
    assert_eq!(text(all(&page, ".field > p.label")[0]), "Further files");
    assert_eq!(text(all(&page, ".files li > span")[0]), "2 kB");
}

#[test]
fn problems_of_files_are_shown_at_their_question() {
    let (schema, mut questions) = questions();
    let refused = FilesRejection::judge(schema.file_rules(), &[]).unwrap_err();
    refused.place_in(&mut questions);
    let lost = ["photos".to_owned()];
    let page = FormPage {
        action: "/f/1",
        lost_files: &lost,
        ..FormPage::new(called("A form"), &questions)
    };
    let page = rendered(&page, &Shell::new(Language::English));
    let link = all(&page, ".summary a")[0];
    assert_eq!(text(link), "Curriculum vitae – Choose at least one file");
    assert_eq!(text(all(&page, ".summary h2")[0]), "There is a problem");
    assert!(text(all(&page, "title")[0]).starts_with("Error: "));
    let input = all(&page, "[aria-invalid=true]")[0];
    assert_eq!(
        link.attr("href").unwrap().strip_prefix('#'),
        input.attr("id")
    );
    let described = input.attr("aria-describedby").unwrap();
    let problem = all(&page, "ul.problem")[0];
    assert!(
        described
            .split(' ')
            .any(|id| Some(id) == problem.attr("id"))
    );
    let lost = all(&page, "p.problem")[0];
    assert!(text(lost).starts_with("Choose the files again."));
    let photos = all(&page, "[name='files.photos']")[0];
    assert!(
        photos
            .attr("aria-describedby")
            .unwrap()
            .ends_with(lost.attr("id").unwrap())
    );
}

#[test]
fn a_type_that_is_not_allowed_is_named() {
    let params = json!({"mimeType": "text/plain"});
    let problem = Violation {
        instance_path: "/submittedFiles/cv".to_owned(),
        schema_path: "/files/cv/allowedMimeTypes".to_owned(),
        keyword: "allowedMimeTypes".to_owned(),
        message: String::new(),
        params: params.as_object().unwrap().clone(),
    };
    assert_eq!(
        file_message(Language::English, &problem),
        "Files of this type are not allowed: text files"
    );
}

#[test]
fn every_rule_about_files_has_words_in_every_language() {
    for (keyword, params) in [
        ("minNumber", json!({"limit": 1})),
        ("minNumber", json!({"limit": 2})),
        ("maxNumber", json!({"limit": 1})),
        ("maxNumber", json!({"limit": 3})),
        ("maxSizeMb", json!({"limit": 0.5})),
        (
            "allowedMimeTypes",
            json!({"mimeType": "application/x-rare"}),
        ),
        ("additionalFiles", json!({})),
    ] {
        let problem = Violation {
            instance_path: "/submittedFiles/cv".to_owned(),
            schema_path: format!("/files/cv/{keyword}"),
            keyword: keyword.to_owned(),
            message: String::new(),
            params: params.as_object().unwrap().clone(),
        };
        let said: std::collections::BTreeSet<_> = Language::ALL
            .iter()
            .map(|language| file_message(*language, &problem))
            .collect();
        assert_eq!(said.len(), 3, "{keyword}: {said:?}");
        assert!(
            said.iter()
                .all(|text| !text.is_empty() && !text.contains('{'))
        );
        let unspecified = Language::ALL.map(|language| language.say("problem.unspecified"));
        assert!(
            unspecified.iter().all(|text| !said.contains(*text)),
            "{keyword}"
        );
    }
}
