//! What a collection consists of.

use std::sync::Arc;

use formalize_core::{FormFilter, FormId, ResourceFilter, SubmissionFilter};

use crate::base::Selection;

/// What a collection consists of.
#[derive(Debug, Clone)]
pub(crate) enum Rows {
    Forms(FormFilter),
    Submissions(FormId, SubmissionFilter),
    Grants(ResourceFilter),
    ClassActions,
    Directory(Arc<Selection>),
    Nothing,
}
