//! Observability for operators: logs, metrics, traces.
//!
//! Nothing here identifies users. The only data from clients is the request id and the trace id, which are validated.
//! Paths are the templates in the table of operations, and callers are shown as a [`CallerMark`].

mod caller;
mod endpoint;
mod logging;
pub mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
mod record;
mod request_id;
mod spans;
mod trace_context;

pub use caller::CallerMark;
pub use endpoint::{Observe, Observed};
pub use logging::{Logging, log_error, start_logging};
pub use record::{Record, Surface};
pub use request_id::RequestId;
pub use trace_context::TraceContext;
