//! Maps errors of the databases to errors of the store.

#[cfg(feature = "postgres")]
use sqlx::{error::DatabaseError, migrate::MigrateError};

use crate::store::StoreError;

/// Maps an error of sqlx to one of the store, depending on whether the same call may succeed later, or with other
/// credentials.
#[cfg(feature = "postgres")]
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(super) fn fault(error: sqlx::Error) -> StoreError {
    let kind: Kind = match &error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => StoreError::Unavailable,
        sqlx::Error::Database(error) => kind(error.as_ref()),
        _ => StoreError::Failed,
    };
    kind(error.to_string())
}

/// The same error with another message.
pub(super) fn reworded(error: StoreError, words: impl FnOnce(String) -> String) -> StoreError {
    match error {
        StoreError::Unavailable(text) => StoreError::Unavailable(words(text)),
        StoreError::Deadlock(text) => StoreError::Deadlock(words(text)),
        StoreError::Refused(text) => StoreError::Refused(words(text)),
        StoreError::Failed(text) => StoreError::Failed(words(text)),
    }
}

/// Maps an error of sqlx's migrator.
#[cfg(feature = "postgres")]
pub(super) fn migration_fault(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => fault(error),
        other => StoreError::Failed(other.to_string()),
    }
}

/// Adds the version of the failed step to an error. Transient errors are not changed.
pub(super) fn migration_failed(error: StoreError, version: i64) -> StoreError {
    match error {
        StoreError::Failed(cause) => {
            StoreError::Failed(format!("migration {version} failed: {cause}"))
        }
        other @ (StoreError::Unavailable(_) | StoreError::Deadlock(_) | StoreError::Refused(_)) => {
            other
        }
    }
}

pub(super) fn newer_database() -> StoreError {
    StoreError::Failed(
        "the database was migrated by a newer version of formalize; upgrade this program"
            .to_owned(),
    )
}

/// Maps an error of SQLite to one of the store.
#[cfg(feature = "sqlite")]
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(super) fn sqlite_fault(error: rusqlite::Error) -> StoreError {
    let passes = error
        .sqlite_error()
        .is_some_and(|cause| is_passing_result(cause.extended_code));
    if passes {
        StoreError::Unavailable(error.to_string())
    } else {
        StoreError::Failed(error.to_string())
    }
}

/// The constructor of a store error from its message.
#[cfg(feature = "postgres")]
type Kind = fn(String) -> StoreError;

#[cfg(feature = "postgres")]
fn kind(error: &(dyn DatabaseError + 'static)) -> Kind {
    kind_of_state(&error.code().unwrap_or_default())
}

/// The SQLSTATE class of a server that rejects the role or its credentials.
#[cfg(feature = "postgres")]
const INVALID_AUTHORIZATION: &str = "28";

/// The SQLSTATE of a transaction that was rolled back because of a deadlock.
#[cfg(feature = "postgres")]
const DEADLOCK_DETECTED: &str = "40P01";

#[cfg(feature = "postgres")]
fn kind_of_state(code: &str) -> Kind {
    if code.starts_with(INVALID_AUTHORIZATION) {
        StoreError::Refused
    } else if code == DEADLOCK_DETECTED {
        StoreError::Deadlock
    } else if is_passing_state(code) {
        StoreError::Unavailable
    } else {
        StoreError::Failed
    }
}

/// Classes: lost connections, exhausted resources, shutdowns. Codes: conflicts between transactions, timeouts.
#[cfg(feature = "postgres")]
fn is_passing_state(code: &str) -> bool {
    const CLASSES: [&str; 3] = ["08", "53", "57P0"];
    const CODES: [&str; 4] = ["40001", "55P03", "57014", "25P03"];
    CLASSES.iter().any(|class| code.starts_with(class)) || CODES.contains(&code)
}

/// Busy, locked, out of memory, I/O error, disk full, cannot open, lock protocol. The lower eight bits are the primary
/// result code.
#[cfg(feature = "sqlite")]
fn is_passing_result(code: i32) -> bool {
    matches!(code & 0xff, 5 | 6 | 7 | 10 | 13 | 14 | 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "postgres")]
    fn transient_postgres_states_are_recognized() {
        for code in ["08006", "53300", "57P01", "57P03", "40001", "55P03"] {
            assert!(is_passing_state(code), "{code}");
        }
        for code in ["23505", "42601", "22021", "28P01", "3D000", ""] {
            assert!(!is_passing_state(code), "{code}");
        }
        assert!(matches!(
            kind_of_state("40P01")(String::new()),
            StoreError::Deadlock(_)
        ));
    }

    #[test]
    #[cfg(feature = "postgres")]
    fn postgres_states_of_invalid_credentials_are_recognized() {
        for code in ["28P01", "28000"] {
            assert!(matches!(
                kind_of_state(code)(String::new()),
                StoreError::Refused(_)
            ));
        }
        for code in ["42501", "3D000", "08006"] {
            assert!(!matches!(
                kind_of_state(code)(String::new()),
                StoreError::Refused(_)
            ));
        }
    }

    #[test]
    #[cfg(feature = "sqlite")]
    fn transient_sqlite_results_are_recognized() {
        let (busy, busy_snapshot, io_read) = (5, 517, 266);
        assert!(
            [busy, busy_snapshot, io_read]
                .into_iter()
                .all(is_passing_result)
        );
        let (error, unique, corrupt) = (1, 2067, 11);
        assert!(!([error, unique, corrupt].into_iter().any(is_passing_result)));
    }

    #[test]
    #[cfg(feature = "postgres")]
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
}
