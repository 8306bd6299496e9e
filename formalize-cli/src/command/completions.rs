//! `formalize completions`.

use std::io::{self, Write};

use clap_complete::Shell;

use crate::session::Outcome;

/// Print a shell completion script
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
        // Written at once, because clap_complete panics if the pipe is closed.
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut crate::full_command(),
            "formalize",
            &mut script,
        );
        Ok(io::stdout().write_all(&script)?)
    }
}
