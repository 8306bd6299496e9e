//! Measures the performance of the service for its clients. It fills a database, starts the real server on it, sends
//! load, and prints the results beside the targets. `docs/performance.md` explains them.
//!
//! ```text
//! cargo run --release -p formalize-tests --bin load -- --store sqlite --scale small
//! ```

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use formalize_tests::{Result, note, print};

mod console;
mod events;
mod exports;
mod files;
mod flatness;
mod imports;
mod installation;
mod log;
mod memory;
mod pages;
mod plot;
mod relay;
mod report;
mod throughput;
mod walks;
mod webhooks;
mod wrk;

use formalize_tests::seed::Sizes;
use installation::Installation;
use report::Report;

/// Measure the performance of the service
#[derive(Debug, Parser)]
#[command(name = "load")]
struct Options {
    /// The database of the server
    #[arg(long, value_enum, default_value = "sqlite")]
    store: StoreKind,
    /// The amount of data in the database
    #[arg(long, value_enum, default_value = "small")]
    scale: Scale,
    /// The duration of each round of each load, in seconds
    #[arg(long, default_value = "3")]
    seconds: u32,
    /// The number of rounds; ratios are computed from medians
    #[arg(long, default_value = "3")]
    rounds: usize,
    /// Measure only these parts
    #[arg(long, value_enum, value_delimiter = ',')]
    parts: Vec<Part>,
    /// The folder for the results (`load-<store>.json`) and the plot (`load-<store>.svg`)
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

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Throughput,
    Pages,
    Events,
    Flatness,
    Memory,
    Console,
    Exports,
    Imports,
    Walks,
    Files,
    Relay,
    Log,
}

/// The amount of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scale {
    /// A hundredth of the large scale, for a quick look. The results say little about growth.
    Small,
    /// A million submissions, half a million forms, and a million memberships. Filling the database takes minutes.
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

/// Returns whether all required targets were met.
async fn run(options: &Options) -> Result<bool> {
    wrk::check()?;
    let mut report = Report::new(options.store.name(), options.scale == Scale::Large);
    let few = Installation::fill(options.store, Sizes::few()).await?;
    let many = Installation::fill(options.store, options.scale.sizes()).await?;
    let pace = throughput::Pace {
        seconds: options.seconds,
        rounds: options.rounds,
    };
    let report = &mut report;
    let mut curves = Vec::new();
    for part in Part::value_variants() {
        if !options.parts.is_empty() && !options.parts.contains(part) {
            continue;
        }
        let kind = (options.store, options.scale);
        match part {
            Part::Throughput => throughput::measure(&few, options.store, pace, report).await?,
            Part::Pages => pages::measure(&few, pace, report).await?,
            Part::Events => events::measure(&few, pace, report).await?,
            Part::Flatness => curves = flatness::measure(&few, &many, pace, report).await?,
            Part::Memory => memory::measure(&many, report).await?,
            Part::Console => console::measure(&many, pace, report).await?,
            Part::Exports => exports::measure(&many, kind, pace, report).await?,
            Part::Imports => imports::measure(&many, pace, report).await?,
            Part::Walks => walks::measure(&many, options.scale, report).await?,
            Part::Files => files::measure(&few, options.scale, pace, report).await?,
            Part::Relay => relay::measure(&few, &many, pace, report).await?,
            Part::Log => log::measure(kind, pace, report).await?,
        }
    }
    fs::create_dir_all(&options.folder)?;
    let file = |ending: &str| {
        options
            .folder
            .join(format!("load-{}.{ending}", options.store.name()))
    };
    fs::write(file("json"), report.to_json()?)?;
    if !curves.is_empty() {
        plot::draw(&file("svg"), options.store.name(), &curves)?;
    }
    print(&report.to_string());
    note(&format!("written to {}", options.folder.display()));
    Ok(report.all_met())
}
