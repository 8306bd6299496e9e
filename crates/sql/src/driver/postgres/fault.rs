//! Maps errors of sqlx to errors of the store.

use formalize_core::StoreError;
use sqlx::migrate::MigrateError;

/// The constructor of a store error from its message.
type Kind = fn(String) -> StoreError;

/// What the states of PostgreSQL mean for a transaction that has not begun to commit. The longest prefix counts; all other
/// states are failures. The states are in appendix A of the manual of PostgreSQL.
const STATES: [(&str, Kind); 18] = [
    // The connection failed, or the server is stopping, starting, or has crashed.
    ("08", StoreError::Disconnected),
    ("57P01", StoreError::Disconnected),
    ("57P02", StoreError::Disconnected),
    ("57P03", StoreError::Disconnected),
    ("57P05", StoreError::Disconnected),
    // The server has become a standby, or has not become the primary yet.
    ("25006", StoreError::Disconnected),
    // The state of a protocol violation, which is a defect of the client.
    ("08P01", StoreError::Failed),
    // A transaction waited too long for a lock.
    ("55P03", StoreError::LockTimeout),
    // A transaction was idle for too long, or took too long.
    ("25P03", StoreError::Unavailable),
    ("57014", StoreError::Unavailable),
    // No memory, no space on disk, too many connections.
    ("53", StoreError::Unavailable),
    // The database was deleted, or does not exist.
    ("57P04", StoreError::Unavailable),
    ("3D000", StoreError::Unavailable),
    // The role, its password, or a rule of `pg_hba.conf`.
    ("28", StoreError::Refused),
    // Concurrent transactions.
    ("40001", StoreError::Conflict),
    ("40P01", StoreError::Conflict),
    ("40003", StoreError::Uncertain),
    // Any other state.
    ("", StoreError::Failed),
];

/// The state with which a standby rejects a transaction that begins with `READ WRITE`. It has other meanings elsewhere.
const NOT_SUPPORTED: &str = "0A000";

/// An error of a statement in a transaction that can still be rolled back, or of a single query.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(super) fn fault(error: sqlx::Error) -> StoreError {
    let kind: Kind = match &error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::WorkerCrashed => {
            StoreError::Disconnected
        }
        sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => StoreError::Unavailable,
        sqlx::Error::Database(error) => kind_of_state(&error.code().unwrap_or_default()),
        _ => StoreError::Failed,
    };
    kind(match &error {
        // Otherwise sqlx adds a line number of PostgreSQL's own source code.
        sqlx::Error::Database(error) => error.message().to_owned(),
        error => error.to_string(),
    })
}

/// An error while connecting. A proxy that has no server closes the connection at once, which sqlx reports as a violation of
/// the protocol.
pub(super) fn connect_fault(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Protocol(text) => StoreError::Disconnected(text),
        error => fault(error),
    }
}

/// An error of the statement that begins a transaction.
pub(super) fn begin_fault(error: sqlx::Error) -> StoreError {
    let is_standby = error
        .as_database_error()
        .is_some_and(|error| error.code().is_some_and(|code| code == NOT_SUPPORTED));
    if is_standby {
        StoreError::Disconnected(error.to_string())
    } else {
        fault(error)
    }
}

/// An error of COMMIT, or of a single statement that writes. If the connection was lost, the transaction may have been
/// committed. A server that shuts down while it waits for a standby has committed, too.
pub(super) fn commit_fault(error: sqlx::Error) -> StoreError {
    let is_read_only = error
        .as_database_error()
        .is_some_and(|error| error.code().is_some_and(|code| code == "25006"));
    match fault(error) {
        StoreError::Disconnected(text) if !is_read_only => StoreError::Uncertain(text),
        error => error,
    }
}

/// Maps an error of sqlx's migrator.
pub(super) fn migration_fault(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => fault(error),
        other => StoreError::Failed(other.to_string()),
    }
}

fn kind_of_state(code: &str) -> Kind {
    STATES
        .iter()
        .filter(|(prefix, _)| code.starts_with(prefix))
        .max_by_key(|(prefix, _)| prefix.len())
        .map_or(StoreError::Failed, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(code: &str) -> &'static str {
        match kind_of_state(code)(String::new()) {
            StoreError::Unavailable(_) => "unavailable",
            StoreError::Disconnected(_) => "disconnected",
            StoreError::Uncertain(_) => "uncertain",
            StoreError::Conflict(_) => "conflict",
            StoreError::LockTimeout(_) => "lock timeout",
            StoreError::Refused(_) => "refused",
            StoreError::Failed(_) => "failed",
            StoreError::NotConfigured(_) => "not configured",
        }
    }

    /// The states of appendix A, by what they mean here. A class stands for all its states that are not named.
    #[test]
    fn every_state_of_postgresql_has_a_meaning() {
        let expected = [
            (
                "disconnected",
                "08000 08003 08006 08001 08004 08007 25006 57P01 57P02 57P03 57P05",
            ),
            (
                "unavailable",
                "25P03 3D000 53000 53100 53200 53300 53400 57014 57P04",
            ),
            ("lock timeout", "55P03"),
            ("refused", "28000 28P01"),
            ("conflict", "40001 40P01"),
            ("uncertain", "40003"),
            (
                "failed",
                "00000 01000 02000 03000 08P01 09000 0A000 0B000 0F000 0L000 0P000 0Z000 20000 21000 22021 22P05 23502 \
                 23503 23505 23514 24000 25000 25001 25P01 25P02 26000 27000 2B000 2D000 2F000 34000 38000 39000 3B000 \
                 3F000 40000 40002 42501 42601 42P01 44000 54000 54001 55000 55006 55P02 55P04 57000 58000 58030 \
                 58P01 72000 F0000 HV000 P0001 XX000 XX001 XX002",
            ),
        ];
        for (meaning, codes) in expected {
            for code in codes.split_whitespace() {
                assert_eq!(kind(code), meaning, "{code}");
            }
        }
        assert_eq!(kind(""), "failed");
    }

    #[test]
    fn an_exhausted_pool_is_unavailable_and_other_errors_fail() {
        assert!(matches!(
            fault(sqlx::Error::PoolTimedOut),
            StoreError::Unavailable(_)
        ));
        assert!(matches!(
            fault(sqlx::Error::RowNotFound),
            StoreError::Failed(_)
        ));
    }

    #[test]
    fn a_lost_connection_leaves_only_a_commit_uncertain() {
        let lost = || sqlx::Error::Io(std::io::ErrorKind::UnexpectedEof.into());
        assert!(matches!(fault(lost()), StoreError::Disconnected(_)));
        assert!(matches!(begin_fault(lost()), StoreError::Disconnected(_)));
        assert!(matches!(commit_fault(lost()), StoreError::Uncertain(_)));
        let closed = || sqlx::Error::Protocol("unexpected response".to_owned());
        assert!(matches!(
            connect_fault(closed()),
            StoreError::Disconnected(_)
        ));
        assert!(matches!(fault(closed()), StoreError::Failed(_)));
    }
}
