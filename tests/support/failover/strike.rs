//! One blow after the other to a cluster with users.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::outcome::DATABASE_WAIT;
use super::probe::Probe;
use super::{Blow, Cluster, INTERVAL, Outcome, RECOVERY, Through};
use crate::Result;
use crate::endurance::{Figures, Journal, Site};

/// How long users work before and after a blow.
const BEFORE: Duration = Duration::from_secs(1);
const AFTER: Duration = Duration::from_secs(1);

/// A cluster, a server, and its users.
pub struct Trial {
    cluster: Cluster,
    site: Site,
    through: Through,
    outcomes: Vec<Outcome>,
}

impl Trial {
    /// Starts a server on a cluster. `seed` determines what the users do.
    ///
    /// # Errors
    ///
    /// If the server does not start.
    pub async fn start(cluster: Cluster, through: Through, seed: u64) -> Result<Self> {
        let (url, to_verify) = (cluster.url(through), cluster.url(Through::HaProxy));
        let site = Site::on_database(&url, &to_verify, DATABASE_WAIT, seed).await?;
        Ok(Self {
            cluster,
            site,
            through,
            outcomes: Vec::new(),
        })
    }

    /// Deals a blow while users work. Afterwards all their records are compared with what was acknowledged, and every
    /// invariant of the database is checked.
    ///
    /// # Errors
    ///
    /// If anything was lost, a response was not as expected, or the service or the cluster does not recover.
    pub async fn endure(&mut self, blow: Blow) -> Result<()> {
        let journal = Arc::new(Journal::default());
        let probe = Probe::start(&self.cluster).await?;
        let load = self.site.begin_load(&journal);
        sleep(BEFORE).await;
        let dealt = Instant::now();
        let recovered = self.deal_and_recover(blow, &journal).await;
        let ended = self.site.end_load(load).await;
        self.outcomes.push(Outcome {
            blow,
            through: self.through,
            dealt,
            entries: journal.entries(),
            commits: probe.times(),
        });
        drop(probe);
        if recovered.is_err() {
            return ended.and(recovered);
        }
        self.cluster.until_idle().await?;
        // Also after an unexpected response, as a loss may be the cause.
        let compared = self.site.compare().await;
        ended.and(compared)
    }

    async fn deal_and_recover(&mut self, blow: Blow, journal: &Journal) -> Result<()> {
        self.cluster.deal(blow).await?;
        let over = Instant::now();
        while !journal.has_written_since(over) {
            if over.elapsed() > RECOVERY {
                return Err(format!("no write was acknowledged within {RECOVERY:?}").into());
            }
            sleep(INTERVAL).await;
        }
        self.cluster.until_complete().await?;
        sleep(AFTER).await;
        Ok(())
    }

    /// What the users noticed of each blow so far.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// What the users have done so far.
    pub fn figures(&self) -> Figures {
        self.site.figures()
    }

    /// The log of the server.
    ///
    /// # Errors
    ///
    /// If it is not running.
    pub fn log(&self) -> Result<String> {
        self.site.log()
    }

    /// Stops the server normally.
    ///
    /// # Errors
    ///
    /// If it does not stop normally.
    pub async fn end(self) -> Result<()> {
        self.site.end().await
    }
}
