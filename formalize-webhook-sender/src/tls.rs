//! The cryptography of TLS connections to other servers.

/// Makes ring the cryptography of TLS. Call this before you create an HTTP client, which would panic without it. A
/// program that has already chosen another implementation keeps it.
pub fn use_ring() {
    // This fails only if there is one.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
