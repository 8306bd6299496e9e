//! The change feed.

use formalize_core::{EventFilter, FeedRequest, FeedStart, FormId};
use poem_openapi::OpenApi;

use super::{Context, FeedListed, Part, Query};
use crate::{
    auth::Actor,
    contract::{
        endpoint::ListEvents,
        parameter::{EVENTS_CURSOR, EVENTS_PER_PAGE, FORM_OF_EVENTS, FROM, INCLUDE, TYPES},
    },
    failure::Answer,
};

pub(super) struct Events(pub(super) Context);

fn filter(query: &Query) -> EventFilter {
    let form = query.text(&FORM_OF_EVENTS);
    EventFilter {
        // Text that is no identifier matches no form, like an identifier that was never given.
        form: form.map(|text| {
            text.parse()
                .unwrap_or_else(|_| FormId::from_uuid(uuid::Uuid::nil()))
        }),
        types: query.event_types(&TYPES),
    }
}

fn request(query: &Query) -> FeedRequest {
    let start = match (query.text(&EVENTS_CURSOR), query.text(&FROM)) {
        (Some(cursor), _) => FeedStart::Cursor(cursor.to_owned()),
        (None, Some("now")) => FeedStart::Now,
        (None, _) => FeedStart::Oldest,
    };
    FeedRequest {
        start,
        limit: query.count(&EVENTS_PER_PAGE),
        with_items: query.text(&INCLUDE).is_some(),
    }
}

#[OpenApi(prefix_path = "/formalize/events", tag = "Part::Events")]
impl Events {
    /// Read what happened to the records that the caller may read.
    ///
    /// No special permission is needed. An event is shown to those who may read its record now, and the end of a record to
    /// those who could read it before. A request looks at 10,000 positions of the log at most, so a page may be short or
    /// empty although more follows: continue with `nextCursor` while `hasMore` is true. To follow changes, keep the
    /// `nextCursor` and ask again later. Events are deleted after some days; see `docs/events.md`.
    #[oai(path = "/", method = "get")]
    async fn list(&self, Actor(caller): Actor, query: Query) -> Answer<FeedListed, ListEvents> {
        let events = self.0.core.events();
        let page = events
            .list(&caller, &filter(&query), &request(&query))
            .await?;
        Ok(FeedListed::compose(&caller, page, &query, &self.0).await?)
    }
}
