//! Responses of a server that is stopping.

use poem::{
    Endpoint, Middleware, Request, Response, Result,
    http::{HeaderValue, Version, header},
};

use crate::readiness::Stopping;

/// Adds `Connection: close` to every response once the server is stopping, so that clients and load balancers do not
/// reuse a connection that is about to be closed.
#[derive(Clone)]
pub struct CloseOnShutdown(pub Stopping);

impl<E: Endpoint<Output = Response>> Middleware<E> for CloseOnShutdown {
    type Output = ClosingOnShutdown<E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        ClosingOnShutdown {
            stopping: self.0.clone(),
            endpoint,
        }
    }
}

/// An endpoint that closes connections once the server is stopping.
pub struct ClosingOnShutdown<E> {
    stopping: Stopping,
    endpoint: E,
}

impl<E: Endpoint<Output = Response>> Endpoint for ClosingOnShutdown<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        // HTTP/2 has no such header; it closes connections by other means.
        let one_at_a_time = request.version() < Version::HTTP_2;
        let mut response = self.endpoint.call(request).await?;
        if one_at_a_time && self.stopping.has_begun() {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use poem::{EndpointExt, endpoint::make_sync};

    use super::*;

    #[tokio::test]
    async fn connections_are_closed_only_at_shutdown() {
        let stopping = Stopping::default();
        let endpoint = make_sync(|_| Response::default()).with(CloseOnShutdown(stopping.clone()));
        let closes = async |version| {
            let request = Request::builder().version(version).finish();
            let response = endpoint.call(request).await.unwrap();
            response.headers().contains_key(header::CONNECTION)
        };
        assert!(!closes(Version::HTTP_11).await);
        stopping.begin();
        assert!(closes(Version::HTTP_11).await);
        assert!(!closes(Version::HTTP_2).await);
    }
}
