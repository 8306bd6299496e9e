//! What can be wrong with a configuration.

use std::path::PathBuf;

use super::suggestion;

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{}, line {line}, column {column}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// Some settings are wrong: all that are, in the order of their keys.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
}

/// What is wrong with one setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {message}")]
pub struct Problem {
    /// The full key in the notation of TOML, such as `policies.create_forms`.
    pub key: String,
    /// What is wrong with it. It never repeats the value, which may be secret.
    pub message: String,
}

impl From<Problem> for ConfigError {
    fn from(problem: Problem) -> Self {
        Self::Invalid(vec![problem])
    }
}

/// A text that is not a value of a setting; it holds what would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be {0}")]
pub struct InvalidSetting(pub &'static str);

impl Problem {
    /// The problem of a key that does not exist, with the nearest of the `known` ones if there is
    /// one that it may have been meant to be. `table` is the key of the table, or empty for the
    /// outermost one.
    pub fn unknown_key(table: &str, key: &str, known: &[&str]) -> Self {
        let nearest = suggestion::nearest(key, known.iter().copied());
        Self {
            key: join(table, key),
            message: format!("unknown key{}", did_you_mean(nearest)),
        }
    }
}

/// The key of a member of a table, quoted where TOML needs it.
pub(super) fn join(table: &str, key: &str) -> String {
    let bare = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    let quoted = if key.is_empty() || !key.chars().all(bare) {
        format!("{key:?}")
    } else {
        key.to_owned()
    };
    if table.is_empty() {
        quoted
    } else {
        format!("{table}.{quoted}")
    }
}

/// What is appended to a message about an unknown name.
pub(super) fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| {
        format!(", did you mean `{nearest}`?")
    })
}

fn lines(problems: &[Problem]) -> String {
    problems
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}
