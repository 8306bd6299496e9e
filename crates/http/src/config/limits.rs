//! Limits of requests and connections.

use std::net::SocketAddr;

use formalize_core::config::{Problem, Sources};

use super::{ByteSize, Count, HeadSize, KeyRetention, Network, PageSize, Rate, Timeout, setting};

/// Limits of requests and connections.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Maximum size of a request body.
    pub request_body: ByteSize,
    /// How long a client may take to send a request body.
    pub request_body_timeout: Timeout,
    /// Memory for all large request bodies together.
    pub bodies_budget: ByteSize,
    /// Memory for all large responses together.
    pub responses_budget: ByteSize,
    /// Maximum size of a request head.
    pub request_head: HeadSize,
    /// Maximum number of headers of a request.
    pub request_headers: Count,
    /// How long a client may take to send a request head.
    pub request_head_timeout: Timeout,
    /// How long a client may stall while a response is sent, or accept less than the lowest rate.
    pub response_timeout: Timeout,
    /// How long an idle connection is kept open.
    pub keep_alive_timeout: Timeout,
    /// Maximum number of client connections.
    pub connections: Count,
    /// Maximum number of items on a page of a list.
    pub page_size: PageSize,
    /// How long the response to a request with an idempotency key is kept.
    pub key_retention: KeyRetention,
    /// The rate limit per user; `None` if it depends on the listen address.
    user_rate: Option<Rate>,
    /// The rate limit per address for requests without valid credentials; `None` as above.
    address_rate: Option<Rate>,
    /// The rate limit per address and public link; `None` as above.
    link_rate: Option<Rate>,
    /// The reverse proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
}

impl Limits {
    pub(super) fn read(sources: &mut Sources) -> Result<Self, Problem> {
        Ok(read_all! {
            request_body: sources.value(&setting::REQUEST_BODY_LIMIT),
            request_body_timeout: sources.value(&setting::REQUEST_BODY_TIMEOUT),
            bodies_budget: sources.value(&setting::BODIES_BUDGET),
            responses_budget: sources.value(&setting::RESPONSES_BUDGET),
            request_head: sources.value(&setting::REQUEST_HEAD_LIMIT),
            request_headers: sources.value(&setting::REQUEST_HEADER_LIMIT),
            request_head_timeout: sources.value(&setting::REQUEST_HEAD_TIMEOUT),
            response_timeout: sources.value(&setting::RESPONSE_TIMEOUT),
            keep_alive_timeout: sources.value(&setting::KEEP_ALIVE_TIMEOUT),
            connections: sources.value(&setting::CONNECTION_LIMIT),
            page_size: sources.value(&setting::PAGE_SIZE_LIMIT),
            key_retention: sources.value(&setting::IDEMPOTENCY_RETENTION),
            user_rate: sources.optional(&setting::USER_RATE_LIMIT),
            address_rate: sources.optional(&setting::ADDRESS_RATE_LIMIT),
            link_rate: sources.optional(&setting::LINK_RATE_LIMIT),
            trusted_proxies: sources.list(&setting::TRUSTED_PROXIES),
        })
    }

    /// The rate limit per user, for a server that listens on `address`.
    pub fn user_rate_at(&self, address: SocketAddr) -> Rate {
        chosen(self.user_rate, Rate::USER, address)
    }

    /// The rate limit per address for requests without valid credentials, for a server that listens on `address`.
    pub fn address_rate_at(&self, address: SocketAddr) -> Rate {
        chosen(self.address_rate, Rate::ADDRESS, address)
    }

    /// The rate limit per address and public link, for a server that listens on `address`.
    pub fn link_rate_at(&self, address: SocketAddr) -> Rate {
        chosen(self.link_rate, Rate::LINK, address)
    }
}

/// On a loopback address, all requests come from a proxy or from local users.
fn chosen(set: Option<Rate>, usual: Rate, address: SocketAddr) -> Rate {
    match set {
        Some(rate) => rate,
        None if address.ip().is_loopback() => Rate::OFF,
        None => usual,
    }
}
