//! Every authorization decision of the system.
//!
//! [`policy`] says what an operation needs, [`decision`] what follows from the grants that a caller holds, [`scope`] the
//! same for lists; the authorizer fetches the grants and asks them.

pub(crate) mod authority;
pub(crate) mod authorizer;
pub mod condition;
pub(crate) mod decision;
pub(crate) mod policy;
pub mod scope;

pub use authority::Policies;
