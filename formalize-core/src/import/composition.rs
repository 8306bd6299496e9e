//! Data that is put together from values at JSON Pointers.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

/// The maximum number of names in a pointer: more cannot be in data.
const MAX_NAMES: usize = 127;

/// Data in the making.
#[derive(Debug)]
pub(super) enum Composition<'v> {
    /// JSON that is complete.
    Json(Cow<'v, str>),
    Object(Members<'v>),
}

/// The members of an object, in the order in which they were set first.
#[derive(Debug, Default)]
pub(super) struct Members<'v> {
    members: Vec<(Cow<'v, str>, Composition<'v>)>,
    positions: HashMap<Cow<'v, str>, usize>,
}

impl Default for Composition<'_> {
    fn default() -> Self {
        Self::Object(Members::default())
    }
}

impl<'v> Composition<'v> {
    /// Sets the value at a place, with the objects that contain it. Returns whether that is possible: another value may be
    /// there that is complete and would have to contain it.
    pub(super) fn set(
        &mut self,
        names: impl IntoIterator<Item = Cow<'v, str>>,
        json: Cow<'v, str>,
    ) -> bool {
        let mut at = self;
        for name in names {
            let Self::Object(members) = at else {
                return false;
            };
            let Some(member) = members.member(name) else {
                return false;
            };
            at = member;
        }
        *at = Self::Json(json);
        true
    }

    /// The data as JSON.
    pub(super) fn into_json(self) -> String {
        let mut json = String::new();
        self.write(&mut json);
        json
    }

    fn write(&self, to: &mut String) {
        let members = match self {
            Self::Json(json) => return to.push_str(json),
            Self::Object(members) => members,
        };
        to.push('{');
        for (position, (name, value)) in members.members.iter().enumerate() {
            if position > 0 {
                to.push(',');
            }
            to.push_str(&quoted(name));
            to.push(':');
            value.write(to);
        }
        to.push('}');
    }
}

impl<'v> Members<'v> {
    /// The member with a name, which is an empty object if it is new.
    fn member(&mut self, name: Cow<'v, str>) -> Option<&mut Composition<'v>> {
        let next = self.members.len();
        let position = *self.positions.entry(name.clone()).or_insert(next);
        if position == next {
            self.members.push((name, Composition::default()));
        }
        self.members.get_mut(position).map(|(_, value)| value)
    }
}

/// The JSON string for a text.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The names of a JSON Pointer.
///
/// # Errors
///
/// Why the text is not a JSON Pointer to a member of data.
pub(super) fn names(pointer: &str) -> Result<Vec<String>, &'static str> {
    let mut names = pointer.split('/');
    if names.next() != Some("") {
        return Err("is not a JSON Pointer: it must begin with a slash");
    }
    let mut unescaped = Vec::new();
    for name in names {
        ensure!(unescaped.len() < MAX_NAMES, "has too many names");
        unescaped.push(unescape(name)?);
    }
    Ok(unescaped)
}

fn unescape(name: &str) -> Result<String, &'static str> {
    let mut parts = name.split('~');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (letter, rest) = match (part.strip_prefix('0'), part.strip_prefix('1')) {
            (Some(rest), _) => ('~', rest),
            (_, Some(rest)) => ('/', rest),
            _ => return Err("is not a JSON Pointer: `~` must be written as `~0`"),
        };
        text.push(letter);
        text.push_str(rest);
    }
    Ok(text)
}
