//! Evaluates the conditions of reads. The core evaluates those of writes, under the lock of the change.

use poem::{
    Response,
    http::{StatusCode, header},
};

use crate::{
    failure::Refusal,
    request::Conditions,
    tag::{EntityTag, Tags},
};

/// Returns the response to a read, or 304 if the client has the current state.
///
/// # Errors
///
/// A refusal if no tag in `If-Match` matches.
pub fn answer(conditions: &Conditions, response: Response) -> Result<Response, Refusal> {
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

/// Converts a response to 304, without a body and its headers.
fn not_modified(mut response: Response) -> Response {
    response.set_status(StatusCode::NOT_MODIFIED);
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        response.headers_mut().remove(name);
    }
    drop(response.take_body());
    response
}
