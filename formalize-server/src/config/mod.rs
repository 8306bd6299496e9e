//! The settings of the server: a flag beats the environment, which beats the file.

mod issuers;
mod units;

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use clap::{Args, ValueEnum};
use formalize_core::config::{ConfigError, Problem, Settings, read_file};
use toml::{Table, Value};

use crate::{DEFAULT_BODY_LIMIT, middleware::AllowedOrigin};

pub(crate) use issuers::is_protected;
pub use issuers::{IssuerSettings, IssuerUrl};
pub use units::{BaseUrl, ByteSize, DatabaseUrl, Period, Unfit};

/// The file that is read if no other one is named, and if it is there.
pub const DEFAULT_FILE: &str = "formalize.toml";

/// The variable of the environment that names a file with the URL of the database.
pub const DATABASE_URL_FILE: &str = "FORMALIZE_DATABASE_URL_FILE";

/// What log lines look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object in each line.
    Json,
}

impl FromStr for LogFormat {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        <Self as ValueEnum>::from_str(text, false).map_err(|_| "must be `text` or `json`")
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
        })
    }
}

/// The settings that flags and the environment give.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings")]
pub struct Flags {
    /// Read settings from this file [default: formalize.toml, if it is there].
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Keep data in this database [default: `sqlite://formalize.db`].
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "FORMALIZE_DATABASE_URL",
        hide_env_values = true
    )]
    pub database_url: Option<DatabaseUrl>,
    /// Listen on this address; port 0 picks a free one [default: 127.0.0.1:8080].
    #[arg(
        long,
        global = true,
        value_name = "ADDR:PORT",
        env = "FORMALIZE_LISTEN"
    )]
    pub listen: Option<SocketAddr>,
    /// The URL under which clients reach the service [default: `http://` and the listen address].
    #[arg(long, global = true, value_name = "URL", env = "FORMALIZE_BASE_URL")]
    pub base_url: Option<BaseUrl>,
    /// How long requests may take to finish once the server is told to stop [default: 10s].
    #[arg(
        long,
        global = true,
        value_name = "DURATION",
        env = "FORMALIZE_SHUTDOWN_TIMEOUT"
    )]
    pub shutdown_timeout: Option<Period>,
    /// Whether pending migrations of the database are applied at the start [default: true].
    #[arg(long, global = true, value_name = "BOOL", env = "FORMALIZE_AUTO_MIGRATE", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub auto_migrate: Option<bool>,
    /// The largest request body that is taken [default: 4MiB].
    #[arg(
        long,
        global = true,
        value_name = "SIZE",
        env = "FORMALIZE_REQUEST_BODY_LIMIT"
    )]
    pub request_body_limit: Option<ByteSize>,
    /// Let pages of these origins use the service, with commas between them; `*` is every origin [default: none].
    #[arg(
        long,
        global = true,
        value_name = "ORIGIN",
        value_delimiter = ',',
        env = "FORMALIZE_CORS_ALLOWED_ORIGINS"
    )]
    pub cors_allowed_origins: Option<Vec<AllowedOrigin>>,
    /// What log lines look like [default: text].
    #[arg(long, global = true, value_enum, env = "FORMALIZE_LOG_FORMAT")]
    pub log_format: Option<LogFormat>,
}

/// Every setting, with defaults filled in.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who may do what without a grant, dynamic groups, and classes of resources.
    pub library: Settings,
    /// The database.
    pub database_url: DatabaseUrl,
    /// Where the server listens.
    pub listen: SocketAddr,
    /// The URL under which clients reach the service; nothing means the listen address.
    pub base_url: Option<BaseUrl>,
    /// How long requests may take to finish once the server is told to stop.
    pub shutdown_timeout: Period,
    /// Whether pending migrations are applied at the start.
    pub auto_migrate: bool,
    /// The largest request body that is taken.
    pub request_body_limit: ByteSize,
    /// The origins whose pages may use the service.
    pub cors_allowed_origins: Vec<AllowedOrigin>,
    /// What log lines look like.
    pub log_format: LogFormat,
    /// The OpenID Connect issuers whose tokens are believed.
    pub issuers: Vec<IssuerSettings>,
    /// The settings of the library, and the issuers, as they stand in the file.
    library_table: Table,
}

impl Config {
    /// Puts the settings together from flags, environment and file.
    ///
    /// `database_url_file` is the value of [`DATABASE_URL_FILE`].
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or with everything that is wrong with the settings in it.
    pub fn load(flags: &Flags, database_url_file: Option<&Path>) -> Result<Self, ConfigError> {
        let table = match &flags.config {
            Some(path) => read_file(path)?,
            None if Path::new(DEFAULT_FILE).exists() => read_file(DEFAULT_FILE)?,
            None => Table::new(),
        };
        let secret = database_url_file.map(read_secret).transpose()?;
        Self::from_parts(flags.clone(), secret, table)
    }

    fn from_parts(
        flags: Flags,
        secret: Option<String>,
        mut table: Table,
    ) -> Result<Self, ConfigError> {
        let mut library_table = table.clone();
        let is_shown = |key: &str| key == ISSUERS || Settings::KEYS.contains(&key);
        library_table.retain(|key, _| key != "database_url" && is_shown(key));
        let (library, problems) = match Settings::take_from(&mut table) {
            Ok(settings) => (settings, Vec::new()),
            Err(ConfigError::Invalid(problems)) => (Settings::default(), problems),
            Err(other) => return Err(other),
        };
        let mut file = File { table, problems };
        let secret = secret.and_then(|url| file.parse(DATABASE_URL_FILE, &url));
        let database_url = library
            .database_url
            .as_ref()
            .and_then(|url| file.parse("database_url", url));
        let config = Self {
            database_url: flags
                .database_url
                .or(secret)
                .or(database_url)
                .unwrap_or_default(),
            listen: flags
                .listen
                .or(file.text("listen"))
                .unwrap_or(DEFAULT_LISTEN),
            base_url: flags.base_url.or(file.text("base_url")),
            shutdown_timeout: flags
                .shutdown_timeout
                .or(file.text("shutdown_timeout"))
                .unwrap_or(DEFAULT_SHUTDOWN),
            auto_migrate: flags
                .auto_migrate
                .or(file.flag("auto_migrate"))
                .unwrap_or(true),
            request_body_limit: flags
                .request_body_limit
                .or(file.size("request_body_limit"))
                .unwrap_or(ByteSize(DEFAULT_BODY_LIMIT)),
            cors_allowed_origins: flags
                .cors_allowed_origins
                .or(file.list("cors_allowed_origins"))
                .unwrap_or_default(),
            log_format: flags
                .log_format
                .or(file.text("log_format"))
                .unwrap_or(LogFormat::Text),
            issuers: file.issuers(),
            library,
            library_table,
        };
        file.finish()?;
        Ok(config)
    }

    /// The URL that the addresses in answers begin with, if the server listens at `address`.
    pub fn base_url_at(&self, address: SocketAddr) -> String {
        self.base_url
            .as_ref()
            .map_or_else(|| format!("http://{address}"), BaseUrl::to_string)
    }

    /// Whether an administrator has to be made on the first start, since nobody is named as one and no issuer could
    /// know one.
    pub fn names_no_administrator(&self) -> bool {
        self.library.policies.administrators.is_none() && self.issuers.is_empty()
    }
}

/// The settings as a file would hold them, without secrets.
impl fmt::Display for Config {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        let mut set = |key: &str, value: &dyn fmt::Display| {
            table.insert(key.to_owned(), Value::String(value.to_string()));
        };
        set("database_url", &self.database_url);
        set("listen", &self.listen);
        set("base_url", &self.base_url_at(self.listen));
        set("shutdown_timeout", &self.shutdown_timeout);
        set("request_body_limit", &self.request_body_limit);
        set("log_format", &self.log_format);
        let origins = self.cors_allowed_origins.iter();
        table.insert(
            "cors_allowed_origins".to_owned(),
            origins.map(ToString::to_string).collect::<Vec<_>>().into(),
        );
        table.insert("auto_migrate".to_owned(), Value::Boolean(self.auto_migrate));
        table.extend(self.library_table.clone());
        write!(formatter, "{table}")
    }
}

const ISSUERS: &str = "issuers";
const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
const DEFAULT_SHUTDOWN: Period = Period(Duration::from_secs(10));

/// A secret that stands alone in a file; the newline at its end does not belong to it.
fn read_secret(path: &Path) -> Result<String, ConfigError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text.trim_end_matches(['\r', '\n']).to_owned()),
        Err(source) => Err(ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        }),
    }
}

/// What is left of a file, and what is wrong with it.
struct File {
    table: Table,
    problems: Vec<Problem>,
}

impl File {
    /// The keys of the outermost table that belong to the server.
    const KEYS: [&str; 8] = [
        ISSUERS,
        "listen",
        "base_url",
        "shutdown_timeout",
        "auto_migrate",
        "request_body_limit",
        "cors_allowed_origins",
        "log_format",
    ];

    fn note(&mut self, key: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            key: key.to_owned(),
            message: message.into(),
        });
    }

    fn parse<T: FromStr<Err: fmt::Display>>(&mut self, key: &str, text: &str) -> Option<T> {
        text.parse()
            .map_err(|unfit: T::Err| self.note(key, unfit.to_string()))
            .ok()
    }

    fn text<T: FromStr<Err: fmt::Display>>(&mut self, key: &str) -> Option<T> {
        if let Value::String(text) = self.table.remove(key)? {
            return self.parse(key, &text);
        }
        self.note(key, "must be a string");
        None
    }

    fn list<T: FromStr<Err: fmt::Display>>(&mut self, key: &str) -> Option<Vec<T>> {
        let texts = match self.table.remove(key)? {
            Value::Array(texts) => texts
                .iter()
                .map(|text| text.as_str().map(str::to_owned))
                .collect(),
            _ => None,
        };
        let Some(texts) = texts else {
            self.note(key, "must be an array of strings");
            return None;
        };
        let texts: Vec<String> = texts;
        texts.iter().map(|text| self.parse(key, text)).collect()
    }

    fn flag(&mut self, key: &str) -> Option<bool> {
        let flag = self.table.remove(key)?.as_bool();
        if flag.is_none() {
            self.note(key, "must be `true` or `false`");
        }
        flag
    }

    /// A number of bytes may also be written as a number.
    fn size(&mut self, key: &str) -> Option<ByteSize> {
        if let Some(Value::Integer(bytes)) = self.table.get(key) {
            let bytes = bytes.to_string();
            self.table.remove(key);
            return self.parse(key, &bytes);
        }
        self.text(key)
    }

    fn issuers(&mut self) -> Vec<IssuerSettings> {
        let value = self.table.remove(ISSUERS);
        value.map_or_else(Vec::new, |value| issuers::read(value, &mut self.problems))
    }

    /// Fails if anything was wrong, or is left.
    fn finish(mut self) -> Result<(), ConfigError> {
        let known: Vec<&str> = Settings::KEYS.into_iter().chain(Self::KEYS).collect();
        for key in std::mem::take(&mut self.table).keys() {
            self.problems.push(Problem::unknown_key("", key, &known));
        }
        self.problems.sort_by(|a, b| a.key.cmp(&b.key));
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::Invalid(self.problems))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(flags: Flags, text: &str) -> Result<Config, ConfigError> {
        Config::from_parts(flags, None, text.parse().unwrap())
    }

    #[test]
    fn every_setting_has_a_default() {
        let config = load(Flags::default(), "").unwrap();
        assert_eq!(config.database_url.expose(), "sqlite://formalize.db");
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.base_url_at(config.listen), "http://127.0.0.1:8080");
        assert_eq!(config.shutdown_timeout.to_string(), "10s");
        assert_eq!(config.request_body_limit.to_string(), "4MiB");
        assert!(config.auto_migrate && config.names_no_administrator());
    }

    #[test]
    fn a_flag_beats_a_secret_which_beats_the_file() {
        let file: Table = "database_url = 'sqlite://file.db'".parse().unwrap();
        let secret = || Some("sqlite://secret.db".to_owned());
        let flags = Flags {
            database_url: Some("sqlite://flag.db".parse().unwrap()),
            ..Flags::default()
        };
        let url = |flags, secret| {
            Config::from_parts(flags, secret, file.clone())
                .unwrap()
                .database_url
                .expose()
                .to_owned()
        };
        assert_eq!(url(flags, secret()), "sqlite://flag.db");
        assert_eq!(url(Flags::default(), secret()), "sqlite://secret.db");
        assert_eq!(url(Flags::default(), None), "sqlite://file.db");
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let text = "lissten = 1\nlisten = 8080\nauto_migrate = 'yes'\nrequest_body_limit = -1\n\
                    administrators = 'user.'\n[[issuers]]\nissuer = 'x'";
        let message = load(Flags::default(), text).unwrap_err().to_string();
        for key in [
            "administrators: ",
            "auto_migrate: ",
            "issuers[0].audience: ",
            "issuers[0].issuer: ",
            "listen: ",
            "request_body_limit: ",
        ] {
            assert!(message.contains(key), "{key} in {message}");
        }
        assert!(
            message.contains("lissten: unknown key, did you mean `listen`?"),
            "{message}"
        );
    }

    #[test]
    fn what_is_shown_can_be_read_again() {
        let text = "request_body_limit = 1024\nlog_format = 'json'\ndatabase_url = 'postgres://a:b@c/d'\n\
                    [dynamic_groups]\nstaff = 'true'\n\
                    [[issuers]]\nissuer = 'https://a.example'\naudience = 'a'\nattributes = { b = 'c.d' }";
        let config = load(Flags::default(), text).unwrap();
        let shown = config.to_string();
        assert!(
            shown.contains("postgres://a:***@c/d") && shown.contains("staff = \"true\""),
            "{shown}"
        );
        assert_eq!(load(Flags::default(), &shown).unwrap().to_string(), shown);
    }
}
