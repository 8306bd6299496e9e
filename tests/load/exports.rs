//! Measures exports of the largest form: their memory and time, and what they cost those who send submissions.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use formalize_tests::process::resident;
use formalize_tests::seed::READER;
use formalize_tests::{Result, Server};
use tokio::time::sleep;

use crate::events::at_least;
use crate::installation::Installation;
use crate::memory::listing;
use crate::report::{Figure, Report, Target};
use crate::throughput::{Pace, median, submit};
use crate::{Scale, StoreKind};

/// The formats, and whether they are sent while they are written.
const FORMATS: [(&str, bool); 4] = [
    ("csv", true),
    ("ndjson", true),
    ("json", true),
    ("xlsx", false),
];

/// How long after the exports SQLite's log is looked at.
const MINUTE: Duration = Duration::from_mins(1);

pub(crate) async fn measure(
    installation: &Installation,
    (kind, scale): (StoreKind, Scale),
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("exports");
    let (rows, form) = installation
        .landmarks
        .forms_by_size
        .last()
        .ok_or("no form")?;
    let exporting = Exporting {
        installation,
        path: format!("/formalize/submissions/export?formIdentifier={form}"),
        rows: *rows,
    };
    exporting.formats(report).await?;
    let server = installation.start().await?;
    exporting.beside_others(&server, pace, report).await?;
    if kind == StoreKind::Sqlite {
        let pause = match scale {
            Scale::Large => MINUTE,
            Scale::Small => Duration::from_secs(1),
        };
        sleep(pause).await;
        // Only those who write can make the log small again.
        submit(installation, &server)?.run(1).await?;
        exporting.log_of_sqlite(report)?;
    }
    Ok(())
}

/// What an export took.
struct Exported {
    first_byte: Duration,
    all: Duration,
}

struct Exporting<'a> {
    installation: &'a Installation,
    path: String,
    rows: usize,
}

impl Exporting<'_> {
    async fn export(&self, server: &Server, format: &str) -> Result<Exported> {
        let url = format!("{}{}&format={format}", server.base_url(), self.path);
        let request = reqwest::Client::new().get(url);
        let begun = Instant::now();
        let request = request.bearer_auth(self.installation.token(READER)?);
        let mut response = request.send().await?.error_for_status()?;
        response.chunk().await?.ok_or("an empty export")?;
        let first_byte = begun.elapsed();
        while response.chunk().await?.is_some() {}
        Ok(Exported {
            first_byte,
            all: begun.elapsed(),
        })
    }

    /// Exports in each format with a new server, whose memory grows with this export alone.
    async fn formats(&self, report: &mut Report) -> Result<()> {
        let mut times = Vec::new();
        for (format, is_sent_early) in FORMATS {
            let server = self.installation.start().await?;
            let idle = resident(server.id(), "VmRSS")?;
            let exported = self.export(&server, format).await?;
            let growth = resident(server.id(), "VmHWM")? - idle;
            let what = format!("export of {} rows as {format}: memory", self.rows);
            report.add(at_most(what, growth, "MB", 64.0, 32.0));
            if is_sent_early {
                let what = format!("export as {format}: first byte");
                let millis = exported.first_byte.as_secs_f64() * 1_000.0;
                report.add(at_most(what, millis, "ms", 200.0, 50.0));
            }
            times.push(exported.all.as_secs_f64());
        }
        let [csv, _, _, xlsx] = times[..] else {
            return Err("an export was not measured".into());
        };
        let begun = Instant::now();
        listing(self.installation).await?;
        let listed = begun.elapsed().as_secs_f64();
        let what = "export as csv, against the CLI listing the form";
        report.add(at_most(what.to_owned(), csv / listed, "×", 2.0, 1.2));
        let what = "export as xlsx, against csv";
        report.add(at_most(what.to_owned(), xlsx / csv, "×", 8.0, 4.0));
        Ok(())
    }

    /// Compares submissions to another form during exports with those without.
    async fn beside_others(&self, server: &Server, pace: Pace, report: &mut Report) -> Result<()> {
        let post = submit(self.installation, server)?;
        post.run(1).await?;
        let (mut without, mut during) = (Vec::new(), Vec::new());
        for _ in 0..pace.rounds {
            without.push(post.run(pace.seconds).await?.rate);
            let exports = async {
                loop {
                    self.export(server, "csv").await?;
                }
            };
            during.push(tokio::select! {
                measured = post.run(pace.seconds) => measured?.rate,
                failed = exports => return failed,
            });
        }
        let what = "POST during an export, against without";
        report.add(at_least(what, median(during) / median(without), 0.7, 0.85));
        Ok(())
    }

    /// The size of SQLite's write-ahead log.
    fn log_of_sqlite(&self, report: &mut Report) -> Result<()> {
        let database = self.installation.url.strip_prefix("sqlite://");
        let log = PathBuf::from(format!("{}-wal", database.ok_or("no SQLite database")?));
        // The file is deleted with the last connection.
        let bytes = log.metadata().map_or(0, |file| file.len());
        let mebibytes = u32::try_from(bytes >> 20).map_or(f64::INFINITY, f64::from);
        let what = "SQLite's log a minute after the exports";
        report.add(Figure::new(what, mebibytes, "MiB").must(Target::AtMost(64.0), None));
        Ok(())
    }
}

fn at_most(what: String, measured: f64, unit: &'static str, must: f64, aim: f64) -> Figure {
    Figure::new(what, measured, unit).must(Target::AtMost(must), Some(Target::AtMost(aim)))
}
