//! Connections through the proxy that an operator has for outgoing requests.

use formalize_core::{
    config::EgressProxy,
    webhooks::{AttemptError, WebhookUrl},
};
use http_body_util::Empty;
use hyper::{Request, body::Bytes, client::conn::http1, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::{
    chain,
    connection::{NotConnected, Stream, authority},
};

/// Opens a connection to a host through the proxy, which resolves its name.
pub(crate) async fn tunnel(
    proxy: &EgressProxy,
    target: &WebhookUrl,
) -> Result<Box<dyn Stream>, NotConnected> {
    let failed =
        |cause: String| NotConnected::because(AttemptError::Connect, format!("the proxy: {cause}"));
    let stream = TcpStream::connect((proxy.host(), proxy.port())).await;
    let stream = stream.map_err(|error| failed(error.to_string()))?;
    let tunnel = connect(proxy, stream, target).await;
    let tunnel = tunnel.map_err(|error| failed(chain(&error)))?;
    tunnel.ok_or_else(|| failed("it refused the connection".to_owned()))
}

/// Requests a tunnel from the proxy; `None` if it refuses.
async fn connect(
    proxy: &EgressProxy,
    stream: TcpStream,
    target: &WebhookUrl,
) -> hyper::Result<Option<Box<dyn Stream>>> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // It ends when the tunnel is handed over, or when the sender is dropped.
    tokio::spawn(connection.with_upgrades());
    let authority = authority(target);
    let mut request = Request::connect(&authority).header(header::HOST, &authority);
    if let Some(credentials) = proxy.credentials() {
        request = request.header(header::PROXY_AUTHORIZATION, credentials);
    }
    let Ok(request) = request.body(Empty::<Bytes>::new()) else {
        return Ok(None);
    };
    let response = sender.send_request(request).await?;
    if !response.status().is_success() {
        return Ok(None);
    }
    let tunnel = TokioIo::new(hyper::upgrade::on(response).await?);
    Ok(Some(Box::new(tunnel)))
}
