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
use formalize_http::percent;
use formalize_web::Problems;
use poem::{Response, http::StatusCode};
use route::FormRoute;

use super::{sent::Sent, visit::Visit};

pub(super) use route::ConsoleRoute;

/// Shows a page of the console. If one from before this session was sent, `old` is what was entered on it: nothing of it is done,
/// and the page shows it again.
pub(super) async fn show(
    visit: &Visit,
    route: &ConsoleRoute<'_>,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    match route {
        ConsoleRoute::Home => home::show(visit).await,
        ConsoleRoute::NewForm => editor::show_new(visit, old).await,
        ConsoleRoute::Form(form, route) => show_of_form(visit, form, route, old).await,
        ConsoleRoute::Groups => groups::show(visit, old).await,
        ConsoleRoute::Group(group) => groups::show_one(visit, group, old).await,
        ConsoleRoute::GroupDelete(group) => groups::ask_to_delete(visit, group, old).await,
        ConsoleRoute::Tokens => tokens::show(visit, old).await,
    }
}

async fn show_of_form(
    visit: &Visit,
    form: &str,
    route: &FormRoute<'_>,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    match route {
        FormRoute::Overview => form::show(visit, form).await,
        FormRoute::Edit => editor::show(visit, form, old).await,
        FormRoute::Answers => answers::show(visit, form).await,
        FormRoute::Download => answers::download(visit, form).await,
        FormRoute::DeleteAnswers => answers::ask_to_delete(visit, form, old).await,
        FormRoute::Summary => summary::show(visit, form).await,
        FormRoute::Sharing => sharing::show(visit, form, old).await,
        FormRoute::Links => links::show(visit, form, old).await,
        FormRoute::Link(link) => links::show_one(visit, form, link, old).await,
        FormRoute::Webhooks => webhooks::show(visit, form, old).await,
        FormRoute::Webhook(webhook) => webhooks::show_one(visit, form, webhook, old).await,
        FormRoute::WebhookDelete(webhook) => {
            webhooks::ask_to_delete(visit, form, webhook, old).await
        }
        FormRoute::Delivery(webhook, id) => deliveries::show(visit, form, webhook, id, old).await,
        FormRoute::Settings => settings::show(visit, form, old).await,
        FormRoute::Delete => settings::ask_to_delete(visit, form, old).await,
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

/// The status and the problems of a page that is shown, perhaps again because it is older than the session.
fn opened(old: Option<&Sent>) -> (StatusCode, Problems) {
    match old {
        Some(_) => (StatusCode::FORBIDDEN, Problems::of_old_page()),
        None => (StatusCode::OK, Problems::default()),
    }
}

/// The path of the next page of a list. The cursor is in a parameter.
fn next_page(path: &str, parameter: &str, cursor: Option<&str>) -> Option<String> {
    cursor.map(|cursor| format!("{path}?{parameter}={}", percent::encode(cursor)))
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
