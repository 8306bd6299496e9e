//! Moves expensive work off the threads that serve requests.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(feature = "forms")]
mod line;

#[cfg(feature = "forms")]
pub(crate) use line::{Line, Place, Turn, offload_in_turn, pause, place_to_read};
#[cfg(feature = "forms")]
pub use line::{offload, offload_for};

/// The reason why offloaded work has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OffloadError {
    /// The queue is full. Try again later.
    #[error("too much work is queued")]
    TooMuchWaiting,
    /// The work panicked, or no thread could be started.
    #[error("the offloaded work was interrupted")]
    Interrupted,
}

/// What is dropped later, and when.
type Later = (Instant, Box<dyn Send>);

/// Leads to the thread that drops values later, if it was started.
static LATER: Mutex<Option<mpsc::Sender<Later>>> = Mutex::new(None);

/// Drops a value after a time, in any async runtime.
pub(crate) fn drop_after(time: Duration, value: impl Send + 'static) {
    let mut to_thread = LATER.lock().unwrap_or_else(PoisonError::into_inner);
    let later = to_thread.get_or_insert_with(|| {
        let (later, values) = mpsc::channel();
        let wait = move || drop_in_time(&values);
        let _ = thread::Builder::new().name("later".to_owned()).spawn(wait);
        later
    });
    if later
        .send((Instant::now() + time, Box::new(value)))
        .is_err()
    {
        // No thread could be started, so the value is dropped at once. The next one may have more luck.
        *to_thread = None;
    }
}

/// Drops each value when its time has come.
fn drop_in_time(values: &mpsc::Receiver<Later>) {
    let mut due = BTreeMap::<Instant, Vec<Box<dyn Send>>>::new();
    loop {
        let received = match due.first_entry() {
            Some(first) => {
                let left = first.key().saturating_duration_since(Instant::now());
                if left.is_zero() {
                    first.remove();
                    continue;
                }
                values.recv_timeout(left)
            }
            None => values.recv().map_err(RecvTimeoutError::from),
        };
        match received {
            Ok((time, value)) => due.entry(time).or_default().push(value),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
