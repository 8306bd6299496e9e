//! Measures the memory of the programs, and how long the server takes to start on a full database.

use std::process::Stdio;
use std::time::Instant;

use formalize_tests::process::resident;
use formalize_tests::{Result, Server, binary};
use tokio::process::Command;

use crate::installation::Installation;
use crate::report::{Figure, Report, Target};
use crate::throughput::{median, submit};
use crate::wrk::Load;
use formalize_tests::seed::READER;

/// The number of starts.
const STARTS: usize = 5;

pub(crate) async fn measure(installation: &Installation, report: &mut Report) -> Result<()> {
    crate::note("memory and start");
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let begun = Instant::now();
        let server = installation.start().await?;
        starts.push(begun.elapsed().as_secs_f64() * 1_000.0);
        server.terminate().await?;
    }
    report.add(
        Figure::new(
            "start to `listening on`, full database",
            median(starts),
            "ms",
        )
        .must(Target::AtMost(150.0), Some(Target::AtMost(50.0))),
    );
    let server = installation.start().await?;
    let idle = resident(server.id(), "VmRSS")?;
    report.add(megabytes("resident memory, idle", idle, 30.0, 15.0));
    burden(installation, &server).await?;
    let peak = resident(server.id(), "VmHWM")?;
    report.add(megabytes(
        "resident memory, at most, under load",
        peak,
        150.0,
        80.0,
    ));
    drop(server);
    let peak = listing(installation).await?;
    report.add(megabytes(
        "resident memory of the CLI listing the largest form",
        peak,
        60.0,
        30.0,
    ));
    Ok(())
}

fn megabytes(what: &str, measured: f64, must: f64, aim: f64) -> Figure {
    Figure::new(what, measured, "MB").must(Target::AtMost(must), Some(Target::AtMost(aim)))
}

/// Reads, lists and writes for a few seconds each.
async fn burden(installation: &Installation, server: &Server) -> Result<()> {
    let landmarks = &installation.landmarks;
    let token = installation.token(READER)?;
    let (_, largest) = landmarks.forms_by_size.last().ok_or("no form")?;
    let base = server.base_url();
    let item = format!("{base}/formalize/submissions/{}", landmarks.submission);
    let list = format!("{base}/formalize/submissions?formIdentifier={largest}");
    Load::get(item, token).run(3).await?;
    Load::get(list, token).run(3).await?;
    submit(installation, server)?.run(3).await?;
    Ok(())
}

/// Lists the largest form with the CLI, and returns its peak memory.
pub(crate) async fn listing(installation: &Installation) -> Result<f64> {
    let (_, largest) = installation
        .landmarks
        .forms_by_size
        .last()
        .ok_or("no form")?;
    let program = tokio::task::spawn_blocking(|| binary("formalize")).await??;
    let mut listing = Command::new(program)
        .args(["submissions", "list", "--form", &largest.to_string()])
        .args(["-o", "ndjson", "--database-url", &installation.url])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut peak: f64 = 0.0;
    loop {
        if let Some(status) = listing.try_wait()? {
            return if status.success() {
                Ok(peak)
            } else {
                Err(format!("the listing ended with {status}").into())
            };
        }
        // The process may have ended since the last check.
        peak = resident(listing.id(), "VmHWM").unwrap_or(peak).max(peak);
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
