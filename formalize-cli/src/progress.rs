//! How far long work is, on standard error if that is a terminal; otherwise nothing is shown.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is shown while something takes its time. It goes away when it is dropped.
pub(crate) struct Progress(ProgressBar);

const TICK: Duration = Duration::from_millis(100);

impl Progress {
    /// Work on an input of which the length may be known, in bytes.
    pub(crate) fn of_input(bytes: Option<u64>) -> Self {
        match bytes {
            Some(bytes) => Self::new(
                Some(bytes),
                "{bar:30} {bytes}/{total_bytes}, {msg}, {eta} left",
            ),
            None => Self::new(None, "{spinner} {bytes}, {msg}"),
        }
    }

    /// Work of which nobody knows how long it takes.
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

    /// Does what writes to the terminal while nothing is shown there.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
