//! Pages of lists.

use formalize_core as core;
use formalize_http::contract::parameter::{CURSOR, PAGE, PER_PAGE};
use formalize_http::request::Parameters;
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use super::OrNull;

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
