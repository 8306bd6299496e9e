//! The rules of the interface, sentence by sentence, as far as the library decides them and no table shows them.

use std::fmt::Debug;

use formalize_core::{Caller, Error, Result};

mod batches;
mod cursors;
mod events;
mod exact_text;
mod explanations;
mod exports;
mod feed;
mod file_holds;
mod files;
mod forms;
mod grants;
mod groups;
mod imports;
mod keys;
mod large_pages;
mod limits;
mod links;
mod maintenance;
mod managing;
mod memberships;
mod parts;
mod policies;
mod resources;
mod revisions;
mod sessions;
mod sharing;
mod submission_data;
mod submissions;
mod summaries;
mod tags;
mod tokens;
mod transactions;
mod webhooks;

const SYSTEM: &Caller = &Caller::System;

/// Asserts that a call failed with this error, given as it is written in code.
#[track_caller]
fn fails<T: Debug>(outcome: Result<T, impl Into<Error>>, error: &str) {
    match outcome.map_err(Into::<Error>::into) {
        Ok(done) => panic!("expected {error}, got {done:?}"),
        Err(actual) => assert_eq!(format!("{actual:?}"), error),
    }
}
