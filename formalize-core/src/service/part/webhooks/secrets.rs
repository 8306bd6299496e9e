//! The secrets of webhooks: replacing them, and encrypting them for the store.

use std::time::Duration;

use uuid::Uuid;

use super::maintenance::PORTION;
use super::{WebhooksService, view};
use crate::authz::policy::Operation;
use crate::error::{Error, Result};
use crate::fields::{Field, InvalidFields};
use crate::id::{Expected, WebhookId};
use crate::model::idempotency::{KeyedRequest, Once};
use crate::model::subject::Caller;
use crate::model::webhook::secret::Signing;
use crate::model::webhook::{MAX_OVERLAP, WebhookSecret, WebhookView};
use crate::service::keyed::{ResponseKeeper, keep};
use crate::service::{End, random_bytes};
use crate::store::{ReadTx, SealedSecret, StoreError, WebhookSecrets, WriteTx};

impl WebhooksService<'_> {
    /// Gives a webhook a new random secret. For `overlap`, at most [`MAX_OVERLAP`], the old one signs, too. There are never
    /// more than two: an older one stops signing at once.
    ///
    /// # Errors
    ///
    /// In this order: [`InvalidFields::Webhook`], [`Error::WebhookNotFound`], [`Error::Forbidden`],
    /// [`Error::RevisionMismatch`], [`Error::WebhookKeyMissing`]; [`Error::Store`] at any time.
    pub async fn rotate_secret(
        &self,
        caller: &Caller,
        id: impl Into<Expected<WebhookId>>,
        overlap: Duration,
    ) -> Result<(WebhookView, WebhookSecret)> {
        self.rotate_and_keep(caller, id.into(), overlap, None).await
    }

    /// Gives a webhook a new secret like [`rotate_secret`](Self::rotate_secret), once for each key. `response` makes the
    /// response that is kept for when the request is sent again; it should not contain the secret. Without a `request`,
    /// nothing is kept.
    ///
    /// # Errors
    ///
    /// Those of [`rotate_secret`](Self::rotate_secret); [`Error::IdempotencyKeyReused`] if the key belongs to another
    /// request; [`Error::IdempotencyKeyInUse`] if a request with the key is in progress and does not end in time.
    pub async fn rotate_secret_once(
        &self,
        caller: &Caller,
        id: impl Into<Expected<WebhookId>>,
        overlap: Duration,
        request: Option<&KeyedRequest>,
        response: &(dyn Fn(&(WebhookView, WebhookSecret)) -> String + Send + Sync),
    ) -> Result<Once<(WebhookView, WebhookSecret)>> {
        let id = id.into();
        let once = self.0.once(caller, request, response, async |keeper| {
            self.rotate_and_keep(caller, id, overlap, keeper).await
        });
        once.await
    }

    async fn rotate_and_keep(
        &self,
        caller: &Caller,
        expected: Expected<WebhookId>,
        overlap: Duration,
        keeper: Option<&ResponseKeeper<'_, (WebhookView, WebhookSecret)>>,
    ) -> Result<(WebhookView, WebhookSecret)> {
        let invalid = InvalidFields::Webhook(vec![Field::OverlapSeconds]);
        ensure!(overlap <= MAX_OVERLAP, invalid);
        let secret = WebhookSecret::of_bytes(random_bytes()?);
        let now = self.0.now();
        let is_keyed = keeper.is_some();
        let writing = self.0.transact_idempotent(is_keyed, async |mut tx| {
            let operation = Operation::WebhookRotateSecret;
            let mut webhook = self.lock(tx.as_mut(), caller, operation, &expected).await?;
            let old = self.secrets_of(tx.as_mut(), webhook.id).await?;
            let until = now.saturating_add(overlap);
            let secrets = WebhookSecrets {
                current: self.seal(tx.as_mut(), webhook.id, &secret).await?,
                previous: (until > now).then_some((old.current, until)),
            };
            webhook.revision = self.0.revision(now);
            let webhooks = tx.write_webhooks()?;
            webhooks.set_webhook_secrets(&webhook, &secrets).await?;
            let rotated = (view(tx.as_mut(), webhook, now).await?, secret.clone());
            keep(keeper, tx.as_mut(), &rotated).await?;
            Ok(End::commit(tx, rotated))
        });
        writing.await
    }

    /// Encrypts all secrets with the first of [`Builder::webhook_secret_keys`](crate::Builder::webhook_secret_keys), and
    /// returns the number of webhooks whose secrets were not. Afterwards, the other keys are not needed any more.
    ///
    /// # Errors
    ///
    /// [`Error::Forbidden`] unless the caller is the system; [`Error::WebhookKeyMissing`] if there is no key, or none that
    /// decrypts a secret; [`Error::Store`].
    pub async fn reencrypt(&self, caller: &Caller) -> Result<u64> {
        self.0.check(caller, Operation::WebhookOfAllForms)?;
        let keys = &self.0.forms.webhooks.options.keys;
        ensure!(!keys.is_empty(), Error::WebhookKeyMissing);
        let (mut after, mut changed) = (WebhookId::from_uuid(Uuid::nil()), 0);
        loop {
            let reencrypting = self.0.transact(async |mut tx| {
                let found = tx.read_webhooks()?.webhook_secrets(after, PORTION).await?;
                let Some((last, _)) = found.last() else {
                    return Ok(End::roll_back(None));
                };
                let mut changed = 0;
                for (id, old) in &found {
                    let previous = old.previous.as_ref().map(|(secret, _)| secret);
                    let mut all = std::iter::once(&old.current).chain(previous);
                    if all.all(|sealed| keys.is_current(*id, sealed)) {
                        continue;
                    }
                    let new = self.reencrypted(*id, old)?;
                    changed += u64::from(
                        tx.write_webhooks()?
                            .reencrypt_webhook(*id, old, &new)
                            .await?,
                    );
                }
                Ok(End::commit(tx, Some((*last, changed))))
            });
            let Some((last, more)) = reencrypting.await? else {
                return Ok(changed);
            };
            after = last;
            changed += more;
        }
    }

    fn reencrypted(&self, id: WebhookId, old: &WebhookSecrets) -> Result<WebhookSecrets> {
        let keys = &self.0.forms.webhooks.options.keys;
        let again = |sealed| {
            let secret = keys.open(id, sealed).ok_or(Error::WebhookKeyMissing)?;
            let sealed = keys.seal(id, &secret, random_bytes()?);
            sealed.ok_or(Error::WebhookKeyMissing)
        };
        let previous = match &old.previous {
            Some((sealed, until)) => Some((again(sealed)?, *until)),
            None => None,
        };
        Ok(WebhookSecrets {
            current: again(&old.current)?,
            previous,
        })
    }

    /// Encrypts a secret for the store. One that has encrypted secrets takes no readable ones.
    pub(super) async fn seal(
        &self,
        tx: &mut dyn WriteTx,
        id: WebhookId,
        secret: &WebhookSecret,
    ) -> Result<SealedSecret> {
        let keys = &self.0.forms.webhooks.options.keys;
        let are_readable = !keys.is_empty() || !tx.read_webhooks()?.has_encrypted_secrets().await?;
        ensure!(are_readable, Error::WebhookKeyMissing);
        let sealed = keys.seal(id, secret, random_bytes()?);
        sealed.ok_or_else(|| Error::Store(StoreError::Failed("encryption failed".to_owned())))
    }

    pub(super) async fn secrets_of(
        &self,
        tx: &mut dyn ReadTx,
        id: WebhookId,
    ) -> Result<WebhookSecrets> {
        let before = id.as_uuid().as_u128().saturating_sub(1);
        let before = WebhookId::from_uuid(Uuid::from_u128(before));
        let found = tx.read_webhooks()?.webhook_secrets(before, 1).await?;
        let found = found.into_iter().find(|(of, _)| *of == id);
        found
            .map(|(_, secrets)| secrets)
            .ok_or(Error::WebhookNotFound)
    }

    /// The secrets that sign now.
    pub(super) fn signing(&self, id: WebhookId, secrets: &WebhookSecrets) -> Result<Signing> {
        let keys = &self.0.forms.webhooks.options.keys;
        let open = |sealed| keys.open(id, sealed).ok_or(Error::WebhookKeyMissing);
        let now = self.0.now();
        let previous = secrets.previous.as_ref();
        let previous = previous.filter(|(_, until)| *until > now);
        Ok(Signing {
            current: open(&secrets.current)?,
            previous: previous.map(|(sealed, _)| open(sealed)).transpose()?,
        })
    }
}
