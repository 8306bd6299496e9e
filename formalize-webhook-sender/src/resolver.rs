//! The addresses of a name.

use std::{io, net::SocketAddr};

use async_trait::async_trait;

/// Resolves names. Tests replace it.
#[async_trait]
pub trait Resolve: Send + Sync {
    /// Returns all addresses of a host, with this port.
    ///
    /// # Errors
    ///
    /// If the name cannot be resolved.
    async fn addresses(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// Resolves names as other programs on the machine do.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolve for SystemResolver {
    async fn addresses(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok(tokio::net::lookup_host((host, port)).await?.collect())
    }
}
