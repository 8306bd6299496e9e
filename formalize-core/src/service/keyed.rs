//! Requests that are performed once, however often they are sent.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{End, Shared};
use crate::admission::{InUse, Quota};
use crate::error::{Error, Result};
use crate::model::idempotency::{IdempotencyKey, KeptResponse, KeyedRequest, Once};
use crate::model::subject::{Caller, UserId};
use crate::statistics::KeyStatistics;
use crate::store::{Inserted, ReadTx, StoreError, WriteTx, compose};

/// Keeps the response to a request with a key in the transaction that performs it.
///
/// The store has no record of a request in progress: of two equal requests at the same time, the second one waits for the
/// first, fails to keep its response, is rolled back, and gets the response of the first one. If the store ends the wait, it
/// fails with [`Error::IdempotencyKeyInUse`].
pub(super) struct ResponseKeeper<'a, T> {
    shared: &'a Shared,
    owner: UserId,
    /// The request by each of its keys. Usually there is one.
    requests: &'a [KeyedRequest],
    response: &'a (dyn Fn(&T) -> String + Send + Sync),
}

impl<'a, T> ResponseKeeper<'a, T> {
    pub(super) fn new(
        shared: &'a Shared,
        caller: &Caller,
        requests: &'a [KeyedRequest],
        response: &'a (dyn Fn(&T) -> String + Send + Sync),
    ) -> Self {
        Self {
            shared,
            owner: caller.author(),
            requests,
            response,
        }
    }

    /// Performs a request that was not performed before, and returns its outcome.
    ///
    /// # Errors
    ///
    /// [`Error::IdempotencyKeyReused`] if another request had the same key; [`Error::IdempotencyKeyInUse`] if one with the
    /// same key did not end in time; those of the request; [`Error::Store`].
    pub(super) async fn once(&self, perform: impl Future<Output = Result<T>>) -> Result<Once<T>> {
        if let Some(repeated) = self.find().await? {
            return Ok(repeated);
        }
        let held = self.shared.keys.hold(&self.owner, self.requests);
        match perform.await {
            Ok(result) => Ok(Once::Done(result)),
            Err(refusal) => self.conclude(refusal, &held).await,
        }
    }

    /// The response that was kept, if the request was performed before.
    ///
    /// # Errors
    ///
    /// [`Error::IdempotencyKeyReused`] if another request had the same key; [`Error::Store`].
    async fn find(&self) -> Result<Option<Once<T>>> {
        self.shared
            .read_once(async |mut tx| self.find_in(tx.as_mut()).await)
            .await
    }

    async fn find_in(&self, tx: &mut dyn ReadTx) -> Result<Option<Once<T>>> {
        let keys: Vec<_> = self.requests.iter().map(|request| &request.key).collect();
        let (responses, now) = (tx.read_kept_responses()?, self.shared.now());
        let kept = responses.kept_responses(&self.owner, &keys, now).await?;
        let mut found = None;
        for request in self.requests {
            let Some(kept) = kept.iter().find(|kept| kept.key == request.key) else {
                continue;
            };
            found = Some(Once::Repeated(kept.repeat(request)?));
        }
        Ok(found)
    }

    /// The responses to keep, one for each key.
    pub(super) fn responses(&self, result: &T) -> Vec<KeptResponse> {
        let response = (self.response)(result);
        let requests = self.requests.iter();
        requests
            .map(|request| self.shared.response(&self.owner, request, response.clone()))
            .collect()
    }

    /// Keeps the response. This is the last write of a transaction.
    pub(super) async fn keep(&self, tx: &mut dyn WriteTx, result: &T) -> Result<()> {
        for kept in self.responses(result) {
            compose::keep(tx, &kept, self.shared.now()).await?;
        }
        Ok(())
    }

    /// The outcome of a request that was refused.
    ///
    /// An equal request may have been performed in the meantime, and be the reason for the refusal: it may have taken the
    /// last place. It may also be in progress still, and have blocked this one until the store ended the wait.
    async fn conclude(&self, refusal: Error, held: &HeldKeys<'_>) -> Result<Once<T>> {
        let found = match &refusal {
            // The time for repeating is over.
            Error::Store(StoreError::Disconnected(_)) => return Err(refusal),
            Error::Store(StoreError::LockTimeout(_)) => self.wait_for_keys().await,
            _ => self.find_committed().await,
        };
        match found {
            Ok(Some(repeated)) => Ok(repeated),
            Ok(None) | Err(Error::Store(_)) if was_blocked(&refusal) && held.are_contested() => {
                Err(Error::IdempotencyKeyInUse)
            }
            Err(Error::Store(_)) if matches!(refusal, Error::Store(StoreError::Uncertain(_))) => {
                Err(refusal)
            }
            Ok(None) => Err(refusal),
            Err(error) => Err(error),
        }
    }

    /// The response that was kept in the meantime.
    ///
    /// A refusal may result from a write that is not committed yet, because stores may commit several transactions
    /// together. A read transaction would not see it.
    async fn find_committed(&self) -> Result<Option<Once<T>>> {
        let work = writing!(|tx| self.find_in(tx.as_mut()));
        self.shared.transact(work).await
    }

    /// Waits for the transactions that have the keys, which may be those of another server, and returns the response that
    /// one of them kept.
    async fn wait_for_keys(&self) -> Result<Option<Once<T>>> {
        let waiting = self.shared.transact(async |mut tx| {
            for request in self.requests {
                // This transaction is not committed: only the wait matters.
                let probe = self.shared.response(&self.owner, request, String::new());
                match tx
                    .write_kept_responses()?
                    .keep_response(&probe, self.shared.now())
                    .await
                {
                    Ok(Inserted::Done) => {}
                    Ok(Inserted::Exists) => {
                        return Ok(End::roll_back(self.find_in(tx.as_mut()).await?));
                    }
                    Err(StoreError::LockTimeout(_)) => return Err(Error::IdempotencyKeyInUse),
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(End::roll_back(None))
        });
        waiting.await
    }
}

/// Whether a request failed because it waited too long.
fn was_blocked(refusal: &Error) -> bool {
    matches!(
        refusal,
        Error::Store(StoreError::Unavailable(_) | StoreError::LockTimeout(_))
    )
}

impl KeptResponse {
    /// The response, for the request with its key.
    ///
    /// # Errors
    ///
    /// [`Error::IdempotencyKeyReused`] if it was kept for another request.
    pub(super) fn repeat(&self, request: &KeyedRequest) -> Result<String> {
        let is_same = self.fingerprint == request.fingerprint;
        ensure!(is_same, Error::IdempotencyKeyReused);
        Ok(self.response.clone())
    }
}

impl Shared {
    /// Performs what is requested, once for each key. Without a `request`, nothing is kept.
    pub(super) async fn once<T>(
        &self,
        caller: &Caller,
        request: Option<&KeyedRequest>,
        response: &(dyn Fn(&T) -> String + Send + Sync),
        perform: impl AsyncFnOnce(Option<&ResponseKeeper<'_, T>>) -> Result<T>,
    ) -> Result<Once<T>> {
        let Some(request) = request else {
            return perform(None).await.map(Once::Done);
        };
        let requests = std::slice::from_ref(request);
        let keeper = ResponseKeeper::new(self, caller, requests, response);
        let performed = keeper.once(perform(Some(&keeper))).await;
        self.keys.count(performed)
    }

    pub(super) fn response(
        &self,
        owner: &UserId,
        request: &KeyedRequest,
        response: String,
    ) -> KeptResponse {
        KeptResponse {
            owner: owner.clone(),
            key: request.key.clone(),
            fingerprint: request.fingerprint,
            response,
            date_expires: self.now().saturating_add(request.retention),
        }
    }
}

/// A key of a request that this process is performing.
type Key = (UserId, IdempotencyKey);

/// The requests with an idempotency key: those in progress, and the number of outcomes.
#[derive(Debug, Default)]
pub(super) struct KeyedRequests {
    in_progress: Quota<Key>,
    first: AtomicU64,
    repeated: AtomicU64,
    reused: AtomicU64,
    in_use: AtomicU64,
}

/// The keys of one request while it is performed.
struct HeldKeys<'a> {
    all: &'a Quota<Key>,
    /// The keys that no earlier request in progress has.
    _own: Vec<InUse<Key>>,
    /// The keys that an earlier request has, or had.
    contested: Vec<Key>,
}

impl HeldKeys<'_> {
    /// Whether an earlier request that has one of the keys is still in progress.
    fn are_contested(&self) -> bool {
        self.contested.iter().any(|key| self.all.used(key) > 0)
    }
}

impl KeyedRequests {
    /// Notes that these requests are being performed.
    fn hold(&self, owner: &UserId, requests: &[KeyedRequest]) -> HeldKeys<'_> {
        let (mut own, mut contested) = (Vec::new(), Vec::new());
        for request in requests {
            let key = (owner.clone(), request.key.clone());
            match self.in_progress.take([key], [1], 1) {
                Ok(free) => own.push(free),
                Err(taken) => contested.push(taken),
            }
        }
        HeldKeys {
            all: &self.in_progress,
            _own: own,
            contested,
        }
    }

    /// Counts an outcome. A request that was refused or failed is not counted, because its key is still unused.
    pub(super) fn count<T>(&self, outcome: Result<Once<T>>) -> Result<Once<T>> {
        let count = match &outcome {
            Ok(Once::Done(_)) => &self.first,
            Ok(Once::Repeated(_)) => &self.repeated,
            Err(Error::IdempotencyKeyReused) => &self.reused,
            Err(Error::IdempotencyKeyInUse) => &self.in_use,
            Err(_) => return outcome,
        };
        count.fetch_add(1, Ordering::Relaxed);
        outcome
    }

    pub(super) fn statistics(&self) -> KeyStatistics {
        KeyStatistics {
            first: self.first.load(Ordering::Relaxed),
            repeated: self.repeated.load(Ordering::Relaxed),
            reused: self.reused.load(Ordering::Relaxed),
            in_use: self.in_use.load(Ordering::Relaxed),
        }
    }
}

/// Generates the method `create_once` of a service, from its method `create_and_keep`.
macro_rules! create_once {
    ($what:literal, $new:ty, $created:ty) => {
        #[doc = concat!("Creates ", $what, " like [`create`](Self::create), once for each key.")]
        ///
        /// `response` makes the response that is kept for when the request is sent again. Without a `request`, nothing is
        /// kept.
        ///
        /// # Errors
        ///
        /// Those of [`create`](Self::create); [`Error::IdempotencyKeyReused`](crate::Error::IdempotencyKeyReused) if the
        /// key belongs to another request; [`Error::IdempotencyKeyInUse`](crate::Error::IdempotencyKeyInUse) if a request
        /// with the key is in progress and does not end in time.
        pub async fn create_once(
            &self,
            caller: &Caller,
            new: $new,
            request: Option<&$crate::model::idempotency::KeyedRequest>,
            response: &(dyn Fn(&$created) -> String + Send + Sync),
        ) -> Result<$crate::model::idempotency::Once<$created>> {
            let once = self.0.once(caller, request, response, async |keeper| {
                self.create_and_keep(caller, new, keeper).await
            });
            once.await
        }
    };
}
pub(super) use create_once;

/// Keeps the response, if the request has a key.
pub(super) async fn keep<T>(
    keeper: Option<&ResponseKeeper<'_, T>>,
    tx: &mut dyn WriteTx,
    result: &T,
) -> Result<()> {
    match keeper {
        Some(keeper) => keeper.keep(tx, result).await,
        None => Ok(()),
    }
}
