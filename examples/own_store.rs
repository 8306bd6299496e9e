//! A store of one's own: one that can be frozen, so that a backup or a move of the database finds it at rest.
//!
//! It wraps another store and changes one thing. A store that keeps records in its own way implements the traits of
//! its records as well; either way the suite says whether it keeps its promises: `cargo test -p formalize-examples`.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use formalize_core::store::memory::MemoryStore;
use formalize_core::store::{ReadTx, Revocations, Store, StoreError, StoreResult, WriteTx};
use formalize_core::{
    Caller, Formalize, GroupFilter, GroupName, NewGroup, PageRequest, Revision, Submission,
    events::EventId,
    forms::{SubmissionCap, SubmissionLimit},
    idempotency::KeptResponse,
};

/// A store that takes no new writes while it is frozen. Those that have begun go on; reads go on.
struct FreezableStore {
    inner: Arc<dyn Store>,
    frozen: AtomicBool,
}

impl FreezableStore {
    fn new(inner: Arc<dyn Store>) -> Self {
        Self {
            inner,
            frozen: AtomicBool::new(false),
        }
    }

    fn freeze(&self, frozen: bool) {
        self.frozen.store(frozen, Ordering::SeqCst);
    }

    fn check(&self) -> StoreResult<()> {
        if self.frozen.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("the store is frozen".to_owned()));
        }
        Ok(())
    }
}

// A wrapper passes every method on. If a method ever gets a default, the lint reports that it is missing here: the default
// would bypass the fast path of the store inside.
#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl Store for FreezableStore {
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.inner.read().await
    }

    async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.inner.read_once().await
    }

    async fn read_long(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.inner.read_long().await
    }

    async fn write(&self) -> StoreResult<Box<dyn WriteTx>> {
        self.check()?;
        self.inner.write().await
    }

    async fn submit(
        &self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
        event: Option<EventId>,
        kept: &[KeptResponse],
    ) -> StoreResult<bool> {
        self.check()?;
        self.inner
            .submit(submission, form, cap, limit, event, kept)
            .await
    }

    async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>> {
        self.inner.revocations().await
    }

    async fn ping(&self) -> StoreResult<()> {
        self.inner.ping().await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = Arc::new(FreezableStore::new(Arc::new(MemoryStore::new())));
    let shared: Arc<dyn Store> = store.clone();
    let formalize = Formalize::builder(shared).build().await?;
    let new = || GroupName::new("Reading circle").map(|name| NewGroup { name });

    formalize.groups().create(&Caller::System, new()?).await?;
    store.freeze(true);
    let refused = formalize.groups().create(&Caller::System, new()?).await;
    assert!(matches!(
        refused,
        Err(formalize_core::Error::Store(StoreError::Unavailable(_)))
    ));

    let page = formalize
        .groups()
        .list(
            &Caller::System,
            &GroupFilter::default(),
            &PageRequest::default(),
        )
        .await?;
    assert_eq!(page.items.len(), 1, "what is there can still be read");
    Ok(())
}

#[cfg(test)]
mod suite {
    use super::*;

    fn empty_store() -> Arc<dyn Store> {
        Arc::new(FreezableStore::new(Arc::new(MemoryStore::new())))
    }

    formalize_conformance::conformance_suite!(std::future::ready(empty_store()));
}
