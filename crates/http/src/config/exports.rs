//! The settings of exports.

use std::{fmt, fs, path::PathBuf, str::FromStr, time::Duration};

use formalize_core::{
    bounded_settings,
    config::{InvalidSetting, Problem, Sources},
};

use super::{ByteSize, Count, Timeout, setting};

/// The settings of exports.
#[derive(Debug, Clone)]
pub struct ExportSettings {
    /// The maximum number of exports at a time.
    pub limit: Count,
    /// How long reading the rows of an export may take.
    pub timeout: ExportTimeout,
    /// How much is written before the client has taken it.
    pub spool_limit: SpoolSize,
    /// Where exports are written before they are sent.
    pub folder: ExportFolder,
}

impl ExportSettings {
    pub(super) fn read(sources: &mut Sources) -> Result<Self, Problem> {
        Ok(read_all! {
            limit: sources.value(&setting::EXPORT_LIMIT),
            timeout: sources.value(&setting::EXPORT_TIMEOUT),
            spool_limit: sources.value(&setting::EXPORT_SPOOL_LIMIT),
            folder: sources.optional(&setting::EXPORT_FOLDER).map(Option::unwrap_or_default),
        })
    }
}

impl Default for ExportSettings {
    fn default() -> Self {
        Self {
            limit: Count(2),
            timeout: ExportTimeout(Duration::from_mins(10)),
            spool_limit: SpoolSize(1 << 30),
            folder: ExportFolder::default(),
        }
    }
}

bounded_settings! {
    /// How long reading the rows of an export may take.
    pub ExportTimeout(Duration) = Timeout in Duration::from_secs(1)..=Duration::from_hours(24), "from `1s` to `24h`";
    /// How much of an export is written before the client has taken it.
    pub SpoolSize(usize) = ByteSize in (1 << 20).., "at least `1MiB`";
}

/// A folder for exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFolder(pub PathBuf);

impl Default for ExportFolder {
    /// The folder of the system for temporary files.
    fn default() -> Self {
        Self(std::env::temp_dir())
    }
}

impl FromStr for ExportFolder {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        match fs::metadata(text) {
            Ok(folder) if folder.is_dir() => Ok(Self(text.into())),
            _ => Err(InvalidSetting("a folder that exists")),
        }
    }
}

impl fmt::Display for ExportFolder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(formatter)
    }
}
