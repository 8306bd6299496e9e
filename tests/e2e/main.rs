//! The real programs over sockets, on both databases.

mod client;
mod durability;
mod first_form;
mod life;
mod races;
mod schemas;
