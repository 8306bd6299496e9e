//! The table of settings: what can be set with a flag, a variable of the environment, and a key of the file.
//!
//! Flags, their help, what `config check` prints, and the reference in the documentation are made of this table. The
//! values are of the programs' own types; here they are texts.

/// A setting that has one value, or one list of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its key in the file; flag and variable are made of it.
    pub key: &'static str,
    /// What it is for: a phrase in Markdown, with a final period.
    pub about: &'static str,
    /// What a value looks like, such as `URL`.
    pub value_name: &'static str,
    /// How it is written in the file.
    pub shape: Shape,
    /// What counts where it is not set.
    pub default: Fallback,
    /// Whether it may hold a secret, which can come from a file of its own.
    pub secret: bool,
}

/// How a value is written in the file. On the command line and in the environment all are texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A string.
    Text,
    /// A string, or a whole number.
    Size,
    /// `true` or `false`; the flag alone means `true`.
    Switch,
    /// An array of strings; elsewhere they stand between commas.
    List,
}

/// What counts where a setting is not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// This value, as it would be written on the command line.
    Value(&'static str),
    /// No value; in words, what that means.
    Nothing(&'static str),
}

impl Setting {
    const fn new(key: &'static str, value_name: &'static str, shape: Shape) -> Self {
        Self {
            key,
            about: "",
            value_name,
            shape,
            default: Fallback::Nothing("none"),
            secret: false,
        }
    }

    const fn default(self, value: &'static str) -> Self {
        Self {
            default: Fallback::Value(value),
            ..self
        }
    }

    const fn otherwise(self, words: &'static str) -> Self {
        Self {
            default: Fallback::Nothing(words),
            ..self
        }
    }

    const fn secret(self) -> Self {
        Self {
            secret: true,
            ..self
        }
    }

    /// The flag without its dashes.
    ///
    /// ```
    /// use formalize_core::config::setting;
    /// assert_eq!(setting::DATABASE_URL.flag(), "database-url");
    /// assert_eq!(setting::DATABASE_URL.variable(), "FORMALIZE_DATABASE_URL");
    /// ```
    pub fn flag(&self) -> String {
        self.key.replace('_', "-")
    }

    /// The variable of the environment.
    pub fn variable(&self) -> String {
        format!("FORMALIZE_{}", self.key.to_ascii_uppercase())
    }

    /// The variable that names a file with the value, if that may be a secret.
    pub fn file_variable(&self) -> Option<String> {
        self.secret.then(|| format!("{}_FILE", self.variable()))
    }

    /// What the help of a program says of the flag.
    ///
    /// ```
    /// use formalize_core::config::setting;
    /// assert_eq!(
    ///     setting::REQUEST_BODY_LIMIT.help(),
    ///     "The largest request body that is taken [default: 4MiB] [env: FORMALIZE_REQUEST_BODY_LIMIT]"
    /// );
    /// ```
    pub fn help(&self) -> String {
        let about = self.about.trim_end_matches('.');
        let (Fallback::Value(default) | Fallback::Nothing(default)) = self.default;
        let file = self.file_variable().map_or_else(String::new, |variable| {
            format!(", or {variable} with the name of a file")
        });
        format!(
            "{about} [default: {default}] [env: {}{file}]",
            self.variable()
        )
    }
}

/// Makes a constant of each row, and [`ALL`]. The comment of a row is what [`Setting::about`] says.
macro_rules! settings {
    ($($(#[doc = $about:literal])+ $name:ident = $setting:expr;)+) => {
        $(
            $(#[doc = $about])+
            pub const $name: Setting = Setting { about: concat!($($about),+).trim_ascii_start(), ..$setting };
        )+

        /// Every setting, in the order in which people read of them.
        pub const ALL: &[Setting] = &[$($name),+];
    };
}

const fn text(key: &'static str, value_name: &'static str) -> Setting {
    Setting::new(key, value_name, Shape::Text)
}

const fn count(key: &'static str) -> Setting {
    Setting::new(key, "COUNT", Shape::Size)
}

settings! {
    /// Where the data are: `sqlite://FILE`, or `postgres://USER:PASSWORD@HOST/NAME` for more than one server.
    DATABASE_URL = text("database_url", "URL").default("sqlite://formalize.db").secret();
    /// How many connections to PostgreSQL the server has at most.
    DATABASE_CONNECTIONS = count("database_connections").default("20");
    /// How long a request waits for a connection to the database, or for a lock that another one holds, before it is
    /// answered with 503.
    DATABASE_WAIT = text("database_wait", "DURATION").default("5s");
    /// How long PostgreSQL may take for one statement before it is cut, and the request answered with 503.
    STATEMENT_TIMEOUT = text("statement_timeout", "DURATION").default("30s");
    /// The address to listen at; port 0 picks a free one.
    LISTEN = text("listen", "ADDR:PORT").default("127.0.0.1:8080");
    /// The address for Prometheus metrics (`GET /metrics`), such as `127.0.0.1:9464`, or `off`. Unauthenticated: do not
    /// expose it publicly.
    METRICS_LISTEN = text("metrics_listen", "ADDR:PORT").default("off");
    /// The URL under which clients reach the service.
    BASE_URL = text("base_url", "URL").otherwise("`http://` and the listen address");
    /// The origins whose pages may use the service, such as `https://forms.example.org`; `*` is every origin.
    CORS_ALLOWED_ORIGINS = Setting::new("cors_allowed_origins", "ORIGIN,...", Shape::List);
    /// How long the server goes on accepting requests once it is told to stop, so that load balancers can take it out.
    SHUTDOWN_DELAY = text("shutdown_delay", "DURATION").default("0s");
    /// How long requests under way may take to finish once the server has stopped accepting others.
    SHUTDOWN_TIMEOUT = text("shutdown_timeout", "DURATION").default("10s");
    /// Whether pending migrations of the database are applied at the start; otherwise they prevent it.
    AUTO_MIGRATE = Setting::new("auto_migrate", "true|false", Shape::Switch).default("true");
    /// How long an API token is believed before it is looked up again, at most `1s`: as long may one still work that
    /// another process has revoked. On PostgreSQL servers tell each other, which takes milliseconds.
    TOKEN_MEMORY = text("token_memory", "DURATION").default("250ms");
    /// Whether write transactions on SQLite, and new submissions on PostgreSQL, that wait for each other share one
    /// `COMMIT`; off only to compare.
    GROUP_COMMIT = Setting::new("group_commit", "true|false", Shape::Switch).default("true");
    /// The largest request body that is taken.
    REQUEST_BODY_LIMIT = Setting::new("request_body_limit", "SIZE", Shape::Size).default("4MiB");
    /// How long a client may take to send a request body.
    REQUEST_BODY_TIMEOUT = text("request_body_timeout", "DURATION").default("30s");
    /// The largest request head that is taken, request line and headers together: from 8KiB to 1MiB.
    REQUEST_HEAD_LIMIT = Setting::new("request_head_limit", "SIZE", Shape::Size).default("32KiB");
    /// How many headers a request may have.
    REQUEST_HEADER_LIMIT = count("request_header_limit").default("100");
    /// How long a client may take to send a request head.
    REQUEST_HEAD_TIMEOUT = text("request_head_timeout", "DURATION").default("10s");
    /// How long a client may take nothing of an answer that is being sent.
    RESPONSE_TIMEOUT = text("response_timeout", "DURATION").default("30s");
    /// How long a connection is kept for another request.
    KEEP_ALIVE_TIMEOUT = text("keep_alive_timeout", "DURATION").default("75s");
    /// How many connections clients may have at a time; others wait until one of them ends.
    CONNECTION_LIMIT = count("connection_limit").default("900");
    /// How many items a page of a list may have: from 30 to 10000.
    PAGE_SIZE_LIMIT = count("page_size_limit").default("10000");
    /// How many requests a user may make in how much time, such as `600/1m`; `off` is no limit.
    USER_RATE_LIMIT = text("user_rate_limit", "COUNT/DURATION")
        .otherwise("`6000/1m`; `off` at a loopback address");
    /// How many requests without valid credentials may come from an address in how much time; `off` is no limit.
    ADDRESS_RATE_LIMIT = text("address_rate_limit", "COUNT/DURATION")
        .otherwise("`600/1m`; `off` at a loopback address");
    /// The addresses and networks, such as `10.0.0.0/8`, of reverse proxies whose `X-Forwarded-For` is believed.
    TRUSTED_PROXIES = Setting::new("trusted_proxies", "NETWORK,...", Shape::List);
    /// The URL of an OpenTelemetry collector that receives traces by OTLP over HTTP, such as `http://127.0.0.1:4318`, or
    /// `off`. Requires a program built with the feature `otlp`.
    OTLP_ENDPOINT = text("otlp_endpoint", "URL").default("off");
    /// Log format.
    LOG_FORMAT = text("log_format", "text|json").default("text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_descriptions_are_sentences() {
        for (index, setting) in ALL.iter().enumerate() {
            let earlier = ALL.iter().take(index);
            assert!(
                earlier.into_iter().all(|other| other.key != setting.key),
                "{}",
                setting.key
            );
            assert!(
                setting.about.ends_with('.') && setting.about.starts_with(char::is_uppercase),
                "{}",
                setting.about
            );
        }
    }
}
