//! What the client asks of a directory of people, organizations, courses and rooms. The service has none: the name of a person is
//! the identifier, and all lists are empty.

use poem::{Response, http::StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    hydra::{Item, head, item, response, tail},
    request::Visit,
};
use crate::{failure::Refusal, percent};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Person {
    identifier: String,
    given_name: &'static str,
    family_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    local_data: Option<Map<String, Value>>,
}

/// A person. Every identifier is found: without a person, the client hides the state and the files of a submission.
pub(super) fn person(visit: &Visit) -> Response {
    let identifier = visit.subject();
    let local_data = visit.query.text("includeLocal").map(|names| {
        let names = names.split(',').filter(|name| !name.is_empty());
        names.map(|name| (name.to_owned(), Value::Null)).collect()
    });
    let person = Item {
        context: None,
        id: format!("/base/people/{}", percent::encode(identifier)),
        kind: "Person",
        members: Person {
            identifier: identifier.to_owned(),
            given_name: "",
            family_name: identifier.to_owned(),
            local_data,
        },
    };
    item(StatusCode::OK, &visit.shared.base_url, person, None)
}

/// A list. A search for people finds nobody, so that a mistyped identifier does not look like a person.
pub(super) fn list(visit: &Visit) -> Result<Response, Refusal> {
    let (page, _) = visit.query.page()?;
    let (base_url, target) = (&visit.shared.base_url, &visit.target);
    let body = head(base_url, target) + &tail(target, page, false);
    Ok(response(StatusCode::OK, body))
}
