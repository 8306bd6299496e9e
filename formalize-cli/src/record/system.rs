//! Tokens, migrations, policies, and inconsistencies of a database.

use std::collections::BTreeMap;

use formalize_core::tokens::ApiToken;
use formalize_sql as sql;
use serde::Serialize;
use serde_json::Value;

use super::date;
use crate::output::{Column, Fit, Record};

/// An API token or a session, without its secret.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Token {
    identifier: String,
    kind: &'static str,
    user_identifier: String,
    attributes: BTreeMap<String, Value>,
    date_created: String,
    date_expires: Option<String>,
    date_last_used: Option<String>,
}

impl Record for Token {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("kind", "kind", Fit::Whole),
        Column::new("user", "userIdentifier", Fit::Whole),
        Column::new("expires", "dateExpires", Fit::Date),
        Column::new("last used", "dateLastUsed", Fit::Date),
        Column::new("created", "dateCreated", Fit::Date),
        Column::new("attributes", "attributes", Fit::CutEnd),
    ];
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "kind",
        "user_identifier",
        "attributes",
        "date_created",
        "date_expires",
        "date_last_used",
    ];
}

impl From<ApiToken> for Token {
    fn from(token: ApiToken) -> Self {
        Self {
            identifier: token.id.to_string(),
            kind: token.kind.as_str(),
            user_identifier: token.user.to_string(),
            attributes: token.attributes,
            date_created: token.date_created.to_string(),
            date_expires: date(token.date_expires),
            date_last_used: date(token.date_last_used),
        }
    }
}

/// A migration of the database's schema.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MigrationStep {
    version: i64,
    description: String,
    state: &'static str,
}

impl MigrationStep {
    pub(crate) fn new(step: sql::MigrationStep, state: &'static str) -> Self {
        Self {
            version: step.version,
            description: step.description,
            state,
        }
    }
}

impl Record for MigrationStep {
    const COLUMNS: &'static [Column] = &[
        Column::new("version", "version", Fit::Whole),
        Column::new("state", "state", Fit::Whole),
        Column::new("description", "description", Fit::CutEnd),
    ];
    const FIELDS: &'static [&'static str] = &["version", "description", "state"];
}

/// An inconsistency in a database.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    kind: &'static str,
    table: Option<&'static str>,
    identifier: Option<String>,
    message: String,
}

impl From<sql::Finding> for Finding {
    fn from(finding: sql::Finding) -> Self {
        Self {
            kind: finding.kind.as_str(),
            table: finding.table,
            identifier: finding.record.map(|record| record.to_string()),
            message: finding.what,
        }
    }
}

impl Record for Finding {
    const COLUMNS: &'static [Column] = &[
        Column::new("kind", "kind", Fit::Whole),
        Column::new("identifier", "identifier", Fit::Whole),
        Column::new("message", "message", Fit::Wrap),
        Column::new("table", "table", Fit::CutEnd),
    ];
    const FIELDS: &'static [&'static str] = &["kind", "table", "identifier", "message"];
}

/// The result of a policy or dynamic group for a user.
#[derive(Debug, Serialize)]
pub(crate) struct Policy {
    /// Its key in the configuration file.
    pub(crate) setting: String,
    pub(crate) holds: bool,
    /// The reason why it could not be evaluated.
    pub(crate) failure: Option<String>,
    /// Its expression, if it is set.
    pub(crate) condition: Option<String>,
}

impl Record for Policy {
    const COLUMNS: &'static [Column] = &[
        Column::new("setting", "setting", Fit::Whole),
        Column::new("holds", "holds", Fit::Whole),
        Column::new("failure", "failure", Fit::Wrap),
    ];
    const FIELDS: &'static [&'static str] = &["setting", "holds", "failure", "condition"];
}
