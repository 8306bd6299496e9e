//! Edits of a schema.

use std::collections::HashSet;

use serde_json::Value;

use super::choices;
use super::conditions::{require, take_out};
use super::known::{Draft, kind_of};
use super::property::Editing;
use super::reading::Location;
use super::spelled::New;
use super::texts::{self, LABEL};
use super::{CardFields, ChoiceFields, Direction, EditError, SchemaText, below, path, pointer};
use crate::questions::QuestionKind as Kind;

type Result<T, E = EditError> = std::result::Result<T, E>;

impl SchemaText {
    /// Adds a question, at the end or at the end of a group or list, and returns its pointer. Its name is made from the
    /// label. A choice begins with one answer, and a group or list with one question. Consent is required.
    ///
    /// # Errors
    ///
    /// [`EditError::UnknownCard`] and [`EditError::WrittenByHand`] if the group does not exist, or cannot have this kind
    /// there.
    ///
    /// ```
    /// use formalize_schema::editor::SchemaText;
    /// use formalize_schema::questions::QuestionKind;
    ///
    /// let schema = SchemaText::new("{}")?;
    /// let (schema, pointer) = schema.add(None, QuestionKind::Date, "Date of birth", &[])?;
    /// assert_eq!(pointer, "/dateOfBirth");
    /// assert_eq!(schema.cards(&[]).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(
        &self,
        group: Option<&str>,
        kind: Kind,
        label: &str,
        languages: &[String],
    ) -> Result<(Self, String)> {
        let unknown = || EditError::WrittenByHand(group.unwrap_or_default().to_owned());
        let (object, above) = match group {
            None if self.has_properties() => (Vec::new(), Vec::new()),
            None => return Err(unknown()),
            Some(card) => {
                let location = self.known(card)?;
                (
                    self.inner_object(&location).ok_or_else(unknown)?,
                    path(card),
                )
            }
        };
        let is_nested = group.is_some();
        if is_nested && matches!(kind, Kind::Group | Kind::List) {
            return Err(unknown());
        }
        let name = self.free_name(&object, label);
        let mut labels = vec![String::new(); languages.len().max(1)];
        if let Some(first) = labels.first_mut() {
            label.trim().clone_into(first);
        }
        let mut members = self.keywords(kind, &[default_choice()], None, languages);
        members.extend(texts::new(LABEL, languages, &labels));
        let mut spelled = self.spelled.clone();
        spelled.set(
            &below(&object, ["properties", &name]),
            &New::Object(members),
        );
        let (added, pointer) = (Self::of(spelled), pointer(&below(&above, [&name])));
        // A form that may be sent without the box does not ask for consent.
        match added.location(&pointer) {
            Some(location) if kind == Kind::Consent => {
                let mut spelled = added.spelled;
                require(&mut spelled, &location, true);
                Ok((Self::of(spelled), pointer))
            }
            _ => Ok((added, pointer)),
        }
    }

    /// Changes a question. Only fields that differ from those of the card are written.
    ///
    /// A group or list stays one; other questions may become another kind. Then the keywords of the old kind are removed.
    /// A question that becomes consent is required.
    ///
    /// # Errors
    ///
    /// Any [`EditError`]: the fields may contradict each other or the schema.
    ///
    /// ```
    /// use formalize_schema::editor::{CardFields, SchemaText};
    ///
    /// let schema = SchemaText::new(r#"{"properties": {"a": {"type": "string", "maxLength": 1e1}}}"#)?;
    /// let fields = schema.cards(&[])[0].fields.clone().unwrap();
    /// assert_eq!(schema.change("/a", &[], &fields)?, schema);
    /// let named = CardFields { labels: vec!["Name".to_owned()], ..fields };
    /// let text = r#"{"properties": {"a": {"type": "string", "maxLength": 1e1, "title": "Name"}}}"#;
    /// assert_eq!(schema.change("/a", &[], &named)?.text(), text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change(&self, card: &str, languages: &[String], fields: &CardFields) -> Result<Self> {
        let location = self.known(card)?;
        let by_hand = || EditError::WrittenByHand(card.to_owned());
        let old = self.fields(&location, languages).ok_or_else(by_hand)?;
        if old == *fields {
            return Ok(self.clone());
        }
        let is_group = |kind| matches!(kind, Kind::Group | Kind::List);
        if old.kind != fields.kind && (is_group(old.kind) || is_group(fields.kind)) {
            return Err(by_hand());
        }
        let becomes_consent = fields.kind == Kind::Consent && old.kind != Kind::Consent;
        let fields = &CardFields {
            is_required: fields.is_required || becomes_consent,
            ..fields.clone()
        };
        let schema = location.schema();
        let mut edited = Editing {
            before: self,
            languages,
            spelled: self.spelled.clone(),
            schema: &schema,
        };
        edited.kind(&old, fields)?;
        edited.limits(&old, fields)?;
        edited.texts(&old, fields);
        let mut spelled = edited.spelled;
        if old.is_required != fields.is_required {
            require(&mut spelled, &location, fields.is_required);
        }
        let changed = Self::of(spelled);
        // An answer that the condition of another question requires is no longer possible.
        if changed.conditionals().len() < self.conditionals().len() {
            return Err(EditError::HasDependents);
        }
        if old.condition == fields.condition {
            return Ok(changed);
        }
        changed.under_condition(&location, fields)
    }

    /// Exchanges a card with the one before or behind it. At the end, nothing changes.
    ///
    /// # Errors
    ///
    /// [`EditError::UnknownCard`].
    ///
    /// ```
    /// use formalize_schema::editor::{Direction, SchemaText};
    ///
    /// let schema = SchemaText::new(r#"{"properties": {"a": {"type": "string"}, "b": {}}}"#)?;
    /// let moved = schema.shift("/b", Direction::Up)?;
    /// assert_eq!(moved.text(), r#"{"properties": {"b": {}, "a": {"type": "string"}}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shift(&self, card: &str, direction: Direction) -> Result<Self> {
        let location = self.placed(card)?;
        let names = self.spelled.names(&location.properties());
        let at = names.iter().position(|name| *name == location.name);
        let at = at.ok_or_else(|| EditError::UnknownCard(card.to_owned()))?;
        let other = match direction {
            Direction::Up => at.checked_sub(1),
            Direction::Down => Some(at + 1).filter(|other| *other < names.len()),
        };
        let mut spelled = self.spelled.clone();
        if let Some(other) = other {
            spelled.swap(&location.properties(), at, other);
        }
        Ok(Self::of(spelled))
    }

    /// Adds a copy of a card behind it, and returns its pointer.
    ///
    /// # Errors
    ///
    /// [`EditError::UnknownCard`].
    ///
    /// ```
    /// use formalize_schema::editor::SchemaText;
    ///
    /// let schema = SchemaText::new(r#"{"properties": {"a": {"minimum": 1.0}}}"#)?;
    /// let (copied, pointer) = schema.duplicate("/a")?;
    /// assert_eq!(pointer, "/a2");
    /// assert_eq!(copied.text(), r#"{"properties": {"a": {"minimum": 1.0}, "a2": {"minimum": 1.0}}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn duplicate(&self, card: &str) -> Result<(Self, String)> {
        let location = self.placed(card)?;
        let names = self.spelled.names(&location.properties());
        let at = names.iter().position(|name| *name == location.name);
        let name = self.free_name(&location.object, &location.name);
        let mut spelled = self.spelled.clone();
        let copy = New::Raw(self.dedented(&location));
        let next = at.map_or(usize::MAX, |at| at + 1);
        spelled.insert(&location.properties(), next, &name, &copy);
        let required = self.at(&location.required()).and_then(Value::as_array);
        let own = Value::from(location.name.as_str());
        if required.is_some_and(|required| required.contains(&own)) {
            let copied = Location {
                name: name.clone(),
                ..location
            };
            require(&mut spelled, &copied, true);
        }
        let mut tokens = path(card);
        if let Some(last) = tokens.last_mut() {
            *last = name;
        }
        Ok((Self::of(spelled), pointer(&tokens)))
    }

    /// Deletes a card.
    ///
    /// # Errors
    ///
    /// [`EditError::UnknownCard`]; [`EditError::HasDependents`] if other questions are asked depending on its answer.
    ///
    /// ```
    /// use formalize_schema::editor::SchemaText;
    ///
    /// let schema = SchemaText::new(r#"{"properties": {"a": {}, "b": {}}, "required": ["a"]}"#)?;
    /// assert_eq!(schema.delete("/a")?.text(), r#"{"properties": {"b": {}}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn delete(&self, card: &str) -> Result<Self> {
        let location = self.placed(card)?;
        if self.has_dependents(&location) {
            return Err(EditError::HasDependents);
        }
        let mut spelled = self.spelled.clone();
        take_out(&mut spelled, &location);
        Ok(Self::of(spelled))
    }

    fn placed(&self, card: &str) -> Result<Location> {
        let unknown = || EditError::UnknownCard(card.to_owned());
        self.location(card).ok_or_else(unknown)
    }

    /// The location of a card that has fields.
    fn known(&self, card: &str) -> Result<Location> {
        let location = self.placed(card)?;
        let schema = self.at(&location.schema());
        let kind = schema.and_then(|schema| kind_of(schema, location.is_nested()));
        match kind {
            Some(_) => Ok(location),
            None => Err(EditError::WrittenByHand(card.to_owned())),
        }
    }

    pub(super) fn has_dependents(&self, location: &Location) -> bool {
        let entries = self.conditionals();
        let mut depends = entries
            .iter()
            .filter(|entry| entry.condition.question == location.name);
        location.object.is_empty() && depends.next().is_some()
    }

    /// A name for a property that no other one of an object has.
    fn free_name(&self, object: &[String], label: &str) -> String {
        let is_root = self
            .locations()
            .iter()
            .any(|one| !one.is_nested() && one.object == object);
        let taken: HashSet<String> = if object.is_empty() || is_root {
            let locations = self.locations().into_iter();
            locations
                .filter(|one| !one.is_nested())
                .map(|one| one.name)
                .collect()
        } else {
            let names = self.spelled.names(&below(object, ["properties"]));
            names.into_iter().collect()
        };
        let stem = name_of(label);
        let numbered = (2..).map(|number: u32| format!("{stem}{number}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        let free = names.find(|name| !taken.contains(name));
        free.unwrap_or(stem)
    }

    /// The keywords that make a property of a kind. `old` are the choices that stay, as they are written.
    pub(super) fn keywords(
        &self,
        kind: Kind,
        choices: &[ChoiceFields],
        old: Option<(&choices::Choices, &[String])>,
        languages: &[String],
    ) -> Vec<(String, New)> {
        let draft = Draft::of(&self.value);
        let of_type = |name: &str| ("type".to_owned(), New::text(name));
        let format = |name: &str| vec![of_type("string"), ("format".to_owned(), New::text(name))];
        let is_true = || New::Raw("true".to_owned());
        let choice = || {
            let (keyword, values) = choices::written(choices, old, languages, draft.has_const);
            (keyword.to_owned(), values)
        };
        let text = || New::object([("type", New::text("string"))]);
        let group = || {
            let question = New::Object(vec![("question".to_owned(), text())]);
            vec![of_type("object"), ("properties".to_owned(), question)]
        };
        match kind {
            Kind::LongText => vec![
                of_type("string"),
                (
                    "x-form".to_owned(),
                    New::object([("widget", New::text("textarea"))]),
                ),
            ],
            Kind::Email => format("email"),
            Kind::Uri => format("uri"),
            Kind::Date => format("date"),
            Kind::Time => format("time"),
            Kind::DateTime => format("date-time"),
            Kind::Integer => vec![of_type("integer")],
            Kind::Number => vec![of_type("number")],
            Kind::Boolean => vec![of_type("boolean")],
            Kind::Consent if draft.has_const => {
                vec![of_type("boolean"), ("const".to_owned(), is_true())]
            }
            Kind::Consent => vec![
                of_type("boolean"),
                ("enum".to_owned(), New::Array(vec![is_true()])),
            ],
            Kind::Choice => vec![choice()],
            Kind::Choices => vec![
                of_type("array"),
                ("uniqueItems".to_owned(), is_true()),
                ("items".to_owned(), New::Object(vec![choice()])),
            ],
            Kind::Group => group(),
            Kind::List => vec![of_type("array"), ("items".to_owned(), New::Object(group()))],
            _ => vec![of_type("string")],
        }
    }

    /// The schema of a property as it is written, without the indentation of its line.
    pub(super) fn dedented(&self, location: &Location) -> String {
        self.spelled.dedented(&location.schema())
    }
}

fn default_choice() -> ChoiceFields {
    ChoiceFields {
        value: "A".to_owned(),
        labels: vec![String::new()],
    }
}

/// A name for a property, made of the words of a label.
fn name_of(label: &str) -> String {
    /// Longer names are cut off, in characters.
    const MAX: usize = 40;

    let words = label.split(|one: char| !one.is_alphanumeric());
    let mut name = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        let first = letters.next().into_iter();
        if name.is_empty() {
            let is_acronym = word.chars().all(char::is_uppercase);
            name.extend(first.flat_map(char::to_lowercase));
            if is_acronym {
                name.extend(letters.flat_map(char::to_lowercase));
                continue;
            }
        } else {
            name.extend(first.flat_map(char::to_uppercase));
        }
        name.extend(letters);
    }
    let name: String = name.chars().take(MAX).collect();
    if name.is_empty() {
        return "question".to_owned();
    }
    name
}
