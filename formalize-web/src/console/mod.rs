//! The console: pages on which people look after forms, answers, groups and tokens.

mod form;
mod frame;
mod home;

pub use form::{FormOverviewPage, FormState, LinkPlaces};
pub use frame::{FormFrame, FormTab, Section};
pub use home::{ConsolePage, FormRow};
