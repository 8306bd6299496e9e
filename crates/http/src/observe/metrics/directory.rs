//! Metrics of the directory.

use std::sync::atomic::AtomicI64;

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use super::Labels;
use crate::directory::{Directory, DirectoryFile, FileProblem};

/// The number of records in each file of the directory, and of versions that could not be used. Clones share the counts.
#[derive(Debug, Clone, Default)]
pub struct DirectoryMetrics {
    records: Family<Labels<1>, Gauge<i64, AtomicI64>>,
    refused: Family<Labels<1>, Counter>,
}

impl DirectoryMetrics {
    /// The metrics of a directory that was just read.
    pub fn of(directory: &Directory) -> Self {
        let metrics = Self::default();
        for file in directory.files() {
            metrics.count(file, &Ok(true));
            // Shown from the start, so that its first increase is seen.
            metrics.refused.get_or_create(&label(file)).inc_by(0);
        }
        metrics
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "formalize_directory_records",
            "Records in use, by file of the directory",
            self.records.clone(),
        );
        registry.register(
            "formalize_directory_refused",
            "Versions of files of the directory that could not be used",
            self.refused.clone(),
        );
    }

    /// Counts an attempt to read a file again.
    pub fn count(&self, file: &DirectoryFile, refreshed: &Result<bool, FileProblem>) {
        match refreshed {
            Ok(false) => {}
            Ok(true) => {
                let records = i64::try_from(file.records().len()).unwrap_or(i64::MAX);
                self.records.get_or_create(&label(file)).set(records);
            }
            Err(_) => {
                self.refused.get_or_create(&label(file)).inc();
            }
        }
    }
}

fn label(file: &DirectoryFile) -> Labels<1> {
    [("file", file.kind.plural())]
}
