//! What the author of a form may not have meant.

use super::Shared;
use crate::model::warning::FormWarning;
use crate::schema::{DataSchema, FileRules};

impl Shared {
    /// Whether files can be uploaded, here or to another program of the same service.
    pub(super) fn takes_files(&self) -> bool {
        self.files.store.is_some() || self.files.is_elsewhere
    }
}

/// What the author of a schema may not have meant, for a service that takes files or does not.
pub(super) fn warnings(schema: &DataSchema, takes_files: bool) -> Vec<FormWarning> {
    let lacks_files = !takes_files && *schema.file_rules() != FileRules::NO_FILES;
    let warning = lacks_files.then_some(FormWarning::FilesNotTaken);
    warning.into_iter().collect()
}
