//! The client that is not attacking.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use reqwest::{Client, RequestBuilder};
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// The pause between requests. 50 a second are below the default rate limit of a user.
const PAUSE: Duration = Duration::from_millis(20);

/// A client that reads and submits at an even pace, each time on a new connection.
#[derive(Debug)]
pub(super) struct Other {
    pub(super) http: Client,
    pub(super) token: String,
    /// The URL of a submission.
    pub(super) read: String,
    /// The URL of all submissions, and what to submit.
    pub(super) submit: (String, Value),
}

impl Other {
    /// Sends GET and POST in turns for this time.
    pub(super) async fn measure(&self, time: Duration) -> Latencies {
        let mut seen = Latencies::default();
        let mut pace = interval(PAUSE);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = Instant::now() + time;
        while Instant::now() < end {
            pace.tick().await;
            let get = self.http.get(&self.read);
            let spent = self.time(get, 200, &mut seen.failures).await;
            seen.get.0.extend(spent);
            pace.tick().await;
            let (url, body) = &self.submit;
            let post = self.http.post(url).json(body);
            let spent = self.time(post, 201, &mut seen.failures).await;
            seen.post.0.extend(spent);
        }
        seen.get.0.sort();
        seen.post.0.sort();
        seen
    }

    /// The time until the whole response has arrived; `None` if the request fails.
    async fn time(
        &self,
        request: RequestBuilder,
        expected: u16,
        failures: &mut BTreeMap<String, u64>,
    ) -> Option<Duration> {
        let begun = Instant::now();
        let outcome = match request.bearer_auth(&self.token).send().await {
            Ok(response) => {
                let status = response.status().as_u16();
                response.bytes().await.map(|_| status)
            }
            Err(error) => Err(error),
        };
        let text = match outcome {
            Ok(status) if status == expected => return Some(begun.elapsed()),
            Ok(status) => status.to_string(),
            Err(error) if error.is_timeout() => "timeout".to_owned(),
            Err(error) => format!("{error:?}"),
        };
        *failures.entry(text).or_default() += 1;
        None
    }
}

/// The latencies of GET and POST, and the requests that failed.
#[derive(Debug, Default)]
pub struct Latencies {
    /// Of the GETs that succeeded.
    pub get: Sorted,
    /// Of the POSTs that succeeded.
    pub post: Sorted,
    /// The number of requests that failed, by status or error.
    pub failures: BTreeMap<String, u64>,
}

impl fmt::Display for Latencies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (get, post) = (&self.get, &self.post);
        write!(
            formatter,
            "GET {get}, POST {post}, failed {:?}",
            self.failures
        )
    }
}

/// Durations, from the shortest to the longest.
#[derive(Debug, Default)]
pub struct Sorted(Vec<Duration>);

impl Sorted {
    /// The middle one.
    pub fn median(&self) -> Duration {
        self.percentile(50)
    }

    /// The duration that so many percent do not exceed; the longest possible one if there are none.
    pub fn percentile(&self, percent: usize) -> Duration {
        let place = self.0.len() * percent / 100;
        let place = place.min(self.0.len().saturating_sub(1));
        self.0.get(place).copied().unwrap_or(Duration::MAX)
    }
}

impl fmt::Display for Sorted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, slow] = [50, 99].map(|percent| self.percentile(percent).as_secs_f64() * 1e3);
        write!(formatter, "{median:.1}/{slow:.0} ms of {}", self.0.len())
    }
}
