//! What the forms of the console are made of: inputs with labels, and problems of what was sent.

use formalize_core::{Error, Field, authorization::InvalidGrant, webhooks::InvalidWebhookUrl};
use maud::{Markup, html};

use super::webhooks::words::EVENTS;
use crate::language::Language;
use crate::moment::{LocalTime, step};
use crate::shell::Shell;

/// Why what was sent was refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    /// The inputs that are wrong. They have the names of fields.
    fields: Vec<&'static str>,
    /// A problem of the whole, as a key of the catalogue.
    general: Option<&'static str>,
    /// Why the URL of a webhook is wrong, if it is.
    url: Option<InvalidWebhookUrl>,
}

impl Problems {
    /// The problems that an error of the service is about.
    ///
    /// ```
    /// use formalize_core::{Field, InvalidFields};
    /// use formalize_web::Problems;
    ///
    /// let error = InvalidFields::Form(vec![Field::Name]).into();
    /// assert_eq!(Problems::of(&error), Problems::of_fields([Field::Name]));
    /// ```
    pub fn of(error: &Error) -> Self {
        let general = match error {
            Error::InvalidFields(invalid) => {
                return Self::of_fields(invalid.fields().iter().copied());
            }
            Error::InvalidGrant(InvalidGrant::Holder(fields))
            | Error::FormHasSubmissions(fields) => {
                return Self::of_fields(fields.iter().copied());
            }
            Error::GroupNotFound(Some(field)) => return Self::of_fields([*field]),
            Error::InvalidGrant(InvalidGrant::DynamicGroupUndefined) => {
                return Self::of_fields([Field::DynamicGroupIdentifier]);
            }
            Error::RevisionMismatch => "refused.changed",
            Error::LastManageGrant => "refused.lastManager",
            Error::GrantExists | Error::MembershipExists => "refused.exists",
            Error::MembershipLimitReached => "refused.memberships",
            Error::WebhookLimitReached => "refused.webhooks",
            Error::WebhookDisabled => "refused.disabled",
            Error::WebhookTestedRecently => "refused.tested",
            Error::FormLinkNotFound
            | Error::GrantNotFound
            | Error::MembershipNotFound
            | Error::TokenNotFound
            | Error::WebhookNotFound
            | Error::WebhookDeliveryNotFound => "refused.gone",
            _ => "refused",
        };
        Self::of_whole(general)
    }

    fn of_whole(key: &'static str) -> Self {
        Self {
            general: Some(key),
            ..Self::default()
        }
    }

    /// The page was opened in an earlier session, so nothing of it was done. It can be sent again.
    pub fn of_old_page() -> Self {
        Self::of_whole("refused.old")
    }

    /// Problems of inputs.
    pub fn of_fields(fields: impl IntoIterator<Item = Field>) -> Self {
        Self {
            fields: fields.into_iter().map(Field::as_str).collect(),
            ..Self::default()
        }
    }

    /// These problems, with the reason why the URL of a webhook is wrong, if it is one of them.
    #[must_use]
    pub fn with_url(mut self, why: Option<InvalidWebhookUrl>) -> Self {
        self.url = why;
        self
    }

    /// These problems, and the one that there is no time zone of the name that was entered.
    #[must_use]
    pub fn with_time_zone(mut self, is_wrong: bool) -> Self {
        if is_wrong {
            self.fields.push("timeZone");
        }
        self
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.general.is_none()
    }

    /// Inputs that show these problems.
    pub(crate) fn inputs(&self, language: Language) -> Inputs<'_> {
        Inputs {
            language,
            problems: self,
        }
    }

    fn has(&self, name: &str) -> bool {
        self.fields.contains(&name)
    }

    /// What is wrong with an input.
    fn message(&self, language: Language, field: &str) -> String {
        let text = language.say(match (field, self.url) {
            ("url", Some(InvalidWebhookUrl::TooLong)) => "wrong.url.long",
            ("url", Some(InvalidWebhookUrl::Unencrypted)) => "wrong.url.unencrypted",
            ("url", Some(InvalidWebhookUrl::Credentials)) => "wrong.url.credentials",
            ("url", Some(InvalidWebhookUrl::Fragment)) => "wrong.url.fragment",
            ("url", Some(InvalidWebhookUrl::Target)) => "wrong.url.target",
            _ => key(field),
        });
        if field == "eventTypes" {
            let events = EVENTS.map(|(_, key)| language.say(key));
            return format!("{text} ({})", events.join(", "));
        }
        text.to_owned()
    }

    /// All problems, with links to their inputs. It gets the focus.
    pub(crate) fn summary(&self, language: Language) -> Markup {
        html! {
            @if !self.is_empty() {
                div.summary role="alert" tabindex="-1" autofocus {
                    h2 { (language.say("refusedTitle")) }
                    @if let Some(key) = self.general { p { (language.say(key)) } }
                    @if !self.fields.is_empty() {
                        ul {
                            @for field in &self.fields {
                                li { a href={ "#" (field) } { (self.message(language, field)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What is usually wrong with an input, as a key of the catalogue.
fn key(field: &str) -> &'static str {
    match field {
        "name" => "wrong.name",
        "label" => "wrong.label",
        "contact" => "wrong.contact",
        "availableStarts" | "availabilityEnds" => "wrong.window",
        "timeZone" => "wrong.timeZone",
        "expires" => "wrong.expires",
        "maxNumSubmissions" | "maxNumSubmissionsPerCreator" => "wrong.number",
        "allowedSubmissionStates" | "eventTypes" => "wrong.states",
        "grantBasedSubmissionAuthorization" => "wrong.grantBased",
        "embedOrigins" => "wrong.origins",
        "userIdentifier" => "wrong.user",
        "groupIdentifier" | "childGroupIdentifier" | "dynamicGroupIdentifier" => "wrong.group",
        "url" => "wrong.url",
        "description" => "wrong.description",
        _ => "wrong",
    }
}

/// An input with its label. The name is also its `id`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Input<'a> {
    pub(crate) name: &'a str,
    /// The label, as a key of the catalogue.
    pub(crate) label: &'a str,
    /// An explanation.
    pub(crate) help: Option<&'a str>,
    /// The type of HTML, `text` if it is empty.
    pub(crate) kind: &'a str,
    pub(crate) value: &'a str,
    pub(crate) is_required: bool,
    /// Whether the input selects what a page shows. Nobody expects that all of these are filled in.
    pub(crate) is_filter: bool,
    /// The id of a list with values to choose from.
    pub(crate) list: Option<&'a str>,
}

impl<'a> Input<'a> {
    /// An optional text with a value.
    pub(crate) fn new(name: &'a str, label: &'a str, value: &'a str) -> Self {
        Self {
            name,
            label,
            value,
            ..Self::default()
        }
    }
}

/// The inputs of a form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) language: Language,
    problems: &'a Problems,
}

impl Inputs<'_> {
    pub(crate) fn text(&self, input: Input<'_>) -> Markup {
        let kind = if input.kind.is_empty() {
            "text"
        } else {
            input.kind
        };
        let is_short = matches!(kind, "datetime-local" | "date") || kind == "number";
        let (kind, mode) = if kind == "number" {
            ("text", Some("numeric"))
        } else {
            (kind, None)
        };
        let is_wrong = self.problems.has(input.name);
        let step = (kind == "datetime-local").then(|| step(input.value));
        html! {
            div.field.wrong[is_wrong] {
                label for=(input.name) { (self.label(input)) }
                (self.notes(input, is_wrong))
                input.short[is_short] type=(kind) id=(input.name) name=(input.name) value=(input.value)
                    inputmode=[mode] step=[step] autocomplete="off" list=[input.list] dir=[(kind == "text").then_some("auto")]
                    required[input.is_required] aria-invalid=[is_wrong.then_some("true")]
                    aria-describedby=[described(input, is_wrong)];
            }
        }
    }

    /// An input of several lines.
    pub(crate) fn lines(&self, input: Input<'_>) -> Markup {
        let is_wrong = self.problems.has(input.name);
        html! {
            div.field.wrong[is_wrong] {
                label for=(input.name) { (self.label(input)) }
                (self.notes(input, is_wrong))
                textarea id=(input.name) name=(input.name) rows="3" dir="auto"
                    aria-invalid=[is_wrong.then_some("true")] aria-describedby=[described(input, is_wrong)] {
                    "\n" (input.value)
                }
            }
        }
    }

    /// A choice of one, from pairs of value and label.
    pub(crate) fn choice(&self, input: Input<'_>, choices: &[(&str, &str)]) -> Markup {
        let is_wrong = self.problems.has(input.name);
        html! {
            div.field.wrong[is_wrong] {
                label for=(input.name) { (self.label(input)) }
                (self.notes(input, is_wrong))
                select id=(input.name) name=(input.name) aria-invalid=[is_wrong.then_some("true")]
                    aria-describedby=[described(input, is_wrong)] {
                    @for (value, label) in choices {
                        option value=(value) selected[*value == input.value] dir="auto" { (label) }
                    }
                }
            }
        }
    }

    /// A box to tick.
    pub(crate) fn tick(&self, input: Input<'_>, is_ticked: bool) -> Markup {
        let is_wrong = self.problems.has(input.name);
        html! {
            div.field.wrong[is_wrong] {
                (option("checkbox", input.name, "true", self.language.say(input.label), is_ticked, described(input, is_wrong)))
                (self.notes(input, is_wrong))
            }
        }
    }

    /// Boxes of which several can be ticked, from pairs of value and key of the label.
    pub(crate) fn ticks(
        &self,
        input: Input<'_>,
        choices: &[(&str, &str)],
        is_ticked: impl Fn(&str) -> bool,
    ) -> Markup {
        let is_wrong = self.problems.has(input.name);
        html! {
            fieldset.field.wrong[is_wrong] id=(input.name) tabindex="-1" aria-invalid=[is_wrong.then_some("true")]
                aria-describedby=[described(input, is_wrong)] {
                legend { (self.language.say(input.label)) }
                (self.notes(input, is_wrong))
                @for (value, label) in choices {
                    (option("checkbox", input.name, value, self.language.say(label), is_ticked(value), None))
                }
            }
        }
    }

    fn label(&self, input: Input<'_>) -> Markup {
        html! {
            (self.language.say(input.label))
            @if !input.is_required && !input.is_filter { " " span.optional { (self.language.say("optional")) } }
        }
    }

    fn notes(&self, input: Input<'_>, is_wrong: bool) -> Markup {
        html! {
            @if let Some(help) = input.help {
                p.help id={ (input.name) ".help" } { (help) }
            }
            @if is_wrong {
                p.problem id={ (input.name) ".problem" } { (self.problems.message(self.language, input.name)) }
            }
        }
    }
}

/// A box or button with its label.
fn option(
    kind: &str,
    name: &str,
    value: &str,
    label: &str,
    is_chosen: bool,
    described: Option<String>,
) -> Markup {
    let id = if value == "true" {
        name.to_owned()
    } else {
        format!("{name}.{value}")
    };
    html! {
        div.option {
            input type=(kind) id=(id) name=(name) value=(value) checked[is_chosen] aria-describedby=[described];
            label for=(id) { (label) }
        }
    }
}

/// A text that people copy: in an input that they cannot change, with a button, which the script shows.
pub(crate) fn to_copy(language: Language, input: &Markup) -> Markup {
    html! {
        div.copy {
            (input)
            button type="button" hidden data-done=(language.say("copied")) { (language.say("copy")) }
            span.hidden role="status" {}
        }
    }
}

/// Links to the first and the next page of a list, as far as there are such pages. The name is a key of the catalogue.
pub(crate) fn pages(
    shell: &Shell<'_>,
    name: &str,
    first: Option<&str>,
    next: Option<&str>,
) -> Markup {
    let language = shell.language;
    html! {
        @if first.is_some() || next.is_some() {
            nav.pages aria-label=(language.say(name)) {
                @for (path, key) in [(first, "firstPage"), (next, "nextPage")] {
                    @if let Some(path) = path { a href=(shell.at(path)) { (language.say(key)) } }
                }
            }
        }
    }
}

/// A secret, which is shown once. Its name, heading and explanation are keys of the catalogue.
pub(crate) fn created_secret(
    language: Language,
    [name, heading, help]: [&str; 3],
    secret: &str,
) -> Markup {
    html! {
        section.card.created role="status" aria-labelledby="created" {
            div {
                h2 id="created" { (language.say(heading)) }
                p id="created.help" { (language.say(help)) }
                label for="secret" { (language.say(name)) }
                (to_copy(language, &html! {
                    input.code type="text" id="secret" readonly value=(secret) aria-describedby="created.help";
                }))
            }
        }
    }
}

/// A form that searches groups. The address has the text.
pub(crate) fn search_groups(language: Language, search: &str) -> Markup {
    html! {
        form.search method="get" role="search" {
            label for="search" { (language.say("searchGroups")) }
            div {
                input type="search" id="search" name="search" value=(search) dir="auto";
                button type="submit" { (language.say("search")) }
            }
        }
    }
}

/// A setting that somebody else has changed: the key of its label, what was entered, and what is stored.
pub(crate) type Changed = (&'static str, String, String);

/// What somebody else has stored in the meantime, where it differs from what was entered.
pub(crate) fn conflict(language: Language, settings: &[Changed]) -> Markup {
    let differing = settings.iter().filter(|(_, own, stored)| own != stored);
    html! {
        section.card.conflict aria-labelledby="conflict" {
            h2 id="conflict" { (language.say("conflict")) }
            p { (language.say("conflict.text")) }
            dl {
                @for (label, own, stored) in differing {
                    dt { (language.say(label)) }
                    dd { (language.say("conflict.stored")) ": " bdi { (or_none(language, stored)) } }
                    dd { (language.say("conflict.own")) ": " bdi { (or_none(language, own)) } }
                }
            }
        }
    }
}

fn or_none(language: Language, text: &str) -> &str {
    if text.is_empty() {
        language.say("none")
    } else {
        text
    }
}

/// A time of an input in words.
pub(crate) fn time(language: Language, text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        LocalTime::new(text, text).words(language)
    }
}

/// Whether something is so, in a word.
pub(crate) fn yes(language: Language, is_so: bool) -> String {
    language.say(if is_so { "yes" } else { "no" }).to_owned()
}

/// The ids of what describes an input.
fn described(input: Input<'_>, is_wrong: bool) -> Option<String> {
    let name = input.name;
    match (input.help.is_some(), is_wrong) {
        (true, true) => Some(format!("{name}.help {name}.problem")),
        (true, false) => Some(format!("{name}.help")),
        (false, true) => Some(format!("{name}.problem")),
        (false, false) => None,
    }
}

/// The hidden input with the token against forged requests.
pub(crate) fn token(token: &str) -> Markup {
    html! { input type="hidden" name="token" value=(token); }
}
