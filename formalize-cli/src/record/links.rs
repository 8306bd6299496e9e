//! Public links.

use formalize_views::{View, link::FormLink};

use crate::output::{Column, Fit, Record};

impl Record for FormLink {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("label", "label", Fit::CutEnd),
        Column::new("submissions", "numSubmissions", Fit::Whole),
        Column::new("max", "maxNumSubmissions", Fit::Whole),
        Column::new("expires", "expires", Fit::Date),
        Column::new("created", "dateCreated", Fit::Date),
        Column::new("creator", "creatorId", Fit::CutEnd),
    ];
    const FIELDS: &'static [&'static str] = Self::DECLARED;
    /// The URL is printed by itself when a link is created.
    const OMITTED: &'static [&'static str] = &["url"];
}
