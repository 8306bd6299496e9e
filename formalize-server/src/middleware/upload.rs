//! Receives the body of a request, or discards it if the request is refused before.

use std::{io, sync::Arc, time::Duration};

use poem::{
    Request, Response,
    http::{HeaderValue, header},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, copy, sink},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout, timeout_at},
};

use crate::connections::{LOWEST_RATE, Unread};

/// How much of a body is discarded to keep a connection open, in bytes, and for how long. Beyond that, a new
/// connection is cheaper.
const DISCARDED: usize = 256 << 10;
const DISCARDING: Duration = Duration::from_secs(1);

/// The most memory in bytes that is reserved for a body before it arrives. Bodies of this size are outside of the
/// budget, so that small requests are served while it is used up. Larger ones use it in steps of this size.
const SMALL: usize = 64 << 10;

/// The memory for all bodies that are larger than 64 KiB. Each permit stands for a step of that size.
#[derive(Debug, Clone)]
pub(crate) struct BodiesBudget(Arc<Semaphore>);

impl BodiesBudget {
    /// A budget in bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let steps = (bytes / SMALL).min(Semaphore::MAX_PERMITS);
        Self(Arc::new(Semaphore::new(steps)))
    }
}

/// Why a body was not received.
#[derive(Debug)]
pub(crate) enum Unreceived {
    TooLarge,
    TooSlow,
    /// The budget is used up by others.
    NoBudget,
    Broken(io::Error),
}

/// A request body that is received.
pub(crate) struct Upload {
    /// `None` if the request has no body, or it is complete.
    reader: Option<Box<dyn AsyncRead + Send + Unpin>>,
    /// The length that the head announces.
    announced: Option<usize>,
    /// Whether the rest can be read. After an error it cannot; and a client that sends the body only when it is told to
    /// continue would be told so by reading.
    is_readable: bool,
    /// The part of the budget that the body uses, until the request is answered.
    pub(crate) used: Vec<OwnedSemaphorePermit>,
}

impl Upload {
    /// Takes the body of a request.
    pub(crate) fn of(request: &mut Request) -> Self {
        let announced = request
            .header(header::CONTENT_LENGTH)
            .and_then(|length| length.parse().ok());
        let is_readable = !request.headers().contains_key(header::EXPECT);
        let body = request.take_body();
        let reader = (!body.is_empty()).then(|| Box::new(body.into_async_read()) as Box<_>);
        Self {
            reader,
            announced,
            is_readable,
            used: Vec::new(),
        }
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
    ) -> Result<Vec<u8>, Unreceived> {
        if self.announced.is_some_and(|length| length > most) {
            return Err(Unreceived::TooLarge);
        }
        let Some(reader) = &mut self.reader else {
            return Ok(Vec::new());
        };
        self.is_readable = false;
        // One byte more, so that the end is found without growing.
        let mut data = Vec::with_capacity(self.announced.unwrap_or(0).min(SMALL) + 1);
        let part = patience.as_millis() * u128::from(LOWEST_RATE) / 1000;
        let part = usize::try_from(part).unwrap_or(usize::MAX);
        let (mut deadline, mut next_part) = (Instant::now() + patience, part);
        let mut free = SMALL;
        loop {
            let read = timeout_at(deadline, reader.read_buf(&mut data)).await;
            let read = read.map_err(|_| Unreceived::TooSlow)?;
            if read.map_err(Unreceived::Broken)? == 0 {
                break;
            }
            if data.len() > most {
                self.is_readable = true;
                return Err(Unreceived::TooLarge);
            }
            while data.len() > free {
                let Ok(step) = Arc::clone(&budget.0).try_acquire_owned() else {
                    self.is_readable = true;
                    return Err(Unreceived::NoBudget);
                };
                self.used.push(step);
                free += SMALL;
            }
            if data.len() >= next_part {
                next_part = data.len().saturating_add(part);
                deadline = Instant::now() + patience;
            }
        }
        self.reader = None;
        Ok(data)
    }

    /// Discards the rest of the body, so that the connection can be used for the next request. If there is too much,
    /// the response announces that the connection will be closed. Hyper would close it without saying so.
    pub(crate) async fn finish(self, response: &mut Response) {
        if self.reader.is_none() {
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
        let Some(reader) = self.reader else {
            return true;
        };
        if !self.is_readable || self.announced.is_some_and(|length| length > DISCARDED) {
            return false;
        }
        let most = u64::try_from(DISCARDED).unwrap_or(u64::MAX);
        let mut rest = reader.take(most.saturating_add(1));
        let copied = timeout(DISCARDING, copy(&mut rest, &mut sink())).await;
        matches!(copied, Ok(Ok(_))) && rest.limit() > 0
    }
}
