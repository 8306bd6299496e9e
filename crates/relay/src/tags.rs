//! Tags of forms and submissions.

use formalize_core::{
    Submission, Viewed,
    forms::{TagAction, TagActions, TagPermissions},
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use serde_json::{Map, Value, json};

use crate::{
    errors::InvalidJson,
    request::{invalid_member, malformed},
};

/// What submitters to a form may do with tags, as a number from 0 to 3.
pub(crate) fn permissions(permissions: TagPermissions) -> usize {
    permissions.actions().iter().count()
}

/// The tags of a submission. Hidden ones are none, because the client needs the member.
pub(crate) fn of_submission(view: &Viewed<Submission>) -> Vec<String> {
    view.item.tags.iter().map(str::to_owned).collect()
}

/// The actions on the tags of a submission, under their names here.
pub(crate) fn granted(actions: TagActions) -> impl Iterator<Item = &'static str> {
    actions.iter().map(|action| match action {
        TagAction::Read => "read_tags",
        TagAction::Add => "add_tags",
        TagAction::Remove => "remove_tags",
    })
}

/// The members about tags of the body of a form, with the types that the REST interface has.
///
/// # Errors
///
/// A refusal if the permissions are no number from 0 to 3.
pub(crate) fn of_form(
    sent: &mut Map<String, Value>,
    object: &mut Map<String, Value>,
) -> Result<(), Refusal> {
    let (available, permissions) = ("availableTags", "tagPermissionsForSubmitters");
    if let Some(tags) = sent.remove(available).filter(|tags| !tags.is_null()) {
        object.insert(available.to_owned(), tags);
    }
    if let Some(number) = sent.remove(permissions).filter(|number| !number.is_null()) {
        let must_be = "0, 1, 2 or 3";
        let number = number
            .as_f64()
            .ok_or_else(|| malformed(permissions, must_be))?;
        let found = match number {
            0.0 => TagPermissions::Hidden,
            1.0 => TagPermissions::Read,
            2.0 => TagPermissions::Add,
            3.0 => TagPermissions::Remove,
            _ => return Err(invalid_member(permissions, must_be)),
        };
        let words: Vec<&str> = found.actions().iter().map(TagAction::as_str).collect();
        object.insert(permissions.to_owned(), json!(words));
    }
    Ok(())
}

/// Reads the text of a field: a JSON array of strings, or null for none.
///
/// # Errors
///
/// A refusal if it is something else.
pub(crate) fn read(text: &str) -> Result<Vec<String>, Refusal> {
    let tags: Result<Option<Vec<String>>, _> = serde_json::from_str(text);
    let tags = tags.map_err(|_| {
        Refusal::is(ErrorKey::InvalidRequestBody)
            .about("tags", "must be a JSON array of strings, or null")
            .caused_by(InvalidJson)
    })?;
    Ok(tags.unwrap_or_default())
}
