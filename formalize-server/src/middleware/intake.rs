//! Limits that the interface and the pages share: rates, requests in progress, and memory for bodies and responses.

use std::{sync::Arc, time::Duration};

use super::upload::{BodiesBudget, BodyError, StreamPatience, Upload};
use crate::{
    contract::ErrorKey,
    failure::Refusal,
    rate::{RateLimits, ResponsesBudget, Share},
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

/// What limits requests, and receives their bodies.
#[derive(Debug)]
pub struct Intake {
    pub(crate) limits: RequestLimits,
    pub(crate) rates: Arc<RateLimits>,
    pub(crate) responses: ResponsesBudget,
    pub(crate) bodies: BodiesBudget,
    pub(crate) uploads: UploadLimits,
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
        }
    }

    /// Sets the limits of requests that send files.
    #[must_use]
    pub fn with_uploads(mut self, limits: UploadLimits) -> Self {
        self.uploads = limits;
        self
    }

    /// How long a client may take to send a body that is read while it arrives.
    pub(crate) fn patience(&self) -> StreamPatience {
        StreamPatience {
            whole: self.uploads.timeout,
            part: self.limits.body_timeout,
        }
    }

    /// Receives a whole body of at most `most` bytes.
    ///
    /// # Errors
    ///
    /// A refusal if it is too large, too slow or broken, or if too much memory is in use.
    pub(crate) async fn receive(&self, most: usize, body: &mut Upload) -> Result<Vec<u8>, Refusal> {
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
            BodyError::Broken(error) => Self::is(ErrorKey::InvalidRequestBody)
                .saying("the request body could not be read")
                .caused_by(error),
        }
    }
}

/// Stores the remaining quota, and rejects a request above the limit.
///
/// # Errors
///
/// A refusal if the quota is used up.
pub(crate) fn count(left: Option<Share>, share: &mut Option<Share>) -> Result<(), Refusal> {
    *share = left;
    match share {
        Some(share) if share.is_used_up() => Err(Refusal::is(ErrorKey::TooManyRequests)),
        _ => Ok(()),
    }
}
