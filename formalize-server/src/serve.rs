//! The server from its start to its end.

use std::{
    io::{self, Write},
    net::SocketAddr,
    sync::Arc,
    time::Duration,
};

use formalize_core::{
    Builder, Formalize, InvalidText, Secret, Store, StoreError, SystemClock, UserId,
    store::sql::{DatabaseKind, SqlOptions, SqlStore},
};
use poem::{
    Server,
    listener::{Acceptor, Listener, TcpListener},
};

use crate::{
    App,
    auth::{Issuers, NoClient},
    config::Config,
};

/// The user that the first start makes an administrator.
const FIRST_ADMINISTRATOR: &str = "admin";

/// How long a connection may be silent.
const IDLE_TIMEOUT: Duration = Duration::from_mins(2);

/// Why the server did not start, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database cannot be opened or used.
    #[error("the database: {0}")]
    Database(#[from] StoreError),
    /// The database must be migrated, and the server was told not to do so.
    #[error("`auto_migrate` is `false`, and the database has migrations pending: {0}")]
    Pending(usize),
    /// The service cannot be put together.
    #[error(transparent)]
    Service(#[from] formalize_core::Error),
    /// The issuers cannot be asked for their keys.
    #[error(transparent)]
    Issuers(#[from] NoClient),
    /// The name of the first administrator is none.
    #[error(transparent)]
    Name(#[from] InvalidText),
    /// The address cannot be listened at.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// Standard output, or the network as such, failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Runs the server until the process is told to stop.
///
/// # Errors
///
/// If the database or the address cannot be used.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    let store = SqlStore::open(config.database_url.expose(), &SqlOptions::default()).await?;
    migrate(&store, config.auto_migrate).await?;
    let shared: Arc<dyn Store> = Arc::new(store.clone());
    let library = config.library.clone();
    let builder = Formalize::builder(shared)
        .catalog(library.catalog)
        .policies(library.policies)
        .dynamic_groups(library.dynamic_groups);
    if store.kind() == DatabaseKind::Sqlite
        && config.names_no_administrator()
        && let Some(secret) = first_start(&builder).await?
    {
        print(&format!("admin token: {}", secret.expose()))?;
    }
    let formalize = builder.build().await?;
    listen(&config, formalize).await?;
    store.close().await;
    tracing::info!("stopped");
    Ok(())
}

async fn migrate(store: &SqlStore, automatically: bool) -> Result<(), ServeError> {
    if automatically {
        return Ok(store.migrate().await?);
    }
    let status = store.migration_status().await?;
    if status.newer {
        return Err(StoreError::Failed("it is newer than this program".to_owned()).into());
    }
    match status.pending.len() {
        0 => Ok(()),
        pending => Err(ServeError::Pending(pending)),
    }
}

/// Makes an administrator if nobody has used the database before.
async fn first_start(builder: &Builder) -> Result<Option<Secret>, ServeError> {
    let administrator = UserId::new(FIRST_ADMINISTRATOR)?;
    Ok(builder.first_start(&administrator).await?)
}

/// Answers requests until the process is told to stop, and then finishes those under way.
async fn listen(config: &Config, formalize: Formalize) -> Result<(), ServeError> {
    let failed = |source| ServeError::Listen {
        address: config.listen,
        source,
    };
    let acceptor = TcpListener::bind(config.listen)
        .into_acceptor()
        .await
        .map_err(failed)?;
    let address = acceptor
        .local_addr()
        .iter()
        .find_map(|address| address.as_socket_addr().copied());
    let address = address.unwrap_or(config.listen);
    let mut app = App::new(formalize)
        .base_url(config.base_url_at(address))
        .body_limit(config.request_body_limit.0)
        .cors_allowed_origins(config.cors_allowed_origins.clone());
    if !config.issuers.is_empty() {
        let issuers = Issuers::new(config.issuers.clone(), Arc::new(SystemClock))?;
        issuers.prepare();
        app = app.issuers(issuers);
    }
    let stop = told_to_stop()?;
    print(&format!("listening on http://{address}"))?;
    Server::new_with_acceptor(acceptor)
        .idle_timeout(IDLE_TIMEOUT)
        .run_with_graceful_shutdown(app.build(), stop, Some(config.shutdown_timeout.0))
        .await?;
    Ok(())
}

/// Ends when the process gets SIGINT or SIGTERM. It catches them from the moment of the call, so that a signal that comes
/// before anyone waits is not lost.
#[cfg(unix)]
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("stopping");
    })
}

/// Ends when the process is interrupted.
#[cfg(not(unix))]
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            // Then nothing but the end of the process stops the server.
            std::future::pending::<()>().await;
        }
        tracing::info!("stopping");
    })
}

/// Tells scripts and people that wait for it; a log line would not be for them.
fn print(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
