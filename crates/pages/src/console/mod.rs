//! The console: pages on which people look after forms, answers, groups and tokens.

mod answers;
mod deliveries;
mod editor;
mod entered;
mod form;
mod groups;
mod home;
mod links;
mod reach;
mod rights;
mod route;
mod settings;
mod sharing;
mod summary;
mod tokens;
mod webhooks;
mod why;

use formalize_core::{Error, Revision};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use poem::{Response, http::StatusCode};
use route::FormRoute;

use super::{sent::Sent, visit::Visit};

pub(super) use route::ConsoleRoute;

/// Shows a page of the console.
pub(super) async fn get(visit: &Visit, route: &ConsoleRoute<'_>) -> Result<Response, Refusal> {
    match route {
        ConsoleRoute::Home => home::show(visit).await,
        ConsoleRoute::NewForm => editor::show_new(visit).await,
        ConsoleRoute::Form(form, route) => get_of_form(visit, form, route).await,
        ConsoleRoute::Groups => groups::show(visit).await,
        ConsoleRoute::Group(group) => groups::show_one(visit, group).await,
        ConsoleRoute::GroupDelete(group) => groups::ask_to_delete(visit, group).await,
        ConsoleRoute::Tokens => tokens::show(visit).await,
    }
}

async fn get_of_form(
    visit: &Visit,
    form: &str,
    route: &FormRoute<'_>,
) -> Result<Response, Refusal> {
    match route {
        FormRoute::Overview => form::show(visit, form).await,
        FormRoute::Edit => editor::show(visit, form).await,
        FormRoute::Answers => answers::show(visit, form).await,
        FormRoute::Download => answers::download(visit, form).await,
        FormRoute::DeleteAnswers => answers::ask_to_delete(visit, form).await,
        FormRoute::Summary => summary::show(visit, form).await,
        FormRoute::Sharing => sharing::show(visit, form).await,
        FormRoute::Links => links::show(visit, form).await,
        FormRoute::Link(link) => links::show_one(visit, form, link).await,
        FormRoute::Webhooks => webhooks::show(visit, form).await,
        FormRoute::Webhook(webhook) => webhooks::show_one(visit, form, webhook).await,
        FormRoute::WebhookDelete(webhook) => webhooks::ask_to_delete(visit, form, webhook).await,
        FormRoute::Delivery(webhook, id) => deliveries::show(visit, form, webhook, id).await,
        FormRoute::Settings => settings::show(visit, form).await,
        FormRoute::Delete => settings::ask_to_delete(visit, form).await,
    }
}

/// Does what a page of the console asks for. The request has a valid token.
pub(super) async fn post(
    visit: &Visit,
    route: &ConsoleRoute<'_>,
    sent: &Sent,
) -> Result<Response, Refusal> {
    match route {
        ConsoleRoute::Home => Err(Refusal::is(ErrorKey::RouteNotFound)),
        ConsoleRoute::NewForm => editor::send_new(visit, sent).await,
        ConsoleRoute::Form(form, route) => post_of_form(visit, form, route, sent).await,
        ConsoleRoute::Groups => groups::create(visit, sent).await,
        ConsoleRoute::Group(group) => groups::change(visit, group, sent).await,
        ConsoleRoute::GroupDelete(group) => groups::delete(visit, group).await,
        ConsoleRoute::Tokens => tokens::change(visit, sent).await,
    }
}

async fn post_of_form(
    visit: &Visit,
    form: &str,
    route: &FormRoute<'_>,
    sent: &Sent,
) -> Result<Response, Refusal> {
    match route {
        FormRoute::Overview | FormRoute::Answers | FormRoute::Download | FormRoute::Summary => {
            Err(Refusal::is(ErrorKey::RouteNotFound))
        }
        FormRoute::Edit => editor::send(visit, form, sent).await,
        FormRoute::DeleteAnswers => answers::delete(visit, form, sent).await,
        FormRoute::Sharing => sharing::change(visit, form, sent).await,
        FormRoute::Links => links::create(visit, form, sent).await,
        FormRoute::Link(link) => links::change(visit, form, link, sent).await,
        FormRoute::Webhooks => webhooks::create(visit, form, sent).await,
        FormRoute::Webhook(webhook) => webhooks::change(visit, form, webhook, sent).await,
        FormRoute::WebhookDelete(webhook) => webhooks::delete(visit, form, webhook).await,
        FormRoute::Delivery(webhook, id) => {
            deliveries::send_again(visit, form, webhook, id, sent).await
        }
        FormRoute::Settings => settings::save(visit, form, sent).await,
        FormRoute::Delete => settings::delete(visit, form, sent).await,
    }
}

/// Answers a request whose token is not valid: the page is older than the session. Nothing is done, and what was entered is
/// shown again.
pub(super) async fn refuse(
    visit: &Visit,
    route: &ConsoleRoute<'_>,
    sent: &Sent,
) -> Result<Response, Refusal> {
    match route {
        ConsoleRoute::NewForm => editor::show_again(visit, None, sent).await,
        ConsoleRoute::Form(form, route) => refuse_of_form(visit, form, route, sent).await,
        ConsoleRoute::Groups => groups::show_again(visit, sent).await,
        ConsoleRoute::Group(group) => groups::show_one_again(visit, group, sent).await,
        ConsoleRoute::GroupDelete(group) => groups::ask_again_to_delete(visit, group).await,
        ConsoleRoute::Tokens => tokens::show_again(visit, sent).await,
        ConsoleRoute::Home => Err(Refusal::is(ErrorKey::Forbidden)),
    }
}

async fn refuse_of_form(
    visit: &Visit,
    form: &str,
    route: &FormRoute<'_>,
    sent: &Sent,
) -> Result<Response, Refusal> {
    match route {
        FormRoute::Edit => editor::show_again(visit, Some(form), sent).await,
        FormRoute::DeleteAnswers => answers::ask_again_to_delete(visit, form).await,
        FormRoute::Sharing => sharing::show_again(visit, form, sent).await,
        FormRoute::Links => links::show_again(visit, form, sent).await,
        FormRoute::Link(link) => links::show_one_again(visit, form, link, sent).await,
        FormRoute::Webhooks => webhooks::show_again(visit, form, sent).await,
        FormRoute::Webhook(webhook) => webhooks::show_one_again(visit, form, webhook, sent).await,
        FormRoute::WebhookDelete(webhook) => {
            webhooks::ask_again_to_delete(visit, form, webhook).await
        }
        FormRoute::Delivery(webhook, id) => deliveries::show_again(visit, form, webhook, id).await,
        FormRoute::Settings => settings::show_again(visit, form, sent).await,
        FormRoute::Delete => settings::ask_again_to_delete(visit, form).await,
        FormRoute::Overview | FormRoute::Answers | FormRoute::Download | FormRoute::Summary => {
            Err(Refusal::is(ErrorKey::Forbidden))
        }
    }
}

/// The revision for a page that shows what was entered again because of an error: that on which it is based. After a
/// conflict it is the stored one, because the page then shows both, and saving again replaces that.
fn shown_revision(error: &Error, sent: &Sent, stored: Revision) -> Revision {
    match error {
        Error::RevisionMismatch => stored,
        _ => sent.revision().unwrap_or(stored),
    }
}

/// The status of a page that shows what was entered again because of an error.
fn status_of(error: Error) -> StatusCode {
    match Refusal::from(error).reported(None) {
        StatusCode::BAD_REQUEST => StatusCode::UNPROCESSABLE_ENTITY,
        status => status,
    }
}
