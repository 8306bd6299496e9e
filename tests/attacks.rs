//! Runs each attack on a server, and prints what another client notices of it. `CONTRIBUTING.md` explains the table.
//!
//! ```text
//! cargo run --release -p formalize-tests --bin attacks -- --store sqlite
//! ```

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use comfy_table::{Table, presets};
use formalize_tests::attacks::{self, Attack, Latencies, Outcome, Scene, Sizes};
use formalize_tests::client::Installation;
use formalize_tests::{Result, note, print};

/// Attack a server, and measure what another client notices
#[derive(Debug, Parser)]
#[command(name = "attacks")]
struct Options {
    /// The database of the server [default: both, one after the other]
    #[arg(long, value_enum)]
    store: Option<StoreKind>,
    /// An attack to run, by its name in the table [default: all]
    #[arg(long)]
    attack: Option<String>,
    /// The server program to attack [default: the current source, built like this program]
    #[arg(long)]
    server: Option<PathBuf>,
    /// How long the other client is measured, before and during each attack, in seconds
    #[arg(long, default_value = "10")]
    seconds: u64,
}

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StoreKind {
    Sqlite,
    Postgres,
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

/// Returns whether the law holds.
async fn run(options: &Options) -> Result<bool> {
    let is_wanted = |attack: &Attack| {
        let wanted = options.attack.as_deref();
        wanted.is_none_or(|name| name == attack.name())
    };
    let wanted: Vec<Attack> = Attack::ALL.into_iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        return Err(format!("there is no such attack; there are: {}", names()).into());
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "Attack",
        "Database",
        "Attacker",
        "GET before",
        "GET",
        "×",
        "POST before",
        "POST",
        "×",
        "Failed",
        "Memory",
        "",
    ]);
    let mut holds = true;
    for store in [StoreKind::Sqlite, StoreKind::Postgres] {
        if options.store.is_some_and(|only| only != store) {
            continue;
        }
        note(&format!("filling a database ({store:?})"));
        let installation = match store {
            StoreKind::Sqlite => Installation::on_sqlite().await?,
            StoreKind::Postgres => Installation::on_postgres().await?,
        };
        let scene = Scene::fill(installation, Sizes::FULL).await?;
        let scene = match &options.server {
            Some(program) => scene.program(program),
            None => scene,
        };
        for attack in &wanted {
            let outcome = attacks::run(&scene, *attack, options.seconds).await?;
            note(&format!("{}: {outcome}", attack.name()));
            let faults = outcome.faults(attack.ratio(), attacks::SLOWEST);
            holds &= faults.is_empty();
            table.add_row(row(*attack, store, &outcome, &faults));
        }
    }
    print(&table.to_string());
    Ok(holds)
}

fn names() -> String {
    Attack::ALL.map(Attack::name).join(", ")
}

/// Latencies are the median and the 99th percentile, in milliseconds.
fn row(attack: Attack, store: StoreKind, outcome: &Outcome, faults: &[String]) -> Vec<String> {
    let Outcome { before, beside, .. } = outcome;
    let [get, post] = outcome.ratios().map(|ratio| format!("{ratio:.1}"));
    let failed = |all: &Latencies| all.failures.values().sum::<u64>();
    let answers = outcome.answers.iter();
    let answers = answers.map(|(answer, count)| format!("{answer}: {count}"));
    vec![
        attack.name().to_owned(),
        format!("{store:?}"),
        answers.collect::<Vec<_>>().join(", "),
        before.get.to_string(),
        beside.get.to_string(),
        get,
        before.post.to_string(),
        beside.post.to_string(),
        post,
        (failed(before) + failed(beside)).to_string(),
        format!("{:.0} MB", outcome.memory),
        if faults.is_empty() { "held" } else { "BROKEN" }.to_owned(),
    ]
}
