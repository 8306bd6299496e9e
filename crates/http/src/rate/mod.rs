//! Limits of what callers may use: rates, requests in progress, and memory for responses.
//!
//! Callers with valid credentials are counted by user identifier. All other requests are counted by address, including
//! those with invalid credentials, so that guessing tokens is limited. Callers with valid credentials are never
//! affected by others at the same address. Each user and each address has a bucket that refills evenly within a period.

mod address;
mod buckets;
mod places;
mod responses;

use std::{
    fmt,
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use formalize_core::{
    Caller, UserId,
    internals::admission::{self, InUse},
    links::LinkId,
};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
};
use poem::{
    Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
};

use crate::{
    config::{Network, Rate},
    connections::Source,
};

use address::source;
use buckets::Buckets;
pub use places::{Full, Holder, Place, Places, Shares};
pub use responses::{Reservation, ResponsesBudget};

/// The fields of draft-ietf-httpapi-ratelimit-headers.
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// Counts requests by user and address.
#[derive(Debug, Default)]
pub struct RateLimits {
    users: Option<Limiter<UserId>>,
    addresses: Option<Limiter<Source>>,
    links: Option<LinkLimiters>,
    trusted_proxies: Vec<Network>,
    in_progress: Option<RequestsInProgress>,
}

/// The requests in progress of each client that a proxy names, and how many one client may have.
#[derive(Debug)]
struct RequestsInProgress {
    most: u32,
    counts: admission::Quota<Source>,
}

/// A request in progress, until it is dropped.
#[derive(Debug)]
pub struct InProgress {
    /// `None` if it counts for no client.
    _count: Option<InUse<Source>>,
}

/// Counts uses of public links: by link and address, and by link.
#[derive(Debug)]
struct LinkLimiters {
    by_address: Limiter<(LinkId, Source)>,
    by_link: Limiter<LinkId>,
}

/// All addresses together may use a link this many times as often as one of them.
const ADDRESSES_OF_LINK: u32 = 25;

/// So many items of a request count as one request.
const ITEMS_OF_REQUEST: usize = 100;

/// What a use of a link costs in units of its limit; an update of the page costs one unit.
const LINK_USE: NonZeroU32 = NonZeroU32::new(4).unwrap();

impl RateLimits {
    /// The limit per user, the limit per address, and the proxies whose `X-Forwarded-For` is trusted.
    pub fn new(user: Rate, address: Rate, trusted_proxies: Vec<Network>) -> Self {
        Self {
            users: Limiter::new("user", user),
            addresses: Limiter::new("address", address),
            links: None,
            trusted_proxies,
            in_progress: None,
        }
    }

    /// Limits uses of public links. The rate is that of one address and one link.
    #[must_use]
    pub fn of_links(self, rate: Rate) -> Self {
        let units = rate.times(LINK_USE.get());
        let by_address = Limiter::new("link", units);
        let by_link = Limiter::new("link", units.times(ADDRESSES_OF_LINK));
        let links = by_address.zip(by_link);
        Self {
            links: links.map(|(by_address, by_link)| LinkLimiters {
                by_address,
                by_link,
            }),
            ..self
        }
    }

    /// Limits the number of requests in progress for each client of a trusted proxy. Without a proxy, a client's
    /// number of connections is limited instead.
    #[must_use]
    pub fn requests_in_progress(self, most: u32) -> Self {
        let counts = admission::Quota::default();
        Self {
            in_progress: Some(RequestsInProgress { most, counts }),
            ..self
        }
    }

    /// Counts a request of a trusted proxy's client until the returned value is dropped; `None` if the client has too
    /// many already.
    pub fn begin(&self, request: &Request) -> Option<InProgress> {
        let peer = request.remote_addr().as_socket_addr().copied();
        let is_proxy = peer.is_some_and(|peer| {
            let address = peer.ip().to_canonical();
            self.trusted_proxies.iter().any(|net| net.contains(address))
        });
        let count = match &self.in_progress {
            Some(RequestsInProgress { most, counts }) if is_proxy => {
                let source = source(peer, request.headers(), &self.trusted_proxies);
                Some(counts.take([source], [(*most).into()], 1).ok()?)
            }
            _ => None,
        };
        Some(InProgress { _count: count })
    }

    /// Counts a request of a caller; `None` if users have no limit.
    pub fn of_user(&self, caller: &Caller) -> Option<Share> {
        let (limiter, user) = self.users.as_ref().zip(caller.user_id())?;
        Some(limiter.take(user))
    }

    /// Counts a request of a caller about many items, which was counted as one request already. Each hundred items count as
    /// a request. `None` if users have no limit, or there are no more items than that.
    pub fn of_items(&self, caller: &Caller, items: usize) -> Option<Share> {
        let requests = items.div_ceil(ITEMS_OF_REQUEST);
        let more = NonZeroU32::new(u32::try_from(requests).ok()?.checked_sub(1)?)?;
        let (limiter, user) = self.users.as_ref().zip(caller.user_id())?;
        Some(limiter.take_many(user, more))
    }

    /// Counts a use of a public link; `None` if links have no limit. Updates of a page count a quarter.
    pub fn of_link(&self, request: &Request, link: LinkId, is_update: bool) -> Option<Share> {
        let limiters = self.links.as_ref()?;
        let units = if is_update { NonZeroU32::MIN } else { LINK_USE };
        let source = self.source(request);
        let share = limiters.by_address.take_many(&(link, source), units);
        if share.is_used_up() {
            return Some(share);
        }
        Some(limiters.by_link.take_many(&link, units))
    }

    /// Where a request comes from.
    pub fn source(&self, request: &Request) -> Source {
        let peer = request.remote_addr().as_socket_addr().copied();
        source(peer, request.headers(), &self.trusted_proxies)
    }

    /// Counts a request without valid credentials; `None` if addresses have no limit.
    pub fn of_address(&self, request: &Request) -> Option<Share> {
        let limiter = self.addresses.as_ref()?;
        Some(limiter.take(&self.source(request)))
    }
}

/// The remaining quota after a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    name: &'static str,
    policy: HeaderValue,
    remaining: u32,
    /// Seconds until the next request is available.
    more_in: u64,
    refused: bool,
}

impl Share {
    /// Whether the request exceeds the limit.
    pub fn is_used_up(&self) -> bool {
        self.refused
    }

    /// Seconds until the next request is available.
    pub fn more_in(&self) -> u64 {
        self.more_in
    }

    /// Writes the response headers.
    pub fn write(self, headers: &mut HeaderMap) {
        let state = format!("\"{}\";r={};t={}", self.name, self.remaining, self.more_in);
        headers.insert(POLICY, self.policy);
        headers.extend(
            HeaderValue::try_from(state)
                .ok()
                .map(|state| (STATE, state)),
        );
        if self.refused {
            headers.insert(header::RETRY_AFTER, self.more_in.into());
        }
    }
}

/// The number of requests after which full buckets are removed.
const SWEEP: u32 = 1024;

/// The buckets of all users, or of all addresses.
struct Limiter<K: buckets::Key, C: Clock = DefaultClock> {
    buckets: RateLimiter<K, Buckets<K>, C, StateInformationMiddleware>,
    name: &'static str,
    policy: HeaderValue,
    /// Seconds until an empty bucket allows one request.
    one_more_in: u64,
    taken: AtomicU32,
}

impl<K: buckets::Key> Limiter<K> {
    fn new(name: &'static str, rate: Rate) -> Option<Self> {
        Self::with(name, rate, Buckets::default(), DefaultClock::default())
    }
}

impl<K: buckets::Key, C: Clock> Limiter<K, C> {
    fn with(name: &'static str, rate: Rate, buckets: Buckets<K>, clock: C) -> Option<Self> {
        let (count, period) = rate.limit()?;
        // The interval is at least one nanosecond, so that no count is too large.
        let one_more_in = (period / count.get()).max(Duration::from_nanos(1));
        let quota = Quota::with_period(one_more_in)?.allow_burst(count);
        let policy = format!("\"{name}\";q={count};w={}", whole_seconds(period));
        Some(Self {
            buckets: RateLimiter::new(quota, buckets, clock),
            name,
            policy: HeaderValue::try_from(policy).ok()?,
            one_more_in: whole_seconds(one_more_in),
            taken: AtomicU32::new(0),
        })
    }

    fn take(&self, key: &K) -> Share {
        self.take_many(key, NonZeroU32::MIN)
    }

    fn take_many(&self, key: &K, units: NonZeroU32) -> Share {
        if self.taken.fetch_add(1, Ordering::Relaxed) % SWEEP == SWEEP - 1 {
            self.buckets.retain_recent();
        }
        let (remaining, more_in, refused) = match self.buckets.check_key_n(key, units) {
            Ok(Ok(state)) => (state.remaining_burst_capacity(), self.one_more_in, false),
            Ok(Err(until)) => {
                let wait = until.wait_time_from(self.buckets.clock().now());
                (0, whole_seconds(wait), true)
            }
            // The bucket is smaller than one use.
            Err(_) => (0, self.one_more_in, true),
        };
        Share {
            name: self.name,
            policy: self.policy.clone(),
            remaining,
            more_in,
            refused,
        }
    }
}

impl<K: buckets::Key, C: Clock> fmt::Debug for Limiter<K, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Limiter")
            .field(&self.policy)
            .finish()
    }
}

/// Rounds up to at least one second: an immediate retry would be rejected.
fn whole_seconds(time: Duration) -> u64 {
    let begun = u64::from(time.subsec_nanos() > 0);
    (time.as_secs() + begun).max(1)
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limiter(rate: &str, clock: FakeRelativeClock) -> Limiter<UserId, FakeRelativeClock> {
        Limiter::with("user", rate.parse().unwrap(), Buckets::default(), clock).unwrap()
    }

    fn user(name: &str) -> UserId {
        UserId::new(name).unwrap()
    }

    fn headers(share: Share) -> HeaderMap {
        let mut headers = HeaderMap::new();
        share.write(&mut headers);
        headers
    }

    #[test]
    fn each_user_has_a_bucket_that_refills_evenly() {
        let clock = FakeRelativeClock::default();
        let limiter = limiter("3/30s", clock.clone());
        for remaining in [2, 1, 0] {
            let share = limiter.take(&user("alice"));
            assert_eq!((share.remaining, share.is_used_up()), (remaining, false));
        }
        assert!(limiter.take(&user("alice")).is_used_up());
        assert!(
            !limiter.take(&user("bob")).is_used_up(),
            "bob has a bucket of his own"
        );
        clock.advance(Duration::from_millis(9_500));
        assert_eq!(limiter.take(&user("alice")).more_in, 1);
        clock.advance(Duration::from_millis(500));
        assert!(!limiter.take(&user("alice")).is_used_up());
        assert!(limiter.take(&user("alice")).is_used_up());
    }

    #[test]
    fn responses_have_the_rate_limit_headers() {
        let limiter = limiter("2/1m", FakeRelativeClock::default());
        let fields = headers(limiter.take(&user("alice")));
        assert_eq!(fields["ratelimit-policy"], "\"user\";q=2;w=60");
        assert_eq!(fields["ratelimit"], "\"user\";r=1;t=30");
        assert!(!fields.contains_key("retry-after"));
        limiter.take(&user("alice"));
        let fields = headers(limiter.take(&user("alice")));
        assert_eq!(fields["ratelimit"], "\"user\";r=0;t=30");
        assert_eq!(fields["retry-after"], "30");
    }

    #[test]
    fn without_limits_nothing_is_counted() {
        let limits = RateLimits::new(Rate::OFF, Rate::OFF, Vec::new());
        let caller = Caller::user(user("alice"));
        assert_eq!(limits.of_user(&caller), None);
        assert_eq!(limits.of_address(&Request::default()), None);
    }

    #[test]
    fn full_buckets_are_removed_and_others_are_bounded() {
        let clock = FakeRelativeClock::default();
        let rate = "60/1m".parse().unwrap();
        let buckets = Buckets::of_at_most(5000);
        let limiter = Limiter::with("user", rate, buckets, clock.clone()).unwrap();
        for number in 0..20_000 {
            limiter.take(&number);
        }
        assert_eq!(limiter.buckets.len(), 5000, "no bucket is full again yet");
        clock.advance(Duration::from_secs(10));
        for _ in 0..2 * SWEEP {
            limiter.take(&0);
        }
        assert_eq!(limiter.buckets.len(), 1);
        assert!(limiter.take(&0).is_used_up(), "a bucket in use is kept");
    }

    #[test]
    fn the_largest_rates_work() {
        let limiter = limiter("4294967295/1ms", FakeRelativeClock::default());
        assert!(!limiter.take(&user("alice")).is_used_up());
    }
}
