//! The service itself: is it alive, is it ready, which version is it.

#![expect(
    clippy::unused_async,
    reason = "handlers are asynchronous, whether or not they wait"
)]

use std::time::Duration;

use poem_openapi::{Object, OpenApi};
use serde::Serialize;

use super::{Context, Found, Part};
use crate::{
    contract::{
        ErrorKey,
        endpoint::{GetHealth, GetReadiness, GetVersion},
    },
    failure::{Answer, Refusal},
    wire::Item,
};

/// How long the database may take to show that it is there.
const READINESS_TIMEOUT: Duration = Duration::from_secs(3);

pub(super) struct Service(pub(super) Context);

/// How the service is.
#[derive(Debug, Serialize, Object)]
struct Status {
    /// `ok`.
    status: String,
}

impl Status {
    fn ok() -> Self {
        Self {
            status: "ok".to_owned(),
        }
    }
}

impl Item for Status {}

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
    /// It answers without looking at the database.
    #[oai(path = "/healthz", method = "get")]
    async fn health(&self) -> Answer<Found<Status>, GetHealth> {
        Ok(Found(Status::ok()))
    }

    /// Tell whether the service can work.
    ///
    /// It answers 503 if the database does not.
    #[oai(path = "/readyz", method = "get")]
    async fn readiness(&self) -> Answer<Found<Status>, GetReadiness> {
        let unavailable = || Refusal::is(ErrorKey::ServiceUnavailable);
        tokio::time::timeout(READINESS_TIMEOUT, self.0.formalize.store().ping())
            .await
            .map_err(|elapsed| unavailable().caused_by(elapsed))?
            .map_err(|error| unavailable().caused_by(error))?;
        Ok(Found(Status::ok()))
    }

    /// Tell which version of the service this is.
    #[oai(path = "/version", method = "get")]
    async fn version(&self) -> Answer<Found<Version>, GetVersion> {
        let version = Version {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Ok(Found(version))
    }
}
