//! The suite that every file store must pass: one case for each aspect of the promises of [`file_store`](formalize_core::file_store).
//!
//! A case is an async function with an empty store as its parameter. It panics with the broken promise. To test a store of
//! your own, say how to make an empty one:
//!
//! ```
//! use std::sync::Arc;
//! use formalize_core::file_store::FileStore;
//! use formalize_core::file_store::memory::MemoryFileStore;
//!
//! formalize_conformance::file_store::run(|| {
//!     let store: Arc<dyn FileStore> = Arc::new(MemoryFileStore::default());
//!     (store, ())
//! });
//! ```
//!
//! Promise 2 (durability) is not tested, because that requires killing a process. Promise 3 is tested as far as it can be seen
//! from outside: contents are larger than what a store keeps of them at a time.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "cases fail by panicking"
)]

use std::pin::Pin;
use std::sync::Arc;

use formalize_core::file_store::FileStore;

mod cases;

type CaseFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A case of the suite. Its parameter is an empty store.
type Case = fn(Arc<dyn FileStore>) -> CaseFuture;

macro_rules! cases {
    ($($case:ident)+) => {
        /// Every case by name.
        const CASES: &[(&str, Case)] = &[$((stringify!($case), |store| Box::pin(cases::$case(store)))),+];
    };
}

cases! {
    contents_come_back_exactly
    ranges_come_back_exactly
    what_is_not_there_is_missing
    a_broken_content_leaves_nothing
    a_dropped_put_leaves_nothing
    what_is_not_complete_is_not_found
    a_deleted_content_is_gone
    deleting_during_a_put_leaves_nothing
    lists_have_every_content_once
    a_deleted_content_is_read_to_its_end_or_not
    puts_at_the_same_time_do_not_mix
}

/// Runs every case on a new, empty store, which `empty_store` makes with a value that must live as long, such as a temporary
/// folder.
///
/// # Panics
///
/// If the store breaks a promise. The message has the name of the case.
pub fn run<G: Send>(empty_store: impl Fn() -> (Arc<dyn FileStore>, G)) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap();
    for (name, case) in CASES {
        runtime.block_on(async {
            let (store, guard) = empty_store();
            let ran = tokio::spawn(case(store)).await;
            assert!(ran.is_ok(), "the case `{name}` failed");
            drop(guard);
        });
    }
}
