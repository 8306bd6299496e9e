//! Every authorization decision of the system.
//!
//! [`policy`] says what an operation needs, [`ways`] what leads to an action. [`decision`] applies the ways to the grants
//! that a caller holds, [`scope`] hands them to the store for lists; the authorizer fetches the grants and calls both.

pub(crate) mod authority;
pub(crate) mod authorizer;
pub mod condition;
pub(crate) mod decision;
pub(crate) mod policy;
pub mod scope;
pub(crate) mod ways;

pub use authority::Policies;
