//! The commands: one file per noun.

pub(crate) mod actions;
pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod completions;
mod demo;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod forms;
pub(crate) mod grants;
pub(crate) mod groups;
pub(crate) mod links;
pub(crate) mod man;
pub(crate) mod members;
pub(crate) mod migrate;
pub(crate) mod policies;
pub(crate) mod resources;
mod share;
pub(crate) mod submissions;
pub(crate) mod tokens;
pub(crate) mod verify;
pub(crate) mod webhooks;
