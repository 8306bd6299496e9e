//! Changes of one property.

use serde_json::Value;

use super::choices::{self, is_number};
use super::known::{Draft, OF_KINDS, is_text_area, kind_of, limits};
use super::spelled::{New, Spelled};
use super::texts::{self, HELP, LABEL};
use super::{CardFields, EditError, SchemaText, below};
use crate::questions::QuestionKind as Kind;

type Result<T, E = EditError> = std::result::Result<T, E>;

/// A change of one property.
pub(super) struct Editing<'a> {
    pub(super) before: &'a SchemaText,
    pub(super) languages: &'a [String],
    pub(super) spelled: Spelled,
    pub(super) schema: &'a [String],
}

impl Editing<'_> {
    fn path(&self, keyword: &str) -> Vec<String> {
        below(self.schema, [keyword])
    }

    /// The kind, and the choices that belong to it.
    pub(super) fn kind(&mut self, old: &CardFields, new: &CardFields) -> Result<()> {
        let has_choices = |kind| matches!(kind, Kind::Choice | Kind::Choices);
        if old.kind == new.kind && (!has_choices(new.kind) || old.choices == new.choices) {
            return Ok(());
        }
        let place = |kind| match kind {
            Kind::Choices => self.path("items"),
            _ => self.schema.to_vec(),
        };
        let known = self.before.choices(&place(old.kind), self.languages);
        let known = known.filter(|_| has_choices(old.kind));
        let raw = known.as_ref().map_or_else(Vec::new, |known| {
            let list = below(&place(old.kind), [known.keyword]);
            let items = 0..known.fields.len();
            let item = |at: usize| self.spelled.dedented(&below(&list, [&at.to_string()]));
            items.map(item).collect()
        });
        if has_choices(new.kind) {
            choices::check(new, known.as_ref().is_some_and(|known| known.are_numbers))?;
        }
        let known = known.as_ref().map(|known| (known, raw.as_slice()));
        if old.kind == new.kind {
            let has_const = Draft::of(&self.before.value).has_const;
            let (keyword, values) =
                choices::written(&new.choices, known, self.languages, has_const);
            let place = place(new.kind);
            if let Some((known, _)) = known.filter(|(known, _)| known.keyword != keyword) {
                self.spelled.remove(&below(&place, [known.keyword]));
            }
            self.spelled.set(&below(&place, [keyword]), &values);
            return Ok(());
        }
        let keywords = self
            .before
            .keywords(new.kind, &new.choices, known, self.languages);
        self.replace(old.kind, new.kind, &keywords);
        Ok(())
    }

    /// Replaces the keywords of one kind by those of another.
    fn replace(&mut self, old: Kind, new: Kind, keywords: &[(String, New)]) {
        let (least, most) = limits(new).unwrap_or_default();
        let is_text = |kind| matches!(kind, Kind::Text | Kind::LongText);
        let are_texts = is_text(old) && is_text(new);
        let stays = |keyword: &str| {
            let is_limit = keyword == least || keyword == most;
            is_limit
                || (keyword == "pattern" && are_texts)
                || keywords.iter().any(|(own, _)| own == keyword)
        };
        let others = [
            "minItems",
            "maxItems",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ];
        for keyword in OF_KINDS
            .into_iter()
            .chain(others)
            .filter(|keyword| !stays(keyword))
        {
            self.spelled.remove(&self.path(keyword));
        }
        if !are_texts {
            self.spelled.remove(&self.path("default"));
        }
        let schema = self.before.at(self.schema);
        if new != Kind::LongText && schema.and_then(Value::as_object).is_some_and(is_text_area) {
            let form = self.path("x-form");
            self.spelled.remove(&below(&form, ["widget"]));
            if self.spelled.elements(&form).is_empty() {
                self.spelled.remove(&form);
            }
        }
        for (keyword, value) in keywords {
            match value {
                // Other members of the annotation stay.
                New::Object(members) if keyword == "x-form" => {
                    for (name, value) in members {
                        self.spelled
                            .set(&below(self.schema, [keyword, name]), value);
                    }
                }
                value => self.spelled.set(&self.path(keyword), value),
            }
        }
    }

    pub(super) fn limits(&mut self, old: &CardFields, new: &CardFields) -> Result<()> {
        let number = |text: &str| text.parse::<f64>().ok();
        if let Some((least, most)) = limits(new.kind) {
            let is_count = !matches!(new.kind, Kind::Integer | Kind::Number);
            // Another kind has other keywords, so a limit that stays the same has to be written again.
            let are_kept = limits(old.kind) == limits(new.kind);
            for (keyword, old, new) in [
                (least, &old.least, &new.least),
                (most, &old.most, &new.most),
            ] {
                let is_limit = if is_count {
                    new.parse::<u32>().is_ok()
                } else {
                    is_number(new)
                };
                match new.as_str() {
                    "" => self.spelled.remove(&self.path(keyword)),
                    same if are_kept && same == old => {}
                    _ if !is_limit => return Err(EditError::LimitNotNumber(new.clone())),
                    number => self
                        .spelled
                        .set(&self.path(keyword), &New::Raw(number.to_owned())),
                }
            }
            let crossed = number(&new.least).zip(number(&new.most));
            if crossed.is_some_and(|(least, most)| least > most) {
                return Err(EditError::LimitsCrossed);
            }
        }
        if new.kind == Kind::Text && new.pattern.is_empty() {
            self.spelled.remove(&self.path("pattern"));
        } else if new.kind == Kind::Text && old.pattern != new.pattern {
            self.spelled
                .set(&self.path("pattern"), &New::text(&new.pattern));
        }
        self.keep_length(old, new);
        Ok(())
    }

    /// Keeps a text long or short, whatever its greatest length was before.
    fn keep_length(&mut self, old: &CardFields, new: &CardFields) {
        let raw = self.spelled.raw(self.schema).unwrap_or_default();
        let schema: Value = serde_json::from_str(raw).unwrap_or_default();
        let is_long = kind_of(&schema, true) == Some(Kind::LongText);
        if is_long && new.kind == Kind::Text && old.kind != Kind::Text {
            self.spelled.remove(&self.path("maxLength"));
        } else if !is_long && new.kind == Kind::LongText {
            let widget = below(self.schema, ["x-form", "widget"]);
            self.spelled.set(&widget, &New::text("textarea"));
        }
    }

    pub(super) fn texts(&mut self, old: &CardFields, new: &CardFields) {
        for (keywords, old, new) in [
            (LABEL, &old.labels, &new.labels),
            (HELP, &old.helps, &new.helps),
        ] {
            let (schema, languages) = (self.schema, self.languages);
            texts::write(&mut self.spelled, schema, keywords, languages, old, new);
        }
    }
}
