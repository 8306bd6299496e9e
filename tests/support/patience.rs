//! Waiting for what a test needs. A fixed time is too short on a busy machine, and too long on an idle one.

#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::time::Duration;

use tokio::time::{sleep, timeout};

/// Longer than anything takes that happens at all, however busy the machine is. So it only keeps tests from waiting forever.
pub const LIMIT: Duration = Duration::from_mins(2);

/// The pause before a condition is checked again.
const PAUSE: Duration = Duration::from_millis(20);

/// The result of what must end.
///
/// # Panics
///
/// If it does not end within [`LIMIT`].
pub async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    let ended = timeout(LIMIT, future).await;
    ended.unwrap_or_else(|_| panic!("{} s were not enough: {what}", LIMIT.as_secs()))
}

/// Looks for something until it is there, and returns it.
///
/// # Panics
///
/// If it is not there within [`LIMIT`].
pub async fn found<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let search = async {
        loop {
            if let Some(found) = find().await {
                return found;
            }
            sleep(PAUSE).await;
        }
    };
    in_time(what, search).await
}

/// Waits until a condition holds.
///
/// # Panics
///
/// If it does not hold within [`LIMIT`].
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    found(what, async || holds().await.then_some(())).await;
}
