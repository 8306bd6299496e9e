//! Measures the service as its clients meet it: starts the real server on a database that it fills, drives it, and
//! prints what it measured beside what is asked for. `docs/performance.md` explains how to read it.
//!
//! ```text
//! cargo run --release -p formalize-tests --bin load -- --store sqlite --scale small
//! ```

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use formalize_tests::Result;

mod flatness;
mod installation;
mod memory;
mod plot;
mod report;
mod throughput;
mod wrk;

use formalize_tests::seed::Sizes;
use installation::Installation;
use report::Report;

/// Measure the service from the outside
#[derive(Debug, Parser)]
#[command(name = "load")]
struct Options {
    /// The database that the server runs on
    #[arg(long, value_enum, default_value = "sqlite")]
    store: StoreKind,
    /// How much the database holds
    #[arg(long, value_enum, default_value = "small")]
    scale: Scale,
    /// How long each round of each load takes, in seconds
    #[arg(long, default_value = "3")]
    seconds: u32,
    /// How many rounds there are; ratios are those of their medians
    #[arg(long, default_value = "3")]
    rounds: usize,
    /// Where the figures (`load-<store>.json`) and the plot (`load-<store>.svg`) are written
    #[arg(long, default_value = "target/load")]
    folder: PathBuf,
}

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StoreKind {
    Sqlite,
    Postgres,
}

impl StoreKind {
    fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scale {
    /// A hundredth of the large one: for a quick look. Its figures say little about flatness.
    Small,
    /// A million submissions, half a million forms, a million memberships. Filling it takes minutes.
    Large,
}

impl Scale {
    fn sizes(self) -> Sizes {
        match self {
            Self::Small => Sizes::large().divided_by(100),
            Self::Large => Sizes::large(),
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Options::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            note(&format!("error: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Whether everything that must be met was.
async fn run(options: &Options) -> Result<bool> {
    wrk::check()?;
    let mut report = Report::new(options.store.name(), options.scale == Scale::Large);
    let few = Installation::fill(options.store, Sizes::few()).await?;
    let many = Installation::fill(options.store, options.scale.sizes()).await?;
    let pace = throughput::Pace {
        seconds: options.seconds,
        rounds: options.rounds,
    };
    throughput::measure(&few, options.store, pace, &mut report).await?;
    let curves = flatness::measure(&few, &many, pace, &mut report).await?;
    memory::measure(&many, &mut report).await?;
    fs::create_dir_all(&options.folder)?;
    let file = |ending: &str| {
        options
            .folder
            .join(format!("load-{}.{ending}", options.store.name()))
    };
    fs::write(file("json"), report.to_json()?)?;
    plot::draw(&file("svg"), options.store.name(), &curves)?;
    print(&report.to_string());
    note(&format!("written to {}", options.folder.display()));
    Ok(report.all_met())
}

/// What the program is asked for goes to standard output.
#[expect(clippy::print_stdout, reason = "the table is what the program is for")]
fn print(text: &str) {
    println!("{text}");
}

/// What it is doing goes to standard error.
#[expect(
    clippy::print_stderr,
    reason = "it takes minutes; somebody may be waiting"
)]
fn note(text: &str) {
    eprintln!("{text}");
}
