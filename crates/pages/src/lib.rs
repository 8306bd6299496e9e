//! Web pages: people fill in forms, read their answers, and sign in.
//!
//! Pages are beside the REST interface: no cookie authorizes a request there, and no bearer token a page. They call the same
//! use cases and decide nothing. `formalize-web` makes their HTML.

mod attempts;
mod console;
mod cookie;
mod destination;
mod files;
mod fill_in;
mod forgery;
mod link;
mod link_visit;
mod provider;
mod route;
mod sent;
mod sheet;
mod sign_in;
mod site;
mod visit;

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use files::SentFiles;
use flate2::Compression;
use forgery::is_from_own_page;
use formalize_core::{Formalize, offload, webhooks::WebhookTransport};
use formalize_http::auth::Issuers;
use formalize_http::contract::{ErrorKey, Verb};
use formalize_http::exports::Exports;
use formalize_http::failure::Refusal;
use formalize_http::gzip::{accepts_gzip, compress};
use formalize_http::middleware::media::{is_plain, preferred};
use formalize_http::middleware::{Arrival, Arrived, Counted, Intake, Limit};
use formalize_http::observe::Record;
use formalize_http::request::is_form_data;
use formalize_web::{Asset, EndedPage};
use link_visit::LinkVisit;
use poem::{
    Endpoint, Middleware, Request, Response, Result,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
};
use route::{Route, form_id};
use sent::{BUTTON, Sent};
use site::Site;
use tokio::time::timeout;
use visit::Visit;

pub use site::{FirstCode, PageSetup};
pub use visit::Drawn;

/// A page loads files of this service only, and runs no inline scripts. What may show it in a frame is added.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types page; frame-ancestors";

/// Other headers of every page. The referrer is sent to this service only, which needs the origin of a request.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
    // An address can be a secret, and what a form asks is no business of search engines.
    (
        HeaderName::from_static("x-robots-tag"),
        HeaderValue::from_static("noindex"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static(
            "camera=(), geolocation=(), microphone=(), payment=(), usb=(), fullscreen=(), display-capture=()",
        ),
    ),
];

/// What search engines may read. They may read pages: those that may not would list their addresses nevertheless, where other
/// sites have links to them, and would never see that pages are not to be listed.
const ROBOTS: &str = "User-agent: *\nDisallow: /authorization/\nDisallow: /formalize/\n";

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Adds the headers that protect pages and those who use them.
fn protect(visit: &Visit, route: &Route<'_>, headers: &mut HeaderMap) {
    headers.extend(HEADERS);
    let is_file = matches!(route, Route::SubmissionFile(..));
    if is_file && headers.contains_key(header::CONTENT_DISPOSITION) {
        // It has a policy of its own, under which nothing in it runs.
        return;
    }
    let origins = visit.link.as_ref().and_then(LinkVisit::frame);
    let policy = format!("{POLICY} {}", origins.as_deref().unwrap_or("'none'"));
    let policy = HeaderValue::try_from(policy).ok();
    headers.extend(policy.map(|policy| (header::CONTENT_SECURITY_POLICY, policy)));
    if has_secret_address(route) {
        headers.insert(
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        );
    }
    if *route == Route::Embed {
        // Pages of other sites load it.
        headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    }
}

/// Whether the address of a page contains a secret. Then no other page may learn it.
fn has_secret_address(route: &Route<'_>) -> bool {
    route.link_secret().is_some() || matches!(route, Route::SignInFirst(_) | Route::SignInCallback)
}

/// The sizes of texts that are compressed, in bytes: less is not worth it, and more takes too long.
const COMPRESSED: RangeInclusive<usize> = 512..=1024 * 1024;

/// The size up to which a text is compressed in two milliseconds.
const LIGHT: usize = 64 * 1024;

/// The response, compressed if it is a text and the client accepts gzip.
///
/// The length of a compressed page reveals what it repeats. No page that needs a session contains a secret that stays the
/// same: its token looks different each time.
async fn compressed(mut response: Response, request: &HeaderMap) -> Result<Response, Refusal> {
    let is_text = response
        .content_type()
        .is_some_and(|media_type| media_type.starts_with("text/"));
    // A document is sent while it is written.
    let is_document = response.headers().contains_key(header::CONTENT_DISPOSITION);
    if !is_text || is_document || !accepts_gzip(request) {
        return Ok(response);
    }
    let body = response.take_body().into_bytes().await;
    let body = body.map_err(Refusal::unforeseen)?;
    if !COMPRESSED.contains(&body.len()) {
        response.set_body(body);
        return Ok(response);
    }
    let compressed = if body.len() <= LIGHT {
        compress(&body, Compression::default())
    } else {
        let text = body.clone();
        let compressed = offload(move || compress(&text, Compression::default()));
        let Ok(compressed) = compressed.await else {
            // The page is complete without it.
            response.set_body(body);
            return Ok(response);
        };
        compressed
    };
    response.set_body(compressed);
    let gzip = HeaderValue::from_static("gzip");
    response
        .headers_mut()
        .insert(header::CONTENT_ENCODING, gzip);
    Ok(response)
}

/// How long files of somebody who has not signed in are skipped.
const SKIPPING: Duration = Duration::from_secs(30);

/// Serves pages beside another endpoint.
pub struct Pages {
    site: Option<Arc<Site>>,
    intake: Arc<Intake>,
}

impl Pages {
    /// Pages of a service with this base URL, to which people sign in with these issuers; none without a setup. The transport
    /// sends tests of webhooks.
    pub fn new(
        formalize: &Formalize,
        base_url: &str,
        setup: Option<PageSetup>,
        issuers: Option<Arc<Issuers>>,
        intake: Arc<Intake>,
        exports: Exports,
        transport: Arc<dyn WebhookTransport>,
    ) -> Self {
        let formalize = formalize.clone();
        let site =
            setup.map(|setup| Site::new(formalize, base_url, issuers, exports, transport, setup));
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
            return self.beside_pages(site, request).await;
        };
        let mut arrival = Arrival::of(&mut request, &self.intake);
        // Boxed, so that requests to the interface do not reserve memory for the state of every page.
        let answer = Box::pin(self.answer(site, &route, &request, &mut arrival));
        let response = answer.await;
        Ok(arrival.finish(Ok(response)).await)
    }
}

impl<E: Endpoint<Output = Response>> WithPages<E> {
    /// Handles a request for something that is not a page. What is not found is a page for browsers.
    async fn beside_pages(&self, site: &Arc<Site>, request: Request) -> Result<Response> {
        let headers = prefers_page(request.headers()).then(|| request.headers().clone());
        let visit = headers.map(|headers| {
            let record = request.data::<Arc<Record>>();
            let id = record.map(|record| record.id().to_string());
            let source = self.intake.source(&request);
            let visit = Visit::of(site, &request, source, id.unwrap_or_default());
            (visit, headers)
        });
        let mut response = self.endpoint.call(request).await?;
        if response.status() != StatusCode::NOT_FOUND {
            return Ok(response);
        }
        let Some((visit, headers)) = visit else {
            let accept = HeaderValue::from_static("Accept");
            response.headers_mut().append(header::VARY, accept);
            return Ok(response);
        };
        visit.show_not_found(&mut response);
        protect(&visit, &Route::Unknown, response.headers_mut());
        Ok(compressed(response, &headers).await?)
    }
}

/// Whether a client would rather have a page than JSON. All that accept both alike are programs.
fn prefers_page(headers: &HeaderMap) -> bool {
    let offered = ["application/json", "application/problem+json", "text/html"];
    preferred(headers, &offered) == Some(2)
}

impl<E> WithPages<E> {
    async fn answer(
        &self,
        site: &Arc<Site>,
        route: &Route<'_>,
        request: &Request,
        arrival: &mut Arrival,
    ) -> Response {
        let record = request.data::<Arc<Record>>();
        let id = record.map(|record| record.id().to_string());
        let source = self.intake.source(request);
        let mut visit = Visit::of(site, request, source, id.unwrap_or_default());
        if let Some(record) = record {
            record.is_for_page(route.template());
        }
        let answer = match arrival.begin() {
            Ok(arrived) => respond(&mut visit, route, request, arrived).await,
            Err(refusal) => Err(refusal),
        };
        let mut response = answer.unwrap_or_else(|refusal| visit.refuse(refusal));
        protect(&visit, route, response.headers_mut());
        response
    }
}

async fn respond(
    visit: &mut Visit,
    route: &Route<'_>,
    request: &Request,
    arrived: Arrived<'_>,
) -> Result<Response, Refusal> {
    let secret = visit.site.cookie.read(request.headers());
    match (route, route.link_secret(), secret) {
        (_, Some(link), _) => visit.link = LinkVisit::of(&visit.site, link, request).await?,
        (_, _, None) => {}
        (route, ..) if route.is_public() => {}
        (_, _, Some(secret)) => {
            let sessions = visit.formalize().sessions();
            visit.session = sessions.authenticate(secret).await?;
        }
    }
    let mut counted = arrived.count(request, limit(visit), Some(visit.holder()))?;
    if route.link_secret().is_some() && visit.link.is_none() {
        return Err(Refusal::is(ErrorKey::RouteNotFound));
    }
    let methods = route.methods();
    if !methods.include(request.method().as_str()) {
        return Err(Refusal::method_not_allowed(methods.allow().to_owned()));
    }
    let is_post = *request.method() == Method::POST;
    let sends_files = is_post && route.takes_files() && is_form_data(request.headers());
    let _turn = match visit.caller() {
        // Sending files may take long.
        Ok(caller) if !sends_files => Some(visit.formalize().turn(caller).await),
        _ => None,
    };
    let response = if is_post {
        // Pages whose address is a secret have no referrer, so headers cannot show where a request comes from.
        // They use no session, so a forged request gains nothing.
        if !has_secret_address(route) && !is_from_own_page(request.headers(), &visit.site.origin) {
            return Err(Refusal::is(ErrorKey::Forbidden));
        }
        if sends_files {
            let sent = send_files(visit, request.headers(), &mut counted);
            let (sent, files) = sent.await?;
            post(visit, route, sent, files, secret).await?
        } else {
            let body = counted.receive().await?;
            let sent = Sent::read(request.headers(), &body)?;
            if *route == Route::SignInByToken {
                count_user(visit, &sent, &mut counted).await?;
            }
            post(visit, route, sent, SentFiles::default(), secret).await?
        }
    } else {
        get(visit, route, request.headers()).await?
    };
    let response = compressed(response, request.headers()).await?;
    counted.respond(response, Verb::Get).await
}

/// Begins to read a page that sends files, while they arrive.
async fn send_files(
    visit: &Visit,
    headers: &HeaderMap,
    counted: &mut Counted<'_>,
) -> Result<(Sent, SentFiles), Refusal> {
    if !is_plain(headers) {
        return Err(Refusal::is(ErrorKey::UnsupportedMediaType));
    }
    let streamed = counted.stream_files()?;
    let is_button_known = visit.parameter(BUTTON).is_some();
    SentFiles::open(headers, streamed, is_button_known, |bytes| {
        counted.reserve(bytes)
    })
    .await
}

/// Counts a request that signs in with a valid API token for its user, too. Otherwise, the holder of a token could evade the limit
/// by sending from many addresses.
async fn count_user(visit: &Visit, sent: &Sent, counted: &mut Counted<'_>) -> Result<(), Refusal> {
    let secret = sign_in::token(sent);
    let tokens = visit.formalize().tokens();
    match tokens.authenticate(secret).await? {
        Some(caller) => counted.count_user(&caller),
        None => Ok(()),
    }
}

/// The limit by which a request is counted: that of the public link, of the user, or else of the address.
fn limit(visit: &Visit) -> Limit<'_> {
    match (&visit.link, &visit.session) {
        (Some(LinkVisit { link, .. }), _) => Limit::Link {
            link: link.id,
            is_update: visit.is_part,
        },
        (None, Some(session)) => Limit::User(&session.caller),
        (None, None) => Limit::Address,
    }
}

async fn get(visit: &Visit, route: &Route<'_>, headers: &HeaderMap) -> Result<Response, Refusal> {
    if route.needs_session() && visit.session.is_none() {
        return Ok(visit.to_sign_in());
    }
    match route {
        Route::Root => Ok(visit.redirect("/console")),
        Route::Console(route) => console::show(visit, route, None).await,
        Route::Form(form) => fill_in::show_form(visit, form_id(form)?).await,
        Route::FormSent(form) => fill_in::show_sent(visit, form_id(form)?, true).await,
        Route::Link(_) => link::show(visit).await,
        Route::LinkSent(_) => link::show_sent(visit).await,
        Route::Submission(id) => fill_in::show_submission(visit, id).await,
        Route::SubmissionDelete(id) => fill_in::ask_to_delete(visit, id).await,
        Route::SubmissionFile(id, file) => files::download(visit, id, file, headers).await,
        Route::SignIn => Ok(sign_in::show(visit)),
        Route::SignInFirst(code) => sign_in::show_first(visit, code),
        Route::SignInWith(number) => provider::begin(visit, number).await,
        Route::SignInCallback => Ok(provider::finish(visit, headers).await),
        Route::Asset(path) => visit.file(path),
        Route::Embed => Ok(Visit::fixed(
            Asset::Embed.media_type(),
            Asset::Embed.content(),
        )),
        Route::Favicon => Ok(Visit::fixed(
            Asset::Icon.media_type(),
            Asset::Icon.content(),
        )),
        Route::Robots => Ok(Visit::fixed("text/plain; charset=utf-8", ROBOTS)),
        Route::SignInByToken | Route::SignOut | Route::Unknown => {
            Err(Refusal::is(ErrorKey::RouteNotFound))
        }
    }
}

async fn post(
    visit: &mut Visit,
    route: &Route<'_>,
    sent: Sent,
    mut files: SentFiles,
    secret: Option<&str>,
) -> Result<Response, Refusal> {
    let button = visit.parameter(BUTTON).filter(|_| route.takes_files());
    let sent = sent.pressed_by_address(button);
    let responding = respond_to_post(visit, route, &sent, &mut files, secret);
    let response = Box::pin(responding).await;
    // Browsers read no response before they have sent the whole request.
    if visit.caller().is_ok() {
        files.skip().await;
    } else {
        // Nobody else may keep the server busy for long.
        let _ = timeout(SKIPPING, files.skip()).await;
    }
    response
}

async fn respond_to_post(
    visit: &mut Visit,
    route: &Route<'_>,
    sent: &Sent,
    files: &mut SentFiles,
    secret: Option<&str>,
) -> Result<Response, Refusal> {
    match route {
        Route::SignInByToken => return sign_in::by_token(visit, sent).await,
        Route::SignInFirst(code) => return sign_in::first(visit, code).await,
        Route::Link(_) => return link::send(visit, sent, files).await,
        Route::SignOut if visit.session.is_none() => return sign_in::out(visit, None).await,
        _ => {}
    }
    if visit.session.is_none() {
        let sent = sent.without_token();
        let page = EndedPage {
            sent: &sent,
            has_lost_files: !files.is_empty(),
        };
        let page = page.render(&visit.shell());
        return Ok(visit.html(StatusCode::FORBIDDEN, page));
    }
    if !visit.has_token(sent.own("token").unwrap_or_default()) {
        return match route {
            Route::Form(form) => {
                let form = form_id(form)?;
                fill_in::show_form_again(visit, form, sent, files).await
            }
            Route::Submission(id) => fill_in::show_submission_again(visit, id, sent, files).await,
            Route::Console(route) => console::show(visit, route, Some(sent)).await,
            _ => Err(Refusal::is(ErrorKey::Forbidden)),
        };
    }
    match route {
        Route::Form(form) => fill_in::send_form(visit, form_id(form)?, sent, files).await,
        Route::Submission(id) => fill_in::send_submission(visit, id, sent, files).await,
        Route::SubmissionDelete(id) => fill_in::delete(visit, id).await,
        Route::Console(route) => console::post(visit, route, sent).await,
        Route::SignOut => sign_in::out(visit, secret).await,
        _ => Err(Refusal::is(ErrorKey::RouteNotFound)),
    }
}
