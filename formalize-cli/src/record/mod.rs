//! How records are printed: their columns in tables. Records that REST also has are declared in `formalize-views`.

use formalize_core::Timestamp;
use serde_json::{Map, Value};

use crate::output::{Column, cell};

pub(crate) mod answers;
mod authorization;
mod deletion;
mod events;
mod files;
mod forms;
mod links;
mod questions;
mod system;
mod webhooks;

pub(crate) use authorization::{Grant, Membership, Resource};
pub(crate) use events::EventSubscription;
pub(crate) use files::{FileHold, SubmittedFile};
pub(crate) use forms::{CountedForm, Form, MOST_ANSWERS, Submission};
pub(crate) use questions::Question;
pub(crate) use system::{Finding, MigrationStep, Policy, Token};
pub(crate) use webhooks::DeliveryWithAttempts;

fn date(instant: Option<Timestamp>) -> Option<String> {
    instant.map(|instant| instant.to_string())
}

/// The text of the field that a column shows.
fn field(column: &Column, fields: &Map<String, Value>) -> String {
    fields.get(&*column.field).map(cell).unwrap_or_default()
}
