//! The service itself: health, readiness and version.

#![expect(
    clippy::unused_async,
    reason = "the macro `OpenApi` requires asynchronous handlers"
)]

use formalize_core::Formalize;
use formalize_http::contract::ErrorKey;
use formalize_http::contract::endpoint::{GetHealth, GetReadiness, GetVersion};
use formalize_http::failure::{Answer, Refusal};
use formalize_http::readiness::Readiness;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;

use super::Item;
use super::{Found, Part};

pub(super) struct Service {
    pub(super) readiness: Readiness,
    pub(super) formalize: Formalize,
}

/// State of the service.
#[derive(Debug, Serialize, Object)]
struct Health {
    /// `ok`.
    status: String,
}

impl Health {
    fn ok() -> Self {
        Self {
            status: "ok".to_owned(),
        }
    }
}

impl Item for Health {}

/// Readiness of the service.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
struct Ready {
    /// `ok`.
    status: String,
    /// The steps of the maintenance that failed when this server last performed them, once a minute. Requests are served all
    /// the same, but records whose time is over are kept. The log has the cause.
    failing_maintenance: Vec<String>,
}

impl Item for Ready {}

/// Version of the service.
#[derive(Debug, Serialize, Object)]
struct Version {
    /// Name of the program.
    name: String,
    /// Version of the program.
    version: String,
}

impl Item for Version {}

#[OpenApi(tag = "Part::Service")]
impl Service {
    /// Check whether the service is alive.
    ///
    /// No credentials are needed. Does not use the database.
    #[oai(path = "/healthz", method = "get")]
    async fn health(&self) -> Answer<Found<Health>, GetHealth> {
        Ok(Found(Health::ok()))
    }

    /// Check whether the service is ready.
    ///
    /// No credentials are needed. Responds within a second: 503 if the database does not respond or the service is
    /// shutting down. The state of the database is cached for a second.
    #[oai(path = "/readyz", method = "get")]
    async fn readiness(&self) -> Answer<Found<Ready>, GetReadiness> {
        let checked = self.readiness.check().await;
        checked.map_err(|cause| Refusal::is(ErrorKey::ServiceUnavailable).caused_by(cause))?;
        let maintenance = self.formalize.statistics().maintenance;
        let failing = maintenance.steps.failing();
        Ok(Found(Ready {
            status: "ok".to_owned(),
            failing_maintenance: failing.map(|step| step.as_str().to_owned()).collect(),
        }))
    }

    /// Read the version of the service.
    ///
    /// No credentials are needed.
    #[oai(path = "/version", method = "get")]
    async fn version(&self) -> Answer<Found<Version>, GetVersion> {
        let version = Version {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Ok(Found(version))
    }
}
