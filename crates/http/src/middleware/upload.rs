//! Receives the body of a request, hands it to a handler while it arrives, or discards it if the request is refused before.

use std::{
    future::poll_fn,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use formalize_core::internals::admission::{InUse, Quota};
use futures_util::{Stream, StreamExt, stream};
use hyper::body::Bytes;

use poem::{
    Request, Response,
    http::{HeaderValue, header},
};
use tokio::time::{Instant, timeout, timeout_at};

use crate::{
    connections::{LOWEST_RATE, Unread},
    rate::{Full, Holder, Place, Places},
};

/// How much of a body is discarded to keep a connection open, in bytes, and for how long. Beyond that, a new
/// connection is cheaper.
const DISCARDED: usize = 256 << 10;
const DISCARDING: Duration = Duration::from_secs(1);

/// The most memory in bytes that is reserved for a body before it arrives. Bodies of this size are outside of the
/// budget, so that small requests are served while it is used up. Larger ones use it in steps of this size.
const SMALL: usize = 64 << 10;

/// The memory for all bodies that are larger than 64 KiB, in steps of that size. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct BodiesBudget {
    steps: usize,
    used: Quota<()>,
}

/// The part of the budget that a body uses, until this is dropped.
pub(crate) type BodyMemory = InUse<()>;

impl BodiesBudget {
    /// A budget in bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let (steps, used) = (bytes / SMALL, Quota::default());
        Self { steps, used }
    }

    /// Uses as much of the budget as a body of this size needs. `used` is what it uses already.
    ///
    /// # Errors
    ///
    /// [`BodyError::NoBudget`].
    pub(crate) fn reserve(
        &self,
        bytes: usize,
        used: &mut Option<BodyMemory>,
    ) -> Result<(), BodyError> {
        let steps = (bytes.div_ceil(SMALL) as u64).saturating_sub(1);
        if used.as_ref().map_or(0, BodyMemory::weight) >= steps {
            return Ok(());
        }
        let used = used.get_or_insert_with(|| self.used.begin([()]));
        let resized = used.resize(steps, [self.steps as u64]);
        resized.map_err(|()| BodyError::NoBudget)
    }
}

/// Why a body was not received.
#[derive(Debug)]
pub enum BodyError {
    /// It is larger than it may be.
    TooLarge,
    /// It arrives too slowly.
    TooSlow,
    /// The budget is used up by others.
    NoBudget,
    /// The places of requests that send files are taken.
    NoPlace(Full),
    /// The connection broke.
    Broken(io::Error),
}

/// A body as it arrives, in steps of [`SMALL`] bytes. One buffer that doubles would leave the smaller ones to the allocator, which
/// keeps them for a while: many large bodies would use twice the memory that the budget counts.
struct Growing {
    steps: Vec<Vec<u8>>,
    length: usize,
}

impl Growing {
    /// With memory for a body of the announced size, but at most for the first step.
    fn new(bytes: usize) -> Self {
        Self {
            steps: vec![Vec::with_capacity(bytes.min(SMALL))],
            length: 0,
        }
    }

    fn add(&mut self, mut piece: &[u8]) {
        self.length += piece.len();
        while !piece.is_empty() {
            let last = self.steps.last_mut().filter(|step| step.len() < SMALL);
            let Some(last) = last else {
                self.steps.push(Vec::with_capacity(SMALL));
                continue;
            };
            let (now, later) = piece.split_at(piece.len().min(SMALL - last.len()));
            last.extend_from_slice(now);
            piece = later;
        }
    }

    /// The whole body. Each step is freed when it has been copied, so that no body is in memory twice.
    fn whole(mut self) -> Vec<u8> {
        if let [only] = self.steps.as_mut_slice() {
            return std::mem::take(only);
        }
        let mut whole = Vec::with_capacity(self.length);
        for step in self.steps {
            whole.extend_from_slice(&step);
        }
        whole
    }
}

/// The pieces of a body, as they arrive.
type Pieces = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// A request body that is received.
pub(super) struct Upload {
    /// `None` if the request has no body, or it is complete.
    pieces: Option<Pieces>,
    /// The length that the head announces.
    announced: Option<usize>,
    /// Whether the rest can be read. After an error it cannot; and a client that sends the body only when it is told to
    /// continue would be told so by reading.
    is_readable: bool,
    /// The body, if a handler reads it while it arrives.
    streamed: Option<Streamed>,
    /// The part of the budget that the body uses, until the request is answered.
    pub(super) used: Option<BodyMemory>,
}

impl Upload {
    /// Takes the body of a request.
    pub(super) fn of(request: &mut Request) -> Self {
        let announced = request
            .header(header::CONTENT_LENGTH)
            .and_then(|length| length.parse().ok());
        let is_readable = !request.headers().contains_key(header::EXPECT);
        let body = request.take_body();
        let pieces = (!body.is_empty()).then(|| {
            let pieces = body.into_bytes_stream();
            Box::pin(pieces) as Pieces
        });
        Self {
            pieces,
            announced,
            is_readable,
            streamed: None,
            used: None,
        }
    }

    /// Whether the request has no body, or an empty one.
    pub(super) fn is_absent(&self) -> bool {
        self.pieces.is_none()
    }

    /// Receives the whole body of at most `most` bytes.
    ///
    /// The client has `patience` for it. After each part that is as large as the lowest rate demands for that time, it
    /// has as long again: a slow connection may send a large body, but a client that stalls cannot hold memory.
    ///
    /// The budget is used as the body arrives, so that announcing a length costs others nothing.
    pub(crate) async fn receive(
        &mut self,
        most: usize,
        patience: Duration,
        budget: &BodiesBudget,
    ) -> Result<Vec<u8>, BodyError> {
        if self.announced.is_some_and(|length| length > most) {
            return Err(BodyError::TooLarge);
        }
        let Some(pieces) = &mut self.pieces else {
            return Ok(Vec::new());
        };
        self.is_readable = false;
        let mut data = Growing::new(self.announced.unwrap_or(0));
        let part = patience.as_millis() * u128::from(LOWEST_RATE) / 1000;
        let part = usize::try_from(part).unwrap_or(usize::MAX);
        let (mut deadline, mut next_part) = (Instant::now() + patience, part);
        loop {
            let piece = timeout_at(deadline, pieces.next()).await;
            let Some(piece) = piece.map_err(|_| BodyError::TooSlow)? else {
                break;
            };
            let piece = piece.map_err(BodyError::Broken)?;
            if data.length + piece.len() > most {
                self.is_readable = true;
                return Err(BodyError::TooLarge);
            }
            data.add(&piece);
            if let Err(error) = budget.reserve(data.length, &mut self.used) {
                self.is_readable = true;
                return Err(error);
            }
            if data.length >= next_part {
                next_part = data.length.saturating_add(part);
                deadline = Instant::now() + patience;
            }
        }
        self.pieces = None;
        Ok(data.whole())
    }

    /// Whether the head announces a body of more than `most` bytes.
    pub(super) fn announces_more_than(&self, most: u64) -> bool {
        let announced = self.announced.map(u64::try_from);
        announced.is_some_and(|length| length.unwrap_or(u64::MAX) > most)
    }

    /// Lets a handler read the body of at most `most` bytes while it arrives.
    pub(crate) fn stream(&mut self, patience: StreamPatience, most: u64, gate: Gate) -> Streamed {
        let streaming = Streaming {
            pieces: self.pieces.take(),
            announced: self.announced,
            patience,
            left: most,
            gate,
            arrived: 0,
            used: None,
            place: None,
            failure: None,
            has_failed: false,
        };
        let streamed = Streamed(Arc::new(Mutex::new(streaming)));
        self.streamed = Some(streamed.clone());
        streamed
    }

    /// Takes back what a handler has left of the body.
    fn take_back(&mut self) {
        if let Some(streamed) = self.streamed.take() {
            let mut streaming = streamed.streaming();
            self.pieces = streaming.pieces.take();
            self.is_readable &= !streaming.has_failed;
        }
    }

    /// Discards the rest of the body, so that the connection can be used for the next request. If there is too much,
    /// the response announces that the connection will be closed. Hyper would close it without saying so.
    pub(super) async fn finish(mut self, response: &mut Response) {
        self.take_back();
        if self.pieces.is_none() {
            return;
        }
        let is_last = response.headers().contains_key(header::CONNECTION);
        if is_last || !self.discard().await {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
            response.set_data(Unread);
        }
    }

    /// Discards the rest of the body, and returns whether it is complete.
    async fn discard(self) -> bool {
        let Some(mut pieces) = self.pieces else {
            return true;
        };
        if !self.is_readable || self.announced.is_some_and(|length| length > DISCARDED) {
            return false;
        }
        let discarding = async {
            let mut discarded = 0;
            while let Some(piece) = pieces.next().await {
                discarded += piece.map_or(usize::MAX, |piece| piece.len());
                if discarded > DISCARDED {
                    return false;
                }
            }
            true
        };
        timeout(DISCARDING, discarding).await.unwrap_or(false)
    }
}

/// How long a client may take to send a body that is read while it arrives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StreamPatience {
    /// For the whole body.
    pub(crate) whole: Duration,
    /// For each part of 256 KiB.
    pub(crate) part: Duration,
}

/// How much of a body must arrive in the time for a part. A body that is as large takes a place.
const PART: usize = 256 << 10;

/// What a body takes while it arrives: first of the budget, and a place when there is enough of it. So those who send slowly
/// keep no place from others until they have sent something.
pub(crate) struct Gate {
    pub(crate) bodies: BodiesBudget,
    pub(crate) places: Places,
    pub(crate) holder: Holder,
}

/// A body that a handler reads while it arrives. Clones share it.
#[derive(Clone)]
pub struct Streamed(Arc<Mutex<Streaming>>);

struct Streaming {
    /// `None` at the end of the body.
    pieces: Option<Pieces>,
    announced: Option<usize>,
    patience: StreamPatience,
    /// How many bytes may still arrive.
    left: u64,
    gate: Gate,
    /// How many bytes have arrived.
    arrived: usize,
    /// The part of the budget that they use, until there is a place.
    used: Option<BodyMemory>,
    place: Option<Place>,
    /// Why no more can be read.
    failure: Option<BodyError>,
    has_failed: bool,
}

impl Streaming {
    /// Counts bytes that have arrived.
    fn take(&mut self, bytes: usize) -> Result<(), BodyError> {
        let left = u64::try_from(bytes)
            .ok()
            .and_then(|bytes| self.left.checked_sub(bytes));
        self.left = left.ok_or(BodyError::TooLarge)?;
        if self.place.is_some() {
            return Ok(());
        }
        self.arrived += bytes;
        let Gate {
            bodies,
            places,
            holder,
        } = &self.gate;
        if self.arrived < PART {
            return bodies.reserve(self.arrived, &mut self.used);
        }
        let place = places.take(holder.clone()).map_err(BodyError::NoPlace)?;
        self.place = Some(place);
        self.used = None;
        Ok(())
    }
}

impl Streamed {
    fn streaming(&self) -> MutexGuard<'_, Streaming> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The length that the head of the request announces.
    pub fn announced(&self) -> Option<u64> {
        let announced = self.streaming().announced;
        announced.map(|length| u64::try_from(length).unwrap_or(u64::MAX))
    }

    /// The pieces of the body. If the client is too slow, or the connection breaks, the last one is an error.
    pub fn read(&self) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        let StreamPatience { whole, part } = self.streaming().patience;
        let end = Instant::now() + whole;
        let begun = (self.clone(), end.min(Instant::now() + part), 0);
        stream::unfold(
            begun,
            move |(body, mut deadline, mut received)| async move {
                let piece = timeout_at(deadline, body.next()).await;
                let piece = match piece {
                    Ok(Some(Ok(piece))) => piece,
                    Ok(Some(Err(error))) => {
                        let again = io::Error::from(error.kind());
                        body.fail(BodyError::Broken(error));
                        return Some((Err(again), (body, deadline, 0)));
                    }
                    Ok(None) => return None,
                    Err(_) => {
                        body.fail(BodyError::TooSlow);
                        let late = io::ErrorKind::TimedOut.into();
                        return Some((Err(late), (body, deadline, 0)));
                    }
                };
                if !body.takes(piece.len()) {
                    let error = io::ErrorKind::QuotaExceeded.into();
                    return Some((Err(error), (body, deadline, 0)));
                }
                received += piece.len();
                if received >= PART {
                    received = 0;
                    deadline = end.min(Instant::now() + part);
                }
                Some((Ok(piece), (body, deadline, received)))
            },
        )
    }

    /// Why the body could not be read to its end, if so.
    pub fn failure(&self) -> Option<BodyError> {
        self.streaming().failure.take()
    }

    async fn next(&self) -> Option<io::Result<Bytes>> {
        let piece = poll_fn(|context| {
            let mut streaming = self.streaming();
            match &mut streaming.pieces {
                Some(pieces) => pieces.poll_next_unpin(context),
                None => std::task::Poll::Ready(None),
            }
        });
        let piece = piece.await;
        if piece.is_none() {
            self.streaming().pieces = None;
        }
        piece
    }

    /// Counts bytes that have arrived. `false` if they are not taken.
    fn takes(&self, bytes: usize) -> bool {
        let mut streaming = self.streaming();
        let taken = streaming.take(bytes);
        let is_taken = taken.is_ok();
        streaming.failure = taken.err();
        is_taken
    }

    fn fail(&self, failure: BodyError) {
        let mut streaming = self.streaming();
        streaming.failure = Some(failure);
        streaming.has_failed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_what_has_arrived() {
        let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(500_000).collect();
        for sizes in [[1; 4], [1, SMALL - 1, SMALL, 200_000], [SMALL + 1, 7, 1, 0]] {
            let (mut growing, mut at) = (Growing::new(3 * SMALL), 0);
            for size in sizes {
                growing.add(&bytes[at..at + size]);
                at += size;
            }
            assert_eq!(growing.length, at);
            assert!(growing.steps.iter().all(|step| step.capacity() <= SMALL));
            assert!(growing.whole() == bytes[..at], "{sizes:?}");
        }
    }
}
