//! Authorization: all access decisions of the system.
//!
//! [`policy`] maps each operation to the permission it requires, and [`ways`] lists the rules that give a permission.
//! [`decision`] applies these rules to the caller's grants, and [`scope`] turns them into filters for list queries.
//! [`tags`] does the same for the tags of submissions, and [`audience`] says who could read what is deleted. The authorizer,
//! which fetches grants for decisions and scopes, is a module of its own.

pub(crate) mod audience;
pub(crate) mod authority;
pub mod condition;
pub(crate) mod decision;
#[cfg(feature = "forms")]
pub(crate) mod of_forms;
pub(crate) mod policy;
pub mod scope;
#[cfg(feature = "forms")]
pub(crate) mod tags;
#[cfg(test)]
mod tests;
pub(crate) mod ways;

pub use authority::Policies;
