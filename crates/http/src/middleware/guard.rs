//! The order of checks before a handler is called, and the only place that converts refusals to responses.

use std::{any::Any, sync::Arc};

use formalize_core::{Caller, idempotency::KeyedRequest};
use poem::{
    Endpoint, IntoResponse, Middleware, Request, Response, Result,
    http::header,
    middleware::{CatchPanic, PanicHandler},
};

use super::{
    conditional,
    intake::{Intake, count},
    media, memory,
    upload::{BodyError, Streamed, Upload},
};
use crate::{
    auth::{Authenticate, bearer_token},
    contract::{
        Area, ErrorKey, Matched, Operation, Verb,
        condition::IDEMPOTENCY_KEY,
        operation::{Answer, FORM_DATA, SMALL_BODY},
        route,
    },
    failure::Refusal,
    observe::Record,
    rate::{Holder, Share},
    request::{Conditions, KeyRetention, Parameters, is_form_data, keyed},
};

/// Checks requests by the table of operations: route, credentials, rate, media types, size, query parameters,
/// conditions.
#[derive(Clone)]
pub struct RequestGuard {
    authenticate: Arc<dyn Authenticate>,
    intake: Arc<Intake>,
}

impl RequestGuard {
    /// Creates a guard with the limits of this intake.
    pub fn new(authenticate: Arc<dyn Authenticate>, intake: Arc<Intake>) -> Self {
        Self {
            authenticate,
            intake,
        }
    }

    async fn admit(
        &self,
        operation: Operation,
        mut request: Request,
        body: &mut Upload,
        share: &mut Option<Share>,
    ) -> Result<(Request, Conditions), Refusal> {
        let spec = operation.spec();
        if !spec.public {
            let caller = self.identify(&request, share).await?;
            request.set_data(caller);
        } else if spec.counted {
            count(self.intake.rates.of_address(&request), share)?;
        }
        if spec.answer == Answer::Json && !media::accepts_json(request.headers()) {
            return Err(Refusal::is(ErrorKey::NotAcceptable));
        }
        if spec.streamed {
            return self.admit_stream(operation, request, body);
        }
        if spec.form && is_form_data(request.headers()) {
            return self.admit_form(operation, request, body);
        }
        // Some clients declare the type of a body that they do not send.
        let has_type = request.headers().contains_key(header::CONTENT_TYPE);
        let has_no_body = spec.optional_body && (!has_type || body.is_absent());
        if !has_no_body && !media::carries(spec.verb, request.headers()) {
            return Err(Refusal::unsupported_media(spec));
        }
        if !spec.verb.request_media().is_empty() {
            let mut received = self.receive(operation, body).await?;
            if has_no_body {
                if !received.is_empty() {
                    return Err(Refusal::unsupported_media(spec));
                }
                received = b"{}".to_vec();
            }
            if spec.is_keyed() {
                let retention = self.intake.limits.key_retention;
                let keyed = keyed(&request, &received, retention)?;
                request.set_data(keyed);
                request.set_data(KeyRetention(retention));
            }
            request.set_body(received);
        }
        self.validate(operation, request)
    }

    /// Admits a request whose handler reads the body.
    fn admit_stream(
        &self,
        operation: Operation,
        request: Request,
        body: &mut Upload,
    ) -> Result<(Request, Conditions), Refusal> {
        if !media::carries_content(request.headers()) {
            return Err(Refusal::unsupported_media(operation.spec()));
        }
        let (mut request, conditions) = self.validate(operation, request)?;
        let holder = self.holder(&request)?;
        request.set_data(self.intake.stream(body, u64::MAX, holder));
        Ok((request, conditions))
    }

    /// Admits a request with files beside the JSON, whose handler reads the body.
    fn admit_form(
        &self,
        operation: Operation,
        mut request: Request,
        body: &mut Upload,
    ) -> Result<(Request, Conditions), Refusal> {
        if !media::is_plain(request.headers()) {
            return Err(Refusal::unsupported_media(operation.spec()));
        }
        let most = self.intake.uploads.size;
        if body.announces_more_than(most) {
            return Err(BodyError::TooLarge.into());
        }
        if request.headers().contains_key(IDEMPOTENCY_KEY) {
            let sentence = format!("{IDEMPOTENCY_KEY} is not supported for {FORM_DATA}");
            let faults = vec![(IDEMPOTENCY_KEY.to_owned(), sentence)];
            return Err(Refusal::listing(ErrorKey::InvalidParameter, faults));
        }
        request.set_data(None::<KeyedRequest>);
        request.set_data(KeyRetention(self.intake.limits.key_retention));
        let (mut request, conditions) = self.validate(operation, request)?;
        let holder = self.holder(&request)?;
        request.set_data(self.intake.stream(body, most, holder));
        Ok((request, conditions))
    }

    /// Who takes a place for the body of a request whose caller was identified.
    fn holder(&self, request: &Request) -> Result<Holder, Refusal> {
        let caller = request.data::<Caller>();
        let caller =
            caller.ok_or_else(|| Refusal::unforeseen("a request with files has no caller"))?;
        Ok(Holder::of(caller, self.intake.rates.source(request)))
    }

    /// Validates the query and the conditions.
    fn validate(
        &self,
        operation: Operation,
        mut request: Request,
    ) -> Result<(Request, Conditions), Refusal> {
        let parameters = Parameters::validate(operation, request.uri().query())?;
        let parameters = parameters.bound_page(self.intake.limits.page_size)?;
        let conditions = Conditions::validate(operation, request.headers())?;
        request.set_data(operation);
        request.set_data(parameters);
        request.set_data(conditions.clone());
        Ok((request, conditions))
    }

    /// The caller. Counts the request by user, or by address if it has no valid credentials.
    ///
    /// # Errors
    ///
    /// A refusal if the credentials are missing or invalid, or if there were too many requests.
    pub async fn identify(
        &self,
        request: &Request,
        share: &mut Option<Share>,
    ) -> Result<Caller, Refusal> {
        let caller = match bearer_token(request) {
            Some(token) => self.authenticate.authenticate(token).await?,
            None => None,
        };
        if let Some(caller) = caller {
            if let Some(record) = record(request) {
                record.comes_from(&caller);
            }
            count(self.intake.rates.of_user(&caller), share)?;
            return Ok(caller);
        }
        count(self.intake.rates.of_address(request), share)?;
        Err(Refusal::is(ErrorKey::AuthenticationRequired))
    }

    /// Receives the whole body, so that its size is checked before its content.
    async fn receive(&self, operation: Operation, body: &mut Upload) -> Result<Vec<u8>, Refusal> {
        let most = self.intake.limits.body;
        let most = if operation.spec().large_body {
            most
        } else {
            most.min(SMALL_BODY)
        };
        self.intake.receive(most, body).await
    }
}

/// The record of a request, if it has one.
fn record(request: &Request) -> Option<&Record> {
    request.data::<Arc<Record>>().map(AsRef::as_ref)
}

impl<E: Endpoint> Middleware<E> for RequestGuard {
    type Output = Guarded<<CatchPanic<MarkPanic> as Middleware<E>>::Output>;

    fn transform(&self, endpoint: E) -> Self::Output {
        let endpoint = CatchPanic::new()
            .with_handler(MarkPanic)
            .transform(endpoint);
        Guarded {
            guard: self.clone(),
            endpoint,
        }
    }
}

/// An endpoint behind a [`RequestGuard`].
pub struct Guarded<E> {
    guard: RequestGuard,
    endpoint: E,
}

impl<E: Endpoint<Output = Response>> Guarded<E> {
    async fn answer(&self, mut request: Request) -> Response {
        let mut body = Upload::of(&mut request);
        let area = Area::of(request.uri().path());
        let mut share = None;
        let in_progress = self.guard.intake.rates.begin(&request);
        let mut response = match route(request.method().as_str(), request.uri().path()) {
            _ if in_progress.is_none() => Refusal::too_many_in_progress().answer(None, area),
            Matched::Operation(operation, parameters) => {
                request.set_data(parameters);
                let mut holder = None;
                let answer = self.respond(operation, request, &mut body, &mut share, &mut holder);
                match answer.await {
                    Ok(response) => response,
                    Err(refusal) => {
                        let refusal = refusal.answer(Some(operation), area);
                        let budget = &self.guard.intake.responses;
                        memory::count_refusal(refusal, holder.as_ref(), budget).await
                    }
                }
            }
            Matched::OtherMethods(allow) => {
                let otherwise = Refusal::method_not_allowed(allow);
                self.turn_away(&request, otherwise, &mut share)
                    .answer(None, area)
            }
            Matched::Nothing => {
                let otherwise = Refusal::is(ErrorKey::RouteNotFound);
                self.turn_away(&request, otherwise, &mut share)
                    .answer(None, area)
            }
        };
        if let Some(share) = share {
            share.write(response.headers_mut());
        }
        body.finish(&mut response).await;
        response
    }

    /// The refusal of an unroutable request. It is counted by address, like all requests without credentials.
    fn turn_away(
        &self,
        request: &Request,
        otherwise: Refusal,
        share: &mut Option<Share>,
    ) -> Refusal {
        let counted = count(self.guard.intake.rates.of_address(request), share);
        counted.err().unwrap_or(otherwise)
    }

    async fn respond(
        &self,
        operation: Operation,
        request: Request,
        body: &mut Upload,
        share: &mut Option<Share>,
        holder: &mut Option<Holder>,
    ) -> Result<Response, Refusal> {
        if let Some(record) = record(&request) {
            record.is_for(operation);
        }
        let (request, conditions) = self.guard.admit(operation, request, body, share).await?;
        *holder = request.data::<Caller>().map(Holder::with_credentials);
        let streamed = request.data::<Streamed>().cloned();
        let answer = self.endpoint.call(request).await;
        if let Some(streamed) = streamed {
            body.take_back(&streamed);
        }
        let mut response = answer.map_err(Refusal::from)?;
        if let Some(Panicked(message)) = response.data::<Panicked>() {
            return Err(Refusal::unforeseen(message.clone()));
        }
        let verb = operation.spec().verb;
        if verb == Verb::Get {
            response = conditional::answer(&conditions, response)?;
        }
        memory::count(
            response,
            verb,
            holder.as_ref(),
            &mut body.used,
            &self.guard.intake.responses,
        )
        .await
    }
}

impl<E: Endpoint<Output = Response>> Endpoint for Guarded<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        Ok(self.answer(request).await)
    }
}

/// Marks the response of a handler that panicked, so that the operation determines its row.
#[derive(Clone)]
pub struct MarkPanic;

#[derive(Clone)]
struct Panicked(String);

impl PanicHandler for MarkPanic {
    type Response = Response;

    fn get_response(&self, payload: Box<dyn Any + Send + 'static>) -> Response {
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let mut response = ().into_response();
        response.set_data(Panicked(format!("the handler panicked: {message}")));
        response
    }
}
