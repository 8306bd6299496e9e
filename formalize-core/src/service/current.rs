//! The current state of a record, returned if the caller expected a different one.

use super::{FormView, Viewed};
use crate::model::grant::Grant;
use crate::model::group::Group;
use crate::model::membership::Membership;
use crate::model::submission::Submission;

/// A record in its current state, with what the caller may see of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Current {
    /// A group.
    Group(Viewed<Group>),
    /// A membership.
    Membership(Membership),
    /// A grant.
    Grant(Viewed<Grant>),
    /// A form.
    Form(FormView),
    /// A submission.
    Submission(Viewed<Submission>),
}

macro_rules! current {
    ($($variant:ident($record:ty))+) => {$(
        impl From<$record> for Current {
            fn from(record: $record) -> Self {
                Self::$variant(record)
            }
        }
    )+};
}

current! {
    Group(Viewed<Group>)
    Membership(Membership)
    Grant(Viewed<Grant>)
    Form(FormView)
    Submission(Viewed<Submission>)
}
