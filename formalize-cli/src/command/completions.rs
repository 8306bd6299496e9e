//! `formalize completions`.

use std::io::{self, Write};

use clap_complete::Shell;

use crate::session::Outcome;

/// Print what a shell needs to complete commands and options
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  mkdir -p ~/.local/share/bash-completion/completions\n  formalize completions bash > ~/.local/share/bash-completion/completions/formalize"
)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    pub(crate) fn run(&self) -> Outcome {
        // What it generates goes out in one piece, so that a closed pipe is an error here and no panic there.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::command(), "formalize", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}
