//! Where log lines go, and what they look like.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Begins to log to standard error; `RUST_LOG` chooses what is logged, and is `info` unless it is set.
///
/// A line is written by the thread that has made it, in one call of the system, and is out of the process then: a crash
/// loses none, and none is dropped because others come too fast. That a line cannot be written, on a disk that is full, is
/// not said, since that would be written there, too, and end the request.
pub fn start_logging(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .log_internal_errors(false)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => logs.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => logs.json().flatten_event(true).with_span_list(false).init(),
    }
}
