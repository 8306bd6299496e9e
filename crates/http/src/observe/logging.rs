//! The log on standard error, and traces.

use std::{
    error::Error as StdError,
    fmt::Display,
    io::{self, IsTerminal},
    panic,
};

use tracing::Subscriber;
use tracing_subscriber::{
    EnvFilter, Layer, fmt, layer::SubscriberExt, registry, registry::LookupSpan,
    util::SubscriberInitExt,
};

use crate::config::{Config, LogFormat};

/// Must be finished at the end of the process.
#[derive(Debug)]
#[must_use]
pub struct Logging {
    #[cfg(feature = "otlp")]
    traces: Option<super::otlp::Traces>,
}

impl Logging {
    /// Sends the remaining traces.
    #[cfg_attr(
        not(feature = "otlp"),
        expect(
            clippy::unused_async,
            reason = "with the feature `otlp`, it waits for the collector"
        )
    )]
    pub async fn finish(self) {
        #[cfg(feature = "otlp")]
        if let Some(traces) = self.traces {
            traces.finish().await;
        }
    }
}

/// What is logged unless `RUST_LOG` is set. Notices of PostgreSQL, which sqlx logs at level `info`, are left out.
const DEFAULT_FILTER: &str = "info,sqlx=warn";

/// Starts logging to standard error. The default level is `info`; `RUST_LOG` overrides it.
///
/// Each thread writes its lines itself, with one system call per line, so that no line is lost in a crash or dropped
/// under load. Errors when writing a line, such as a full disk, are ignored: they could only be reported in the same
/// place, and would fail the request.
///
/// # Errors
///
/// If traces are configured and the exporter cannot be created.
pub fn start_logging(config: &Config) -> Result<Logging, Box<dyn StdError + Send + Sync>> {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(DEFAULT_FILTER));
    if config.log_format == LogFormat::Json {
        // The default hook writes plain text.
        panic::set_hook(Box::new(|info| tracing::error!("{info}")));
    }
    #[cfg(feature = "otlp")]
    if let Some(endpoint) = &config.otlp_endpoint {
        let traces = super::otlp::Traces::to(endpoint)?;
        // The filter of the log does not apply to traces.
        let lines = lines(config.log_format).with_filter(filter);
        registry().with(lines).with(traces.layer()).init();
        return Ok(Logging {
            traces: Some(traces),
        });
    }
    registry()
        .with(filter)
        .with(lines(config.log_format))
        .init();
    Ok(Logging {
        #[cfg(feature = "otlp")]
        traces: None,
    })
}

/// Logs an error that ends the process, even before logging has started or after it has ended.
pub fn log_error(error: &impl Display, format: LogFormat) {
    let subscriber = registry().with(lines(format));
    tracing::subscriber::with_default(subscriber, || tracing::error!("{error}"));
}

fn lines<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let lines = fmt::layer()
        .log_internal_errors(false)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed(),
    }
}
