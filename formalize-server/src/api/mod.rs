//! The handlers, with one file for each kind of record. A handler only converts: it parses a request, calls the core
//! and builds the response.

mod actions;
pub mod batch_results;
mod body;
pub mod caller;
pub mod checked;
mod created;
pub mod documents;
mod events;
mod expectation;
mod feed_reply;
mod feed_request;
mod file_content;
mod form_body;
mod form_links;
mod forms;
mod grants;
mod groups;
mod item;
mod keyed;
mod me;
mod members;
pub mod page;
mod path;
mod query;
mod repeated;
mod reply;
mod resources;
mod service;
mod submissions;
mod submitted_files;
#[cfg(test)]
mod tests;
mod uploads;
mod webhooks;

use std::{str::FromStr, sync::Arc};

use form_body::submission;
use formalize_core::{Caller, Error, Formalize, webhooks::WebhookTransport};
use formalize_http::auth::{ApiTokens, Authenticate};
use formalize_http::exports::Exports;
use formalize_http::failure::Refusal;
use formalize_http::rate::{Holder, RateLimits, Reservation, ResponsesBudget, Share};
use formalize_http::readiness::{Readiness, Stopping};
use formalize_webhook_sender::NoWebhookTransport;
use poem_openapi::{OpenApi, Tags};

use crate::feed::Streams;

pub use body::Body;
pub use created::{Created, CreatedBatch, SentText};
pub use expectation::Expectation;
pub use feed_reply::{Feed, FeedListed};
pub use feed_request::FeedHeaders;
pub use file_content::SentContent;
pub use form_body::{BodyOrForm, SentForm};
pub use item::{Item, Located};
pub use keyed::Keyed;
pub use path::PathText;
pub use query::Query;
pub use repeated::Repeatable;
pub use reply::{
    Accepted, Changed, Composed, Deleted, DeletedOrCounted, FormQuestions, Found, Links, Listed,
    NoStore, SentDocument,
};
pub use submitted_files::AddedFile;
pub use uploads::SentFile;

/// The tags that the OpenAPI document groups operations by.
#[derive(Tags)]
enum Part {
    /// Groups of users and of other groups. Grants to a group are grants to all its members, at any depth.
    Groups,
    /// The direct members of groups: users, and other groups with all their members.
    #[oai(rename = "Group members")]
    Members,
    /// The resources that grants are on: items of a class, such as a form, or the collection of a class.
    Resources,
    /// Permissions: a grant allows one holder to perform one action on one resource. `manage` implies every action,
    /// and allows sharing.
    Grants,
    /// The actions that each class defines, the caller and their actions, and the dynamic groups of the configuration.
    Actions,
    /// Forms define what can be submitted, by whom, when and how often. A JSON Schema describes the data.
    Forms,
    /// Submissions to forms, and drafts of them.
    Submissions,
    /// Files of submissions.
    #[oai(rename = "Submitted files")]
    SubmittedFiles,
    /// Public links: anyone who has one may submit to a form, and do nothing else.
    #[oai(rename = "Form links")]
    FormLinks,
    /// Webhooks send the events of a form to a URL, signed as the Standard Webhooks specification says.
    Webhooks,
    /// The change feed: what happened to the records that the caller may read.
    Events,
    /// The state and version of the service; no credentials are needed.
    Service,
}

/// The tags in the order of the OpenAPI document.
pub(crate) const TAGS: [&str; 12] = [
    "Forms",
    "Submissions",
    "Submitted files",
    "Form links",
    "Webhooks",
    "Events",
    "Grants",
    "Groups",
    "Group members",
    "Resources",
    "Actions",
    "Service",
];

/// Responses up to this size, in bytes, are composed in well under a millisecond.
const LIGHT: usize = 64 * 1024;

/// The shared state of the handlers. Large pages reserve memory from the budget `responses`.
#[derive(Clone)]
pub struct Context {
    pub(crate) core: Formalize,
    pub(crate) links: Links,
    pub(crate) rates: Arc<RateLimits>,
    pub(crate) responses: ResponsesBudget,
    pub(crate) exports: Exports,
    pub(crate) streams: Streams,
    pub(crate) authenticate: Arc<dyn Authenticate>,
    pub(crate) transport: Arc<dyn WebhookTransport>,
}

impl Context {
    /// The state that describes the interface, without what a running server has.
    pub(crate) fn without_server(core: Formalize) -> Self {
        Self {
            authenticate: Arc::new(ApiTokens(core.clone())),
            core,
            links: Links::new(""),
            rates: Arc::default(),
            responses: ResponsesBudget::new(0),
            exports: Exports::default(),
            streams: Streams::default(),
            transport: Arc::new(NoWebhookTransport),
        }
    }

    /// Counts a request about many items like several requests.
    ///
    /// # Errors
    ///
    /// A refusal if the caller may not send so many now.
    fn count_items(&self, caller: &Caller, items: usize) -> Result<(), Refusal> {
        let share = self.rates.of_items(caller, items);
        match share.filter(Share::is_used_up) {
            Some(share) => Err(Refusal::too_many_items(share.more_in())),
            None => Ok(()),
        }
    }

    /// Reserves memory for a response that will be large, before anything is done.
    ///
    /// # Errors
    ///
    /// A refusal if too much memory is in use.
    fn reserve(&self, caller: &Caller, bytes: usize) -> Result<Option<Reservation>, Refusal> {
        if bytes <= LIGHT {
            return Ok(None);
        }
        let holder = Holder::with_credentials(caller);
        let reserved = self.responses.reserve(Some(&holder), bytes);
        reserved
            .map(Some)
            .ok_or_else(Refusal::no_memory_for_response)
    }
}

/// All operations of the interface.
pub fn operations(context: Context, stopping: Stopping) -> impl OpenApi {
    let readiness = Readiness::new(Arc::clone(context.core.store()), stopping);
    (
        groups::Groups(context.clone()),
        members::Members(context.clone()),
        resources::Resources(context.clone()),
        grants::Grants(context.clone()),
        actions::Actions(context.clone()),
        me::Me(context.clone()),
        forms::Forms(context.clone()),
        submissions::Submissions(context.clone()),
        submitted_files::SubmittedFiles(context.clone()),
        form_links::FormLinks(context.clone()),
        webhooks::Webhooks(context.clone()),
        events::Events(context.clone()),
        service::Service {
            readiness,
            formalize: context.core,
        },
    )
}

/// Parses the identifier in a path or a query. Text that is not a UUID matches no record, so the error is `missing`.
fn parse_id<T: FromStr>(text: &str, missing: Error) -> Result<T, Error> {
    text.parse().map_err(|_| missing)
}
