//! The settings of the server: a flag overrides the environment, which overrides the file.

/// `Self` with these settings. All are read before the first `?`, so that all problems are reported.
macro_rules! read_all {
    ($($field:ident: $read:expr,)+) => {{
        $(let $field = $read;)+
        Self { $($field: $field?,)+ }
    }};
}

mod claim_path;
mod directory;
mod exports;
mod flags;
mod issuers;
mod limits;
mod network;
mod origin;
mod otlp;
mod pages;
mod rate;
pub mod setting;
mod streams;
#[cfg(test)]
mod tests;
mod units;
mod uploads;
mod webhooks;

use std::{fmt, net::SocketAddr};

use formalize_core::{
    authorization::Condition,
    config::{ConfigError, DatabaseUrl, EventSettings, Problem, Settings, Sources},
};
use reqwest::Url;
use toml::{Table, Value};

use setting::Setting;

pub use claim_path::ClaimPath;
pub use directory::{DirectorySettings, UnknownPeople};
pub use exports::{ExportFolder, ExportSettings, ExportTimeout, SpoolSize};
pub use flags::Flags;
pub(crate) use issuers::is_protected;
pub use issuers::{ClientSecret, IssuerSettings, IssuerUrl, SignInSettings};
pub use limits::Limits;
pub use network::{InvalidNetwork, Network};
pub use origin::{AllowedOrigin, InvalidOrigin};
pub use otlp::OtlpEndpoint;
pub use pages::{IdleTime, PageFile, PageLanguage, PageLink, PageSettings, PageTimeZone};
pub use rate::Rate;
pub use streams::{Heartbeat, StreamSettings};
pub use units::{
    Address, BaseUrl, ByteSize, Count, HeadSize, KeyRetention, LogFormat, OrOff, PageSize, Period,
    ShortDuration, Switch, Timeout,
};
pub use uploads::UploadSettings;
pub use webhooks::{DeliverySettings, DisableAfter};

/// Every setting, with defaults filled in.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who may do what without a grant, dynamic groups, and classes of resources.
    pub library: Settings,
    /// The database.
    pub database_url: DatabaseUrl,
    /// Maximum number of connections in the PostgreSQL pool.
    pub database_connections: Count,
    /// How long a request waits for a database connection or a lock.
    pub database_wait: Timeout,
    /// How long PostgreSQL may run one statement.
    pub statement_timeout: Timeout,
    /// The listen address.
    pub listen: Address,
    /// The address for metrics, if they are served.
    pub metrics_listen: Option<Address>,
    /// The public URL of the service; `None` means the listen address.
    pub base_url: Option<BaseUrl>,
    /// The address of the interface for the Relay web client, if it is served.
    pub relay_listen: Option<Address>,
    /// The public URL of that interface; `None` means its address.
    pub relay_base_url: Option<BaseUrl>,
    /// Names of people, organizations, courses and rooms.
    pub directory: DirectorySettings,
    /// Origins whose web pages may use the service.
    pub cors_allowed_origins: Vec<AllowedOrigin>,
    /// How long the server keeps accepting requests after a shutdown signal.
    pub shutdown_delay: Period,
    /// How long requests in progress may take to finish at shutdown.
    pub shutdown_timeout: Period,
    /// Whether to apply pending migrations at startup.
    pub auto_migrate: Switch,
    /// How long an API token is cached.
    pub token_memory: ShortDuration,
    /// The event log.
    pub events: EventSettings,
    /// Streams of events.
    pub streams: StreamSettings,
    /// Webhooks.
    pub webhooks: DeliverySettings,
    /// Limits of requests and connections.
    pub limits: Limits,
    /// The settings of exports.
    pub exports: ExportSettings,
    /// Files of submissions.
    pub files: UploadSettings,
    /// Counts from 1 to below this number are withheld in summaries.
    pub summary_minimum: Count,
    /// The settings of web pages, unless there are none.
    pub pages: Option<PageSettings>,
    /// Whether people can sign in to pages with an API token; `None` if it depends on whether there are issuers.
    sign_in_with_token: Option<Switch>,
    /// The collector for traces, if any.
    pub otlp_endpoint: Option<OtlpEndpoint>,
    /// Log format.
    pub log_format: LogFormat,
    /// The OpenID Connect issuers whose tokens are accepted.
    pub issuers: Vec<IssuerSettings>,
    /// The settings as a file would hold them, without secrets.
    effective: Table,
}

impl Config {
    /// Reads the settings from flags, environment and file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or settings are invalid; the error lists all problems.
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
        let read = Self::read(&mut sources);
        // First, because it reports all problems.
        let effective = sources.finish(&[])?;
        let config = Self { effective, ..read? };
        let listen = (&setting::LISTEN, Some(config.listen));
        let metrics_listen = (&setting::METRICS_LISTEN, config.metrics_listen);
        let relay_listen = (&setting::RELAY_LISTEN, config.relay_listen);
        separate(metrics_listen, &[listen])?;
        separate(relay_listen, &[listen, metrics_listen])?;
        without_path(config.relay_base_url.as_ref())?;
        config.webhooks.check(config.events)?;
        Ok(config)
    }

    fn read(sources: &mut Sources) -> Result<Self, Problem> {
        Ok(read_all! {
            library: Ok::<_, Problem>(sources.library()),
            database_url: sources.value(&setting::DATABASE_URL),
            database_connections: sources.value(&setting::DATABASE_CONNECTIONS),
            database_wait: sources.value(&setting::DATABASE_WAIT),
            statement_timeout: sources.value(&setting::STATEMENT_TIMEOUT),
            listen: sources.value(&setting::LISTEN),
            metrics_listen: sources.value(&setting::METRICS_LISTEN).map(|OrOff(address)| address),
            base_url: sources.optional(&setting::BASE_URL),
            relay_listen: sources.value(&setting::RELAY_LISTEN).map(|OrOff(address)| address),
            relay_base_url: sources.optional(&setting::RELAY_BASE_URL),
            directory: DirectorySettings::read(sources),
            cors_allowed_origins: sources.list(&setting::CORS_ALLOWED_ORIGINS),
            shutdown_delay: sources.value(&setting::SHUTDOWN_DELAY),
            shutdown_timeout: sources.value(&setting::SHUTDOWN_TIMEOUT),
            auto_migrate: sources.value(&setting::AUTO_MIGRATE),
            token_memory: sources.value(&setting::TOKEN_MEMORY),
            events: EventSettings::read(sources),
            streams: StreamSettings::read(sources),
            webhooks: DeliverySettings::read(sources),
            limits: Limits::read(sources),
            exports: ExportSettings::read(sources),
            files: UploadSettings::read(sources),
            summary_minimum: sources.value(&setting::SUMMARY_MINIMUM),
            pages: PageSettings::read(sources),
            sign_in_with_token: sources.optional(&setting::SIGN_IN_WITH_TOKEN),
            otlp_endpoint: sources.value(&setting::OTLP_ENDPOINT).map(|OrOff(endpoint)| endpoint),
            log_format: sources.value(&setting::LOG_FORMAT),
            issuers: Ok::<_, Problem>(issuers::read(sources, !matches!(pages, Ok(None)))),
            effective: Ok::<_, Problem>(Table::new()),
        })
    }

    /// The base of URLs in responses, for a server that listens on `address`.
    pub fn base_url_at(&self, address: SocketAddr) -> String {
        self.base_url
            .as_ref()
            .map_or_else(|| format!("http://{address}"), BaseUrl::to_string)
    }

    /// The base of URLs of the interface for the Relay web client, if that listens on `address`.
    pub fn relay_base_url_at(&self, address: SocketAddr) -> String {
        self.relay_base_url
            .as_ref()
            .map_or_else(|| format!("http://{address}"), BaseUrl::to_string)
    }

    /// Whether there are pages, and others in the network could read the sessions of people who use them.
    pub fn has_unprotected_pages(&self, address: SocketAddr) -> bool {
        let url = Url::parse(&self.base_url_at(address));
        self.pages.is_some() && !url.is_ok_and(|url| is_protected(&url))
    }

    /// What is allowed, but hardly meant.
    pub fn warnings(&self) -> Vec<String> {
        let address = self.listen.0;
        let limits = &self.limits;
        let rates = [
            (setting::USER_RATE_LIMIT, limits.user_rate_at(address)),
            (setting::ADDRESS_RATE_LIMIT, limits.address_rate_at(address)),
            (setting::LINK_RATE_LIMIT, limits.link_rate_at(address)),
        ];
        let off = rates.iter().filter(|(_, rate)| rate.limit().is_none());
        let off: Vec<String> = off
            .map(|(setting, _)| format!("`{}`", setting.key))
            .collect();
        if limits.trusted_proxies.is_empty() || off.is_empty() {
            return Vec::new();
        }
        vec![format!(
            "`{}` is set, so others reach this server through a proxy, but these limits are off: {}; by default they are, at a \
             loopback address",
            setting::TRUSTED_PROXIES.key,
            off.join(", ")
        )]
    }

    /// Whether people can sign in to pages with an API token.
    pub fn takes_tokens(&self) -> bool {
        self.sign_in_with_token
            .map_or(self.issuers.is_empty(), |switch| switch.0)
    }

    /// Whether the first start must create an administrator, because none is configured, and no issuer.
    pub fn names_no_administrator(&self) -> bool {
        self.library.policies.administrators.is_none() && self.issuers.is_empty()
    }
}

/// Checks that something has an address of its own, which can be protected separately.
fn separate(
    (setting, address): (&Setting, Option<Address>),
    others: &[(&Setting, Option<Address>)],
) -> Result<(), Problem> {
    let same = others.iter().find(|(_, other)| {
        let other = other.filter(|other| other.0.port() != 0);
        other.is_some() && other == address
    });
    match same {
        Some((other, _)) => Err(Problem {
            key: setting.key.to_owned(),
            message: format!("must differ from `{}`", other.key),
        }),
        None => Ok(()),
    }
}

/// Checks that a URL has no path: the client of the Relay interface builds URLs from the origin alone.
fn without_path(url: Option<&BaseUrl>) -> Result<(), Problem> {
    let text = url.map(BaseUrl::to_string).unwrap_or_default();
    let behind_scheme = text.split_once("://").map_or("", |(_, rest)| rest);
    if behind_scheme.contains('/') {
        return Err(Problem {
            key: setting::RELAY_BASE_URL.key.to_owned(),
            message: "must be a URL without a path, such as `https://relay.example.org`".to_owned(),
        });
    }
    Ok(())
}

/// The key of the table of policies.
const POLICIES: &str = "policies";

impl Config {
    /// That secrets of webhooks are readable in the database, if they are.
    pub fn readable_secrets(&self) -> Option<&'static str> {
        let keys = &self.webhooks.shared.secret_keys;
        keys.is_empty().then_some(
            "the secrets of webhooks are stored in readable form; `webhook_secret_keys` encrypts them",
        )
    }

    /// Adds the policies that the file does not have, with what applies without them.
    fn add_policies(&self, table: &mut Table) {
        for (name, condition) in self.library.policies.by_setting() {
            let name = name
                .strip_prefix(POLICIES)
                .and_then(|it| it.strip_prefix('.'));
            // Classes without a policy have none to show.
            let Some(name) = name.filter(|name| !name.contains('.')) else {
                continue;
            };
            let condition = condition.map_or("false", Condition::source);
            table
                .entry(name)
                .or_insert_with(|| Value::String(condition.to_owned()));
        }
    }
}

/// Every effective setting as a file would hold it, without secrets.
impl fmt::Display for Config {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = self.effective.clone();
        let address = self.listen.0;
        for (setting, value) in [
            (setting::BASE_URL, self.base_url_at(address)),
            (setting::EXPORT_FOLDER, self.exports.folder.to_string()),
            (
                setting::FILES_URL,
                self.files.shared.url(&self.database_url).to_string(),
            ),
            (
                setting::USER_RATE_LIMIT,
                self.limits.user_rate_at(address).to_string(),
            ),
            (
                setting::ADDRESS_RATE_LIMIT,
                self.limits.address_rate_at(address).to_string(),
            ),
            (
                setting::LINK_RATE_LIMIT,
                self.limits.link_rate_at(address).to_string(),
            ),
        ] {
            table.insert(setting.key.to_owned(), Value::String(value));
        }
        let relay = self
            .relay_listen
            .map(|Address(address)| self.relay_base_url_at(address));
        let relay = relay.or_else(|| self.relay_base_url.as_ref().map(BaseUrl::to_string));
        if let Some(url) = relay {
            table.insert(setting::RELAY_BASE_URL.key.to_owned(), Value::String(url));
        }
        let takes_tokens = Value::Boolean(self.takes_tokens());
        table.insert(setting::SIGN_IN_WITH_TOKEN.key.to_owned(), takes_tokens);
        let policies = table.entry(POLICIES).or_insert_with(|| Table::new().into());
        if let Value::Table(policies) = policies {
            self.add_policies(policies);
        }
        write!(formatter, "{table}")
    }
}
