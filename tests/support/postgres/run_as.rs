//! Whom the programs of PostgreSQL run as, and how they are run. The keeper of the shared cluster includes this file, too.

use std::error::Error;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// `postgres` refuses to run as root; these users are tried instead.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// Whom the programs of PostgreSQL run as.
pub(crate) struct User {
    /// User and group, if they are others than those of this process.
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

    /// A program that runs as this user, without the settings for programs of PostgreSQL that the
    /// environment may have.
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

/// Asks for a number of a user, by default the one that this process runs as.
fn id(option: &str, user: Option<&str>) -> Result<u32> {
    let output = Command::new("id").arg(option).args(user).output()?;
    succeeded(output.status)?;
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

/// Fails if a program did.
pub(crate) fn succeeded(status: ExitStatus) -> Result<()> {
    if status.success() {
        Ok(())
    } else {
        Err(format!("a command ended with {status}").into())
    }
}
