//! The settings of the server: a flag beats the environment, which beats the file.

mod flags;
mod issuers;
mod limits;
mod network;
mod otlp;
mod rate;
pub mod setting;
#[cfg(test)]
mod tests;
mod units;

use std::{fmt, net::SocketAddr};

use formalize_core::config::{ConfigError, DatabaseUrl, Problem, Settings, Sources};
use toml::{Table, Value};

use crate::middleware::AllowedOrigin;

pub use flags::Flags;
pub(crate) use issuers::is_protected;
pub use issuers::{IssuerSettings, IssuerUrl};
pub use limits::Limits;
pub use network::{InvalidNetwork, Network};
pub use otlp::OtlpEndpoint;
pub use rate::Rate;
pub use units::{
    Address, BaseUrl, ByteSize, Count, HeadSize, LogFormat, OrOff, PageSize, Period, ShortDuration,
    Switch, Timeout,
};

/// Every setting, with defaults filled in.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who may do what without a grant, dynamic groups, and classes of resources.
    pub library: Settings,
    /// The database.
    pub database_url: DatabaseUrl,
    /// How many connections to PostgreSQL there are at most.
    pub database_connections: Count,
    /// How long a request waits for a connection to the database, or for a lock.
    pub database_wait: Timeout,
    /// How long PostgreSQL may take for one statement.
    pub statement_timeout: Timeout,
    /// Where the server listens.
    pub listen: Address,
    /// The address for metrics, if they are served.
    pub metrics_listen: Option<Address>,
    /// The URL under which clients reach the service; nothing means the listen address.
    pub base_url: Option<BaseUrl>,
    /// The origins whose pages may use the service.
    pub cors_allowed_origins: Vec<AllowedOrigin>,
    /// How long the server goes on accepting once it is told to stop.
    pub shutdown_delay: Period,
    /// How long requests may take to finish once the server has stopped accepting.
    pub shutdown_timeout: Period,
    /// Whether pending migrations are applied at the start.
    pub auto_migrate: Switch,
    /// How long an API token is believed before it is looked up again.
    pub token_memory: ShortDuration,
    /// What the server bears at most.
    pub limits: Limits,
    /// The collector that traces are sent to, if any.
    pub otlp_endpoint: Option<OtlpEndpoint>,
    /// Log format.
    pub log_format: LogFormat,
    /// The OpenID Connect issuers whose tokens are believed.
    pub issuers: Vec<IssuerSettings>,
    /// All of this as a file would hold it, without secrets.
    effective: Table,
}

impl Config {
    /// Puts the settings together from flags, environment and file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or with everything that is wrong with the settings.
    pub fn load(flags: &Flags) -> Result<Self, ConfigError> {
        let sources = Sources::open(flags.config.as_deref())?;
        Self::from_sources(flags.add_to(sources))
    }

    /// The log format, even if other settings are invalid: an error in the configuration is reported in this format.
    /// It is text where the setting itself is invalid, or in a file that cannot be read.
    pub fn log_format(flags: &Flags) -> LogFormat {
        let sources = Sources::open(flags.config.as_deref());
        let sources = sources.unwrap_or_else(|_| Sources::environment());
        let format = flags.add_to(sources).value(&setting::LOG_FORMAT);
        format.unwrap_or(LogFormat::Text)
    }

    fn from_sources(mut sources: Sources) -> Result<Self, ConfigError> {
        // Everything is asked for before the first problem ends this, so that all problems are told.
        let library = sources.library();
        let database_url = sources.value(&setting::DATABASE_URL);
        let database_connections = sources.value(&setting::DATABASE_CONNECTIONS);
        let database_wait = sources.value(&setting::DATABASE_WAIT);
        let statement_timeout = sources.value(&setting::STATEMENT_TIMEOUT);
        let listen = sources.value(&setting::LISTEN);
        let metrics_listen = sources.value::<OrOff<Address>>(&setting::METRICS_LISTEN);
        let base_url = sources.optional(&setting::BASE_URL);
        let cors_allowed_origins = sources.list(&setting::CORS_ALLOWED_ORIGINS);
        let shutdown_delay = sources.value(&setting::SHUTDOWN_DELAY);
        let shutdown_timeout = sources.value(&setting::SHUTDOWN_TIMEOUT);
        let auto_migrate = sources.value(&setting::AUTO_MIGRATE);
        let token_memory = sources.value(&setting::TOKEN_MEMORY);
        let limits = Limits::read(&mut sources);
        let otlp_endpoint = sources.value::<OrOff<OtlpEndpoint>>(&setting::OTLP_ENDPOINT);
        let log_format = sources.value(&setting::LOG_FORMAT);
        let issuers = sources
            .part(issuers::KEY, issuers::read)
            .unwrap_or_default();
        let effective = sources.finish(&[])?;
        Ok(Self {
            library,
            database_url: database_url?,
            database_connections: database_connections?,
            database_wait: database_wait?,
            statement_timeout: statement_timeout?,
            metrics_listen: apart(metrics_listen?.0, listen.clone()?)?,
            listen: listen?,
            base_url: base_url?,
            cors_allowed_origins: cors_allowed_origins?,
            shutdown_delay: shutdown_delay?,
            shutdown_timeout: shutdown_timeout?,
            auto_migrate: auto_migrate?,
            token_memory: token_memory?,
            limits: limits?,
            otlp_endpoint: otlp_endpoint?.0,
            log_format: log_format?,
            issuers,
            effective,
        })
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

/// Metrics are for other people than the service is.
fn apart(metrics: Option<Address>, listen: Address) -> Result<Option<Address>, Problem> {
    if metrics == Some(listen) && listen.0.port() != 0 {
        return Err(Problem {
            key: setting::METRICS_LISTEN.key.to_owned(),
            message: "must be another address than that of `listen`".to_owned(),
        });
    }
    Ok(metrics)
}

/// Every effective setting as a file would hold it, without secrets.
impl fmt::Display for Config {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = self.effective.clone();
        let address = self.listen.0;
        for (setting, value) in [
            (setting::BASE_URL, self.base_url_at(address)),
            (
                setting::USER_RATE_LIMIT,
                self.limits.user_rate_at(address).to_string(),
            ),
            (
                setting::ADDRESS_RATE_LIMIT,
                self.limits.address_rate_at(address).to_string(),
            ),
        ] {
            table.insert(setting.key.to_owned(), Value::String(value));
        }
        write!(formatter, "{table}")
    }
}
