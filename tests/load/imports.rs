//! Measures imports with the command line.

use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use formalize_core::forms::FormAccess;
use formalize_tests::seed::{READER, SCHEMA};
use formalize_tests::{Result, binary};
use tokio::process::Command;

use crate::events::{as_number, at_least};
use crate::installation::Installation;
use crate::report::Report;
use crate::throughput::{Pace, median, submit};

/// The rows of the import, at most.
const ROWS: usize = 100_000;

/// Imports an export of a form into another one, twice: the second time, all rows are there already.
pub(crate) async fn measure(
    installation: &Installation,
    pace: Pace,
    report: &mut Report,
) -> Result<()> {
    crate::note("imports");
    let mut forms = installation.landmarks.forms_by_size.iter().rev();
    let smaller = forms.find(|(size, _)| *size <= ROWS);
    let (rows, form) = smaller.ok_or("no form")?;
    let server = installation.start().await?;
    let url = format!(
        "{}/formalize/submissions/export?formIdentifier={form}&format=csv",
        server.base_url()
    );
    let request = reqwest::Client::new().get(url);
    let request = request.bearer_auth(installation.token(READER)?);
    let exported = request.send().await?.error_for_status()?.bytes().await?;
    let file = tempfile::Builder::new().suffix(".csv").tempfile()?;
    std::fs::write(file.path(), exported)?;

    let post = submit(installation, &server)?;
    let mut rates = Vec::new();
    for _ in 0..pace.rounds {
        rates.push(post.run(pace.seconds).await?.rate);
    }
    server.terminate().await?;
    let schema = Some(SCHEMA.to_owned());
    let (target, _) = installation.form(schema, FormAccess::Manage).await?;
    let first = import(installation, &target, file.path()).await?;
    let again = import(installation, &target, file.path()).await?;
    let rate = as_number(*rows) / first;
    let what = format!("import of {rows} rows in a second, against POST over 64 connections");
    report.add(at_least(&what, rate / median(rates), 0.8, 1.2));
    let what = "import again, with nothing to do, against the first";
    report.add(at_least(what, first / again, 3.0, 3.0));
    Ok(())
}

/// Imports a file, and returns how many seconds that took.
async fn import(installation: &Installation, form: &str, file: &Path) -> Result<f64> {
    let program = tokio::task::spawn_blocking(|| binary("formalize")).await??;
    let begun = Instant::now();
    let output = Command::new(program)
        .args(["submissions", "import", "--form", form])
        .arg(file)
        .args(["--database-url", &installation.url])
        .stdin(Stdio::null())
        .output()
        .await?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the import ended with {}: {error}", output.status).into());
    }
    Ok(begun.elapsed().as_secs_f64())
}
