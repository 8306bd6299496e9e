//! The values of the domain: no I/O, and none that cannot be.

pub mod action;
pub mod data_schema;
pub mod form;
pub mod grant;
pub mod group;
pub mod membership;
pub mod resource;
pub mod subject;
pub mod submission;
pub(crate) mod text;
pub mod token;
