//! Kills servers and databases under load, interrupts databases, and runs undisturbed for a long time, to check that no
//! acknowledged write is lost. `docs/reliability.md` explains the output.
//!
//! ```text
//! tests/soak --kills 10 --minutes 1
//! ```

use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use formalize_tests::endurance::{Fault, Site};
use formalize_tests::{Result, note, print};

/// Kill servers and databases under load and check that nothing is lost
#[derive(Debug, Parser)]
#[command(name = "soak")]
struct Options {
    /// The database of the server
    #[arg(long, value_enum, default_value = "both")]
    store: Stores,
    /// How often the server on SQLite is killed; PostgreSQL and its server are killed a fifth as often
    #[arg(long, default_value = "100")]
    kills: u64,
    /// How often PostgreSQL is stopped or unresponsive while its server keeps running
    #[arg(long, default_value = "20")]
    outages: u64,
    /// How long each server runs undisturbed, in minutes
    #[arg(long, default_value = "10")]
    minutes: u64,
    /// The random seed [default: a new one for each run]
    #[arg(long)]
    seed: Option<u64>,
}

/// Kinds of databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stores {
    Sqlite,
    Postgres,
    Both,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let seed = options.seed.unwrap_or_else(|| std::process::id().into());
    note(&format!("seed {seed}"));
    match run(&options, seed).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note(&format!("error: {error}\n(--seed {seed})"));
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options, seed: u64) -> Result<()> {
    if options.store != Stores::Postgres {
        let site = Site::on_sqlite(seed).await?;
        let faults = (0..options.kills).map(|_| Fault::KillServer);
        endure("SQLite", site, faults, options.minutes).await?;
    }
    if options.store != Stores::Sqlite {
        let site = Site::on_postgres(seed).await?;
        let kills = (0..options.kills.div_ceil(5)).map(|_| Fault::KillBoth);
        let outages = [Fault::StopDatabase, Fault::HangDatabase];
        let outages = outages.into_iter().cycle();
        let number = usize::try_from(options.outages)?;
        let faults = kills.chain(outages.take(number));
        endure("PostgreSQL", site, faults, options.minutes).await?;
    }
    Ok(())
}

/// Prints the results, whether or not the run succeeds.
async fn endure(
    name: &str,
    mut site: Site,
    faults: impl Iterator<Item = Fault>,
    minutes: u64,
) -> Result<()> {
    let endured = run_faults(&mut site, faults, minutes).await;
    print(&format!("{name}\n{}\n", site.figures()));
    endured?;
    site.end().await
}

/// After how many faults progress is reported. Then all webhooks are waited for, too, which takes longer than a fault.
const REPORT: u64 = 10;

async fn run_faults(
    site: &mut Site,
    faults: impl Iterator<Item = Fault>,
    minutes: u64,
) -> Result<()> {
    for (number, fault) in (1..).zip(faults) {
        site.inject(fault).await?;
        if number % REPORT == 0 {
            site.settle().await?;
            note(&format!("{number} faults, {} records", site.records()));
        }
    }
    for minute in 1..=minutes {
        site.work(Duration::from_mins(1)).await?;
        note(&format!(
            "{minute} minutes undisturbed, {} records there",
            site.records()
        ));
    }
    site.settle().await
}
