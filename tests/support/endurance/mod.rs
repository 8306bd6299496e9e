//! Tests whether a service under mixed load loses anything when its server or database fails.
//!
//! A few users keep a real server busy with writes of every kind and remember what was acknowledged. Others send
//! submissions with idempotency keys again, follow the change feed, receive webhooks, and export. Then the server or
//! the database is killed at a random moment and started again, and everything is compared: acknowledged writes must be
//! present, unanswered ones must be present completely or not at all, counts must be correct, and `formalize verify`
//! must find nothing. `tests/soak` does this for a long time, and the tests do it briefly.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use formalize_core::Store as _;
use formalize_sql::{SqlOptions, SqlStore};
use tokio::task::{JoinSet, block_in_place};
use tokio::time::{Instant, sleep};

use self::consumers::Consumers;
use self::worker::{Counts, Worker};
use crate::client::Installation;
use crate::patience::LIMIT;
use crate::postgres::OwnCluster;
use crate::proxy::Proxy;
use crate::{Result, Server, contents};

mod act;
mod consumers;
mod dice;
mod draw;
mod effect;
mod figures;
mod holdings;
mod journal;
mod persist;
mod worker;

pub use dice::Dice;
pub use figures::Figures;
pub use journal::{Entry, Journal};
pub use persist::Load;

/// The number of concurrent users: enough for transactions to share a COMMIT.
const WORKERS: u64 = 8;

/// The default of `database_wait`. Other tests wait longer.
const WAIT: Duration = Duration::from_secs(5);

/// Permissions: everybody may create forms and groups, and manages only their own.
const POLICIES: &str = "[policies]\ncreate_forms = 'true'\ncreate_groups = 'true'\n";

/// How long a request with files may take. It is short, because what uploads leave behind is deleted after that.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(5);

/// A failure to inject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The server is killed.
    KillServer,
    /// The server and the database are killed in quick succession; PostgreSQL only.
    KillBoth,
    /// The database is stopped and started again while the server runs; PostgreSQL only.
    StopDatabase,
    /// The database is unresponsive for a while; PostgreSQL only.
    HangDatabase,
}

/// A server with its database, and users who work with it.
pub struct Site {
    installation: Installation,
    /// The URL of the database for verification.
    url: String,
    cluster: Option<(OwnCluster, Proxy)>,
    server: Option<Server>,
    workers: Vec<Worker>,
    consumers: Consumers,
    counts: Arc<Counts>,
    dice: Dice,
    figures: Figures,
}

impl Site {
    /// A server on SQLite.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub async fn on_sqlite(seed: u64) -> Result<Self> {
        let settings = consumers::Settings::new()?;
        let installation = Installation::configured(None, &configuration(&settings)).await?;
        let file = installation.command.folder().join("formalize.db");
        let url = format!("sqlite://{}", file.display());
        Self::with((installation, WAIT), settings, (url, None), seed).await
    }

    /// A server on a new PostgreSQL cluster.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, or one of them does not start.
    pub async fn on_postgres(seed: u64) -> Result<Self> {
        let cluster = tokio::task::spawn_blocking(OwnCluster::new).await??;
        let url = cluster.url().to_owned();
        let proxy = Proxy::to_url(&url, "postgres").await?;
        let settings = consumers::Settings::new()?;
        let config = configuration(&settings);
        let installation = Installation::configured(Some(proxy.url()), &config).await?;
        let database = (url, Some((cluster, proxy)));
        Self::with((installation, WAIT), settings, database, seed).await
    }

    /// A server on a database that the caller owns and interrupts. The first URL is that of the server, the second one
    /// that for verification. `wait` is the setting `database_wait`.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub async fn on_database(
        url: &str,
        url_to_verify: &str,
        wait: Duration,
        seed: u64,
    ) -> Result<Self> {
        let settings = consumers::Settings::new()?;
        let config = configuration(&settings);
        let installation = Installation::configured(Some(url), &config).await?;
        let database = (url_to_verify.to_owned(), None);
        Self::with((installation, wait), settings, database, seed).await
    }

    async fn with(
        (mut installation, wait): (Installation, Duration),
        settings: consumers::Settings,
        (url, cluster): (String, Option<(OwnCluster, Proxy)>),
        seed: u64,
    ) -> Result<Self> {
        let wait = format!("{}s", wait.as_secs());
        let command = installation.command.clone();
        installation.command = command.env("FORMALIZE_DATABASE_WAIT", wait);
        let server = installation.command.start().await?;
        let mut dice = Dice::new(seed);
        let mut workers = Vec::new();
        for number in 0..WORKERS {
            let user = format!("worker-{number}");
            let token = installation
                .cli(&["tokens", "create", "--user", &user])
                .await?;
            let client = installation.client(&server).with_token(&token);
            let worker = Worker::new(user, client, dice.split());
            workers.push(Worker {
                repeats: number % 2 == 0,
                ..worker
            });
        }
        let token = ["tokens", "create", "--user", "consumer"];
        let client = installation.client(&server);
        let client = client.with_token(&installation.cli(&token).await?);
        let consumers = Consumers::create(client, settings, &mut dice).await?;
        Ok(Self {
            installation,
            url,
            cluster,
            server: Some(server),
            workers,
            consumers,
            counts: Arc::default(),
            dice,
            figures: Figures::default(),
        })
    }

    /// Runs load, injects the failure at a random moment, recovers, and compares.
    ///
    /// # Errors
    ///
    /// If anything was lost or is wrong.
    pub async fn inject(&mut self, fault: Fault) -> Result<()> {
        let stop = Arc::new(AtomicBool::new(false));
        let working = self.begin_work(&stop, true);
        let consuming = self.consumers.begin(&stop, true);
        sleep(Duration::from_millis(self.dice.number(20..700))).await;
        self.fail(fault).await?;
        stop.store(true, Ordering::Relaxed);
        self.end_work(working).await?;
        self.consumers.end(consuming).await?;
        self.recover().await?;
        match fault {
            Fault::KillServer | Fault::KillBoth => self.figures.kills += 1,
            Fault::StopDatabase | Fault::HangDatabase => self.figures.outages += 1,
        }
        self.compare().await
    }

    /// Runs load without failures for a while, and compares. A response that the service is too busy is counted but is
    /// not an error.
    ///
    /// # Errors
    ///
    /// If any other response was wrong, or anything was lost or is wrong.
    pub async fn work(&mut self, time: Duration) -> Result<()> {
        let stop = Arc::new(AtomicBool::new(false));
        let working = self.begin_work(&stop, false);
        let consuming = self.consumers.begin(&stop, false);
        sleep(time).await;
        stop.store(true, Ordering::Relaxed);
        self.end_work(working).await?;
        self.consumers.end(consuming).await?;
        self.compare().await
    }

    fn begin_work(
        &mut self,
        stop: &Arc<AtomicBool>,
        disturbed: bool,
    ) -> JoinSet<(Worker, Result<()>)> {
        let mut working = JoinSet::new();
        for mut worker in self.workers.drain(..) {
            let (stop, counts) = (Arc::clone(stop), Arc::clone(&self.counts));
            working.spawn(async move {
                let worked = worker.work(&stop, &counts, disturbed).await;
                (worker, worked)
            });
        }
        working
    }

    async fn end_work(&mut self, mut working: JoinSet<(Worker, Result<()>)>) -> Result<()> {
        while let Some(ended) = working.join_next().await {
            let (worker, outcome) = ended?;
            self.workers.push(worker);
            outcome?;
        }
        Ok(())
    }

    async fn fail(&mut self, fault: Fault) -> Result<()> {
        let outage = Duration::from_millis(self.dice.number(500..3000));
        match fault {
            Fault::KillServer => self.kill_server().await?,
            Fault::KillBoth if self.dice.once_in(2) => {
                self.kill_server().await?;
                self.pause().await;
                self.database()?.0.kill_9()?;
            }
            Fault::KillBoth => {
                self.database()?.0.kill_9()?;
                self.pause().await;
                self.kill_server().await?;
            }
            Fault::StopDatabase => {
                let database = &mut self.database()?.0;
                block_in_place(|| database.stop())?;
                sleep(outage).await;
            }
            Fault::HangDatabase => {
                self.database()?.1.block();
                sleep(outage).await;
                self.database()?.1.open();
                // Requests that are still on their way arrive.
                sleep(Duration::from_secs(1)).await;
            }
        }
        Ok(())
    }

    async fn pause(&mut self) {
        sleep(Duration::from_millis(self.dice.number(0..200))).await;
    }

    fn database(&mut self) -> Result<&mut (OwnCluster, Proxy)> {
        let database = self.cluster.as_mut();
        Ok(database.ok_or("the database has no process of its own")?)
    }

    async fn kill_server(&mut self) -> Result<()> {
        let server = self.server.take().ok_or("there is no server")?;
        server.kill_9().await
    }

    /// Starts whatever is not running, and waits until the service is ready.
    async fn recover(&mut self) -> Result<()> {
        if let Some((cluster, _)) = &mut self.cluster
            && !cluster.runs()
        {
            block_in_place(|| cluster.start())?;
        }
        let begun = Instant::now();
        let server = match self.server.take() {
            Some(server) => server,
            None => self.installation.command.start().await?,
        };
        for worker in &mut self.workers {
            worker.client = worker.client.at(server.base_url());
        }
        self.consumers.move_to(server.base_url());
        let client = self.installation.client(&server);
        self.server = Some(server);
        while !matches!(client.get("/readyz").await, Ok((200, _))) {
            if begun.elapsed() > LIMIT {
                return Err(format!("the service is not ready after {LIMIT:?}").into());
            }
            sleep(Duration::from_millis(20)).await;
        }
        let slowest = self.figures.slowest_recovery.max(begun.elapsed());
        self.figures.slowest_recovery = slowest;
        Ok(())
    }

    /// Compares all records with the acknowledged writes, and checks every invariant.
    ///
    /// # Errors
    ///
    /// If anything was lost or is wrong.
    pub async fn compare(&mut self) -> Result<()> {
        self.compare_within(LIMIT).await
    }

    /// The same for a test that damages the records, which need not wait for as long as a busy machine may take to delete what
    /// uploads leave behind.
    ///
    /// # Errors
    ///
    /// If anything was lost or is wrong.
    pub async fn compare_damaged(&mut self) -> Result<()> {
        self.compare_within(2 * UPLOAD_TIMEOUT).await
    }

    async fn compare_within(&mut self, patience: Duration) -> Result<()> {
        for worker in &mut self.workers {
            let user = worker.user.clone();
            if let Err(error) = worker.compare().await {
                self.figures.lost += 1;
                return Err(format!("{user}: {error}").into());
            }
        }
        if let Err(error) = self.consumers.compare().await {
            self.figures.lost += 1;
            return Err(error);
        }
        if let Err(error) = self.compare_contents(patience).await {
            self.figures.lost += 1;
            return Err(error);
        }
        self.figures.invariants += look_through(&self.url).await?;
        Ok(())
    }

    /// Waits until the folder with contents has those of the files of all users, which were compared before, and nothing else.
    async fn compare_contents(&mut self, patience: Duration) -> Result<()> {
        let named = self.workers.iter().flat_map(|worker| worker.has.files());
        let named: BTreeSet<String> = named.cloned().collect();
        self.figures.files += u64::try_from(named.len())?;
        let begun = Instant::now();
        loop {
            let stored: BTreeSet<String> = self.contents()?.iter().map(|path| name(path)).collect();
            if stored == named {
                return Ok(());
            }
            // On PostgreSQL, what uploads leave behind is kept until they would have ended.
            if begun.elapsed() > patience {
                let missing: Vec<_> = named.difference(&stored).collect();
                let left: Vec<_> = stored.difference(&named).collect();
                return Err(format!("contents are missing: {missing:?}; left: {left:?}").into());
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// The contents of files that are stored or being received.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn contents(&self) -> Result<Vec<PathBuf>> {
        let folder = self.installation.command.folder().join("files");
        Ok(contents(&folder)?)
    }

    /// The log of the server.
    ///
    /// # Errors
    ///
    /// If it is not running.
    pub fn log(&self) -> Result<String> {
        let server = self.server.as_ref().ok_or("there is no server")?;
        server.stderr()
    }

    /// The URL of the database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The number of records of all users.
    pub fn records(&self) -> usize {
        self.workers.iter().map(Worker::records).sum()
    }

    /// The results so far.
    pub fn figures(&self) -> Figures {
        let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        let consumed = self.consumers.counts();
        Figures {
            sent_again: consumed.sent_again,
            events: consumed.events,
            deliveries: consumed.deliveries,
            exports: consumed.exports,
            requests: read(&self.counts.requests),
            interrupted: read(&self.counts.interrupted),
            acknowledged: read(&self.counts.acknowledged),
            ..self.figures
        }
    }

    /// Waits until every event was delivered to the webhook, and verifies the database with all contents.
    ///
    /// # Errors
    ///
    /// If one is not, although the leases of servers that were killed have ended; if there is a finding.
    pub async fn settle(&mut self) -> Result<()> {
        let settled = self.consumers.settle().await;
        self.figures.lost += u64::from(settled.is_err());
        settled?;
        // The hashes of all contents are those in the database.
        let verify = ["verify", "--contents"];
        let verified = self.installation.cli(&verify).await.map(drop);
        self.figures.lost += u64::from(verified.is_err());
        verified
    }

    /// Stops the server normally.
    ///
    /// # Errors
    ///
    /// If it does not stop normally.
    pub async fn end(mut self) -> Result<()> {
        if let Some(server) = self.server.take() {
            let ended = server.terminate().await?;
            if !ended.success() {
                return Err(format!("the server ended with {ended}").into());
            }
        }
        Ok(())
    }
}

/// The configuration of the server, besides its database.
fn configuration(settings: &consumers::Settings) -> String {
    let files = format!(
        "files_url = \"file:files\"\nfile_sweep_interval = \"1s\"\n\
         upload_timeout = \"{}s\"\nupload_grace = \"1s\"\n",
        UPLOAD_TIMEOUT.as_secs()
    );
    format!("{}{files}{POLICIES}", settings.toml())
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Checks every invariant of a database, and returns their number.
async fn look_through(url: &str) -> Result<u64> {
    let store = SqlStore::open(url, &SqlOptions::default()).await?;
    let mut verification = store.verify().await?;
    while let Some(findings) = verification.proceed().await? {
        if !findings.is_empty() {
            return Err(format!("the database is not as it must be: {findings:#?}").into());
        }
    }
    let checked = verification.checked().invariants;
    drop(verification);
    store.close().await;
    Ok(checked)
}
