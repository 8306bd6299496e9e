//! A document that is written to a file while it is sent from there.

use std::{
    fs::File,
    future::pending,
    io::{self, Read, Seek, SeekFrom, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Poll, ready},
    time::Duration,
};

use formalize_core::{Error, export::TextWriter, submissions::Export};
use futures_util::stream;
use hyper::body::Bytes;
use poem::Body;
use tokio::{
    sync::{mpsc, watch},
    task::spawn_blocking,
    time::{Instant, interval_at, sleep, sleep_until, timeout_at},
};
use tracing::Instrument;

use super::{Place, Spooled, format::Content};
use crate::{
    config::ExportSettings, failure::Refusal, failure::chain, observe::metrics::ExportMetrics,
};

/// The most bytes that are sent at a time.
const CHUNK: u64 = 64 * 1024;

/// How often the database is asked something while the client does not take what was written.
const KEPT_ALIVE: Duration = Duration::from_secs(10);

/// Why an export ended before its last row.
#[derive(Debug, thiserror::Error)]
pub(super) enum Ended {
    #[error("the client went away")]
    ByClient,
    #[error("it took longer than `export_timeout`")]
    TooSlow,
    #[error("the submissions could not be read")]
    Read(#[from] Error),
    #[error("the file in `export_folder` failed")]
    File(#[from] io::Error),
}

impl Ended {
    /// The outcome in the metrics.
    pub(super) fn outcome(&self) -> &'static str {
        match self {
            Self::ByClient => "client",
            Self::TooSlow => "timeout",
            Self::Read(_) | Self::File(_) => "failed",
        }
    }
}

/// What is in the file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Written {
    pub(super) bytes: u64,
    pub(super) is_whole: bool,
}

/// An export that is about to be written and sent.
pub(super) struct Running {
    pub(super) export: Export,
    pub(super) content: Content,
    pub(super) format: &'static str,
    pub(super) file: File,
    pub(super) settings: ExportSettings,
    pub(super) metrics: ExportMetrics,
    pub(super) place: Place,
    pub(super) spooled: Spooled,
}

/// The chunks that are sent. Without [`end`](Self::end), the client gets an error after the last one.
pub(super) struct Chunks {
    chunks: mpsc::Sender<io::Result<Bytes>>,
    is_whole: Arc<AtomicBool>,
}

impl Chunks {
    /// A channel, and the body at its other end. Dropping the body closes it.
    pub(super) fn new() -> (Self, Body) {
        let (chunks, mut received) = mpsc::channel(1);
        let is_whole = Arc::new(AtomicBool::new(false));
        let is_end = Arc::clone(&is_whole);
        let mut has_ended = false;
        let chunks_of_body = stream::poll_fn(move |context| {
            let next = ready!(received.poll_recv(context));
            if next.is_some() || has_ended || is_end.load(Ordering::Acquire) {
                return Poll::Ready(next);
            }
            has_ended = true;
            Poll::Ready(Some(Err(io::Error::other("the export failed"))))
        });
        let body = Body::from_bytes_stream(chunks_of_body);
        (Self { chunks, is_whole }, body)
    }

    /// Says that nothing is missing.
    fn end(self) {
        self.is_whole.store(true, Ordering::Release);
    }
}

impl Running {
    /// The document, with its size if that is known. Dropping it ends the export.
    ///
    /// # Errors
    ///
    /// A refusal if a workbook cannot be written. What happens to a text later ends the body with an error.
    #[cfg_attr(
        not(feature = "xlsx"),
        expect(clippy::unused_async, reason = "only a workbook is awaited")
    )]
    pub(super) async fn start(self) -> Result<(Body, Option<u64>), Refusal> {
        match self.content.clone() {
            Content::Text(format) => {
                let writer = TextWriter::new(format, self.export.columns());
                let (chunks, body) = Chunks::new();
                tokio::spawn(self.run(writer, chunks).in_current_span());
                Ok((body, None))
            }
            #[cfg(feature = "xlsx")]
            Content::Workbook(headers) => {
                let (body, bytes) = super::workbook::write(self, headers).await?;
                Ok((body, Some(bytes)))
            }
        }
    }

    async fn run(self, writer: TextWriter, chunks: Chunks) {
        let Self {
            export,
            content: _,
            format,
            file,
            settings,
            metrics,
            place,
            spooled,
        } = self;
        let _running = metrics.begin();
        let file = Arc::new(Mutex::new(file));
        let (written, to_send) = watch::channel(Written::default());
        let (sent, taken) = watch::channel(0);
        let filling = Filling {
            file: Arc::clone(&file),
            written,
            taken,
            settings,
            metrics: &metrics,
            spooled: &spooled,
            _place: place,
        };
        let (filled, delivered) = tokio::join!(
            filling.fill(export, writer),
            deliver(file, to_send, sent, chunks, &spooled)
        );
        let ended = filled.and(delivered);
        if let Err(ended @ (Ended::TooSlow | Ended::Read(_) | Ended::File(_))) = &ended {
            tracing::warn!(cause = chain(ended), "an export failed");
        }
        metrics.ended(
            format,
            ended.as_ref().map_or_else(Ended::outcome, |()| "done"),
        );
    }
}

/// The half that reads submissions and writes the file.
struct Filling<'m> {
    file: Arc<Mutex<File>>,
    written: watch::Sender<Written>,
    /// The number of bytes that were sent. It is closed when nothing more is sent.
    taken: watch::Receiver<u64>,
    settings: ExportSettings,
    metrics: &'m ExportMetrics,
    spooled: &'m Spooled,
    /// It is free again when the file is complete, however slowly that is sent.
    _place: Place,
}

impl Filling<'_> {
    async fn fill(self, export: Export, writer: TextWriter) -> Result<(), Ended> {
        let begin = Instant::now();
        let read = self.read(export, writer, begin + self.settings.timeout.0);
        let read = read.await;
        self.metrics.read_snapshot(begin.elapsed());
        let writer = read?;
        self.append(move |to| writer.end(to)).await?;
        self.written.send_modify(|written| written.is_whole = true);
        Ok(())
    }

    /// Writes everything but the end. The snapshot of the database ends with this.
    async fn read(
        &self,
        mut export: Export,
        mut writer: TextWriter,
        deadline: Instant,
    ) -> Result<TextWriter, Ended> {
        writer = self
            .append(move |to| writer.begin(to).map(|()| writer))
            .await?;
        loop {
            let began = Instant::now();
            // `timeout_at` never fails for a future that is ready at once.
            if began >= deadline {
                return Err(Ended::TooSlow);
            }
            let rows = timeout_at(deadline, export.next()).await;
            let Some(rows) = rows.map_err(|_| Ended::TooSlow)?? else {
                return Ok(writer);
            };
            self.metrics.rows(rows.len());
            writer = self
                .append(move |to| writer.rows(&rows, to).map(|()| writer))
                .await?;
            // An export is not urgent. Without pauses, it would slow down all other requests by half on a small machine.
            sleep(began.elapsed()).await;
            self.wait_for_client(&mut export, deadline).await?;
        }
    }

    /// Appends what `compose` writes to the file. Both take too long for a thread that serves requests.
    async fn append<T: Send + 'static>(
        &self,
        compose: impl FnOnce(&mut Vec<u8>) -> io::Result<T> + Send + 'static,
    ) -> Result<T, Ended> {
        let file = Arc::clone(&self.file);
        let append = move || {
            let mut text = Vec::new();
            let made = compose(&mut text)?;
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::End(0))?;
            file.write_all(&text)?;
            Ok::<_, io::Error>((made, file.stream_position()?))
        };
        let (made, bytes) = spawn_blocking(append).await.map_err(io::Error::from)??;
        let before = self.written.borrow().bytes;
        self.spooled.add(bytes.saturating_sub(before));
        self.written.send_modify(|written| written.bytes = bytes);
        Ok(made)
    }

    /// Waits until the clients of the user have taken enough of what was written for them.
    async fn wait_for_client(&self, export: &mut Export, deadline: Instant) -> Result<(), Ended> {
        let most = self.settings.spool_limit.0 as u64;
        let mut taken = self.taken.clone();
        // A client that takes a little from time to time must not postpone it.
        let mut keeping = interval_at(Instant::now() + KEPT_ALIVE, KEPT_ALIVE);
        loop {
            let gone = taken.has_changed().is_err();
            taken.mark_unchanged();
            if gone {
                return Err(Ended::ByClient);
            }
            tokio::select! {
                // If there is room, nothing else matters.
                biased;
                () = self.spooled.until([most]) => return Ok(()),
                // An error is noticed above.
                _ = taken.changed() => {}
                _ = keeping.tick() => timeout_at(deadline, export.keep_alive()).await.map_err(|_| Ended::TooSlow)??,
                () = sleep_until(deadline) => return Err(Ended::TooSlow),
            }
        }
    }
}

/// Sends what is in the file, until it is whole. If it will never be, nothing more is sent, and the client gets an error
/// instead of an end, whenever it takes that.
pub(super) async fn deliver(
    file: Arc<Mutex<File>>,
    written: watch::Receiver<Written>,
    sent: watch::Sender<u64>,
    chunks: Chunks,
    spooled: &Spooled,
) -> Result<(), Ended> {
    let failed = failure(written.clone());
    tokio::select! {
        biased;
        () = failed => Ok(()),
        delivered = send_all(file, written, sent, &chunks.chunks, spooled) => {
            if delivered? {
                chunks.end();
            }
            Ok(())
        }
    }
}

/// Waits until it is certain that the file will never be whole.
async fn failure(mut written: watch::Receiver<Written>) {
    while written.changed().await.is_ok() {}
    if written.borrow().is_whole {
        pending::<()>().await;
    }
}

/// Returns whether everything was sent. Otherwise, the file cannot be read.
async fn send_all(
    file: Arc<Mutex<File>>,
    mut written: watch::Receiver<Written>,
    sent: watch::Sender<u64>,
    chunks: &mpsc::Sender<io::Result<Bytes>>,
    spooled: &Spooled,
) -> Result<bool, Ended> {
    loop {
        let (from, to) = (*sent.borrow(), *written.borrow_and_update());
        if from < to.bytes {
            let file = Arc::clone(&file);
            let size = CHUNK.min(to.bytes - from);
            let chunk = spawn_blocking(move || read_at(&file, from, size)).await;
            let chunk = chunk.map_err(io::Error::from).flatten();
            let is_read = chunk.is_ok();
            chunks.send(chunk).await.map_err(|_| Ended::ByClient)?;
            if !is_read {
                return Ok(false);
            }
            sent.send_replace(from + size);
            spooled.reduce(size);
        } else if to.is_whole {
            return Ok(true);
        } else {
            tokio::select! {
                // The caller notices that nothing more will be written.
                changed = written.changed() => if changed.is_err() {
                    pending::<()>().await;
                },
                () = chunks.closed() => return Err(Ended::ByClient),
            }
        }
    }
}

fn read_at(file: &Mutex<File>, from: u64, size: u64) -> io::Result<Bytes> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(from))?;
    let mut chunk = Vec::new();
    Read::by_ref(&mut *file)
        .take(size)
        .read_to_end(&mut chunk)?;
    Ok(chunk.into())
}

#[cfg(test)]
mod tests {
    use formalize_core::{Caller, internals::admission::Quota};
    use futures_util::StreamExt;

    use super::*;

    /// Delivers a file of so many bytes.
    async fn send(
        bytes: usize,
        to_send: watch::Receiver<Written>,
        chunks: Chunks,
    ) -> Result<(), Ended> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![b'x'; bytes]).unwrap();
        let file = Arc::new(Mutex::new(file));
        let spooled = Quota::default().begin([Caller::System.author()]);
        spooled.add(bytes as u64);
        let (sent, _taken) = watch::channel(0);
        deliver(file, to_send, sent, chunks, &spooled).await
    }

    /// How many bytes a body has, and whether it ends as a whole one does.
    async fn taken(body: Body) -> (usize, bool) {
        let mut chunks = body.into_bytes_stream();
        let mut bytes = 0;
        while let Some(chunk) = chunks.next().await {
            match chunk {
                Ok(chunk) => bytes += chunk.len(),
                Err(_) => return (bytes, false),
            }
        }
        (bytes, true)
    }

    #[tokio::test]
    async fn an_export_that_fails_does_not_wait_for_its_client() {
        const WRITTEN: usize = 1 << 20;
        let (written, to_send) = watch::channel(Written {
            bytes: WRITTEN as u64,
            is_whole: false,
        });
        let (chunks, body) = Chunks::new();
        let delivering = tokio::spawn(send(WRITTEN, to_send, chunks));
        drop(written);
        // The client takes nothing before this.
        delivering.await.unwrap().unwrap();
        let (bytes, is_whole) = taken(body).await;
        assert!(bytes as u64 <= 2 * CHUNK, "{bytes}");
        assert!(!is_whole);
    }

    #[tokio::test]
    async fn an_export_that_is_complete_is_sent_to_its_end() {
        const WRITTEN: usize = 1 << 20;
        let (written, to_send) = watch::channel(Written::default());
        let (chunks, body) = Chunks::new();
        let delivering = tokio::spawn(send(WRITTEN, to_send, chunks));
        written.send_replace(Written {
            bytes: WRITTEN as u64,
            is_whole: true,
        });
        drop(written);
        assert_eq!(taken(body).await, (WRITTEN, true));
        delivering.await.unwrap().unwrap();
    }
}
