//! A server with an administrator, and a client of it.

pub(crate) use formalize_tests::client::{Client, Installation};
