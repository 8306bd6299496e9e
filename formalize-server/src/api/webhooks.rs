//! Webhooks and their deliveries.

use std::sync::Arc;

use formalize_core::{
    self as core, Error, Field, Formalize, InvalidFields, Page,
    webhooks::{DeliveryFilter, WebhookId, WebhookSecret, WebhookUrl},
};
use formalize_http::auth::Actor;
use formalize_http::contract::endpoint::{
    CreateWebhook, DeleteWebhook, GetWebhook, GetWebhookDelivery, ListWebhookDeliveries,
    ListWebhooks, ResendWebhookDeliveries, RotateWebhookSecret, TestWebhook, UpdateWebhook,
};
use formalize_http::contract::parameter::{DELIVERY_STATE, EVENT_TYPE, OF_FORM};
use formalize_http::failure::{Answer, Refusal};
use formalize_views::webhook::{
    Delivery, NewWebhook, NoFields, Resending, Resent, SecretRotation, Webhook, WebhookChange,
    WebhookTest,
};
use poem_openapi::OpenApi;

use super::Body;
use super::{
    Accepted, Changed, Context, Created, Deleted, Expectation, Found, Keyed, Listed, NoStore, Part,
    PathText, Query, Repeatable, SentText, parse_id,
};

pub(super) struct Webhooks(pub(super) Context);

#[OpenApi(prefix_path = "/formalize/webhooks", tag = "Part::Webhooks")]
impl Webhooks {
    /// List webhooks.
    ///
    /// No special permission is needed. The list has the webhooks of all forms that the caller may `manage`.
    #[oai(path = "/", method = "get")]
    async fn list(
        &self,
        Actor(caller): Actor,
        query: Query,
    ) -> Answer<Listed<Webhook>, ListWebhooks> {
        let form = query.text(&OF_FORM).map(str::parse).transpose();
        let page = match form {
            Ok(form) => {
                let webhooks = self.0.core.webhooks();
                webhooks.list(&caller, form, &query.page()).await?
            }
            // A malformed identifier matches no form.
            Err(_) => Page {
                items: Vec::new(),
                next: None,
            },
        };
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Create a webhook.
    ///
    /// Requires `manage` on the form. From then on, events of the form are sent to the URL, signed as the Standard Webhooks
    /// specification says. The `secret` is in this response only. A form has at most 20 webhooks. The webhook belongs to the
    /// form: everybody who may manage the form sees and changes it.
    #[oai(path = "/", method = "post")]
    async fn create(
        &self,
        Actor(caller): Actor,
        keyed: Keyed,
        Body(new): Body<NewWebhook>,
    ) -> Answer<NoStore<Created<Webhook>>, CreateWebhook> {
        let (webhooks, links) = (self.0.core.webhooks(), &self.0.links);
        let url = url(&self.0.core, &new.url)?;
        let sent = SentText::none();
        let keep = |(webhook, _): &(core::webhooks::Webhook, WebhookSecret)| {
            let shown = Webhook::created(webhook.clone()).with_secret(None);
            Created::new(&shown, links).kept(&sent)
        };
        let outcome = (webhooks)
            .create_once(&caller, new.with(url), keyed.request(), &keep)
            .await?;
        Ok(NoStore(Created::once(outcome, &sent, links)?))
    }

    /// Read a webhook.
    ///
    /// Requires `manage` on its form.
    #[oai(path = "/:identifier", method = "get")]
    async fn get(
        &self,
        Actor(caller): Actor,
        /// Identifier of the webhook.
        identifier: PathText,
    ) -> Answer<Found<Webhook>, GetWebhook> {
        let id = webhook_id(&identifier)?;
        let webhook = self.0.core.webhooks().get(&caller, id).await?;
        Ok(Found(webhook.into()))
    }

    /// Change a webhook.
    ///
    /// Requires `manage` on its form. Absent fields keep their values; the form cannot change, and `rotateWebhookSecret`
    /// replaces the secret.
    #[oai(path = "/:identifier", method = "patch")]
    async fn update(
        &self,
        Actor(caller): Actor,
        /// Identifier of the webhook.
        identifier: PathText,
        expectation: Expectation,
        Body(change): Body<WebhookChange>,
    ) -> Answer<Changed<Webhook>, UpdateWebhook> {
        let mut others = change.others;
        if let Some(text) = change.url {
            others.url = Some(url(&self.0.core, &text)?);
        }
        let id = webhook_id(&identifier)?;
        let webhooks = self.0.core.webhooks();
        let changed = webhooks.update(&caller, expectation.of(id), others).await;
        let webhook = expectation
            .or_current_tag::<Webhook, _, _>(changed, webhooks.get(&caller, id))
            .await?;
        Ok(Changed(Some(webhook.into())))
    }

    /// Delete a webhook.
    ///
    /// Requires `manage` on its form. Nothing more is sent.
    #[oai(path = "/:identifier", method = "delete")]
    async fn delete(
        &self,
        Actor(caller): Actor,
        /// Identifier of the webhook.
        identifier: PathText,
        expectation: Expectation,
    ) -> Answer<Deleted, DeleteWebhook> {
        let id = webhook_id(&identifier)?;
        let webhooks = self.0.core.webhooks();
        let deleted = webhooks.delete(&caller, expectation.of(id)).await;
        expectation
            .or_current_tag::<Webhook, _, _>(deleted, webhooks.get(&caller, id))
            .await?;
        Ok(Deleted)
    }

    /// Replace the secret of a webhook.
    ///
    /// Requires `manage` on its form. The new secret is in this response only. For `overlapSeconds`, requests are signed with
    /// both secrets, so that receivers can change over without losing a request. There are never more than two.
    #[oai(path = "/:identifier/rotate-secret", method = "post")]
    async fn rotate_secret(
        &self,
        Actor(caller): Actor,
        /// Identifier of the webhook.
        identifier: PathText,
        keyed: Keyed,
        Body(overlap): Body<SecretRotation>,
    ) -> Answer<NoStore<Repeatable<Found<Webhook>>>, RotateWebhookSecret> {
        let id = webhook_id(&identifier)?;
        let webhooks = self.0.core.webhooks();
        let keep = |(webhook, _): &(core::webhooks::WebhookView, WebhookSecret)| {
            Repeatable::<Found<Webhook>>::kept(&Webhook::from(webhook.clone()).with_secret(None))
        };
        let outcome = webhooks
            .rotate_secret_once(&caller, id, overlap, keyed.request(), &keep)
            .await?;
        Ok(NoStore(Repeatable::once(outcome)?))
    }

    /// Test a webhook.
    ///
    /// Requires `manage` on its form. Sends a signed request with the type `webhook.test` at once, even if the webhook is
    /// disabled, and waits for the response. A webhook can be tested once in five seconds.
    #[oai(path = "/:identifier/test", method = "post")]
    async fn test(
        &self,
        Actor(caller): Actor,
        /// Identifier of the webhook.
        identifier: PathText,
        Body(_none): Body<NoFields>,
    ) -> Answer<Found<WebhookTest>, TestWebhook> {
        let id = webhook_id(&identifier)?;
        let transport = Arc::clone(&self.0.transport);
        let webhooks = self.0.core.webhooks();
        let outcome = webhooks.test(&caller, id, transport.as_ref()).await?;
        Ok(Found(outcome.into()))
    }

    /// Send deliveries again.
    ///
    /// Requires `manage` on the form of the webhook, which must be enabled. Give either `deliveries` or `since`. Single
    /// deliveries are attempted at once, also those that are pending, and also while the webhook pauses after failures. If
    /// the attempt fails, the pause stays as it is; after a success, everything that is due is sent.
    #[oai(path = "/:identifier/resend", method = "post")]
    async fn resend(
        &self,
        Actor(caller): Actor,
        /// Identifier of the webhook.
        identifier: PathText,
        keyed: Keyed,
        Body(resend): Body<Resending>,
    ) -> Answer<Repeatable<Accepted<Resent>>, ResendWebhookDeliveries> {
        let id = webhook_id(&identifier)?;
        let webhooks = self.0.core.webhooks();
        let keep = |resent: &core::webhooks::Resent| {
            Repeatable::<Accepted<Resent>>::kept(&Resent::from(*resent))
        };
        let outcome = webhooks
            .resend_once(&caller, id, resend, keyed.request(), &keep)
            .await?;
        Ok(Repeatable::once(outcome)?)
    }

    /// List the deliveries of a webhook.
    ///
    /// Requires `manage` on its form. What receivers respond is neither stored nor shown, except the status.
    #[oai(path = "/:identifier/deliveries", method = "get")]
    async fn list_deliveries(
        &self,
        Actor(caller): Actor,
        /// Identifier of the webhook.
        identifier: PathText,
        query: Query,
    ) -> Answer<Listed<Delivery>, ListWebhookDeliveries> {
        let id = webhook_id(&identifier)?;
        let filter = DeliveryFilter {
            state: query
                .text(&DELIVERY_STATE)
                .and_then(|word| word.parse().ok()),
            event_type: query.text(&EVENT_TYPE).and_then(|word| word.parse().ok()),
            newest_first: query.is_newest_first(),
        };
        let webhooks = self.0.core.webhooks();
        let page = webhooks
            .deliveries(&caller, id, &filter, &query.page())
            .await?;
        Ok(Listed::compose(&caller, page, 0, &query, &self.0).await?)
    }

    /// Read a delivery with its last attempts.
    ///
    /// Requires `manage` on the form of the webhook.
    #[oai(path = "/:identifier/deliveries/:deliveryIdentifier", method = "get")]
    async fn get_delivery(
        &self,
        Actor(caller): Actor,
        /// Identifier of the webhook.
        identifier: PathText,
        /// Identifier of the delivery.
        #[oai(name = "deliveryIdentifier")]
        PathText(delivery): PathText,
    ) -> Answer<Found<Delivery>, GetWebhookDelivery> {
        let id = webhook_id(&identifier)?;
        let delivery = parse_id(&delivery, Error::WebhookDeliveryNotFound)?;
        let webhooks = self.0.core.webhooks();
        let delivery = webhooks.delivery(&caller, id, delivery).await?;
        Ok(Found(delivery.into()))
    }
}

/// Parses the URL of a webhook that is saved.
fn url(core: &Formalize, text: &str) -> Result<WebhookUrl, Refusal> {
    core.webhooks().parse_url(text).map_err(|invalid| {
        let refusal = Refusal::from(Error::InvalidFields(InvalidFields::Webhook(vec![
            Field::Url,
        ])));
        refusal.saying(format!("url: {invalid}"))
    })
}

fn webhook_id(text: &str) -> Result<WebhookId, Error> {
    parse_id(text, Error::WebhookNotFound)
}
