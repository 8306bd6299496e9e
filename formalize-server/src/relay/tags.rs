//! Tags of forms and submissions.

use serde_json::{Map, Value};

use super::errors::InvalidJson;
use crate::{contract::ErrorKey, failure::Refusal};

/// What submitters may do with tags, as a number: they may see them.
const READ: u8 = 1;

/// The tags that a form offers.
pub(super) const fn available() -> Vec<Value> {
    Vec::new()
}

/// What submitters to a form may do with tags, as a number.
pub(super) const fn permissions() -> u8 {
    READ
}

/// The tags of a submission.
pub(super) const fn of_submission() -> &'static [&'static str] {
    &[]
}

/// The actions on the tags of a submission, under their names here.
pub(super) const fn granted() -> &'static [&'static str] {
    &[]
}

/// Takes the members about tags out of the body of a form.
pub(super) fn take_from_form(object: &mut Map<String, Value>) {
    for member in ["availableTags", "tagPermissionsForSubmitters"] {
        object.remove(member);
    }
}

/// Reads the text of a field: a JSON array of strings, or null for none.
///
/// # Errors
///
/// A refusal if it is something else.
pub(super) fn read(text: &str) -> Result<Vec<String>, Refusal> {
    let tags: Result<Option<Vec<String>>, _> = serde_json::from_str(text);
    let tags = tags.map_err(|_| {
        Refusal::is(ErrorKey::InvalidRequestBody)
            .naming(vec!["tags".to_owned()])
            .saying("tags must be a JSON array of strings, or null")
            .caused_by(InvalidJson)
    })?;
    Ok(tags.unwrap_or_default())
}
