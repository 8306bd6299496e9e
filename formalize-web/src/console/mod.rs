//! The console: pages on which people look after forms, answers, groups and tokens.

mod answers;
mod chart;
mod editor;
mod editor_cards;
mod editor_words;
mod form;
mod frame;
mod groups;
mod home;
mod links;
mod parts;
mod reach;
mod settings;
mod sharing;
mod summary;
mod template;
mod tokens;
mod webhooks;
mod why;

pub use answers::{AnswerColumn, AnswerRow, AnswersFilter, AnswersPage, DeleteAllPage};
pub use editor::{EditorNotice, EditorPage, EditorView, NewFormPage};
pub use form::{FormOverviewPage, FormState, LinkPlaces};
pub use frame::{FormFrame, FormTab, Section};
pub use groups::{DeleteGroupPage, GroupMember, GroupPage, GroupsPage};
pub use home::{ConsolePage, FormRow};
pub use links::{CreatedLink, LinkPage, LinkRow, LinkValues, LinksPage};
pub use parts::Problems;
pub use reach::{Reached, ReachedKind};
pub use settings::{SettingsPage, SettingsValues};
pub use sharing::{Entry, Grantee, Holder, Right, SharingPage};
pub use summary::SummaryPage;
pub use template::Template;
pub use tokens::{TokenRow, TokensPage};
pub use webhooks::{
    AttemptRow, DeleteWebhookPage, DeliveryList, DeliveryPage, DeliveryRow, WebhookNotice,
    WebhookPage, WebhookRow, WebhookValues, WebhooksPage,
};
pub use why::{PermissionReason, Why, WhyRow};
