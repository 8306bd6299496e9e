//! Runs the programs of PostgreSQL as a user who may run them.

use std::env;
use std::error::Error;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// The default settings of the server. Durability is off, because the data is temporary.
const SETTINGS: [&str; 11] = [
    "listen_addresses=",
    "max_connections=300",
    "shared_buffers=32MB",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "autovacuum=off",
    "jit=off",
    "timezone=UTC",
];

/// `postgres` refuses to run as root, so one of these users runs it.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// Creates the files of a cluster in a folder of that user.
pub(crate) fn initialise(user: &User, programs: &Path, folder: &Path) -> Result<()> {
    let status = user
        .command(&programs.join("initdb"), folder)
        .args([
            "--username=formalize",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ])
        .arg("--pgdata")
        .arg(folder.join("data"))
        .status()?;
    succeeded(status)
}

/// The command that starts the server of a cluster. Its socket is created in the existing folder `socket`.
pub(crate) fn server<'a>(
    user: &User,
    programs: &Path,
    folder: &Path,
    settings: impl Iterator<Item = &'a str>,
) -> Command {
    let mut server = user.command(&programs.join("postgres"), folder);
    server
        .arg("-D")
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder.join("socket"));
    // If a setting is given twice, PostgreSQL uses the later value.
    let settings = SETTINGS.into_iter().chain(settings);
    server.args(settings.flat_map(|setting| ["-c", setting]));
    server
}

/// Whether the server accepts connections. It writes its state into the last line of this file.
pub(crate) fn is_ready(folder: &Path) -> bool {
    let state = folder.join("data/postmaster.pid");
    fs::read_to_string(&state).is_ok_and(|text| text.trim_end().ends_with("ready"))
}

/// Sends a signal to a child process.
pub(crate) fn signal(process: &Child, name: &str) -> Result<()> {
    let id = process.id().to_string();
    let kill = format!("kill -{name} \"$0\"");
    succeeded(Command::new("sh").args(["-c", &kill, &id]).status()?)
}

pub(crate) fn succeeded(status: ExitStatus) -> Result<()> {
    if status.success() {
        Ok(())
    } else {
        Err(format!("a command ended with {status}").into())
    }
}

/// The user who runs the programs of PostgreSQL.
#[derive(Debug)]
pub(crate) struct User {
    /// User and group id, if they differ from those of this process.
    ids: Option<(u32, u32)>,
}

impl User {
    pub(crate) fn to_run_as() -> Result<Self> {
        if id("-u", None)? != 0 {
            return Ok(Self { ids: None });
        }
        let mut ids = UNPRIVILEGED
            .iter()
            .filter_map(|name| Some((id("-u", Some(name)).ok()?, id("-g", Some(name)).ok()?)));
        let ids = ids
            .next()
            .ok_or("there is no unprivileged user to run PostgreSQL as")?;
        Ok(Self { ids: Some(ids) })
    }

    pub(crate) fn make_folder(&self, folder: &Path) -> Result<()> {
        fs::create_dir(folder)?;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
        if let Some((user, group)) = self.ids {
            chown(folder, Some(user), Some(group))?;
        }
        Ok(())
    }

    /// A command that runs a program as this user, without PostgreSQL's variables in the environment.
    pub(crate) fn command(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        for (name, _) in
            env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"PG"))
        {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C").current_dir(folder);
        if let Some((user, group)) = self.ids {
            command.uid(user).gid(group);
        }
        command
    }
}

/// The user or group id of a user, by default of the current one.
fn id(option: &str, user: Option<&str>) -> Result<u32> {
    let output = Command::new("id").arg(option).args(user).output()?;
    succeeded(output.status)?;
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
