//! Signing in and out.

use formalize_core::{Caller, tokens::Secret};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_http::percent;
use formalize_web::{FirstSignInPage, SignInPage};
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::{destination::destination, sent::Sent, visit::Visit};

/// Where people go after they have signed in, unless they came from a page.
pub(super) const START: &str = "/console";

/// The page after signing out, if people may want to sign out of an identity provider, too.
const SIGNED_OUT: &str = "/sign-in?signed-out=1";

/// The page on which people sign in.
pub(super) fn show(visit: &Visit) -> Response {
    let destination = visit.parameter("return").and_then(destination);
    match visit.session {
        Some(_) => visit.redirect(destination.unwrap_or(START)),
        None => page(visit, destination, false),
    }
}

/// The API token with which somebody signs in.
pub(super) fn token(sent: &Sent) -> &str {
    sent.own("secret").unwrap_or_default().trim()
}

/// Signs in with an API token.
pub(super) async fn by_token(visit: &Visit, sent: &Sent) -> Result<Response, Refusal> {
    if !visit.site.takes_tokens {
        return Err(Refusal::is(ErrorKey::RouteNotFound));
    }
    let secret = token(sent);
    let destination = sent.own("return").and_then(destination);
    match visit.site.begin_session_with(secret).await? {
        Some(secret) => Ok(signed_in(visit, &secret, destination.unwrap_or(START))),
        None => Ok(page(visit, destination, true)),
    }
}

/// The page on which the first administrator signs in. Programs that look at links in advance do not use up the code, since
/// they press no buttons.
pub(super) fn show_first(visit: &Visit, code: &str) -> Result<Response, Refusal> {
    if !visit.site.knows_code(code) {
        return Err(Refusal::is(ErrorKey::RouteNotFound));
    }
    Ok(visit.html(StatusCode::OK, FirstSignInPage.render(&visit.shell())))
}

/// Signs in the first administrator.
pub(super) async fn first(visit: &Visit, code: &str) -> Result<Response, Refusal> {
    let user = visit.site.take_code(code);
    let user = user.ok_or_else(|| Refusal::is(ErrorKey::RouteNotFound))?;
    begin(visit, Caller::user(user), START).await
}

/// Signs out.
pub(super) async fn out(visit: &Visit, secret: Option<&str>) -> Result<Response, Refusal> {
    if let Some(secret) = secret {
        visit.formalize().sessions().end(secret).await?;
    }
    let issuers = visit.site.issuers.as_ref();
    let offers_more = issuers.is_some_and(|issuers| issuers.sign_outs().next().is_some());
    let path = if offers_more { SIGNED_OUT } else { "/sign-in" };
    Ok(with_cookie(
        visit.redirect(path),
        &visit.site.cookie.clear(),
    ))
}

fn page(visit: &Visit, destination: Option<&str>, is_wrong: bool) -> Response {
    let issuers = visit.site.issuers.as_ref();
    let query = destination.map(|address| format!("?return={}", percent::encode(address)));
    let query = query.unwrap_or_default();
    let providers = issuers.map(|issuers| {
        let providers = issuers.providers();
        let link = |(number, label): (usize, &str)| {
            (label.to_owned(), format!("/sign-in/oidc/{number}{query}"))
        };
        providers.map(link).collect::<Vec<_>>()
    });
    let has_signed_out = visit.parameter("signed-out").is_some();
    let sign_outs = issuers.filter(|_| has_signed_out);
    let sign_outs = sign_outs.map(|issuers| issuers.sign_outs().collect::<Vec<_>>());
    let page = SignInPage {
        takes_tokens: visit.site.takes_tokens,
        is_wrong,
        providers: &providers.unwrap_or_default(),
        sign_outs: &sign_outs.unwrap_or_default(),
        destination,
    };
    let status = if is_wrong {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    visit.html(status, page.render(&visit.shell()))
}

/// Begins a session.
pub(super) async fn begin(
    visit: &Visit,
    caller: Caller,
    destination: &str,
) -> Result<Response, Refusal> {
    let secret = visit.site.begin_session(caller).await?;
    let secret = secret.ok_or_else(|| Refusal::is(ErrorKey::Forbidden))?;
    Ok(signed_in(visit, &secret, destination))
}

/// The response to a person who has signed in.
fn signed_in(visit: &Visit, secret: &Secret, destination: &str) -> Response {
    let cookie = visit.site.cookie.write(secret.expose());
    with_cookie(visit.redirect(destination), &cookie)
}

/// The response with a cookie.
pub(super) fn with_cookie(mut response: Response, cookie: &str) -> Response {
    let cookie = HeaderValue::try_from(cookie).ok();
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
