//! `formalize man`.

use std::fs;
use std::path::PathBuf;

use crate::failure::{Exit, Failure};
use crate::session::{Outcome, note};

/// Write the manual pages, one per command
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  formalize man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Output directory; created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Args {
    pub(crate) fn run(&self) -> Outcome {
        let folder = &self.folder;
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(crate::full_command(), folder))
            .map_err(|error| {
                let message = format!("cannot write to {}: {error}", folder.display());
                Failure::new(Exit::Failed, message)
            })?;
        note(&format!("wrote the manual pages to {}", folder.display()));
        Ok(())
    }
}
