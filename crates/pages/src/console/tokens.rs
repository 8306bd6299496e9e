//! The page with the sessions and API tokens of a person.

use std::time::Duration;

use formalize_core::{
    Error, Field,
    tokens::{ApiToken, NewOwnToken, Secret, TokenId, TokenKind, TokenLabel},
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_web::{Problems, TokenRow, TokensPage};
use poem::{Response, http::StatusCode};

use super::{
    super::{sent::Sent, visit::Visit},
    next_page, opened,
};

const PATH: &str = "/console/tokens";

/// The page with the sessions and API tokens of the reader.
pub(super) async fn show(visit: &Visit, old: Option<&Sent>) -> Result<Response, Refusal> {
    let (status, problems) = opened(old);
    let own = |name| old.and_then(|sent| sent.own(name)).map(str::to_owned);
    let said = TokensPage {
        label: own(Field::Label.as_str()).unwrap_or_default(),
        days: own("days"),
        problems,
        ..TokensPage::default()
    };
    page(visit, status, said).await
}

/// Creates or revokes a token. The secret of a new one is on the page in the response, and nowhere else.
pub(super) async fn change(visit: &Visit, sent: &Sent) -> Result<Response, Refusal> {
    let button = sent.own("do").unwrap_or_default();
    match button.split_once(':') {
        None if button == "create" => create(visit, sent).await,
        Some(("revoke", id)) => revoke(visit, id).await,
        _ => Err(Refusal::is(ErrorKey::InvalidRequestBody)),
    }
}

async fn create(visit: &Visit, sent: &Sent) -> Result<Response, Refusal> {
    let text = sent.own(Field::Label.as_str()).unwrap_or_default().trim();
    let label = Some(text).filter(|text| !text.is_empty());
    let Ok(label) = label.map(TokenLabel::new).transpose() else {
        let refused = TokensPage {
            label: text.to_owned(),
            days: sent.own("days").map(str::to_owned),
            problems: Problems::of_fields([Field::Label]),
            ..TokensPage::default()
        };
        return page(visit, StatusCode::UNPROCESSABLE_ENTITY, refused).await;
    };
    let days = sent.own("days").and_then(|days| days.parse::<u64>().ok());
    let days = days.ok_or_else(|| Refusal::is(ErrorKey::InvalidRequestBody))?;
    let lifetime = Duration::from_secs(days.saturating_mul(24 * 60 * 60));
    let new = NewOwnToken { label, lifetime };
    let tokens = visit.formalize().tokens();
    let session = visit.session.as_ref();
    let session = session.ok_or_else(|| Refusal::is(ErrorKey::Forbidden))?;
    let (_, secret) = tokens.create_own(session, new).await?;
    let created = TokensPage {
        created: Some(Secret::expose(&secret).to_owned()),
        ..TokensPage::default()
    };
    page(visit, StatusCode::OK, created).await
}

async fn revoke(visit: &Visit, id: &str) -> Result<Response, Refusal> {
    let tokens = visit.formalize().tokens();
    let revoked = match id.parse::<TokenId>() {
        Ok(id) => tokens.revoke_own(visit.caller()?, id).await,
        Err(_) => Err(Error::TokenNotFound),
    };
    match revoked {
        Ok(()) => Ok(visit.redirect(PATH)),
        Err(error @ Error::TokenNotFound) => {
            let refused = TokensPage {
                problems: Problems::of(&error),
                ..TokensPage::default()
            };
            page(visit, StatusCode::UNPROCESSABLE_ENTITY, refused).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The page, with what it says besides the list.
async fn page(visit: &Visit, status: StatusCode, said: TokensPage) -> Result<Response, Refusal> {
    let request = visit.page_request("cursor", None);
    let (caller, tokens) = (visit.caller()?, visit.formalize().tokens());
    let own = tokens.list_own(caller, &request).await?;
    let page = TokensPage {
        tokens: own.items.iter().map(|token| row(visit, token)).collect(),
        next: next_page(PATH, "cursor", own.next.as_deref()),
        token: visit.token(PATH),
        may_create: tokens.may_create_own(caller),
        ..said
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

fn row(visit: &Visit, token: &ApiToken) -> TokenRow {
    let time = |time| visit.time(time);
    let own = visit.session.as_ref().map(|session| session.id);
    TokenRow {
        id: token.id.to_string(),
        label: token.label.as_ref().map(|label| label.as_str().to_owned()),
        is_session: token.kind != TokenKind::Api,
        is_own: own == Some(token.id),
        created: time(token.date_created),
        used: token.date_last_used.map(time),
        expires: token.date_expires.map(time),
    }
}
