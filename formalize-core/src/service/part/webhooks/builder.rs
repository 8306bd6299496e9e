//! The configuration of webhooks.

use std::time::Duration;

use crate::model::target::AllowedTargets;
use crate::model::webhook::SecretKeys;
use crate::service::Builder;

impl Builder {
    /// Allows webhooks to send to these targets besides the public internet. The default is none.
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
    #[must_use]
    pub fn webhook_allowed_targets(mut self, targets: AllowedTargets) -> Self {
        self.forms.webhooks.allowed_targets = targets;
        self
    }

    /// Encrypts the secrets of webhooks with these keys. The default is none: secrets are stored in readable form.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// # let random = [7; 32];
    /// let keys = SecretKeys::new([random]);
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new())).webhook_secret_keys(keys).build().await?;
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn webhook_secret_keys(mut self, keys: SecretKeys) -> Self {
        self.forms.webhooks.keys = keys;
        self
    }

    /// Sets how long [`Formalize::maintain`](crate::Formalize::maintain) keeps attempts and successful deliveries of webhooks. The default is seven days.
    #[must_use]
    pub fn webhook_log_retention(mut self, retention: Duration) -> Self {
        self.forms.webhooks.log_retention = retention;
        self
    }

    /// Sets after how long without a successful attempt a webhook is disabled. The default is five days. It must be at least
    /// a day shorter than [`event_retention`](Self::event_retention), so that events are sent or given up before they are
    /// deleted.
    #[must_use]
    pub fn webhook_disable_after(mut self, period: Duration) -> Self {
        self.forms.webhooks.disable_after = period;
        self
    }

    /// Sets the time that a receiver has for its response, including connecting. The default is 15 seconds.
    #[must_use]
    pub fn webhook_timeout(mut self, timeout: Duration) -> Self {
        self.forms.webhooks.timeout = timeout;
        self
    }

    /// Sets how many requests of webhooks this process sends at a time. The default is 32. A quarter of them may be for webhooks
    /// whose last attempt failed, or of which none has succeeded; see [`WebhooksService::claim`](crate::webhooks::WebhooksService::claim).
    #[must_use]
    pub fn webhook_requests(mut self, requests: usize) -> Self {
        self.forms.webhooks.requests = requests;
        self
    }
}
