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
use formalize_core::Formalize;
use formalize_http::auth::Authenticate;
use formalize_http::config::DirectorySettings;
use formalize_http::contract::operation::FORM_DATA;
use formalize_http::contract::{Area, ErrorKey, PathParameters, Verb};
use formalize_http::failure::Refusal;
use formalize_http::middleware::{Arrival, Arrived, Counted, Intake, conditional, media};
use formalize_http::observe::Record;
use formalize_http::request::{Conditions, is_form_data};
use futures_util::FutureExt;
use hydra::Receipt;
use poem::http::{HeaderMap, StatusCode, header::CONTENT_TYPE};
use poem::{Endpoint, Request, Response, Result};
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
    authenticate: Arc<dyn Authenticate>,
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
            authenticate,
            intake,
            probes,
        }
    }

    async fn answer(&self, mut request: Request) -> Response {
        let area = Area::of(request.uri().path());
        let mut place = Place::default();
        let mut arrival = Arrival::of(&mut request, &self.intake);
        let answer = match arrival.begin() {
            Ok(arrived) => self.route(&request, arrived, &mut place).await,
            Err(refusal) => Err(refusal),
        };
        let answer = answer.map_err(|refusal| errors::answer(refusal, &place, area));
        arrival.finish(answer).await
    }

    async fn route(
        &self,
        request: &Request,
        arrived: Arrived<'_>,
        place: &mut Place,
    ) -> Result<Response, Refusal> {
        let otherwise = match find(request.method().as_str(), request.uri().path()) {
            Found::Route(route, path) => {
                *place = Place {
                    verb: Some(route.verb),
                    operation: route.operation,
                    subject: subject(&path, request.uri().query()),
                };
                let answer = self.respond(route, path, request, arrived);
                // Boxed, so that health checks do not reserve memory for the state of every handler.
                let answer = AssertUnwindSafe(Box::pin(answer)).catch_unwind().await;
                return answer.unwrap_or_else(|_| Err(Refusal::unforeseen("the handler panicked")));
            }
            Found::OtherMethods(allow) => Refusal::method_not_allowed(allow),
            Found::Nothing => Refusal::is(ErrorKey::RouteNotFound),
        };
        Err(arrived.turn_away(request, otherwise))
    }

    async fn respond(
        &self,
        route: &'static Route,
        path: PathParameters,
        request: &Request,
        arrived: Arrived<'_>,
    ) -> Result<Response, Refusal> {
        if let Some(record) = request.data::<Arc<Record>>() {
            record.is_for_page(route.path);
        }
        let identified = arrived.identify(request, self.authenticate.as_ref());
        let (caller, mut counted) = identified.await?;
        let headers = request.headers();
        if route.answers_json() && media::preferred(headers, &RESPONSES).is_none() {
            return Err(Refusal::is(ErrorKey::NotAcceptable));
        }
        let sent = receive(route, headers, &mut counted).await?;
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
        // A request whose body is read while it arrives may take long, and takes no turn.
        let _turn = match &visit.sent {
            Sent::Form(_) => None,
            Sent::Nothing | Sent::Json(_) => Some(self.shared.core.turn(&visit.caller).await),
        };
        let mut response = self.handle(route.action, &visit).await?;
        if route.verb == Verb::Get {
            response = conditional::answer(&visit.conditions, response)?;
        }
        let receipt = response.data::<Receipt>().cloned();
        let response = counted.respond(response, route.verb).await?;
        // There was no memory for the changed item. The client expects a body.
        Ok(match receipt {
            Some(Receipt(json)) if response.status() == StatusCode::NO_CONTENT => {
                hydra::response(StatusCode::OK, json)
            }
            _ => response,
        })
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
        stream::collection(visit, rows, self.intake.responses()).await
    }
}

/// Receives JSON, and begins to read forms.
async fn receive(
    route: &Route,
    headers: &HeaderMap,
    counted: &mut Counted<'_>,
) -> Result<Sent, Refusal> {
    let takes_form = matches!(route.body, BodyKind::Form | BodyKind::JsonOrForm);
    let takes_json = matches!(route.body, BodyKind::Json | BodyKind::JsonOrForm);
    if route.body == BodyKind::Ignored {
        return Ok(Sent::Nothing);
    }
    let is_plain = media::is_plain(headers);
    if takes_form && is_plain && is_form_data(headers) {
        counted.foresee_files()?;
        return Ok(Sent::Form(counted.stream_files()?));
    }
    let types: &[&str] = match route.verb {
        Verb::Patch => &JSON_CHANGES,
        _ => &JSON,
    };
    let content_type = headers.get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let is_json = content_type.is_some_and(|sent| media::is_one_of(types, sent));
    if takes_json && (counted.has_no_body() || (is_plain && is_json)) {
        return Ok(Sent::Json(counted.receive().await?.into()));
    }
    let types = types.iter().filter(|_| takes_json);
    let types: Vec<&str> = types
        .copied()
        .chain(takes_form.then_some(FORM_DATA))
        .collect();
    Err(Refusal::other_media_than(&types))
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
