//! Timeouts of a connection.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// The longest time between two checks of a connection, and so the accuracy of its timeouts.
const PACE: Duration = Duration::from_secs(1);

/// How long clients may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// To send a request head, from its first byte, or from the start of the connection.
    pub head: Duration,
    /// To accept more of a response.
    pub answer: Duration,
    /// To send another request.
    pub keep_alive: Duration,
}

/// Why a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Late {
    Head,
    Answer,
    KeepAlive,
}

impl fmt::Display for Late {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Head => "the client took too long to send a request head",
            Self::Answer => "the client stalled while a response was sent",
            Self::KeepAlive => "it was idle for too long",
        })
    }
}

/// Watches a connection by the events of its stream and its requests; clones share the state.
///
/// There is one timer per connection, not one per request. It keeps running while requests come and go, and the
/// deadline is checked when it fires.
#[derive(Debug, Clone)]
pub(super) struct IdleWatch {
    timeouts: Timeouts,
    state: Arc<Mutex<State>>,
}

impl IdleWatch {
    pub(super) fn new(timeouts: Timeouts) -> Self {
        Self {
            timeouts,
            state: Arc::new(Mutex::new(State::new(Instant::now()))),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event.
    pub(super) fn note(&self, event: Event) {
        self.state().note(event);
    }

    /// Completes when a timeout has passed.
    pub(super) async fn late(&self) -> Late {
        loop {
            let now = Instant::now();
            let due = self.state().due(&self.timeouts);
            let next = match due {
                Some((late, due)) if due <= now => return late,
                Some((_, due)) => due.min(now + PACE),
                None => now + PACE,
            };
            sleep_until(next).await;
        }
    }
}

/// An event on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// Bytes were received.
    Sent,
    /// A request head is complete.
    Asked,
    /// The response is ready.
    Answered,
    /// Nothing can be sent, because the client does not read.
    Stuck,
    /// Bytes were sent.
    Taken,
}

#[derive(Debug, Clone, Copy)]
struct State {
    doing: Doing,
    since: Instant,
    /// When sending stalled.
    stuck: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// A head is being received. This includes new connections.
    Head,
    /// A request is being processed. The timeout of its body is enforced where the body is read.
    Work,
    /// The response is ready or sent; the next request has not begun.
    Rest,
}

impl State {
    fn new(now: Instant) -> Self {
        Self {
            doing: Doing::Head,
            since: now,
            stuck: None,
        }
    }

    /// Reads the clock only for events that need it.
    fn note(&mut self, event: Event) {
        self.note_at(event, Instant::now);
    }

    fn note_at(&mut self, event: Event, now: impl FnOnce() -> Instant) {
        let rests = self.doing == Doing::Rest;
        match event {
            Event::Sent if rests => (self.doing, self.since) = (Doing::Head, now()),
            Event::Sent => {}
            Event::Asked => self.doing = Doing::Work,
            Event::Answered => (self.doing, self.since) = (Doing::Rest, now()),
            Event::Stuck => {
                self.stuck.get_or_insert_with(now);
            }
            Event::Taken => {
                if self.stuck.take().is_some() && rests {
                    self.since = now();
                }
            }
        }
    }

    /// The next deadline, and what it is for.
    fn due(&self, timeouts: &Timeouts) -> Option<(Late, Instant)> {
        let since = self.since;
        match (self.stuck, self.doing) {
            (Some(stuck), _) => Some((Late::Answer, stuck + timeouts.answer)),
            (None, Doing::Head) => Some((Late::Head, since + timeouts.head)),
            (None, Doing::Rest) => Some((Late::KeepAlive, since + timeouts.keep_alive)),
            (None, Doing::Work) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUTS: Timeouts = Timeouts {
        head: Duration::from_secs(10),
        answer: Duration::from_secs(20),
        keep_alive: Duration::from_secs(40),
    };

    /// The next timeout after these events, and its deadline; all times are in seconds since the start.
    fn due(events: &[(u64, Event)]) -> Option<(Late, u64)> {
        let began = Instant::now();
        let mut state = State::new(began);
        for (seconds, event) in events {
            state.note_at(*event, || began + Duration::from_secs(*seconds));
        }
        let (late, due) = state.due(&TIMEOUTS)?;
        Some((late, (due - began).as_secs()))
    }

    #[test]
    fn a_trickle_of_bytes_does_not_extend_the_head_timeout() {
        use Event::{Answered, Asked, Sent};
        assert_eq!(due(&[]), Some((Late::Head, 10)));
        let trickle = [(1, Sent), (5, Sent), (9, Sent)];
        assert_eq!(due(&trickle), Some((Late::Head, 10)));
        let second = [
            (1, Asked),
            (2, Answered),
            (30, Sent),
            (35, Sent),
            (39, Sent),
        ];
        assert_eq!(due(&second), Some((Late::Head, 40)));
    }

    #[test]
    fn idle_connections_time_out_and_busy_ones_do_not() {
        use Event::{Answered, Asked, Sent};
        assert_eq!(due(&[(1, Asked)]), None);
        assert_eq!(due(&[(1, Asked), (2, Sent)]), None, "a body arrives");
        let rests = [(1, Asked), (100, Answered)];
        assert_eq!(due(&rests), Some((Late::KeepAlive, 140)));
    }

    #[test]
    fn only_a_client_that_reads_nothing_times_out() {
        use Event::{Answered, Asked, Stuck, Taken};
        let stuck = [(1, Asked), (2, Answered), (3, Stuck), (9, Stuck)];
        assert_eq!(due(&stuck), Some((Late::Answer, 23)));
        let little = [
            (1, Asked),
            (2, Answered),
            (3, Stuck),
            (20, Taken),
            (21, Stuck),
        ];
        assert_eq!(due(&little), Some((Late::Answer, 41)));
        let all = [(1, Asked), (2, Answered), (3, Stuck), (20, Taken)];
        assert_eq!(due(&all), Some((Late::KeepAlive, 60)));
    }
}
