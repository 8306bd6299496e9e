//! The console: pages on which people look after forms, answers, groups and tokens.

mod editor;
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
        ConsoleRoute::NewForm => editor::show_new(visit).await,
        ConsoleRoute::Form(form, FormRoute::Edit) => editor::show(visit, form).await,
        ConsoleRoute::Form(form, FormRoute::Overview) => form::show(visit, form).await,
    }
}

/// Does what a page of the console asks for. The request has a valid token.
pub(super) async fn post(
    visit: &Visit,
    route: &ConsoleRoute<'_>,
    sent: &Sent,
) -> Result<Response, Refusal> {
    match route {
        ConsoleRoute::NewForm => editor::send_new(visit, sent).await,
        ConsoleRoute::Form(form, FormRoute::Edit) => editor::send(visit, form, sent).await,
        ConsoleRoute::Home | ConsoleRoute::Form(_, FormRoute::Overview) => {
            Err(Refusal::is(ErrorKey::RouteNotFound))
        }
    }
}

/// Answers a request whose token is not valid: the page is older than the session. What was entered is shown again where
/// much of it would be lost.
pub(super) async fn refuse(
    visit: &Visit,
    route: &ConsoleRoute<'_>,
    sent: &Sent,
) -> Result<Response, Refusal> {
    match route {
        ConsoleRoute::NewForm => editor::show_again(visit, None, sent).await,
        ConsoleRoute::Form(form, FormRoute::Edit) => {
            editor::show_again(visit, Some(form), sent).await
        }
        _ => Err(Refusal::is(ErrorKey::Forbidden)),
    }
}
