//! The interface for the Relay web client: JSON-LD at the root of a listener of its own.
//!
//! It has its own tables of routes and errors, and calls the same use cases as the REST interface. It only converts. See
//! `docs/relay.md`.

mod base;
mod errors;
mod files;
mod filter;
mod form_body;
mod forms;
mod grants;
mod hydra;
mod request;
mod route;
mod rows;
mod stream;
mod submissions;
mod tags;
mod users;

use std::{panic::AssertUnwindSafe, sync::Arc};

use errors::Place;
use formalize_core::{Caller, Formalize};
use formalize_http::auth::Authenticate;
use formalize_http::config::DirectorySettings;
use formalize_http::contract::operation::FORM_DATA;
use formalize_http::contract::{Area, ErrorKey, PathParameters, Verb};
use formalize_http::failure::Refusal;
use formalize_http::middleware::upload::{BodyError, Upload};
use formalize_http::middleware::{Intake, RequestGuard, conditional, count, media, memory};
use formalize_http::observe::Record;
use formalize_http::rate::{Holder, Share};
use formalize_http::request::{Conditions, is_form_data};
use futures_util::FutureExt;
use hydra::Receipt;
use poem::{Endpoint, Request, Response, Result, http::StatusCode};
use request::{Query, Sent, Shared, Target, Visit};
use route::{Action, BodyKind, Found, Route, find};
use rows::Rows;

/// The media types of JSON bodies.
const JSON: [&str; 2] = ["application/ld+json", "application/json"];
/// The media types of changes in JSON.
const JSON_CHANGES: [&str; 3] = [
    "application/ld+json",
    "application/json",
    "application/merge-patch+json",
];
/// The media types of responses.
const RESPONSES: [&str; 3] = [
    "application/ld+json",
    "application/json",
    "application/problem+json",
];

/// The paths that the REST interface answers on this listener, too.
const PROBES: [&str; 3] = ["/healthz", "/readyz", "/version"];

/// The interface as an endpoint. `probes` answers health checks.
pub struct Relay<E> {
    shared: Shared,
    guard: RequestGuard,
    intake: Arc<Intake>,
    probes: E,
}

impl<E> Relay<E> {
    /// The interface of a service. `base_url` is the base of absolute URLs.
    pub fn new(
        core: Formalize,
        base_url: &str,
        authenticate: Arc<dyn Authenticate>,
        intake: Arc<Intake>,
        directory: DirectorySettings,
        probes: E,
    ) -> Self {
        Self {
            shared: Shared {
                core,
                base_url: base_url.trim_end_matches('/').into(),
                directory,
            },
            guard: RequestGuard::new(authenticate, Arc::clone(&intake)),
            intake,
            probes,
        }
    }

    async fn answer(&self, mut request: Request) -> Response {
        let mut body = Upload::of(&mut request);
        let (area, mut share) = (Area::of(request.uri().path()), None);
        let mut holder = None;
        let mut place = Place::default();
        let in_progress = self.intake.rates.begin(&request);
        let answer = match find(request.method().as_str(), request.uri().path()) {
            _ if in_progress.is_none() => Err(Refusal::too_many_in_progress()),
            Found::Route(route, path) => {
                place = Place {
                    verb: Some(route.verb),
                    operation: route.operation,
                    subject: subject(&path, request.uri().query()),
                };
                let answer =
                    self.respond(route, path, &request, &mut body, &mut share, &mut holder);
                // Boxed, so that health checks do not reserve memory for the state of every handler.
                let answer = AssertUnwindSafe(Box::pin(answer)).catch_unwind().await;
                answer.unwrap_or_else(|_| Err(Refusal::unforeseen("the handler panicked")))
            }
            Found::OtherMethods(allow) => {
                let otherwise = Refusal::method_not_allowed(allow);
                Err(self.turn_away(&request, otherwise, &mut share))
            }
            Found::Nothing => {
                let otherwise = Refusal::is(ErrorKey::RouteNotFound);
                Err(self.turn_away(&request, otherwise, &mut share))
            }
        };
        let mut response = match answer {
            Ok(response) => response,
            Err(refusal) => {
                let refusal = errors::answer(refusal, &place, area);
                memory::count_refusal(refusal, holder.as_ref(), &self.intake.responses).await
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
        let counted = count(self.intake.rates.of_address(request), share);
        counted.err().unwrap_or(otherwise)
    }

    async fn respond(
        &self,
        route: &'static Route,
        path: PathParameters,
        request: &Request,
        body: &mut Upload,
        share: &mut Option<Share>,
        holder: &mut Option<Holder>,
    ) -> Result<Response, Refusal> {
        if let Some(record) = request.data::<Arc<Record>>() {
            record.is_for_page(route.path);
        }
        let caller = self.guard.identify(request, share).await?;
        let holder = &*holder.insert(Holder::with_credentials(&caller));
        let headers = request.headers();
        if route.answers_json() && media::preferred(headers, &RESPONSES).is_none() {
            return Err(Refusal::is(ErrorKey::NotAcceptable));
        }
        let sent = self.receive(route, request, &caller, body).await?;
        let query = Query::read(request.uri().query())?;
        let conditions = match route.operation {
            Some(operation) => Conditions::validate(operation, headers)?,
            None => Conditions::default(),
        };
        let visit = Visit {
            shared: self.shared.clone(),
            caller,
            path,
            query,
            target: Target::new(request.uri().path(), request.uri().query()),
            headers: headers.clone(),
            is_head: request.method() == poem::http::Method::HEAD,
            conditions,
            sent,
        };
        let mut response = self.handled(route, &visit, body).await?;
        if route.verb == Verb::Get {
            response = conditional::answer(&visit.conditions, response)?;
        }
        let receipt = response.data::<Receipt>().cloned();
        let budget = &self.intake.responses;
        let counted = memory::count(response, route.verb, Some(holder), &mut body.used, budget);
        let response = counted.await?;
        // There was no memory for the changed item. The client expects a body.
        Ok(match receipt {
            Some(Receipt(json)) if response.status() == StatusCode::NO_CONTENT => {
                hydra::response(StatusCode::OK, json)
            }
            _ => response,
        })
    }

    /// Receives JSON, and begins to read forms.
    async fn receive(
        &self,
        route: &Route,
        request: &Request,
        caller: &Caller,
        body: &mut Upload,
    ) -> Result<Sent, Refusal> {
        let headers = request.headers();
        let takes_form = matches!(route.body, BodyKind::Form | BodyKind::JsonOrForm);
        let takes_json = matches!(route.body, BodyKind::Json | BodyKind::JsonOrForm);
        if route.body == BodyKind::Ignored {
            return Ok(Sent::Nothing);
        }
        let is_plain = media::is_plain(headers);
        if takes_form && is_plain && is_form_data(headers) {
            let most = self.intake.uploads.size;
            if body.announces_more_than(most) {
                return Err(BodyError::TooLarge.into());
            }
            let holder = Holder::of(caller, self.intake.rates.source(request));
            return Ok(Sent::Form(self.intake.stream(body, most, holder)));
        }
        let types: &[&str] = match route.verb {
            Verb::Patch => &JSON_CHANGES,
            _ => &JSON,
        };
        let content_type = headers.get(poem::http::header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let is_json = content_type.is_some_and(|sent| media::is_one_of(types, sent));
        if takes_json && (body.is_absent() || (is_plain && is_json)) {
            let most = self.intake.limits.body;
            return Ok(Sent::Json(self.intake.receive(most, body).await?.into()));
        }
        let types = types.iter().filter(|_| takes_json);
        let types: Vec<&str> = types
            .copied()
            .chain(takes_form.then_some(FORM_DATA))
            .collect();
        Err(Refusal::other_media_than(&types))
    }

    /// Handles a request. One whose body is read while it arrives may take long, and takes no turn.
    async fn handled(
        &self,
        route: &Route,
        visit: &Visit,
        body: &mut Upload,
    ) -> Result<Response, Refusal> {
        if let Sent::Form(streamed) = &visit.sent {
            let answer = self.handle(route.action, visit).await;
            body.take_back(streamed);
            return answer;
        }
        let _turn = self.shared.core.turn(&visit.caller).await;
        self.handle(route.action, visit).await
    }

    async fn handle(&self, action: Action, visit: &Visit) -> Result<Response, Refusal> {
        match action {
            Action::ListForms => self.collection(visit, forms::rows(visit)?).await,
            Action::CreateForm => forms::create(visit).await,
            Action::GetForm => forms::get(visit).await,
            Action::UpdateForm => forms::update(visit).await,
            Action::DeleteForm => forms::delete(visit).await,
            Action::ListSubmissions => self.collection(visit, submissions::rows(visit)?).await,
            Action::CreateSubmission => submissions::create(visit).await,
            Action::DeleteSubmissions => submissions::delete_all(visit).await,
            Action::GetSubmission => submissions::get(visit).await,
            Action::UpdateSubmission => submissions::update(visit).await,
            Action::DeleteSubmission => submissions::delete(visit).await,
            Action::GetFile => files::get(visit).await,
            Action::DownloadFile => files::download(visit).await,
            Action::ListClassActions => self.collection(visit, Rows::ClassActions).await,
            Action::GetClassActions => grants::get_class(visit),
            Action::ListGrants => self.collection(visit, grants::rows(visit)).await,
            Action::CreateGrant => grants::create(visit).await,
            Action::GetGrant => grants::get(visit).await,
            Action::DeleteGrant => grants::delete(visit).await,
            Action::GetGrantedActions => grants::granted_actions(visit).await,
            Action::GetUser => users::get(visit),
            Action::ListDirectory(kind) => self.collection(visit, base::rows(visit, kind)?).await,
            Action::GetFromDirectory(kind) => base::get(visit, kind),
        }
    }

    async fn collection(&self, visit: &Visit, rows: Rows) -> Result<Response, Refusal> {
        stream::collection(visit, rows, &self.intake.responses).await
    }
}

/// The identifier that a request is about.
fn subject(path: &PathParameters, query: Option<&str>) -> Option<String> {
    let query = Query::read(query).unwrap_or_default();
    let subject = path.first().or_else(|| query.text("formIdentifier"));
    subject.map(str::to_owned)
}

impl<E: Endpoint<Output = Response>> Endpoint for Relay<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        if PROBES.contains(&request.uri().path()) {
            return self.probes.call(request).await;
        }
        Ok(self.answer(request).await)
    }
}
