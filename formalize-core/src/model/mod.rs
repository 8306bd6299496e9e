//! The values of the domain: no I/O, and none that cannot be.

pub(crate) mod action;
pub(crate) mod form;
pub(crate) mod grant;
pub(crate) mod group;
pub(crate) mod membership;
pub(crate) mod resource;
pub(crate) mod subject;
pub(crate) mod submission;
pub(crate) mod text;
pub(crate) mod token;
