//! The places of connections: their number is limited, in all and for each client.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::timeout};

use super::{idle_watch::IdleWatch, source::Source};

/// How long to wait before looking again for a connection that can be closed.
const PAUSE: Duration = Duration::from_millis(100);

/// The open connections.
///
/// A client that holds many connections must not keep others out. Connections that have not sent a complete head cost
/// their client nothing, so they make room for new ones, the oldest first. Those that have sent one are limited for
/// each client.
#[derive(Debug)]
pub(super) struct Places {
    most: usize,
    most_of_source: usize,
    state: Mutex<State>,
    released: Notify,
}

#[derive(Debug, Default)]
struct State {
    taken: HashMap<u64, Connection>,
    by_source: HashMap<Source, usize>,
    last: u64,
}

#[derive(Debug)]
struct Connection {
    /// `None` if it does not count for any client.
    source: Option<Source>,
    idle: IdleWatch,
    end: Arc<Notify>,
}

/// The place of a connection, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    number: u64,
    end: Arc<Notify>,
    places: Arc<Places>,
}

/// A client has its share of the connections.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ShareIsTaken;

impl Places {
    pub(super) fn new(most: usize, most_of_source: usize) -> Self {
        Self {
            most,
            most_of_source,
            state: Mutex::default(),
            released: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all places are taken.
    pub(super) fn are_taken(&self) -> bool {
        self.state().taken.len() >= self.most
    }

    /// Takes a place for a connection. If all are taken, closes another connection, or waits until one ends.
    ///
    /// # Errors
    ///
    /// If the client has its share, and none of its connections can end.
    pub(super) async fn take(
        self: &Arc<Self>,
        source: Option<Source>,
        idle: &IdleWatch,
    ) -> Result<Place, ShareIsTaken> {
        loop {
            if let Some(place) = self.try_take(source, idle)? {
                return Ok(place);
            }
            // A connection that now serves a request may soon be one that can end, which nothing reports.
            let _ = timeout(PAUSE, self.released.notified()).await;
        }
    }

    /// Takes a place; `None` if all are taken by connections that must not end.
    fn try_take(
        self: &Arc<Self>,
        source: Option<Source>,
        idle: &IdleWatch,
    ) -> Result<Option<Place>, ShareIsTaken> {
        let mut state = self.state();
        let of_source = source.and_then(|source| state.by_source.get(&source));
        if of_source.is_some_and(|count| *count >= self.most_of_source) {
            if !state.end_oldest(|other| other.source == source) {
                return Err(ShareIsTaken);
            }
        } else if state.taken.len() >= self.most && !state.end_oldest(|_| true) {
            return Ok(None);
        }
        Ok(Some(self.place(&mut state, source, idle)))
    }

    fn place(
        self: &Arc<Self>,
        state: &mut State,
        source: Option<Source>,
        idle: &IdleWatch,
    ) -> Place {
        state.last += 1;
        let (number, end) = (state.last, Arc::new(Notify::new()));
        let connection = Connection {
            source,
            idle: idle.clone(),
            end: Arc::clone(&end),
        };
        state.taken.insert(number, connection);
        if let Some(source) = source {
            *state.by_source.entry(source).or_default() += 1;
        }
        Place {
            number,
            end,
            places: Arc::clone(self),
        }
    }
}

impl State {
    /// Ends the connection that has been waiting for a complete head for the longest time. Returns whether there is
    /// one. Its place is free at once, so that no other connection is ended for the same reason.
    fn end_oldest(&mut self, may_end: impl Fn(&Connection) -> bool) -> bool {
        let waiting = self.taken.iter().filter(|(_, other)| may_end(other));
        let waiting =
            waiting.filter_map(|(number, other)| Some((other.idle.no_head_since()?, *number)));
        let Some((_, oldest)) = waiting.min() else {
            return false;
        };
        self.release(oldest);
        true
    }

    /// Releases a place, if it was not released before.
    fn release(&mut self, number: u64) {
        let Some(connection) = self.taken.remove(&number) else {
            return;
        };
        connection.end.notify_one();
        if let Some(source) = connection.source
            && let Some(count) = self.by_source.get_mut(&source)
        {
            *count -= 1;
            if *count == 0 {
                self.by_source.remove(&source);
            }
        }
    }
}

impl Place {
    /// Completes when the connection has to end because another one needs its place.
    pub(super) async fn is_needed(&self) {
        self.end.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.state().release(self.number);
        self.places.released.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::super::idle_watch::{Event, Timeouts};
    use super::*;

    fn watch(events: &[Event]) -> IdleWatch {
        let long = Duration::from_mins(1);
        let watch = IdleWatch::new(Timeouts {
            head: long,
            answer: long,
            keep_alive: long,
        });
        for event in events {
            watch.note(*event);
        }
        watch
    }

    fn source(address: &str) -> Source {
        Source::of(address.parse().unwrap())
    }

    async fn has_to_end(place: &Place) -> bool {
        let end = timeout(Duration::from_millis(20), place.is_needed());
        end.await.is_ok()
    }

    #[tokio::test]
    async fn the_oldest_connection_without_a_head_makes_room() {
        let places = Arc::new(Places::new(4, 4));
        let busy = watch(&[Event::Received, Event::HeadComplete]);
        let idle = watch(&[Event::Received, Event::HeadComplete, Event::ResponseTaken]);
        let mut taken = Vec::new();
        let (silent, partial) = (watch(&[]), watch(&[Event::Received]));
        for watch in [&busy, &idle, &silent, &partial] {
            tokio::time::sleep(Duration::from_millis(1)).await;
            taken.push(places.take(None, watch).await.unwrap());
        }
        assert!(places.are_taken());
        taken.push(places.take(None, &busy).await.unwrap());
        assert!(has_to_end(&taken[2]).await, "it is silent");
        assert!(!has_to_end(&taken[3]).await);
        taken.push(places.take(None, &busy).await.unwrap());
        assert!(has_to_end(&taken[3]).await);
        assert!(!has_to_end(&taken[0]).await && !has_to_end(&taken[1]).await);

        let next = timeout(3 * PAUSE, places.take(None, &busy)).await;
        assert!(next.is_err(), "no other may end");
        // The places of those that had to end are free already.
        drop(taken.drain(2..4));
        assert!(places.are_taken());
        taken.pop();
        assert!(places.take(None, &busy).await.is_ok());
    }

    #[tokio::test]
    async fn a_client_has_a_share() {
        let places = Arc::new(Places::new(10, 2));
        let busy = watch(&[Event::Received, Event::HeadComplete]);
        let greedy = Some(source("192.0.2.1"));
        let other = Some(source("192.0.2.2"));
        let first = places.take(greedy, &busy).await.unwrap();
        let silent = places.take(greedy, &watch(&[])).await.unwrap();
        let third = places.take(greedy, &busy).await.unwrap();
        assert!(has_to_end(&silent).await);
        assert_eq!(places.take(greedy, &busy).await.err(), Some(ShareIsTaken));
        let _others = places.take(other, &busy).await.unwrap();
        let _exempt = [
            places.take(None, &busy).await.unwrap(),
            places.take(None, &busy).await.unwrap(),
            places.take(None, &busy).await.unwrap(),
        ];
        drop(silent);
        assert_eq!(places.take(greedy, &busy).await.err(), Some(ShareIsTaken));
        drop((first, third));
        assert!(places.take(greedy, &busy).await.is_ok());
    }
}
