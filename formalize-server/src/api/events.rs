//! The change feed.

use std::sync::Arc;

use formalize_core::events::FeedRequest;
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::ListEvents;
use formalize_http::contract::parameter::EVENTS_PER_PAGE;
use formalize_http::failure::{Answer, Refusal};
use poem_openapi::OpenApi;

use super::{
    Context, Feed, FeedHeaders, FeedListed, Part, Query,
    feed_request::{filter, with_items},
};
use crate::feed::StreamOf;

pub(super) struct Events(pub(super) Context);

#[OpenApi(prefix_path = "/formalize/events", tag = "Part::Events")]
impl Events {
    /// Read what happened to the records that the caller may read.
    ///
    /// No special permission is needed. An event is shown to those who may read its record now, and the end of a record to
    /// those who could read it before. A request looks at 10,000 positions of the log at most, so a page may be short or
    /// empty although more follows: continue with `nextCursor` while `hasMore` is true. To follow changes, keep the
    /// `nextCursor` and ask again later. Events are deleted after some days; see `docs/events.md`.
    ///
    /// With `Accept: text/event-stream`, the response is a stream of Server-Sent Events that waits for more: each has a
    /// cursor as `id`, the type as `event`, and the event as `data`. `Last-Event-ID` continues behind a cursor, whatever the
    /// parameters `cursor` and `from` say; `perPage` is not a parameter then. A user may have 10 streams.
    #[oai(path = "/", method = "get")]
    async fn list(
        &self,
        Actor(caller): Actor,
        query: Query,
        headers: FeedHeaders,
    ) -> Answer<Feed, ListEvents> {
        let stream = headers.stream(&query)?;
        let (filter, with_items) = (filter(&query), with_items(&query));
        let start = headers.start(&query);
        let core = &self.0.core;
        if let Some(token) = stream {
            let of = StreamOf {
                formalize: core.clone(),
                authenticate: Arc::clone(&self.0.authenticate),
                token,
                caller,
                filter,
                start,
                with_items,
                base_url: self.0.links.base_url(),
            };
            let stream = self.0.streams.open(of).await;
            let stream = stream.map_err(|refusal| headers.name_cursor(refusal))?;
            return Ok(Feed::Stream(Box::new(stream), query.is_head));
        }
        let request = FeedRequest {
            start,
            limit: query.size(&EVENTS_PER_PAGE),
            with_items,
            ..FeedRequest::default()
        };
        let page = core.events().list(&caller, &filter, &request).await;
        let page = FeedListed::compose(&caller, page.map_err(Refusal::from)?, &query, &self.0);
        Ok(Feed::Page(page.await?))
    }
}
