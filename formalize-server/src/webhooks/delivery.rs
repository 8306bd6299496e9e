//! Delivers while the server runs.

use std::{sync::Arc, time::Duration};

use formalize_core::{Formalize, webhooks::ClaimedDelivery};
use formalize_http::observe::metrics::WebhookMetrics;
use formalize_webhook_sender::Sender;
use tokio::{sync::watch, task::JoinSet, time::sleep};

/// The time between two looks for deliveries that are due.
const INTERVAL: Duration = Duration::from_millis(500);

/// The wait after a failure of the database.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Sends deliveries of all webhooks, at most a number of them at a time.
pub struct Deliveries {
    /// The service.
    pub formalize: Formalize,
    /// Sends the requests.
    pub sender: Arc<Sender>,
    /// Counts the attempts.
    pub metrics: WebhookMetrics,
    /// The maximum number of requests at a time.
    pub concurrency: usize,
}

impl Deliveries {
    /// Delivers until `stop` is true, and then lets attempts end. An attempt takes at most `webhook_timeout` and the time
    /// of the database.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let this = Arc::new(self);
        let mut attempts = JoinSet::new();
        while !*stop.borrow() {
            let wait = this.begin(&mut attempts).await;
            this.sender.close_idle();
            tokio::select! {
                // The sender of the signal lives until the server has stopped.
                _ = stop.changed() => {}
                Some(_) = attempts.join_next() => {
                    // One look for deliveries serves all attempts that have ended.
                    while attempts.try_join_next().is_some() {}
                }
                () = sleep(wait) => {}
            }
        }
        while attempts.join_next().await.is_some() {}
    }

    /// Begins what is due, and returns the time to wait.
    async fn begin(self: &Arc<Self>, attempts: &mut JoinSet<()>) -> Duration {
        let free = self.concurrency.saturating_sub(attempts.len());
        if free == 0 {
            return INTERVAL;
        }
        match self.formalize.webhooks().claim(free).await {
            Ok(claimed) => {
                for delivery in claimed {
                    attempts.spawn(Arc::clone(self).attempt(delivery));
                }
                INTERVAL
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read deliveries of webhooks");
                AFTER_FAILURE
            }
        }
    }

    async fn attempt(self: Arc<Self>, claimed: ClaimedDelivery) {
        let webhook = claimed.webhook();
        let webhooks = self.formalize.webhooks();
        let outcome = match webhooks.attempt(claimed, self.sender.as_ref()).await {
            Ok(outcome) => outcome,
            Err(error) => {
                tracing::warn!(%webhook, %error, "cannot record an attempt of a webhook");
                return;
            }
        };
        self.metrics.attempted(outcome.label(), outcome.duration);
        self.metrics.gave_up(outcome.given_up);
        if let Some(reason) = outcome.disabled {
            self.metrics.disabled(reason.as_str());
        }
    }
}
