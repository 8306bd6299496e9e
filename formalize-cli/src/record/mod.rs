//! The records that are printed, with the field names of the interface.

use formalize_core::{Actions, Timestamp};

mod authorization;
mod forms;
mod system;

pub(crate) use authorization::{Grant, Group, Membership, Resource, ResourceClass};
pub(crate) use forms::{Form, Submission};
pub(crate) use system::{Finding, MigrationStep, Policy, Token};

fn date(instant: Option<Timestamp>) -> Option<String> {
    instant.map(|instant| instant.to_string())
}

fn names(actions: &Actions) -> Vec<String> {
    actions.iter().map(ToString::to_string).collect()
}
