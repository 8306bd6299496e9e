//! Conditions on reading. Those on writing are judged by the core, under the lock of the change.

use poem::{
    Response,
    http::{StatusCode, header},
};

use crate::{
    failure::Refusal,
    request::Conditions,
    tag::{EntityTag, Tags},
};

/// The answer to a request to read an item, if it is to be given under these conditions.
///
/// # Errors
///
/// A refusal if the item is in none of the states of `If-Match`.
pub(super) fn answer(conditions: &Conditions, response: Response) -> Result<Response, Refusal> {
    let Some(tag) = response.data::<EntityTag>() else {
        return Ok(response);
    };
    let is_other = |tags: &Tags| !tags.include_strongly(tag);
    if conditions.if_match.as_ref().is_some_and(is_other) {
        return Err(Refusal::precondition_failed(Some(tag.clone())));
    }
    let is_known = conditions
        .if_none_match
        .as_ref()
        .is_some_and(|tags| tags.include_weakly(tag));
    Ok(if is_known {
        not_modified(response)
    } else {
        response
    })
}

/// The answer without what describes its body, and without the body.
fn not_modified(mut response: Response) -> Response {
    response.set_status(StatusCode::NOT_MODIFIED);
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        response.headers_mut().remove(name);
    }
    drop(response.take_body());
    response
}
