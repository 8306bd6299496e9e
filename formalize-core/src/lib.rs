//! Core.

/// Every authorization decision of the system.
pub mod authz {
    pub mod condition;
}
