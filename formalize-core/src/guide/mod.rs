//! Guides by task.
//!
//! | To | read |
//! |---|---|
//! | understand permissions | [`authorization`] |
//! | authorize access to the things of your own application | [`own_resources`] |
//! | embed forms in an application on axum | [`embed_in_axum`] |
//! | embed forms in an application on poem | [`embed_in_poem`] |
//! | keep a search index or a mirror up to date | [`events`] |
//! | implement a store | [`own_store`] |
//!
//! The [front page](crate) has a first program and an overview. The tests of this crate compile and run the examples, unless
//! stated otherwise. The folder `examples` of the repository has complete programs.

#[doc = include_str!("authorization.md")]
pub mod authorization {}

#[doc = include_str!("own_resources.md")]
pub mod own_resources {}

#[doc = include_str!("embed_in_axum.md")]
pub mod embed_in_axum {}

#[doc = include_str!("embed_in_poem.md")]
pub mod embed_in_poem {}

#[doc = include_str!("events.md")]
pub mod events {}

#[doc = include_str!("own_store.md")]
pub mod own_store {}
