//! What a deletion removes.

/// The number of records of each kind that a deletion removes.
///
/// A form has two resources, the form itself and the collection of its submissions. They count as one. Submissions are
/// resources only in grant-based forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deletion {
    /// Forms.
    pub forms: u64,
    /// Submitted submissions.
    pub submissions: u64,
    /// Drafts.
    pub drafts: u64,
    /// Groups.
    pub groups: u64,
    /// Memberships.
    pub members: u64,
    /// Resources.
    pub resources: u64,
    /// Grants.
    pub grants: u64,
    /// Public links.
    pub links: u64,
    /// Webhooks of the form. They still send what happened before the deletion.
    pub webhooks: u64,
}
