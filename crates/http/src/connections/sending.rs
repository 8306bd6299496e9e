//! The body of a response that is being sent.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use hyper::body::{Body, Frame, SizeHint};

use super::idle_watch::{Event, IdleWatch};

/// A body that tells the watch when all of it was taken. Until then, a connection on which nothing is sent is not idle: there may
/// be nothing to say on a stream of events, or the database may be slower than the client.
pub(super) struct Sending<B> {
    body: B,
    idle: IdleWatch,
    end: Event,
}

impl<B> Sending<B> {
    /// At the end of this body, the event happens.
    pub(super) fn new(body: B, idle: IdleWatch, end: Event) -> Self {
        Self { body, idle, end }
    }
}

impl<B: Body + Unpin> Body for Sending<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// hyper drops a body as soon as it has taken the last part.
impl<B> Drop for Sending<B> {
    fn drop(&mut self) {
        self.idle.note(self.end);
    }
}
