//! The configuration of files.

use std::sync::Arc;

use super::FileLimits;
use crate::file_store::FileStore;
use crate::service::Builder;

impl Builder {
    /// Sets the store for the contents of files. Without one, files can be neither uploaded nor read.
    ///
    /// ```
    /// # use formalize_conformance::example::*; run(async || {
    /// use formalize_core::file_store::memory::MemoryFileStore;
    ///
    /// let formalize = Formalize::builder(Arc::new(MemoryStore::new()))
    ///     .file_store(Arc::new(MemoryFileStore::default()))
    ///     .file_limits(FileLimits { creator_quota: None, ..FileLimits::default() })
    ///     .build()
    ///     .await?;
    /// # Ok(()) });
    /// ```
    #[must_use]
    pub fn file_store(mut self, store: Arc<dyn FileStore>) -> Self {
        self.forms.files.store = Some(store);
        self
    }

    setters! {
        /// Says that the service takes files, for a program that works on its database without the contents of files. Authors
        /// of forms are then not warned that files are not configured.
        files_elsewhere(are_elsewhere: bool) => forms.files.is_elsewhere;

        /// Sets how much may be uploaded.
        file_limits(limits: FileLimits) => forms.files.limits;
    }
}
