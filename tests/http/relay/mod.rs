//! The interface for the Relay web client, as that client uses it.

mod authorization;
mod base;
mod errors;
mod form_data;
mod forms;
mod general;
mod lists;
mod order;
mod rights;
mod submissions;
mod support;
mod tags;
