//! Public links.

use formalize_core::links::LinkCap;
use serde::Serialize;

use super::date;
use crate::output::{Column, Fit, Record};

/// A public link to a form, without its URL.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FormLink {
    identifier: String,
    form_identifier: String,
    label: Option<String>,
    expires: Option<String>,
    max_num_submissions: Option<i64>,
    num_submissions: i64,
    once_per_browser: bool,
    embed_origins: Vec<String>,
    date_created: String,
    creator_id: String,
}

impl Record for FormLink {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "formIdentifier",
        "label",
        "expires",
        "maxNumSubmissions",
        "numSubmissions",
        "oncePerBrowser",
        "embedOrigins",
        "dateCreated",
        "creatorId",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("label", "label", Fit::CutEnd),
        Column::new("submissions", "numSubmissions", Fit::Whole),
        Column::new("max", "maxNumSubmissions", Fit::Whole),
        Column::new("expires", "expires", Fit::Date),
        Column::new("created", "dateCreated", Fit::Date),
        Column::new("creator", "creatorId", Fit::CutEnd),
    ];
}

impl From<formalize_core::links::FormLink> for FormLink {
    fn from(link: formalize_core::links::FormLink) -> Self {
        Self {
            identifier: link.id.to_string(),
            form_identifier: link.form.to_string(),
            label: link.label.map(|label| label.as_str().to_owned()),
            expires: date(link.date_expires),
            max_num_submissions: link.cap.map(LinkCap::get),
            num_submissions: link.num_submissions,
            once_per_browser: link.once_per_browser,
            embed_origins: link.embed_origins.iter().map(str::to_owned).collect(),
            date_created: link.date_created.to_string(),
            creator_id: link.creator.to_string(),
        }
    }
}
