//! The real programs as processes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::Result;
use crate::patience::LIMIT;

mod build;
#[cfg(test)]
mod tests;

pub use build::binary;
pub(crate) use build::helper_program;

/// How to start a `formalize-server`, in its own temporary folder on a free port.
///
/// Servers that are started with one command or its clones share the folder. So a second server finds the SQLite
/// database of the first.
///
/// ```no_run
/// # use formalize_tests::ServerCommand;
/// # async fn example() -> formalize_tests::Result<()> {
/// let command = ServerCommand::new()?;
/// let server = command.start().await?;
/// println!("{}/healthz as {:?}", server.base_url(), server.admin_token());
/// server.kill_9().await?;
/// let server = command.start().await?;
/// assert!(server.terminate().await?.success());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ServerCommand {
    program: Option<PathBuf>,
    folder: Arc<TempDir>,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
}

impl ServerCommand {
    /// A server with the default configuration, a SQLite database in its folder, but uploads may fill the disk, and requests
    /// wait long for the database. Otherwise tests would fail on a machine with less than a gigabyte left, or a busy one.
    ///
    /// # Errors
    ///
    /// If the temporary folder cannot be created.
    pub fn new() -> Result<Self> {
        let folder = Arc::new(
            tempfile::Builder::new()
                .prefix("formalize-server-")
                .tempdir()?,
        );
        Ok(Self {
            program: None,
            folder,
            arguments: Vec::new(),
            environment: [
                ("FORMALIZE_FILES_RESERVE", "0"),
                ("FORMALIZE_DATABASE_WAIT", "2m"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        })
    }

    /// Starts this program, such as an older release, instead of building the current source.
    #[must_use]
    pub fn program(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = Some(program.into());
        self
    }

    /// Adds an argument to the command line.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets an environment variable. Other variables `FORMALIZE_...` are not passed on.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// Writes the file `formalize.toml` into the folder.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn config(self, toml: &str) -> Result<Self> {
        fs::write(self.folder().join("formalize.toml"), toml)?;
        Ok(self)
    }

    /// The working directory of the servers. It is deleted with the last command or server that uses it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Starts a server and waits until it listens.
    ///
    /// # Errors
    ///
    /// If the program cannot be built or started, or does not start listening; the error has its standard error.
    pub async fn start(&self) -> Result<Server> {
        // The HTTP clients of tests need it, too.
        formalize_webhook_sender::use_ring();
        let program = match &self.program {
            Some(program) => program.clone(),
            None => tokio::task::spawn_blocking(|| binary("formalize-server")).await??,
        };
        let log = tempfile::Builder::new()
            .prefix("log-")
            .tempfile_in(self.folder())?;
        let (log, log_path) = log.keep()?;
        let mut command = Command::new(program);
        for (name, _) in
            env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"FORMALIZE_"))
        {
            command.env_remove(name);
        }
        let mut process = command
            .args(["--listen", "127.0.0.1:0"])
            .args(&self.arguments)
            .envs(&self.environment)
            .current_dir(self.folder())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()?;
        let stdout = process.stdout.take().ok_or("no standard output")?;
        let greeting = timeout(LIMIT, Greeting::read(BufReader::new(stdout).lines())).await;
        let greeting = greeting
            .map_err(Into::into)
            .and_then(|read| read)
            .map_err(|error| {
                let log = fs::read_to_string(&log_path).unwrap_or_default();
                format!("formalize-server does not start: {error}\n{log}")
            })?;
        Ok(Server {
            process,
            greeting,
            log_path,
            _folder: Arc::clone(&self.folder),
        })
    }
}

/// A running `formalize-server`. Dropping it kills its process.
#[derive(Debug)]
pub struct Server {
    process: Child,
    greeting: Greeting,
    log_path: PathBuf,
    _folder: Arc<TempDir>,
}

impl Server {
    /// Its address, such as `http://127.0.0.1:40123`.
    pub fn base_url(&self) -> &str {
        &self.greeting.base_url
    }

    /// The token that the first start on a fresh SQLite database prints.
    pub fn admin_token(&self) -> Option<&str> {
        self.greeting.admin_token.as_deref()
    }

    /// The lines of its standard output so far.
    pub fn stdout(&self) -> Vec<String> {
        self.greeting
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Its standard error so far.
    ///
    /// # Errors
    ///
    /// If that cannot be read.
    pub fn stderr(&self) -> Result<String> {
        Ok(fs::read_to_string(&self.log_path)?)
    }

    /// Its process id, while it is running.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Kills it (`kill -9`), like a crash.
    ///
    /// # Errors
    ///
    /// If it has already ended.
    pub async fn kill_9(mut self) -> Result<()> {
        if let Some(status) = self.process.try_wait()? {
            return Err(format!("the server has ended before, with {status}").into());
        }
        Ok(self.process.kill().await?)
    }

    /// Stops it with `SIGTERM` and waits until it has ended.
    ///
    /// # Errors
    ///
    /// If it has already ended, or does not end.
    pub async fn terminate(mut self) -> Result<ExitStatus> {
        self.tell_to_stop().await?;
        self.wait().await
    }

    /// Sends it `SIGTERM`.
    ///
    /// # Errors
    ///
    /// If it has already ended.
    pub async fn tell_to_stop(&self) -> Result<()> {
        self.signal("TERM").await
    }

    /// Sends it a signal, such as `HUP`.
    ///
    /// # Errors
    ///
    /// If it has already ended.
    pub async fn signal(&self, name: &str) -> Result<()> {
        let id = self
            .process
            .id()
            .ok_or("the server has ended before")?
            .to_string();
        let sent = Command::new("sh")
            .args(["-c", "kill -s \"$0\" \"$1\"", name, &id])
            .status()
            .await?;
        if !sent.success() {
            return Err(format!("the signal cannot be sent: kill ended with {sent}").into());
        }
        Ok(())
    }

    /// Waits until it ends by itself, for at most [`LIMIT`].
    ///
    /// # Errors
    ///
    /// If it does not.
    pub async fn wait(&mut self) -> Result<ExitStatus> {
        let ended = timeout(LIMIT, self.process.wait()).await;
        let ended = ended.map_err(|_| {
            let waited = LIMIT.as_secs();
            format!("the server has not stopped after {waited} s")
        });
        Ok(ended??)
    }
}

/// A memory figure of a process from `/proc`, such as `VmHWM`, in megabytes.
///
/// # Errors
///
/// If the process has ended, or the system does not report the figure.
pub fn resident(process: Option<u32>, figure: &str) -> Result<f64> {
    let process = process.ok_or("the process has ended")?;
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kibibytes: f64 = kibibytes
        .ok_or("the system says nothing about it")?
        .trim()
        .parse()?;
    Ok(kibibytes * 1024.0 / 1_000_000.0)
}

/// The standard output of a server.
#[derive(Debug)]
struct Greeting {
    base_url: String,
    admin_token: Option<String>,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Greeting {
    /// Reads until the server listens. Later output is collected, so that the server never blocks.
    async fn read(mut output: Lines<BufReader<ChildStdout>>) -> Result<Self> {
        let mut lines = Vec::new();
        let mut admin_token = None;
        loop {
            let line = output
                .next_line()
                .await?
                .ok_or("it has ended without listening")?;
            let base_url = listening_at(&line);
            admin_token = admin_token.or(line.strip_prefix("admin token: ").map(str::to_owned));
            lines.push(line);
            if let Some(base_url) = base_url {
                let lines = Arc::new(Mutex::new(lines));
                tokio::spawn(collect(output, Arc::clone(&lines)));
                return Ok(Self {
                    base_url,
                    admin_token,
                    lines,
                });
            }
        }
    }
}

/// The address in a line that says that the server listens, in either log format.
fn listening_at(line: &str) -> Option<String> {
    if let Some(url) = line.strip_prefix("listening on ") {
        return Some(url.to_owned());
    }
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |key| line.get(key)?.as_str();
    (text("message")? == "listening").then_some(text("url")?.to_owned())
}

async fn collect(mut output: Lines<BufReader<ChildStdout>>, lines: Arc<Mutex<Vec<String>>>) {
    while let Ok(Some(line)) = output.next_line().await {
        lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    }
}
