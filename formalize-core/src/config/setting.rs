//! A setting: a value from a command-line flag, an environment variable, or a key of the configuration file.
//!
//! Each program declares its settings as constants, from which flags and their help are generated. Here all values are
//! texts; each program parses them into its own types.

/// A setting that has one value, or one list of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its key in the file. The flag and the variable are derived from it.
    pub key: &'static str,
    /// Its description: a phrase in Markdown, with a final period.
    pub about: &'static str,
    /// The placeholder of its value, such as `URL`.
    pub value_name: &'static str,
    /// Its type in the file.
    pub shape: Shape,
    /// Its default.
    pub default: Fallback,
    /// Whether it may contain a secret, which can come from a separate file.
    pub secret: bool,
}

/// The type of a value in the file. On the command line and in the environment, all values are strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A string.
    Text,
    /// A string, or a whole number.
    Size,
    /// `true` or `false`; the flag alone means `true`.
    Switch,
    /// An array of strings; comma-separated on the command line and in the environment.
    List,
}

/// The default of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// This value, as it would be written on the command line.
    Value(&'static str),
    /// No value; the text describes what that means.
    Nothing(&'static str),
}

impl Setting {
    /// A setting without a description or default that is not a secret.
    ///
    /// ```
    /// use formalize_core::config::setting::{Setting, Shape};
    /// const GREETING: Setting = Setting::new("greeting", "TEXT", Shape::Text)
    ///     .about("The greeting of visitors.")
    ///     .default("Welcome");
    /// assert_eq!(
    ///     GREETING.help(),
    ///     "The greeting of visitors [default: Welcome] [env: FORMALIZE_GREETING]"
    /// );
    /// ```
    pub const fn new(key: &'static str, value_name: &'static str, shape: Shape) -> Self {
        Self {
            key,
            about: "",
            value_name,
            shape,
            default: Fallback::Nothing("none"),
            secret: false,
        }
    }

    /// Adds a description: a phrase in Markdown, with a final period.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Adds a default, as it would be written on the command line.
    #[must_use]
    pub const fn default(self, value: &'static str) -> Self {
        Self {
            default: Fallback::Value(value),
            ..self
        }
    }

    /// Declares that there is no default value; `words` describe what that means.
    #[must_use]
    pub const fn otherwise(self, words: &'static str) -> Self {
        Self {
            default: Fallback::Nothing(words),
            ..self
        }
    }

    /// Declares a value that may be secret: it can come from a separate file.
    #[must_use]
    pub const fn secret(self) -> Self {
        Self {
            secret: true,
            ..self
        }
    }

    /// The flag without its leading dashes.
    ///
    /// ```
    /// use formalize_core::config::setting;
    /// assert_eq!(setting::DATABASE_URL.flag(), "database-url");
    /// assert_eq!(setting::DATABASE_URL.variable(), "FORMALIZE_DATABASE_URL");
    /// ```
    pub fn flag(&self) -> String {
        self.key.replace('_', "-")
    }

    /// The environment variable.
    pub fn variable(&self) -> String {
        format!("FORMALIZE_{}", self.key.to_ascii_uppercase())
    }

    /// The variable with the name of a file that contains the value, if the value may be a secret.
    pub fn file_variable(&self) -> Option<String> {
        self.secret.then(|| format!("{}_FILE", self.variable()))
    }

    /// The help text of the flag.
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

/// The address that the server listens on.
pub const LISTEN: Setting =
    Setting::new("listen", "ADDR:PORT", Shape::Text).default("127.0.0.1:8080");

/// The public URL of the server, with which public links begin. Without one, `http://` and [`LISTEN`] are used.
pub const BASE_URL: Setting =
    Setting::new("base_url", "URL", Shape::Text).otherwise("`http://` and the listen address");

/// Whether changes are written to the event log.
pub const EVENT_LOG: Setting =
    Setting::new("event_log", "true|false", Shape::Switch).default("true");

/// How long events are kept.
pub const EVENT_RETENTION: Setting =
    Setting::new("event_retention", "DURATION", Shape::Text).default("7d");

/// How long the receiver of a webhook may take to respond.
pub const WEBHOOK_TIMEOUT: Setting =
    Setting::new("webhook_timeout", "DURATION", Shape::Text).default("15s");

/// The HTTP proxy through which all requests of webhooks are sent.
pub const WEBHOOK_PROXY: Setting = Setting::new("webhook_proxy", "URL", Shape::Text)
    .default("off")
    .secret();

/// How long deliveries of webhooks are kept.
pub const WEBHOOK_LOG_RETENTION: Setting =
    Setting::new("webhook_log_retention", "DURATION", Shape::Text).default("7d");

/// Networks and names to which webhooks may send, besides the public internet.
pub const WEBHOOK_ALLOWED_TARGETS: Setting =
    Setting::new("webhook_allowed_targets", "TARGET,...", Shape::List);

/// The keys that encrypt the secrets of webhooks in the database.
pub const WEBHOOK_SECRET_KEYS: Setting =
    Setting::new("webhook_secret_keys", "KEY,...", Shape::List)
        .otherwise("none: secrets are stored in readable form")
        .secret();

/// Where the contents of files are stored.
pub const FILES_URL: Setting = Setting::new("files_url", "URL", Shape::Text).otherwise(
    "with SQLite, the database file with `.files` behind its name; with PostgreSQL `off`",
);

/// The URL of the service with the bucket.
pub const FILES_S3_ENDPOINT: Setting =
    Setting::new("files_s3_endpoint", "URL", Shape::Text).otherwise("that of AWS");

/// The region of the bucket.
pub const FILES_S3_REGION: Setting =
    Setting::new("files_s3_region", "NAME", Shape::Text).default("us-east-1");

/// What requests to the bucket are signed with.
pub const FILES_S3_CREDENTIALS: Setting =
    Setting::new("files_s3_credentials", "static|environment", Shape::Text).default("static");

/// The identifier of the key for the bucket.
pub const FILES_S3_ACCESS_KEY_ID: Setting =
    Setting::new("files_s3_access_key_id", "ID", Shape::Text);

/// The secret of the key for the bucket.
pub const FILES_S3_SECRET_ACCESS_KEY: Setting =
    Setting::new("files_s3_secret_access_key", "KEY", Shape::Text).secret();

/// Whether contents may be sent to the bucket without encryption.
pub const FILES_S3_ALLOW_HTTP: Setting =
    Setting::new("files_s3_allow_http", "true|false", Shape::Switch).default("false");

/// The maximum size of a file.
pub const FILE_SIZE_LIMIT: Setting =
    Setting::new("file_size_limit", "SIZE", Shape::Size).default("50MiB");

/// The maximum number of files of a submission.
pub const FILES_PER_SUBMISSION_LIMIT: Setting =
    Setting::new("files_per_submission_limit", "COUNT", Shape::Size).default("100");

/// The maximum size of all files in a creator's submissions of a form.
pub const CREATOR_FILES_QUOTA: Setting =
    Setting::new("creator_files_quota", "SIZE", Shape::Size).default("1GiB");

/// The room that uploads leave on the disk.
pub const FILES_RESERVE: Setting =
    Setting::new("files_reserve", "SIZE", Shape::Size).default("1GiB");

/// How long a request that uploads files may take.
pub const UPLOAD_TIMEOUT: Setting =
    Setting::new("upload_timeout", "DURATION", Shape::Text).default("30m");

/// How long after its timeout an upload is certain to have ended.
pub const UPLOAD_GRACE: Setting =
    Setting::new("upload_grace", "DURATION", Shape::Text).default("10m");

/// The URL of the database, which every program needs.
pub const DATABASE_URL: Setting = Setting::new("database_url", "URL", Shape::Text)
    .about("Database: `sqlite://FILE`, or `postgres://USER:PASSWORD@HOST/NAME` to run several servers.")
    .default("sqlite://formalize.db")
    .secret();
