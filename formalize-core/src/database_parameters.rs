//! The query parameters in the URL of a PostgreSQL database.

/// The parameters that the driver supports, from the source of `PgConnectOptions` in sqlx 0.9. The driver logs any
/// other parameter with its value, which may be a password under the name that another client uses.
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

/// Whether the driver supports this parameter.
pub fn is_known(name: &str) -> bool {
    KNOWN.contains(&name) || (name.starts_with("options[") && name.ends_with(']'))
}

/// Whether the value of a parameter may be shown.
#[cfg(feature = "config")]
pub(crate) fn is_shown(name: &str) -> bool {
    name != PASSWORD && KNOWN.contains(&name)
}

/// The parameter with the user's password.
pub const PASSWORD: &str = "password";
