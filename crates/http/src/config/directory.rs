//! The settings of the directory.

use std::path::PathBuf;

use formalize_core::{
    config::{Problem, Sources, setting::Setting},
    worded_setting,
};

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

worded_setting! {
    UnknownPeople, "`echo` or `not-found`": "echo" = Echo, "not-found" = NotFound
}
