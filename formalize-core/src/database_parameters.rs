//! The parameters that the URL of a PostgreSQL database may have.

/// What the driver reads, by the source of `PgConnectOptions` in sqlx 0.9. It would write any other parameter to the log
/// with its value, which may be a password by a name that it has elsewhere.
const KNOWN: [&str; 18] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "ssl-mode",
    "ssl-root-cert",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

/// Whether the driver reads a parameter of this name.
#[cfg(feature = "postgres")]
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name) || (name.starts_with("options[") && name.ends_with(']'))
}

/// Whether a parameter's value may be shown.
#[cfg(feature = "config")]
pub(crate) fn is_shown(name: &str) -> bool {
    name != PASSWORD && KNOWN.contains(&name)
}

/// The parameter that is the user's password.
pub(crate) const PASSWORD: &str = "password";
