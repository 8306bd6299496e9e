//! The program `formalize-server`.

use std::{
    fmt::Display,
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use clap::{
    Parser, Subcommand,
    builder::{Styles, styling::Style},
};
use formalize_http::config::{Config, Flags, LogFormat};
use formalize_http::observe::{log_error, start_logging};
use formalize_server::{openapi::Document, serve::serve};

/// Requests make many small allocations on all threads, for which glibc's allocator takes longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    /// Run the server. This is the default.
    Serve,
    /// Print the OpenAPI document.
    Openapi,
    /// Inspect the configuration.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
}

#[derive(Clone, Copy, Subcommand)]
enum ConfigCommand {
    /// Print the effective settings, without secrets.
    Check,
}

const FAILED: u8 = 1;
const USAGE: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { command, flags } = Arguments::parse();
    match command.unwrap_or(Command::Serve) {
        Command::Serve => run(&flags).await,
        Command::Openapi => finish(print_document().await, LogFormat::Text),
        Command::Config {
            command: ConfigCommand::Check,
        } => match Config::load(&flags) {
            Ok(config) => {
                if let Some(note) = config.readable_secrets() {
                    drop(writeln!(io::stderr(), "note: {note}"));
                }
                for warning in config.warnings() {
                    drop(writeln!(io::stderr(), "warning: {warning}"));
                }
                finish(print(&format!("{config}ok\n")), LogFormat::Text)
            }
            Err(error) => report(&error, LogFormat::Text, USAGE),
        },
    }
}

async fn run(flags: &Flags) -> ExitCode {
    let config = match Config::load(flags) {
        Ok(config) => config,
        Err(error) => return report(&error, Config::log_format(flags), USAGE),
    };
    let format = config.log_format;
    let logging = match start_logging(&config) {
        Ok(logging) => logging,
        Err(error) => return report(&error, format, FAILED),
    };
    let served = serve(config).await;
    logging.finish().await;
    finish(served, format)
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

fn finish<E: Display>(result: Result<(), E>, format: LogFormat) -> ExitCode {
    result.map_or_else(
        |error| report(&error, format, FAILED),
        |()| ExitCode::SUCCESS,
    )
}

/// How clap shows `error:` on terminals.
fn error_style() -> Style {
    let is_refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stderr().is_terminal() && !is_refused {
        *Styles::styled().get_error()
    } else {
        Style::new()
    }
}

fn report(error: &impl Display, format: LogFormat, code: u8) -> ExitCode {
    match format {
        // If standard error is closed, only the exit code reports the failure.
        LogFormat::Text => {
            let style = error_style();
            drop(writeln!(io::stderr(), "{style}error:{style:#} {error}"));
        }
        LogFormat::Json => log_error(error, format),
    }
    ExitCode::from(code)
}
