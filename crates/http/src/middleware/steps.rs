//! The steps of a request, which every front end takes: it arrives, it is counted, and only then its body is read.
//!
//! Front ends refuse requests in different orders. Each step consumes the one before it, so that no body can be read before its
//! request was counted.

use std::sync::Arc;

use formalize_core::{Caller, links::LinkId};
use poem::{Request, Response};

use super::{
    intake::Intake,
    memory,
    upload::{BodyError, Streamed, Upload},
};
use crate::{
    auth::{Authenticate, bearer_token},
    contract::{ErrorKey, Verb},
    failure::Refusal,
    observe::Record,
    rate::{Holder, InProgress, Share},
};

/// A request, which counts as in progress until its response is finished.
#[must_use]
pub struct Arrival {
    intake: Arc<Intake>,
    body: Upload,
    /// What is left of the limit by which it was counted.
    share: Option<Share>,
    /// Who uses the memory and the places that it takes.
    holder: Option<Holder>,
    /// `None` if the client has too many requests in progress.
    in_progress: Option<InProgress>,
}

/// A request that was not counted yet.
#[must_use]
pub struct Arrived<'a>(&'a mut Arrival);

/// A request that was counted or need not be. Its body may be read.
#[must_use]
pub struct Counted<'a>(&'a mut Arrival);

/// The limit by which a request is counted.
#[derive(Debug, Clone, Copy)]
pub enum Limit<'a> {
    /// That of a caller with valid credentials.
    User(&'a Caller),
    /// That of a public link. Updates of its page count less.
    Link {
        /// The link.
        link: LinkId,
        /// Whether it updates a page that was shown.
        is_update: bool,
    },
    /// That of the address from which it comes.
    Address,
}

impl Arrival {
    /// Takes the body of a request.
    pub fn of(request: &mut Request, intake: &Arc<Intake>) -> Self {
        Self {
            body: Upload::of(request),
            share: None,
            holder: None,
            in_progress: intake.rates.begin(request),
            intake: Arc::clone(intake),
        }
    }

    /// The first step.
    ///
    /// # Errors
    ///
    /// A refusal if the client has too many requests in progress.
    pub fn begin(&mut self) -> Result<Arrived<'_>, Refusal> {
        match self.in_progress {
            Some(_) => Ok(Arrived(self)),
            None => Err(Refusal::too_many_in_progress()),
        }
    }

    /// Finishes a response, or a refusal (`Err`), whose memory it counts: adds the headers about limits, and discards what is
    /// left of the body.
    pub async fn finish(self, response: Result<Response, Response>) -> Response {
        let mut response = match response {
            Ok(response) => response,
            Err(refusal) => {
                let (holder, budget) = (self.holder.as_ref(), &self.intake.responses);
                memory::count_refusal(refusal, holder, budget).await
            }
        };
        if let Some(share) = self.share {
            share.write(response.headers_mut());
        }
        self.body.finish(&mut response).await;
        response
    }

    /// Stores the remaining quota.
    fn count(&mut self, left: Option<Share>) -> Result<(), Refusal> {
        self.share = left;
        match &self.share {
            Some(share) if share.is_used_up() => Err(Refusal::is(ErrorKey::TooManyRequests)),
            _ => Ok(()),
        }
    }
}

impl<'a> Arrived<'a> {
    /// Counts the request. The holder uses the memory and the places that it takes.
    ///
    /// # Errors
    ///
    /// A refusal if the quota is used up.
    pub fn count(
        self,
        request: &Request,
        limit: Limit<'_>,
        holder: Option<Holder>,
    ) -> Result<Counted<'a>, Refusal> {
        let rates = &self.0.intake.rates;
        let left = match limit {
            Limit::User(caller) => {
                if let Some(record) = request.data::<Arc<Record>>() {
                    record.comes_from(caller);
                }
                rates.of_user(caller)
            }
            Limit::Link { link, is_update } => rates.of_link(request, link, is_update),
            Limit::Address => rates.of_address(request),
        };
        self.0.count(left)?;
        self.0.holder = holder;
        Ok(Counted(self.0))
    }

    /// Does not count the request, because nothing limits its operation.
    pub(super) fn exempt(self) -> Counted<'a> {
        Counted(self.0)
    }

    /// Finds the caller by the bearer token. The request is counted by user, or by address if it has no valid credentials.
    ///
    /// # Errors
    ///
    /// A refusal if the credentials are missing or invalid, or if the quota is used up.
    pub async fn identify(
        self,
        request: &Request,
        authenticate: &dyn Authenticate,
    ) -> Result<(Caller, Counted<'a>), Refusal> {
        let caller = match bearer_token(request) {
            Some(token) => authenticate.authenticate(token).await?,
            None => None,
        };
        let Some(caller) = caller else {
            let otherwise = Refusal::is(ErrorKey::AuthenticationRequired);
            return Err(self.turn_away(request, otherwise));
        };
        let holder = Holder::with_credentials(&caller);
        let counted = self.count(request, Limit::User(&caller), Some(holder))?;
        Ok((caller, counted))
    }

    /// The refusal of a request without valid credentials, or one that has no route. It is counted by address.
    pub fn turn_away(self, request: &Request, otherwise: Refusal) -> Refusal {
        let counted = self.count(request, Limit::Address, None);
        counted.err().unwrap_or(otherwise)
    }
}

impl Counted<'_> {
    /// Counts the request for a user, too, whose credentials were in its body.
    ///
    /// # Errors
    ///
    /// A refusal if the quota is used up.
    pub fn count_user(&mut self, caller: &Caller) -> Result<(), Refusal> {
        let left = self.0.intake.rates.of_user(caller);
        self.0.count(left)
    }

    /// Whether the request has no body, or an empty one.
    pub fn has_no_body(&self) -> bool {
        self.0.body.is_absent()
    }

    /// Receives the whole body.
    ///
    /// # Errors
    ///
    /// A refusal if it is too large, too slow or broken, or if too much memory is in use.
    pub async fn receive(&mut self) -> Result<Vec<u8>, Refusal> {
        self.receive_at_most(usize::MAX).await
    }

    /// The same with a lower limit.
    ///
    /// # Errors
    ///
    /// As [`Counted::receive`].
    pub(super) async fn receive_at_most(&mut self, most: usize) -> Result<Vec<u8>, Refusal> {
        let most = most.min(self.0.intake.limits.body);
        self.0.intake.receive(most, &mut self.0.body).await
    }

    /// Looks at the announced size of files before they are read.
    ///
    /// # Errors
    ///
    /// A refusal if they are too large.
    pub fn foresee_files(&self) -> Result<(), Refusal> {
        if self.0.body.announces_more_than(self.0.intake.uploads.size) {
            return Err(BodyError::TooLarge.into());
        }
        Ok(())
    }

    /// Lets a handler read files, and what is sent beside them, while they arrive.
    ///
    /// # Errors
    ///
    /// A refusal if the request has no caller, in whose places the files would arrive.
    pub fn stream_files(&mut self) -> Result<Streamed, Refusal> {
        self.stream(self.0.intake.uploads.size)
    }

    /// The same for one file, which the handler limits.
    ///
    /// # Errors
    ///
    /// As [`Counted::stream_files`].
    pub(super) fn stream_file(&mut self) -> Result<Streamed, Refusal> {
        self.stream(u64::MAX)
    }

    fn stream(&mut self, most: u64) -> Result<Streamed, Refusal> {
        let holder = self.0.holder.clone();
        let holder =
            holder.ok_or_else(|| Refusal::unforeseen("a request with files has no caller"))?;
        Ok(self.0.intake.stream(&mut self.0.body, most, holder))
    }

    /// Reserves memory for so many bytes of a body that is read while it arrives.
    ///
    /// # Errors
    ///
    /// A refusal if they are more than a body may have, or if too much memory is in use.
    pub fn reserve(&mut self, bytes: usize) -> Result<(), Refusal> {
        let intake = &self.0.intake;
        if bytes > intake.limits.body {
            return Err(Refusal::is(ErrorKey::PayloadTooLarge));
        }
        Ok(intake.bodies.reserve(bytes, &mut self.0.body.used)?)
    }

    /// Makes a large response keep its memory reserved until it is sent. Nothing that was done is reported as failed.
    ///
    /// # Errors
    ///
    /// A refusal if too much memory is in use.
    pub async fn respond(self, response: Response, verb: Verb) -> Result<Response, Refusal> {
        let (holder, used) = (self.0.holder.as_ref(), &mut self.0.body.used);
        memory::count(response, verb, holder, used, &self.0.intake.responses).await
    }
}
