//! The query plans of statements, for a test that examines all of them. Without the feature `plans`, nothing is
//! recorded.

use std::panic::Location;

/// The places in the source code where a statement was built. Empty without the feature.
#[derive(Debug, Clone, Default)]
pub(in crate::store::sql) struct Places(Vec<&'static Location<'static>>);

impl Places {
    /// Adds the place of the call.
    #[cfg_attr(feature = "plans", track_caller)]
    pub(in crate::store::sql) fn add_caller(&mut self) {
        if cfg!(feature = "plans") {
            self.0.push(Location::caller());
        }
    }

    /// Adds the places of another part of the statement.
    pub(in crate::store::sql) fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    #[cfg(feature = "plans")]
    pub(super) fn to_vec(&self) -> Vec<&'static Location<'static>> {
        self.0.clone()
    }
}
