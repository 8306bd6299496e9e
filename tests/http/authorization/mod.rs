//! `/authorization/...`

mod actions;
mod checks;
mod dynamic_groups;
mod granted_actions;
mod grants;
mod groups;
mod me;
mod members;
mod resources;
