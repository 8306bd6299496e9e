//! Fails over a PostgreSQL cluster under Patroni while users work with a server, to check that no acknowledged write is
//! lost and that clients get the answers that they expect. `tests/failover/run` starts it; `docs/high-availability.md`
//! explains the output.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use formalize_tests::failover::{
    Blow, Cluster, RETURN, RETURN_IF_BUSY, Recipe, Through, Trial, table,
};
use formalize_tests::{Result, note, print};

/// Fail over PostgreSQL under load and check that nothing is lost
#[derive(Debug, Parser)]
#[command(name = "tests/failover/run")]
struct Options {
    /// How the server connects to the database
    #[arg(long, value_enum, default_value = "haproxy")]
    through: Way,
    /// How often a standby is made the primary
    #[arg(long, default_value = "1")]
    switchover: usize,
    /// How often the main process of the primary is killed
    #[arg(long, default_value = "1")]
    postmaster: usize,
    /// How often PostgreSQL and Patroni of the primary are killed
    #[arg(long, default_value = "1")]
    node: usize,
    /// How often the node of the primary is frozen for 30 s
    #[arg(long, default_value = "1")]
    freeze: usize,
    /// How often etcd is frozen for 10 s
    #[arg(long, default_value = "1")]
    etcd: usize,
    /// How often the node of the synchronous standby is frozen for 30 s
    #[arg(long, default_value = "1")]
    replica: usize,
    /// How often a switchover is followed at once by the loss of the new primary
    #[arg(long, default_value = "1")]
    twice: usize,
    /// Only one switchover and one loss of the primary
    #[arg(long)]
    quick: bool,
    /// Freezes the primary of an unsafe cluster up to ten times, until acknowledged writes are lost: with Patroni 3.0.2, not
    /// strict, and a short lease
    #[arg(long = "unsafe", conflicts_with = "quick")]
    is_unsafe: bool,
    /// The random seed [default: a new one for each run]
    #[arg(long)]
    seed: Option<u64>,
    /// The folder for all files, in which all processes work
    #[arg(long, hide = true)]
    folder: PathBuf,
    /// The program `patroni`
    #[arg(long, hide = true)]
    patroni: PathBuf,
}

/// How the server connects.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Way {
    /// HAProxy finds the primary
    Haproxy,
    /// The URL names all nodes
    Hosts,
}

impl Options {
    fn blows(&self) -> Vec<Blow> {
        if self.quick {
            return vec![Blow::Switchover, Blow::Node];
        }
        if self.is_unsafe {
            return vec![Blow::Freeze; 10];
        }
        let kinds = [
            (Blow::Switchover, self.switchover),
            (Blow::Postmaster, self.postmaster),
            (Blow::Node, self.node),
            (Blow::Freeze, self.freeze),
            (Blow::Etcd, self.etcd),
            (Blow::Replica, self.replica),
            (Blow::Twice, self.twice),
        ];
        let blows = kinds.into_iter();
        blows
            .flat_map(|(blow, number)| std::iter::repeat_n(blow, number))
            .collect()
    }

    fn recipe(&self) -> Recipe {
        if self.is_unsafe {
            Recipe::Unsafe
        } else {
            Recipe::Documented
        }
    }

    fn through(&self) -> Through {
        match self.through {
            Way::Haproxy => Through::HaProxy,
            Way::Hosts => Through::Hosts,
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    let seed = options.seed.unwrap_or_else(|| std::process::id().into());
    note(&format!("seed {seed}"));
    match run(&options, seed).await {
        Ok(broken) if broken.is_empty() => ExitCode::SUCCESS,
        Ok(broken) => {
            note(&format!("BROKEN\n{}", broken.join("\n")));
            ExitCode::FAILURE
        }
        Err(error) => {
            note(&format!("error: {error}\n(--seed {seed})"));
            ExitCode::FAILURE
        }
    }
}

/// Returns the rules that were broken.
async fn run(options: &Options, seed: u64) -> Result<Vec<String>> {
    let cluster = Cluster::start(&options.folder, &options.patroni, options.recipe()).await?;
    note("the cluster is complete");
    let mut trial = Trial::start(cluster, options.through(), seed).await?;
    let endured = endure(&mut trial, options.blows()).await;
    fs::write(options.folder.join("log-of-server"), trial.log()?)?;
    print(&format!("{}\n{}", table(trial.outcomes()), trial.figures()));
    if options.is_unsafe {
        return was_lost(&trial, endured);
    }
    endured?;
    let back_within = if options.quick {
        RETURN_IF_BUSY
    } else {
        RETURN
    };
    let outcomes = trial.outcomes().iter();
    let broken = outcomes
        .flat_map(|outcome| outcome.broken(back_within))
        .collect();
    trial.end().await?;
    Ok(broken)
}

/// No rule is broken if acknowledged writes were lost.
fn was_lost(trial: &Trial, endured: Result<()>) -> Result<Vec<String>> {
    if trial.figures().lost == 0 {
        endured?;
        return Ok(vec!["no acknowledged write was lost".to_owned()]);
    }
    if let Err(why) = endured {
        note(&format!(
            "acknowledged writes were lost, as expected: {why}"
        ));
    }
    Ok(Vec::new())
}

async fn endure(trial: &mut Trial, blows: Vec<Blow>) -> Result<()> {
    for blow in blows {
        note(&format!("{blow}"));
        let endured = trial.endure(blow).await;
        endured.map_err(|error| format!("{blow}: {error}"))?;
    }
    Ok(())
}
