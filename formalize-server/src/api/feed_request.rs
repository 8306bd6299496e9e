//! Which part of the change feed a request wants, as a page or as a stream.

use formalize_core::{
    FormId,
    events::{EventFilter, FeedStart},
};
use formalize_http::auth::bearer_token;
use formalize_http::contract::ErrorKey;
use formalize_http::contract::parameter::{
    EVENTS_CURSOR, EVENTS_PER_PAGE, FORM_OF_EVENTS, FROM, INCLUDE, TYPES,
};
use formalize_http::failure::Refusal;
use formalize_http::middleware::media;
use poem::{FromRequest, Request, RequestBody, Result};
use uuid::Uuid;

use super::Query;

/// The media type of streams.
pub(super) const STREAM: &str = "text/event-stream";

/// The header in which a client that connects again names the last cursor that it got.
const LAST_EVENT_ID: &str = "Last-Event-ID";

/// The header fields of a request for the change feed.
pub struct FeedHeaders {
    /// The bearer token, if a stream is preferred to JSON.
    stream: Option<String>,
    last_event_id: Option<String>,
}

impl<'a> FromRequest<'a> for FeedHeaders {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let offered = ["application/json", "application/problem+json", STREAM];
        let preferred = media::preferred(request.headers(), &offered);
        let preferred = preferred.ok_or_else(|| {
            let sentence = format!("accept application/json or {STREAM}");
            Refusal::is(ErrorKey::NotAcceptable).saying(sentence)
        })?;
        let token = bearer_token(request).unwrap_or_default();
        // An identifier that is not text is a cursor that was never issued.
        let last_event_id = request.headers().get(LAST_EVENT_ID);
        let last_event_id =
            last_event_id.map(|value| value.to_str().unwrap_or_default().to_owned());
        Ok(Self {
            stream: (offered.get(preferred) == Some(&STREAM)).then(|| token.to_owned()),
            last_event_id,
        })
    }
}

impl FeedHeaders {
    /// The token, if a stream is wanted.
    ///
    /// # Errors
    ///
    /// A refusal if the query has parameters that streams do not have.
    pub(super) fn stream(&self, query: &Query) -> Result<Option<String>, Refusal> {
        if self.stream.is_some() && query.text(&EVENTS_PER_PAGE).is_some() {
            let refusal = Refusal::is(ErrorKey::InvalidParameter);
            return Err(refusal.about(EVENTS_PER_PAGE.name, "is for pages, not for streams"));
        }
        Ok(self.stream.clone())
    }

    /// Where the answer begins.
    pub(super) fn start(&self, query: &Query) -> FeedStart {
        let last = self
            .last_event_id
            .as_deref()
            .filter(|_| self.stream.is_some());
        match (last.or(query.text(&EVENTS_CURSOR)), query.text(&FROM)) {
            (Some(cursor), _) => FeedStart::Cursor(cursor.to_owned()),
            (None, Some("now")) => FeedStart::Now,
            (None, _) => FeedStart::Oldest,
        }
    }

    /// The refusal of a cursor, which names the header if that had it.
    pub(super) fn name_cursor(&self, refusal: Refusal) -> Refusal {
        let is_from_header = self.stream.is_some() && self.last_event_id.is_some();
        if is_from_header && refusal.names() == [EVENTS_CURSOR.name] {
            return Refusal::is(ErrorKey::InvalidParameter)
                .about(LAST_EVENT_ID, "must be an `id` of this stream");
        }
        refusal
    }
}

/// Which events a request wants.
pub(super) fn filter(query: &Query) -> EventFilter {
    let form = query.text(&FORM_OF_EVENTS);
    EventFilter {
        // Text that is not an identifier matches no form, like an identifier that was never given.
        form: form.map(|text| {
            text.parse()
                .unwrap_or_else(|_| FormId::from_uuid(Uuid::nil()))
        }),
        types: query.event_types(&TYPES),
    }
}

/// Whether a request wants the record of each event.
pub(super) fn with_items(query: &Query) -> bool {
    query.text(&INCLUDE).is_some()
}
