//! Startup and shutdown of the server.

mod background;
mod first_start;

use std::{
    io::{self, Write},
    net::SocketAddr,
    sync::Arc,
    time::Duration,
};

use background::Background;
use first_start::{FirstStart, warn_if_unusable};
use formalize_core::{
    Caller, Formalize, InvalidText, PageRequest, Store, StoreError, SystemClock,
    file_store::FileStoreError,
};
use formalize_http::auth::{Issuers, NoClient};
use formalize_http::config::{Address, Config, LogFormat};
use formalize_http::connections::{self, ConnectionLimits, ConnectionStats, Served, Timeouts};
use formalize_http::exports::Exports;
use formalize_http::middleware::{RequestLimits, UploadLimits};
use formalize_http::observe::metrics::{
    self, ExportMetrics, FileMetrics, MetricsListener, RequestMetrics, StreamMetrics,
    WebhookMetrics,
};
use formalize_http::rate::RateLimits;
use formalize_http::readiness::Stopping;
use formalize_pages::PageSetup;
use formalize_sql::{DatabaseKind, SqlOptions, SqlStore};
use formalize_webhook_sender::Sender;
use prometheus_client::registry::Registry;
use serde_json::json;
use tokio::{
    net::TcpListener,
    sync::{oneshot, watch},
    task::JoinHandle,
};

use crate::App;
use crate::feed::Streams;
use crate::webhooks::Deliveries;

/// How long the database may take to close its connections.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Why the server did not start, or failed.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database cannot be opened or used.
    #[error("database: {0}")]
    Database(#[from] StoreError),
    /// Migrations are pending, and the server may not apply them.
    #[error(
        "`auto_migrate` is `false` and migrations are pending: {0}; run `formalize migrate up`"
    )]
    Pending(usize),
    /// The database was migrated by a newer version.
    #[error(
        "the database was migrated by a newer version of formalize than {}; upgrade this program",
        env!("CARGO_PKG_VERSION")
    )]
    Newer,
    /// The store of the contents of files cannot be used.
    #[error("files_url: {0}")]
    Files(#[from] FileStoreError),
    /// The service cannot be built.
    #[error(transparent)]
    Service(#[from] formalize_core::Error),
    /// The HTTP client for issuers cannot be created.
    #[error(transparent)]
    Issuers(#[from] NoClient),
    /// The name of the first administrator is invalid.
    #[error(transparent)]
    Name(#[from] InvalidText),
    /// The server cannot listen on the address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        source: io::Error,
    },
    /// Standard output or the network failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Runs the server until it receives a shutdown signal.
///
/// # Errors
///
/// If the database or the address cannot be used.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    // Bind first: a server whose address is in use must not create a database or issue a token.
    let listeners = Listeners::bind(&config).await?;
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        database = %config.database_url,
        address = listeners.url(),
        relay = listeners.relay.as_ref().map(|(_, address)| format!("http://{address}")),
        metrics = listeners.metrics.as_ref().map(MetricsListener::url),
        "starting"
    );
    warn_of_unprotected_pages(&config, listeners.address);
    let store = SqlStore::open(config.database_url.expose(), &sql_options(&config)).await?;
    migrate(&store, config.auto_migrate.0).await?;
    let shared: Arc<dyn Store> = Arc::new(store.clone());
    let library = config.library.clone();
    let builder = Formalize::builder(shared)
        .catalog(library.catalog)
        .policies(library.policies)
        .dynamic_groups(library.dynamic_groups)
        .first_administrator(config.issuers.is_empty())
        .token_memory(config.token_memory.0)
        .summary_minimum(config.summary_minimum.0.into())
        .event_log(config.events.is_on)
        .event_retention(config.events.retention)
        .retry_time(match store.kind() {
            DatabaseKind::Sqlite => Duration::ZERO,
            DatabaseKind::Postgres => config.database_wait.0,
        })
        .webhook_allowed_targets(config.webhooks.shared.allowed_targets.clone())
        .webhook_secret_keys(config.webhooks.shared.secret_keys.clone())
        .webhook_log_retention(config.webhooks.shared.log_retention)
        .webhook_disable_after(config.webhooks.disable_after.0)
        .webhook_timeout(config.webhooks.shared.timeout)
        .webhook_requests(config.webhooks.concurrency.0 as usize)
        .file_limits(config.files.shared.limits);
    let files = config.files.shared.open(&config.database_url).await?;
    let has_files = files.is_some();
    let file_metrics = FileMetrics::default();
    let builder = match files {
        Some(files) => builder.file_store(file_metrics.count(files)),
        None => builder,
    };
    let base_url = config.base_url_at(listeners.address);
    let first_start = FirstStart::begin(&config, &store, &builder, &base_url).await?;
    let formalize = builder.build().await?;
    warn_of_unused_records(&config, &formalize).await;
    warn_if_unusable(&config, &formalize).await;
    if has_files && store.kind() == DatabaseKind::Sqlite {
        // No other server is on this database, so they are never finished.
        formalize.files().give_up_uploads().await?;
    }
    let background = Background::start(&config, &formalize, file_metrics);
    let webhooks = Webhooks::start(&config, &formalize);
    let served = answer_requests(
        &config,
        listeners,
        formalize,
        first_start,
        &store,
        &webhooks,
        &background,
    )
    .await;
    background.stop();
    webhooks.stop(config.shutdown_timeout.0).await;
    served?;
    if tokio::time::timeout(CLOSE_TIMEOUT, store.close())
        .await
        .is_err()
    {
        tracing::warn!("the database does not respond; closing its connections");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Warns if others in the network can read the sessions of people who use pages.
fn warn_of_unprotected_pages(config: &Config, address: SocketAddr) {
    if config.has_unprotected_pages(address) {
        tracing::warn!(
            base_url = config.base_url_at(address),
            "pages are sent without encryption, so others in the network can read sessions; set `base_url` to the \
             `https://` address of a proxy"
        );
    }
}

/// Says what these settings mean for records in the database: some have no effect, and secrets may be readable.
async fn warn_of_unused_records(config: &Config, formalize: &Formalize) {
    if let Some(user) = formalize.ignored_first_administrator() {
        tracing::warn!(
            %user,
            "an issuer is configured, so the administrator of the first start is ignored; set `administrators`"
        );
    }
    let first = PageRequest::default();
    let found = formalize
        .webhooks()
        .list(&Caller::System, None, &first)
        .await;
    let has_webhooks = found.is_ok_and(|webhooks| !webhooks.items.is_empty());
    if has_webhooks && !config.events.is_on {
        tracing::warn!(
            "the event log is off, so that webhooks send nothing; set `event_log = true`"
        );
    }
    if let Some(note) = config.readable_secrets().filter(|_| has_webhooks) {
        tracing::info!("{note}");
    }
}

/// Webhooks while the server runs.
struct Webhooks {
    sender: Arc<Sender>,
    metrics: WebhookMetrics,
    stop: watch::Sender<bool>,
    delivering: Option<JoinHandle<()>>,
}

impl Webhooks {
    fn start(config: &Config, formalize: &Formalize) -> Self {
        let settings = &config.webhooks;
        let allowed = settings.shared.allowed_targets.clone();
        let sender = Arc::new(Sender::new(allowed, settings.shared.proxy.clone()));
        let metrics = WebhookMetrics::default();
        let (stop, stopped) = watch::channel(false);
        let deliveries = Deliveries {
            formalize: formalize.clone(),
            sender: Arc::clone(&sender),
            metrics: metrics.clone(),
            concurrency: settings.concurrency.0 as usize,
        };
        let delivering = settings
            .is_on
            .then(|| tokio::spawn(deliveries.run(stopped)));
        Self {
            sender,
            metrics,
            stop,
            delivering,
        }
    }

    /// Lets the attempts end that are under way, for this long. Those that are cut off are repeated when their leases end.
    async fn stop(self, patience: Duration) {
        self.stop.send_replace(true);
        let Some(mut delivering) = self.delivering else {
            return;
        };
        match tokio::time::timeout(patience, &mut delivering).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the delivery of webhooks failed"),
            Err(_) => delivering.abort(),
        }
    }
}

fn sql_options(config: &Config) -> SqlOptions {
    SqlOptions {
        connections: config.database_connections.0,
        wait: config.database_wait.0,
        statement: config.statement_timeout.0,
        ..SqlOptions::default()
    }
}

async fn migrate(store: &SqlStore, automatically: bool) -> Result<(), ServeError> {
    let status = store.migration_status().await?;
    if status.newer {
        return Err(ServeError::Newer);
    }
    if automatically {
        return Ok(store.migrate().await?);
    }
    match status.pending.len() {
        0 => Ok(()),
        pending => Err(ServeError::Pending(pending)),
    }
}

/// The sockets of the service and of its metrics. Clients that connect during startup wait until it is complete.
struct Listeners {
    service: TcpListener,
    address: SocketAddr,
    /// The interface for the Relay web client.
    relay: Option<(TcpListener, SocketAddr)>,
    metrics: Option<MetricsListener>,
}

impl Listeners {
    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    async fn bind(config: &Config) -> Result<Self, ServeError> {
        let failed = |address| move |source| ServeError::Listen { address, source };
        let address = config.listen.0;
        let service = connections::listen(address).map_err(failed(address))?;
        let relay = match config.relay_listen {
            Some(Address(address)) => {
                let listener = connections::listen(address).map_err(failed(address))?;
                let address = listener.local_addr()?;
                Some((listener, address))
            }
            None => None,
        };
        let metrics = match config.metrics_listen {
            Some(Address(address)) => {
                let listener = MetricsListener::bind(address).await;
                Some(listener.map_err(failed(address))?)
            }
            None => None,
        };
        Ok(Self {
            address: service.local_addr()?,
            service,
            relay,
            metrics,
        })
    }
}

/// Handles requests until a shutdown signal, and then finishes those in progress.
async fn answer_requests(
    config: &Config,
    listeners: Listeners,
    formalize: Formalize,
    mut first_start: Option<FirstStart>,
    store: &SqlStore,
    webhooks: &Webhooks,
    background: &Background,
) -> Result<(), ServeError> {
    let (address, url) = (listeners.address, listeners.url());
    let stopping = Stopping::default();
    let stats = Arc::new(ConnectionStats::new(config.limits.connections.0));
    // Metrics are served until this sender is dropped.
    let (_keep_metrics, metrics_end) = oneshot::channel::<()>();
    let export_metrics = ExportMetrics::default();
    let stream_metrics = StreamMetrics::default();
    let metrics = listeners.metrics.map(|listener| {
        let requests = RequestMetrics::default();
        let (formalize, stats) = (formalize.clone(), Arc::clone(&stats));
        let counted = metrics::Counted {
            requests: &requests,
            exports: &export_metrics,
            webhooks: &webhooks.metrics,
            streams: &stream_metrics,
            files: &background.files,
            directory: &background.directory,
        };
        let registry = metrics::registry(counted, formalize, store.clone(), stats);
        tokio::spawn(serve_metrics(listener, registry, metrics_end));
        requests
    });
    let exports = Exports::new(
        config.exports.clone(),
        config.database_wait.0,
        export_metrics,
    );
    let patience = config.limits.response_timeout.0;
    let streams = Streams::new(config.streams, patience, stream_metrics);
    let mut app = app(config, formalize, address, &stopping, metrics)?
        .exports(exports)
        .streams(streams)
        .transport(Arc::clone(&webhooks.sender) as _);
    if let Some(settings) = config.pages.clone() {
        let takes_tokens = config.takes_tokens();
        app = app.pages(PageSetup {
            settings,
            takes_tokens,
            first_code: first_start.as_mut().and_then(FirstStart::take_code),
            ..PageSetup::default()
        });
    }
    if let Some((_, address)) = &listeners.relay {
        app = app
            .relay(config.relay_base_url_at(*address))
            .directory(config.directory.clone());
    }
    let endpoints = app.build_all();
    let signals = Signals::catch()?;
    if let Some(first_start) = first_start {
        first_start.print()?;
    }
    let mut served = vec![Served {
        listener: listeners.service,
        endpoint: endpoints.service,
    }];
    if let (Some((listener, address)), Some(endpoint)) = (listeners.relay, endpoints.relay) {
        let url = format!("http://{address}");
        announce(config.log_format, "relay listening", &url)?;
        served.push(Served { listener, endpoint });
    }
    announce(config.log_format, "listening", &url)?;
    connections::serve(
        served,
        connection_limits(config),
        stats,
        shutdown_requested(signals, stopping, config.shutdown_delay.0),
        config.shutdown_timeout.0,
    )
    .await?;
    Ok(())
}

async fn serve_metrics(listener: MetricsListener, registry: Registry, end: oneshot::Receiver<()>) {
    let stop = async {
        // The sender is only ever dropped.
        let _ = end.await;
    };
    if let Err(error) = listener.serve(registry, stop).await {
        tracing::error!(%error, "metrics listener failed");
    }
}

fn app(
    config: &Config,
    formalize: Formalize,
    address: SocketAddr,
    stopping: &Stopping,
    metrics: Option<RequestMetrics>,
) -> Result<App, ServeError> {
    let limits = &config.limits;
    let mut app = App::new(formalize)
        .stopping(stopping.clone())
        .base_url(config.base_url_at(address))
        .limits(RequestLimits {
            body: limits.request_body.0,
            body_timeout: limits.request_body_timeout.0,
            bodies: limits.bodies_budget.0,
            responses: limits.responses_budget.0,
            page_size: limits.page_size.0,
            key_retention: limits.key_retention.0,
        })
        .rate_limits(
            RateLimits::new(
                limits.user_rate_at(address),
                limits.address_rate_at(address),
                limits.trusted_proxies.clone(),
            )
            .of_links(limits.link_rate_at(address))
            .requests_in_progress(connections::share(limits.connections.0)),
        )
        .uploads(UploadLimits {
            size: u64::try_from(config.files.limit.0).unwrap_or(u64::MAX),
            timeout: config.files.shared.upload_timeout,
            at_once: config.files.at_once.0,
        })
        .cors_allowed_origins(config.cors_allowed_origins.clone());
    if let Some(metrics) = metrics {
        app = app.metrics(metrics);
    }
    if !config.issuers.is_empty() {
        let issuers = Issuers::new(config.issuers.clone(), Arc::new(SystemClock))?;
        issuers.prepare();
        app = app.issuers(issuers);
    }
    Ok(app)
}

fn connection_limits(config: &Config) -> ConnectionLimits {
    let limits = &config.limits;
    ConnectionLimits {
        connections: limits.connections.0,
        proxies: limits.trusted_proxies.clone(),
        head: limits.request_head.0,
        headers: limits.request_headers.0,
        timeouts: Timeouts {
            head: limits.request_head_timeout.0,
            answer: limits.response_timeout.0,
            keep_alive: limits.keep_alive_timeout.0,
        },
    }
}

/// Completes when the server is to stop accepting: `delay` after a signal, or at a second signal.
async fn shutdown_requested(mut signals: Signals, stopping: Stopping, delay: Duration) {
    signals.next().await;
    stopping.begin();
    tracing::info!(?delay, "stopping");
    tokio::select! {
        () = tokio::time::sleep(delay) => {}
        () = signals.next() => {}
    }
}

/// The signals that stop the process. They are caught from the start, so that an early one is not lost.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// Sent when a terminal or a session ends.
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn catch() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Completes when the process receives SIGINT, SIGTERM or SIGHUP.
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}

/// The interrupts that stop the process.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "catching signals can fail on other platforms"
    )]
    fn catch() -> io::Result<Self> {
        Ok(Self)
    }

    /// Completes when the process is interrupted.
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            // Then only the end of the process stops the server.
            std::future::pending::<()>().await;
        }
    }
}

/// Writes where the server listens to standard output.
fn announce(format: LogFormat, what: &str, url: &str) -> io::Result<()> {
    match format {
        LogFormat::Text => print(&format!("{what} on {url}")),
        LogFormat::Json => print(&json!({"message": what, "url": url}).to_string()),
    }
}

/// Writes a line to standard output.
fn print(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
