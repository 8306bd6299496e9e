//! The service itself: health, readiness and version.

#![expect(
    clippy::unused_async,
    reason = "the macro `OpenApi` requires asynchronous handlers"
)]

use poem_openapi::{Object, OpenApi};
use serde::Serialize;

use super::{Found, Part};
use crate::{
    contract::{
        ErrorKey,
        endpoint::{GetHealth, GetReadiness, GetVersion},
    },
    failure::{Answer, Refusal},
    readiness::Readiness,
    wire::Item,
};

pub(super) struct Service(pub(super) Readiness);

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
    async fn readiness(&self) -> Answer<Found<Health>, GetReadiness> {
        let checked = self.0.check().await;
        checked.map_err(|cause| Refusal::is(ErrorKey::ServiceUnavailable).caused_by(cause))?;
        Ok(Found(Health::ok()))
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
