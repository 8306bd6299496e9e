//! Errors of a configuration.

use std::path::PathBuf;

use formalize_schema::nearest_name;

/// Why a configuration is invalid.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file in the working directory belongs to somebody else, who could make the program do what they want.
    #[error(
        "{} in the working directory belongs to another user and is not read; start the program in another folder, or name the \
         file with --config",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is not valid TOML.
    #[error("{}, line {line}, column {column}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// The problem.
        message: String,
    },
    /// Settings are invalid: every problem, in the order of the keys.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
}

/// The problem of one setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {message}")]
pub struct Problem {
    /// The full TOML key, such as `policies.create_forms`.
    pub key: String,
    /// The problem. It never repeats the value, which may be secret.
    pub message: String,
}

impl From<Problem> for ConfigError {
    fn from(problem: Problem) -> Self {
        Self::Invalid(vec![problem])
    }
}

/// The value of a setting is invalid; this describes valid ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be {0}")]
pub struct InvalidSetting(pub &'static str);

impl Problem {
    /// The problem of an unknown key, with a suggestion if one of the `known` keys is similar. `table` is the key of the
    /// table, or empty for the top level.
    pub fn unknown_key(table: &str, key: &str, known: &[&str]) -> Self {
        let nearest = nearest_name(key, known.iter().copied());
        Self {
            key: join(table, key),
            message: format!("unknown key{}", did_you_mean(nearest)),
        }
    }
}

/// The full key of a table entry, quoted where TOML requires it.
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

/// The suggestion in a message about an unknown name.
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
