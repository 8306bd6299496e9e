//! The settings of files, and of the requests that send them.

use std::time::Duration;

use formalize_core::config::{FileSettings, Problem, Sources};

use super::{ByteSize, Count, Timeout, setting};

/// The settings of files, and of the requests that send them.
#[derive(Debug, Clone)]
pub struct UploadSettings {
    /// Those that all programs on the database have in common.
    pub shared: FileSettings,
    /// The maximum size of a request with files.
    pub limit: ByteSize,
    /// The maximum number of requests at a time that send files.
    pub at_once: Count,
    /// How often the contents of files are deleted that belong to no submission.
    pub sweep_interval: Duration,
}

impl UploadSettings {
    pub(super) fn read(sources: &mut Sources) -> Result<Self, Problem> {
        Ok(read_all! {
            shared: FileSettings::read(sources),
            limit: sources.value(&setting::UPLOAD_LIMIT),
            at_once: sources.value(&setting::UPLOADS_AT_ONCE),
            sweep_interval: sources.value(&setting::FILE_SWEEP_INTERVAL).map(|Timeout(time)| time),
        })
    }
}
