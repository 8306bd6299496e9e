//! A server with an administrator, and its client.

pub(crate) use formalize_tests::client::{Client, Installation};
