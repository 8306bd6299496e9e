//! The flags of the command line, generated from the table of settings.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use formalize_core::config::{DEFAULT_FILE, Sources, setting::Shape};

use super::setting::{self, Setting};

/// The settings on the command line, not yet validated.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// The file to read settings from.
    pub config: Option<PathBuf>,
    texts: Vec<(&'static Setting, String)>,
}

impl Flags {
    /// Adds the flags, which override other sources.
    pub(super) fn add_to(&self, sources: Sources) -> Sources {
        let texts = self.texts.iter();
        texts.fold(sources, |sources, (setting, text)| {
            sources.flag(setting, text)
        })
    }
}

const CONFIG: &str = "config";

/// The groups of settings in the help, each with its first setting, in the order of [`setting::ALL`].
const GROUPS: [(&Setting, &str); 16] = [
    (&setting::DATABASE_URL, "Database"),
    (&setting::LISTEN, "Addresses"),
    (&setting::RELAY_LISTEN, "Relay web client"),
    (&setting::CORS_ALLOWED_ORIGINS, "Web pages of others"),
    (&setting::SHUTDOWN_DELAY, "Start and stop"),
    (&setting::TOKEN_MEMORY, "Tokens"),
    (&setting::EVENT_LOG, "Events"),
    (&setting::WEBHOOK_DELIVERY, "Webhooks"),
    (&setting::REQUEST_BODY_LIMIT, "Limits"),
    (&setting::TRUSTED_PROXIES, "Proxies"),
    (&setting::IDEMPOTENCY_RETENTION, "Idempotency keys"),
    (&setting::EXPORT_LIMIT, "Exports"),
    (&setting::FILES_URL, "Files"),
    (&setting::SUMMARY_MINIMUM, "Summaries and pages"),
    (&setting::SESSION_LIFETIME, "Signing in"),
    (&setting::OTLP_ENDPOINT, "Logs and traces"),
];

/// The group of a setting.
fn heading(setting: &Setting) -> &'static str {
    let place = |setting: &Setting| setting::ALL.iter().position(|one| one.key == setting.key);
    let mut groups = GROUPS.iter().rev();
    let own = groups.find(|(first, _)| place(first) <= place(setting));
    own.map_or("Settings", |(_, heading)| heading)
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help(format!(
                "Configuration file [default: {DEFAULT_FILE} in the working directory, if it exists]"
            ))
            .global(true);
        let settings = setting::ALL.iter().map(flag);
        command.arg(config).args(settings)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.config = matches.get_one(CONFIG).cloned();
        for setting in setting::ALL {
            if let Some(texts) = matches.get_many::<String>(setting.key) {
                let texts: Vec<&str> = texts.map(String::as_str).collect();
                self.texts.push((setting, texts.join(",")));
            }
        }
        Ok(())
    }
}

fn flag(setting: &Setting) -> Arg {
    let arg = Arg::new(setting.key)
        .long(setting.flag())
        .value_name(setting.value_name)
        .help(setting.help())
        .help_heading(heading(setting))
        .global(true);
    match setting.shape {
        Shape::Text | Shape::Size => arg,
        Shape::List => arg.action(ArgAction::Append),
        Shape::Switch => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_in_a_group_and_groups_are_in_order() {
        let mut headings: Vec<&str> = setting::ALL.iter().map(heading).collect();
        headings.dedup();
        let expected: Vec<&str> = GROUPS.iter().map(|(_, heading)| *heading).collect();
        assert_eq!(headings, expected);
    }

    #[test]
    fn the_help_has_the_groups_and_wraps_at_words() {
        let mut command = Flags::augment_args(Command::new("formalize-server")).term_width(80);
        let help = command.render_long_help().to_string();
        for (_, heading) in GROUPS {
            assert!(
                help.contains(&format!("\n{heading}:\n")),
                "{heading}: {help}"
            );
        }
        let long = help.lines().filter(|line| line.chars().count() > 80);
        // A word that is longer than the line cannot be wrapped.
        let long: Vec<&str> = long.filter(|line| line.trim().contains(' ')).collect();
        assert_eq!(long, Vec::<&str>::new());
    }
}
