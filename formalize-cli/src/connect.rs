//! Opens the database that the options, the environment or the configuration file specify.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::config::{
    ConfigError, DatabaseUrl, EventSettings, FileSettings, FilesUrl, Settings, Sources,
    WebhookSettings, setting,
};
use formalize_core::file_store::folder::FolderFileStore;
use formalize_core::file_store::{FileStore, FileStoreResult};
use formalize_core::{Error, Formalize};
use formalize_sql::{MigrationStatus, SqlOptions, SqlStore};

use crate::args::Global;
use crate::failure::{Exit, Failure};

/// Timeout of a statement. It is long because the user can see that the command is running, and interrupt it.
const STATEMENT: Duration = Duration::from_hours(1);

/// How long a command waits while others write to a SQLite database. Writers take turns, and beside a busy server a turn may
/// take long to come. A client can retry a request that failed; few people retry a command.
const TURN: Duration = Duration::from_mins(1);

/// The keys of the configuration file that only the server reads. Other unknown keys are errors, because a misspelled
/// `database_url` would select a different database.
const SERVER_KEYS: [&str; 57] = [
    "database_connections",
    "database_wait",
    "statement_timeout",
    "metrics_listen",
    "relay_listen",
    "relay_base_url",
    "directory_people",
    "directory_organizations",
    "directory_courses",
    "directory_rooms",
    "directory_unknown_people",
    "cors_allowed_origins",
    "shutdown_delay",
    "shutdown_timeout",
    "auto_migrate",
    "token_memory",
    "event_stream_limit",
    "event_stream_heartbeat",
    "webhook_delivery",
    "webhook_concurrency",
    "webhook_disable_after",
    "request_body_limit",
    "request_body_timeout",
    "bodies_budget",
    "responses_budget",
    "request_head_limit",
    "request_header_limit",
    "request_head_timeout",
    "response_timeout",
    "keep_alive_timeout",
    "connection_limit",
    "page_size_limit",
    "user_rate_limit",
    "address_rate_limit",
    "link_rate_limit",
    "trusted_proxies",
    "idempotency_retention",
    "export_limit",
    "export_timeout",
    "export_spool_limit",
    "export_folder",
    "upload_limit",
    "uploads_at_once",
    "file_sweep_interval",
    "summary_minimum",
    "pages",
    "pages_title",
    "pages_language",
    "pages_time_zone",
    "pages_style",
    "pages_logo",
    "pages_links",
    "session_lifetime",
    "session_idle",
    "sign_in_with_token",
    "otlp_endpoint",
    "log_format",
];

/// The server's key for identity providers. Only whether there are any matters here.
const ISSUERS: &str = "issuers";

/// The configuration, before the database is opened.
pub(crate) struct Configuration {
    database_url: DatabaseUrl,
    /// The library's part of the configuration file.
    pub(crate) settings: Settings,
    events: EventSettings,
    pub(crate) webhooks: WebhookSettings,
    files: FileSettings,
    /// Whether the server accepts tokens of identity providers.
    has_issuers: bool,
    /// The public URL of the server, with which public links begin.
    pub(crate) base_url: String,
    /// Whether there is a configuration file.
    pub(crate) has_file: bool,
}

impl Configuration {
    /// Reads the configuration file, if there is one, and determines the database URL: the option overrides the
    /// environment, which overrides the file. Settings of the server are not checked.
    pub(crate) fn load(global: &Global) -> Result<Self, Failure> {
        let mut sources = Sources::open(global.config.as_deref())?;
        if let Some(url) = &global.database_url {
            sources = sources.flag(&setting::DATABASE_URL, url);
        }
        let has_file = sources.has_file();
        let settings = sources.library();
        // The server checks the values. An invalid one counts as an issuer: then the server does not start either.
        let issuers = sources.part(ISSUERS, |value, _| {
            value.as_array().is_none_or(|list| !list.is_empty())
        });
        let database_url = sources.value(&setting::DATABASE_URL);
        let base_url = sources.optional::<String>(&setting::BASE_URL);
        let listen = sources.value::<String>(&setting::LISTEN);
        let events = EventSettings::read(&mut sources);
        let webhooks = WebhookSettings::read(&mut sources);
        let files = FileSettings::read(&mut sources);
        sources.finish(&SERVER_KEYS)?;
        let base_url = match base_url.map_err(ConfigError::from)? {
            Some(base_url) => base_url,
            None => format!("http://{}", listen.map_err(ConfigError::from)?),
        };
        Ok(Self {
            database_url: database_url.map_err(ConfigError::from)?,
            settings,
            events: events.map_err(ConfigError::from)?,
            webhooks: webhooks.map_err(ConfigError::from)?,
            files: files.map_err(ConfigError::from)?,
            has_issuers: issuers.unwrap_or(false),
            base_url,
            has_file,
        })
    }

    /// Opens the database in any state; with `create`, creates a SQLite database that does not exist.
    pub(crate) async fn open(&self, create: bool) -> Result<SqlStore, Failure> {
        self.open_with(SqlOptions {
            create,
            ..SqlOptions::default()
        })
        .await
    }

    /// Opens the database in any state, and changes none of its files.
    pub(crate) async fn open_read_only(&self) -> Result<SqlStore, Failure> {
        self.open_with(SqlOptions {
            create: false,
            read_only: true,
            ..SqlOptions::default()
        })
        .await
    }

    async fn open_with(&self, options: SqlOptions) -> Result<SqlStore, Failure> {
        let create = options.create;
        let is_sqlite = self.database_url.is_sqlite();
        let options = SqlOptions {
            statement: STATEMENT,
            wait: if is_sqlite { TURN } else { options.wait },
            ..options
        };
        let opened = SqlStore::open(self.database_url.expose(), &options).await;
        opened.map_err(|error| {
            let failure = Failure::from(error);
            // A file that is not a database, or is damaged, does exist.
            let is_missing = failure.exit == Exit::Unavailable;
            if create || !is_missing || !is_sqlite {
                return failure;
            }
            failure.with_detail(
                "check the path; if the database does not exist yet, create it with `formalize migrate up`",
            )
        })
    }

    /// Where the contents of files are.
    pub(crate) fn files_url(&self) -> FilesUrl {
        self.files.url(&self.database_url)
    }

    /// Opens the store of the contents of files, and creates its folder if it does not exist.
    pub(crate) async fn open_files(&self) -> Result<Arc<dyn FileStore>, Failure> {
        let opened = self.files.open(&self.database_url).await;
        Ok(opened
            .map_err(Error::from)?
            .ok_or(Error::FilesNotConfigured)?)
    }

    /// Opens the store of the contents of files to read them: nothing is created. `None` if files are off.
    pub(crate) fn open_files_to_read(&self) -> FileStoreResult<Option<Arc<dyn FileStore>>> {
        self.files.open_to_read(&self.database_url)
    }

    /// Opens the folder of the contents of files, whose files can be linked; `None` if they are not in a folder.
    pub(crate) fn open_files_folder(&self) -> Result<Option<FolderFileStore>, Failure> {
        let folder = self.files_url().folder();
        let opened = folder.map(FolderFileStore::open_to_read).transpose();
        Ok(opened.map_err(Error::from)?)
    }

    /// Opens a database that has been migrated, with the service on it and, if they are needed, the contents of files. Returns
    /// the folder of these as well, if they are in one.
    pub(crate) async fn connect(
        self,
        with_files: bool,
    ) -> Result<(Formalize, Option<FolderFileStore>), Failure> {
        let store = self.open(false).await?;
        let ready = async {
            check_migrated(&store.migration_status().await?)?;
            if !with_files {
                return Ok((None, None));
            }
            let files = self.open_files().await?;
            Ok((Some(files), self.open_files_folder()?))
        };
        match ready.await {
            Ok((files, folder)) => Ok((self.service(store, files).await?, folder)),
            Err(failure) => {
                formalize_core::Store::close(&store).await;
                Err(failure)
            }
        }
    }

    /// The service on a database that has been migrated.
    pub(crate) async fn service(
        self,
        store: SqlStore,
        files: Option<Arc<dyn FileStore>>,
    ) -> Result<Formalize, Failure> {
        let takes_files = self.files_url() != FilesUrl::Off;
        let mut builder = Formalize::builder(Arc::new(store));
        if let Some(files) = files {
            builder = builder.file_store(files);
        }
        let service = builder
            .catalog(self.settings.catalog)
            .policies(self.settings.policies)
            .dynamic_groups(self.settings.dynamic_groups)
            .first_administrator(!self.has_issuers)
            .event_log(self.events.is_on)
            .event_retention(self.events.retention)
            .webhook_allowed_targets(self.webhooks.allowed_targets)
            .webhook_secret_keys(self.webhooks.secret_keys)
            .webhook_log_retention(self.webhooks.log_retention)
            .webhook_timeout(self.webhooks.timeout)
            .file_limits(self.files.limits)
            .files_elsewhere(takes_files)
            .build();
        Ok(service.await?)
    }
}

/// Fails unless this program can use the database.
pub(crate) fn check_migrated(status: &MigrationStatus) -> Result<(), Failure> {
    if status.newer {
        let message =
            "the database was migrated by a newer version of formalize; upgrade this program";
        return Err(Failure::new(Exit::Failed, message));
    }
    if status.pending.is_empty() {
        return Ok(());
    }
    let message = "the database has not been migrated; run `formalize migrate up`";
    Err(Failure::new(Exit::Unavailable, message))
}
