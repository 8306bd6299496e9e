//! The configuration of webhooks.

use std::time::Duration;

use crate::model::target::AllowedTargets;
use crate::model::webhook::SecretKeys;
use crate::service::Builder;

impl Builder {
    setters! {
        /// Allows webhooks to send to these targets besides the public internet. By default, there are none.
        ///
        /// ```
        /// # use formalize_conformance::example::*; run(async || {
        /// let intranet = AllowedTargets::new(vec!["10.20.0.0/16".parse()?]);
        /// let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
        ///     .webhook_allowed_targets(intranet)
        ///     .build()
        ///     .await?;
        /// assert!(formalize.webhooks().parse_url("https://10.20.1.1/hook").is_ok());
        /// # Ok(()) });
        /// ```
        webhook_allowed_targets(targets: AllowedTargets) => forms.webhooks.allowed_targets;

        /// Encrypts the secrets of webhooks with these keys. Without keys, which is the default, secrets are stored in readable
        /// form.
        ///
        /// ```
        /// # use formalize_conformance::example::*; run(async || {
        /// # let random = [7; 32];
        /// let keys = SecretKeys::new([random]);
        /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).webhook_secret_keys(keys).build().await?;
        /// # Ok(()) });
        /// ```
        webhook_secret_keys(keys: SecretKeys) => forms.webhooks.keys;

        /// Sets how long [`Formalize::maintain`](crate::Formalize::maintain) keeps attempts and successful deliveries of webhooks. The default is seven days.
        webhook_log_retention(retention: Duration) => forms.webhooks.log_retention;

        /// Sets after how long without a successful attempt a webhook is disabled. The default is five days. It must be at least
        /// a day shorter than [`event_retention`](Self::event_retention), so that events are sent or given up before they are
        /// deleted.
        webhook_disable_after(period: Duration) => forms.webhooks.disable_after;

        /// Sets how long a receiver may take to respond, including the time to connect. The default is 15 seconds.
        webhook_timeout(timeout: Duration) => forms.webhooks.timeout;

        /// Sets how many requests of webhooks this process sends at a time. The default is 32. A quarter of them may be for webhooks
        /// whose last attempt failed, or of which none has succeeded; see [`WebhooksService::claim`](crate::webhooks::WebhooksService::claim).
        webhook_requests(requests: usize) => forms.webhooks.requests;
    }
}
