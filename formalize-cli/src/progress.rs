//! Progress of long operations on standard error, if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar or spinner; it disappears when dropped.
pub(crate) struct Progress(ProgressBar);

const TICK: Duration = Duration::from_millis(100);

impl Progress {
    /// Progress through an input, whose length in bytes may be known.
    pub(crate) fn of_input(bytes: Option<u64>) -> Self {
        match bytes {
            Some(bytes) => Self::new(
                Some(bytes),
                "{bar:30} {bytes}/{total_bytes}, {msg}, {eta} left",
            ),
            None => Self::new(None, "{spinner} {bytes}, {msg}"),
        }
    }

    /// Progress of work whose duration is unknown.
    pub(crate) fn waiting(doing: &str) -> Self {
        let progress = Self::new(None, "{spinner} {msg}, {elapsed}");
        progress.say(doing);
        progress
    }

    fn new(length: Option<u64>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    pub(crate) fn say(&self, doing: &str) {
        self.0.set_message(doing.to_owned());
    }

    pub(crate) fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }

    /// Hides the progress while `write` writes to the terminal.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
