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

/// The interface that a request was sent to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Surface {
    /// The REST interface, and pages.
    #[default]
    Service,
    /// The interface for the Relay web client.
    Relay,
}

impl Surface {
    /// The name in metrics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Relay => "relay",
        }
    }
}

/// Where a request leads to.
#[derive(Debug, Clone, Copy)]
struct Route {
    template: &'static str,
    is_health_check: bool,
}

/// Facts about a request. Each part of the server records what it determines, so that the facts are available however
/// the request ends. It is stored in the data of the request, in an [`Arc`](std::sync::Arc).
#[derive(Debug)]
pub struct Record {
    id: RequestId,
    began: Instant,
    method: &'static str,
    trace: Option<TraceContext>,
    surface: Surface,
    route: OnceLock<Route>,
    caller: OnceLock<CallerMark>,
}

impl Record {
    /// The record of a new request.
    pub fn of(request: &Request, surface: Surface) -> Self {
        Self {
            id: RequestId::of(request),
            began: Instant::now(),
            method: known_method(request.method()),
            trace: TraceContext::of(request.headers()),
            surface,
            route: OnceLock::new(),
            caller: OnceLock::new(),
        }
    }

    /// Records the operation.
    pub fn is_for(&self, operation: Operation) {
        let spec = operation.spec();
        self.is_at(Route {
            template: spec.path,
            is_health_check: !spec.counted,
        });
    }

    /// Records the path template of a page.
    pub fn is_for_page(&self, template: &'static str) {
        self.is_at(Route {
            template,
            is_health_check: false,
        });
    }

    fn is_at(&self, route: Route) {
        // A request has only one route.
        let _ = self.route.set(route);
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

    /// The path template of the operation or page, or `unmatched`.
    pub fn route(&self) -> &'static str {
        self.route.get().map_or(UNMATCHED, |route| route.template)
    }

    /// The name of the interface.
    pub fn surface(&self) -> &'static str {
        self.surface.name()
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
        self.route.get().is_some_and(|route| route.is_health_check)
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
