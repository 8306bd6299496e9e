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
const HEADING: &str = "Settings";

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help(format!(
                "Configuration file [default: {DEFAULT_FILE} in the working directory, if it exists]"
            ))
            .help_heading(HEADING)
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
        .help_heading(HEADING)
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
