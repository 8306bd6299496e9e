//! Stores of records, and the promises that every store must keep.
//!
//! Each service call is one transaction: [`Store::read`] begins one that only reads, and [`Store::write`] one that
//! also writes.
//!
//! # Promises
//!
//! Every implementation keeps these promises. The suite in `conformance` refers to them by number.
//!
//! 1. **Atomic.** [`WriteTx::commit`] makes all writes of a transaction visible. If a transaction is dropped or fails,
//!    none of its writes takes effect.
//! 2. **Durable.** Committed writes survive the end of the process, except in a store in memory.
//! 3. **Snapshot.** A read transaction sees the same state of the store from its first query to its last.
//! 4. **Own writes.** A write transaction sees its own writes.
//! 5. **Exact text.** Strings are returned code point by code point, and are equal only if all code points are equal:
//!    differences in case, accents and blanks matter. Timestamps are returned to the millisecond.
//! 6. **Order.** Lists are ordered by identifier, and [`Window`] applies after all filters.
//! 7. **Unique.** Of two records with the same key, the second is rejected with [`Inserted::Exists`] and the
//!    transaction remains usable, even if both are inserted concurrently. The keys are: group and member of a
//!    membership; action, resource and subject of a grant; class and identifier of a resource; name of a setting.
//! 8. **Cascade.** Deleting a record also deletes everything that depends on it; see the methods.
//! 9. **Locks.** A record that was read with a `lock_…` method is not changed or deleted by another transaction before
//!    this one ends. The `lock_…_exclusive` methods admit one transaction at a time. Both see the latest committed
//!    state. [`WriteMemberships::lock_memberships`] admits one transaction at a time.
//! 10. **Counted.** [`Store::submit`] and [`WriteSubmissions::submit`] never let a creator exceed the cap of a form,
//!     whatever the number of transactions and servers.
//! 11. **Scopes.** A list contains exactly the rows of its scope. A store applies scopes; it decides nothing.
//! 12. **Nested groups.** Groups are found through memberships at any depth and on any number of paths, and the search
//!     terminates.
//! 13. **Errors.** If the store cannot be reached, or cannot begin a transaction in time, it returns
//!     [`StoreError::Unavailable`]; if it rejects the program's credentials, [`StoreError::Refused`]; if it has rolled
//!     back a transaction because of a deadlock, [`StoreError::Deadlock`]; and otherwise [`StoreError::Failed`].
//! 14. **Revocations.** If a store supports notifications, [`Revocations::next`] returns soon after each commit that
//!     deletes an API token, whichever process made it.
//!
//! Locks are taken in this order, so that transactions do not deadlock: memberships, groups, resources, forms,
//! submissions, places. Cascading deletions may lock in any order; a deletion that fails with [`StoreError::Deadlock`]
//! is retried.

use async_trait::async_trait;

use crate::id::Revision;
use crate::model::form::SubmissionCap;
use crate::model::submission::Submission;

pub use crate::authz::decision::HeldGrant;
pub use crate::authz::scope;
pub use crate::model::grant::GrantRecord;
pub use crate::model::token::SecretHash;
pub use crate::page::Window;
pub use principal::{FormFor, Principal, SubmissionFor};
pub use records::{
    ReadForms, ReadGrants, ReadGroups, ReadMemberships, ReadResources, ReadSettings,
    ReadSubmissions, ReadTokens, ReadTx, WriteForms, WriteGrants, WriteGroups, WriteMemberships,
    WriteResources, WriteSettings, WriteSubmissions, WriteTokens, WriteTx,
};

/// How names of groups are folded before they are searched; stores that search must fold alike.
pub use crate::model::text::fold_case;

pub mod compose;
pub mod memory;
mod principal;
mod records;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub mod sql;

#[cfg(feature = "conformance")]
pub mod conformance;

/// Why a store did not answer. The cause is for logs; it may name files and servers and is never shown to users.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached, or is too busy; the same call may succeed later.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The transaction and another one waited for each other, and it was undone so that the other could go on. The same
    /// may be done again at once.
    #[error("the store has undone what another transaction waited for: {0}")]
    Deadlock(String),
    /// The store refuses who this program says it is: a wrong password, a role that is not there.
    #[error("the store refuses the credentials: {0}")]
    Refused(String),
    /// The store failed, or holds what it cannot hold.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// The result of a call to a store.
pub type StoreResult<T> = Result<T, StoreError>;

/// Whether a record was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Inserted {
    /// It was.
    Done,
    /// There is one with the same key; nothing was written.
    Exists,
}

/// Keeps records, in transactions.
#[async_trait]
pub trait Store: Send + Sync {
    /// Begins a transaction that only reads.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached.
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>>;

    /// Like [`Store::read`], for one question: what is asked after the first may fail. A database answers a single
    /// question without the statements that begin and end a transaction. Other stores call [`Store::read`].
    ///
    /// # Errors
    ///
    /// When the store cannot be reached.
    async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>>;

    /// Begins a transaction that also writes. Dropped without [`WriteTx::commit`] it leaves no trace.
    ///
    /// A store may let transactions in one after the other, and make several durable together. So nobody may wait for
    /// the end of one transaction while holding another.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached or is too busy.
    async fn write(&self) -> StoreResult<Box<dyn WriteTx>>;

    /// Does what [`WriteSubmissions::submit`] does, in a transaction of its own that is committed if it wrote something. A
    /// database may do it without the statements that begin and end a transaction. Other stores call [`compose::submit`].
    ///
    /// # Errors
    ///
    /// When the store cannot be reached or is too busy.
    async fn submit(
        &self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
    ) -> StoreResult<bool>;

    /// Begins to listen for API tokens that any process deletes. `None`: the store cannot report them.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached.
    async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>>;

    /// Whether the store can be reached at this moment.
    ///
    /// # Errors
    ///
    /// When it cannot.
    async fn ping(&self) -> StoreResult<()>;

    /// Waits for what is under way, then lets go of connections and files.
    async fn close(&self);
}

/// News of deleted API tokens, from [`Store::revocations`] on.
#[async_trait]
pub trait Revocations: Send {
    /// Waits until tokens have been deleted, or may have been, since the last answer.
    ///
    /// # Errors
    ///
    /// When there will be no more news.
    async fn next(&mut self) -> StoreResult<()>;
}
