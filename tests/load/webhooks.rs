//! Measures how fast webhooks are delivered.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use formalize_core::forms::FormAccess;
use formalize_tests::Result;
use formalize_tests::receiver::WebhookReceiver;
use poem::endpoint::make_sync;
use poem::http::StatusCode;
use tokio::time::{sleep, timeout};

use crate::events::{BATCH, PATIENCE, Site, as_number, at_least};
use crate::report::Report;
use crate::throughput::Pace;

/// The number of webhooks of the form.
const WEBHOOKS: usize = 16;

impl Site<'_> {
    /// Compares the rate of deliveries with that of submissions. All deliveries go to one receiver.
    pub(crate) async fn deliveries(
        &self,
        post: f64,
        pace: Pace,
        report: &mut Report,
    ) -> Result<()> {
        let count: Arc<AtomicUsize> = Arc::default();
        let counted = Arc::clone(&count);
        let endpoint = make_sync(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            StatusCode::NO_CONTENT
        });
        let receiver = WebhookReceiver::start("127.0.0.1:0", endpoint).await?;
        let (form, _) = self.installation.form(None, FormAccess::Manage).await?;
        for _ in 0..WEBHOOKS {
            self.observe(&form, &receiver.url).await?;
        }
        let begun = Instant::now();
        for _ in 0..pace.seconds {
            self.submit_batch(&form).await?;
        }
        let expected = WEBHOOKS * BATCH * usize::try_from(pace.seconds)?;
        let all = async {
            while count.load(Ordering::Relaxed) < expected {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(PATIENCE, all).await?;
        let rate = as_number(expected) / begun.elapsed().as_secs_f64();
        let what = "deliveries of 16 webhooks in a second, against submissions";
        report.add(at_least(what, rate / post, 0.15, 0.3));
        Ok(())
    }
}
