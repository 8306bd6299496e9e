//! One request for a page.

use std::sync::Arc;

use formalize_core::{
    Caller, Error, Formalize, PageRequest, PageSize, Position, Timestamp, offload_for,
    questions::{Entries, Extent},
    tokens::Session,
};
use formalize_http::connections::Source;
use formalize_http::contract::ErrorKey;
use formalize_http::failure::{Brief, Large, Refusal};
use formalize_http::percent;
use formalize_http::rate::Holder;
use formalize_web::{Account, Language, LocalTime, MessagePage, Shell};
use poem::{
    Request, Response,
    http::{HeaderValue, Method, StatusCode, header},
};

use super::{
    destination::{MOST_BYTES, brief},
    link_visit::LinkVisit,
    sent::{Sent, prefilled},
    site::{File, Site},
};

const HTML: &str = "text/html; charset=utf-8";
const HOUR: &str = "public, max-age=3600";
const FOREVER: &str = "public, max-age=31536000, immutable";
/// The maximum size of a page, in bytes. What a page consists of is bounded, so none comes close to it.
const MAX_PAGE: usize = 16 << 20;
/// A script asks for the content of a page alone.
const PAGE_PART: &str = "x-page-part";

/// Where a page with questions or answers was made, which marks its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// On the thread that serves the request.
    Here,
    /// On a thread for expensive work, because the page is large.
    Elsewhere,
}

/// One request for a page, without its body.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) site: Arc<Site>,
    pub(super) language: Language,
    /// Whether the address names the language. Then pages to which this one leads have it, too.
    names_language: bool,
    pub(super) session: Option<Session>,
    pub(super) link: Option<LinkVisit>,
    /// Where the request comes from.
    pub(super) source: Source,
    pub(super) path: String,
    /// The path with the query.
    pub(super) address: String,
    pub(super) query: Vec<(String, String)>,
    request_id: String,
    pub(super) is_part: bool,
    pub(super) is_head: bool,
}

impl Visit {
    /// The visit of a request. A query that cannot be read counts as empty.
    pub(super) fn of(
        site: &Arc<Site>,
        request: &Request,
        source: Source,
        request_id: String,
    ) -> Self {
        let (uri, headers) = (request.uri(), request.headers());
        let query = percent::decode_query(uri.query().unwrap_or_default()).unwrap_or_default();
        let requested = query.iter().find(|(name, _)| name == "lang");
        let requested = requested.and_then(|(_, tag)| Language::of_tag(tag));
        let accepted = || {
            let accepted = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
            Language::preferred(accepted)
        };
        Self {
            names_language: requested.is_some(),
            language: requested.or_else(accepted).unwrap_or(site.language),
            session: None,
            link: None,
            source,
            path: uri.path().to_owned(),
            address: uri
                .path_and_query()
                .map(ToString::to_string)
                .unwrap_or_default(),
            is_part: headers.get(PAGE_PART).is_some_and(|value| value == "1"),
            is_head: request.method() == Method::HEAD,
            site: Arc::clone(site),
            request_id,
            query,
        }
    }

    /// The id of the request, which is in the log.
    pub(super) fn request_id(&self) -> &str {
        &self.request_id
    }

    pub(super) fn formalize(&self) -> &Formalize {
        &self.site.formalize
    }

    /// Who has signed in, or uses a public link.
    ///
    /// # Errors
    ///
    /// A refusal if there is nobody.
    pub(super) fn caller(&self) -> Result<&Caller, Refusal> {
        let of_link = self.link.as_ref().map(|visit| &visit.caller);
        let of_session = self.session.as_ref().map(|session| &session.caller);
        let caller = of_link.or(of_session);
        caller.ok_or_else(|| Refusal::is(ErrorKey::Forbidden))
    }

    /// Who uses a part of what is limited.
    pub(super) fn holder(&self) -> Holder {
        match self.caller() {
            Ok(caller) => Holder::of(caller, self.source),
            Err(_) => Holder::Visitor(None, self.source),
        }
    }

    /// The value of a parameter of the query.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let mut pairs = self.query.iter();
        let found = pairs.find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The language in which the library names questions.
    pub(super) fn spoken(&self) -> String {
        self.language.tag().to_owned()
    }

    /// The page of a list whose cursor is in this parameter, with this number of rows or the default one.
    pub(super) fn page_request(&self, parameter: &str, rows: Option<u32>) -> PageRequest {
        let size = rows.and_then(|rows| PageSize::new(rows).ok());
        let cursor = self.parameter(parameter);
        PageRequest {
            size: size.unwrap_or_default(),
            position: cursor.map_or(Position::First, |cursor| {
                Position::Cursor(cursor.to_owned())
            }),
        }
    }

    /// A point in time, as pages show it.
    pub(super) fn time(&self, instant: Timestamp) -> LocalTime {
        LocalTime::new(instant.to_string(), self.site.zone.local(instant))
    }

    /// The answers in the query, with which the page is filled in.
    ///
    /// # Errors
    ///
    /// A refusal if they cannot come from a page.
    pub(super) fn prefilled(&self) -> Result<Entries, Refusal> {
        let entries = prefilled(&self.query, self.language)?;
        Ok(entries.with_time_zone(self.site.time_zone.clone()))
    }

    /// What a person has entered on the page.
    ///
    /// # Errors
    ///
    /// A refusal if it cannot come from a page.
    pub(super) fn entered(&self, sent: &Sent) -> Result<Entries, Refusal> {
        let entries = sent.entries(self.language)?;
        Ok(entries.with_time_zone(self.site.time_zone.clone()))
    }

    /// What a person has entered in the preview of a form.
    ///
    /// # Errors
    ///
    /// A refusal if it cannot come from a page.
    pub(super) fn tried(&self, sent: &Sent) -> Result<Entries, Refusal> {
        let entries = sent.tried(self.language)?;
        Ok(entries.with_time_zone(self.site.time_zone.clone()))
    }

    /// The token for a form of this page that is sent to a path. Without a session it is empty.
    pub(super) fn token(&self, path: &str) -> String {
        let session = self.session.as_ref();
        session.map_or_else(String::new, |session| {
            self.site.tokens.make(session.id, path)
        })
    }

    /// Whether a page sent this token to the path of the request.
    pub(super) fn has_token(&self, token: &str) -> bool {
        let session = self.session.as_ref();
        session.is_some_and(|session| self.site.tokens.is_valid(token, session.id, &self.path))
    }

    /// How long the session lasts if this is its last request, in seconds; `None` without a session.
    pub(super) fn seconds_left(&self) -> Option<u64> {
        let session = self.session.as_ref()?;
        let end = session.date_idle.min(session.date_expires).as_millis();
        let left = end.saturating_sub(self.site.clock.now().as_millis());
        Some(u64::try_from(left / 1000).unwrap_or(0))
    }

    /// What surrounds the content of a page.
    pub(super) fn shell(&self) -> Shell<'_> {
        let site = &self.site;
        let user = self
            .session
            .as_ref()
            .and_then(|session| session.caller.user_id());
        let account = user.map(|user| Account {
            user: user.as_str(),
            token: self.token("/sign-out"),
        });
        Shell {
            language: self.language,
            title: &site.title,
            base_path: &site.base_path,
            links: &site.links,
            style: site.style.as_ref().map(File::path),
            logo: site.logo.as_ref().map(File::path),
            account,
            frame: self.link.as_ref().and_then(LinkVisit::frame),
            is_part: self.is_part,
            keeps_language: self.names_language,
        }
    }

    /// Makes a page with questions or answers. A large one is made on another thread, in the visitor's share of the expensive
    /// work.
    ///
    /// # Errors
    ///
    /// A refusal if too much work is waiting.
    pub(super) async fn draw(
        &self,
        extent: Extent,
        draw: impl FnOnce(&Self) -> Response + Send + 'static,
    ) -> Result<Response, Refusal> {
        let (mut response, place) = if extent.is_light() {
            (draw(self), Drawn::Here)
        } else {
            let visit = self.clone();
            let drawn = offload_for(self.caller()?, move || draw(&visit)).await;
            (drawn.map_err(Error::from)?, Drawn::Elsewhere)
        };
        response.set_data(place);
        Ok(response)
    }

    /// A response with a page.
    pub(super) fn html(&self, status: StatusCode, mut page: String) -> Response {
        let mut status = status;
        if page.len() > MAX_PAGE {
            status = StatusCode::PAYLOAD_TOO_LARGE;
            page = MessagePage::error(self.language, status.as_u16()).render(&self.shell());
        }
        let bytes = page.len();
        // Nothing is done then, so it is the same as if the service were busy.
        let brief = (status.is_client_error() && Large::is(bytes)).then(|| {
            let busy = StatusCode::SERVICE_UNAVAILABLE.as_u16();
            Brief(MessagePage::error(self.language, busy).render(&self.shell()))
        });
        let mut response = Response::builder()
            .status(status)
            .content_type(HTML)
            .header(header::CONTENT_LANGUAGE, self.language.tag())
            .header(
                header::VARY,
                "Accept-Encoding, Accept-Language, Cookie, X-Page-Part",
            )
            .body(page);
        Large::mark(&mut response, bytes);
        if let Some(brief) = brief {
            response.set_data(brief);
        }
        response
    }

    /// A response that leads to another page.
    pub(super) fn redirect(&self, path: &str) -> Response {
        let has_language = percent::pairs(path.split_once('?').map_or("", |(_, query)| query))
            .any(|pair| pair.starts_with("lang="));
        let location = if self.names_language && !has_language {
            self.shell().action(path)
        } else {
            format!("{}{path}", self.site.base_path)
        };
        Response::builder()
            .status(StatusCode::SEE_OTHER)
            .header(header::LOCATION, location)
            .finish()
    }

    /// The page on which to sign in, which leads back to this one.
    pub(super) fn to_sign_in(&self) -> Response {
        let query = brief(&self.address, MOST_BYTES)
            .map(|address| format!("?return={}", percent::encode(address)));
        self.redirect(&format!("/sign-in{}", query.unwrap_or_default()))
    }

    /// A response with a file that never changes.
    pub(super) fn file(&self, path: &str) -> Result<Response, Refusal> {
        let file = self.site.file(path);
        let file = file.ok_or_else(|| Refusal::is(ErrorKey::RouteNotFound))?;
        Ok(Response::builder()
            .content_type(file.media_type)
            .header(header::CACHE_CONTROL, FOREVER)
            .header(header::VARY, "Accept-Encoding")
            .body(file.content.clone()))
    }

    /// A response with a file whose address never changes, but whose content may.
    pub(super) fn fixed(media_type: &str, content: &'static str) -> Response {
        Response::builder()
            .content_type(media_type)
            .header(header::CACHE_CONTROL, HOUR)
            .header(header::VARY, "Accept-Encoding")
            .body(content)
    }

    /// Replaces the body of a response by the page that says that something was not found.
    pub(super) fn show_not_found(&self, response: &mut Response) {
        let message = MessagePage::error(self.language, StatusCode::NOT_FOUND.as_u16());
        let page = message.request_id(&self.request_id).render(&self.shell());
        let (mut parts, body) = self.html(StatusCode::NOT_FOUND, page).into_parts();
        response.set_body(body);
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        // The response may vary by other headers, too.
        headers.append(header::VARY, HeaderValue::from_static("Accept"));
        headers.extend(
            parts
                .headers
                .remove(header::VARY)
                .map(|vary| (header::VARY, vary)),
        );
        headers.extend(parts.headers);
    }

    /// The page for a refusal.
    pub(super) fn refuse(&self, refusal: Refusal) -> Response {
        let status = refusal.reported(None);
        let message = MessagePage::error(self.language, status.as_u16());
        let page = message.request_id(&self.request_id).render(&self.shell());
        let mut response = self.html(status, page);
        response.headers_mut().extend(refusal.headers(None));
        // Browsers have a cookie instead of a token.
        response.headers_mut().remove(header::WWW_AUTHENTICATE);
        response
    }
}
