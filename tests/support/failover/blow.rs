//! What happens to a cluster.

use std::fmt;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::processes::{postmaster, signal, signal_all};
use super::{Cluster, INTERVAL, RECOVERY};
use crate::Result;

/// How long a frozen node stays frozen: longer than `ttl`, so that the others elect a new primary.
const FREEZE: Duration = Duration::from_secs(30);

/// How long etcd stays frozen: longer than `retry_timeout`, so that Patroni notices.
const ETCD_FREEZE: Duration = Duration::from_secs(10);

/// A failure of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blow {
    /// An administrator makes a standby the primary.
    Switchover,
    /// The main process of the primary is killed.
    Postmaster,
    /// PostgreSQL and Patroni of the primary are killed, and start again once there is a new primary.
    Node,
    /// The node of the primary does not respond for half a minute.
    Freeze,
    /// etcd does not respond for ten seconds.
    Etcd,
    /// The node of the synchronous standby does not respond for half a minute.
    Replica,
    /// A switchover, and at once the node of the new primary is killed.
    Twice,
}

impl fmt::Display for Blow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Switchover => "switchover",
            Self::Postmaster => "postmaster",
            Self::Node => "node",
            Self::Freeze => "freeze",
            Self::Etcd => "etcd",
            Self::Replica => "replica",
            Self::Twice => "twice",
        })
    }
}

impl Cluster {
    /// Deals a blow. Returns when its cause is over; the cluster may still be recovering.
    ///
    /// # Errors
    ///
    /// If the blow cannot be dealt, or no new primary is elected.
    pub(super) async fn deal(&mut self, blow: Blow) -> Result<()> {
        match blow {
            Blow::Switchover => self.switch_over().await.map(|_| ()),
            Blow::Postmaster => {
                let data = self.folder(self.primary().await?)?.join("formalize");
                signal(&[postmaster(&data)?], "KILL")
            }
            Blow::Node => {
                let primary = self.primary().await?;
                self.lose(primary).await
            }
            Blow::Freeze => {
                let primary = self.primary().await?;
                self.freeze(primary).await
            }
            Blow::Replica => {
                let standby = self.standby().await?;
                self.freeze(standby).await
            }
            Blow::Etcd => {
                signal_all(&self.etcd, "STOP")?;
                sleep(ETCD_FREEZE).await;
                signal_all(&self.etcd, "CONT").map(|_| ())
            }
            Blow::Twice => {
                let primary = self.switch_over().await?;
                // Until a standby is synchronous, Patroni would only elect the lost primary again.
                self.until_synchronous().await?;
                self.lose(primary).await
            }
        }
    }

    async fn lose(&mut self, primary: usize) -> Result<()> {
        signal_all(self.folder(primary)?, "KILL")?;
        self.until_other_primary(primary).await?;
        self.restart(primary)
    }

    async fn freeze(&self, node: usize) -> Result<()> {
        let folder = self.folder(node)?;
        signal_all(folder, "STOP")?;
        sleep(FREEZE).await;
        signal_all(folder, "CONT").map(|_| ())
    }

    async fn until_synchronous(&self) -> Result<()> {
        let begun = Instant::now();
        while self.standby().await.is_err() {
            if begun.elapsed() > RECOVERY {
                return Err(format!("there is no synchronous standby after {RECOVERY:?}").into());
            }
            sleep(INTERVAL).await;
        }
        Ok(())
    }

    async fn until_other_primary(&self, former: usize) -> Result<()> {
        let begun = Instant::now();
        while self.primary().await.is_ok_and(|it| it == former) || self.primary().await.is_err() {
            if begun.elapsed() > RECOVERY {
                return Err(format!("there is no new primary after {RECOVERY:?}").into());
            }
            sleep(INTERVAL).await;
        }
        Ok(())
    }
}
