//! Global options, and parsers for the values of options.

use std::collections::btree_map::Entry;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, Id};
use formalize_core::config::setting;
use formalize_core::{
    Attributes, Caller, Clock, DynamicGroupId, GrantId, GroupId, InvalidText, MembershipId,
    ResourceClass, ResourceIdentifier, ResourceRef, SubmissionId, SubmissionState, SystemClock,
    Timestamp, UserId,
    events::EventType,
    files::{FileAttributeName, FileHoldId, FileId},
    forms::{FormAccess, FrontendKey, InvalidWord},
    links::{EmbedOrigins, LinkCap, LinkId, LinkLabel},
    tokens::TokenId,
    webhooks::{DeliveryId, DeliveryState, Payload, WebhookId},
};
use serde_json::Value;

use crate::naming::Reference;
use crate::output::Format;

const GLOBAL_OPTIONS: &str = "Global options";

/// Options that may stand before or after the command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = GLOBAL_OPTIONS)]
pub(crate) struct Global {
    /// The database URL, not parsed yet.
    #[arg(
        long,
        value_name = setting::DATABASE_URL.value_name,
        help = setting::DATABASE_URL.help(),
        global = true
    )]
    pub(crate) database_url: Option<String>,

    /// Configuration file [default: formalize.toml in the working directory, if it exists]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Act with the permissions of this user [default: the system, which may do everything]
    #[arg(long = "as", value_name = "USER", global = true)]
    pub(crate) acting: Option<UserId>,

    /// The attributes of the user: see [`ATTRIBUTE`], which is read at every level.
    #[arg(skip)]
    pub(crate) attributes: Attributes,

    /// Output format
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        global = true,
        default_value = "table"
    )]
    pub(crate) output: Format,

    /// Delete without asking for confirmation
    #[arg(short, long, global = true)]
    pub(crate) yes: bool,
}

impl Global {
    /// The caller of the service: the user of `--as`, or the system.
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
/// With a repeatable `global` option, clap silently loses the values before the command if there are more after it.
pub(crate) fn with_attribute(command: Command) -> Command {
    let attribute = Arg::new(ATTRIBUTE)
        .long(ATTRIBUTE)
        .value_name("NAME=JSON")
        .action(ArgAction::Append)
        .value_parser(attribute)
        .help("Attribute of the user as JSON, such as roles='[\"staff\"]'; can be repeated")
        .help_heading(GLOBAL_OPTIONS);
    command.arg(attribute).mut_subcommands(with_attribute)
}

/// A command whose subcommands list the global options in one line, instead of explaining each of them again.
pub(crate) fn name_global_options_once(command: Command) -> Command {
    let options: Vec<Arg> = command
        .get_arguments()
        .filter(|option| option.get_help_heading() == Some(GLOBAL_OPTIONS))
        .map(|option| option.clone().hide(true))
        .collect();
    let names: Vec<String> = options
        .iter()
        .filter_map(|option| Some(format!("--{}", option.get_long()?)))
        .collect();
    let line = format!(
        "{GLOBAL_OPTIONS}: {};\nsee `formalize --help`",
        names.join(", ")
    );
    command.mut_subcommands(|below| with_line(below, &options, &line))
}

fn with_line(command: Command, options: &[Arg], line: &str) -> Command {
    let known: Vec<Id> = command
        .get_arguments()
        .map(|arg| arg.get_id().clone())
        .collect();
    let (present, missing): (Vec<&Arg>, Vec<&Arg>) = options
        .iter()
        .partition(|option| known.contains(option.get_id()));
    let command = present.into_iter().fold(command, |command, option| {
        command.mut_arg(option.get_id(), |own| own.hide(true))
    });
    command
        .args(missing.into_iter().cloned())
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{{all-args}}\n\n{line}{{after-help}}"
        ))
        .mut_subcommands(|below| with_line(below, options, line))
}

/// The attributes given at all levels.
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
    let message = format!("the attribute '{name}' was given more than once\n");
    clap::Error::raw(ErrorKind::ArgumentConflict, message)
}

fn attribute(text: &str) -> Result<(String, Value), String> {
    let (name, json) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or("expected NAME=JSON")?;
    let value = serde_json::from_str(json)
        .map_err(|_| "the value must be JSON; quote strings: roles='[\"staff\"]'")?;
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

/// The class of a resource that is a collection.
pub(crate) fn collection(resource: &ResourceRef) -> Option<ResourceClass> {
    let class = resource.class.clone();
    resource.identifier.is_none().then_some(class)
}

/// A resource in the syntax of the command line.
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
            Err("expected CLASS/IDENTIFIER".to_owned())
        }
    })
}

/// Who gets a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Grantee {
    User(UserId),
    Group(Reference<GroupId>),
    DynamicGroup(DynamicGroupId),
}

impl std::fmt::Display for Grantee {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::User(user) => write!(formatter, "user `{user}`"),
            Self::Group(Reference::Identifier(id)) => write!(formatter, "group `{id}`"),
            Self::Group(Reference::Name(name)) => write!(formatter, "group `{name}`"),
            Self::DynamicGroup(group) if *group == DynamicGroupId::EVERYBODY => {
                formatter.write_str("everybody")
            }
            Self::DynamicGroup(group) => write!(formatter, "dynamic group `{group}`"),
        }
    }
}

/// `everybody`, `user:ID`, `group:ID` or `dynamic-group:ID`.
pub(crate) fn grantee(text: &str) -> Result<Grantee, String> {
    if text == "everybody" {
        return Ok(Grantee::DynamicGroup(DynamicGroupId::EVERYBODY));
    }
    let (kind, name) = text.split_once(':').unwrap_or_default();
    let invalid = |error: InvalidText| format!("the {kind} {error}");
    match kind {
        "user" => UserId::new(name).map(Grantee::User).map_err(invalid),
        "group" if name.is_empty() => Err("the group is missing".to_owned()),
        "group" => Ok(Grantee::Group(match name.parse() {
            Ok(id) => Reference::Identifier(id),
            Err(_) => Reference::Name(name.to_owned()),
        })),
        "dynamic-group" => DynamicGroupId::new(name)
            .map(Grantee::DynamicGroup)
            .map_err(invalid),
        _ => Err("expected everybody, user:ID, group:ID or dynamic-group:ID".to_owned()),
    }
}

/// What a form is shared for, each with its explanation.
pub(crate) fn access() -> impl TypedValueParser<Value = FormAccess> {
    let values = FormAccess::ALL.map(|access| {
        let help = match access {
            FormAccess::Fill => "See the form and submit to it",
            FormAccess::ReadAnswers => "See the form and all submissions except drafts",
            FormAccess::ChangeAnswers => {
                "See the form, and see and change all submissions except drafts"
            }
            FormAccess::Edit => "See and change the form itself",
            FormAccess::Manage => "Everything, including sharing the form with others",
        };
        PossibleValue::new(access.as_str()).help(help)
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<FormAccess>())
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
        .ok_or_else(|| "expected a number with a unit (s, m, h, d or w), such as 90d".into())
}

/// A group of files.
pub(crate) fn file_attribute(text: &str) -> Result<FileAttributeName, String> {
    FileAttributeName::new(text).map_err(|_| {
        "expected 1 to 128 characters, without control characters, brackets, quotes and slashes"
            .to_owned()
    })
}

/// `ATTRIBUTE=FILE`: a file to add to a submission, and its group.
pub(crate) fn file_of_attribute(text: &str) -> Result<(FileAttributeName, PathBuf), String> {
    let (attribute, file) = text
        .split_once('=')
        .filter(|(_, file)| !file.is_empty())
        .ok_or("expected ATTRIBUTE=FILE")?;
    Ok((file_attribute(attribute)?, PathBuf::from(file)))
}

/// The key of a user interface.
pub(crate) fn frontend_key(text: &str) -> Result<FrontendKey, String> {
    FrontendKey::new(text).map_err(|_| {
        "expected 1 to 50 of the characters A-Z, a-z, 0-9, `.`, `_`, `~` and `-`".to_owned()
    })
}

/// A cap on submissions through a link.
pub(crate) fn link_cap(text: &str) -> Result<LinkCap, String> {
    let number = text.parse().ok();
    number
        .and_then(|number| LinkCap::new(number).ok())
        .ok_or_else(|| format!("expected a whole number from 1 to {}", LinkCap::MAX))
}

/// The label of a link.
pub(crate) fn label(text: &str) -> Result<LinkLabel, String> {
    LinkLabel::new(text)
        .map_err(|_| "expected 1 to 255 characters without control characters".to_owned())
}

/// An origin of web pages.
pub(crate) fn origin(text: &str) -> Result<String, String> {
    EmbedOrigins::new([text])
        .map(|_| text.to_owned())
        .map_err(|_| {
            "expected an origin such as https://example.org; http:// is for loopback addresses only"
                .to_owned()
        })
}

/// The end of a validity: a date, which includes that day, a timestamp, or a duration from now on.
pub(crate) fn expiry(text: &str) -> Result<Timestamp, String> {
    let end = match duration(text) {
        Ok(seconds) => SystemClock.now().checked_add_seconds(seconds),
        Err(_) => Timestamp::parse_end(text).ok(),
    };
    end.ok_or_else(|| {
        "expected a date such as 2026-12-31, a timestamp such as 2026-12-31T18:00:00Z, or a duration such as 90d"
            .to_owned()
    })
}

/// A single state.
pub(crate) fn state(text: &str) -> Result<SubmissionState, InvalidWord> {
    text.parse()
}

/// The type of an event.
pub(crate) fn event_type(name: &str) -> Result<EventType, String> {
    one_of(name, EventType::ALL.iter().map(|it| it.as_str()))
}

/// The state of a delivery.
pub(crate) fn delivery_state(name: &str) -> Result<DeliveryState, String> {
    one_of(name, DeliveryState::ALL.iter().map(|it| it.as_str()))
}

/// How much a webhook sends.
pub(crate) fn payload(name: &str) -> Result<Payload, String> {
    one_of(name, Payload::ALL.iter().map(|it| it.as_str()))
}

fn one_of<T: FromStr>(name: &str, names: impl Iterator<Item = &'static str>) -> Result<T, String> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = names.collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// An identifier that no record has.
const UNKNOWN_ID: &str = "00000000-0000-0000-0000-000000000000";

/// Creates the parser for a kind of identifier. A malformed identifier is reported as not found, like an unknown one.
macro_rules! identifier_parsers {
    ($($name:ident -> $id:ident;)+) => {$(
        pub(crate) fn $name(text: &str) -> Result<$id, formalize_core::InvalidId> {
            text.parse().or_else(|_| UNKNOWN_ID.parse())
        }
    )+};
}

identifier_parsers! {
    membership_id -> MembershipId;
    grant_id -> GrantId;
    submission_id -> SubmissionId;
    token_id -> TokenId;
    link_id -> LinkId;
    webhook_id -> WebhookId;
    delivery_id -> DeliveryId;
    file_id -> FileId;
    file_hold_id -> FileHoldId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_a_number_and_a_unit() {
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
    fn grantees_have_a_kind() {
        let everybody = Grantee::DynamicGroup(DynamicGroupId::EVERYBODY);
        assert_eq!(grantee("everybody"), Ok(everybody.clone()));
        assert_eq!(grantee("dynamic-group:everybody"), Ok(everybody));
        let user = UserId::new("a:b").unwrap();
        assert_eq!(grantee("user:a:b"), Ok(Grantee::User(user)));
        let office = Reference::Name("Office".to_owned());
        assert_eq!(grantee("group:Office"), Ok(Grantee::Group(office)));
        for text in ["", "alice", "user:", "group:", "dynamic-group:", "robot:1"] {
            assert!(grantee(text).is_err(), "{text}");
        }
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
}
