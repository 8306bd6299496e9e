//! Public links.

use formalize_views::{field_names, link::FormLink};

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

    /// All but the URL, which is printed by itself when a link is created.
    fn fields() -> Vec<String> {
        let names = field_names::<Self>().into_iter();
        names.filter(|name| name != "url").collect()
    }
}
