//! The program `formalize-server`.

use std::{
    fmt::Display,
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use formalize_server::{
    config::{Config, Flags},
    observe::start_logging,
    openapi::Document,
    serve::serve,
};

/// The REST server of formalize: forms, submissions and authorization.
#[derive(Parser)]
#[command(version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    flags: Flags,
}

#[derive(Clone, Copy, Subcommand)]
enum Command {
    /// Run the server; this is what happens without a command.
    Serve,
    /// Print the OpenAPI document.
    Openapi,
    /// Look at the configuration.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
}

#[derive(Clone, Copy, Subcommand)]
enum ConfigCommand {
    /// Print the settings that would count, without secrets.
    Check,
}

const FAILED: u8 = 1;
const USAGE: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command.unwrap_or(Command::Serve) {
        Command::Serve => match load(&arguments.flags) {
            Ok(config) => {
                let logging = match start_logging(&config) {
                    Ok(logging) => logging,
                    Err(error) => return complain(&error, FAILED),
                };
                let served = serve(config).await;
                logging.finish().await;
                finish(served)
            }
            Err(code) => code,
        },
        Command::Openapi => finish(print_document().await),
        Command::Config {
            command: ConfigCommand::Check,
        } => match load(&arguments.flags) {
            Ok(config) => finish(print(&config.to_string())),
            Err(code) => code,
        },
    }
}

fn load(flags: &Flags) -> Result<Config, ExitCode> {
    Config::load(flags).map_err(|error| complain(&error, USAGE))
}

async fn print_document() -> Result<(), Box<dyn std::error::Error>> {
    let document = Document::standalone().await?;
    Ok(print(&document.to_json())?)
}

fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn finish<E: Display>(result: Result<(), E>) -> ExitCode {
    result.map_or_else(|error| complain(&error, FAILED), |()| ExitCode::SUCCESS)
}

fn complain(error: &impl Display, code: u8) -> ExitCode {
    // Where standard error is closed, the exit code has to do.
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::from(code)
}
