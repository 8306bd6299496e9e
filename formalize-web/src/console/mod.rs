//! The console: pages on which people look after forms, answers, groups and tokens.

mod editor;
mod editor_cards;
mod editor_words;
mod form;
mod frame;
mod home;
mod template;

pub use editor::{EditorNotice, EditorPage, EditorView, NewFormPage};
pub use form::{FormOverviewPage, FormState, LinkPlaces};
pub use frame::{FormFrame, FormTab, Section};
pub use home::{ConsolePage, FormRow};
pub use template::Template;
