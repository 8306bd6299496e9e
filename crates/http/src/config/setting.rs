//! The table of settings: the source of the flags, their help, `config check` and the reference in the documentation.

use formalize_core::config::setting::{self, Shape};
pub use formalize_core::config::setting::{DATABASE_URL, Fallback, Setting};

/// Defines a constant for each row, and [`ALL`]. The comment of a row becomes [`Setting::about`].
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
    /// Maximum number of connections in the PostgreSQL pool.
    DATABASE_CONNECTIONS = count("database_connections").default("20");
    /// How long a request waits for a database connection or a lock before it fails with 503.
    DATABASE_WAIT = text("database_wait", "DURATION").default("5s");
    /// How long PostgreSQL may run one statement before it is cancelled and the request fails with 503.
    STATEMENT_TIMEOUT = text("statement_timeout", "DURATION").default("30s");
    /// Address to listen on; port 0 picks a free port.
    LISTEN = setting::LISTEN;
    /// Address for Prometheus metrics (`GET /metrics`), such as `127.0.0.1:9464`, or `off`. Unauthenticated: do not
    /// expose it publicly.
    METRICS_LISTEN = text("metrics_listen", "ADDR:PORT").default("off");
    /// Public URL of the service.
    BASE_URL = setting::BASE_URL;
    /// Address of the interface for the Relay web client, such as `127.0.0.1:8081`, or `off`; port 0 picks a free port.
    RELAY_LISTEN = text("relay_listen", "ADDR:PORT").default("off");
    /// Public URL of the interface for the Relay web client, without a path, such as `https://relay.example.org`.
    RELAY_BASE_URL = text("relay_base_url", "URL").otherwise("`http://` and `relay_listen`");
    /// File with the names of people for the Relay web client: NDJSON, or CSV if its name ends with `.csv`; or `off`.
    DIRECTORY_PEOPLE = text("directory_people", "FILE").default("off");
    /// NDJSON file with organizations for the Relay web client, or `off`.
    DIRECTORY_ORGANIZATIONS = text("directory_organizations", "FILE").default("off");
    /// NDJSON file with courses for the Relay web client, or `off`.
    DIRECTORY_COURSES = text("directory_courses", "FILE").default("off");
    /// NDJSON file with rooms for the Relay web client, or `off`.
    DIRECTORY_ROOMS = text("directory_rooms", "FILE").default("off");
    /// What the Relay web client learns of people who are not in `directory_people`: `echo` makes their identifier their
    /// name, `not-found` says that they do not exist.
    DIRECTORY_UNKNOWN_PEOPLE = text("directory_unknown_people", "echo|not-found").default("echo");
    /// Origins whose web pages may use the service, such as `https://forms.example.org`; `*` allows all.
    CORS_ALLOWED_ORIGINS = Setting::new("cors_allowed_origins", "ORIGIN,...", Shape::List);
    /// How long the server keeps accepting requests after a shutdown signal, so that load balancers can take it out.
    SHUTDOWN_DELAY = text("shutdown_delay", "DURATION").default("0s");
    /// How long requests in progress may take to finish once the server has stopped accepting connections.
    SHUTDOWN_TIMEOUT = text("shutdown_timeout", "DURATION").default("10s");
    /// Whether to apply pending database migrations at startup. If `false`, the server does not start while migrations
    /// are pending.
    AUTO_MIGRATE = Setting::new("auto_migrate", "true|false", Shape::Switch).default("true");
    /// How long an API token is cached, at most `1s`; a token revoked by another process may keep working for this
    /// long. Servers on PostgreSQL notify each other of revocations within milliseconds.
    TOKEN_MEMORY = text("token_memory", "DURATION").default("250ms");
    /// Whether changes are written to the event log. All servers and the command line must have the same value.
    EVENT_LOG = setting::EVENT_LOG;
    /// How long events are kept: from `2d` to `400d`.
    EVENT_RETENTION = setting::EVENT_RETENTION;
    /// Maximum number of streams of events at a time; others get 503. A user may have 10.
    EVENT_STREAM_LIMIT = count("event_stream_limit").default("100");
    /// How often something is sent on a stream of events if nothing happens: from `5s` to `60s`. Proxies must have more
    /// patience.
    EVENT_STREAM_HEARTBEAT = text("event_stream_heartbeat", "DURATION").default("15s");
    /// Whether this server delivers webhooks. If `false`, other servers on the database must.
    WEBHOOK_DELIVERY = Setting::new("webhook_delivery", "true|false", Shape::Switch).default("true");
    /// How long the receiver of a webhook may take to respond: from `1s` to `30s`.
    WEBHOOK_TIMEOUT = setting::WEBHOOK_TIMEOUT;
    /// Maximum number of webhook requests that this server sends at a time.
    WEBHOOK_CONCURRENCY = count("webhook_concurrency").default("32");
    /// How long a webhook may fail, without one success, until it is disabled: from `1s` to `30d`, and at least a day less
    /// than `event_retention`.
    WEBHOOK_DISABLE_AFTER = text("webhook_disable_after", "DURATION").default("5d");
    /// How long deliveries and attempts of webhooks are kept: from `1h` to `400d`.
    WEBHOOK_LOG_RETENTION = setting::WEBHOOK_LOG_RETENTION;
    /// Networks, such as `10.20.0.0/16`, and names, such as `hooks.example.org` or `.intra.example.org` (with all below), to
    /// which webhooks may send, besides the public internet.
    WEBHOOK_ALLOWED_TARGETS = setting::WEBHOOK_ALLOWED_TARGETS;
    /// Keys that encrypt the secrets of webhooks in the database, each the base64 of 32 random bytes. The first one encrypts,
    /// the others only decrypt.
    WEBHOOK_SECRET_KEYS = setting::WEBHOOK_SECRET_KEYS;
    /// HTTP proxy through which all webhook requests are sent (`CONNECT`), such as `http://USER:PASSWORD@proxy:3128`, or
    /// `off`. The proxy then decides which addresses are allowed. Variables such as `HTTPS_PROXY` are ignored.
    WEBHOOK_PROXY = setting::WEBHOOK_PROXY;
    /// Maximum size of a request body.
    REQUEST_BODY_LIMIT = Setting::new("request_body_limit", "SIZE", Shape::Size).default("4MiB");
    /// How long a client may take to send a request body, or each part of a large one: 16 KiB for every second of this
    /// time.
    REQUEST_BODY_TIMEOUT = text("request_body_timeout", "DURATION").default("30s");
    /// Memory for all request bodies together that are being received or processed; bodies up to 64 KiB do not count.
    BODIES_BUDGET = Setting::new("bodies_budget", "SIZE", Shape::Size).default("256MiB");
    /// Memory for all responses together that are being composed or sent; responses up to 64 KiB do not count. Each
    /// user and each visitor with a public link may have a quarter of it, all visitors together half.
    RESPONSES_BUDGET = Setting::new("responses_budget", "SIZE", Shape::Size).default("256MiB");
    /// Maximum size of request line and headers together: from 8KiB to 1MiB.
    REQUEST_HEAD_LIMIT = Setting::new("request_head_limit", "SIZE", Shape::Size).default("32KiB");
    /// Maximum number of headers of a request.
    REQUEST_HEADER_LIMIT = count("request_header_limit").default("100");
    /// How long a client may take to send request line and headers.
    REQUEST_HEAD_TIMEOUT = text("request_head_timeout", "DURATION").default("10s");
    /// How long a client may take to accept a response, or each part of a large one: 16 KiB for every second of this time.
    RESPONSE_TIMEOUT = text("response_timeout", "DURATION").default("30s");
    /// How long an idle connection is kept open.
    KEEP_ALIVE_TIMEOUT = text("keep_alive_timeout", "DURATION").default("75s");
    /// Maximum number of client connections; further connections are queued. One client may have a quarter of them.
    CONNECTION_LIMIT = count("connection_limit").default("900");
    /// Maximum number of items on a page of a list: from 30 to 10000.
    PAGE_SIZE_LIMIT = count("page_size_limit").default("10000");
    /// Maximum number of requests per user in a period, such as `600/1m`, or `off`.
    USER_RATE_LIMIT = text("user_rate_limit", "COUNT/DURATION")
        .otherwise("`6000/1m`; `off` at a loopback address");
    /// Maximum number of requests without valid credentials per client address in a period, such as `60/1m`, or `off`.
    ADDRESS_RATE_LIMIT = text("address_rate_limit", "COUNT/DURATION")
        .otherwise("`600/1m`; `off` at a loopback address");
    /// Maximum number of times that one client address uses one public link in a period, such as `60/1m`, or `off`; all
    /// addresses together may use a link 25 times as often.
    LINK_RATE_LIMIT = text("link_rate_limit", "COUNT/DURATION")
        .otherwise("`120/1m`; `off` at a loopback address");
    /// Addresses and networks, such as `10.0.0.0/8`, of reverse proxies whose `X-Forwarded-For` is trusted.
    TRUSTED_PROXIES = Setting::new("trusted_proxies", "NETWORK,...", Shape::List);
    /// How long the response to a request with an `Idempotency-Key` is kept for when the request is sent again: from `1h`
    /// to `30d`.
    IDEMPOTENCY_RETENTION = text("idempotency_retention", "DURATION").default("24h");
    /// Maximum number of exports that read the database at a time, of which each user can take half; others wait for
    /// `database_wait`, and then fail with 503.
    EXPORT_LIMIT = count("export_limit").default("2");
    /// How long reading the submissions of an export and saving a workbook may take, at most `24h`. It ends the export.
    EXPORT_TIMEOUT = text("export_timeout", "DURATION").default("10m");
    /// How many bytes of a user's exports are written before clients have taken them, at least `1MiB`. Then reading waits,
    /// and further exports of the user get 429.
    EXPORT_SPOOL_LIMIT = Setting::new("export_spool_limit", "SIZE", Shape::Size).default("1GiB");
    /// Folder in which exports are written before they are sent. The server must be able to write to it.
    EXPORT_FOLDER = text("export_folder", "FOLDER").otherwise("`TMPDIR`, else `/tmp`");
    /// Where the contents of files of submissions are stored: `file:` and a folder, such as `file:///var/lib/formalize/files`;
    /// `s3://` and a bucket, such as `s3://bucket/prefix`; or `off`. All servers and the command line must have the same value.
    FILES_URL = setting::FILES_URL;
    /// URL of a service with the interface of S3, such as `https://s3.example.org`.
    FILES_S3_ENDPOINT = setting::FILES_S3_ENDPOINT;
    /// Region of the bucket.
    FILES_S3_REGION = setting::FILES_S3_REGION;
    /// Where the credentials for the bucket are: `static` for `files_s3_access_key_id` and `files_s3_secret_access_key`, or
    /// `environment` for variables that begin with `AWS_`, a web identity, or the role of a container or an instance.
    FILES_S3_CREDENTIALS = setting::FILES_S3_CREDENTIALS;
    /// Identifier of the key for the bucket.
    FILES_S3_ACCESS_KEY_ID = setting::FILES_S3_ACCESS_KEY_ID;
    /// Secret of the key for the bucket.
    FILES_S3_SECRET_ACCESS_KEY = setting::FILES_S3_SECRET_ACCESS_KEY;
    /// Whether `files_s3_endpoint` may begin with `http://`, so that contents are sent without encryption.
    FILES_S3_ALLOW_HTTP = setting::FILES_S3_ALLOW_HTTP;
    /// Maximum size of a file of a submission.
    FILE_SIZE_LIMIT = setting::FILE_SIZE_LIMIT;
    /// Maximum size of a request with files; `request_body_limit` does not apply to it.
    UPLOAD_LIMIT = Setting::new("upload_limit", "SIZE", Shape::Size).default("256MiB");
    /// Maximum number of files of a submission.
    FILES_PER_SUBMISSION_LIMIT = setting::FILES_PER_SUBMISSION_LIMIT;
    /// Maximum size of all files in one creator's submissions of a form, drafts included, or `off`.
    CREATOR_FILES_QUOTA = setting::CREATOR_FILES_QUOTA;
    /// How much uploads leave free on the disk with the files; they fail with 507 otherwise.
    FILES_RESERVE = setting::FILES_RESERVE;
    /// Maximum number of requests at a time that send files, of 256 KiB or more; others get 503. One user may have a quarter of
    /// them, all who have public links half, and each of these two.
    UPLOADS_AT_ONCE = count("uploads_at_once").default("16");
    /// How long a request that sends files may take; `request_body_timeout` applies to every 256 KiB of it.
    UPLOAD_TIMEOUT = setting::UPLOAD_TIMEOUT;
    /// How long after `upload_timeout` the files of an unfinished upload are kept.
    UPLOAD_GRACE = setting::UPLOAD_GRACE;
    /// How often the contents of files are deleted that belong to no submission any more.
    FILE_SWEEP_INTERVAL = text("file_sweep_interval", "DURATION").default("5m");
    /// Counts from 1 to below this number are withheld in summaries of submissions, because they could tell who answered.
    SUMMARY_MINIMUM = count("summary_minimum").default("1");
    /// Whether people can fill in forms on web pages of this server. If `false`, there are no pages.
    PAGES = Setting::new("pages", "true|false", Shape::Switch).default("true");
    /// Title of the service, which is shown on every page.
    PAGES_TITLE = text("pages_title", "TEXT").default("formalize");
    /// Language of pages for readers whose browser prefers none of `en`, `de` and `fr`.
    PAGES_LANGUAGE = text("pages_language", "TAG").default("en");
    /// Time zone of the times that people enter, such as `Europe/Berlin`: a name of the IANA time zone database.
    PAGES_TIME_ZONE = text("pages_time_zone", "NAME").default("UTC");
    /// Style sheet that pages load after their own: a file whose name ends with `.css`, or `off`.
    PAGES_STYLE = text("pages_style", "FILE").default("off");
    /// Logo that is shown before the title: a file whose name ends with `.svg`, `.png` or `.webp`, or `off`.
    PAGES_LOGO = text("pages_logo", "FILE").default("off");
    /// Links in the footer of every page, such as `Imprint=https://example.org/imprint`.
    PAGES_LINKS = Setting::new("pages_links", "LABEL=URL,...", Shape::List);
    /// How long after signing in people must sign in again.
    SESSION_LIFETIME = text("session_lifetime", "DURATION").default("12h");
    /// How long people stay signed in without using a page, at least `10m`.
    SESSION_IDLE = text("session_idle", "DURATION").default("2h");
    /// Whether people can sign in to pages with an API token.
    SIGN_IN_WITH_TOKEN = Setting::new("sign_in_with_token", "true|false", Shape::Switch)
        .otherwise("`true`; `false` if issuers are configured");
    /// URL of an OpenTelemetry collector that receives traces by OTLP over HTTP, such as `http://127.0.0.1:4318`, or
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
