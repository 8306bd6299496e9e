//! A receiver of webhooks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use poem::Request;
use poem::endpoint::make;
use poem::http::StatusCode;
use tokio::time::sleep;

use crate::Result;
use crate::receiver::WebhookReceiver;

/// How long a request takes, so that some are on their way when the server is killed.
const WORK: Duration = Duration::from_millis(10);

/// Takes requests until it is dropped.
#[derive(Debug)]
pub(super) struct Receiver {
    pub(super) url: String,
    received: Arc<Mutex<Received>>,
    _listening: WebhookReceiver,
}

/// What has been received.
#[derive(Debug, Default)]
struct Received {
    /// The bodies by `webhook-id`.
    bodies: BTreeMap<String, Vec<u8>>,
    /// The identifiers that came with different bodies.
    differing: Vec<String>,
    requests: u64,
}

impl Receiver {
    /// Listens on a free port.
    ///
    /// # Errors
    ///
    /// If no port is free.
    pub(super) async fn start() -> Result<Self> {
        let received: Arc<Mutex<Received>> = Arc::default();
        let shared = Arc::clone(&received);
        let endpoint = make(move |request| receive(Arc::clone(&shared), request));
        let listening = WebhookReceiver::start("127.0.0.1:0", endpoint).await?;
        Ok(Self {
            url: listening.url.clone(),
            received,
            _listening: listening,
        })
    }

    fn received(&self) -> MutexGuard<'_, Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The identifiers of the events that were delivered.
    ///
    /// # Errors
    ///
    /// If one was sent again with another body.
    pub(super) fn delivered(&self) -> Result<Vec<String>> {
        let received = self.received();
        if !received.differing.is_empty() {
            let ids = &received.differing;
            return Err(format!("sent again with another body: {ids:?}").into());
        }
        Ok(received.bodies.keys().cloned().collect())
    }

    /// The number of requests.
    pub(super) fn requests(&self) -> u64 {
        self.received().requests
    }
}

async fn receive(received: Arc<Mutex<Received>>, mut request: Request) -> poem::Result<StatusCode> {
    let id = request.header("webhook-id").unwrap_or_default().to_owned();
    let body = request.take_body().into_vec().await?;
    {
        let mut received = received.lock().unwrap_or_else(PoisonError::into_inner);
        received.requests += 1;
        if received.bodies.get(&id).is_some_and(|first| *first != body) {
            received.differing.push(id.clone());
        }
        received.bodies.entry(id).or_insert(body);
    }
    sleep(WORK).await;
    Ok(StatusCode::NO_CONTENT)
}
