//! The environments in which blocks run, and the replacements that make them run in a test.

use std::any::Any;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use formalize_tests::{ServerCommand, TestDatabase, binary};
use tempfile::TempDir;

use super::table::Thing;

/// The identifier in the examples of the command line.
const PLACEHOLDER: &str = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";

/// System folders, which tests replace by temporary ones.
const SYSTEM: [&str; 4] = ["/backup/", "/etc/", "/usr/local/", "/var/"];

/// A folder in which blocks run.
pub(super) struct World {
    folder: PathBuf,
    /// Replacements in blocks.
    substitutions: Vec<(String, String)>,
    database_url: Option<String>,
    /// Kept as long as the environment: its folder and its server.
    _kept: Box<dyn Any>,
}

/// The result of a block.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) printed: String,
    pub(super) exits: Vec<i32>,
}

impl World {
    /// A clone that has been built and whose server is running. A stand-in for cargo accepts only the build command.
    pub(super) async fn of_clone() -> Self {
        let command = ServerCommand::new().unwrap();
        let server = command.start().await.unwrap();
        let folder = command.folder().to_owned();
        let release = folder.join("target/release");
        fs::create_dir_all(&release).unwrap();
        link_programs(&release);
        let cargo = folder.join("bin/cargo");
        fs::create_dir_all(folder.join("bin")).unwrap();
        fs::write(&cargo, "#!/bin/sh\ntest \"$*\" = 'build --release'\n").unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        Self {
            folder,
            substitutions: vec![
                // The server is running already, and would not end.
                (" && target/release/formalize-server\n".into(), "\n".into()),
                ("http://127.0.0.1:8080".into(), server.base_url().into()),
            ],
            database_url: None,
            _kept: Box::new((server, command)),
        }
    }

    /// Installed programs with a database: the given one, or SQLite.
    pub(super) fn installed(database: Option<&TestDatabase>) -> Self {
        let (kept, folder) = folder();
        fs::create_dir_all(folder.join("bin")).unwrap();
        link_programs(&folder.join("bin"));
        let at_home = |path: &&str| ((*path).to_owned(), format!("$HOME{path}"));
        let world = Self {
            substitutions: SYSTEM.iter().map(at_home).collect(),
            folder,
            database_url: database.map(|database| database.url().to_owned()),
            _kept: Box::new(kept),
        };
        let ran = world.run(include_str!("seed.sh"));
        assert!(ran.exits.is_empty(), "{}", ran.printed);
        world
    }

    /// A copy of the environment in its present state.
    pub(super) fn copy(&self) -> Self {
        let (kept, folder) = folder();
        let copied = Command::new("cp")
            .arg("-a")
            .arg(self.folder.join("."))
            .arg(&folder)
            .status();
        assert!(copied.unwrap().success());
        Self {
            folder,
            substitutions: self.substitutions.clone(),
            database_url: self.database_url.clone(),
            _kept: Box::new(kept),
        }
    }

    /// Makes the identifier in examples refer to a record in the database.
    pub(super) fn with(mut self, thing: Thing) -> Self {
        if let Some(variable) = thing.variable() {
            let known = fs::read_to_string(self.folder.join("identifiers")).unwrap();
            let line = known
                .lines()
                .find_map(|line| line.strip_prefix(variable))
                .unwrap();
            let identifier = line.trim_start_matches('=').to_owned();
            assert_eq!(identifier.len(), PLACEHOLDER.len(), "{variable}");
            self.substitutions
                .push((PLACEHOLDER.to_owned(), identifier));
        }
        self
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs shell commands.
    pub(super) fn run(&self, commands: &str) -> Ran {
        self.run_in_turn(&[commands]).remove(0)
    }

    /// Runs shell commands in sequence in one shell, which continues after a failure, like a terminal.
    pub(super) fn run_in_turn(&self, commands: &[&str]) -> Vec<Ran> {
        let notes = tempfile::tempdir().unwrap();
        let note = |name: &str, number| notes.path().join(format!("{name}-{number}"));
        let mut script = "set -Eu -o pipefail\n".to_owned();
        for (number, commands) in commands.iter().enumerate() {
            let (printed, exits) = (note("printed", number), note("exits", number));
            let (printed, exits) = (printed.display(), exits.display());
            let _ = writeln!(
                script,
                "exec > {printed} 2>&1; trap 'echo $? >> {exits}' ERR"
            );
            let _ = writeln!(script, "{}", self.adapted(commands));
        }
        let ended = self.shell().args(["-c", &script]).status().unwrap();
        assert!(ended.code().is_some(), "{ended}");
        let read = |name, number| fs::read_to_string(note(name, number)).unwrap_or_default();
        let ran = (0..commands.len()).map(|number| Ran {
            printed: read("printed", number),
            exits: read("exits", number)
                .lines()
                .map(|code| code.parse().unwrap())
                .collect(),
        });
        ran.collect()
    }

    fn adapted(&self, commands: &str) -> String {
        let replace = |text: String, (from, to): &(String, String)| text.replace(from, to);
        self.substitutions.iter().fold(commands.to_owned(), replace)
    }

    fn shell(&self) -> Command {
        let path = format!(
            "{}:{}",
            self.folder.join("bin").display(),
            std::env::var("PATH").unwrap()
        );
        let mut shell = Command::new("bash");
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("FORMALIZE_")) {
            shell.env_remove(name);
        }
        if let Some(url) = &self.database_url {
            shell.env("FORMALIZE_DATABASE_URL", url);
        }
        shell
            .current_dir(&self.folder)
            .env("HOME", &self.folder)
            .env("PATH", path)
            .stdin(Stdio::null());
        shell
    }
}

fn folder() -> (TempDir, PathBuf) {
    let kept = tempfile::Builder::new()
        .prefix("formalize-documents-")
        .tempdir()
        .unwrap();
    let folder = kept.path().to_owned();
    (kept, folder)
}

fn link_programs(folder: &Path) {
    for program in ["formalize-server", "formalize"] {
        symlink(binary(program).unwrap(), folder.join(program)).unwrap();
    }
}
