//! Pages of lists.

use formalize_core::{self as core, events::FeedPage};
use formalize_http::contract::parameter::{CURSOR, EVENTS_PER_PAGE, INCLUDE, PAGE, PER_PAGE};
use formalize_http::request::Parameters;
use formalize_views::{OrNull, event::Event};
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use crate::feed::shown;

/// One page of a list.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Page<T: ParseFromJSON + ToJSON + Type + Send + Sync> {
    /// The items, in the order of their creation, unless `order` says otherwise.
    pub items: Vec<T>,
    /// Number of the page; null for a page requested with `cursor`.
    pub page: OrNull<u32>,
    /// Maximum number of items on a page.
    pub per_page: u32,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: OrNull<String>,
}

impl<T: ParseFromJSON + ToJSON + Type + Send + Sync> Page<T> {
    /// Creates the page that a request with these parameters returns.
    pub fn new<S: Into<T>>(page: core::Page<S>, parameters: &Parameters) -> Self {
        let by_cursor = parameters.text(&CURSOR).is_some();
        Self {
            items: page.items.into_iter().map(Into::into).collect(),
            page: (!by_cursor).then(|| parameters.count(&PAGE)).into(),
            per_page: parameters.count(&PER_PAGE),
            next_cursor: page.next.into(),
        }
    }
}

/// A part of the change feed.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct EventPage {
    /// The events, in the order of `sequence`. There may be none even if more follow.
    pub items: Vec<Event>,
    /// Maximum number of events.
    pub per_page: u32,
    /// Cursor behind these events. Keep it, and send it to continue here at any later time.
    pub next_cursor: String,
    /// Whether the end of the log was not reached. If so, continue at once.
    pub has_more: bool,
}

impl EventPage {
    /// The page that a request with these parameters returns.
    pub fn new(page: FeedPage, parameters: &Parameters, base_url: &str) -> Self {
        let with_items = parameters.text(&INCLUDE).is_some();
        let items = page.events.into_iter();
        Self {
            items: items
                .filter_map(|event| shown(event, with_items, base_url))
                .collect(),
            per_page: parameters.count(&EVENTS_PER_PAGE),
            next_cursor: page.next,
            has_more: page.has_more,
        }
    }
}
