//! What a deletion would remove.

use formalize_views::{deletion::DeletedRecords, field_names};

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

    fn fields() -> Vec<String> {
        field_names::<Self>()
    }
}
