//! Reads the fields of a JSON object one by one, and collects their errors.

use std::mem;

use formalize_core::{Change, Error, Field, nearest_name};
use serde_json::{Map, Value};

use crate::request::{BodyField, MemberValue, RequestBody};

/// The maximum number of faults that an answer lists.
pub const MAX_FAULTS: usize = 64;

/// The maximum number of unknown fields for which similar ones are looked up.
const MAX_SUGGESTIONS: usize = 16;

/// A field of a request.
enum Sent<T> {
    /// It is absent, or its value has the wrong type, which was recorded.
    Absent,
    Null,
    Value(T),
}

/// Why a body was refused.
#[derive(Debug)]
pub enum BadBody {
    /// It has unknown fields, or fields of the wrong type.
    Malformed {
        /// The first of them: their names, and a sentence about each.
        faults: Vec<(String, String)>,
        /// The number of others.
        omitted: usize,
    },
    /// Values are missing or invalid: at least one, in the order of the declaration.
    Invalid(Vec<BadValue>),
    /// It was not built, and nothing was recorded: a defect of this program.
    Unexplained,
}

/// Why a value of a body was refused.
#[derive(Debug)]
pub enum BadValue {
    /// The field is required.
    Missing(Field),
    /// The field must have a value, and got null. The value must be this.
    Null(Field, &'static str),
    /// The library refuses the value.
    Refused(Error),
    /// There are more than [`MAX_CHECKS`](crate::check::MAX_CHECKS) checks.
    TooManyChecks,
    /// No file can have these identifiers.
    NoSuchFiles(Vec<String>),
}

/// The fields of a request body that are not read yet, and the errors in the others.
#[derive(Debug)]
pub struct Members {
    declared: &'static [BodyField],
    values: Map<String, Value>,
    /// The first fields of the wrong type: their names, and sentences about them.
    malformed: Vec<(String, String)>,
    /// The number of others.
    omitted: usize,
    refused: Vec<BadValue>,
}

impl Members {
    /// Parses a whole body.
    ///
    /// # Errors
    ///
    /// [`BadBody::Malformed`] if fields are unknown or have the wrong type, otherwise [`BadBody::Invalid`] with all invalid values.
    pub fn read<T: RequestBody>(object: Map<String, Value>) -> Result<T::Value, BadBody> {
        let mut members = Self {
            declared: T::FIELDS,
            values: object,
            malformed: Vec::new(),
            omitted: 0,
            refused: Vec::new(),
        };
        let value = T::take(&mut members).build(&mut members);
        match (members.into_bad_body(), value) {
            (None, Some(value)) => Ok(value),
            (Some(bad), _) => Err(bad),
            (None, None) => Err(BadBody::Unexplained),
        }
    }

    /// Whether a body of this type can have this value. Only for bodies of which no two fields are judged together.
    pub fn accepts<T: RequestBody>(field: Field, value: Value) -> bool {
        let object = Map::from_iter([(field.as_str().to_owned(), value)]);
        match Self::read::<T>(object) {
            Ok(_) => true,
            Err(BadBody::Malformed { .. } | BadBody::Unexplained) => false,
            // The others are missing.
            Err(BadBody::Invalid(values)) => {
                let is_missing =
                    |bad: &BadValue| matches!(bad, BadValue::Missing(other) if *other != field);
                values.iter().all(is_missing)
            }
        }
    }

    /// Takes a field; a value of the wrong type is recorded.
    fn take<V: MemberValue>(&mut self, field: Field) -> Sent<V::Read> {
        match self.values.remove(field.as_str()) {
            None => Sent::Absent,
            Some(Value::Null) => Sent::Null,
            Some(value) => V::read(value).map_or_else(
                || {
                    self.malformed::<V>(field);
                    Sent::Absent
                },
                Sent::Value,
            ),
        }
    }

    /// Records a malformed value at a location within a field, such as `checks/3/action`.
    pub fn malformed_at(&mut self, location: String, must: &str) {
        let sentence = format!("{location} {must}");
        self.note_malformed(location, sentence);
    }

    fn note_malformed(&mut self, location: String, sentence: String) {
        if self.malformed.len() < MAX_FAULTS {
            self.malformed.push((location, sentence));
        } else {
            self.omitted += 1;
        }
    }

    /// Records an unknown field of an object within a field, such as `checks/3/`, which has these fields.
    pub fn unknown_at(&mut self, location: &str, name: &str, known: &[Field]) {
        let looked_up = self.malformed.len() < MAX_SUGGESTIONS;
        let known = known.iter().map(|field| field.as_str());
        let nearest = looked_up.then(|| nearest_name(name, known)).flatten();
        let must = format!("is an unknown field{}", did_you_mean(nearest));
        self.malformed_at(format!("{location}{name}"), &must);
    }

    /// Reads the objects in a field, each with its location, such as `checks/3/`. `None` only if an error was recorded.
    pub(crate) fn objects<T>(
        &mut self,
        field: Field,
        items: Vec<Value>,
        mut read: impl FnMut(&str, Map<String, Value>, &mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        if items.is_empty() {
            self.malformed_at(field.to_string(), "must not be empty");
        }
        let items = items.into_iter().enumerate();
        let items = items.map(|(index, item)| {
            let location = format!("{field}/{index}");
            if let Value::Object(own) = item {
                return read(&format!("{location}/"), own, self);
            }
            self.malformed_at(location, "must be an object");
            None
        });
        // Every object is read, so that all errors are reported.
        let items: Vec<Option<T>> = items.collect();
        items.into_iter().collect()
    }

    /// Whether a malformed value was recorded at a location.
    pub fn has_malformed(&self, location: &str) -> bool {
        self.malformed
            .iter()
            .any(|(recorded, _)| recorded == location)
    }

    /// Records why a value is refused.
    pub fn refuse(&mut self, value: BadValue) {
        self.refused.push(value);
    }

    fn malformed<V: MemberValue>(&mut self, field: Field) {
        let name = field.as_str();
        let sentence = format!("{name} must be {}", V::MUST_BE);
        self.note_malformed(name.to_owned(), sentence);
    }

    /// Takes a required field; null is treated as missing.
    pub fn required<V: MemberValue>(&mut self, field: Field) -> Option<V::Read> {
        let noted_before = self.malformed.len();
        match self.take::<V>(field) {
            Sent::Value(value) => Some(value),
            Sent::Absent if self.malformed.len() > noted_before => None,
            Sent::Absent | Sent::Null => {
                self.refuse(BadValue::Missing(field));
                None
            }
        }
    }

    /// Takes a field that may be absent, but not null.
    pub fn optional<V: MemberValue>(&mut self, field: Field) -> Option<V::Read> {
        match self.take::<V>(field) {
            Sent::Value(value) => Some(value),
            Sent::Absent => None,
            Sent::Null => {
                self.malformed::<V>(field);
                None
            }
        }
    }

    /// Takes a field for which null means the same as absent.
    pub fn nullable<V: MemberValue>(&mut self, field: Field) -> Option<V::Read> {
        match self.take::<V>(field) {
            Sent::Value(value) => Some(value),
            Sent::Absent | Sent::Null => None,
        }
    }

    /// Takes a field of a patch that null clears.
    pub fn change<V: MemberValue>(&mut self, field: Field) -> Change<V::Read> {
        match self.take::<V>(field) {
            Sent::Value(value) => Change::Set(value),
            Sent::Null => Change::Clear,
            Sent::Absent => Change::Keep,
        }
    }

    /// Takes a field of a patch that cannot be cleared: null is invalid.
    pub fn replacement<V: MemberValue>(&mut self, field: Field) -> Option<V::Read> {
        match self.take::<V>(field) {
            Sent::Value(value) => Some(value),
            Sent::Absent => None,
            Sent::Null => {
                self.refuse(BadValue::Null(field, V::MUST_BE));
                None
            }
        }
    }

    /// The converted value; `None` if the core rejected it, which is recorded.
    pub fn accept<T, E: Into<Error>>(&mut self, result: Result<T, E>) -> Option<T> {
        let refused = |error: E| self.refuse(BadValue::Refused(error.into()));
        result.map_err(refused).ok()
    }

    /// The same as [`accept`](Self::accept), for a value that may be absent.
    pub fn accept_some<T, E: Into<Error>>(&mut self, result: Option<Result<T, E>>) -> Option<T> {
        self.accept(result?)
    }

    /// The change with its value converted; [`Change::Keep`] if the core rejected that, which is recorded.
    pub fn accept_change<T, U, E: Into<Error>>(
        &mut self,
        change: Change<T>,
        convert: impl FnOnce(&T) -> Result<U, E>,
    ) -> Change<U> {
        match change {
            Change::Keep => Change::Keep,
            Change::Clear => Change::Clear,
            Change::Set(value) => self
                .accept(convert(&value))
                .map_or(Change::Keep, Change::Set),
        }
    }

    fn into_bad_body(mut self) -> Option<BadBody> {
        for (index, (name, _)) in mem::take(&mut self.values).into_iter().enumerate() {
            let known = self.declared.iter().map(|one| one.field.as_str());
            let looked_up = index < MAX_SUGGESTIONS;
            let nearest = looked_up.then(|| nearest_name(&name, known)).flatten();
            let sentence = format!("unknown field {name:?}{}", did_you_mean(nearest));
            self.note_malformed(name, sentence);
        }
        let mut faults = self.malformed;
        if !faults.is_empty() {
            faults.sort();
            let omitted = self.omitted;
            return Some(BadBody::Malformed { faults, omitted });
        }
        (!self.refused.is_empty()).then_some(BadBody::Invalid(self.refused))
    }
}

/// The end of a sentence about an unknown field.
fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| {
        format!(", did you mean `{nearest}`?")
    })
}
