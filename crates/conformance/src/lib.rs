//! The suites that every store of [`formalize_core`] must pass.
//!
//! | For | use |
//! |---|---|
//! | a [`Store`](formalize_core::Store) of records | [`conformance_suite!`], or [`store`] for a runner of your own |
//! | a [`FileStore`](formalize_core::file_store::FileStore) of the contents of files | [`file_store::run`] |
//!
//! Add this crate to the dev-dependencies of yours. The guide to stores of your own in the documentation of
//! `formalize-core` has a complete example.

#[doc(hidden)] // For the documentation of the library; not part of the public API.
pub mod example;
pub mod file_store;
pub mod store;
