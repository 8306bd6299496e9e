//! Maps errors of sqlx to errors of the store.

use sqlx::{error::DatabaseError, migrate::MigrateError};

use crate::store::StoreError;

/// Maps an error of sqlx to one of the store, depending on whether the same call may succeed later, or with other
/// credentials.
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

/// Maps an error of sqlx's migrator.
pub(super) fn migration_fault(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => fault(error),
        other => StoreError::Failed(other.to_string()),
    }
}

/// The constructor of a store error from its message.
type Kind = fn(String) -> StoreError;

fn kind(error: &(dyn DatabaseError + 'static)) -> Kind {
    kind_of_state(&error.code().unwrap_or_default())
}

/// The SQLSTATE class of a server that rejects the role or its credentials.
const INVALID_AUTHORIZATION: &str = "28";

/// The SQLSTATE of a transaction that was rolled back because of a deadlock.
const DEADLOCK_DETECTED: &str = "40P01";

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
fn is_passing_state(code: &str) -> bool {
    const CLASSES: [&str; 3] = ["08", "53", "57P0"];
    const CODES: [&str; 4] = ["40001", "55P03", "57014", "25P03"];
    CLASSES.iter().any(|class| code.starts_with(class)) || CODES.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
