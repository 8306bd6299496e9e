//! The program `formalize`. Its code is in the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    formalize_cli::run()
}
