//! From the options, the environment and the configuration file to an open database.

use std::env;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use formalize_core::Formalize;
use formalize_core::config::{self, Problem, Settings};
use formalize_core::store::sql::{DatabaseKind, SqlOptions, SqlStore};

use crate::args::Global;
use crate::failure::{Exit, Failure};
use crate::session::note;

const DEFAULT_FILE: &str = "formalize.toml";
const DEFAULT_DATABASE: &str = "sqlite://formalize.db";
const DATABASE_URL_FILE: &str = "FORMALIZE_DATABASE_URL_FILE";

/// The keys of the configuration file that are the server's alone.
const SERVER_KEYS: [&str; 8] = [
    "auto_migrate",
    "base_url",
    "cors_allowed_origins",
    "issuers",
    "listen",
    "log_format",
    "request_body_limit",
    "shutdown_timeout",
];

/// What is known before the database is opened.
pub(crate) struct Configuration {
    database_url: String,
    /// What the configuration file says to the library.
    pub(crate) settings: Settings,
    /// Whether there is a configuration file.
    pub(crate) has_file: bool,
}

/// What to do about a database that is not there or has not been migrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fresh {
    /// Refuse it.
    Refuse,
    /// Make and migrate it if it is one of SQLite.
    Make,
}

impl Configuration {
    /// Reads the configuration file, if there is one, and finds the database: the option beats the environment, which
    /// beats the file.
    pub(crate) fn load(global: &Global) -> Result<Self, Failure> {
        let file = match &global.config {
            Some(file) => Some(file.as_path()),
            None => Some(Path::new(DEFAULT_FILE)).filter(|file| file.exists()),
        };
        let mut settings = file.map(read).transpose()?.unwrap_or_default();
        let given = global.database_url.clone().filter(|url| !url.is_empty());
        let configured = settings.database_url.take();
        let database_url = match given {
            Some(url) => url,
            None => secret_file()?
                .or(configured)
                .unwrap_or_else(|| DEFAULT_DATABASE.to_owned()),
        };
        Ok(Self {
            database_url,
            settings,
            has_file: file.is_some(),
        })
    }

    /// Opens the database, whatever its state; makes a SQLite database that is not there if `create` says so.
    pub(crate) async fn open(&self, create: bool) -> Result<SqlStore, Failure> {
        const SCHEMES: [&str; 3] = ["sqlite", "postgres", "postgresql"];
        let scheme = self.database_url.split_once(':').map(|(scheme, _)| scheme);
        if !scheme.is_some_and(|scheme| SCHEMES.contains(&scheme)) {
            let message = "the database URL must begin with `sqlite://` or `postgres://`";
            return Err(Failure::usage(message));
        }
        let options = SqlOptions {
            create,
            ..SqlOptions::default()
        };
        let opened = SqlStore::open(&self.database_url, &options).await;
        opened.map_err(|error| {
            let failure = Failure::from(error);
            if create || scheme != Some("sqlite") {
                return failure;
            }
            failure
                .with_detail("if the database does not exist yet, `formalize migrate up` makes it")
        })
    }

    /// Opens a database that has been migrated, with the service on it.
    pub(crate) async fn connect(self, fresh: Fresh) -> Result<Formalize, Failure> {
        let store = self.open(fresh == Fresh::Make).await?;
        if let Err(failure) = make_ready(&store, fresh).await {
            formalize_core::Store::close(&store).await;
            return Err(failure);
        }
        let service = Formalize::builder(Arc::new(store))
            .catalog(self.settings.catalog)
            .policies(self.settings.policies)
            .dynamic_groups(self.settings.dynamic_groups)
            .build();
        Ok(service.await?)
    }
}

async fn make_ready(store: &SqlStore, fresh: Fresh) -> Result<(), Failure> {
    let status = store.migration_status().await?;
    if status.newer {
        let message = "the database is newer than this program";
        return Err(Failure::new(Exit::Failed, message));
    }
    let is_new = status.applied.is_empty() && store.kind() == DatabaseKind::Sqlite;
    if is_new && fresh == Fresh::Make {
        return Ok(store.migrate().await?);
    }
    if status.pending.is_empty() {
        return Ok(());
    }
    let message = "the database has not been migrated; run `formalize migrate up`";
    Err(Failure::new(Exit::Unavailable, message))
}

/// Reads the library's part of the file. A key that nobody knows is the server's to refuse; here it must not be lost
/// silently, since it may be a misspelt policy.
fn read(file: &Path) -> Result<Settings, Failure> {
    let mut table = config::read_file(file)?;
    let settings = Settings::take_from(&mut table)
        .map_err(|error| Failure::from(error).with_subject(&file.display().to_string()))?;
    for key in table
        .keys()
        .filter(|key| !SERVER_KEYS.contains(&key.as_str()))
    {
        let problem = Problem::unknown_key("", key, &Settings::KEYS);
        note(&format!("warning: {}: {problem}", file.display()));
    }
    Ok(settings)
}

/// The URL in the file that the environment names, without the line break that editors leave at the end.
fn secret_file() -> Result<Option<String>, Failure> {
    let Some(file) = env::var_os(DATABASE_URL_FILE).filter(|file| !file.is_empty()) else {
        return Ok(None);
    };
    let text = fs::read_to_string(&file).map_err(|error| {
        let file = Path::new(&file).display();
        Failure::new(Exit::Failed, format!("cannot read {file}: {error}"))
    })?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}
