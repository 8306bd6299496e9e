//! The table of settings. Flags, their help, `config check` and the reference in the documentation are made of it.

use formalize_core::config::setting::Shape;
pub use formalize_core::config::setting::{DATABASE_URL, Fallback, Setting};

/// Makes a constant of each row, and [`ALL`]. The comment of a row becomes [`Setting::about`].
macro_rules! settings {
    ($($(#[doc = $about:literal])+ $name:ident = $setting:expr;)+) => {
        $(
            $(#[doc = $about])+
            pub const $name: Setting = $setting.about(concat!($($about),+).trim_ascii_start());
        )+

        /// Every setting, in the order of the documentation.
        pub const ALL: &[Setting] = &[DATABASE_URL, $($name),+];
    };
}

const fn text(key: &'static str, value_name: &'static str) -> Setting {
    Setting::new(key, value_name, Shape::Text)
}

const fn count(key: &'static str) -> Setting {
    Setting::new(key, "COUNT", Shape::Size)
}

settings! {
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
            let mut earlier = ALL.iter().take(index);
            assert!(
                earlier.all(|other| other.key != setting.key),
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
