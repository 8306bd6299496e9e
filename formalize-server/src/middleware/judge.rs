//! The order in which a request is judged before its handler sees it, and the one place where
//! refusals become answers.

use std::{any::Any, sync::Arc};

use poem::{
    Body, Endpoint, IntoResponse, Middleware, Request, Response, Result,
    error::ReadBodyError,
    http::header,
    middleware::{CatchPanic, PanicHandler},
};
use tracing::Instrument;

use super::{
    conditional, media,
    request_id::{self, RequestId},
};
use crate::{
    auth::{Authenticate, bearer_token},
    contract::{
        Area, Conditions, ErrorKey, Matched, Operation, Verb, operation::Answer,
        parameter::Parameters, route,
    },
    failure::Refusal,
};

/// Judges requests by the table of operations: route, credentials, media types, size, query
/// parameters, conditions.
#[derive(Clone)]
pub struct Judge {
    authenticate: Arc<dyn Authenticate>,
    body_limit: usize,
}

impl Judge {
    /// A judge with the given limit of request bodies in bytes.
    pub fn new(authenticate: Arc<dyn Authenticate>, body_limit: usize) -> Self {
        Self {
            authenticate,
            body_limit,
        }
    }

    async fn admit(
        &self,
        operation: Operation,
        mut request: Request,
    ) -> Result<(Request, Conditions), Refusal> {
        let spec = operation.spec();
        if !spec.public {
            let token = bearer_token(&request);
            let caller = match token {
                Some(token) => self.authenticate.authenticate(token).await?,
                None => None,
            };
            let caller = caller.ok_or_else(|| Refusal::is(ErrorKey::AuthenticationRequired))?;
            request.set_data(caller);
        }
        if spec.answer == Answer::Json && !media::accepts_json(request.headers()) {
            return Err(Refusal::is(ErrorKey::NotAcceptable));
        }
        if !media::carries(spec.verb, request.headers()) {
            return Err(Refusal::is(ErrorKey::UnsupportedMediaType));
        }
        if !spec.verb.request_media().is_empty() {
            self.read_body(&mut request).await?;
        }
        let parameters = Parameters::judge(operation, request.uri().query())?;
        let conditions = Conditions::judge(operation, request.headers())?;
        request.set_data(operation);
        request.set_data(parameters);
        request.set_data(conditions.clone());
        Ok((request, conditions))
    }

    /// Reads the whole body, so that its size is judged before anything in it.
    async fn read_body(&self, request: &mut Request) -> Result<(), Refusal> {
        let announced = request
            .header(header::CONTENT_LENGTH)
            .and_then(|length| length.parse::<usize>().ok());
        if announced.is_some_and(|length| length > self.body_limit) {
            return Err(Refusal::is(ErrorKey::PayloadTooLarge));
        }
        match request.take_body().into_bytes_limit(self.body_limit).await {
            Ok(bytes) => {
                request.set_body(Body::from_bytes(bytes));
                Ok(())
            }
            Err(ReadBodyError::PayloadTooLarge) => Err(Refusal::is(ErrorKey::PayloadTooLarge)),
            Err(error) => Err(Refusal::is(ErrorKey::InvalidRequestBody)
                .saying("the request body could not be read")
                .caused_by(error)),
        }
    }
}

impl<E: Endpoint> Middleware<E> for Judge {
    type Output = Judged<<CatchPanic<MarkPanic> as Middleware<E>>::Output>;

    fn transform(&self, endpoint: E) -> Self::Output {
        let endpoint = CatchPanic::new()
            .with_handler(MarkPanic)
            .transform(endpoint);
        Judged {
            judge: self.clone(),
            endpoint,
        }
    }
}

/// An endpoint behind a [`Judge`].
pub struct Judged<E> {
    judge: Judge,
    endpoint: E,
}

impl<E: Endpoint<Output = Response>> Judged<E> {
    async fn answer(&self, request: Request) -> Response {
        let area = Area::of(request.uri().path());
        match route(request.method().as_str(), request.uri().path()) {
            Matched::Operation(operation) => self
                .respond(operation, request)
                .await
                .unwrap_or_else(|refusal| refusal.answer(Some(operation), area)),
            Matched::OtherMethods(allow) => Refusal::method_not_allowed(allow).answer(None, area),
            Matched::Nothing => Refusal::is(ErrorKey::RouteNotFound).answer(None, area),
        }
    }

    async fn respond(&self, operation: Operation, request: Request) -> Result<Response, Refusal> {
        let (request, conditions) = self.judge.admit(operation, request).await?;
        let response = self.endpoint.call(request).await.map_err(Refusal::from)?;
        match response.data::<Panicked>() {
            Some(Panicked(message)) => Err(Refusal::unforeseen(message.clone())),
            None if operation.spec().verb == Verb::Get => {
                conditional::answer(&conditions, response)
            }
            None => Ok(response),
        }
    }
}

impl<E: Endpoint<Output = Response>> Endpoint for Judged<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let id = RequestId::of(&request);
        let span = tracing::info_span!(
            "request",
            %id,
            method = %request.method(),
            path = request.uri().path(),
        );
        let answer = async {
            let response = self.answer(request).await;
            tracing::info!(status = response.status().as_u16(), "answered");
            response
        };
        let mut response = answer.instrument(span).await;
        if let Some(value) = id.header_value() {
            response.headers_mut().insert(request_id::HEADER, value);
        }
        Ok(response)
    }
}

/// Marks the answer of a handler that panicked, so that it gets the row of its operation.
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
