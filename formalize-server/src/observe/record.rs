//! What becomes known of a request while it is answered.

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

use formalize_core::Caller;
use poem::{Request, http::Method};

use super::{CallerMark, TraceContext};
use crate::{contract::Operation, middleware::RequestId};

/// The route of a request that is none of an operation.
pub(super) const UNMATCHED: &str = "unmatched";

/// What becomes known of a request: whoever learns something of it writes that down here, so that it is known however
/// the request ends. It is among the data of the request, in an [`Arc`](std::sync::Arc).
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
    /// Of a request that has just come.
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

    /// The request is for this operation.
    pub fn is_for(&self, operation: Operation) {
        // There is one route.
        let _ = self.operation.set(operation);
    }

    /// The request comes from this caller.
    pub fn comes_from(&self, caller: &Caller) {
        let _ = self.caller.set(CallerMark::of(caller));
    }

    /// The name of the request.
    pub fn id(&self) -> &RequestId {
        &self.id
    }

    /// The method; `OTHER`, if it is none that HTTP defines.
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// The path of the operation as the table has it, or `unmatched`.
    pub fn route(&self) -> &'static str {
        self.operation
            .get()
            .map_or(UNMATCHED, |operation| operation.spec().path)
    }

    /// Who asks, as far as that is known.
    pub fn caller(&self) -> CallerMark {
        self.caller.get().copied().unwrap_or(CallerMark::Anonymous)
    }

    /// The trace that the sender says the request belongs to.
    pub fn trace(&self) -> Option<&TraceContext> {
        self.trace.as_ref()
    }

    /// How long ago the request has come.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether only machines ask, over and over.
    pub fn is_health_check(&self) -> bool {
        let operation = self.operation.get();
        operation.is_some_and(|operation| !operation.spec().counted)
    }
}

/// Clients may send any word for a method.
fn known_method(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = [
        "GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT", "TRACE", "CONNECT",
    ];
    let known = KNOWN.into_iter().find(|known| *known == method.as_str());
    known.unwrap_or("OTHER")
}
