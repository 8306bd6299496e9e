//! The handlers: one file for each kind of record. A handler takes a request apart, asks the core,
//! and puts the answer together; it decides nothing.

mod actions;
mod expectation;
mod forms;
mod grants;
mod groups;
mod members;
mod query;
mod reply;
mod resources;
mod service;
mod submissions;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use formalize_core::Formalize;
use poem_openapi::{OpenApi, Tags};

use crate::life::{Readiness, Stopping};

pub use expectation::Expectation;
pub use query::Query;
pub use reply::{Changed, Created, Deleted, Found, Links, Listed};

/// The parts that the OpenAPI document groups operations by.
#[derive(Tags)]
enum Part {
    /// Groups of users and of other groups.
    Groups,
    /// Who belongs to a group, directly.
    #[oai(rename = "Group members")]
    Members,
    /// What grants are made on.
    Resources,
    /// Who may do what.
    Grants,
    /// What can be done to resources, and what the caller may do.
    Actions,
    /// What can be submitted, by whom, when and how often.
    Forms,
    /// What was submitted.
    Submissions,
    /// The service itself.
    Service,
}

/// What every handler works with; clones share it.
#[derive(Clone)]
struct Context {
    formalize: Formalize,
    links: Links,
}

/// Every operation of the interface.
pub fn operations(formalize: Formalize, links: Links, stopping: Stopping) -> impl OpenApi {
    let readiness = Readiness::new(Arc::clone(formalize.store()), stopping);
    let context = Context { formalize, links };
    (
        groups::Groups(context.clone()),
        members::Members(context.clone()),
        resources::Resources(context.clone()),
        grants::Grants(context.clone()),
        actions::Actions(context.clone()),
        forms::Forms(context.clone()),
        submissions::Submissions(context),
        service::Service(readiness),
    )
}
