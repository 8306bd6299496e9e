//! What operators see of the service: log lines, figures, traces.
//!
//! None of it names a person, and none of it has anything that a client wrote but a request id and a trace id, which are
//! well-formed. Paths are those of the table of operations; who asks is a [`CallerMark`].

mod caller;
mod endpoint;
mod logging;
pub mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
mod record;
mod spans;
mod trace_context;

pub use caller::CallerMark;
pub(crate) use endpoint::unreadable;
pub use endpoint::{Observe, Observed};
pub use logging::{Logging, log_error, start_logging};
pub use record::Record;
pub use trace_context::TraceContext;
