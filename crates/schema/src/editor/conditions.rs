//! Conditional questions, which are asked only for certain answers to another question.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::choices::{choices_of, is_number, text_of};
use super::known::{Draft, drives, kind_of};
use super::reading::Location;
use super::spelled::{New, Spelled};
use super::{CardCondition, CardFields, EditError, SchemaText, below};
use crate::questions::QuestionKind as Kind;

type Result<T, E = EditError> = std::result::Result<T, E>;

/// The most answers that a condition can have. An entry with more is written by hand.
const MAX_ANSWERS: usize = 100;

/// An entry of `allOf` with questions for certain answers.
#[derive(Debug, Clone)]
pub(super) struct Conditional {
    pub(super) index: usize,
    pub(super) condition: Arc<CardCondition>,
}

/// A question at the root on which others can depend.
#[derive(Debug, Clone, Copy)]
struct Driver {
    kind: Kind,
    are_numbers: bool,
}

impl Driver {
    fn of(schema: &Value) -> Option<Self> {
        let kind = kind_of(schema, false).filter(|kind| drives(*kind))?;
        let choices = choices_of(schema.as_object()?, &[]);
        Some(Self {
            kind,
            are_numbers: choices.is_some_and(|choices| choices.are_numbers),
        })
    }
}

/// The questions at the root on which others can depend. Each one is judged once, since it may have many choices.
struct Drivers<'v> {
    root: &'v Map<String, Value>,
    known: HashMap<&'v str, Option<Driver>>,
}

impl<'v> Drivers<'v> {
    fn find(&mut self, question: &'v str) -> Option<Driver> {
        let root = self.root;
        let judge = || Driver::of(root.get(question)?);
        *self.known.entry(question).or_insert_with(judge)
    }
}

impl Conditional {
    /// The path of the schema that applies.
    pub(super) fn then(&self) -> Vec<String> {
        below(&[], ["allOf", &self.index.to_string(), "then"])
    }
}

impl SchemaText {
    /// Whether questions can depend on answers to others.
    ///
    /// ```
    /// use formalize_schema::editor::SchemaText;
    ///
    /// assert!(SchemaText::new("{}")?.takes_conditions());
    /// assert!(!SchemaText::new(r#"{"additionalProperties": false}"#)?.takes_conditions());
    /// # Ok::<(), formalize_schema::Rejection>(())
    /// ```
    pub fn takes_conditions(&self) -> bool {
        let others = self.value.get("additionalProperties");
        let entries = self.value.get("allOf");
        self.has_properties()
            && Draft::of(&self.value).has_if
            && self.value.get("$ref").is_none()
            && others.is_none_or(|others| others == &Value::Bool(true))
            && entries.is_none_or(Value::is_array)
    }

    /// The entries of `allOf` that the editor knows.
    pub(super) fn conditionals(&self) -> Vec<Conditional> {
        let entries = self.value.get("allOf").and_then(Value::as_array);
        if !self.takes_conditions() {
            return Vec::new();
        }
        let root = self.value.get("properties").and_then(Value::as_object);
        let (Some(root), Some(entries)) = (root, entries) else {
            return Vec::new();
        };
        let mut taken: BTreeSet<&String> = root.keys().collect();
        let known = HashMap::new();
        let mut drivers = Drivers { root, known };
        let mut found = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let Some((condition, names)) = conditional(entry, &mut drivers) else {
                continue;
            };
            if names.iter().any(|name| taken.contains(name)) {
                continue;
            }
            taken.extend(names);
            let condition = Arc::new(condition);
            found.push(Conditional { index, condition });
        }
        found
    }

    /// Moves a property below another condition, or to the root.
    pub(super) fn under_condition(&self, location: &Location, fields: &CardFields) -> Result<Self> {
        if location.is_nested() {
            return Err(EditError::WrittenByHand(location.name.clone()));
        }
        if fields.condition.is_some() && self.has_dependents(location) {
            return Err(EditError::HasDependents);
        }
        let value = New::Raw(self.dedented(location));
        let mut spelled = self.spelled.clone();
        let mut moved = Location {
            object: Vec::new(),
            condition: fields.condition.clone().map(Arc::new),
            ..location.clone()
        };
        match &fields.condition {
            None => {
                take_out(&mut spelled, location);
                let names = spelled.names(&moved.properties());
                let old = location.condition.as_ref();
                let driver =
                    old.and_then(|old| names.iter().position(|name| *name == old.question));
                let next = driver.map_or(usize::MAX, |driver| driver + 1);
                spelled.insert(&moved.properties(), next, &location.name, &value);
            }
            Some(condition) => {
                let test = self.test(condition)?;
                take_out(&mut spelled, location);
                let entries = Self::of(spelled.clone()).conditionals();
                let same = entries.iter().find(|entry| *entry.condition == *condition);
                let Some(entry) = same else {
                    let required = New::Array(vec![New::text(&location.name)]);
                    let mut then = vec![(
                        "properties".to_owned(),
                        New::Object(vec![(location.name.clone(), value)]),
                    )];
                    then.extend(
                        fields
                            .is_required
                            .then_some(("required".to_owned(), required)),
                    );
                    let entry = New::object([("if", test), ("then", New::Object(then))]);
                    let all = below(&[], ["allOf"]);
                    if spelled.find(&all).is_some() {
                        spelled.insert(&all, usize::MAX, "", &entry);
                    } else {
                        spelled.set(&all, &New::Array(vec![entry]));
                    }
                    return Ok(Self::of(spelled));
                };
                moved.object = entry.then();
                spelled.insert(&moved.properties(), usize::MAX, &location.name, &value);
            }
        }
        if fields.is_required {
            require(&mut spelled, &moved, true);
        }
        Ok(Self::of(spelled))
    }

    /// The schema of a condition.
    fn test(&self, condition: &CardCondition) -> Result<New> {
        let no_driver = || EditError::NotADriver(condition.question.clone());
        if !self.takes_conditions() {
            return Err(EditError::NoConditions);
        }
        let driver = below(&[], ["properties", &condition.question]);
        let kind = self.at(&driver).and_then(|schema| kind_of(schema, false));
        let kind = kind.filter(|kind| drives(*kind)).ok_or_else(no_driver)?;
        let are_numbers = self
            .choices(&driver, &[])
            .is_some_and(|choices| choices.are_numbers);
        let answer = |answer: &String| match kind {
            Kind::Choice if are_numbers => is_number(answer).then(|| New::Raw(answer.clone())),
            Kind::Choice => Some(New::text(answer)),
            _ => matches!(answer.as_str(), "true" | "false").then(|| New::Raw(answer.clone())),
        };
        let answers: Option<Vec<New>> = condition.answers.iter().map(answer).collect();
        let mut answers = answers.ok_or_else(no_driver)?;
        let answer = match (answers.pop(), answers.is_empty()) {
            (Some(only), true) => ("const", only),
            (Some(last), false) => {
                answers.push(last);
                ("enum", New::Array(answers))
            }
            (None, _) => return Err(no_driver()),
        };
        let tested = New::Object(vec![(condition.question.clone(), New::object([answer]))]);
        let required = New::Array(vec![New::text(&condition.question)]);
        Ok(New::object([
            ("properties", tested),
            ("required", required),
        ]))
    }
}

/// Removes a property, and what is empty then.
pub(super) fn take_out(spelled: &mut Spelled, location: &Location) {
    require(spelled, location, false);
    spelled.remove(&location.schema());
    if location.condition.is_some() && spelled.elements(&location.properties()).is_empty() {
        let entry = location
            .object
            .split_last()
            .map(|(_, entry)| entry.to_vec());
        spelled.remove(&entry.unwrap_or_default());
        let all = below(&[], ["allOf"]);
        if spelled.elements(&all).is_empty() {
            spelled.remove(&all);
        }
    }
}

/// Makes an answer required, or not.
pub(super) fn require(spelled: &mut Spelled, location: &Location, is_required: bool) {
    let path = location.required();
    let elements = spelled.elements(&path);
    let is_name = |at: usize| {
        let raw = spelled.raw(&below(&path, [&at.to_string()]));
        let name = raw.and_then(|raw| serde_json::from_str::<String>(raw).ok());
        name.as_deref() == Some(&location.name)
    };
    let known = (0..elements.len()).find(|at| is_name(*at));
    match known {
        None if is_required && spelled.find(&path).is_some() => {
            spelled.insert(&path, usize::MAX, "", &New::text(&location.name));
        }
        None if is_required => {
            spelled.set(&path, &New::Array(vec![New::text(&location.name)]));
        }
        // The oldest draft allows no empty list.
        Some(_) if !is_required && elements.len() == 1 => spelled.remove(&path),
        Some(at) if !is_required => spelled.remove(&below(&path, [&at.to_string()])),
        _ => {}
    }
}

/// The condition of an entry of `allOf`, and the names of the properties that it adds.
fn conditional<'v>(
    entry: &'v Value,
    drivers: &mut Drivers<'v>,
) -> Option<(CardCondition, Vec<&'v String>)> {
    let only = |value: &'v Value, keys: &[&str]| -> Option<&'v Map<String, Value>> {
        let members = value.as_object()?;
        let is_known = members.keys().all(|key| keys.contains(&key.as_str()));
        is_known.then_some(members)
    };
    let entry = only(entry, &["if", "then"])?;
    let test = only(entry.get("if")?, &["properties", "required"])?;
    let then = only(entry.get("then")?, &["properties", "required"])?;
    let tested = test.get("properties")?.as_object()?;
    let (question, answer) = tested.iter().next().filter(|_| tested.len() == 1)?;
    let names = test.get("required")?.as_array()?;
    if !matches!(names.as_slice(), [name] if name == question.as_str()) {
        return None;
    }
    let Driver { kind, are_numbers } = drivers.find(question)?;
    let answer = only(answer, &["const", "enum"])?;
    let answers = match (answer.get("const"), answer.get("enum")) {
        (Some(only), None) => vec![only],
        (None, Some(Value::Array(several))) if !several.is_empty() => several.iter().collect(),
        _ => return None,
    };
    let fits = |answer: &&Value| match kind {
        Kind::Choice if are_numbers => answer.is_number(),
        Kind::Choice => answer.is_string(),
        _ => answer.is_boolean(),
    };
    let names: Vec<&String> = then.get("properties")?.as_object()?.keys().collect();
    let required = then.get("required").map(|required| required.as_array());
    let required = required.map_or(Some(&[][..]), |names| names.map(Vec::as_slice))?;
    let own: HashSet<&str> = names.iter().map(|name| name.as_str()).collect();
    let is_own = |name: &Value| name.as_str().is_some_and(|name| own.contains(name));
    if names.is_empty()
        || answers.len() > MAX_ANSWERS
        || !required.iter().all(is_own)
        || !answers.iter().all(fits)
    {
        return None;
    }
    let condition = CardCondition {
        question: question.clone(),
        answers: answers.into_iter().map(text_of).collect(),
    };
    Some((condition, names))
}
