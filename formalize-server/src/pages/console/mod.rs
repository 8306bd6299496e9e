//! The console: pages on which people look after forms, answers, groups and tokens.

mod form;
mod home;
mod route;

use poem::Response;

use super::{sent::Sent, visit::Visit};
use crate::{contract::ErrorKey, failure::Refusal};

pub(super) use route::ConsoleRoute;
use route::FormRoute;

/// Shows a page of the console.
pub(super) async fn get(visit: &Visit, route: &ConsoleRoute<'_>) -> Result<Response, Refusal> {
    match route {
        ConsoleRoute::Home => home::show(visit).await,
        ConsoleRoute::Form(form, FormRoute::Overview) => form::show(visit, form).await,
    }
}

/// Does what a page of the console asks for. The request has a valid token.
#[expect(clippy::unused_async, reason = "no page has a form yet")]
pub(super) async fn post(
    _visit: &Visit,
    route: &ConsoleRoute<'_>,
    _sent: &Sent,
) -> Result<Response, Refusal> {
    match route {
        ConsoleRoute::Home | ConsoleRoute::Form(_, FormRoute::Overview) => {
            Err(Refusal::is(ErrorKey::RouteNotFound))
        }
    }
}
