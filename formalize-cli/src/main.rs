//! The program `formalize`; all of it is in the library of the same package.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    formalize_cli::run(std::env::args_os()).await
}
