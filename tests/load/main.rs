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
mod flatness;
mod imports;
mod installation;
mod log;
mod memory;
mod pages;
mod plot;
mod report;
mod throughput;
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
    throughput::measure(&few, options.store, pace, &mut report).await?;
    pages::measure(&few, pace, &mut report).await?;
    events::measure(&few, pace, &mut report).await?;
    let curves = flatness::measure(&few, &many, pace, &mut report).await?;
    memory::measure(&many, &mut report).await?;
    console::measure(&many, pace, &mut report).await?;
    exports::measure(&many, (options.store, options.scale), pace, &mut report).await?;
    imports::measure(&many, pace, &mut report).await?;
    log::measure((options.store, options.scale), pace, &mut report).await?;
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
