//! Attacks of one client on a server, and what another client notices of them.
//!
//! The server has its default limits. The attacker reaches it through a trusted proxy, because the limits of an address
//! and of a client do not hold for loopback addresses otherwise. The other client connects directly.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use tokio::time::sleep;

use crate::Result;
use crate::process::resident;

mod other;
mod scene;
mod strikes;

pub use other::Latencies;
pub use scene::{Scene, Sizes};
use strikes::Strikes;

/// The bound on the 99th percentile of others beside an attack.
pub const SLOWEST: Duration = Duration::from_secs(1);
/// The bound on the resident memory of the server, in megabytes.
const MEMORY: f64 = 600.0;

/// An attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attack {
    /// A user without permission creates forms whose schema is expensive to compile, over 150 connections.
    ExpensiveForms,
    /// A user without permission submits a mebibyte each time, over 150 connections.
    LargeSubmissions,
    /// A user with permission submits to forms whose expensive schemas the server has not compiled yet, over 150 connections.
    ColdForms,
    /// Twelve connections request large pages and read nothing more than the status.
    UnreadPages,
    /// Eight connections request large pages and are closed after the first bytes, again and again.
    AbandonedPages,
    /// `HEAD` of a large page, over eight connections.
    Heads,
    /// `GET /healthz` with 9,000 parameters, without credentials, over 16 connections.
    ParametersOfHealth,
    /// The same for a list, with credentials.
    ParametersOfLists,
    /// 250 connections send all but the last byte of 4 MiB.
    UnfinishedBodies,
    /// As many connections as the server accepts send half of a head.
    UnfinishedHeads,
    /// A user who is in very many groups reads, over 16 connections.
    ManyGroups,
    /// Somebody without credentials opens the page of a public link with 1,000 questions, over eight connections.
    LargePages,
    /// The same sends the last of 1,000 choices 1,999 times.
    RepeatedChoices,
    /// Twenty connections submit data that violates its schema in thousands of places, and read nothing more than the status.
    VerboseRefusals,
}

impl Attack {
    /// All attacks, in the order of the table.
    pub const ALL: [Self; 14] = [
        Self::ExpensiveForms,
        Self::LargeSubmissions,
        Self::ColdForms,
        Self::UnreadPages,
        Self::AbandonedPages,
        Self::Heads,
        Self::ParametersOfHealth,
        Self::ParametersOfLists,
        Self::UnfinishedBodies,
        Self::UnfinishedHeads,
        Self::ManyGroups,
        Self::LargePages,
        Self::RepeatedChoices,
        Self::VerboseRefusals,
    ];

    /// Its name in the table and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ExpensiveForms => "expensive-forms",
            Self::LargeSubmissions => "large-submissions",
            Self::ColdForms => "cold-forms",
            Self::UnreadPages => "unread-pages",
            Self::AbandonedPages => "abandoned-pages",
            Self::Heads => "heads-of-pages",
            Self::ParametersOfHealth => "parameters-of-healthz",
            Self::ParametersOfLists => "parameters-of-lists",
            Self::UnfinishedBodies => "unfinished-bodies",
            Self::UnfinishedHeads => "unfinished-heads",
            Self::ManyGroups => "many-groups",
            Self::LargePages => "large-pages",
            Self::RepeatedChoices => "repeated-choices",
            Self::VerboseRefusals => "verbose-refusals",
        }
    }
}

impl Attack {
    /// The bound on the median of others beside the attack, as a multiple of their undisturbed median.
    pub const fn ratio(self) -> f64 {
        match self {
            // These requests are only those of a user whom others have put in many groups.
            Self::ManyGroups => 2.0,
            _ => 3.0,
        }
    }
}

/// What the attacker got, by status or another end of a request, such as `closed`.
pub type Answers = BTreeMap<String, u64>;

/// What happened during an attack.
#[derive(Debug)]
pub struct Outcome {
    /// What the attacker got.
    pub answers: Answers,
    /// The other client's requests before the attack.
    pub before: Latencies,
    /// The other client's requests beside the attack.
    pub beside: Latencies,
    /// The peak of the server's resident memory, in megabytes.
    pub memory: f64,
}

impl Outcome {
    /// The ratios of the medians of GET and POST beside the attack to those before it.
    pub fn ratios(&self) -> [f64; 2] {
        let of = |kind: fn(&Latencies) -> Duration| {
            kind(&self.beside).as_secs_f64() / kind(&self.before).as_secs_f64()
        };
        [of(|all| all.get.median()), of(|all| all.post.median())]
    }

    /// How the law is broken; empty if it holds.
    pub fn faults(&self, ratio: f64, slowest: Duration) -> Vec<String> {
        let mut faults = Vec::new();
        let mut check = |is_broken: bool, text: String| faults.extend(is_broken.then_some(text));
        let failed = &self.beside.failures;
        check(
            !failed.is_empty() || !self.before.failures.is_empty(),
            format!("requests of others failed: {failed:?}"),
        );
        for (name, times, grown) in [
            ("GET", &self.beside.get, self.ratios()[0]),
            ("POST", &self.beside.post, self.ratios()[1]),
        ] {
            check(
                grown > ratio,
                format!("{name} of others takes {grown:.1} times as long"),
            );
            let slow = times.percentile(99);
            check(slow > slowest, format!("{name} of others takes {slow:?}"));
        }
        let memory = self.memory;
        check(memory > MEMORY, format!("the server uses {memory:.0} MB"));
        faults
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "attacker: {:?}; memory: {:.0} MB",
            self.answers, self.memory
        )?;
        write!(
            formatter,
            "; before: {}; beside: {}",
            self.before, self.beside
        )
    }
}

/// Starts a server on the scene, and measures the other client before and during the attack.
///
/// # Errors
///
/// If the server does not start, or its memory cannot be read.
pub async fn run(scene: &Scene, attack: Attack, seconds: u64) -> Result<Outcome> {
    let server = scene.start().await?;
    let other = scene.other(&server)?;
    // The first requests open connections, prepare statements and compile schemas.
    other.measure(Duration::from_secs(1)).await;
    let before = other.measure(Duration::from_secs(seconds)).await;
    let strikes = Strikes::begin(scene, &server, attack)?;
    sleep(Duration::from_millis(500)).await;
    let beside = other.measure(Duration::from_secs(seconds)).await;
    let answers = strikes.end().await;
    let memory = resident(server.id(), "VmHWM")?;
    Ok(Outcome {
        answers,
        before,
        beside,
        memory,
    })
}
