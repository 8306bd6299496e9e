//! The page on which the rules of a form are changed.

use maud::{Markup, html};

use super::frame::{FormFrame, FormTab};
use super::parts::{Changed, Input, Problems, conflict, time, token, yes};
use crate::language::Language;
use crate::shell::Shell;

/// The page on which the rules of a form are changed.
#[derive(Debug, Clone)]
pub struct SettingsPage<'a> {
    /// The name and tabs of the form.
    pub frame: FormFrame<'a>,
    /// The token against forged requests.
    pub token: String,
    /// The revision of the form that the page shows.
    pub revision: String,
    /// What the inputs have.
    pub values: SettingsValues,
    /// What is stored, if somebody else has changed it since the page was opened.
    pub stored: Option<SettingsValues>,
    /// Why nothing was saved.
    pub problems: Problems,
    /// Whether the changes were saved.
    pub is_saved: bool,
    /// The names of time zones to choose from.
    pub time_zones: Vec<&'a str>,
    /// The path of the page that deletes the form, if the reader may do that.
    pub delete: Option<String>,
}

/// The settings of a form, as inputs have them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsValues {
    /// The name.
    pub name: String,
    /// Whom to ask about the form, or nothing.
    pub contact: String,
    /// When it opens, as a local time, or nothing.
    pub starts: String,
    /// When it closes, as a local time, or nothing.
    pub ends: String,
    /// The name of the time zone of these times.
    pub time_zone: String,
    /// The states that submissions may have.
    pub states: Vec<String>,
    /// The maximum number of submissions of each person, or nothing.
    pub cap: String,
    /// The maximum number of submissions, or nothing.
    pub limit: String,
    /// What creators may do with what they have submitted.
    pub actions: Vec<String>,
    /// Whether access to submissions follows from grants.
    pub is_grant_based: bool,
}

const STATES: [(&str, &str); 2] = [("submitted", "states.submitted"), ("draft", "states.draft")];
const ACTIONS: [(&str, &str); 4] = [
    ("read", "action.read"),
    ("update", "action.update"),
    ("delete", "action.delete"),
    ("manage", "action.manage"),
];

impl SettingsPage<'_> {
    /// The page as HTML.
    pub fn render(&self, shell: &Shell<'_>) -> String {
        let language = shell.language;
        let content = html! {
            @if self.is_saved { p.note role="status" { (language.say("changed")) } }
            (self.problems.summary(language))
            @if let Some(stored) = &self.stored { (conflict(language, &self.changed(language, stored))) }
            form method="post" novalidate {
                (token(&self.token))
                input type="hidden" name="revision" value=(self.revision);
                (self.inputs(language))
                div.actions {
                    button.primary type="submit" name="do" value="save" { (language.say("saveChanges")) }
                    @if let Some(path) = &self.delete {
                        a.button.danger href=(shell.at(path)) { (language.say("deleteForm")) }
                    }
                }
            }
        };
        let is_refused = !self.problems.is_empty();
        self.frame
            .page(shell, FormTab::Settings, is_refused, None, &content)
    }

    fn inputs(&self, language: Language) -> Markup {
        let inputs = self.problems.inputs(language);
        let values = &self.values;
        html! {
            (inputs.text(Input { is_required: true, ..Input::new("name", "formName", &values.name) }))
            (inputs.text(Input {
                help: Some(language.say("contactHelp")),
                ..Input::new("contact", "contact", &values.contact)
            }))
            div.columns {
                (inputs.text(Input { kind: "datetime-local", ..Input::new("availableStarts", "opens", &values.starts) }))
                (inputs.text(Input { kind: "datetime-local", ..Input::new("availabilityEnds", "closes", &values.ends) }))
                (inputs.text(Input {
                    is_required: true, help: Some(language.say("timeZoneHelp")), list: Some("time-zones"),
                    ..Input::new("timeZone", "timeZone.label", &values.time_zone)
                }))
                datalist id="time-zones" {
                    @for name in &self.time_zones { option value=(name) {} }
                }
            }
            div.columns {
                (inputs.text(Input {
                    kind: "number", help: Some(language.say("capHelp")),
                    ..Input::new("maxNumSubmissionsPerCreator", "perPerson", &values.cap)
                }))
                (inputs.text(Input {
                    kind: "number", help: Some(language.say("limitHelp")),
                    ..Input::new("maxNumSubmissions", "inTotal", &values.limit)
                }))
            }
            (inputs.ticks(Input::new("allowedSubmissionStates", "states", ""), &STATES, |state| {
                values.states.iter().any(|one| one == state)
            }))
            (inputs.ticks(Input::new("allowedActionsWhenSubmitted", "actionsWhenSubmitted", ""), &ACTIONS, |action| {
                values.actions.iter().any(|one| one == action)
            }))
            (inputs.tick(
                Input {
                    help: Some(language.say("grantBasedHelp")),
                    ..Input::new("grantBasedSubmissionAuthorization", "grantBased", "")
                },
                values.is_grant_based,
            ))
        }
    }

    /// The settings that somebody else may have changed.
    fn changed(&self, language: Language, stored: &SettingsValues) -> [Changed; 9] {
        let (own, time) = (&self.values, |text: &str| time(language, text));
        let words = |words: &[String], labels: &[(&str, &str)]| words_of(language, words, labels);
        [
            ("formName", own.name.clone(), stored.name.clone()),
            ("contact", own.contact.clone(), stored.contact.clone()),
            ("opens", time(&own.starts), time(&stored.starts)),
            ("closes", time(&own.ends), time(&stored.ends)),
            ("perPerson", own.cap.clone(), stored.cap.clone()),
            ("inTotal", own.limit.clone(), stored.limit.clone()),
            (
                "states",
                words(&own.states, &STATES),
                words(&stored.states, &STATES),
            ),
            (
                "actionsWhenSubmitted",
                words(&own.actions, &ACTIONS),
                words(&stored.actions, &ACTIONS),
            ),
            (
                "grantBased",
                yes(language, own.is_grant_based),
                yes(language, stored.is_grant_based),
            ),
        ]
    }
}

/// The labels of values, in the order of the labels.
fn words_of(language: Language, values: &[String], labels: &[(&str, &str)]) -> String {
    let labels = labels.iter();
    let chosen = labels.filter(|(value, _)| values.iter().any(|one| one == value));
    let chosen = chosen.map(|(_, label)| language.say(label));
    chosen.collect::<Vec<_>>().join(", ")
}
