//! A stream that reports its progress to an [`IdleWatch`], and that is closed without losing the last response.

use std::{
    io::{self, IoSlice},
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::{
    idle_watch::{Event, IdleWatch},
    rejection::{Replacement, completed},
};

/// The most bytes that are discarded after the last response.
const DISCARDED: usize = 32 << 20;

/// A connection that reports received and sent bytes.
pub(super) struct Watched {
    stream: TcpStream,
    idle: IdleWatch,
    end: End,
    /// The response to a malformed head, while it is written.
    rejection: Option<Replacement>,
}

/// How far the end of a connection has come.
#[derive(Clone, Copy)]
enum End {
    /// The connection is in use.
    Open,
    /// The client knows of the end. What it still sends is discarded; this many bytes so far.
    Discarding(usize),
}

impl Watched {
    pub(super) fn new(stream: TcpStream, idle: IdleWatch) -> Self {
        let end = End::Open;
        Self {
            stream,
            idle,
            end,
            rejection: None,
        }
    }

    fn sent(&self, sent: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &sent {
            Poll::Pending => self.idle.note(Event::Blocked),
            Poll::Ready(sent) => {
                let bytes = sent.as_ref().map_or(0, |bytes| *bytes);
                self.idle.note(Event::Written(bytes));
            }
        }
        sent
    }

    /// Writes what hyper responds to a malformed head, with the fields that it lacks. `None` for all other bytes.
    fn poll_reject(
        &mut self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Option<Poll<io::Result<usize>>> {
        if self.rejection.is_none() {
            // A service that was called has written its own response.
            self.idle.no_head_since()?;
            let bytes = completed(bytes)?;
            self.rejection = Some(Replacement { bytes, written: 0 });
        }
        let replacement = self.rejection.as_mut()?;
        while !replacement.rest().is_empty() {
            match Pin::new(&mut self.stream).poll_write(context, replacement.rest()) {
                Poll::Ready(Ok(written)) if written > 0 => replacement.written += written,
                Poll::Ready(Ok(_)) => {
                    return Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into())));
                }
                failed_or_pending => return Some(failed_or_pending),
            }
        }
        self.rejection = None;
        Some(Poll::Ready(Ok(bytes.len())))
    }

    /// Reads until the client closes the connection. If a socket is closed while there is something to read, the
    /// kernel resets the connection, and the client may lose the response. The watch limits the time.
    fn poll_discard(&mut self, context: &mut Context<'_>, mut total: usize) -> Poll<()> {
        let mut space = [MaybeUninit::uninit(); 16 << 10];
        while total <= DISCARDED {
            self.end = End::Discarding(total);
            let mut buffer = ReadBuf::uninit(&mut space);
            let read = Pin::new(&mut self.stream).poll_read(context, &mut buffer);
            if ready!(read).is_err() || buffer.filled().is_empty() {
                break;
            }
            total += buffer.filled().len();
        }
        Poll::Ready(())
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.idle.note(Event::Received);
        }
        read
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = match self.poll_reject(context, bytes) {
            Some(sent) => sent,
            None => Pin::new(&mut self.stream).poll_write(context, bytes),
        };
        self.sent(sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let rejected = match parts {
            [bytes] => self.poll_reject(context, bytes),
            _ => None,
        };
        let sent = match rejected {
            Some(sent) => sent,
            None => Pin::new(&mut self.stream).poll_write_vectored(context, parts),
        };
        self.sent(sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    /// Tells the client that nothing more will be sent. If the client may still be sending, waits until it closes the
    /// connection, too.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let total = match self.end {
            End::Open => {
                ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
                if !self.idle.close() {
                    return Poll::Ready(Ok(()));
                }
                0
            }
            End::Discarding(total) => total,
        };
        self.poll_discard(context, total).map(Ok)
    }
}
