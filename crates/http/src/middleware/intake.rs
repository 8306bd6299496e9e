//! Limits that the interface and the pages share: rates, requests in progress, and memory for bodies and responses.

use std::{sync::Arc, time::Duration};

use poem::{Request, http::header};

use super::upload::{BodiesBudget, BodyError, Gate, StreamPatience, Streamed, Upload};
use crate::{
    connections::Source,
    contract::ErrorKey,
    failure::Refusal,
    rate::{Full, Holder, Places, RateLimits, ResponsesBudget, Shares},
};

/// Limits of requests.
#[derive(Debug, Clone, Copy)]
pub struct RequestLimits {
    /// The maximum size of a body, in bytes.
    pub body: usize,
    /// The timeout for receiving a body, or each part of a large one.
    pub body_timeout: Duration,
    /// Memory for all bodies together that are larger than 64 KiB, in bytes.
    pub bodies: usize,
    /// Memory for all responses together that are larger than 64 KiB, in bytes.
    pub responses: usize,
    /// The maximum page size.
    pub page_size: u32,
    /// How long the response to a request with an idempotency key is kept.
    pub key_retention: Duration,
}

impl RequestLimits {
    /// The default maximum size of a body, in bytes.
    pub const DEFAULT_BODY: usize = 4 * 1024 * 1024;
}

/// Limits of requests that send files.
#[derive(Debug, Clone, Copy)]
pub struct UploadLimits {
    /// The maximum size of a request with several files, in bytes.
    pub size: u64,
    /// How long such a request may take.
    pub timeout: Duration,
    /// The maximum number of such requests at a time.
    pub at_once: u32,
}

impl Default for UploadLimits {
    fn default() -> Self {
        Self {
            size: 256 << 20,
            timeout: Duration::from_mins(30),
            at_once: 16,
        }
    }
}

/// A user has at most a quarter of the places. Those who have public links have half together, so that strangers leave places to
/// people who have signed in, and each of them has two.
fn places(at_once: u32) -> Places {
    Places::new(Shares {
        all: at_once,
        of_user: at_once.div_ceil(4),
        of_visitor: at_once.min(2),
        of_visitors: at_once.div_ceil(2),
        first: 0,
    })
}

/// What limits requests, and receives their bodies. Requests use it by their [steps](super::Arrival).
#[derive(Debug)]
pub struct Intake {
    /// The limits of requests.
    pub(super) limits: RequestLimits,
    /// The rate limits.
    pub(super) rates: Arc<RateLimits>,
    /// The memory for large responses.
    pub(super) responses: ResponsesBudget,
    /// The memory for large bodies.
    pub(super) bodies: BodiesBudget,
    /// The limits of requests that send files.
    pub(super) uploads: UploadLimits,
    /// The places of requests that send files.
    places: Places,
}

impl Intake {
    /// An intake with these limits. The handlers share the rates and the budget of responses.
    pub fn new(limits: RequestLimits, rates: Arc<RateLimits>, responses: ResponsesBudget) -> Self {
        Self {
            bodies: BodiesBudget::new(limits.bodies),
            limits,
            rates,
            responses,
            uploads: UploadLimits::default(),
            places: places(UploadLimits::default().at_once),
        }
    }

    /// Sets the limits of requests that send files.
    #[must_use]
    pub fn with_uploads(mut self, limits: UploadLimits) -> Self {
        self.uploads = limits;
        self.places = places(limits.at_once);
        self
    }

    /// Where a request comes from.
    pub fn source(&self, request: &Request) -> Source {
        self.rates.source(request)
    }

    /// The memory for large responses, for handlers that reserve it before they have one.
    pub fn responses(&self) -> &ResponsesBudget {
        &self.responses
    }

    /// Lets a handler read a body of at most `most` bytes while it arrives. The holder takes a place for it.
    pub(super) fn stream(&self, body: &mut Upload, most: u64, holder: Holder) -> Streamed {
        let gate = Gate {
            bodies: self.bodies.clone(),
            places: self.places.clone(),
            holder,
        };
        let patience = StreamPatience {
            whole: self.uploads.timeout,
            part: self.limits.body_timeout,
        };
        body.stream(patience, most, gate)
    }

    /// Receives a whole body of at most `most` bytes.
    pub(super) async fn receive(&self, most: usize, body: &mut Upload) -> Result<Vec<u8>, Refusal> {
        let received = body.receive(most, self.limits.body_timeout, &self.bodies);
        received.await.map_err(|error| match error {
            BodyError::TooLarge => Refusal::is(ErrorKey::PayloadTooLarge).saying(format!(
                "the request body must not be larger than {most} bytes"
            )),
            other => other.into(),
        })
    }
}

impl From<BodyError> for Refusal {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => Self::is(ErrorKey::PayloadTooLarge),
            BodyError::TooSlow => Self::is(ErrorKey::RequestTimeout),
            BodyError::NoBudget => Self::is(ErrorKey::ServiceUnavailable)
                .saying("too many large request bodies are being received; try again later"),
            BodyError::NoPlace(full) => {
                let refusal = match full {
                    Full::OfHolder => Self::is(ErrorKey::TooManyRequests)
                        .saying("you are sending too many files at a time; wait until one is sent"),
                    Full::Everywhere => Self::is(ErrorKey::ServiceUnavailable)
                        .saying("too many files are being sent to this server; try again later"),
                };
                refusal.with_header(header::RETRY_AFTER, "5".to_owned())
            }
            BodyError::Broken(error) => Self::is(ErrorKey::InvalidRequestBody)
                .saying("the request body could not be read")
                .caused_by(error),
        }
    }
}
