//! The driver for SQLite: one connection that writes, and several that read.

use std::path::Path;

use async_trait::async_trait;
use formalize_core::store::{Revocations, StoreResult};

use super::lease::ReadSession;
use super::unchanged::Unchanged;
use super::{Connection, File, Leases, Writer, fragment};
use crate::SqlOptions;
use crate::driver::migration::Step;
use crate::driver::{
    AROUND, BackupError, Dialect, Driver, Purpose, Session, StoreMetrics, UnfinishedBackup,
};
use crate::statistics::PoolStatistics;

#[derive(Debug)]
pub(in crate::driver) struct SqliteDriver {
    writer: Writer,
    readers: Leases,
    metrics: StoreMetrics,
    unchanged: Option<Unchanged>,
}

impl SqliteDriver {
    /// A driver for a file. `first` is a connection that writes to it, unless the file is opened read-only.
    pub(super) fn new(
        first: Connection,
        file: File,
        options: &SqlOptions,
        metrics: StoreMetrics,
        unchanged: Option<Unchanged>,
    ) -> Self {
        let readers = Leases::new(file.to_read(), options.readers.max(1), None);
        let writer = Leases::new(file, 1, Some(first));
        let writer = Writer::new(writer, options, metrics.clone());
        Self {
            writer,
            readers,
            metrics,
            unchanged,
        }
    }
}

#[async_trait]
impl Driver for SqliteDriver {
    fn dialect(&self) -> Dialect {
        fragment::DIALECT
    }

    fn pools(&self) -> Vec<PoolStatistics> {
        vec![self.readers.statistics("readers"), self.writer.statistics()]
    }

    async fn begin(&self, purpose: Purpose) -> StoreResult<Box<dyn Session>> {
        let session = match purpose {
            Purpose::Read | Purpose::Scan => ReadSession::begin(&self.readers).await?,
            // The few readers must stay free for requests, so this opens another connection, which is closed afterwards.
            Purpose::ReadLong => {
                let own = Leases::new(self.readers.file().clone(), 1, None);
                ReadSession::begin(&own).await?
            }
            Purpose::ReadOnce => return Ok(Box::new(ReadSession::once(&self.readers).await?)),
            Purpose::Write | Purpose::WriteOnce => return Ok(Box::new(self.writer.begin().await?)),
        };
        self.metrics.sent(AROUND);
        Ok(Box::new(session))
    }

    fn shares_commits(&self) -> bool {
        true
    }

    fn is_standby(&self) -> Option<bool> {
        None
    }

    async fn listen(&self, _: &str) -> StoreResult<Option<Box<dyn Revocations>>> {
        Ok(None)
    }

    async fn copy(&self, to: &Path) -> Result<Box<dyn UnfinishedBackup>, BackupError> {
        Ok(Box::new(self.readers.file().back_up(to).await?))
    }

    async fn migrate(&self, steps: &'static [Step]) -> StoreResult<Vec<&'static Step>> {
        self.writer.connections().file().migrate(steps).await
    }

    fn check_unchanged(&self) -> StoreResult<()> {
        self.unchanged.as_ref().map_or(Ok(()), Unchanged::check)
    }

    async fn close(&self) {
        // The last connection to close checkpoints the write-ahead log, which a read-only connection cannot do.
        self.readers.close().await;
        self.writer.close().await;
    }
}
