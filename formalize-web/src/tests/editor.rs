//! The editor of forms.

use std::error;

use formalize_core::editor::{
    Card, CardFields, EditError, Fault, SchemaText, Warning, WarningKind,
};
use formalize_core::questions::{Answers, Entries, Questions};
use formalize_core::{DataSchema, forms::SchemaTrial, parse_json};
use serde_json::json;

use super::super::{EditorNotice, EditorPage, EditorView, FormFrame, FormTab, NewFormPage, Shell};
use super::{Data, Page, at, named};

/// What the pages of the editor show.
struct Setup {
    name: String,
    schema: String,
    /// The text that the pages carry. It is not read.
    text: String,
    cards: Vec<Card>,
    languages: Vec<String>,
    action: String,
    token: String,
    trial: SchemaTrial,
    entries: Entries,
}

/// The pages of the editor in each of their states.
pub(super) fn pages(shell: &Shell<'_>, data: Data<'_>) -> Result<Vec<Page>, Box<dyn error::Error>> {
    let mut pages = vec![named("editor-new", NewFormPage.render(shell))];
    let mut setup = Setup::new(data)?;
    pages.extend(cards(shell, data, &setup));
    pages.extend(trials(shell, data, &mut setup)?);
    pages.extend(notices(shell, data, &mut setup));
    Ok(pages)
}

/// A schema with all that the editor shows. The names of its properties are no words.
fn schema(data: Data<'_>, languages: &[String]) -> String {
    let (first, second) = (
        languages.first().cloned().unwrap_or_default(),
        languages.last().cloned().unwrap_or_default(),
    );
    let label = |one: &str, other: &str| json!({ &*first: data(one), &*second: data(other) });
    json!({
        "properties": {
            "1": {"type": "string", "localizedName": label("Your name", "Ihr Name")},
            "2": {
                "localizedName": label("How do you take part?", "Wie nehmen Sie teil?"),
                "localizedDescription": label("You can change this later.", "Sie können das später ändern."),
                "oneOf": [
                    {"const": data("s"), "localizedName": label("on site", "vor Ort")},
                    {"const": data("o"), "localizedName": label("online", "online")},
                ],
            },
            "3": {"type": "boolean", "localizedName": label("Do you bring guests?", "Bringen Sie Gäste mit?")},
            "4": {
                "type": "array",
                "localizedName": label("Experience", "Erfahrung"),
                "items": {"type": "object", "properties": {
                    "1": {"type": "string", "localizedName": label("Employer", "Arbeitgeber")},
                }},
            },
            "5": {"not": {"type": "null"}},
        },
        "required": ["1", "2"],
        "allOf": [{
            "if": {"properties": {"3": {"const": true}}, "required": ["3"]},
            "then": {"properties": {"6": {
                "type": "integer", "minimum": 1, "localizedName": label("How many?", "Wie viele?"),
            }}},
        }],
    })
    .to_string()
}

impl Setup {
    fn new(data: Data<'_>) -> Result<Self, Box<dyn error::Error>> {
        let languages = vec![data("en"), data("de")];
        let schema = schema(data, &languages);
        let entries = Entries::default();
        let compiled = DataSchema::compile(&schema)?;
        Ok(Self {
            name: data("Registration for the spring run"),
            cards: SchemaText::new(&schema)?.cards(&languages),
            languages,
            action: at("", &data("console/forms/1/edit")),
            token: data("6f1c"),
            trial: SchemaTrial {
                faults: Vec::new(),
                warnings: Vec::new(),
                answers: Some(Answers::of(Some(&compiled), None, &entries, None)?),
                is_accepted: None,
            },
            schema,
            text: "0".to_owned(),
            entries,
        })
    }

    fn page(&self) -> EditorPage<'_> {
        EditorPage {
            frame: Some(FormFrame {
                path: "/console/forms/1".to_owned(),
                name: Some(&self.name),
                tabs: vec![FormTab::Overview, FormTab::Questions, FormTab::Answers],
            }),
            action: &self.action,
            token: self.token.clone(),
            name: "",
            revision: Some("1".to_owned()),
            text: &self.text,
            is_changed: true,
            view: EditorView::Questions,
            cards: &self.cards,
            takes_conditions: true,
            languages: &self.languages,
            open: None,
            entered: None,
            problem: None,
            focus: None,
            notice: None,
            trial: &self.trial,
            entries: &self.entries,
            spoken: None,
        }
    }
}

/// The cards, one of which is open, and the text.
fn cards(shell: &Shell<'_>, data: Data<'_>, setup: &Setup) -> Vec<Page> {
    let named_page = |name: &str, page: EditorPage<'_>| named(name, page.render(shell));
    let opened = |open| EditorPage {
        open: Some(open),
        focus: Some("card"),
        ..setup.page()
    };
    let mut pages = vec![
        named_page("editor", setup.page()),
        named_page("editor-choice", opened("/2")),
        named_page("editor-text-card", opened("/1")),
        named_page("editor-list", opened("/4")),
        named_page("editor-list-card", opened("/4/1")),
        named_page("editor-boolean", opened("/3")),
        named_page("editor-condition", opened("/6")),
    ];
    let problems = [
        EditError::UnknownCard(data("a")),
        EditError::WrittenByHand(data("a")),
        EditError::NoChoices,
        EditError::ChoiceTwice(data("red")),
        EditError::ChoiceNotNumber(data("red")),
        EditError::LimitNotNumber(data("few")),
        EditError::LimitsCrossed,
        EditError::HasDependents,
        EditError::NoConditions,
        EditError::NotADriver(data("a")),
    ];
    let entered = setup.cards.first().and_then(|card| card.fields.clone());
    let entered = entered.map(|fields| CardFields {
        labels: vec![data("What was entered"), data("Was eingegeben wurde")],
        ..fields
    });
    for (at, problem) in problems.iter().enumerate() {
        let page = EditorPage {
            open: (at > 1).then_some("/1"),
            entered: entered.as_ref(),
            problem: Some(problem),
            ..setup.page()
        };
        pages.push(named(&format!("editor-problem-{at}"), page.render(shell)));
    }
    let text = data("{\n  \"type\": \"object\"\n}");
    let page = EditorPage {
        text: &text,
        view: EditorView::Text,
        ..setup.page()
    };
    pages.push(named("editor-text", page.render(shell)));
    pages
}

/// What is said about what was done.
fn notices(shell: &Shell<'_>, data: Data<'_>, setup: &mut Setup) -> Vec<Page> {
    let notices = [
        ("saved", EditorNotice::Saved),
        ("unchanged", EditorNotice::Unchanged),
        ("resend", EditorNotice::Resend),
        ("failed", EditorNotice::Failed),
        ("one-answer", EditorNotice::HasSubmissions(1, false)),
        ("answers", EditorNotice::HasSubmissions(31, false)),
        ("many-answers", EditorNotice::HasSubmissions(1000, true)),
        (
            "conflict",
            EditorNotice::Conflict(data("{\n  \"type\": \"object\"\n}")),
        ),
    ];
    let mut pages = Vec::new();
    for (name, notice) in notices {
        let page = EditorPage {
            notice: Some(notice),
            ..setup.page()
        };
        pages.push(named(&format!("editor-{name}"), page.render(shell)));
    }
    let fault = |message: &str, card: Option<&str>, position| Fault {
        message: data(message),
        card: card.map(str::to_owned),
        position,
    };
    setup.trial = SchemaTrial {
        faults: vec![
            fault(
                "/properties/1/type: must be a string",
                Some("/1"),
                Some((3, 18)),
            ),
            fault("is not valid JSON at line 1 column 2", None, None),
        ],
        answers: None,
        warnings: Vec::new(),
        is_accepted: None,
    };
    for (name, view) in [("cards", EditorView::Questions), ("text", EditorView::Text)] {
        let page = EditorPage {
            view,
            notice: Some(EditorNotice::Faults),
            ..setup.page()
        };
        pages.push(named(&format!("editor-faults-{name}"), page.render(shell)));
    }
    pages
}

/// Answers that were tried, warnings, and a new form.
fn trials(
    shell: &Shell<'_>,
    data: Data<'_>,
    setup: &mut Setup,
) -> Result<Vec<Page>, Box<dyn error::Error>> {
    let warning = |kind, card: &str| Warning {
        kind,
        card: card.to_owned(),
        detail: match kind {
            WarningKind::FormMember | WarningKind::Misspelled(_) => data("map"),
            _ => String::new(),
        },
    };
    setup.trial.warnings = vec![
        warning(WarningKind::FormMember, ""),
        warning(WarningKind::FormMember, "/1"),
        warning(WarningKind::NoLabel, "/2"),
        warning(WarningKind::AsJson, ""),
        warning(WarningKind::AsJson, "/5"),
        warning(WarningKind::TooLarge, ""),
        warning(WarningKind::NeverAsked, "/6"),
        warning(WarningKind::Misspelled("maxLength"), "/7"),
    ];
    let mut pages = vec![named("editor-warnings", setup.page().render(shell))];
    let compiled = DataSchema::compile(&setup.schema)?;
    for (name, is_accepted) in [("accepted", true), ("refused", false)] {
        let mut answers = Answers::of(Some(&compiled), None, &setup.entries, None)?;
        if let (false, Err(rejection)) = (is_accepted, compiled.validate(&parse_json("{}")?)) {
            let questions: &mut Questions = &mut answers.questions;
            questions.place(rejection.into_parts().1);
        }
        setup.trial.answers = Some(answers);
        setup.trial.is_accepted = Some(is_accepted);
        pages.push(named(&format!("editor-{name}"), setup.page().render(shell)));
    }
    setup.trial.warnings.clear();
    let name = data("Registration");
    for (file, notice) in [
        ("new-form", None),
        ("new-form-nameless", Some(EditorNotice::NameInvalid)),
    ] {
        let page = EditorPage {
            frame: None,
            name: &name,
            cards: &[],
            languages: &[],
            notice,
            ..setup.page()
        };
        pages.push(named(&format!("editor-{file}"), page.render(shell)));
    }
    Ok(pages)
}
