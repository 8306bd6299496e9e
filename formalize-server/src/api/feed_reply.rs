//! The responses of the change feed.

use std::sync::Arc;

use formalize_core::{
    Caller,
    events::{EventItem, FeedPage},
};
use formalize_http::failure::{Refusal, set};
use formalize_http::rate::Reservation;
use formalize_http::request::Parameters;
use formalize_views::json;
use poem::{
    Body, IntoResponse, Response,
    http::{HeaderName, StatusCode, header},
};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponses, Registry},
    types::Type,
};

use super::page::EventPage;
use super::{
    Context, Query,
    feed_request::STREAM,
    reply::{ITEM, LINK, bytes, compose, page_response, responses},
};
use crate::feed::EventStream;

/// A page of the change feed: 200, with the URL of the next page if the end was not reached.
pub struct FeedListed {
    body: String,
    reserved: Option<Arc<Reservation>>,
    next: Option<String>,
}

impl FeedListed {
    /// Composes the response to a query.
    ///
    /// # Errors
    ///
    /// As [`Listed::compose`](super::Listed::compose).
    pub async fn compose(
        caller: &Caller,
        page: FeedPage,
        query: &Query,
        context: &Context,
    ) -> Result<Self, Refusal> {
        // The page of HEAD is another one.
        let has_next = page.has_more && !query.is_head;
        let next = has_next.then(|| context.links.to_next(query, &page.next));
        let items = page.events.iter().filter_map(|shown| shown.item.as_ref());
        let texts: usize = items.map(text_of).sum();
        let bytes = texts + ITEM * page.events.len();
        let parameters = Parameters::clone(query);
        let base_url = context.links.base_url();
        let write = move || json(&EventPage::new(page, &parameters, &base_url));
        let (body, reserved) = compose(caller, bytes, write, query, context).await?;
        Ok(Self {
            body,
            reserved,
            next,
        })
    }
}

/// The size of the schema or data of a record, in bytes.
fn text_of(item: &EventItem) -> usize {
    let text = match item {
        EventItem::Submission(view) => view.item.data.as_deref(),
        EventItem::Form(view) => view.item.data_feed_schema.as_deref(),
        _ => None,
    };
    text.map_or(0, str::len)
}

/// The change feed: 200.
pub enum Feed {
    /// A page.
    Page(FeedListed),
    /// A stream, and whether only its head is sent.
    Stream(Box<EventStream>, bool),
}

impl IntoResponse for Feed {
    fn into_response(self) -> Response {
        let (stream, is_head) = match self {
            Self::Page(page) => return page_response(page.body, page.reserved, page.next),
            Self::Stream(stream, is_head) => (stream, is_head),
        };
        let body = if is_head {
            Body::empty()
        } else {
            stream.into_body()
        };
        let mut response = Response::builder()
            .content_type(STREAM)
            .header(header::CACHE_CONTROL, "no-store")
            .body(body);
        // Proxies must not wait for more before they pass events on.
        let buffering = HeaderName::from_static("x-accel-buffering");
        set(&mut response, buffering, "no".to_owned());
        response
    }
}

impl ApiResponse for Feed {
    fn meta() -> MetaResponses {
        let page = Some(EventPage::schema_ref());
        let mut responses = responses([(StatusCode::OK, "A part of the feed.", page, &[LINK])]);
        for response in &mut responses.responses {
            response.content.push(MetaMediaType {
                content_type: STREAM,
                schema: bytes(),
            });
        }
        responses
    }

    fn register(registry: &mut Registry) {
        EventPage::register(registry);
    }
}
