//! Stores of records, and the promises that every store must keep.
//!
//! Each service call is one transaction: [`Store::read`] begins one that only reads, and [`Store::write`] one that
//! also writes.
//!
//! # Promises
//!
//! Every implementation keeps these promises. The suite in `formalize-conformance` refers to them by number.
//!
//! 1. **Atomic.** [`OwnedTx::commit`] makes all writes of a transaction visible. If a transaction is dropped or fails,
//!    none of its writes takes effect.
//! 2. **Durable.** Committed writes survive the end of the process, except in a store in memory.
//! 3. **Snapshot.** A read transaction sees the same state of the store from its first query to its last.
//! 4. **Own writes.** A write transaction sees its own writes.
//! 5. **Exact text.** Strings are returned code point by code point, and are equal only if all code points are equal:
//!    differences in case, accents and blanks matter. Timestamps are returned to the millisecond.
//! 6. **Order.** Lists are ordered by identifier, and [`Window`] applies after all filters. [`Selection`] can reverse the
//!    order of submissions.
//! 7. **Unique.** Of two records with the same key, the second is rejected with [`Inserted::Exists`] and the
//!    transaction remains usable, even if both are inserted concurrently. The keys are: group and member of a
//!    membership; action, resource and subject of a grant; class and identifier of a resource; name of a setting; owner and
//!    key of a kept response that has not expired.
//! 8. **Cascade.** Deleting a record also deletes everything that depends on it; see the methods.
//! 9. **Locks.** A record that was read with a `lock_…` method is not changed or deleted by another transaction before
//!    this one ends. The `lock_…_exclusive` methods admit one transaction at a time. Both see the latest committed
//!    state. [`WriteMemberships::lock_memberships`] admits one transaction at a time.
//! 10. **Counted.** [`Store::submit`] and [`WriteSubmissions::submit`] never let a creator exceed the cap of a form, and
//!     they and [`WriteSubmissions::take_form_place`] never let a form exceed its limit, whatever the number of
//!     transactions and servers.
//! 11. **Scopes.** A list contains exactly the rows of its scope. A store applies scopes; it decides nothing.
//! 12. **Nested groups.** Groups are found through memberships at any depth and on any number of paths, and the search
//!     terminates.
//! 13. **Errors.** If the store cannot be reached, or cannot begin a transaction in time, it returns
//!     [`StoreError::Unavailable`]; if it lost its connection, [`StoreError::Disconnected`], or
//!     [`StoreError::Uncertain`] if it had begun to commit; if it rejects the program's credentials,
//!     [`StoreError::Refused`]; if it has rolled back a transaction because of a conflict with another one,
//!     [`StoreError::Conflict`]; if a transaction has waited too long for the end of another one,
//!     [`StoreError::LockTimeout`]; and otherwise [`StoreError::Failed`].
//! 14. **Revocations.** If a store supports notifications, [`Revocations::next`] returns soon after each commit that
//!     deletes an API token or a session, whichever process made it, except for sessions that have ended anyway.
//! 15. **Long reads.** A transaction of [`Store::read_long`] keeps the promises of a read transaction while it is used at
//!     least every ten seconds, and no other transaction waits for it.
//! 16. **Logged.** An event that a transaction appends is in the log if and only if the transaction is committed.
//!     [`Store::submit`] and [`WriteSubmissions::submit`] append the event with the submission.
//! 17. **Dense and final.** The positions of events begin at 1 and have no gaps. No event is added at or before a position
//!     that was read. An event keeps its position, and all processes see the same.
//! 18. **In order for a record.** Events about the same record have the order in which the changes were committed, and an
//!     event about a form whose lock was exclusive has its order with respect to all submissions of the form.
//! 19. **In order as observed.** The event of a transaction that began after another was committed, by whichever process,
//!     has a higher position.
//! 20. **Frozen.** [`Store::submit`] and [`WriteSubmissions::submit`] keep the data, files and tags of a submission with its
//!     event if an enabled webhook with the payload *full* sends that event.
//! 21. **Delivered in order.** A delivery is leased only when no earlier one of its webhook about the same thing is pending,
//!     by one holder at a time, and never more of them at a time than [`WriteWebhooks::lease_deliveries`] says.
//!
//! 22. **Files.** A file belongs to one submission at most. Once [`WriteFiles::expire_files`] has returned it, or it has lost
//!     its submission, it never gets one. Whatever deletes a submission, its files are among the unused ones afterwards. A hold
//!     on files is listed until it ends or is deleted.
//! 23. **Quota.** [`WriteFiles::change_files`] never lets the files in a creator's submissions of a form grow beyond the
//!     quota, whatever the number of transactions and servers.
//!
//! Locks are taken in this order, so that transactions do not deadlock: memberships, groups, resources, links, forms,
//! submissions, places of forms, places of creators, files, webhooks, subscriptions, deliveries, kept responses, the event log.
//! Cascading deletions may lock in any order; a deletion that fails with [`StoreError::Conflict`] is retried.

use async_trait::async_trait;

use crate::id::{EventId, Revision};
use crate::model::form::{SubmissionCap, SubmissionLimit};
use crate::model::idempotency::KeptResponse;
use crate::model::submission::Submission;

pub use crate::authz::decision::HeldGrant;
pub use crate::authz::scope;
pub use crate::model::grant::GrantRecord;
pub use crate::model::token::SecretHash;
pub use crate::model::webhook::SealedSecret;
use crate::offload::OffloadError;
pub use crate::page::{Selection, Window};
pub use event_data::StoredEventData;
pub use event_log::{EventLog, EventPlace, EventWindow};
pub use part::Part;
pub use principal::{FormFor, Principal, SubmissionFor, SubmissionHeader};
pub(crate) use records::CURSOR_KEY;
pub use records::{
    OwnedTx, ReadEvents, ReadFiles, ReadForms, ReadGrants, ReadGroups, ReadKeptResponses,
    ReadLinks, ReadMemberships, ReadResources, ReadSettings, ReadSubmissions, ReadTokens, ReadTx,
    WriteEvents, WriteFiles, WriteForms, WriteGrants, WriteGroups, WriteKeptResponses, WriteLinks,
    WriteMemberships, WriteResources, WriteSettings, WriteSubmissions, WriteTokens, WriteTx,
};
pub use webhook::{
    DeliveryProgress, FinishedAttempt, LeasedDelivery, LeasedWebhook, NewDelivery,
    PendingDeliveries, Requeued, WebhookReader, WebhookResult, WebhookScope, WebhookSecrets,
};
pub use webhooks::{LeaseLimits, ReadWebhooks, WriteWebhooks};

/// Folds names of groups for searching. Stores that implement the search must fold in the same way.
pub use crate::model::text::fold_case;

/// Ways to write several records with methods that write one.
pub mod compose {
    pub use super::records::{keep, submit_all};
}
mod event_data;
mod event_log;
pub mod memory;
mod part;
mod principal;
mod records;
mod webhook;
mod webhooks;

/// Why a call to a store failed. The cause is for logs. It may contain names of files and servers, and is never shown
/// to users.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached or is too busy. The same call may succeed later.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// The connection was lost, or the server stopped accepting writes, before the transaction was committed. Nothing was
    /// written. The whole transaction can be repeated, and succeeds as soon as there is a server again. Services repeat
    /// their own transactions: see [`Builder::retry_time`](crate::Builder::retry_time).
    #[error("the connection to the store was lost: {0}")]
    Disconnected(String),
    /// The connection was lost while a transaction was being committed. It may have been committed or not.
    #[error("the connection to the store was lost during a commit: {0}")]
    Uncertain(String),
    /// The transaction was rolled back because of a conflict with another one, such as a deadlock. It can be repeated at
    /// once.
    #[error("the transaction was rolled back because of a conflict with another one: {0}")]
    Conflict(String),
    /// The transaction was rolled back because it waited too long for a record that another one has locked. The same call
    /// may succeed later.
    #[error("the transaction waited too long for another one: {0}")]
    LockTimeout(String),
    /// The store rejected the credentials of this program, for example because of a wrong password or an unknown role.
    #[error("the store rejected the credentials; check the user and the password: {0}")]
    Refused(String),
    /// The store failed, or contains invalid data.
    #[error("the store failed: {0}")]
    Failed(String),
    /// The store does not keep records of this kind.
    #[error("the store keeps no {}", .0.as_str())]
    NotConfigured(Part),
}

impl StoreError {
    /// Another request with the same idempotency key was performed in the meantime. Looking for its response succeeds.
    pub fn key_used() -> Self {
        let why = "another request with the same idempotency key was performed";
        Self::Unavailable(why.to_owned())
    }
}

impl From<OffloadError> for StoreError {
    /// Reported like an overloaded or failed store.
    fn from(why: OffloadError) -> Self {
        match why {
            OffloadError::TooMuchWaiting => Self::Unavailable(why.to_string()),
            OffloadError::Interrupted => Self::Failed(why.to_string()),
        }
    }
}

/// The result of a call to a store.
pub type StoreResult<T> = Result<T, StoreError>;

/// The result of an insert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Inserted {
    /// The record was written.
    Done,
    /// A record with the same key exists, and nothing was written.
    Exists,
}

/// The result of a change of the files of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum FilesChanged {
    /// The files were changed.
    Done,
    /// A file that was to be added has expired, or belongs to a submission already.
    Expired,
    /// The creator of the submission would have more bytes of files than the quota.
    OverQuota,
}

/// A transactional store of records.
///
/// ```
/// # formalize_conformance::example::run(async || {
/// use formalize_core::store::memory::MemoryStore;
/// use formalize_core::store::{Inserted, Store};
///
/// let store = MemoryStore::new();
/// let mut tx = store.write().await?;
/// assert_eq!(tx.insert_setting("colour", "blue").await?, Inserted::Done);
/// // Without a commit, nothing is written.
/// drop(tx);
/// assert_eq!(store.read().await?.find_setting("colour").await?, None);
/// # Ok(()) });
/// ```
#[async_trait]
pub trait Store: Send + Sync {
    /// Begins a read transaction.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached.
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>>;

    /// Like [`Store::read`], but for a single query: further ones may fail. A database runs a single query without the
    /// statements that begin and end a transaction. By default, it is the same.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached.
    async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.read().await
    }

    /// Like [`Store::read`], for a transaction that may take minutes. A database whose connections are few uses another one
    /// for it, so that other transactions need not wait. By default, it is the same.
    ///
    /// Callers limit the number of these transactions and their duration. A database cannot remove what was deleted since
    /// they began.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached.
    async fn read_long(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.read().await
    }

    /// Begins a write transaction. If it is dropped without [`OwnedTx::commit`], it has no effect.
    ///
    /// A store may admit one transaction at a time, and commit several together. So do not wait for the end of one
    /// transaction while holding another.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached or is too busy.
    async fn write(&self) -> StoreResult<Box<dyn OwnedTx>>;

    /// Does the same as [`WriteSubmissions::submit`] in a separate transaction, which is committed if something was
    /// written, together with the responses in `kept`. A database may do this without the statements that begin and end a
    /// transaction.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached or is too busy; [`StoreError::key_used`] if a key of `kept` belongs to a response
    /// that has not expired. Then nothing is written.
    async fn submit(
        &self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
        event: Option<EventId>,
        kept: &[KeptResponse],
    ) -> StoreResult<bool> {
        let mut tx = self.write().await?;
        let submissions = tx.write_submissions()?;
        let submitted = submissions
            .submit(submission, form, cap, limit, event)
            .await?;
        if submitted {
            for response in kept {
                compose::keep(tx.as_mut(), response, submission.date_created).await?;
            }
            tx.commit().await?;
        }
        Ok(submitted)
    }

    /// Subscribes to notifications of API tokens and sessions that any process deletes. `None` if the store does not
    /// support them, as by default.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached.
    async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>> {
        Ok(None)
    }

    /// Checks whether the store can be reached.
    ///
    /// # Errors
    ///
    /// If it cannot be reached.
    async fn ping(&self) -> StoreResult<()>;

    /// Waits for current transactions, then closes connections and files. It need not wait for those of
    /// [`Store::read_long`], so end them before.
    async fn close(&self);
}

/// Notifications of deleted API tokens and sessions, since the call of [`Store::revocations`].
#[async_trait]
pub trait Revocations: Send {
    /// Waits until tokens were deleted, or may have been deleted, since the last return.
    ///
    /// # Errors
    ///
    /// If there will be no more notifications.
    async fn next(&mut self) -> StoreResult<()>;
}
