//! What a deletion would remove.

use formalize_core as core;
use serde::Serialize;

use crate::output::{Column, Fit, Record};

/// The number of records of each kind that a deletion would remove.
#[derive(Debug, Serialize)]
pub(crate) struct Deletion {
    forms: u64,
    submissions: u64,
    drafts: u64,
    groups: u64,
    members: u64,
    resources: u64,
    grants: u64,
    links: u64,
    webhooks: u64,
}

impl From<core::Deletion> for Deletion {
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

impl Record for Deletion {
    const FIELDS: &'static [&'static str] = &[
        "forms",
        "submissions",
        "drafts",
        "groups",
        "members",
        "resources",
        "grants",
        "links",
        "webhooks",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("forms", "forms", Fit::Whole),
        Column::new("submissions", "submissions", Fit::Whole),
        Column::new("drafts", "drafts", Fit::Whole),
        Column::new("groups", "groups", Fit::Whole),
        Column::new("members", "members", Fit::Whole),
        Column::new("resources", "resources", Fit::Whole),
        Column::new("grants", "grants", Fit::Whole),
        Column::new("links", "links", Fit::Whole),
        Column::new("webhooks", "webhooks", Fit::Whole),
    ];
}
