//! A workbook, which is sent when it is complete.

use std::{
    fs::File,
    io::{self, Seek, Write},
    sync::{Arc, Mutex, Weak},
};

use formalize_core::export::{Headers, WorkbookWriter};
use formalize_core::submissions::Export;
use poem::Body;
use tokio::{
    sync::watch,
    task::spawn_blocking,
    time::{Instant, sleep, timeout_at},
};
use tracing::Instrument;

use super::{
    Place,
    spool::{Chunks, Ended, Running, Written, deliver},
};
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

/// A file that is written on another thread. Writes fail as soon as the waiting request is gone.
struct WantedFile {
    file: File,
    wanted: Weak<()>,
}

impl Write for WantedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.wanted.strong_count() == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
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
    let written = match fill(export, headers, file, place, &settings, &metrics).await {
        Ok(written) => written,
        Err(ended) => {
            ending.outcome = ended.outcome();
            return Err(match ended {
                Ended::Read(error) => error.into(),
                other => Refusal::unforeseen(other),
            });
        }
    };
    let (file, bytes) = written;
    spooled.add(bytes);
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

/// Writes the workbook to the file, and returns it with its size. The place is for reading the database.
async fn fill(
    export: Export,
    headers: Headers,
    file: File,
    place: Place,
    settings: &ExportSettings,
    metrics: &ExportMetrics,
) -> Result<(File, u64), Ended> {
    let begin = Instant::now();
    let deadline = begin + settings.timeout.0;
    let read = timeout_at(deadline, read(export, headers, settings, metrics)).await;
    metrics.read_snapshot(begin.elapsed());
    let writer = read.map_err(|_| Ended::TooSlow)??;
    drop(place);
    save(file, deadline, |file| writer.end(file)).await
}

/// Writes a file on another thread, and returns it with its size. The thread ends, too, if this is late or dropped.
async fn save(
    file: File,
    deadline: Instant,
    write: impl FnOnce(&mut WantedFile) -> io::Result<()> + Send + 'static,
) -> Result<(File, u64), Ended> {
    let wanted = Arc::new(());
    let mut file = WantedFile {
        file,
        wanted: Arc::downgrade(&wanted),
    };
    let save = move || {
        write(&mut file)?;
        let bytes = file.file.stream_position()?;
        Ok::<_, io::Error>((file.file, bytes))
    };
    let saved = timeout_at(deadline, spawn_blocking(save)).await;
    drop(wanted);
    let saved = saved.map_err(|_| Ended::TooSlow)?;
    Ok(saved.map_err(io::Error::from)??)
}

/// Reads all submissions. The snapshot of the database ends with this.
async fn read(
    mut export: Export,
    headers: Headers,
    settings: &ExportSettings,
    metrics: &ExportMetrics,
) -> Result<WorkbookWriter, Ended> {
    let mut writer = export.workbook(headers, &settings.folder.0)?;
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_file_that_takes_too_long_is_given_up() {
        let (ended, has_ended) = oneshot::channel();
        let write = move |file: &mut WantedFile| {
            while file.write_all(b"x").is_ok() {}
            ended
                .send(())
                .map_err(|()| io::Error::other("the test has ended"))
        };
        let (file, soon) = (tempfile::tempfile(), Duration::from_millis(20));
        let saved = save(file.unwrap(), Instant::now() + soon, write).await;
        assert!(matches!(saved, Err(Ended::TooSlow)));
        has_ended.await.unwrap();
    }
}
