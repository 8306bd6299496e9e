//! The order of checks before a handler is called, and the only place that converts refusals to responses.

use std::{any::Any, sync::Arc};

use formalize_core::idempotency::KeyedRequest;
use poem::{
    Endpoint, IntoResponse, Middleware, Request, Response, Result,
    http::header,
    middleware::{CatchPanic, PanicHandler},
};

use super::{
    conditional,
    intake::Intake,
    media,
    steps::{Arrival, Arrived, Counted, Limit},
};
use crate::{
    auth::Authenticate,
    contract::{
        Area, ErrorKey, Matched, Operation, Verb,
        condition::IDEMPOTENCY_KEY,
        operation::{Answer, FORM_DATA, SMALL_BODY},
        route,
    },
    failure::Refusal,
    observe::Record,
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

    /// Checks a request up to its handler.
    async fn admit<'a>(
        &self,
        operation: Operation,
        mut request: Request,
        arrived: Arrived<'a>,
    ) -> Result<Admitted<'a>, Refusal> {
        let spec = operation.spec();
        let mut counted = if !spec.public {
            let identified = arrived.identify(&request, self.authenticate.as_ref());
            let (caller, counted) = identified.await?;
            request.set_data(caller);
            counted
        } else if spec.counted {
            arrived.count(&request, Limit::Address, None)?
        } else {
            arrived.exempt()
        };
        if spec.answer == Answer::Json && !media::accepts_json(request.headers()) {
            return Err(Refusal::is(ErrorKey::NotAcceptable));
        }
        let (request, conditions) = if spec.streamed {
            self.admit_stream(operation, request, &mut counted)?
        } else if spec.form && is_form_data(request.headers()) {
            self.admit_form(operation, request, &mut counted)?
        } else {
            self.admit_whole(operation, request, &mut counted).await?
        };
        Ok(Admitted {
            request,
            conditions,
            counted,
        })
    }

    /// Admits a request whose body is received before its handler is called.
    async fn admit_whole(
        &self,
        operation: Operation,
        mut request: Request,
        counted: &mut Counted<'_>,
    ) -> Result<(Request, Conditions), Refusal> {
        let spec = operation.spec();
        // Some clients declare the type of a body that they do not send.
        let has_type = request.headers().contains_key(header::CONTENT_TYPE);
        let has_no_body = spec.optional_body && (!has_type || counted.has_no_body());
        if !has_no_body && !media::carries(spec.verb, request.headers()) {
            return Err(Refusal::unsupported_media(spec));
        }
        if !spec.verb.request_media().is_empty() {
            // Received as a whole, so that its size is checked before its content.
            let mut received = if spec.large_body {
                counted.receive().await?
            } else {
                counted.receive_at_most(SMALL_BODY).await?
            };
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
        counted: &mut Counted<'_>,
    ) -> Result<(Request, Conditions), Refusal> {
        if !media::carries_content(request.headers()) {
            return Err(Refusal::unsupported_media(operation.spec()));
        }
        let (mut request, conditions) = self.validate(operation, request)?;
        request.set_data(counted.stream_file()?);
        Ok((request, conditions))
    }

    /// Admits a request with files beside the JSON, whose handler reads the body.
    fn admit_form(
        &self,
        operation: Operation,
        mut request: Request,
        counted: &mut Counted<'_>,
    ) -> Result<(Request, Conditions), Refusal> {
        if !media::is_plain(request.headers()) {
            return Err(Refusal::unsupported_media(operation.spec()));
        }
        counted.foresee_files()?;
        if request.headers().contains_key(IDEMPOTENCY_KEY) {
            let must = format!("is not supported for {FORM_DATA}");
            return Err(Refusal::is(ErrorKey::InvalidParameter).about(IDEMPOTENCY_KEY, &must));
        }
        request.set_data(None::<KeyedRequest>);
        request.set_data(KeyRetention(self.intake.limits.key_retention));
        let (mut request, conditions) = self.validate(operation, request)?;
        request.set_data(counted.stream_files()?);
        Ok((request, conditions))
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
}

/// A request that was admitted.
struct Admitted<'a> {
    request: Request,
    conditions: Conditions,
    counted: Counted<'a>,
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
        let area = Area::of(request.uri().path());
        let mut arrival = Arrival::of(&mut request, &self.guard.intake);
        let answer = match arrival.begin() {
            Ok(arrived) => self.route(request, arrived, area).await,
            Err(refusal) => Err(refusal.answer(None, area)),
        };
        arrival.finish(answer).await
    }

    /// The response, or that to a refusal.
    async fn route(
        &self,
        mut request: Request,
        arrived: Arrived<'_>,
        area: Area,
    ) -> Result<Response, Response> {
        let otherwise = match route(request.method().as_str(), request.uri().path()) {
            Matched::Operation(operation, parameters) => {
                request.set_data(parameters);
                let answer = self.respond(operation, request, arrived).await;
                return answer.map_err(|refusal| refusal.answer(Some(operation), area));
            }
            Matched::OtherMethods(allow) => Refusal::method_not_allowed(allow),
            Matched::Nothing => Refusal::is(ErrorKey::RouteNotFound),
        };
        let refusal = arrived.turn_away(&request, otherwise);
        Err(refusal.answer(None, area))
    }

    async fn respond(
        &self,
        operation: Operation,
        request: Request,
        arrived: Arrived<'_>,
    ) -> Result<Response, Refusal> {
        if let Some(record) = request.data::<Arc<Record>>() {
            record.is_for(operation);
        }
        let admitted = self.guard.admit(operation, request, arrived).await?;
        let answer = self.endpoint.call(admitted.request).await;
        let mut response = answer.map_err(Refusal::from)?;
        if let Some(Panicked(message)) = response.data::<Panicked>() {
            return Err(Refusal::unforeseen(message.clone()));
        }
        let verb = operation.spec().verb;
        if verb == Verb::Get {
            response = conditional::answer(&admitted.conditions, response)?;
        }
        admitted.counted.respond(response, verb).await
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
