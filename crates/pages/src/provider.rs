//! Signing in with an identity provider.

use formalize_http::auth::{CallbackParameters, SignInFailure};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::{Refusal, chain};
use formalize_http::percent;
use formalize_web::SignInFailedPage;
use poem::{
    Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};

use super::{destination::destination, sign_in, visit::Visit};

/// After how many seconds to try again when a provider does not respond: then its documents may be fetched again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("30");

/// Sends a person to an identity provider.
pub(super) async fn begin(visit: &Visit, number: &str) -> Result<Response, Refusal> {
    let unknown = || Refusal::is(ErrorKey::RouteNotFound);
    let number = number.parse().map_err(|_| unknown())?;
    let destination = visit.parameter("return").and_then(destination);
    let site = &visit.site;
    let issuers = site.issuers.as_ref().ok_or_else(unknown)?;
    let begun = issuers.begin_sign_in(number, &site.callback).await;
    let (attempt, address) = match begun.ok_or_else(unknown)? {
        Ok(begun) => begun,
        Err(failure) => return Ok(failed(visit, &failure, destination)),
    };
    let cookie = site.attempts.write(attempt, destination, site.clock.now());
    let cookie = cookie.ok_or_else(|| Refusal::unforeseen("an attempt cannot be written"))?;
    let response = Response::builder()
        .status(StatusCode::SEE_OTHER)
        .header(header::LOCATION, address.as_str())
        .finish();
    Ok(sign_in::with_cookie(response, &cookie))
}

/// Signs in a person whom an identity provider has sent back. Whatever happens, the attempt is over.
pub(super) async fn finish(visit: &Visit, headers: &HeaderMap) -> Response {
    let site = &visit.site;
    let pending = site.attempts.read(headers, site.clock.now());
    let destination = pending
        .as_ref()
        .and_then(|pending| pending.destination.as_deref())
        .and_then(destination);
    let brought = CallbackParameters {
        state: visit.parameter("state"),
        issuer: visit.parameter("iss"),
        error: visit.parameter("error"),
        code: visit.parameter("code"),
    };
    let found = match (&pending, &site.issuers) {
        (Some(pending), Some(issuers)) => {
            let attempt = &pending.attempt;
            issuers
                .finish_sign_in(attempt, brought, &site.callback)
                .await
        }
        _ => Err(SignInFailure::NoAttempt),
    };
    let response = match found {
        Ok(caller) => {
            let begun = sign_in::begin(visit, caller, destination.unwrap_or(sign_in::START)).await;
            begun.unwrap_or_else(|refusal| visit.refuse(refusal))
        }
        Err(failure) => failed(visit, &failure, destination),
    };
    sign_in::with_cookie(response, &site.attempts.clear())
}

/// The page that says that signing in did not work. The reason is only logged.
fn failed(visit: &Visit, failure: &SignInFailure, destination: Option<&str>) -> Response {
    let (reason, is_outage) = (chain(failure), failure.is_outage());
    if is_outage {
        tracing::warn!(reason, "signing in failed");
    } else {
        tracing::info!(reason, "signing in failed");
    }
    let query = destination.map(|address| format!("?return={}", percent::encode(address)));
    let page = SignInFailedPage {
        is_outage,
        again: &format!("/sign-in{}", query.unwrap_or_default()),
        request_id: visit.request_id(),
    };
    let page = page.render(&visit.shell());
    if !is_outage {
        return visit.html(StatusCode::FORBIDDEN, page);
    }
    let mut response = visit.html(StatusCode::SERVICE_UNAVAILABLE, page);
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, RETRY_AFTER);
    response
}
