//! Timeouts of a connection.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// The longest time between two checks of a connection, and so the accuracy of its timeouts.
const PACE: Duration = Duration::from_secs(1);

/// The lowest rate of responses and of request bodies, in bytes per second, averaged over their timeouts.
pub const LOWEST_RATE: u64 = 16 << 10;

/// How long a client may go on sending after the last response.
const LINGERING: Duration = Duration::from_secs(5);

/// How long clients may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// To send a request head, from its first byte, or from the start of the connection.
    pub head: Duration,
    /// To accept as much of a response as the lowest rate demands for this time, and then as much again.
    pub answer: Duration,
    /// To send another request.
    pub keep_alive: Duration,
}

/// Why a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CloseReason {
    Head,
    Answer,
    KeepAlive,
    Closing,
}

impl fmt::Display for CloseReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Head => "the client took too long to send a request head",
            Self::Answer => "the client accepted a response too slowly",
            Self::KeepAlive => "it was idle for too long",
            Self::Closing => "the client went on sending after the last response",
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
            state: Arc::new(Mutex::new(State::new(Instant::now(), timeouts.answer))),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event.
    pub(super) fn note(&self, event: Event) {
        self.state().note(event);
    }

    /// Records that everything was sent and the connection is being closed. Returns whether the client may still be
    /// sending.
    pub(super) fn close(&self) -> bool {
        self.state().close(Instant::now())
    }

    /// Since when a head is awaited, or the end of a connection whose last response was sent; `None` if a request is
    /// served, or was served and the next one has not begun.
    pub(super) fn no_head_since(&self) -> Option<Instant> {
        let state = self.state();
        let ends_early = matches!(state.phase, Phase::New | Phase::Head | Phase::Closing);
        ends_early.then_some(state.since)
    }

    /// Completes when a timeout has passed.
    pub(super) async fn late(&self) -> CloseReason {
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
    Received,
    /// A request head is complete.
    HeadComplete,
    /// The response is ready, and its body may still be made.
    ResponseBegins,
    /// All of the response was taken, to be sent.
    ResponseTaken,
    /// All of the response was taken, to be sent, and the rest of the request will not be read.
    UnreadResponseTaken,
    /// Nothing can be sent, because the client does not read.
    Blocked,
    /// This number of bytes was sent.
    Written(usize),
}

#[derive(Debug, Clone, Copy)]
struct State {
    phase: Phase,
    since: Instant,
    /// Since when nothing can be sent; `None` if something can.
    blocked: Option<Instant>,
    /// How long sending was blocked while the client accepted this part of a response. A response that is made slowly is not one
    /// that is accepted slowly.
    waited: Duration,
    /// How many bytes of the part the client has accepted.
    accepted: u64,
    /// The size of a part: as many bytes as the lowest rate demands for the timeout.
    part: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing was received yet.
    New,
    /// A head is being received.
    Head,
    /// A request is being processed, or its response is being made. The timeout of its body is enforced where the body is read.
    Handling,
    /// The response is complete, and is being sent or was sent; the next request has not begun.
    Idle,
    /// The last response is complete, and is being sent or was sent, and the client may still be sending the request.
    Unread,
    /// Everything is sent, and what the client still sends is discarded.
    Closing,
}

impl State {
    fn new(now: Instant, answer: Duration) -> Self {
        let part = answer.as_millis() * u128::from(LOWEST_RATE) / 1000;
        Self {
            phase: Phase::New,
            since: now,
            blocked: None,
            waited: Duration::ZERO,
            accepted: 0,
            part: u64::try_from(part).unwrap_or(u64::MAX),
        }
    }

    /// Reads the clock only for events that need it.
    fn note(&mut self, event: Event) {
        self.note_at(event, Instant::now);
    }

    fn note_at(&mut self, event: Event, now: impl FnOnce() -> Instant) {
        match event {
            Event::Received => match self.phase {
                Phase::New => self.phase = Phase::Head,
                Phase::Idle => (self.phase, self.since) = (Phase::Head, now()),
                Phase::Head | Phase::Handling | Phase::Unread | Phase::Closing => {}
            },
            Event::HeadComplete => self.phase = Phase::Handling,
            Event::ResponseBegins => self.forget_earlier(),
            Event::ResponseTaken => self.answered(Phase::Idle, now()),
            Event::UnreadResponseTaken => self.answered(Phase::Unread, now()),
            Event::Blocked => {
                self.blocked.get_or_insert_with(now);
            }
            Event::Written(bytes) => {
                if let Some(since) = self.blocked.take() {
                    let now = now();
                    self.waited += now.saturating_duration_since(since);
                    if matches!(self.phase, Phase::Idle | Phase::Unread) {
                        self.since = now;
                    }
                }
                self.accepted += u64::try_from(bytes).unwrap_or(u64::MAX);
                // A fast start is no reserve for later, so a client that stops reading holds memory only briefly.
                if self.accepted >= self.part {
                    self.begin_part();
                }
            }
        }
    }

    fn begin_part(&mut self) {
        (self.waited, self.accepted) = (Duration::ZERO, 0);
    }

    fn answered(&mut self, phase: Phase, now: Instant) {
        (self.phase, self.since) = (phase, now);
        self.forget_earlier();
    }

    /// How fast the client has accepted earlier responses does not matter for the next one.
    fn forget_earlier(&mut self) {
        // With pipelining, the previous response may not be sent yet.
        if self.blocked.is_none() {
            self.begin_part();
        }
    }

    /// Only a client whose request was not read to its end may still be sending.
    fn close(&mut self, now: Instant) -> bool {
        let may_send = matches!(self.phase, Phase::Head | Phase::Unread);
        if may_send {
            (self.phase, self.since) = (Phase::Closing, now);
        }
        may_send
    }

    /// The next deadline, and what it is for.
    fn due(&self, timeouts: &Timeouts) -> Option<(CloseReason, Instant)> {
        let since = self.since;
        match (self.blocked, self.phase) {
            (Some(blocked), _) => {
                let left = timeouts.answer.saturating_sub(self.waited);
                Some((CloseReason::Answer, blocked + left))
            }
            (None, Phase::New | Phase::Head) => Some((CloseReason::Head, since + timeouts.head)),
            (None, Phase::Idle | Phase::Unread) => {
                Some((CloseReason::KeepAlive, since + timeouts.keep_alive))
            }
            (None, Phase::Closing) => Some((CloseReason::Closing, since + LINGERING)),
            (None, Phase::Handling) => None,
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
    fn due(events: &[(u64, Event)]) -> Option<(CloseReason, u64)> {
        let began = Instant::now();
        let mut state = State::new(began, TIMEOUTS.answer);
        for (seconds, event) in events {
            state.note_at(*event, || began + Duration::from_secs(*seconds));
        }
        let (late, due) = state.due(&TIMEOUTS)?;
        Some((late, (due - began).as_secs()))
    }

    #[test]
    fn a_trickle_of_bytes_does_not_extend_the_head_timeout() {
        use Event::{HeadComplete, Received, ResponseTaken};
        assert_eq!(due(&[]), Some((CloseReason::Head, 10)));
        let trickle = [(1, Received), (5, Received), (9, Received)];
        assert_eq!(due(&trickle), Some((CloseReason::Head, 10)));
        let second = [
            (1, HeadComplete),
            (2, ResponseTaken),
            (30, Received),
            (35, Received),
            (39, Received),
        ];
        assert_eq!(due(&second), Some((CloseReason::Head, 40)));
    }

    #[test]
    fn idle_connections_time_out_and_busy_ones_do_not() {
        use Event::{HeadComplete, Received, ResponseTaken};
        assert_eq!(due(&[(1, HeadComplete)]), None);
        assert_eq!(
            due(&[(1, HeadComplete), (2, Received)]),
            None,
            "a body arrives"
        );
        let is_idle = [(1, HeadComplete), (100, ResponseTaken)];
        assert_eq!(due(&is_idle), Some((CloseReason::KeepAlive, 140)));
    }

    #[test]
    fn a_response_that_is_being_made_is_not_idle() {
        use Event::{Blocked, HeadComplete, ResponseBegins, ResponseTaken, Written};
        let mut events = vec![(1, HeadComplete), (2, ResponseBegins), (3, Written(10))];
        assert_eq!(due(&events), None);
        events.push((300, Blocked));
        assert_eq!(due(&events), Some((CloseReason::Answer, 320)));
        events.extend([(301, Written(10)), (400, ResponseTaken)]);
        assert_eq!(due(&events), Some((CloseReason::KeepAlive, 440)));
    }

    #[test]
    fn only_clients_that_may_be_sending_delay_the_end() {
        use Event::{HeadComplete, Received, ResponseTaken, UnreadResponseTaken};
        let closed = |events: &[Event]| {
            let began = Instant::now();
            let mut state = State::new(began, TIMEOUTS.answer);
            for event in events {
                state.note_at(*event, || began);
            }
            let late = began + Duration::from_mins(1);
            state.close(late).then(|| {
                let (why, due) = state.due(&TIMEOUTS).unwrap();
                assert_eq!(why, CloseReason::Closing);
                (due - late).as_secs()
            })
        };
        assert_eq!(closed(&[]), None);
        assert_eq!(closed(&[Received]), Some(5));
        assert_eq!(closed(&[Received, HeadComplete, ResponseTaken]), None);
        let last = [Received, HeadComplete, UnreadResponseTaken, Received];
        assert_eq!(closed(&last), Some(5));
    }

    /// Time is in seconds, and 16 KiB take one second at the lowest rate.
    #[test]
    fn a_client_that_reads_too_slowly_times_out() {
        use Event::{Blocked, HeadComplete, ResponseTaken, Written};
        let due_after = |events: &[(u64, Event)]| {
            let begin = [(1, HeadComplete), (2, ResponseTaken), (3, Blocked)];
            due(&[&begin, events].concat())
        };
        let kib = |kib: usize| Written(kib << 10);
        assert_eq!(due_after(&[(9, Blocked)]), Some((CloseReason::Answer, 23)));
        let a_little = [(20, kib(16)), (21, Blocked)];
        assert_eq!(due_after(&a_little), Some((CloseReason::Answer, 24)));
        // 15 KiB a second.
        let below_the_rate = [(13, kib(150)), (13, Blocked), (22, kib(135)), (22, Blocked)];
        assert_eq!(due_after(&below_the_rate), Some((CloseReason::Answer, 23)));
        let above_the_rate = [
            (13, kib(176)),
            (13, Blocked),
            (23, kib(176)),
            (23, Blocked),
            (43, kib(352)),
            (43, Blocked),
        ];
        assert_eq!(due_after(&above_the_rate), Some((CloseReason::Answer, 63)));
        let fast_at_first = [(4, kib(100_000)), (4, Blocked)];
        assert_eq!(due_after(&fast_at_first), Some((CloseReason::Answer, 24)));
        assert_eq!(
            due_after(&[(20, kib(1))]),
            Some((CloseReason::KeepAlive, 60))
        );
    }

    /// The response is being made for hours, and the client accepts everything within a second.
    #[test]
    fn a_slow_response_is_not_a_slow_client() {
        use Event::{Blocked, HeadComplete, Written};
        let mut events = vec![(1, HeadComplete)];
        for minute in 1..15 {
            events.extend([(60 * minute, Blocked), (60 * minute + 1, Written(1))]);
        }
        assert_eq!(due(&events), None);
        events.push((900, Blocked));
        assert_eq!(due(&events), Some((CloseReason::Answer, 906)));
    }

    #[test]
    fn each_response_has_the_whole_timeout() {
        use Event::{Blocked, HeadComplete, ResponseTaken, Written};
        let first = [(1, HeadComplete), (2, ResponseTaken), (3, Blocked)];
        let second = |sent: &[(u64, Event)]| {
            let second = [(22, HeadComplete), (22, ResponseTaken), (22, Blocked)];
            due(&[&first, sent, &second].concat())
        };
        assert_eq!(second(&[(21, Written(1))]), Some((CloseReason::Answer, 42)));
        assert_eq!(
            second(&[]),
            Some((CloseReason::Answer, 23)),
            "it is still blocked"
        );
    }
}
