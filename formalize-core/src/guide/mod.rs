//! The manual, by task.
//!
//! | you want to | read |
//! |---|---|
//! | understand who may do what, and why | [`authorization`] |
//! | authorize access to the things of your own application | [`own_resources`] |
//! | put forms into an application on axum | [`embed_in_axum`] |
//! | put forms into an application on poem | [`embed_in_poem`] |
//! | keep records in the database that your application has open already | [`existing_pool`] |
//! | keep records somewhere else | [`own_store`] |
//!
//! The [front page](crate) has a first program and says what the parts are. What is shown here is compiled and run by
//! the tests of this crate, unless it says why not; complete programs are in the folder `examples` of the repository.

#[doc = include_str!("authorization.md")]
pub mod authorization {}

#[doc = include_str!("own_resources.md")]
pub mod own_resources {}

#[doc = include_str!("embed_in_axum.md")]
pub mod embed_in_axum {}

#[doc = include_str!("embed_in_poem.md")]
pub mod embed_in_poem {}

#[cfg(all(feature = "sqlite", feature = "postgres"))]
#[doc = include_str!("existing_pool.md")]
pub mod existing_pool {}

#[cfg(feature = "conformance")]
#[doc = include_str!("own_store.md")]
pub mod own_store {}
