//! Facts about a request, collected while it is handled.

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

use formalize_core::Caller;
use poem::{Request, http::Method};

use super::{CallerMark, RequestId, TraceContext};
use crate::contract::Operation;

/// The route of a request that matches no operation.
pub(super) const UNMATCHED: &str = "unmatched";

/// Facts about a request. Each part of the server records what it determines, so that the facts are available however
/// the request ends. It is stored in the data of the request, in an [`Arc`](std::sync::Arc).
#[derive(Debug)]
pub struct Record {
    id: RequestId,
    began: Instant,
    method: &'static str,
    trace: Option<TraceContext>,
    operation: OnceLock<Operation>,
    caller: OnceLock<CallerMark>,
}

impl Record {
    /// The record of a new request.
    pub fn of(request: &Request) -> Self {
        Self {
            id: RequestId::of(request),
            began: Instant::now(),
            method: known_method(request.method()),
            trace: TraceContext::of(request.headers()),
            operation: OnceLock::new(),
            caller: OnceLock::new(),
        }
    }

    /// Records the operation.
    pub fn is_for(&self, operation: Operation) {
        // A request has only one route.
        let _ = self.operation.set(operation);
    }

    /// Records the caller.
    pub fn comes_from(&self, caller: &Caller) {
        let _ = self.caller.set(CallerMark::of(caller));
    }

    /// The id of the request.
    pub fn id(&self) -> &RequestId {
        &self.id
    }

    /// The method, or `OTHER` if HTTP does not define it.
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// The path template of the operation, or `unmatched`.
    pub fn route(&self) -> &'static str {
        self.operation
            .get()
            .map_or(UNMATCHED, |operation| operation.spec().path)
    }

    /// The caller, if known.
    pub fn caller(&self) -> CallerMark {
        self.caller.get().copied().unwrap_or(CallerMark::Anonymous)
    }

    /// The trace of the client.
    pub fn trace(&self) -> Option<&TraceContext> {
        self.trace.as_ref()
    }

    /// The time since the request arrived.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether it is a health check, which monitoring sends over and over.
    pub fn is_health_check(&self) -> bool {
        let operation = self.operation.get();
        operation.is_some_and(|operation| !operation.spec().counted)
    }
}

/// Clients may send arbitrary methods.
fn known_method(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = [
        "GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT", "TRACE", "CONNECT",
    ];
    let known = KNOWN.into_iter().find(|known| *known == method.as_str());
    known.unwrap_or("OTHER")
}
