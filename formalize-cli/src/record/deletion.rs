//! What a deletion would remove.

use formalize_views::{View, deletion::DeletedRecords};

use crate::output::{Column, Fit, Record};

impl Record for DeletedRecords {
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
    const FIELDS: &'static [&'static str] = Self::DECLARED;
}
