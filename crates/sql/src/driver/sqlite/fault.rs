//! Maps errors of SQLite to errors of the store.

use formalize_core::StoreError;

/// Maps an error of SQLite to one of the store.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(super) fn fault(error: rusqlite::Error) -> StoreError {
    let passes = error
        .sqlite_error()
        .is_some_and(|cause| is_passing_result(cause.extended_code));
    if passes {
        StoreError::Unavailable(error.to_string())
    } else {
        StoreError::Failed(error.to_string())
    }
}

/// Busy, locked, out of memory, I/O error, disk full, cannot open, lock protocol. The lower eight bits are the primary
/// result code.
fn is_passing_result(code: i32) -> bool {
    matches!(code & 0xff, 5 | 6 | 7 | 10 | 13 | 14 | 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
}
