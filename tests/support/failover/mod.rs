//! Fails over PostgreSQL under Patroni while users work, and measures what they notice.
//!
//! A [`Cluster`] is the recipe in `docs/high-availability.md` on one machine. A [`Blow`] is what happens to it. The users
//! are those of [`crate::endurance`]. `tests/failover/run` installs the programs, and ends all processes afterwards.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tokio::time::{Instant, sleep};

use crate::Result;
use crate::postgres::{User, binaries};

mod blow;
mod files;
mod outcome;
mod patroni;
mod probe;
mod processes;
mod strike;

pub use blow::Blow;
pub use files::Recipe;
pub use outcome::{Outcome, RETURN, RETURN_IF_BUSY, table};
pub use strike::Trial;

use files::Network;

/// The time within which the cluster must be complete after its start or after a blow, on a machine that is busy.
const RECOVERY: Duration = Duration::from_mins(2);

/// How often to look whether something has happened.
const INTERVAL: Duration = Duration::from_millis(100);

/// How the server connects to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Through {
    /// HAProxy finds the primary.
    HaProxy,
    /// The URL names all nodes, and the server finds the primary.
    Hosts,
}

/// Three nodes with PostgreSQL and Patroni, etcd, and HAProxy.
///
/// The processes are not ended when it is dropped: whoever runs the program ends all processes that work in its folder.
#[derive(Debug)]
pub struct Cluster {
    network: Network,
    nodes: Vec<Node>,
    etcd: PathBuf,
    user: User,
    /// The program.
    patroni: PathBuf,
    recipe: Recipe,
    http: reqwest::Client,
}

#[derive(Debug)]
struct Node {
    folder: PathBuf,
    patroni: Child,
}

impl Cluster {
    /// Starts a cluster with its files in `folder`, and creates the database. `patroni` is the path of that program.
    ///
    /// # Errors
    ///
    /// If a program is missing, or does not start.
    pub async fn start(folder: &Path, patroni: &Path, recipe: Recipe) -> Result<Self> {
        formalize_webhook_sender::use_ring();
        let programs = binaries::find().ok_or("no PostgreSQL found")?;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o711))?;
        let user = User::to_run_as()?;
        let network = Network::choose()?;
        let etcd = folder.join("etcd");
        user.make_folder(&etcd)?;
        fs::write(etcd.join("etcd.yml"), network.etcd(&etcd)?)?;
        spawn(&user, "etcd", &["--config-file", "etcd.yml"], &etcd)?;
        let haproxy = folder.join("haproxy");
        user.make_folder(&haproxy)?;
        fs::write(haproxy.join("haproxy.cfg"), network.haproxy()?)?;
        spawn(&user, "haproxy", &["-db", "-f", "haproxy.cfg"], &haproxy)?;
        let mut nodes = Vec::new();
        for number in 0..files::NODES {
            let folder = folder.join(files::name(number));
            user.make_folder(&folder)?;
            let configuration = network.patroni(number, &folder, &programs, recipe)?;
            fs::write(folder.join("patroni.yml"), configuration)?;
            let patroni = spawn(&user, patroni, &["patroni.yml"], &folder)?;
            nodes.push(Node { folder, patroni });
        }
        let http = reqwest::Client::builder().timeout(Duration::from_secs(2));
        let cluster = Self {
            network,
            nodes,
            etcd,
            user,
            patroni: patroni.to_owned(),
            recipe,
            http: http.build()?,
        };
        cluster.until_complete().await?;
        cluster.create_database().await?;
        Ok(cluster)
    }

    async fn create_database(&self) -> Result<()> {
        let mut connection = self.administrator("postgres").connect().await?;
        for statement in files::creation()?.split_inclusive(';') {
            let statement = AssertSqlSafe(statement.to_owned());
            sqlx::query(statement).execute(&mut connection).await?;
        }
        sqlx::query("CREATE DATABASE probe")
            .execute(&mut connection)
            .await?;
        connection.close().await?;
        let mut connection = self.administrator("probe").connect().await?;
        sqlx::query(probe::TABLE).execute(&mut connection).await?;
        Ok(connection.close().await?)
    }

    /// The URL of the database for a server.
    pub fn url(&self, through: Through) -> String {
        let port = |port| format!("127.0.0.1:{port}");
        let hosts = match through {
            Through::HaProxy => port(self.network.haproxy),
            Through::Hosts => {
                let nodes = self.network.nodes.iter();
                let hosts: Vec<_> = nodes.map(|node| port(node.postgres)).collect();
                hosts.join(",")
            }
        };
        let password = files::password("formalize");
        format!("postgres://formalize:{password}@{hosts}/formalize")
    }

    /// How an administrator connects to the primary, through HAProxy.
    fn administrator(&self, database: &str) -> PgConnectOptions {
        administrator_at(self.network.haproxy, database)
    }

    /// Waits until all standbys follow the primary, and one of them is synchronous.
    ///
    /// # Errors
    ///
    /// If that takes too long.
    pub async fn until_complete(&self) -> Result<()> {
        let begun = Instant::now();
        loop {
            let members = self.members().await;
            if members.as_ref().is_ok_and(|it| patroni::are_complete(it))
                && self.accepts_connections().await
            {
                return Ok(());
            }
            if begun.elapsed() > RECOVERY {
                let why = format!("the cluster is not complete after {RECOVERY:?}: {members:?}");
                return Err(why.into());
            }
            sleep(INTERVAL).await;
        }
    }

    async fn accepts_connections(&self) -> bool {
        match self.administrator("postgres").connect().await {
            Ok(connection) => connection.close().await.is_ok(),
            Err(_) => false,
        }
    }

    /// Waits until the database does nothing for any server, so that no write can still be carried out.
    ///
    /// # Errors
    ///
    /// If that takes too long.
    pub async fn until_idle(&self) -> Result<()> {
        let begun = Instant::now();
        let mut connection = self.administrator("formalize").connect().await?;
        while busy(&mut connection).await? > 0 {
            if begun.elapsed() > RECOVERY {
                return Err("the database does not finish its work".into());
            }
            sleep(INTERVAL).await;
        }
        Ok(connection.close().await?)
    }

    /// Starts Patroni on a node again, which starts PostgreSQL.
    fn restart(&mut self, node: usize) -> Result<()> {
        let there = self.nodes.get_mut(node).ok_or("there is no such node")?;
        there.patroni.wait()?;
        there.patroni = spawn(&self.user, &self.patroni, &["patroni.yml"], &there.folder)?;
        Ok(())
    }

    fn folder(&self, node: usize) -> Result<&Path> {
        let node = self.nodes.get(node).ok_or("there is no such node")?;
        Ok(&node.folder)
    }
}

/// How an administrator connects to the PostgreSQL at a port.
fn administrator_at(port: u16, database: &str) -> PgConnectOptions {
    PgConnectOptions::new()
        .host("127.0.0.1")
        .port(port)
        .username("postgres")
        .password(&files::password("postgres"))
        .database(database)
}

/// The number of connections of servers that are not idle.
async fn busy(connection: &mut PgConnection) -> Result<i64> {
    let busy = "SELECT count(*) FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND usename = 'formalize' AND state <> 'idle'";
    Ok(sqlx::query_scalar(busy).fetch_one(connection).await?)
}

/// Starts a program in a folder, with its output in the file `log` there.
fn spawn(
    user: &User,
    program: impl AsRef<Path>,
    arguments: &[&str],
    folder: &Path,
) -> Result<Child> {
    let program = program.as_ref();
    let log = fs::File::options()
        .create(true)
        .append(true)
        .open(folder.join("log"))?;
    let mut command: Command = user.command(program, folder);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", program.display()).into())
}
