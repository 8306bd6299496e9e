//! What the author of a form may not have meant.

use formalize_schema::internals::misspelled;
use formalize_schema::{DataSchema, FileRules, parse_json};

use crate::model::warning::FormWarning;
use crate::service::Shared;

impl Shared {
    /// Whether files can be uploaded, here or to another program of the same service.
    pub(super) fn takes_files(&self) -> bool {
        self.forms.files.store.is_some() || self.forms.files.is_elsewhere
    }
}

/// What the author of a schema may not have meant, for a service that takes files or does not.
pub(super) fn warnings(schema: &DataSchema, takes_files: bool) -> Vec<FormWarning> {
    let lacks_files = lacks_files(schema, takes_files).then_some(FormWarning::FilesNotTaken);
    let document = parse_json(schema.text()).unwrap_or_default();
    let misspelled = misspelled(&document).into_iter();
    let misspelled = misspelled.map(|one| FormWarning::Misspelled {
        pointer: one.pointer,
        written: one.written,
        keyword: one.keyword,
    });
    lacks_files.into_iter().chain(misspelled).collect()
}

/// Whether a schema has rules about files that the service does not take.
pub(super) fn lacks_files(schema: &DataSchema, takes_files: bool) -> bool {
    !takes_files && *schema.file_rules() != FileRules::NO_FILES
}
