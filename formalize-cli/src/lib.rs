//! The administration command line of formalize.
//!
//! It opens the database directly, even while a server is running, and uses the same library as the server. Data goes to
//! standard output and everything else to standard error.
//!
//! This library is for the program `formalize` and its tests and has no stable interface. To use forms in your own
//! program, use [`formalize_core`].

mod args;
mod command;
mod connect;
mod failure;
mod fields;
mod grammar;
mod input;
mod names;
mod naming;
mod output;
mod progress;
mod record;
mod session;

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::builder::Styles;
use clap::builder::styling::Style;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use formalize_core::{Error, ResourceClass, UserId};

use crate::connect::Configuration;
use crate::failure::{Exit, Failure};
use crate::output::Printer;
use crate::session::{Session, note};

/// Administer formalize: forms, submissions and permissions
///
/// The program opens the database directly, even while a server is running, and may do everything by default.
#[derive(Debug, Parser)]
#[command(name = "formalize", version)]
struct Cli {
    #[command(flatten)]
    global: args::Global,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(subcommand)]
    Forms(command::forms::Args),
    #[command(subcommand)]
    Submissions(command::submissions::Args),
    #[command(subcommand)]
    Files(command::files::Args),
    #[command(subcommand)]
    Links(command::links::Args),
    #[command(subcommand)]
    Groups(command::groups::Args),
    #[command(subcommand)]
    Members(command::members::Args),
    #[command(subcommand)]
    Grants(command::grants::Args),
    #[command(subcommand)]
    Resources(command::resources::Args),
    #[command(subcommand)]
    Actions(command::actions::Args),
    #[command(subcommand)]
    Tokens(command::tokens::Args),
    #[command(subcommand)]
    Events(command::events::Args),
    #[command(subcommand)]
    Webhooks(command::webhooks::Args),
    Maintain(command::events::Maintain),
    Check(command::check::Args),
    #[command(subcommand)]
    Policies(command::policies::Args),
    #[command(subcommand)]
    Migrate(command::migrate::Args),
    Backup(command::backup::Args),
    Verify(command::verify::Args),
    Completions(command::completions::Args),
    Man(command::man::Args),
}

/// Explains a refusal that a configuration file could have prevented.
const NO_CONFIGURATION_FILE: &str = "no configuration file was found, so there are no policies, dynamic groups or \
     resource classes of your own; --config names a file";

const FIRST_STEPS: &str = "\
First steps:
  formalize migrate up                              create the database
  formalize tokens create --user alice              create a token for the server
  formalize forms create Newsletter                 create a form
  formalize forms share Newsletter --with user:alice --to manage
                                                    allow alice to manage it
  formalize forms list                              list all forms
  formalize help submissions create                 show the help for a command

Exit codes:
";

/// The command line as clap knows it.
///
/// ```
/// let mut command = formalize_cli::command();
/// assert!(command.render_help().to_string().contains("First steps:"));
/// ```
pub fn command() -> clap::Command {
    args::name_global_options_once(full_command())
}

/// The command line with every option explained at every command, for completions and manual pages.
pub(crate) fn full_command() -> clap::Command {
    let mut after_help = FIRST_STEPS.to_owned();
    for (exit, meaning) in Exit::TABLE {
        // Writing to a string cannot fail.
        let _ = writeln!(after_help, "  {}  {meaning}", exit.code());
    }
    grammar::with_ls(args::with_attribute(Cli::command()))
        .mut_subcommands(with_first_example)
        .after_help(after_help)
}

/// A command that only has subcommands gets the example of the first one.
fn with_first_example(command: clap::Command) -> clap::Command {
    let below = command.get_subcommands().next();
    let example = below.and_then(clap::Command::get_after_help).cloned();
    match example {
        None => command,
        Some(example) => command.after_help(example),
    }
}

/// Runs the program with the arguments of this process, and returns its exit code.
///
/// It starts the runtime here and not in the program, so that the commands are compiled with this library.
#[tokio::main(flavor = "current_thread")]
pub async fn run() -> ExitCode {
    let ended = match parse(env::args_os()) {
        Ok(cli) => cli.run().await,
        Err(error) => {
            // A closed standard error is not a failure.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
        }
    };
    let exit = ended.unwrap_or_else(|failure| {
        if failure.exit != Exit::Done {
            let style = if output::has_styles(&io::stderr()) {
                *Styles::styled().get_error()
            } else {
                Style::new()
            };
            let _ = write!(io::stderr(), "{}", failure.styled(style));
        }
        failure.exit
    });
    ExitCode::from(exit.code())
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let matches = command().try_get_matches_from(arguments)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    cli.global.attributes = args::attributes(&matches)?;
    Ok(cli)
}

impl Cli {
    async fn run(self) -> Result<Exit, Failure> {
        let Some(command) = self.command else {
            command().print_help()?;
            return Ok(Exit::Done);
        };
        command.check(&self.global)?;
        log_to_standard_error();
        match command {
            Command::Completions(completions) => completions.run()?,
            Command::Man(man) => man.run()?,
            command => return command.configured(self.global).await,
        }
        Ok(Exit::Done)
    }
}

impl Command {
    /// Runs a command that needs the configuration. If there is no configuration file and a file could have prevented
    /// the failure, the message says so.
    async fn configured(self, global: args::Global) -> Result<Exit, Failure> {
        let configuration = Configuration::load(&global)?;
        let has_file = configuration.has_file;
        let failing = match self.user(&global) {
            Some(user) => command::policies::failing(
                &configuration.settings,
                user,
                &global.attributes,
                self.collection().as_ref(),
            ),
            None => Vec::new(),
        };
        match self.execute(global, configuration).await {
            Ok(Exit::Denied) => {
                let missing = (!has_file).then(|| NO_CONFIGURATION_FILE.to_owned());
                for reason in failing.into_iter().chain(missing) {
                    note(&format!("note: {reason}"));
                }
                Ok(Exit::Denied)
            }
            Err(failure) => {
                // What a user may not read does not exist for that user.
                let is_refused = matches!(failure.exit, Exit::Denied | Exit::NotFound);
                let reasons = failing.iter().filter(|_| is_refused);
                let failure = reasons.fold(failure, |failure, reason| failure.with_detail(reason));
                Err(if failure.may_lack_configuration && !has_file {
                    failure.with_detail(NO_CONFIGURATION_FILE)
                } else {
                    failure
                })
            }
            ended => ended,
        }
    }

    /// The class on whose collection the command needs a permission, if it does.
    fn collection(&self) -> Option<ResourceClass> {
        match self {
            Self::Forms(args) if args.creates() => Some(ResourceClass::FORM),
            Self::Groups(command::groups::Args::Create(_)) => Some(ResourceClass::GROUP),
            Self::Grants(args) => args.collection(),
            Self::Check(check) => check.collection(),
            _ => None,
        }
    }

    /// The user whose permissions count.
    fn user<'a>(&'a self, global: &'a args::Global) -> Option<&'a UserId> {
        match self {
            Self::Check(check) => Some(check.user()),
            _ => global.acting.as_ref(),
        }
    }

    async fn execute(
        self,
        global: args::Global,
        configuration: Configuration,
    ) -> Result<Exit, Failure> {
        let mut printer = Printer::on_standard_output(global.output);
        match self {
            Self::Migrate(migrate) => migrate.run(&configuration, printer).await?,
            Self::Backup(backup) => backup.run(configuration).await?,
            Self::Verify(verify) => return verify.run(&configuration, printer).await,
            Self::Policies(policies) => {
                if !configuration.has_file {
                    note(&format!("note: {NO_CONFIGURATION_FILE}"));
                }
                policies.run(&global, &configuration.settings, &mut printer)?;
            }
            command => {
                let base_url = configuration.base_url.clone();
                let webhooks = configuration.webhooks.clone();
                let connected = configuration.connect(command.needs_files()).await?;
                let (formalize, files_folder) = connected;
                let mut session = Session {
                    caller: global.caller(),
                    webhooks,
                    base_url,
                    attributes: global.attributes,
                    formalize,
                    files_folder,
                    printer,
                    yes: global.yes,
                };
                let ended = command.run(&mut session).await;
                session.formalize.store().close().await;
                return ended;
            }
        }
        Ok(Exit::Done)
    }

    /// Rejects options that would have no effect, and users that are public links.
    fn check(&self, global: &args::Global) -> Result<(), Failure> {
        if global.acting.as_ref().is_some_and(UserId::is_reserved) {
            return Err(Error::UserReserved.into());
        }
        let takes_attributes = match self {
            Self::Check(_) | Self::Policies(_) if global.acting.is_some() => {
                return Err(Failure::usage("--as cannot be used here; use --user"));
            }
            Self::Events(command::events::Args::List(_)) => global.acting.is_some(),
            Self::Files(files) if global.acting.is_some() && !files.is_for_users() => {
                return Err(only_the_system());
            }
            Self::Events(_) | Self::Maintain(_) if global.acting.is_some() => {
                return Err(only_the_system());
            }
            Self::Check(_)
            | Self::Policies(_)
            | Self::Tokens(command::tokens::Args::Create { .. }) => true,
            _ => global.acting.is_some(),
        };
        if takes_attributes || global.attributes.is_empty() {
            Ok(())
        } else {
            Err(Failure::usage(
                "--attribute requires --as; the system has no attributes",
            ))
        }
    }

    /// Whether the command reads or writes the contents of files.
    fn needs_files(&self) -> bool {
        match self {
            Self::Files(files) => files.needs_contents(),
            Self::Submissions(submissions) => submissions.needs_contents(),
            _ => false,
        }
    }

    async fn run(self, session: &mut Session) -> Result<Exit, Failure> {
        match self {
            Self::Forms(args) => args.run(session).await?,
            Self::Submissions(args) => args.run(session).await?,
            Self::Files(args) => args.run(session).await?,
            Self::Links(args) => args.run(session).await?,
            Self::Groups(args) => args.run(session).await?,
            Self::Members(args) => args.run(session).await?,
            Self::Grants(args) => args.run(session).await?,
            Self::Resources(args) => args.run(session).await?,
            Self::Actions(args) => args.run(session).await?,
            Self::Tokens(args) => args.run(session).await?,
            Self::Events(args) => args.run(session).await?,
            Self::Webhooks(args) => args.run(session).await?,
            Self::Maintain(args) => args.run(session).await?,
            Self::Check(args) => return args.run(session).await,
            // These commands run without a session.
            Self::Policies(_)
            | Self::Migrate(_)
            | Self::Backup(_)
            | Self::Verify(_)
            | Self::Completions(_)
            | Self::Man(_) => {}
        }
        Ok(Exit::Done)
    }
}

fn only_the_system() -> Failure {
    Failure::usage("--as cannot be used here; only the system may do this")
}

/// Logs warnings of the library. Those of conditions that fail are hidden: a refusal that they may explain has them as
/// reasons. Those of the database driver are hidden, too: it reports lines of an import that wait for each other as slow
/// statements.
fn log_to_standard_error() {
    const SHOWN: &str = "warn,formalize_core::authz::condition=error,sqlx=error";
    let colours = output::has_styles(&io::stderr());
    // It is already set when several command lines run in one process, as in tests.
    let _ = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_env_filter(tracing_subscriber::EnvFilter::new(SHOWN))
        .with_ansi(colours)
        .without_time()
        .with_target(false)
        .log_internal_errors(false)
        .try_init();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Cli, clap::Error> {
        let words = line.split_whitespace().map(OsString::from);
        parse(std::iter::once(OsString::from("formalize")).chain(words))
    }

    fn refused(line: &str) -> bool {
        parsed(line).is_err_and(|error| error.exit_code() == 2)
    }

    #[test]
    fn the_clap_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn global_options_may_precede_or_follow_the_command() {
        for line in [
            "--as bob -o json --yes --database-url sqlite://x.db --config f.toml groups list",
            "groups list --as bob -o json --yes --database-url sqlite://x.db --config f.toml",
            "groups --as bob --yes list -o json --database-url sqlite://x.db --config f.toml",
        ] {
            let global = parsed(line).unwrap().global;
            assert_eq!(global.acting.unwrap().as_str(), "bob", "{line}");
            assert_eq!(global.output, output::Format::Json, "{line}");
            assert_eq!(global.database_url.unwrap(), "sqlite://x.db", "{line}");
            assert!(global.yes && global.config.is_some(), "{line}");
        }
    }

    #[test]
    fn attributes_are_read_at_every_level() {
        let line = "--as bob --attribute a=1 groups --attribute b=2 list --attribute c=[3]";
        let attributes = parsed(line).unwrap().global.attributes;
        let names: Vec<&str> = attributes.keys().map(String::as_str).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert!(refused("--attribute a=1 groups list --attribute a=2"));
        assert!(refused("groups list --attribute a=x"));
    }

    #[test]
    fn invalid_values_are_rejected() {
        for line in [
            "tokens create --user a --expires 90",
            "tokens create",
            "groups list -o xml",
            "members add G",
            "members add G --user a --group H",
            "grants create --action read --resource C",
            "grants create --action read --resource C --user a --dynamic-group everybody",
            "grants create --action read --resource C/ --user a",
            "resources register C",
            "forms create --schema s.json",
            "forms create n --name m",
            "forms show",
            "forms show F --form G",
            "groups show G --group H",
            "groups rename G",
            "groups rename G N --name M",
            "groups rename G N --group H",
            "submissions list F --form G",
            "submissions export",
            "submissions export F a.csv --form G",
            "webhooks list F --form G",
            "forms create --name n --allowed-submission-states drafts",
            "forms create --name n --allowed-actions-when-submitted read,share",
            "forms create --name n --available-starts tomorrow",
            "forms create --name n --max-num-submissions-per-creator -1",
            "forms create --name n --max-num-submissions many",
            "forms create --name n --grant-based-submission-authorization=maybe",
            "forms update F",
            "forms update F --clear name",
            "submissions create --form F",
            "submissions create --form F --data - --state sent",
            "submissions list",
            "links create",
            "links create --form F --max 0",
            "links create --form F --number 0",
            "links create --form F --expires tomorrow",
            "links create --form F --embed http://example.org",
            "links create --form F --label=",
            "links list",
            "links revoke",
            "submissions list --form F --output-validation keys",
            "submissions list --form F --created-from yesterday",
            "submissions export --form F --created-before 2026-13-01",
            "submissions update S",
            "submissions update S --data - --clear-data",
            "check --user a --action read",
            "policies test",
            "completions tcsh",
            "completions",
            "man",
            "migrate down",
            "backup",
            "verify formalize.db",
            "groups list --unknown",
        ] {
            assert!(refused(line), "{line}");
        }
    }

    #[test]
    fn forms_groups_and_names_are_arguments_or_options() {
        for (argument, option) in [
            ("forms create N", "forms create --name N"),
            ("forms show F", "forms show --form F"),
            ("forms questions F", "forms questions --form F"),
            ("forms update F --name N", "forms update --form F --name N"),
            ("forms delete F", "forms delete --form F"),
            (
                "forms share F --with everybody --to fill",
                "forms share --form F --with everybody --to fill",
            ),
            (
                "submissions create F --data -",
                "submissions create --form F --data -",
            ),
            ("submissions list F", "submissions list --form F"),
            (
                "submissions export F a.csv",
                "submissions export --form F a.csv",
            ),
            (
                "submissions import F a.csv",
                "submissions import --form F a.csv",
            ),
            (
                "submissions delete-all F",
                "submissions delete-all --form F",
            ),
            ("files list F", "files list --form F"),
            ("links create F", "links create --form F"),
            ("links list F", "links list --form F"),
            (
                "webhooks create F --url u",
                "webhooks create --form F --url u",
            ),
            ("webhooks list F", "webhooks list --form F"),
            ("groups create N", "groups create --name N"),
            ("groups show G", "groups show --group G"),
            ("groups rename G N", "groups rename --group G --name N"),
            ("groups rename G N", "groups rename --group G N"),
            ("groups rename G N", "groups rename G --name N"),
            ("groups delete G", "groups delete --group G"),
            ("members list G", "members list --group G"),
        ] {
            for line in [argument, option] {
                assert!(parsed(line).is_ok(), "{line}: {:?}", parsed(line).err());
            }
            if let Some((noun, rest)) = argument.split_once(" list ") {
                assert!(parsed(&format!("{noun} ls {rest}")).is_ok(), "{argument}");
            }
        }
    }

    #[test]
    fn flags_of_forms_have_the_names_of_the_interface() {
        let create = "forms create --name n --grant-based-submission-authorization";
        for line in [
            create.to_owned(),
            format!("{create}=false"),
            format!("{create} --data-feed-schema s.json --available-starts 2026-11-21"),
            "forms create --name n --allowed-actions-when-submitted=".to_owned(),
            "forms create --name n --allowed-submission-states draft,submitted".to_owned(),
            "forms update F --clear data-feed-schema,available-starts".to_owned(),
            "submissions list --form-identifier F --creator-id-equals a --submission-state draft"
                .to_owned(),
            "submissions list --form F --created-from 2026-11-21 --created-before 2026-11-21T18:00:00Z"
                .to_owned(),
        ] {
            assert!(parsed(&line).is_ok(), "{line}");
        }
    }
}
