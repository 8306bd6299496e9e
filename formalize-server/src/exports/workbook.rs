//! A workbook, which is sent when it is complete.

use std::{
    fs::File,
    io::{self, Seek, Write},
    sync::{Arc, Mutex, Weak},
};

use formalize_core::export::{Export, Headers, WorkbookWriter};
use poem::Body;
use tokio::{
    sync::watch,
    task::spawn_blocking,
    time::{Instant, sleep, timeout_at},
};
use tracing::Instrument;

use super::spool::{Chunks, Ended, Running, Written, deliver};
use crate::{config::ExportSettings, failure::Refusal, observe::metrics::ExportMetrics};

/// Counts the end of an export. An export whose client is gone is dropped.
struct Ending {
    metrics: ExportMetrics,
    format: &'static str,
    outcome: &'static str,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.metrics.ended(self.format, self.outcome);
    }
}

/// The file of a document that is written on another thread. Writing fails once the client is gone.
struct WantedFile {
    file: File,
    wanted: Weak<()>,
}

impl Write for WantedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.wanted.strong_count() == 0 {
            return Err(io::Error::other(Ended::ByClient));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a workbook, and returns the body that sends it, with its size. The client is waiting: if it goes away, this is
/// dropped, and with it the snapshot and the files.
///
/// # Errors
///
/// A refusal if the submissions cannot be read or the files not be written.
pub(super) async fn write(running: Running, headers: Headers) -> Result<(Body, u64), Refusal> {
    let Running {
        export,
        content: _,
        format,
        file,
        settings,
        metrics,
        place,
        spooled,
    } = running;
    let counted = metrics.begin();
    let mut ending = Ending {
        metrics: metrics.clone(),
        format,
        outcome: Ended::ByClient.outcome(),
    };
    let written = match fill(export, headers, file, &settings, &metrics).await {
        Ok(written) => written,
        Err(ended) => {
            ending.outcome = ended.outcome();
            return Err(match ended {
                Ended::Read(error) => error.into(),
                other => Refusal::unforeseen(other),
            });
        }
    };
    // The place is for reading the database.
    drop(place);
    let (file, bytes) = written;
    spooled.wrote(bytes);
    let (chunks, body) = Chunks::new();
    let (whole, to_send) = watch::channel(Written {
        bytes,
        is_whole: true,
    });
    let (sent, _) = watch::channel(0);
    let sending = async move {
        let file = Arc::new(Mutex::new(file));
        let delivered = deliver(file, to_send, sent, chunks, &spooled).await;
        if delivered.is_ok() {
            ending.outcome = "done";
        }
        drop((ending, counted, whole));
    };
    tokio::spawn(sending.in_current_span());
    Ok((body, bytes))
}

/// Writes the workbook to the file, and returns its size.
async fn fill(
    export: Export,
    headers: Headers,
    file: File,
    settings: &ExportSettings,
    metrics: &ExportMetrics,
) -> Result<(File, u64), Ended> {
    let begin = Instant::now();
    let read = timeout_at(
        begin + settings.timeout.0,
        read(export, headers, settings, metrics),
    );
    let read = read.await;
    metrics.read_snapshot(begin.elapsed());
    let writer = read.map_err(|_| Ended::TooSlow)??;
    let wanted = Arc::new(());
    let file = WantedFile {
        file,
        wanted: Arc::downgrade(&wanted),
    };
    let save = move || {
        let mut file = file;
        writer.end(&mut file)?;
        let bytes = file.file.stream_position()?;
        Ok::<_, io::Error>((file.file, bytes))
    };
    let saved = spawn_blocking(save).await.map_err(io::Error::from)??;
    drop(wanted);
    Ok(saved)
}

/// Reads all submissions. The snapshot of the database ends with this.
async fn read(
    mut export: Export,
    headers: Headers,
    settings: &ExportSettings,
    metrics: &ExportMetrics,
) -> Result<WorkbookWriter, Ended> {
    let mut writer = WorkbookWriter::new(&export, headers, &settings.folder.0)?;
    let mut began = Instant::now();
    while let Some(rows) = export.next().await? {
        metrics.rows(rows.len());
        let write = move || writer.rows(&rows).map(|()| writer);
        writer = spawn_blocking(write).await.map_err(io::Error::from)??;
        // As exports of text do.
        sleep(began.elapsed()).await;
        began = Instant::now();
    }
    Ok(writer)
}
