//! Reads settings from flags, environment and file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use toml::{Table, Value};

use super::error::{ConfigError, Problem};
use super::setting::{Fallback, Setting, Shape};
use super::{Settings, kind_of, read_file};

mod owner;
#[cfg(test)]
mod tests;

/// The file that is read by default, if it exists.
pub const DEFAULT_FILE: &str = "formalize.toml";

/// The prefix of all environment variables.
const VARIABLES: &str = "FORMALIZE_";

/// The sources of settings: a flag overrides the environment, which overrides the file, which overrides the default.
///
/// An invalid value is returned as a problem and also kept, so that [`finish`](Self::finish) reports all of them at
/// once. The file is checked even where another source overrides it.
///
/// ```
/// use formalize_core::config::{DatabaseUrl, Sources, setting};
///
/// let mut sources = Sources::new("database_url = 'sqlite://file.db'".parse()?)
///     .flag(&setting::DATABASE_URL, "sqlite://flag.db");
/// let url = sources.value::<DatabaseUrl>(&setting::DATABASE_URL);
/// let library = sources.library();
/// sources.finish(&[])?;
/// assert_eq!(url?.expose(), "sqlite://flag.db");
/// assert!(library.policies.administrators.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sources {
    flags: BTreeMap<&'static str, String>,
    environment: BTreeMap<String, OsString>,
    table: Table,
    has_file: bool,
    /// The keys that were read.
    known: Vec<String>,
    effective: Table,
    problems: Vec<Problem>,
}

/// A value as it was written.
struct Given {
    /// Its source: the name of the flag, variable or key.
    source: String,
    /// A single text, or any number for lists.
    texts: Vec<String>,
}

impl Sources {
    /// Settings from a file only.
    pub fn new(table: Table) -> Self {
        Self {
            flags: BTreeMap::new(),
            environment: BTreeMap::new(),
            table,
            has_file: true,
            known: Vec::new(),
            effective: Table::new(),
            problems: Vec::new(),
        }
    }

    /// Settings from the given file, or from [`DEFAULT_FILE`] if it exists, and from the environment.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not valid TOML.
    pub fn open(file: Option<&Path>) -> Result<Self, ConfigError> {
        let default = Path::new(DEFAULT_FILE);
        let table = match file {
            Some(file) => Some(read_file(file)?),
            None if default.exists() => {
                let text = std::io::read_to_string(owner::open(default)?);
                Some(super::table_of(default, text)?)
            }
            None => None,
        };
        Ok(Self {
            has_file: table.is_some(),
            table: table.unwrap_or_default(),
            ..Self::environment()
        })
    }

    /// Settings from the environment only.
    pub fn environment() -> Self {
        let named = |(name, value): (OsString, _)| Some((name.into_string().ok()?, value));
        let variables = std::env::vars_os().filter_map(named);
        Self {
            environment: variables
                .filter(|(name, _)| name.starts_with(VARIABLES))
                .collect(),
            has_file: false,
            ..Self::new(Table::new())
        }
    }

    /// Whether there is a file.
    pub fn has_file(&self) -> bool {
        self.has_file
    }

    /// Adds the value of a flag.
    #[must_use]
    pub fn flag(mut self, setting: &Setting, text: impl Into<String>) -> Self {
        self.flags.insert(setting.key, text.into());
        self
    }

    /// Adds an environment variable. An empty variable is treated as unset.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<OsString>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    /// The value of a setting.
    ///
    /// # Errors
    ///
    /// If it is invalid or missing.
    pub fn value<T>(&mut self, setting: &Setting) -> Result<T, Problem>
    where
        T: FromStr<Err: Display> + Display,
    {
        let value = self.optional(setting)?;
        value.ok_or_else(|| self.note(setting.key, "must be set"))
    }

    /// The value of an optional setting.
    ///
    /// # Errors
    ///
    /// If it is invalid.
    pub fn optional<T>(&mut self, setting: &Setting) -> Result<Option<T>, Problem>
    where
        T: FromStr<Err: Display> + Display,
    {
        Ok(self.list(setting)?.into_iter().next())
    }

    /// The values of a list.
    ///
    /// # Errors
    ///
    /// If one of them is invalid.
    pub fn list<T>(&mut self, setting: &Setting) -> Result<Vec<T>, Problem>
    where
        T: FromStr<Err: Display> + Display,
    {
        let in_file = self.in_file(setting).and_then(parsed_if_any);
        let found = self.overridden(setting).and_then(parsed_if_any);
        let values = match (found, in_file) {
            (Ok(found), Ok(in_file)) => match found.or(in_file) {
                Some(values) => Ok(values),
                None => defaults(setting),
            },
            (Err(problem), Err(other)) => {
                self.problems.push(other);
                Err(problem)
            }
            (Err(problem), Ok(_)) | (Ok(_), Err(problem)) => Err(problem),
        };
        match values {
            Ok(values) => {
                self.show(setting, &values);
                Ok(values.into_iter().map(|(_, value)| value).collect())
            }
            Err(problem) => Err(self.keep(problem)),
        }
    }

    /// The valid settings of the library. Problems are kept for [`finish`](Self::finish).
    pub fn library(&mut self) -> Settings {
        for key in Settings::KEYS {
            self.known.push(key.to_owned());
            if let Some(value) = self.table.get(key) {
                self.effective.insert(key.to_owned(), value.clone());
            }
        }
        let (settings, problems) = Settings::read(&mut self.table);
        self.problems.extend(problems);
        settings
    }

    /// The value of a top-level key of the file, read by a function that adds its problems to the list.
    pub fn part<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(Value, &mut Vec<Problem>) -> T,
    ) -> Option<T> {
        self.known.push(key.to_owned());
        let value = self.table.remove(key)?;
        self.effective.insert(key.to_owned(), value.clone());
        Some(read(value, &mut self.problems))
    }

    /// Keeps a problem for [`finish`](Self::finish), and returns it.
    fn note(&mut self, key: impl Into<String>, message: impl Into<String>) -> Problem {
        self.keep(Problem {
            key: key.into(),
            message: message.into(),
        })
    }

    fn keep(&mut self, problem: Problem) -> Problem {
        self.problems.push(problem.clone());
        problem
    }

    /// The settings that were read, in the form of a file, without secrets.
    ///
    /// Other keys in the file are errors, except `foreign` ones, which belong to another program.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Invalid`] with every problem, unknown keys included.
    pub fn finish(mut self, foreign: &[&str]) -> Result<Table, ConfigError> {
        let known: Vec<&str> = self.known.iter().map(String::as_str).collect();
        let known = [known.as_slice(), foreign].concat();
        let unknown = self
            .table
            .keys()
            .filter(|key| !known.contains(&key.as_str()));
        let unknown = unknown.map(|key| Problem::unknown_key("", key, &known));
        self.problems.extend(unknown);
        self.problems.sort_by(|a, b| a.key.cmp(&b.key));
        let is_valid = self.problems.is_empty();
        ensure!(is_valid, ConfigError::Invalid(self.problems));
        Ok(self.effective)
    }

    /// The value from the command line or the environment.
    fn overridden(&mut self, setting: &Setting) -> Result<Option<Given>, Problem> {
        let (source, text) = match self.flags.remove(setting.key) {
            Some(text) => (format!("--{}", setting.flag()), text),
            None => match self.in_environment(setting)? {
                Some(variable) => variable,
                None => return Ok(None),
            },
        };
        let texts = match setting.shape {
            Shape::List => text
                .split(',')
                .map(|part| part.trim().to_owned())
                .filter(|part| !part.is_empty())
                .collect(),
            _ => vec![text],
        };
        Ok(Some(Given { source, texts }))
    }

    /// The effective variable and its value.
    fn in_environment(&self, setting: &Setting) -> Result<Option<(String, String)>, Problem> {
        let set = |name: &String| self.environment.get(name).filter(|value| !value.is_empty());
        let name = setting.variable();
        let value = set(&name);
        let file = setting
            .file_variable()
            .and_then(|name| set(&name).map(|file| (name, file)));
        match (value, file) {
            (None, None) => Ok(None),
            (Some(value), None) => match value.to_str() {
                Some(text) => Ok(Some((name, text.to_owned()))),
                None => Err(problem(name, "must be UTF-8")),
            },
            (None, Some((name, file))) => {
                let text = read_secret(Path::new(file))
                    .map_err(|message| problem(name.clone(), message))?;
                Ok(Some((name, text)))
            }
            (Some(_), Some((file_variable, _))) => {
                let message = format!("must not be set together with `{name}`");
                Err(problem(file_variable, message))
            }
        }
    }

    /// The value from the file.
    fn in_file(&mut self, setting: &Setting) -> Result<Option<Given>, Problem> {
        self.known.push(setting.key.to_owned());
        let Some(value) = self.table.remove(setting.key) else {
            return Ok(None);
        };
        let texts = match texts(setting.shape, value) {
            Ok(texts) => texts,
            Err(message) => return Err(problem(setting.key, message)),
        };
        let source = setting.key.to_owned();
        Ok(Some(Given { source, texts }))
    }

    /// Records the effective values.
    fn show<T: Display>(&mut self, setting: &Setting, values: &[(String, T)]) {
        // A week is easier to recognize as it was written than in seconds.
        let is_kept = setting.value_name == "DURATION";
        let mut texts = values.iter().map(|(text, value)| {
            if is_kept {
                text.clone()
            } else {
                value.to_string()
            }
        });
        let shown = match setting.shape {
            Shape::List => Some(texts.collect::<Vec<_>>().into()),
            Shape::Switch => texts.next().map(|text| Value::Boolean(text == "true")),
            Shape::Size => texts
                .next()
                .map(|text| text.parse().map_or(Value::String(text), Value::Integer)),
            Shape::Text => texts.next().map(Value::String),
        };
        let entry = shown.map(|value| (setting.key.to_owned(), value));
        self.effective.extend(entry);
    }
}

fn problem(key: impl Into<String>, message: impl Into<String>) -> Problem {
    Problem {
        key: key.into(),
        message: message.into(),
    }
}

fn parsed_if_any<T: FromStr<Err: Display>>(
    given: Option<Given>,
) -> Result<Option<Values<T>>, Problem> {
    given.map(parsed).transpose()
}

/// Values, each with its text.
type Values<T> = Vec<(String, T)>;

fn parsed<T: FromStr<Err: Display>>(given: Given) -> Result<Values<T>, Problem> {
    let texts = given.texts.into_iter();
    let values: Result<_, T::Err> = texts
        .map(|text| text.parse().map(|value| (text, value)))
        .collect();
    values.map_err(|unfit| problem(given.source, unfit.to_string()))
}

fn defaults<T: FromStr<Err: Display>>(setting: &Setting) -> Result<Values<T>, Problem> {
    match setting.default {
        Fallback::Nothing(_) => Ok(Vec::new()),
        Fallback::Value(text) => parsed(Given {
            source: setting.key.to_owned(),
            texts: vec![text.to_owned()],
        }),
    }
}

/// The strings of a value in the file, or the problem with its type.
fn texts(shape: Shape, value: Value) -> Result<Vec<String>, String> {
    let kind = kind_of(&value);
    let must_be = |what: &str| Err(format!("must be {what}, not {kind}"));
    match (shape, value) {
        (Shape::Text | Shape::Size, Value::String(text)) => Ok(vec![text]),
        (Shape::Size, Value::Integer(number)) => Ok(vec![number.to_string()]),
        (Shape::Switch, Value::Boolean(on)) => Ok(vec![on.to_string()]),
        (Shape::List, Value::Array(items)) => items
            .into_iter()
            .map(|item| match item {
                Value::String(text) => Ok(text),
                _ => Err("must be an array of strings".to_owned()),
            })
            .collect(),
        (Shape::Text, _) => must_be("a string"),
        (Shape::Size, _) => must_be("a string or a number"),
        (Shape::Switch, _) => must_be("`true` or `false`"),
        (Shape::List, _) => must_be("an array of strings"),
    }
}

/// Reads a secret from a file without the trailing line break that editors add.
fn read_secret(file: &Path) -> Result<String, String> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text.trim_end_matches(['\r', '\n']).to_owned()),
        Err(error) => Err(format!("cannot read {}: {error}", file.display())),
    }
}
