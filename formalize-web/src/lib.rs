//! The web pages of formalize: forms that people fill in.
//!
//! This crate makes HTML from the questions of a form, and nothing else: it reads no request, calls no service and decides
//! nothing. Which questions there are, and what a page's entries mean, is decided by [`formalize_core::questions`].
//!
//! Pages work without scripts; [`Asset::Script`] shows questions that depend on an answer without loading the page again.
//! It posts the form with the header `X-Page-Part: 1`, and expects what is inside `main`. Nothing is inline, so a strict
//! content security policy can be used, with Trusted Types for the policy `page`. All texts of people are escaped.
//!
//! ```
//! use formalize_core::{DataSchema, FormName, forms::FormHead};
//! use formalize_core::questions::Questions;
//! use formalize_web::{FormPage, Language, Shell};
//!
//! let schema = DataSchema::compile(r#"{"properties": {"name": {"type": "string"}}}"#)?;
//! let questions = Questions::of(Some(&schema), None, Some("en"))?;
//! let shell = Shell::new(Language::English);
//! let form = FormHead::named(FormName::new("Guest book")?);
//! let page = FormPage::new(Some(&form), &questions).render(&shell);
//! assert!(page.contains(r#"<input type="text" id="q/name" name="/name""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod asset;
mod autocomplete;
mod choice;
mod console;
mod field;
mod file_field;
mod file_words;
mod form;
mod language;
mod message;
mod moment;
mod notes;
mod notice;
mod problem;
mod reading;
mod shell;
mod sign_in;

pub use asset::Asset;
pub use console::{
    AnswerColumn, AnswerRow, AnswersFilter, AnswersPage, AttemptRow, ConsolePage, CreatedLink,
    DeleteAllPage, DeleteGroupPage, DeleteWebhookPage, DeliveryList, DeliveryPage, DeliveryRow,
    EditorNotice, EditorPage, EditorView, Entry, FormFrame, FormOverviewPage, FormRow, FormState,
    FormTab, Grantee, GroupMember, GroupPage, GroupsPage, Holder, LinkPage, LinkPlaces, LinkRow,
    LinkValues, LinksPage, NewFormPage, PermissionReason, Problems, Reached, ReachedKind, Right,
    Section, SettingsPage, SettingsValues, SharingPage, SummaryPage, Template, TokenRow,
    TokensPage, WebhookNotice, WebhookPage, WebhookRow, WebhookValues, WebhooksPage, Why, WhyRow,
};
pub use file_field::ShownFile;
pub use form::{FormPage, HONEYPOT};
pub use language::Language;
pub use message::{DeletePage, EndedPage, MessagePage, SentPage};
pub use moment::LocalTime;
pub use notice::Notice;
pub use reading::ReadingPage;
pub use shell::{Account, Shell};
pub use sign_in::{FirstSignInPage, SignInFailedPage, SignInPage};

#[cfg(test)]
mod tests;
