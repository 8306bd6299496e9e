//! Errors of the store that both databases have.

use formalize_core::StoreError;

pub(crate) fn unavailable(why: &str) -> StoreError {
    StoreError::Unavailable(why.to_owned())
}

/// A statement came after the end.
pub(super) fn ended() -> StoreError {
    StoreError::Failed("the transaction has ended".to_owned())
}

/// The same error with another message.
pub(super) fn reworded(error: StoreError, words: impl FnOnce(String) -> String) -> StoreError {
    match error {
        StoreError::Unavailable(text) => StoreError::Unavailable(words(text)),
        StoreError::Disconnected(text) => StoreError::Disconnected(words(text)),
        StoreError::Uncertain(text) => StoreError::Uncertain(words(text)),
        StoreError::Conflict(text) => StoreError::Conflict(words(text)),
        StoreError::LockTimeout(text) => StoreError::LockTimeout(words(text)),
        StoreError::Refused(text) => StoreError::Refused(words(text)),
        StoreError::Failed(text) => StoreError::Failed(words(text)),
        StoreError::NotConfigured(_) => error,
    }
}

/// Adds the version of the failed step to an error. Transient errors are not changed.
pub(super) fn migration_failed(error: StoreError, version: i64) -> StoreError {
    match error {
        StoreError::Failed(cause) => {
            StoreError::Failed(format!("migration {version} failed: {cause}"))
        }
        other => other,
    }
}

pub(super) fn newer_database() -> StoreError {
    StoreError::Failed(
        "the database was migrated by a newer version of formalize; upgrade this program"
            .to_owned(),
    )
}
