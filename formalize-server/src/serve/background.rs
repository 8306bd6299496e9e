//! What the server does beside requests, from its start to its end.

use std::time::{Duration, Instant};

use formalize_core::Formalize;
use formalize_http::config::Config;
use formalize_http::directory::Directory;
use formalize_http::observe::metrics::{DirectoryMetrics, FileMetrics};
use tokio::task::JoinHandle;

/// How long to wait before following revocations again after a failure.
const FOLLOW_AGAIN: Duration = Duration::from_secs(1);

/// The time between two looks at the files of the directory.
const DIRECTORY_INTERVAL: Duration = Duration::from_secs(5);

/// The time between two runs of the library's maintenance.
const MAINTENANCE_INTERVAL: Duration = Duration::from_mins(1);

/// How long the contents of files wait for others that are deleted, too.
const AFTER_DELETION: Duration = Duration::from_secs(1);

/// The tasks that run beside requests, and their metrics.
pub(super) struct Background {
    pub(super) files: FileMetrics,
    pub(super) directory: DirectoryMetrics,
    tasks: [JoinHandle<()>; 4],
}

impl Background {
    /// Starts the tasks. `files` are the metrics of the file store.
    pub(super) fn start(config: &Config, formalize: &Formalize, files: FileMetrics) -> Self {
        let records = &config.directory.records;
        let directory = DirectoryMetrics::of(records);
        let interval = config.files.sweep_interval;
        let tasks = [
            tokio::spawn(sweep_files(formalize.clone(), interval, files.clone())),
            tokio::spawn(refresh_directory(records.clone(), directory.clone())),
            tokio::spawn(follow_revocations(formalize.clone())),
            tokio::spawn(maintain(formalize.clone())),
        ];
        Self {
            files,
            directory,
            tasks,
        }
    }

    /// Ends the tasks at once. What they leave undone is done after the next start.
    pub(super) fn stop(self) {
        for task in self.tasks {
            task.abort();
        }
    }
}

/// Follows the revocations of tokens by other servers. While that fails, a revoked token works for at most
/// [`Config::token_memory`].
async fn follow_revocations(formalize: Formalize) {
    while let Err(error) = formalize.follow_revocations().await {
        tracing::warn!(%error, "lost the revocation listener");
        tokio::time::sleep(FOLLOW_AGAIN).await;
    }
}

/// Runs the library's maintenance at regular intervals.
async fn maintain(formalize: Formalize) {
    loop {
        tokio::time::sleep(MAINTENANCE_INTERVAL).await;
        // The library logs the steps that fail.
        if let Ok(done) = formalize.maintain().await {
            tracing::debug!(
                sessions = done.sessions,
                events = done.events,
                remains = done.remains,
                "maintenance"
            );
        }
    }
}

/// Deletes the contents of files that belong to no submission: at the start, at regular intervals, and soon after this server
/// has deleted something.
async fn sweep_files(formalize: Formalize, interval: Duration, metrics: FileMetrics) {
    let files = formalize.files();
    let mut complete = Instant::now();
    loop {
        match files.sweep().await {
            Ok(files) => tracing::debug!(files, "deleted unused files"),
            Err(error) => tracing::warn!(%error, "cannot delete unused files"),
        }
        if let Ok(left) = files.unused().await {
            if left.is_empty() {
                complete = Instant::now();
            }
            metrics.left(left.len(), complete.elapsed());
        }
        tokio::select! {
            () = tokio::time::sleep(interval) => {}
            // What is deleted one after the other goes together.
            () = files.wait_for_unused() => tokio::time::sleep(AFTER_DELETION).await,
        }
    }
}

/// Reads the files of the directory again when they have changed.
async fn refresh_directory(directory: Directory, metrics: DirectoryMetrics) {
    loop {
        tokio::time::sleep(DIRECTORY_INTERVAL).await;
        let (directory, metrics) = (directory.clone(), metrics.clone());
        let refresh = move || {
            for file in directory.files() {
                let refreshed = file.refresh();
                metrics.count(file, &refreshed);
                let file = file.kind.plural();
                match refreshed {
                    Ok(false) => {}
                    Ok(true) => tracing::info!(file, "read a file of the directory again"),
                    Err(problem) => tracing::warn!(
                        file,
                        %problem,
                        "a file of the directory has changed and cannot be used; its last version stays in use"
                    ),
                }
            }
        };
        if let Err(error) = tokio::task::spawn_blocking(refresh).await {
            tracing::error!(%error, "cannot read the directory");
        }
    }
}
