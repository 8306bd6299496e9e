//! Runs the real program in a temporary folder.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use formalize_tests::stores::Database;
use serde_json::Value;
use tempfile::TempDir;

/// Defines a test on each database for every given `fn(&Bench)`.
macro_rules! on_both_databases {
    ($($body:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[test]
                fn $body() {
                    super::$body(&crate::bench::Bench::new());
                }
            )+
        }

        mod postgres {
            $(
                formalize_tests::test_on_postgres! {
                    fn $body() {
                        super::$body(&crate::bench::Bench::on_postgres());
                    }
                }
            )+
        }
    };
}

/// A temporary folder, possibly with a migrated database.
pub(crate) struct Bench {
    folder: TempDir,
    /// The database, unless it is a SQLite file in the folder.
    database: Option<Database>,
}

/// Runs a future to its end.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}

/// The result of a run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Bench {
    /// Without a database.
    pub(crate) fn empty() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            database: None,
        }
    }

    /// With a migrated SQLite database.
    pub(crate) fn new() -> Self {
        let bench = Self::empty();
        bench.run("migrate up").expect(0);
        bench
    }

    /// With a migrated PostgreSQL database.
    pub(crate) fn on_postgres() -> Self {
        Self {
            database: Some(block_on(Database::postgres())),
            ..Self::empty()
        }
    }

    /// The URL of the database.
    pub(crate) fn url(&self) -> String {
        let file = || format!("sqlite://{}", self.path("formalize.db").display());
        self.database.as_ref().map_or_else(file, Database::url)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Runs a command line whose words are separated by spaces.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.start(&line.split_whitespace().collect::<Vec<_>>(), &[], "")
    }

    pub(crate) fn run_with_input(&self, line: &str, input: &str) -> Ran {
        self.start(&line.split_whitespace().collect::<Vec<_>>(), &[], input)
    }

    pub(crate) fn start(&self, words: &[&str], variables: &[(&str, &str)], input: &str) -> Ran {
        let mut child = self
            .command(words)
            .envs(variables.iter().copied())
            .spawn()
            .unwrap();
        // A program that reads no input may have exited by now.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command line on a terminal with so many columns, and returns what the terminal shows: both standard output and
    /// standard error.
    #[cfg(target_os = "linux")]
    pub(crate) fn on_terminal(&self, columns: usize, line: &str) -> String {
        let program = env!("CARGO_BIN_EXE_formalize");
        let session = format!("stty rows 24 cols {columns}; exec {program} {line}");
        let mut command = self.command(&[]);
        let mut script = Command::new("script");
        script
            .args(["--quiet", "--return", "--command", &session, "/dev/null"])
            .current_dir(self.folder.path())
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null());
        for (name, value) in command.env("COLUMNS", "").get_envs() {
            match value {
                Some(value) if !value.is_empty() => script.env(name, value),
                _ => script.env_remove(name),
            };
        }
        let output = script.output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        shown.replace("\r\n", "\n")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_formalize"));
        command
            .args(words)
            .current_dir(self.folder.path())
            .env_remove("FORMALIZE_DATABASE_URL")
            .env_remove("FORMALIZE_DATABASE_URL_FILE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(database) = &self.database {
            command.env("FORMALIZE_DATABASE_URL", database.url());
        }
        command
    }

    /// Runs a command line with standard output closed, and returns its exit code.
    pub(crate) fn run_unheard(&self, line: &str) -> i32 {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut child = self.command(&words).spawn().unwrap();
        drop((child.stdin.take(), child.stdout.take()));
        let output = child.wait_with_output().unwrap();
        output.status.code().unwrap()
    }

    /// Starts the program for an exchange line by line.
    pub(crate) fn spawn(&self, words: &[&str]) -> Talk {
        let mut child = self.command(words).spawn().unwrap();
        Talk {
            to: child.stdin.take().unwrap(),
            from: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// Runs a command that prints a record, and returns the record.
    pub(crate) fn record(&self, line: &str) -> Value {
        self.run(&format!("{line} -o json")).expect(0).json()
    }

    /// Runs a command that prints a record, and returns its identifier.
    pub(crate) fn id(&self, line: &str) -> String {
        let record = self.record(line);
        record["identifier"].as_str().unwrap().to_owned()
    }

    /// Runs a command that lists records, and returns their number.
    pub(crate) fn count(&self, line: &str) -> usize {
        self.record(line).as_array().unwrap().len()
    }
}

/// A running program.
pub(crate) struct Talk {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Talk {
    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.to, "{line}").unwrap();
    }

    pub(crate) fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        line
    }

    /// Closes standard input, and waits for the program to exit successfully.
    pub(crate) fn end(self) {
        let Self { mut child, to, .. } = self;
        drop(to);
        assert!(child.wait().unwrap().success());
    }
}

impl Ran {
    /// Checks the exit code, and that only failures report an error, and only on standard error.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        let reports = self.err.lines().any(|line| line.starts_with("error: "));
        assert_eq!(reports, code != 0, "{self:?}");
        assert!(code == 0 || self.out.is_empty(), "{self:?}");
        self
    }

    /// Checks that standard error contains this text.
    #[track_caller]
    pub(crate) fn saying(self, text: &str) -> Self {
        assert!(self.err.contains(text), "{self:?}");
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
    }
}
