//! An application on axum with forms. It authenticates its users; formalize keeps forms and submissions in an SQLite file and
//! checks permissions.
//!
//! A club has surveys for its members. Members of the board can create forms, and every member can submit once. The creator of
//! a form reads all submissions, and members read their own. Start the program:
//!
//! ```sh
//! cargo run -p formalize-examples --bin embed_in_axum
//! ```
//!
//! Create a form:
//!
//! ```sh
//! curl -H 'Authorization: Bearer key-of-grace' http://127.0.0.1:3000/forms \
//!   --json '{"name": "Dinner", "schema": {"required": ["guests"], "properties": {"guests": {"type": "integer"}}}}'
//! ```

use std::collections::{BTreeMap, HashMap};
use std::error::Error as StdError;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use formalize_core::store::StoreError;
use formalize_core::{
    Action, Caller, DynamicGroupId, Error, FormFilter, FormId, FormName, Formalize, NewForm,
    NewGrant, NewSubmission, PageRequest, ResourceRef, SubmissionFilter, SubmissionRules, UserId,
    authorization::{Condition, Policies},
    forms::{SubmissionCap, SubmittedAction},
};
use formalize_sql::{SqlOptions, SqlStore};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    let store = SqlStore::open("sqlite://club.db", &SqlOptions::default()).await?;
    store.migrate().await?;
    let app = App {
        formalize: Formalize::builder(Arc::new(store))
            .policies(policies()?)
            .build()
            .await?,
        people: people()?,
    };
    let store = Arc::clone(app.formalize.store());

    let listener = TcpListener::bind(address()?).await?;
    #[expect(clippy::print_stdout, reason = "its address must be printed")]
    {
        println!("listening on http://{}", listener.local_addr()?);
    }
    let mut stop = signal(SignalKind::terminate())?;
    axum::serve(listener, router(app))
        .with_graceful_shutdown(async move {
            stop.recv().await;
        })
        .await?;
    store.close().await;
    Ok(())
}

/// The address of `--listen`, or the default.
fn address() -> Result<String, String> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => Ok("127.0.0.1:3000".to_owned()),
        (Some("--listen"), Some(address)) => Ok(address),
        _ => Err("usage: embed_in_axum [--listen ADDRESS]".to_owned()),
    }
}

/// The application: its users and its forms.
struct App {
    formalize: Formalize,
    /// The users by key. Use sessions and a table of users instead.
    people: HashMap<&'static str, Caller>,
}

/// The board can create forms without a grant.
fn policies() -> Result<Policies, Box<dyn StdError>> {
    let board = Condition::compile(r#""board" in user.attributes.roles"#)?;
    Ok(Policies {
        create_forms: Some(board),
        ..Policies::default()
    })
}

/// The users with the attributes that conditions use.
fn people() -> Result<HashMap<&'static str, Caller>, Box<dyn StdError>> {
    let person = |id: &str, roles: &[&str]| -> Result<Caller, Box<dyn StdError>> {
        let attributes = BTreeMap::from([("roles".to_owned(), json!(roles))]);
        Ok(Caller::with_attributes(UserId::new(id)?, attributes))
    };
    Ok(HashMap::from([
        ("key-of-grace", person("grace", &["board"])?),
        ("key-of-alice", person("alice", &[])?),
        ("key-of-bob", person("bob", &[])?),
    ]))
}

fn router(app: App) -> Router {
    Router::new()
        .route("/forms", get(list_forms).post(create_form))
        .route(
            "/forms/{id}/submissions",
            post(submit).get(list_submissions),
        )
        .with_state(Arc::new(app))
}

/// The sender of a request as a caller.
struct Sender(Caller);

impl FromRequestParts<Arc<App>> for Sender {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, StatusCode> {
        let header = parts.headers.get(header::AUTHORIZATION);
        let key = header.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let known = key.and_then(|key| app.people.get(key));
        known.cloned().map(Self).ok_or(StatusCode::UNAUTHORIZED)
    }
}

#[derive(Deserialize)]
struct FormBody {
    name: String,
    schema: Value,
}

/// Creates a form that every member can read and submit to once. Its creator manages it, and therefore can grant this.
async fn create_form(
    State(app): State<Arc<App>>,
    Sender(caller): Sender,
    Json(body): Json<FormBody>,
) -> Result<Response, Failure> {
    let new = NewForm {
        data_feed_schema: Some(body.schema.to_string()),
        rules: SubmissionRules {
            cap: Some(SubmissionCap::new(1)?),
            allowed_actions_when_submitted: [SubmittedAction::Read].into_iter().collect(),
            ..SubmissionRules::default()
        },
        ..NewForm::new(FormName::new(body.name)?)
    };
    let form = app.formalize.forms().create(&caller, new).await?.item;
    for action in [Action::READ, Action::CREATE_SUBMISSIONS] {
        let to_everybody = NewGrant::new(
            DynamicGroupId::EVERYBODY,
            action,
            ResourceRef::form(form.id),
        );
        app.formalize.grants().create(&caller, to_everybody).await?;
    }
    let created = json!({ "id": form.id.to_string() });
    Ok((StatusCode::CREATED, Json(created)).into_response())
}

/// The forms that the sender can read.
async fn list_forms(
    State(app): State<Arc<App>>,
    Sender(caller): Sender,
) -> Result<Json<Value>, Failure> {
    let (filter, first_page) = (FormFilter::default(), PageRequest::default());
    let page = app
        .formalize
        .forms()
        .list(&caller, &filter, &first_page)
        .await?;
    let forms = page
        .items
        .iter()
        .map(|shown| json!({ "id": shown.item.id.to_string(), "name": shown.item.name.as_str() }));
    Ok(Json(forms.collect()))
}

/// Passes the body on unchanged; it is returned byte for byte.
async fn submit(
    State(app): State<Arc<App>>,
    Sender(caller): Sender,
    Path(form): Path<String>,
    data: String,
) -> Result<StatusCode, Failure> {
    let new = NewSubmission::new(parse(&form)?, data);
    app.formalize.submissions().create(&caller, new).await?;
    Ok(StatusCode::CREATED)
}

/// The submissions that the sender can read.
async fn list_submissions(
    State(app): State<Arc<App>>,
    Sender(caller): Sender,
    Path(form): Path<String>,
) -> Result<Json<Value>, Failure> {
    let (form, filter) = (parse(&form)?, SubmissionFilter::default());
    let page = app
        .formalize
        .submissions()
        .list(&caller, form, &filter, &PageRequest::default())
        .await?;
    let submissions = page.items.iter().map(|shown| {
        let submission = &shown.item;
        json!({ "by": submission.creator.as_str(), "data": submission.data.as_deref() })
    });
    Ok(Json(submissions.collect()))
}

/// The form in a path. A malformed identifier is reported as not found.
fn parse(form: &str) -> Result<FormId, Error> {
    form.parse().map_err(|_| Error::FormNotFound)
}

/// The reason for rejecting a request.
struct Failure(Error);

/// Also for the errors of constructors, which convert to the library's.
impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = match &self.0 {
            Error::Forbidden => StatusCode::FORBIDDEN,
            Error::FormNotFound => StatusCode::NOT_FOUND,
            Error::SubmissionCapReached | Error::SubmissionLimitReached => StatusCode::CONFLICT,
            Error::Store(StoreError::Unavailable(_) | StoreError::LockTimeout(_)) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Error::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        // Messages of the store belong in logs. All others are public.
        let text = match &self.0 {
            Error::Store(_) => "something is wrong on our side".to_owned(),
            error => error.to_string(),
        };
        (status, text).into_response()
    }
}
