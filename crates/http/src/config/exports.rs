//! The settings of exports.

use std::{fmt, fs, path::PathBuf, str::FromStr, time::Duration};

use formalize_core::config::{InvalidSetting, Problem, Sources};

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
        // All settings are read before the first `?`, so that all problems are reported.
        let limit = sources.value(&setting::EXPORT_LIMIT);
        let timeout = sources.value(&setting::EXPORT_TIMEOUT);
        let spool_limit = sources.value(&setting::EXPORT_SPOOL_LIMIT);
        let folder = sources.optional::<ExportFolder>(&setting::EXPORT_FOLDER);
        Ok(Self {
            limit: limit?,
            timeout: timeout?,
            spool_limit: spool_limit?,
            folder: folder?.unwrap_or_default(),
        })
    }
}

impl Default for ExportSettings {
    fn default() -> Self {
        Self {
            limit: Count(2),
            timeout: ExportTimeout(Duration::from_mins(10)),
            spool_limit: SpoolSize(ByteSize(1 << 30)),
            folder: ExportFolder::default(),
        }
    }
}

/// How long reading the rows of an export may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportTimeout(pub Duration);

impl FromStr for ExportTimeout {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let Timeout(time) = text.parse()?;
        if !(Duration::from_secs(1)..=Duration::from_hours(24)).contains(&time) {
            return Err(InvalidSetting("from `1s` to `24h`"));
        }
        Ok(Self(time))
    }
}

impl fmt::Display for ExportTimeout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Timeout(self.0).fmt(formatter)
    }
}

/// How much of an export is written before the client has taken it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpoolSize(pub ByteSize);

impl FromStr for SpoolSize {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let size: ByteSize = text.parse()?;
        if size.0 < 1 << 20 {
            return Err(InvalidSetting("at least `1MiB`"));
        }
        Ok(Self(size))
    }
}

impl fmt::Display for SpoolSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
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
