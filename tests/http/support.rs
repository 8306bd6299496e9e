//! The service in this process, actors who ask it, and what may be expected of every answer.

use std::fmt;
use std::sync::Arc;

use formalize_core::config::Settings;
use formalize_core::{
    Attributes, Caller, FixedClock, Formalize, NewApiToken, Store, Timestamp, UserId,
};
use formalize_server::{App as Server, percent};
use formalize_tests::failing::FailingStore;
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderMap, Method, StatusCode};
use poem::{Body, Endpoint, Request, Response};
use serde_json::{Value, json};

pub(crate) const BASE: &str = "https://forms.example.org/service";
pub(crate) const NOW: &str = "2026-11-21T08:00:00.000Z";
pub(crate) const NOWHERE: &str = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";

pub(crate) const GROUPS: &str = "/authorization/groups";
pub(crate) const MEMBERS: &str = "/authorization/groups-members";
pub(crate) const RESOURCES: &str = "/authorization/resources";
pub(crate) const GRANTS: &str = "/authorization/resource-action-grants";
pub(crate) const ACTIONS: &str = "/authorization/available-resource-class-actions";
pub(crate) const DYNAMIC_GROUPS: &str = "/authorization/dynamic-groups";
pub(crate) const GRANTED: &str = "/authorization/granted-actions";
pub(crate) const FORMS: &str = "/formalize/forms";
pub(crate) const SUBMISSIONS: &str = "/formalize/submissions";

pub(crate) const GROUP_CLASS: &str = "DbpRelayAuthorizationGroup";
pub(crate) const FORM_CLASS: &str = "DbpRelayFormalizeForm";
pub(crate) const COLLECTION_CLASS: &str = "DbpRelayFormalizeSubmissionCollection";
pub(crate) const SUBMISSION_CLASS: &str = "DbpRelayFormalizeSubmission";

/// Alice may create groups and forms, Carol is staff, Admin administrates, Bob is nobody special.
const CONFIGURATION: &str = r#"
    administrators = 'user.id == "admin"'
    [policies]
    create_groups = 'user.id == "alice"'
    create_forms = 'user.id == "alice"'
    [dynamic_groups]
    staff = '"staff" in user.attributes.roles'
    [resource_classes.VendorThing]
    item_actions = { write = { en = "Write", de = "Schreiben" } }
    collection_actions = { create = { en = "Create", de = "Erstellen" } }
"#;

/// The whole service on a store of its own.
pub(crate) struct App {
    endpoint: BoxEndpoint<'static, Response>,
    pub(crate) formalize: Formalize,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) store: FailingStore,
    tokens: [String; 4],
}

impl App {
    pub(crate) async fn new() -> Self {
        Self::with(CONFIGURATION).await
    }

    /// The service with a configuration of its own.
    pub(crate) async fn with(configuration: &str) -> Self {
        Self::on(FailingStore::in_memory(), configuration).await
    }

    /// The service as it usually is, on a store of any kind.
    pub(crate) async fn on_store(store: Arc<dyn Store>) -> Self {
        Self::on(FailingStore::around(store), CONFIGURATION).await
    }

    /// The service on a store that may have been used before.
    pub(crate) async fn on(store: FailingStore, configuration: &str) -> Self {
        let clock = Arc::new(FixedClock::new(instant(NOW)));
        let mut table = configuration.parse().unwrap();
        let settings = Settings::take_from(&mut table).unwrap();
        let formalize = Formalize::builder(Arc::new(store.clone()))
            .clock(clock.clone())
            .catalog(settings.catalog)
            .policies(settings.policies)
            .dynamic_groups(settings.dynamic_groups)
            .build()
            .await
            .unwrap();
        let endpoint = Server::new(formalize.clone()).base_url(BASE).build();
        let mut app = Self {
            endpoint,
            formalize,
            clock,
            store,
            tokens: Default::default(),
        };
        for (at, user) in ["alice", "bob", "carol", "admin"].into_iter().enumerate() {
            let roles = if user == "carol" {
                json!(["staff"])
            } else {
                json!([])
            };
            app.tokens[at] = app.token(user, json!({ "roles": roles }), None).await;
        }
        app
    }

    /// Another server on the same store, for instance after a restart.
    pub(crate) async fn again(&self) -> Self {
        Self::on(self.store.clone(), CONFIGURATION).await
    }

    pub(crate) async fn token(
        &self,
        user: &str,
        attributes: Value,
        expires: Option<&str>,
    ) -> String {
        let new = NewApiToken {
            user: UserId::new(user).unwrap(),
            attributes: serde_json::from_value::<Attributes>(attributes).unwrap(),
            date_expires: expires.map(instant),
        };
        let tokens = self.formalize.tokens();
        let (_, secret) = tokens.create(&Caller::System, new).await.unwrap();
        secret.expose().to_owned()
    }

    /// From now on it is this time.
    pub(crate) fn travel(&self, to: &str) {
        self.clock.set(instant(to));
    }

    pub(crate) fn anon(&self) -> Actor<'_> {
        Actor {
            app: self,
            token: None,
        }
    }

    pub(crate) fn with_token<'a>(&'a self, token: &'a str) -> Actor<'a> {
        Actor {
            app: self,
            token: Some(token),
        }
    }

    pub(crate) fn alice(&self) -> Actor<'_> {
        self.with_token(&self.tokens[0])
    }

    pub(crate) fn bob(&self) -> Actor<'_> {
        self.with_token(&self.tokens[1])
    }

    pub(crate) fn carol(&self) -> Actor<'_> {
        self.with_token(&self.tokens[2])
    }

    pub(crate) fn admin(&self) -> Actor<'_> {
        self.with_token(&self.tokens[3])
    }

    /// A form of Alice's; `members` go beside its name.
    pub(crate) async fn form(&self, members: Value) -> Value {
        let mut form = json!({ "name": "Newsletter" });
        merge(&mut form, members);
        self.alice().post(FORMS, form).await.expect(201)
    }

    /// The identifier of such a form, to which everybody may submit.
    pub(crate) async fn open_form(&self, members: Value) -> String {
        let form = id(&self.form(members).await);
        self.share_form(
            &form,
            "create_submissions",
            json!({ "dynamicGroupIdentifier": "everybody" }),
        )
        .await;
        form
    }

    /// Alice grants an action on a form of hers.
    pub(crate) async fn share_form(&self, form: &str, action: &str, holder: Value) -> Value {
        let grant = grant(action, FORM_CLASS, Some(form), holder);
        self.alice().post(GRANTS, grant).await.expect(201)
    }

    /// A group of Alice's.
    pub(crate) async fn group(&self, name: &str) -> String {
        id(&self
            .alice()
            .post(GROUPS, json!({ "name": name }))
            .await
            .expect(201))
    }

    /// Alice grants an action on a group of hers.
    pub(crate) async fn share_group(&self, group: &str, action: &str, user: &str) -> Value {
        let grant = grant(
            action,
            GROUP_CLASS,
            Some(group),
            json!({ "userIdentifier": user }),
        );
        self.alice().post(GRANTS, grant).await.expect(201)
    }
}

/// The body of a new grant.
pub(crate) fn grant(action: &str, class: &str, identifier: Option<&str>, holder: Value) -> Value {
    let mut grant =
        json!({ "action": action, "resourceClass": class, "resourceIdentifier": identifier });
    merge(&mut grant, holder);
    grant
}

/// The body of a new submission.
pub(crate) fn submission(form: &str, data: &str) -> Value {
    json!({ "formIdentifier": form, "dataFeedElement": data })
}

/// The body of a new draft.
pub(crate) fn draft(form: &str, data: &str) -> Value {
    json!({ "formIdentifier": form, "dataFeedElement": data, "submissionState": "draft" })
}

pub(crate) fn merge(target: &mut Value, members: Value) {
    let (Value::Object(target), Value::Object(members)) = (target, members) else {
        panic!("both must be objects");
    };
    target.extend(members);
}

/// The value with one member replaced.
pub(crate) fn but(mut value: Value, member: &str, with: Value) -> Value {
    value[member] = with;
    value
}

fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The identifier of an item.
pub(crate) fn id(item: &Value) -> String {
    item["identifier"].as_str().unwrap().to_owned()
}

/// One member of every item of a page.
pub(crate) fn each<'a>(page: &'a Value, member: &str) -> Vec<&'a str> {
    items(page)
        .iter()
        .map(|item| item[member].as_str().unwrap())
        .collect()
}

pub(crate) fn items(page: &Value) -> &Vec<Value> {
    page["items"].as_array().unwrap()
}

pub(crate) fn at(collection: &str, identifier: &str) -> String {
    format!("{collection}/{identifier}")
}

/// A path with a query of these parameters.
pub(crate) fn query(path: &str, parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{}={}", percent::encode(name), percent::encode(value)))
        .collect();
    format!("{path}?{}", pairs.join("&"))
}

/// Somebody who asks.
#[derive(Clone, Copy)]
pub(crate) struct Actor<'a> {
    app: &'a App,
    token: Option<&'a str>,
}

impl<'a> Actor<'a> {
    pub(crate) async fn get(self, path: &str) -> Answer {
        self.request(Method::GET, path).send().await
    }

    pub(crate) async fn post(self, path: &str, body: Value) -> Answer {
        self.request(Method::POST, path).json(&body).send().await
    }

    pub(crate) async fn patch(self, path: &str, body: Value) -> Answer {
        let media = "application/merge-patch+json";
        let request = self
            .request(Method::PATCH, path)
            .header("content-type", media);
        request.body(body.to_string()).send().await
    }

    pub(crate) async fn delete(self, path: &str) -> Answer {
        self.request(Method::DELETE, path).send().await
    }

    /// A request that is not like the others.
    pub(crate) fn request(self, method: Method, path: &str) -> Asking<'a> {
        let mut headers = HeaderMap::new();
        if let Some(token) = self.token {
            headers.insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        Asking {
            app: self.app,
            method,
            path: path.to_owned(),
            headers,
            body: Body::empty(),
        }
    }

    /// A POST of this text as JSON.
    pub(crate) async fn post_text(self, path: &str, text: impl Into<Vec<u8>>) -> Answer {
        self.request(Method::POST, path)
            .header("content-type", "application/json")
            .body(text)
            .send()
            .await
    }

    /// Every item of a list, read page by page as the answers lead.
    pub(crate) async fn walk(self, path: &str) -> Vec<Value> {
        let mut found = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(path) = next {
            let answer = self.get(&path).await;
            next = answer.next();
            found.extend(items(&answer.expect(200)).clone());
        }
        found
    }
}

/// A request in the making.
pub(crate) struct Asking<'a> {
    app: &'a App,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Body,
}

impl Asking<'_> {
    /// With a header besides those that are there.
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(name, value.parse().unwrap());
        self
    }

    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        let body = Body::from_vec(body.into());
        Self { body, ..self }
    }

    /// A body that comes in pieces, its length unsaid.
    pub(crate) fn streamed(self, body: Vec<u8>) -> Self {
        let body = Body::from_async_read(std::io::Cursor::new(body));
        Self { body, ..self }
    }

    pub(crate) fn json(self, value: &Value) -> Self {
        self.header("content-type", "application/json")
            .body(value.to_string())
    }

    pub(crate) async fn send(self) -> Answer {
        let asked = format!("{} {}", self.method, self.path);
        let mut request = Request::builder()
            .method(self.method)
            .uri(self.path.parse().unwrap())
            .body(self.body);
        *request.headers_mut() = self.headers;
        let mut response = self.app.endpoint.get_response(request).await;
        Answer {
            asked,
            status: response.status(),
            headers: response.headers().clone(),
            body: response.take_body().into_vec().await.unwrap(),
        }
    }
}

/// What the service said.
pub(crate) struct Answer {
    asked: String,
    pub(crate) status: StatusCode,
    headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// A header, of which there must not be two.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next().map(|value| value.to_str().unwrap());
        assert!(values.next().is_none(), "{self}: {name} is there twice");
        value
    }

    /// The body of a success, and what holds of every one; `null` where there is none.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{self}");
        assert!(self.header("x-request-id").is_some(), "{self}");
        if status == 204 {
            assert!(
                self.body.is_empty() && self.header("content-type").is_none(),
                "{self}"
            );
            return Value::Null;
        }
        assert_eq!(
            self.header("content-type"),
            Some("application/json; charset=utf-8"),
            "{self}"
        );
        let value: Value = serde_json::from_slice(&self.body).unwrap();
        let is_list = value.get("items").is_some();
        let tag = self.header("etag").unwrap_or_default();
        let is_strong = tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"');
        assert_eq!(is_strong, !is_list, "{self}: items have a strong ETag");
        if status == 201 {
            let (_, path) = self.asked.split_once(' ').unwrap();
            let collection = path.split('?').next().unwrap();
            let location = format!("{BASE}{collection}/{}", id(&value));
            assert_eq!(self.header("location"), Some(location.as_str()), "{self}");
        }
        value
    }

    /// A refusal with these details, and what holds of every one.
    #[track_caller]
    pub(crate) fn refuse(&self, status: u16, error_id: &str, details: impl Into<Value>) {
        let problem = self.problem(status, error_id);
        assert_eq!(problem["relay:errorDetails"], details.into(), "{self}");
    }

    /// The problem document of a refusal, after a look at what holds of every one.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, error_id: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{self}");
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{self}"
        );
        assert!(self.header("x-request-id").is_some(), "{self}");
        assert_eq!(
            self.header("www-authenticate").is_some(),
            status == 401,
            "{self}"
        );
        assert_eq!(self.header("allow").is_some(), status == 405, "{self}");
        let problem: Value = serde_json::from_slice(&self.body).unwrap();
        let expected = [
            "type",
            "title",
            "status",
            "detail",
            "relay:errorId",
            "relay:errorDetails",
        ];
        let violates = error_id.ends_with("invalid-json") || error_id.ends_with("feed-schema");
        let mut expected = expected.to_vec();
        expected.extend(violates.then_some("violations"));
        expected.sort_unstable();
        let mut members: Vec<&str> = problem
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        members.sort_unstable();
        assert_eq!(members, expected, "{self}");
        assert_eq!(problem["relay:errorId"], error_id, "{self}");
        assert_eq!(
            problem["type"],
            format!("urn:formalize:error:{error_id}"),
            "{self}"
        );
        assert_eq!(problem["status"], status, "{self}");
        for phrase in ["title", "detail"] {
            assert!(!problem[phrase].as_str().unwrap().is_empty(), "{self}");
        }
        problem
    }

    /// The path and query of the next page.
    pub(crate) fn next(&self) -> Option<String> {
        let link = self.header("link")?;
        let link = link.strip_prefix(&format!("<{BASE}")).unwrap();
        Some(link.strip_suffix(">; rel=\"next\"").unwrap().to_owned())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        let shown: String = body.chars().take(2000).collect();
        write!(
            formatter,
            "{} -> {} {shown}",
            self.asked,
            self.status.as_u16()
        )
    }
}
