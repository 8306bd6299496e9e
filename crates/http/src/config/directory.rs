//! The settings of the directory.

use std::{fmt, path::PathBuf, str::FromStr};

use formalize_core::config::{InvalidSetting, Problem, Sources, setting::Setting};

use super::{OrOff, setting};
use crate::directory::{Directory, DirectoryFile, Kind};

/// The settings of the directory.
#[derive(Debug, Clone, Default)]
pub struct DirectorySettings {
    /// The records of its files.
    pub records: Directory,
    /// What is known of people who are in no file.
    pub unknown_people: UnknownPeople,
}

impl DirectorySettings {
    /// Reads the settings, and the files.
    pub(super) fn read(sources: &mut Sources) -> Result<Self, Problem> {
        // All settings are read before the first `?`, so that all problems are reported.
        let files = [
            (Kind::People, setting::DIRECTORY_PEOPLE),
            (Kind::Organizations, setting::DIRECTORY_ORGANIZATIONS),
            (Kind::Courses, setting::DIRECTORY_COURSES),
            (Kind::Rooms, setting::DIRECTORY_ROOMS),
        ]
        .map(|(kind, setting)| open(sources, kind, &setting));
        let unknown_people = sources.value(&setting::DIRECTORY_UNKNOWN_PEOPLE);
        let files: Vec<_> = files.into_iter().collect::<Result<_, _>>()?;
        Ok(Self {
            records: Directory::new(files.into_iter().flatten()),
            unknown_people: unknown_people?,
        })
    }
}

fn open(
    sources: &mut Sources,
    kind: Kind,
    setting: &Setting,
) -> Result<Option<DirectoryFile>, Problem> {
    let OrOff(Some(path)) = sources.value::<OrOff<String>>(setting)? else {
        return Ok(None);
    };
    let opened = DirectoryFile::open(kind, &PathBuf::from(path));
    opened.map(Some).map_err(|problem| Problem {
        key: setting.key.to_owned(),
        message: problem.to_string(),
    })
}

/// What is known of people who are in no file of the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownPeople {
    /// Their name is their identifier.
    #[default]
    Echo,
    /// Nothing: they are not found.
    NotFound,
}

impl FromStr for UnknownPeople {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        match text {
            "echo" => Ok(Self::Echo),
            "not-found" => Ok(Self::NotFound),
            _ => Err(InvalidSetting("`echo` or `not-found`")),
        }
    }
}

impl fmt::Display for UnknownPeople {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Echo => "echo",
            Self::NotFound => "not-found",
        })
    }
}
