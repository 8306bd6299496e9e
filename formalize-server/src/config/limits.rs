//! What the server bears at most.

use std::net::SocketAddr;

use formalize_core::config::{Problem, Sources};

use super::{ByteSize, Count, HeadSize, Network, PageSize, Rate, Timeout, setting};

/// What the server bears at most.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The largest request body that is taken.
    pub request_body: ByteSize,
    /// How long a client may take to send a request body.
    pub request_body_timeout: Timeout,
    /// The largest request head that is taken.
    pub request_head: HeadSize,
    /// How many headers a request may have.
    pub request_headers: Count,
    /// How long a client may take to send a request head.
    pub request_head_timeout: Timeout,
    /// How long a client may take nothing of an answer.
    pub response_timeout: Timeout,
    /// How long a connection is kept for another request.
    pub keep_alive_timeout: Timeout,
    /// How many connections clients may have at a time.
    pub connections: Count,
    /// How many items a page of a list may have.
    pub page_size: PageSize,
    /// How many requests a user may make; nothing means that the address decides at which the server listens.
    user_rate: Option<Rate>,
    /// The same for requests without valid credentials from one address.
    address_rate: Option<Rate>,
    /// The reverse proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
}

impl Limits {
    pub(super) fn read(sources: &mut Sources) -> Result<Self, Problem> {
        // Everything is asked for before the first problem ends this, so that all problems are told.
        let request_body = sources.value(&setting::REQUEST_BODY_LIMIT);
        let request_body_timeout = sources.value(&setting::REQUEST_BODY_TIMEOUT);
        let request_head = sources.value(&setting::REQUEST_HEAD_LIMIT);
        let request_headers = sources.value(&setting::REQUEST_HEADER_LIMIT);
        let request_head_timeout = sources.value(&setting::REQUEST_HEAD_TIMEOUT);
        let response_timeout = sources.value(&setting::RESPONSE_TIMEOUT);
        let keep_alive_timeout = sources.value(&setting::KEEP_ALIVE_TIMEOUT);
        let connections = sources.value(&setting::CONNECTION_LIMIT);
        let page_size = sources.value(&setting::PAGE_SIZE_LIMIT);
        let user_rate = sources.optional(&setting::USER_RATE_LIMIT);
        let address_rate = sources.optional(&setting::ADDRESS_RATE_LIMIT);
        let trusted_proxies = sources.list(&setting::TRUSTED_PROXIES);
        Ok(Self {
            request_body: request_body?,
            request_body_timeout: request_body_timeout?,
            request_head: request_head?,
            request_headers: request_headers?,
            request_head_timeout: request_head_timeout?,
            response_timeout: response_timeout?,
            keep_alive_timeout: keep_alive_timeout?,
            connections: connections?,
            page_size: page_size?,
            user_rate: user_rate?,
            address_rate: address_rate?,
            trusted_proxies: trusted_proxies?,
        })
    }

    /// How many requests a user may make, if the server listens at `address`.
    pub fn user_rate_at(&self, address: SocketAddr) -> Rate {
        chosen(self.user_rate, Rate::USER, address)
    }

    /// How many requests without valid credentials may come from one address, if the server listens at `address`.
    pub fn address_rate_at(&self, address: SocketAddr) -> Rate {
        chosen(self.address_rate, Rate::ADDRESS, address)
    }
}

/// At a loopback address there is either a proxy, which all requests come from, or nobody but the owner.
fn chosen(set: Option<Rate>, usual: Rate, address: SocketAddr) -> Rate {
    match set {
        Some(rate) => rate,
        None if address.ip().is_loopback() => Rate::OFF,
        None => usual,
    }
}
