//! Files of submissions.

use serde::Serialize;

use crate::output::{Column, Fit, Record};

/// A hold on files.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileHold {
    identifier: String,
    date_ends: String,
}

impl Record for FileHold {
    const FIELDS: &'static [&'static str] = &["identifier", "dateEnds"];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Whole),
        Column::new("ends", "dateEnds", Fit::Date),
    ];
}

impl From<formalize_core::FileHold> for FileHold {
    fn from(hold: formalize_core::FileHold) -> Self {
        Self {
            identifier: hold.id.to_string(),
            date_ends: hold.date_ends.to_string(),
        }
    }
}
