//! The handlers, with one file for each kind of record. A handler only converts: it parses a request, calls the core
//! and builds the response.

mod actions;
mod created;
mod events;
mod expectation;
mod form_links;
mod forms;
mod grants;
mod groups;
mod keyed;
mod members;
mod path;
mod query;
mod reply;
mod resources;
mod service;
mod submissions;
#[cfg(test)]
mod tests;

use std::{str::FromStr, sync::Arc};

use formalize_core::{Caller, Error, Formalize};
use poem_openapi::{OpenApi, Tags};

use crate::{
    exports::Exports,
    failure::Refusal,
    rate::{RateLimits, ResponsesBudget, Share},
    readiness::{Readiness, Stopping},
};

pub use created::{Created, SentText};
pub use expectation::Expectation;
pub use keyed::Keyed;
pub use path::PathText;
pub use query::Query;
pub use reply::{
    Changed, Composed, Deleted, Exported, FeedListed, FormQuestions, Found, Links, Listed,
};

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
    /// The actions that each class defines, the caller's actions, and the dynamic groups of the configuration.
    Actions,
    /// Forms define what can be submitted, by whom, when and how often. A JSON Schema describes the data.
    Forms,
    /// Submissions to forms, and drafts of them.
    Submissions,
    /// Public links: whoever has one may submit to a form, and do nothing else.
    #[oai(rename = "Form links")]
    FormLinks,
    /// The change feed: what happened to the records that the caller may read.
    Events,
    /// The state and version of the service; no credentials are needed.
    Service,
}

/// The tags in the order of the OpenAPI document.
pub(crate) const TAGS: [&str; 10] = [
    "Forms",
    "Submissions",
    "Form links",
    "Events",
    "Grants",
    "Groups",
    "Group members",
    "Resources",
    "Actions",
    "Service",
];

/// The shared state of the handlers.
#[derive(Clone)]
pub struct Context {
    core: Formalize,
    links: Links,
    rates: Arc<RateLimits>,
    responses: ResponsesBudget,
    exports: Exports,
}

impl Context {
    /// Creates the state; large pages reserve memory from this budget.
    pub fn new(
        core: Formalize,
        links: Links,
        rates: Arc<RateLimits>,
        responses: ResponsesBudget,
        exports: Exports,
    ) -> Self {
        Self {
            core,
            links,
            rates,
            responses,
            exports,
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
        forms::Forms(context.clone()),
        submissions::Submissions(context.clone()),
        form_links::FormLinks(context.clone()),
        events::Events(context),
        service::Service(readiness),
    )
}

/// Parses the identifier in a path or a query. Text that is not a UUID matches no record, so the error is `missing`.
fn parse_id<T: FromStr>(text: &str, missing: Error) -> Result<T, Error> {
    text.parse().map_err(|_| missing)
}
