//! The options that every command has, and the values that options take.

use std::collections::btree_map::Entry;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use formalize_core::config::setting;
use formalize_core::{
    Attributes, Caller, ResourceClass, ResourceIdentifier, ResourceRef, SubmissionCap,
    SubmissionState, SubmissionStates, SubmittedAction, SubmittedActions, UserId,
};
use serde_json::Value;

use crate::output::Format;

/// Options that may stand before or after the command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The database, unjudged.
    #[arg(
        long,
        value_name = setting::DATABASE_URL.value_name,
        help = setting::DATABASE_URL.help(),
        global = true
    )]
    pub(crate) database_url: Option<String>,

    /// The configuration file [default: formalize.toml in the working directory, if it is there]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Act as this user, with this user's rights, instead of as the system, which may do everything
    #[arg(long = "as", value_name = "USER", global = true)]
    pub(crate) acting: Option<UserId>,

    /// What is known about the user: see [`ATTRIBUTE`], which is read at every level.
    #[arg(skip)]
    pub(crate) attributes: Attributes,

    /// How records are printed
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        global = true,
        default_value = "table"
    )]
    pub(crate) output: Format,

    /// Do not ask before deleting what takes other records with it
    #[arg(short, long, global = true)]
    pub(crate) yes: bool,
}

impl Global {
    /// Who asks.
    pub(crate) fn caller(&self) -> Caller {
        match &self.acting {
            None => Caller::System,
            Some(user) => Caller::with_attributes(user.clone(), self.attributes.clone()),
        }
    }
}

const ATTRIBUTE: &str = "attribute";

/// A command that takes `--attribute` before and after each of its subcommands.
///
/// An option that is `global` to clap would silently lose the values on one side when it stands on both.
pub(crate) fn with_attribute(command: Command) -> Command {
    let attribute = Arg::new(ATTRIBUTE)
        .long(ATTRIBUTE)
        .value_name("NAME=JSON")
        .action(ArgAction::Append)
        .value_parser(attribute)
        .help("An attribute of the user, such as roles='[\"staff\"]'; may be repeated")
        .help_heading("Global options");
    command.arg(attribute).mut_subcommands(with_attribute)
}

/// The attributes that were given at any level.
pub(crate) fn attributes(matches: &ArgMatches) -> Result<Attributes, clap::Error> {
    let mut attributes = Attributes::new();
    let mut level = Some(matches);
    while let Some(matches) = level {
        let given = matches.get_many::<(String, Value)>(ATTRIBUTE);
        for (name, value) in given.into_iter().flatten() {
            match attributes.entry(name.clone()) {
                Entry::Vacant(free) => free.insert(value.clone()),
                Entry::Occupied(_) => return Err(given_twice(name)),
            };
        }
        level = matches.subcommand().map(|(_, matches)| matches);
    }
    Ok(attributes)
}

fn given_twice(name: &str) -> clap::Error {
    let message = format!("the attribute '{name}' is given twice\n");
    clap::Error::raw(ErrorKind::ArgumentConflict, message)
}

fn attribute(text: &str) -> Result<(String, Value), String> {
    let (name, json) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or("must be NAME=JSON")?;
    let value = serde_json::from_str(json)
        .map_err(|_| "the value must be JSON; a text is quoted twice: name='\"text\"'")?;
    Ok((name.to_owned(), value))
}

/// `CLASS/IDENTIFIER`, or `CLASS` for the collection of the class. The first slash ends the class.
pub(crate) fn resource(text: &str) -> Result<ResourceRef, String> {
    let (class, identifier) = match text.split_once('/') {
        None => (text, None),
        Some((class, identifier)) => (class, Some(identifier)),
    };
    let class = ResourceClass::new(class).map_err(|error| format!("the class {error}"))?;
    let identifier = identifier
        .map(ResourceIdentifier::new)
        .transpose()
        .map_err(|error| format!("the identifier {error}"))?;
    Ok(ResourceRef { class, identifier })
}

/// A resource as it is written on the command line.
pub(crate) fn resource_name(resource: &ResourceRef) -> String {
    match &resource.identifier {
        None => resource.class.to_string(),
        Some(identifier) => format!("{}/{identifier}", resource.class),
    }
}

/// `CLASS/IDENTIFIER`.
pub(crate) fn item(text: &str) -> Result<ResourceRef, String> {
    resource(text).and_then(|resource| {
        if resource.identifier.is_some() {
            Ok(resource)
        } else {
            Err("must be CLASS/IDENTIFIER".to_owned())
        }
    })
}

/// A number of seconds, written as a whole number of seconds, minutes, hours, days or weeks: `90d`.
pub(crate) fn duration(text: &str) -> Result<i64, String> {
    const UNITS: [(char, i64); 5] = [
        ('s', 1),
        ('m', 60),
        ('h', 60 * 60),
        ('d', 24 * 60 * 60),
        ('w', 7 * 24 * 60 * 60),
    ];
    let parsed = UNITS.iter().find_map(|(unit, seconds)| {
        let number = text.strip_suffix(*unit)?;
        let digits_only = number.bytes().all(|byte| byte.is_ascii_digit());
        let number: i64 = digits_only.then_some(number)?.parse().ok()?;
        number.checked_mul(*seconds)
    });
    parsed
        .filter(|seconds| *seconds > 0)
        .ok_or_else(|| "must be a number with one of the units s, m, h, d, w, such as 90d".into())
}

/// A cap on submissions.
pub(crate) fn cap(text: &str) -> Result<SubmissionCap, String> {
    let number = text.parse().ok();
    number
        .and_then(|number| SubmissionCap::new(number).ok())
        .ok_or_else(|| format!("must be a whole number from 0 to {}", SubmissionCap::MAX))
}

/// A set of actions, separated by commas; the empty text is the empty set.
pub(crate) fn actions(text: &str) -> Result<SubmittedActions, String> {
    words(text, SubmittedAction::find, "read, update, delete, manage")
}

/// A set of states, separated by commas.
pub(crate) fn states(text: &str) -> Result<SubmissionStates, String> {
    words(text, SubmissionState::find, "draft, submitted")
}

/// A single state.
pub(crate) fn state(text: &str) -> Result<SubmissionState, String> {
    SubmissionState::find(text).ok_or_else(|| "must be draft or submitted".to_owned())
}

fn words<T, S: FromIterator<T>>(
    text: &str,
    find: fn(&str) -> Option<T>,
    known: &str,
) -> Result<S, String> {
    if text.is_empty() {
        return Ok([].into_iter().collect());
    }
    text.split(',')
        .map(|word| find(word.trim()).ok_or_else(|| format!("'{word}' is none of {known}")))
        .collect()
}

/// An identifier that no record has.
const UNKNOWN_ID: &str = "00000000-0000-0000-0000-000000000000";

/// Makes the parser of identifiers of a kind. A text that is not a UUID is reported as not found, like an unknown identifier,
/// and not as a usage error.
macro_rules! identifier_parsers {
    ($($name:ident -> $id:ident;)+) => {$(
        pub(crate) fn $name(text: &str) -> Result<formalize_core::$id, formalize_core::InvalidId> {
            text.parse().or_else(|_| UNKNOWN_ID.parse())
        }
    )+};
}

identifier_parsers! {
    group_id -> GroupId;
    membership_id -> MembershipId;
    grant_id -> GrantId;
    form_id -> FormId;
    submission_id -> SubmissionId;
    token_id -> TokenId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_one_unit() {
        let table = [
            ("1s", 1),
            ("2m", 120),
            ("3h", 10_800),
            ("90d", 7_776_000),
            ("1w", 604_800),
        ];
        for (text, seconds) in table {
            assert_eq!(duration(text), Ok(seconds), "{text}");
        }
        for text in [
            "",
            "d",
            "90",
            "0d",
            "-1d",
            "+1d",
            "1.5h",
            "1h30m",
            "1y",
            "9999999999999999w",
        ] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_slash_ends_the_class() {
        let parsed = resource("Vendor/a/b").unwrap();
        assert_eq!(parsed.class.as_str(), "Vendor");
        assert_eq!(parsed.identifier.unwrap().as_str(), "a/b");
        assert_eq!(resource("Vendor").unwrap().identifier, None);
        for text in ["", "/", "/x", "Vendor/"] {
            assert!(resource(text).is_err(), "{text}");
        }
        assert!(item("Vendor").is_err() && item("Vendor/x").is_ok());
    }

    #[test]
    fn attributes_are_json() {
        let (name, value) = attribute("roles=[\"a=b\"]").unwrap();
        assert_eq!(
            (name.as_str(), value),
            ("roles", serde_json::json!(["a=b"]))
        );
        for text in ["roles", "=1", "roles=", "roles=staff"] {
            assert!(attribute(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sets_are_separated_by_commas() {
        let both = actions("read, update,read").unwrap();
        assert_eq!(both.iter().count(), 2);
        assert_eq!(actions(""), Ok(SubmittedActions::NONE));
        assert_eq!(
            actions("read,,"),
            Err("'' is none of read, update, delete, manage".into())
        );
        assert!(states("Draft").is_err() && states("draft").is_ok());
    }

    #[test]
    fn caps_are_whole_numbers_in_range() {
        assert_eq!(cap("0").unwrap().get(), 0);
        assert_eq!(cap("2147483647").unwrap().get(), 2_147_483_647);
        for text in ["-1", "2147483648", "3.5", "many", ""] {
            assert!(cap(text).is_err(), "{text}");
        }
    }
}
