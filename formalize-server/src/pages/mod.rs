//! Web pages: people fill in forms, read their answers, and sign in.
//!
//! Pages are beside the REST interface: no cookie authorizes a request there, and no bearer token a page. They call the same
//! use cases and decide nothing. `formalize-web` makes their HTML.

mod cookie;
mod fill_in;
mod forgery;
mod overview;
mod route;
mod sent;
mod sign_in;
mod site;
mod visit;

use std::sync::Arc;

use formalize_core::Formalize;
use formalize_web::EndedPage;
use poem::{
    Endpoint, Middleware, Request, Response, Result,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
};

use crate::{
    contract::{ErrorKey, Verb},
    failure::Refusal,
    middleware::{Intake, count, memory, upload::Upload},
    observe::Record,
    rate::Share,
};

use forgery::is_from_own_page;
use route::Route;
use sent::Sent;
use site::Site;
pub use site::{FirstCode, PageSetup};
use visit::Visit;

/// Headers of every page. A page loads files of this service only, runs no inline scripts, and is shown in no frame. The
/// referrer is sent to this service only, which needs the origin of a request.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
             form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
             trusted-types page",
        ),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static(
            "camera=(), geolocation=(), microphone=(), payment=(), usb=(), fullscreen=(), display-capture=()",
        ),
    ),
];

/// A page whose address is a secret tells no page that it came from there.
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");

/// Serves pages beside another endpoint.
pub struct Pages {
    site: Option<Arc<Site>>,
    intake: Arc<Intake>,
}

impl Pages {
    /// Pages of a service with this base URL; none without a setup.
    pub fn new(
        formalize: &Formalize,
        base_url: &str,
        setup: Option<PageSetup>,
        intake: Arc<Intake>,
    ) -> Self {
        let site = setup.map(|setup| Site::new(formalize.clone(), base_url, setup));
        Self {
            site: site.map(Arc::new),
            intake,
        }
    }
}

impl<E: Endpoint<Output = Response>> Middleware<E> for Pages {
    type Output = WithPages<E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        WithPages {
            site: self.site.clone(),
            intake: Arc::clone(&self.intake),
            endpoint,
        }
    }
}

/// An endpoint with pages beside it.
pub struct WithPages<E> {
    site: Option<Arc<Site>>,
    intake: Arc<Intake>,
    endpoint: E,
}

impl<E: Endpoint<Output = Response>> Endpoint for WithPages<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let Some(site) = &self.site else {
            return self.endpoint.call(request).await;
        };
        let path = request.uri().path().to_owned();
        let Some(route) = Route::of(&path) else {
            return self.endpoint.call(request).await;
        };
        let mut body = Upload::of(&mut request);
        let mut share = None;
        let mut response = self
            .answer(site, &route, &request, &mut body, &mut share)
            .await;
        if let Some(share) = share {
            share.write(response.headers_mut());
        }
        body.finish(&mut response).await;
        let headers = response.headers_mut();
        headers.extend(HEADERS);
        if matches!(route, Route::SignInFirst(_)) {
            headers.insert(header::REFERRER_POLICY, NO_REFERRER);
        }
        Ok(response)
    }
}

impl<E> WithPages<E> {
    async fn answer(
        &self,
        site: &Arc<Site>,
        route: &Route<'_>,
        request: &Request,
        body: &mut Upload,
        share: &mut Option<Share>,
    ) -> Response {
        let record = request.data::<Arc<Record>>();
        let id = record.map(|record| record.id().to_string());
        let mut visit = Visit::of(site, request, id.unwrap_or_default());
        if let Some(record) = record {
            record.is_for_page(route.template());
        }
        let Some(_in_progress) = self.intake.rates.begin(request) else {
            return visit.refuse(Refusal::too_many_in_progress());
        };
        let answer = self.respond(&mut visit, route, request, body, share).await;
        answer.unwrap_or_else(|refusal| visit.refuse(refusal))
    }

    async fn respond(
        &self,
        visit: &mut Visit,
        route: &Route<'_>,
        request: &Request,
        body: &mut Upload,
        share: &mut Option<Share>,
    ) -> Result<Response, Refusal> {
        let secret = visit.site.cookie.read(request.headers());
        if let (Some(secret), false) = (secret, matches!(route, Route::Asset(_))) {
            visit.session = visit.formalize().sessions().authenticate(secret).await?;
        }
        self.count(visit, request, share)?;
        let methods = route.methods();
        if !methods.include(request.method().as_str()) {
            return Err(Refusal::method_not_allowed(methods.allow().to_owned()));
        }
        let _turn = match &visit.session {
            Some(session) => Some(visit.formalize().turn(&session.caller).await),
            None => None,
        };
        let response = if *request.method() == Method::POST {
            // Headers cannot show where a request comes from if the page has no referrer.
            if !matches!(route, Route::SignInFirst(_))
                && !is_from_own_page(request.headers(), &visit.site.origin)
            {
                return Err(Refusal::is(ErrorKey::Forbidden));
            }
            let body = self.intake.receive(self.intake.limits.body, body).await?;
            let sent = Sent::read(request.headers(), &body)?;
            post(visit, route, &sent, secret).await?
        } else {
            get(visit, route).await?
        };
        let user = visit
            .session
            .as_ref()
            .and_then(|session| session.caller.user_id());
        let budget = &self.intake.responses;
        memory::count(response, Verb::Get, user, &mut body.used, budget).await
    }

    /// Counts the request by user, or by address if nobody has signed in.
    fn count(
        &self,
        visit: &Visit,
        request: &Request,
        share: &mut Option<Share>,
    ) -> Result<(), Refusal> {
        let Some(session) = &visit.session else {
            return count(self.intake.rates.of_address(request), share);
        };
        if let Some(record) = request.data::<Arc<Record>>() {
            record.comes_from(&session.caller);
        }
        count(self.intake.rates.of_user(&session.caller), share)
    }
}

async fn get(visit: &Visit, route: &Route<'_>) -> Result<Response, Refusal> {
    if route.needs_session() && visit.session.is_none() {
        return Ok(visit.to_sign_in());
    }
    match route {
        Route::Root => Ok(visit.redirect("/console")),
        Route::Overview => overview::show(visit).await,
        Route::Form(form) => fill_in::show_form(visit, form).await,
        Route::FormSent(form) => fill_in::show_sent(visit, form).await,
        Route::Submission(id) => fill_in::show_submission(visit, id).await,
        Route::SubmissionDelete(id) => fill_in::ask_to_delete(visit, id).await,
        Route::SignIn => Ok(sign_in::show(visit)),
        Route::SignInFirst(code) => sign_in::show_first(visit, code),
        Route::Asset(path) => visit.file(path),
        Route::SignInByToken | Route::SignOut | Route::Unknown => {
            Err(Refusal::is(ErrorKey::RouteNotFound))
        }
    }
}

async fn post(
    visit: &Visit,
    route: &Route<'_>,
    sent: &Sent,
    secret: Option<&str>,
) -> Result<Response, Refusal> {
    match route {
        Route::SignInByToken => return sign_in::by_token(visit, sent).await,
        Route::SignInFirst(code) => return sign_in::first(visit, code).await,
        Route::SignOut if visit.session.is_none() => return sign_in::out(visit, None).await,
        _ => {}
    }
    if visit.session.is_none() {
        let sent = sent.without_token();
        let page = EndedPage { sent: &sent }.render(&visit.shell());
        return Ok(visit.html(StatusCode::FORBIDDEN, page));
    }
    if !visit.has_token(sent.own("token").unwrap_or_default()) {
        return match route {
            Route::Form(form) => fill_in::show_form_again(visit, form, sent).await,
            Route::Submission(id) => fill_in::show_submission_again(visit, id, sent).await,
            _ => Err(Refusal::is(ErrorKey::Forbidden)),
        };
    }
    match route {
        Route::Form(form) => fill_in::send_form(visit, form, sent).await,
        Route::Submission(id) => fill_in::send_submission(visit, id, sent).await,
        Route::SubmissionDelete(id) => fill_in::delete(visit, id).await,
        Route::SignOut => sign_in::out(visit, secret).await,
        _ => Err(Refusal::is(ErrorKey::RouteNotFound)),
    }
}
