//! The change feed as a stream of Server-Sent Events (HTML standard, "Server-sent events").
//!
//! A stream reads the next events when the client has taken the last ones, so a slow client holds little memory, and no
//! transaction. Permissions are those of the moment: the token is looked up before each read.

mod text;

use std::{io, mem, sync::Arc, time::Duration};

use formalize_core::{
    Caller, Error, Formalize,
    events::{EventFilter, FeedEvent, FeedPage, FeedRequest, FeedStart},
};
use formalize_http::auth::Authenticate;
use formalize_http::config::StreamSettings;
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_http::observe::metrics::StreamMetrics;
use formalize_http::rate::{Full, Holder, Place, Places, Shares};
use formalize_http::readiness::Stopping;
use futures_util::stream;
use hyper::body::Bytes;
use poem::{Body, http::header};
use tokio::time::{Instant, sleep_until};

pub(crate) use text::shown;

/// The maximum number of streams of a user on a server.
const OF_USER: u32 = 10;

/// This part of the streams of a server is left to users who have none. Otherwise, ten users could have all of them.
const FIRST: u32 = 10;

/// The maximum number of events that are read at a time.
const READ_TOGETHER: u32 = 100;

/// The size of records that are read together, in bytes, unless one alone is larger.
const ITEM_BYTES: u64 = 256 * 1024;

/// How long a client waits before it connects again, in milliseconds.
const RETRY: u32 = 3_000;

/// Why a stream has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The client went away.
    Client,
    /// The client has taken nothing for too long.
    Slow,
    /// The token is not valid any more.
    Token,
    /// The server is stopping.
    Shutdown,
    /// The events could not be read.
    Error,
}

impl End {
    /// The reason in the metrics.
    fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Slow => "slow",
            Self::Token => "token",
            Self::Shutdown => "shutdown",
            Self::Error => "error",
        }
    }
}

/// The streams of a server. Clones share them.
#[derive(Clone)]
pub struct Streams {
    heartbeat: Duration,
    /// How long a client may take nothing.
    patience: Duration,
    places: Places,
    stopping: Stopping,
    metrics: StreamMetrics,
}

impl Default for Streams {
    fn default() -> Self {
        let patience = Duration::from_secs(30);
        Self::new(
            StreamSettings::default(),
            patience,
            StreamMetrics::default(),
        )
    }
}

impl Streams {
    /// Streams with these settings. A client that takes nothing for the time `patience` is disconnected elsewhere; here it is
    /// only counted.
    pub fn new(settings: StreamSettings, patience: Duration, metrics: StreamMetrics) -> Self {
        Self {
            heartbeat: settings.heartbeat.0,
            patience,
            places: places(settings.limit.0),
            stopping: Stopping::default(),
            metrics,
        }
    }

    /// Ends the streams once this reports a shutdown.
    #[must_use]
    pub fn stopping(mut self, stopping: Stopping) -> Self {
        self.stopping = stopping;
        self
    }

    /// Sends something so often if nothing happens.
    #[must_use]
    pub fn heartbeat(mut self, heartbeat: Duration) -> Self {
        self.heartbeat = heartbeat;
        self
    }

    /// Opens a stream, and reads its first events.
    ///
    /// # Errors
    ///
    /// A refusal if there are too many streams, or the events cannot be read.
    pub(crate) async fn open(&self, of: StreamOf) -> Result<EventStream, Refusal> {
        let place = self.places.take(Holder::User(of.caller.author()));
        let place = place.map_err(no_place)?;
        let events = of.formalize.events();
        let request = of.request(of.start.clone());
        let page = events.list(&of.caller, &of.filter, &request).await?;
        self.metrics.opened();
        let open = Open {
            sent: page.next.clone(),
            next: page.next,
            position: page.position,
            has_more: page.has_more,
            unsent: page.events,
            heartbeat_at: Instant::now() + self.heartbeat,
            given: None,
            end: End::Client,
            streams: self.clone(),
            _place: place,
            of,
        };
        Ok(EventStream(open))
    }
}

fn places(all: u32) -> Places {
    Places::new(Shares {
        all,
        of_user: OF_USER,
        of_visitor: 0,
        of_visitors: 0,
        first: all / FIRST,
    })
}

fn no_place(full: Full) -> Refusal {
    let refusal = match full {
        Full::OfHolder => Refusal::is(ErrorKey::TooManyRequests).saying(format!(
            "a user may have {OF_USER} streams at a time; close another one"
        )),
        Full::Everywhere => Refusal::is(ErrorKey::ServiceUnavailable)
            .saying("too many streams are open on this server; try again later"),
    };
    refusal.with_header(header::RETRY_AFTER, "5".to_owned())
}

/// What a stream is about.
pub(crate) struct StreamOf {
    pub(crate) formalize: Formalize,
    pub(crate) authenticate: Arc<dyn Authenticate>,
    /// The bearer token of the request.
    pub(crate) token: String,
    pub(crate) caller: Caller,
    pub(crate) filter: EventFilter,
    pub(crate) start: FeedStart,
    /// Whether each event has its record.
    pub(crate) with_items: bool,
    /// The base of URLs in records.
    pub(crate) base_url: Arc<str>,
}

impl StreamOf {
    fn request(&self, start: FeedStart) -> FeedRequest {
        FeedRequest {
            start,
            limit: READ_TOGETHER,
            with_items: self.with_items,
            item_bytes: ITEM_BYTES,
        }
    }
}

/// A stream that was opened.
pub struct EventStream(Open);

impl EventStream {
    /// The body, which ends with the stream.
    pub(crate) fn into_body(self) -> Body {
        let first = text::retry(RETRY);
        let chunks = stream::unfold((Some(first), self.0), |(first, mut open)| async move {
            let text = match first {
                Some(first) => first,
                None => open.next_text().await?,
            };
            open.given = Some(Instant::now());
            Some((Ok::<_, io::Error>(Bytes::from(text)), (None, open)))
        });
        Body::from_bytes_stream(chunks)
    }
}

/// An open stream. Dropping it counts its end.
struct Open {
    of: StreamOf,
    streams: Streams,
    /// The events that were read and not sent yet.
    unsent: Vec<FeedEvent>,
    /// The cursor behind the events that were read.
    next: String,
    /// The last cursor that was sent.
    sent: String,
    position: i64,
    has_more: bool,
    heartbeat_at: Instant,
    /// When the client was given the last text, unless it has taken it.
    given: Option<Instant>,
    end: End,
    _place: Place,
}

impl Drop for Open {
    fn drop(&mut self) {
        let patience = self.streams.patience;
        let is_slow = self.given.is_some_and(|given| given.elapsed() >= patience);
        if is_slow && self.end == End::Client {
            self.end = End::Slow;
        }
        self.streams.metrics.ended(self.end.as_str());
    }
}

impl Open {
    /// The next text to send. `None` at the end of the stream.
    async fn next_text(&mut self) -> Option<String> {
        self.given = None;
        let stopping = self.streams.stopping.clone();
        let outcome = tokio::select! {
            () = stopping.begun() => Err(End::Shutdown),
            text = self.compose() => text,
        };
        match outcome {
            Ok(text) => {
                self.heartbeat_at = Instant::now() + self.streams.heartbeat;
                Some(text)
            }
            Err(end) => {
                self.end = end;
                None
            }
        }
    }

    /// Waits for events, at most until the heartbeat is due.
    async fn compose(&mut self) -> Result<String, End> {
        loop {
            let text = self.events();
            if !text.is_empty() {
                return Ok(text);
            }
            if !self.has_more && !self.wait().await? {
                self.identify().await?;
                return Ok(self.heartbeat());
            }
            self.read().await?;
            if self.unsent.is_empty() && Instant::now() >= self.heartbeat_at {
                // Many events passed that the caller may not see.
                return Ok(self.heartbeat());
            }
        }
    }

    /// The events that were read, as text.
    fn events(&mut self) -> String {
        let unsent = mem::take(&mut self.unsent);
        if let Some(last) = unsent.last() {
            self.sent.clone_from(&last.cursor);
        }
        let (with_items, base_url) = (self.of.with_items, &self.of.base_url);
        let texts = unsent
            .into_iter()
            .filter_map(|shown| text::event(shown, with_items, base_url));
        texts.collect()
    }

    /// Waits until there may be more events. `false` if the heartbeat is due before.
    async fn wait(&self) -> Result<bool, End> {
        let events = self.of.formalize.events();
        tokio::select! {
            () = sleep_until(self.heartbeat_at) => Ok(false),
            news = events.news(self.position) => news.map(|()| true).map_err(|error| failed(&error)),
        }
    }

    /// Looks up the token again. It may have been revoked or have expired, and the user may have other attributes.
    async fn identify(&mut self) -> Result<(), End> {
        let found = self.of.authenticate.authenticate(&self.of.token).await;
        let found = found.map_err(|refusal| {
            tracing::warn!(cause = ?refusal.cause(), "a stream of events could not look up its token");
            End::Error
        })?;
        self.of.caller = found.ok_or(End::Token)?;
        Ok(())
    }

    async fn read(&mut self) -> Result<(), End> {
        self.identify().await?;
        let formalize = &self.of.formalize;
        let _turn = formalize.turn(&self.of.caller).await;
        let request = self.of.request(FeedStart::Cursor(self.next.clone()));
        let events = formalize.events();
        let page = events
            .list(&self.of.caller, &self.of.filter, &request)
            .await;
        let FeedPage {
            events,
            next,
            position,
            has_more,
            ..
        } = page.map_err(|error| failed(&error))?;
        self.unsent = events;
        (self.next, self.position, self.has_more) = (next, position, has_more);
        Ok(())
    }

    /// A text that says nothing, and moves the client behind events that it may not see.
    fn heartbeat(&mut self) -> String {
        if self.sent == self.next {
            return text::heartbeat(None);
        }
        self.sent.clone_from(&self.next);
        text::heartbeat(Some(&self.next))
    }
}

/// A client that falls behind what is kept gets an error that says so when it connects again.
fn failed(error: &Error) -> End {
    if !matches!(error, Error::EventsExpired) {
        tracing::warn!(%error, "a stream of events ended");
    }
    End::Error
}
