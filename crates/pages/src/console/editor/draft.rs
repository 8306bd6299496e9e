//! The schema on a page of the editor, and the edits that its buttons make.

use formalize_core::{
    editor::{CardCondition, CardFields, ChoiceFields, Direction, EditError, KINDS, SchemaText},
    questions::QuestionKind,
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_web::EditorView;

use crate::sent::Sent;

/// The most languages that a form has in the editor.
const MAX_LANGUAGES: usize = 10;

/// The schema on a page of the editor. Reading and editing a large one takes too long for threads that serve requests.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) languages: Vec<String>,
    pub(super) shows_text: bool,
    /// The pointer of the card that is open.
    pub(super) open: Option<String>,
    /// The fields of the open card that could not be applied.
    pub(super) entered: Option<CardFields>,
    pub(super) problem: Option<EditError>,
    /// What gets the focus: the value of a button, or `card`.
    pub(super) focus: Option<String>,
}

impl Draft {
    /// The draft of a text that nobody has changed yet.
    pub(super) fn of(text: String) -> Self {
        let schema = SchemaText::new(&text);
        Self {
            languages: schema.map_or_else(|_| Vec::new(), |schema| schema.languages()),
            text,
            ..Self::default()
        }
    }

    /// The draft that a page has sent, with what was entered in its open card.
    ///
    /// # Errors
    ///
    /// A refusal if it cannot come from a page.
    pub(super) fn read(sent: &Sent) -> Result<Self, Refusal> {
        let packed = sent.own("text").unwrap_or_default();
        let text = serde_json::from_str::<String>(packed);
        let text = text.map_err(|_| Refusal::is(ErrorKey::InvalidRequestBody))?;
        let text = match sent.own("written") {
            Some(written) => rewritten(&text, written),
            None => text,
        };
        let shown = tags(sent.own("shown").unwrap_or_default());
        let mut draft = Self {
            languages: shown,
            shows_text: sent.own("view") == Some(EditorView::Text.as_str()),
            open: sent
                .own("open")
                .filter(|open| !open.is_empty())
                .map(str::to_owned),
            text,
            ..Self::default()
        };
        draft.apply_open(sent);
        if let Some(languages) = sent.own("languages") {
            draft.languages = tags(languages);
        }
        if let Ok(schema) = SchemaText::new(&draft.text) {
            let others = schema.languages().into_iter();
            let others = others.filter(|other| !draft.languages.contains(other));
            let others: Vec<_> = others.collect();
            draft.languages.extend(others);
        }
        draft.languages.truncate(MAX_LANGUAGES);
        Ok(draft)
    }

    pub(super) fn view(&self) -> EditorView {
        if self.shows_text {
            EditorView::Text
        } else {
            EditorView::Questions
        }
    }

    /// Applies what was entered in the open card.
    fn apply_open(&mut self, sent: &Sent) {
        let Some((schema, open)) = SchemaText::new(&self.text).ok().zip(self.open.clone()) else {
            return;
        };
        let Some(old) = find(&schema, &open, &self.languages) else {
            self.open = None;
            return;
        };
        if sent.own("card.kind").is_none() {
            return;
        }
        let fields = entered(sent, &old, self.languages.len().max(1));
        match schema.change(&open, &self.languages, &fields) {
            Ok(changed) => changed.text().clone_into(&mut self.text),
            Err(problem) => {
                self.entered = Some(fields);
                self.problem = Some(problem);
            }
        }
    }

    /// Does what a button asks for, unless the fields of the open card have a problem.
    pub(super) fn press(&mut self, button: &str, sent: &Sent) {
        if self.problem.is_some() {
            return;
        }
        let (verb, argument) = button.split_once(':').unwrap_or((button, ""));
        if verb == "view" {
            self.shows_text = argument == EditorView::Text.as_str();
            return;
        }
        let Ok(schema) = SchemaText::new(&self.text) else {
            return;
        };
        let edited = match verb {
            "up" => {
                self.focus = Some(format!("up:{argument}"));
                schema.shift(argument, Direction::Up)
            }
            "down" => {
                self.focus = Some(format!("down:{argument}"));
                schema.shift(argument, Direction::Down)
            }
            "copy" => schema.duplicate(argument).map(|(schema, copy)| {
                self.open(&copy);
                schema
            }),
            "delete" => schema.delete(argument).inspect(|_| {
                self.open = None;
                self.focus = Some("new:".to_owned());
            }),
            "new" => self.add(&schema, argument, sent),
            // The Enter key, where the label of a new question was entered.
            "apply" if has_label(sent, "") => self.add(&schema, "", sent),
            "apply" => match self.open.clone().filter(|open| has_label(sent, open)) {
                Some(group) => self.add(&schema, &group, sent),
                None => Ok(schema),
            },
            "open" => {
                self.open(argument);
                Ok(schema)
            }
            "close" => {
                self.open = None;
                self.focus = Some(format!("open:{argument}"));
                Ok(schema)
            }
            _ => Ok(schema),
        };
        match edited {
            Ok(schema) => schema.text().clone_into(&mut self.text),
            Err(problem) => {
                self.open = None;
                self.problem = Some(problem);
            }
        }
    }

    fn open(&mut self, card: &str) {
        self.open = Some(card.to_owned());
        self.focus = Some("card".to_owned());
    }

    fn add(
        &mut self,
        schema: &SchemaText,
        group: &str,
        sent: &Sent,
    ) -> Result<SchemaText, EditError> {
        let label = sent.own(&format!("new.label:{group}")).unwrap_or_default();
        let kind = sent.own(&format!("new.kind:{group}")).and_then(kind);
        let kind = kind.unwrap_or(QuestionKind::Text);
        let within = Some(group).filter(|group| !group.is_empty());
        let (schema, card) = schema.add(within, kind, label, &self.languages)?;
        let needs_more = matches!(kind, QuestionKind::Choice | QuestionKind::Choices)
            || matches!(kind, QuestionKind::Group | QuestionKind::List);
        if needs_more || label.trim().is_empty() {
            self.open(&card);
        } else {
            // The next question can be added at once.
            self.focus = Some(format!("new:{group}"));
        }
        Ok(schema)
    }
}

/// Whether the label of a new question was entered, at the end or in a group.
fn has_label(sent: &Sent, group: &str) -> bool {
    let label = sent.own(&format!("new.label:{group}"));
    label.is_some_and(|label| !label.trim().is_empty())
}

/// The fields of a card.
fn find(schema: &SchemaText, card: &str, languages: &[String]) -> Option<CardFields> {
    let cards = schema.cards(languages);
    let inner = cards.iter().flat_map(|card| &card.children);
    let mut all = cards.iter().chain(inner);
    let found = all.find(|one| one.pointer == card)?;
    found.fields.clone()
}

fn kind(name: &str) -> Option<QuestionKind> {
    KINDS.into_iter().find(|kind| kind.as_str() == name)
}

/// The fields that were entered in a card. Those that the page does not show stay as they are.
fn entered(sent: &Sent, old: &CardFields, languages: usize) -> CardFields {
    let texts = |name: &str, old: &[String]| {
        let texts = (0..languages).map(|at| match sent.own(&format!("card.{name}.{at}")) {
            // Browsers send line breaks as CR LF.
            Some(text) => text.replace("\r\n", "\n"),
            None => old.get(at).cloned().unwrap_or_default(),
        });
        texts.collect::<Vec<_>>()
    };
    let line = |name: &str, old: &str| {
        sent.own(name)
            .map_or_else(|| old.to_owned(), |text| text.trim().to_owned())
    };
    let kind = sent.own("card.kind").and_then(kind).unwrap_or(old.kind);
    let old_lines = ChoiceFields::lines(&old.choices);
    let lines = texts("choices", &old_lines);
    let choices = match kind {
        QuestionKind::Choice | QuestionKind::Choices => ChoiceFields::of_lines(&lines),
        _ => Vec::new(),
    };
    let condition = match sent.own("card.condition") {
        Some(condition) => parse_condition(condition),
        None => old.condition.clone(),
    };
    let has_limits = CardFields::has_limits(kind);
    let limit = |name: &str, old: &str| {
        if has_limits {
            line(name, old)
        } else {
            String::new()
        }
    };
    let pattern = sent.own("card.pattern").unwrap_or(&old.pattern);
    let pattern = Some(pattern).filter(|_| kind == QuestionKind::Text);
    CardFields {
        kind,
        labels: texts("label", &old.labels),
        helps: texts("help", &old.helps),
        is_required: sent.own("card.required").is_some(),
        choices: with_first(choices, kind, old),
        least: limit("card.least", &old.least),
        most: limit("card.most", &old.most),
        pattern: pattern.unwrap_or_default().to_owned(),
        condition,
    }
}

/// A question that becomes one with choices begins with one of them.
fn with_first(
    choices: Vec<ChoiceFields>,
    kind: QuestionKind,
    old: &CardFields,
) -> Vec<ChoiceFields> {
    let has_choices = |kind| matches!(kind, QuestionKind::Choice | QuestionKind::Choices);
    if choices.is_empty() && has_choices(kind) && !has_choices(old.kind) {
        return ChoiceFields::of_lines(&["A".to_owned()]);
    }
    choices
}

fn parse_condition(text: &str) -> Option<CardCondition> {
    let (question, answers) = serde_json::from_str(text).ok()?;
    Some(CardCondition { question, answers })
}

/// The language tags in a text, each once.
fn tags(text: &str) -> Vec<String> {
    let is_tag = |tag: &&str| {
        let is_part = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_');
        !tag.is_empty() && tag.len() <= 35 && tag.chars().all(is_part)
    };
    let words = text.split([' ', ',', ';', '\t']);
    let mut tags: Vec<String> = Vec::new();
    for tag in words.filter(is_tag) {
        if !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    tags.truncate(MAX_LANGUAGES);
    tags
}

/// The text of the text area. Browsers change line breaks, so a text that is otherwise the same is the old one, and a new
/// one has the line breaks of the old.
fn rewritten(old: &str, written: &str) -> String {
    let written = written.replace("\r\n", "\n");
    if written == old.replace("\r\n", "\n").replace('\r', "\n") {
        return old.to_owned();
    }
    if old.contains("\r\n") {
        return written.replace('\n', "\r\n");
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_line_breaks() {
        for old in ["{\n}", "{\r\n}", "{\r\n \n}", "{\r}"] {
            let shown = old.replace("\r\n", "\n").replace('\r', "\n");
            assert_eq!(rewritten(old, &shown.replace('\n', "\r\n")), old);
        }
        assert_eq!(rewritten("{\r\n}", "{\r\n\r\n}"), "{\r\n\r\n}");
        assert_eq!(rewritten("{\n}", "{\r\n\r\n}"), "{\n\n}");
    }

    #[test]
    fn languages_are_tags() {
        assert_eq!(tags("en, de-AT;en  fr"), ["en", "de-AT", "fr"]);
        assert_eq!(tags("<b>, é, "), Vec::<String>::new());
        assert_eq!(
            tags(&"a b c d e f g h i j k".replace(' ', ",")).len(),
            MAX_LANGUAGES
        );
    }
}
