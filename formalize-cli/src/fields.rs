//! The fields of a request body as options of a command.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, FromArgMatches, Id, value_parser};
use formalize_core::{Error, Field};
use formalize_views::{BadBody, BadValue, BodyField, Kind, Members, RequestBody};
use serde_json::{Map, Value};

use crate::failure::{Exit, Failure};
use crate::input;

/// How a body is given on the command line: all its fields are options with their names in kebab case.
pub(crate) trait Options: RequestBody {
    /// Fields that the command takes in another way.
    const TAKEN_OTHERWISE: &'static [Field] = &[];
    /// Other names of options.
    const ALIASES: &'static [(Field, &'static str)] = &[];
    /// Whether it is a change, of which at least one field must be given, and which `--clear` can set to null.
    const IS_CHANGE: bool = false;
}

/// The fields that were given.
#[derive(Debug)]
pub(crate) struct Fields<T> {
    given: BTreeMap<&'static str, Given>,
    body: PhantomData<fn() -> T>,
}

/// The value of an option.
#[derive(Debug, Clone)]
enum Given {
    Value(Value),
    /// A file with a text.
    Document(PathBuf),
    /// A file with JSON.
    Json(PathBuf),
}

/// The option for fields to clear.
const CLEAR: &str = "clear";
/// The group of the options of a change.
const CHANGE: &str = "change";

impl<T: Options> Fields<T> {
    fn options() -> impl Iterator<Item = &'static BodyField> {
        let fields = T::FIELDS.iter();
        fields.filter(|one| !T::TAKEN_OTHERWISE.contains(&one.field))
    }

    fn alias(field: Field) -> Option<&'static str> {
        let mut aliases = T::ALIASES.iter();
        aliases
            .find(|(of, _)| *of == field)
            .map(|(_, alias)| *alias)
    }

    /// The fields that `--clear` knows.
    fn clearable() -> impl Iterator<Item = Field> {
        let fields = Self::options().filter(|one| one.is_clearable);
        fields.map(|one| one.field)
    }

    /// Adds the value of a field that was given otherwise.
    pub(crate) fn with(mut self, field: Field, text: String) -> Self {
        self.given.insert(field.as_str(), Given::Value(text.into()));
        self
    }

    /// Reads the files, and makes the value for the library.
    pub(crate) fn read(self) -> Result<T::Value, Failure> {
        let mut object = Map::new();
        for (name, given) in self.given {
            object.insert(name.to_owned(), given.read(name)?);
        }
        Members::read::<T>(object).map_err(failure)
    }
}

impl Given {
    fn read(self, name: &str) -> Result<Value, Failure> {
        let json = |path: &Path| {
            let parsed: Result<Value, _> = serde_json::from_str(&input::read(path)?);
            match parsed {
                Ok(Value::Null) => {
                    let message = format!("{name} must not be null");
                    Err(Failure::new(Exit::Invalid, message))
                }
                Ok(value) => Ok(value),
                Err(error) => Err(Failure::usage(format!("{name} must be JSON: {error}"))),
            }
        };
        match self {
            Self::Value(value) => Ok(value),
            Self::Document(path) => Ok(input::read(&path)?.into()),
            Self::Json(path) => json(&path),
        }
    }
}

fn failure(bad: BadBody) -> Failure {
    match bad {
        BadBody::Malformed { faults, .. } => {
            let sentences = faults.into_iter().map(|(_, sentence)| sentence);
            Failure::new(Exit::Invalid, sentences.collect::<Vec<_>>().join("; "))
        }
        BadBody::Invalid(values) => {
            let mut values = values.into_iter();
            let first = values.next().map_or_else(unexplained, of_value);
            let others = values.flat_map(|next| match next {
                BadValue::Refused(error) => error.reasons(),
                next => of_value(next).reasons(),
            });
            others.fold(first, |first, reason| first.with_detail(&reason))
        }
        BadBody::Unexplained => unexplained(),
    }
}

fn unexplained() -> Failure {
    Failure::usage("the fields are invalid")
}

fn of_value(bad: BadValue) -> Failure {
    match bad {
        BadValue::Missing(field) => Failure::usage(format!("{field} is required")),
        BadValue::Null(field, must_be) => Failure::usage(format!("{field} must be {must_be}")),
        BadValue::Refused(error) => error.into(),
        BadValue::TooManyChecks => Failure::usage("too many checks"),
        BadValue::NoSuchFiles(names) => {
            let error = Failure::from(Error::SubmittedFileNotFound(Vec::new()));
            names
                .iter()
                .fold(error, |error, name| error.with_detail(name))
        }
    }
}

impl<T: Options> clap::Args for Fields<T> {
    fn group_id() -> Option<Id> {
        None
    }

    fn augment_args(command: Command) -> Command {
        let command = Self::options().fold(command, |command, one| command.arg(option::<T>(one)));
        if !T::IS_CHANGE {
            return command;
        }
        let clear = Arg::new(CLEAR)
            .long(CLEAR)
            .value_name("FIELDS")
            .help("Fields to unset")
            .action(ArgAction::Append)
            .value_delimiter(',')
            .value_parser(PossibleValuesParser::new(Self::clearable().map(|field| {
                PossibleValue::new(kebab_case(field)).aliases(Self::alias(field))
            })));
        let names = Self::options().map(|one| one.field.as_str());
        let change = ArgGroup::new(CHANGE)
            .required(true)
            .multiple(true)
            .args(names.chain([CLEAR]));
        command.arg(clear).group(change)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: Options> FromArgMatches for Fields<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = BTreeMap::new();
        for one in Self::options() {
            let name = one.field.as_str();
            given.extend(value::<T>(one, matches)?.map(|value| (name, value)));
        }
        let cleared = T::IS_CHANGE.then(|| matches.get_many::<String>(CLEAR));
        for cleared in cleared.flatten().into_iter().flatten() {
            let is_meant = |field: &Field| {
                kebab_case(*field) == *cleared || Self::alias(*field) == Some(cleared)
            };
            let Some(field) = Self::clearable().find(is_meant) else {
                continue;
            };
            let before = given.insert(field.as_str(), Given::Value(Value::Null));
            if !matches!(before, None | Some(Given::Value(Value::Null))) {
                let message = "a field cannot be both set and cleared\n";
                return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message));
            }
        }
        Ok(Self {
            given,
            body: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The option for a field.
fn option<T: Options>(one: &'static BodyField) -> Arg {
    let about = one.about.trim_end_matches('.');
    let hint = match one.kind {
        Kind::Words => "; separated by commas",
        Kind::Names => ", such as de=Anmeldung; can be repeated",
        _ => "",
    };
    let option = Arg::new(one.field.as_str())
        .long(kebab_case(one.field))
        .help(format!("{about}{hint}"));
    let option = match Fields::<T>::alias(one.field) {
        Some(alias) => option.visible_alias(alias),
        None => option,
    };
    let checked = move |value: Value| {
        if Members::accepts::<T>(one.field, value.clone()) {
            Ok(value)
        } else {
            Err(format!("must be {}", one.must_be))
        }
    };
    match one.kind {
        Kind::Document | Kind::Json => option
            .value_name("FILE|-")
            .value_parser(value_parser!(PathBuf)),
        Kind::Flag => option
            .value_name("true|false")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_parser(value_parser!(bool)),
        Kind::Number => option
            .value_name("NUMBER")
            .allow_negative_numbers(true)
            .value_parser(move |text: &str| {
                let number = text.parse::<i64>();
                checked(number.map_or_else(|_| text.into(), Value::from))
            }),
        Kind::Text => option
            .value_name("TEXT")
            .value_parser(move |text: &str| checked(text.into())),
        Kind::Time => option
            .value_name("DATE")
            .value_parser(move |text: &str| checked(text.into())),
        Kind::Words => option
            .value_name("WORDS")
            .action(ArgAction::Append)
            .value_parser(|text: &str| Ok::<_, String>(words(text))),
        Kind::Names => option
            .value_name("LANGUAGE=NAME")
            .action(ArgAction::Append)
            .value_parser(|text: &str| {
                let (name, value) = text.split_once('=').ok_or("expected LANGUAGE=NAME")?;
                let entry = (name.to_owned(), value.into());
                Ok::<_, &str>(Value::Object(Map::from_iter([entry])))
            }),
    }
}

/// The words of a list: separated by commas. The empty text is the empty list.
fn words(text: &str) -> Value {
    if text.is_empty() {
        return Value::Array(Vec::new());
    }
    text.split(',').map(str::trim).collect()
}

/// The value of an option, if it was given. One that can be repeated is judged as a whole.
fn value<T: Options>(
    one: &'static BodyField,
    matches: &ArgMatches,
) -> Result<Option<Given>, clap::Error> {
    let name = one.field.as_str();
    Ok(match one.kind {
        Kind::Document => matches.get_one(name).cloned().map(Given::Document),
        Kind::Json => matches.get_one(name).cloned().map(Given::Json),
        Kind::Flag => {
            let flag: Option<&bool> = matches.get_one(name);
            flag.map(|flag| Given::Value((*flag).into()))
        }
        Kind::Number | Kind::Text | Kind::Time => matches.get_one(name).cloned().map(Given::Value),
        Kind::Words | Kind::Names => {
            let mut values = matches
                .get_many::<Value>(name)
                .into_iter()
                .flatten()
                .cloned();
            let Some(first) = values.next() else {
                return Ok(None);
            };
            let whole = values.try_fold(first, joined);
            let whole = whole.filter(|whole| Members::accepts::<T>(one.field, whole.clone()));
            let refused = || {
                let option = kebab_case(one.field);
                let message = format!("invalid value for '--{option}': must be {}\n", one.must_be);
                clap::Error::raw(ErrorKind::ValueValidation, message)
            };
            Some(Given::Value(whole.ok_or_else(refused)?))
        }
    })
}

/// Lists or objects as one; `None` if a name is given twice.
fn joined(first: Value, next: Value) -> Option<Value> {
    match (first, next) {
        (Value::Array(first), Value::Array(next)) => Some(first.into_iter().chain(next).collect()),
        (Value::Object(first), Value::Object(next)) => {
            let number = first.len() + next.len();
            let both: Map<_, _> = first.into_iter().chain(next).collect();
            (both.len() == number).then_some(Value::Object(both))
        }
        _ => None,
    }
}

/// The name of a field as an option: `dateCreated` is `date-created`.
fn kebab_case(field: Field) -> String {
    let mut name = String::new();
    for letter in field.as_str().chars() {
        if letter.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use clap::Args;
    use formalize_core as core;
    use formalize_views::form::{FormChange, NewForm};

    use super::*;

    fn given<T: Options>(args: &[&str]) -> Result<Fields<T>, String> {
        let command = Fields::<T>::augment_args(Command::new("test")).no_binary_name(true);
        let matches = command
            .try_get_matches_from(args)
            .map_err(|error| error.to_string())?;
        Fields::from_arg_matches(&matches).map_err(|error| error.to_string())
    }

    fn new_form(args: &[&str]) -> core::NewForm {
        let fields = given::<NewForm>(args).unwrap();
        fields.with(Field::Name, "Form".to_owned()).read().unwrap()
    }

    #[test]
    fn sets_are_separated_by_commas() {
        let option = "--allowed-actions-when-submitted";
        let actions = |args: &[&str]| new_form(args).rules.allowed_actions_when_submitted;
        let tags = "--tag-permissions-for-submitters";
        let tags = new_form(&[tags, "read", tags, "add"]).rules.tag_permissions;
        assert_eq!(tags.actions().iter().count(), 2);
        assert_eq!(actions(&[option, "read, update,read"]).iter().count(), 2);
        assert_eq!(
            actions(&[option, "read", option, "update"]).iter().count(),
            2
        );
        assert_eq!(actions(&[option, ""]).iter().count(), 0);
        for (option, words) in [
            (option, "read,,"),
            ("--allowed-submission-states", "Draft"),
            ("--tag-permissions-for-submitters", "add"),
            ("--localized-names", "de="),
        ] {
            let refused = given::<NewForm>(&[option, words]).unwrap_err();
            assert!(
                refused.contains(option) && refused.contains("must be"),
                "{refused}"
            );
        }
    }

    #[test]
    fn caps_and_limits_are_whole_numbers_in_range() {
        for option in ["--max-num-submissions-per-creator", "--max-num-submissions"] {
            let form = new_form(&[option, "2147483647"]);
            let rules = form.rules;
            let cap = rules.cap.map(core::forms::SubmissionCap::get);
            let limit = rules.limit.map(core::forms::SubmissionLimit::get);
            let most = Some(2_147_483_647);
            let is_cap = option.ends_with("creator");
            assert_eq!(
                (cap, limit),
                if is_cap { (most, None) } else { (None, most) }
            );
            assert!(given::<NewForm>(&[option, "0"]).is_ok());
            for number in ["-1", "2147483648", "3.5", "many", ""] {
                let refused = given::<NewForm>(&[&format!("{option}={number}")]).unwrap_err();
                assert!(refused.contains("a whole number from 0"), "{refused}");
            }
        }
    }

    #[test]
    fn names_have_a_language() {
        let option = "--localized-name";
        let form = new_form(&[option, "de=Anmeldung", option, "fr=Inscription"]);
        assert_eq!(form.details.localized_names.iter().count(), 2);
        for text in ["Anmeldung", "a language=x", "de="] {
            assert!(given::<NewForm>(&[option, text]).is_err(), "{text}");
        }
        assert!(given::<NewForm>(&[option, "de=A", option, "de=B"]).is_err());
    }

    #[test]
    fn a_change_has_a_field_and_sets_or_clears_it() {
        use core::Change;

        let change = |args: &[&str]| given::<FormChange>(args).unwrap().read().unwrap();
        let cleared = change(&["--clear", "schema,max-num-submissions", "--name", "New"]);
        assert_eq!(cleared.data_feed_schema, Change::Clear);
        assert_eq!(cleared.limit, Change::Clear);
        assert_eq!(cleared.cap, Change::Keep);
        assert_eq!(cleared.name.unwrap().as_str(), "New");
        let limited = change(&["--max-num-submissions", "3"]);
        assert!(matches!(limited.limit, Change::Set(_)));

        assert!(given::<FormChange>(&[]).unwrap_err().contains("required"));
        assert!(given::<FormChange>(&["--clear", "name"]).is_err());
        let both = [
            "--max-num-submissions",
            "3",
            "--clear",
            "max-num-submissions",
        ];
        let refused = given::<FormChange>(&both).unwrap_err();
        assert!(refused.contains("both set and cleared"), "{refused}");
    }

    #[test]
    fn every_field_of_a_new_form_can_be_given_and_changed() {
        let options = |command: Command| -> Vec<String> {
            let options = command.get_arguments();
            options
                .filter_map(|one| one.get_long().map(str::to_owned))
                .collect()
        };
        let created = options(Fields::<NewForm>::augment_args(Command::new("test")));
        let changed = options(Fields::<FormChange>::augment_args(Command::new("test")));
        for one in NewForm::FIELDS {
            let name = kebab_case(one.field);
            assert!(changed.contains(&name), "{name}");
            assert!(
                created.contains(&name) || one.field == Field::Name,
                "{name}"
            );
        }
    }
}
