//! The processes of a node, found by their working directory.
//!
//! PostgreSQL does not stay a child of Patroni, and a killed Patroni leaves it behind. But all processes of a node work in
//! its folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Result;

/// The processes whose working directory is in this folder.
fn in_folder(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        // Processes end while they are listed.
        let Ok(works_in) = fs::read_link(entry.path().join("cwd")) else {
            continue;
        };
        if works_in.starts_with(folder) {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(found)
}

/// Sends a signal such as `KILL` to all processes of a folder, and returns their number.
pub(super) fn signal_all(folder: &Path, name: &str) -> Result<usize> {
    let processes = in_folder(folder)?;
    signal(&processes, name)?;
    Ok(processes.len())
}

/// Sends a signal to processes. Some may have ended.
pub(super) fn signal(processes: &[String], name: &str) -> Result<()> {
    if processes.is_empty() {
        return Err(format!("there is no process to send SIG{name} to").into());
    }
    Command::new("sh")
        .args(["-c", "kill -s \"$0\" \"$@\" 2>/dev/null", name])
        .args(processes)
        .status()?;
    Ok(())
}

/// The main process of PostgreSQL with this data folder.
pub(super) fn postmaster(data: &Path) -> Result<String> {
    let state = fs::read_to_string(data.join("postmaster.pid"))?;
    let id = state.lines().next().ok_or("postmaster.pid is empty")?;
    let works_in = fs::read_link(format!("/proc/{id}/cwd"))?;
    if works_in != data {
        return Err(format!("process {id} is not PostgreSQL in {}", data.display()).into());
    }
    Ok(id.to_owned())
}
