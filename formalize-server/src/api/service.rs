//! The service itself: is it alive, is it ready, which version is it.

#![expect(
    clippy::unused_async,
    reason = "handlers are asynchronous, whether or not they wait"
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

/// How the service is.
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

/// What the service is.
#[derive(Debug, Serialize, Object)]
struct Version {
    /// The name of the program.
    name: String,
    /// Its version.
    version: String,
}

impl Item for Version {}

#[OpenApi(tag = "Part::Service")]
impl Service {
    /// Tell whether the service is alive.
    ///
    /// Needs no credentials. It answers without looking at the database.
    #[oai(path = "/healthz", method = "get")]
    async fn health(&self) -> Answer<Found<Health>, GetHealth> {
        Ok(Found(Health::ok()))
    }

    /// Tell whether the service can work.
    ///
    /// Needs no credentials. It answers within a second: 503 if the database does not, or if the service is about
    /// to stop. What the database said is remembered for a second.
    #[oai(path = "/readyz", method = "get")]
    async fn readiness(&self) -> Answer<Found<Health>, GetReadiness> {
        let checked = self.0.check().await;
        checked.map_err(|cause| Refusal::is(ErrorKey::ServiceUnavailable).caused_by(cause))?;
        Ok(Found(Health::ok()))
    }

    /// Tell which version of the service this is.
    ///
    /// Needs no credentials.
    #[oai(path = "/version", method = "get")]
    async fn version(&self) -> Answer<Found<Version>, GetVersion> {
        let version = Version {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Ok(Found(version))
    }
}
