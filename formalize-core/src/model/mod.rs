//! The values of the domain. They do no I/O, and their constructors reject invalid values.

pub(crate) mod action;
#[cfg(feature = "forms")]
pub(crate) mod batch;
pub(crate) mod change;
#[cfg(feature = "forms")]
pub(crate) mod changes;
pub(crate) mod deletion;
pub(crate) mod event;
pub(crate) mod event_type;
pub(crate) mod file;
pub(crate) mod form;
pub(crate) mod form_details;
pub(crate) mod grant;
pub(crate) mod group;
pub(crate) mod idempotency;
pub(crate) mod link;
pub(crate) mod membership;
#[cfg(feature = "forms")]
mod merge_patch;
pub(crate) mod resource;
pub(crate) mod subject;
pub(crate) mod submission;
pub(crate) mod tag;
#[cfg(feature = "forms")]
pub(crate) mod tag_change;
pub(crate) mod target;
pub(crate) mod text;
pub(crate) mod token;
#[cfg(feature = "forms")]
pub(crate) mod warning;
pub(crate) mod webhook;
pub(crate) mod words;
