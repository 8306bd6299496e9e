//! What a deletion would remove.

use formalize_core as core;

use crate::view::view;

view! {
    /// What a deletion would remove.
    struct Deletion {
        /// The number of records of each kind.
        deletes: DeletedRecords,
    }
}

view! {
    /// The number of records of each kind.
    struct DeletedRecords {
        /// Forms.
        forms: u64,
        /// Submitted submissions.
        submissions: u64,
        /// Drafts.
        drafts: u64,
        /// Groups.
        groups: u64,
        /// Memberships.
        members: u64,
        /// Resources. The collection of a form's submissions counts as the form, and submissions are resources only in
        /// grant-based forms.
        resources: u64,
        /// Grants.
        grants: u64,
        /// Public links.
        links: u64,
        /// Webhooks of the form. They still send what happened before the deletion.
        webhooks: u64,
    }
}

impl From<core::Deletion> for DeletedRecords {
    fn from(deletion: core::Deletion) -> Self {
        Self {
            forms: deletion.forms,
            submissions: deletion.submissions,
            drafts: deletion.drafts,
            groups: deletion.groups,
            members: deletion.members,
            resources: deletion.resources,
            grants: deletion.grants,
            links: deletion.links,
            webhooks: deletion.webhooks,
        }
    }
}

impl From<core::Deletion> for Deletion {
    fn from(deletion: core::Deletion) -> Self {
        Self {
            deletes: deletion.into(),
        }
    }
}
