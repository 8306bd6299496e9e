//! Macros for the whole crate.

/// Returns the error unless the condition is true.
macro_rules! ensure {
    ($condition:expr, $error:expr) => {
        if !$condition {
            return Err($error.into());
        }
    };
}
