//! Receives the body of a request, and discards what nobody reads.

use std::{io, time::Duration};

use poem::{
    Request, Response,
    http::{HeaderValue, header},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, copy, sink},
    time::timeout,
};

use crate::connections::Unread;

/// How much of a body is discarded to keep a connection open, in bytes, and for how long. Beyond that, a new
/// connection is cheaper.
const DISCARDED: usize = 256 << 10;
const DISCARDING: Duration = Duration::from_secs(1);

/// The most memory in bytes that is reserved for a body before it arrives.
const RESERVED: usize = 64 << 10;

/// A request body that is received.
pub(super) struct Upload {
    /// `None` if the request has no body, or it is complete.
    reader: Option<Box<dyn AsyncRead + Send + Unpin>>,
    /// The length that the head announces.
    announced: Option<usize>,
    /// Whether the rest can be read. After an error it cannot; and a client that sends the body only when it is told to
    /// continue would be told so by reading.
    is_readable: bool,
}

impl Upload {
    /// Takes the body of a request.
    pub(super) fn of(request: &mut Request) -> Self {
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
        }
    }

    /// Receives the whole body; `None` if it is larger than `most` bytes.
    pub(super) async fn receive(&mut self, most: usize) -> io::Result<Option<Vec<u8>>> {
        if self.announced.is_some_and(|length| length > most) {
            return Ok(None);
        }
        let Some(reader) = &mut self.reader else {
            return Ok(Some(Vec::new()));
        };
        // It is readable again if there was no error, even if it is too large.
        self.is_readable = false;
        // One byte more, so that the end is found without growing.
        let mut data = Vec::with_capacity(self.announced.unwrap_or(0).min(RESERVED) + 1);
        while reader.read_buf(&mut data).await? > 0 {
            if data.len() > most {
                self.is_readable = true;
                return Ok(None);
            }
        }
        self.reader = None;
        Ok(Some(data))
    }

    /// Discards the rest of the body, so that the connection can be used for the next request. If there is too much,
    /// the response announces that the connection will be closed. Hyper would close it without saying so.
    pub(super) async fn finish(self, response: &mut Response) {
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
