//! Requests that are performed once, however often they are sent.

use super::Shared;
use crate::error::{Error, Result};
use crate::model::idempotency::{KeptResponse, KeyedRequest, Once};
use crate::model::subject::{Caller, UserId};
use crate::store::{Inserted, ReadTx, StoreError, WriteTx};

/// Keeps the response to a request with a key in the transaction that performs it.
///
/// There is no record of a request in progress: of two equal requests at the same time, the second one fails to keep its
/// response, is rolled back, and gets the response of the first one.
pub(super) struct Keeper<'a, T> {
    shared: &'a Shared,
    owner: UserId,
    request: &'a KeyedRequest,
    response: &'a (dyn Fn(&T) -> String + Send + Sync),
}

impl<'a, T> Keeper<'a, T> {
    pub(super) fn new(
        shared: &'a Shared,
        caller: &Caller,
        request: &'a KeyedRequest,
        response: &'a (dyn Fn(&T) -> String + Send + Sync),
    ) -> Self {
        Self {
            shared,
            owner: caller.author(),
            request,
            response,
        }
    }

    /// The response that was kept, if the request was performed before.
    ///
    /// # Errors
    ///
    /// [`Error::IdempotencyKeyReused`] if another request had the same key; [`Error::Store`].
    pub(super) async fn find(&self) -> Result<Option<Once<T>>> {
        let mut tx = self.shared.read_once().await?;
        self.find_in(tx.as_mut()).await
    }

    async fn find_in(&self, tx: &mut dyn ReadTx) -> Result<Option<Once<T>>> {
        let key = &self.request.key;
        let kept = tx
            .find_kept_response(&self.owner, key, self.shared.now())
            .await?;
        match kept {
            None => Ok(None),
            Some(kept) if kept.fingerprint == self.request.fingerprint => {
                Ok(Some(Once::Repeated(kept.response)))
            }
            Some(_) => Err(Error::IdempotencyKeyReused),
        }
    }

    /// Keeps the response. This is the last write of a transaction.
    pub(super) async fn keep(&self, tx: &mut dyn WriteTx, result: &T) -> Result<()> {
        let now = self.shared.now();
        let kept = KeptResponse {
            owner: self.owner.clone(),
            key: self.request.key.clone(),
            fingerprint: self.request.fingerprint,
            response: (self.response)(result),
            date_expires: now.saturating_add(self.request.retention),
        };
        match tx.keep_response(&kept, now).await? {
            Inserted::Done => Ok(()),
            Inserted::Exists => Err(Error::Store(StoreError::Unavailable(
                "another request with the same idempotency key was performed".to_owned(),
            ))),
        }
    }

    /// The outcome of the request, after it was performed or refused.
    ///
    /// An equal request may have been performed in the meantime, and be the reason for the refusal: it may have taken the
    /// last place.
    pub(super) async fn conclude(&self, result: Result<T>) -> Result<Once<T>> {
        match result {
            Ok(result) => Ok(Once::Done(result)),
            Err(refusal) => self.find_committed().await?.ok_or(refusal),
        }
    }

    /// The response that was kept in the meantime.
    ///
    /// A refusal may result from a write that is not committed yet, because stores may commit several transactions
    /// together. A read transaction would not see it.
    async fn find_committed(&self) -> Result<Option<Once<T>>> {
        let mut tx = self.shared.write().await?;
        let found = self.find_in(tx.as_mut()).await?;
        tx.commit().await?;
        Ok(found)
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
        /// Those of [`create`](Self::create), and [`Error::IdempotencyKeyReused`](crate::Error::IdempotencyKeyReused) if
        /// the key belongs to another request.
        pub async fn create_once(
            &self,
            caller: &Caller,
            new: $new,
            request: Option<&$crate::model::idempotency::KeyedRequest>,
            response: &(dyn Fn(&$created) -> String + Send + Sync),
        ) -> Result<$crate::model::idempotency::Once<$created>> {
            let Some(request) = request else {
                let created = self.create(caller, new).await;
                return created.map($crate::model::idempotency::Once::Done);
            };
            let keeper = Keeper::new(self.0, caller, request, response);
            if let Some(repeated) = keeper.find().await? {
                return Ok(repeated);
            }
            let created = self.create_and_keep(caller, new, Some(&keeper)).await;
            keeper.conclude(created).await
        }
    };
}
pub(super) use create_once;

/// Keeps the response, if the request has a key.
pub(super) async fn keep<T>(
    keeper: Option<&Keeper<'_, T>>,
    tx: &mut dyn WriteTx,
    result: &T,
) -> Result<()> {
    match keeper {
        Some(keeper) => keeper.keep(tx, result).await,
        None => Ok(()),
    }
}
