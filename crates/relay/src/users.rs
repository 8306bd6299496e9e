//! The user of the client.

use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_http::percent;
use poem::{Response, http::StatusCode};
use serde::Serialize;

use crate::{
    hydra::{Item, item},
    request::Visit,
};

#[derive(Debug, Serialize)]
struct User {
    identifier: String,
    /// The client asks for roles. None has a meaning here.
    roles: [&'static str; 0],
}

/// The caller. Nobody else is found.
pub(crate) fn get(visit: &Visit) -> Result<Response, Refusal> {
    let identifier = visit.subject();
    let own = visit.caller.user_id();
    if own.is_none_or(|own| own.as_str() != identifier) {
        return Err(Refusal::is(ErrorKey::RouteNotFound));
    }
    let user = Item::new(
        format!("/frontend/users/{}", percent::encode(identifier)),
        "FrontendUser",
        User {
            identifier: identifier.to_owned(),
            roles: [],
        },
    );
    Ok(item(StatusCode::OK, &visit.shared.base_url, user, None))
}
