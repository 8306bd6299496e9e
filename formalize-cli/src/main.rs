//! The program `formalize`. Its code is in the library of this package.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    formalize_cli::run(std::env::args_os()).await
}
