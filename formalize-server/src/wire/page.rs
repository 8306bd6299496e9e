//! Pages of lists.

use formalize_core as core;
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use super::Nullable;
use crate::contract::parameter::{CURSOR, PAGE, PER_PAGE, Parameters};

/// One page of a list.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Page<T: ParseFromJSON + ToJSON + Type + Send + Sync> {
    /// The items, in the order of their creation.
    pub items: Vec<T>,
    /// The number of the page; null where it was asked for by cursor.
    pub page: Nullable<u32>,
    /// The number of items on a page, at most.
    pub per_page: u32,
    /// Leads to the next page; null on the last.
    pub next_cursor: Nullable<String>,
}

impl<T: ParseFromJSON + ToJSON + Type + Send + Sync> Page<T> {
    /// The page that a request with these parameters asked for.
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
