//! The service in this process, the actors that call it, and helpers that create records.

use std::sync::Arc;

use formalize_core::config::Settings;
use formalize_core::{
    Attributes, Builder, Caller, FixedClock, Formalize, Store, Timestamp, UserId,
    files::FileLimits, tokens::NewApiToken, webhooks::WebhookTransport,
};
use formalize_http::auth::Issuers;
use formalize_http::config::DirectorySettings;
use formalize_http::exports::Exports;
use formalize_http::middleware::{RequestLimits, UploadLimits};
use formalize_http::percent;
use formalize_http::rate::RateLimits;
use formalize_http::readiness::Stopping;
use formalize_pages::PageSetup;
use formalize_server::App as Server;
use formalize_server::feed::Streams;
use formalize_tests::failing::FailingStore;
use formalize_tests::world::new_session;
use formalize_tests::{FailingFileStore, moto};
use poem::Response;
use poem::endpoint::BoxEndpoint;
use serde_json::{Value, json};

mod actor;
mod answer;
mod described;
mod receiver;

pub(crate) use actor::Actor;
pub(crate) use answer::Answer;
pub(crate) use described::{faults, inlined};
pub(crate) use receiver::Receiver;

pub(crate) const BASE: &str = "https://forms.example.org/service";
/// The URL of the interface for the Relay web client.
pub(crate) const RELAY_BASE: &str = "https://relay.example.org";
pub(crate) const NOW: &str = "2026-11-21T08:00:00.000Z";
pub(crate) const NOWHERE: &str = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";

pub(crate) const GROUPS: &str = "/authorization/groups";
pub(crate) const MEMBERS: &str = "/authorization/groups-members";
pub(crate) const RESOURCES: &str = "/authorization/resources";
pub(crate) const GRANTS: &str = "/authorization/resource-action-grants";
pub(crate) const ACTIONS: &str = "/authorization/available-resource-class-actions";
pub(crate) const DYNAMIC_GROUPS: &str = "/authorization/dynamic-groups";
pub(crate) const GRANTED: &str = "/authorization/granted-actions";
pub(crate) const CHECK: &str = "/authorization/check";
pub(crate) const FORMS: &str = "/formalize/forms";
pub(crate) const SUBMISSIONS: &str = "/formalize/submissions";
pub(crate) const BATCH: &str = "/formalize/submissions/batch";
pub(crate) const EVENTS: &str = "/formalize/events";
pub(crate) const FORM_LINKS: &str = "/formalize/form-links";
pub(crate) const WEBHOOKS: &str = "/formalize/webhooks";

pub(crate) const GROUP_CLASS: &str = "DbpRelayAuthorizationGroup";
pub(crate) const FORM_CLASS: &str = "DbpRelayFormalizeForm";
pub(crate) const COLLECTION_CLASS: &str = "DbpRelayFormalizeSubmissionCollection";
pub(crate) const SUBMISSION_CLASS: &str = "DbpRelayFormalizeSubmission";

/// Alice may create groups and forms, Carol is staff, Admin is an administrator, Root manages everything, and Bob has no
/// special permissions.
const CONFIGURATION: &str = r#"
    administrators = 'user.id == "admin"'
    [policies]
    create_groups = 'user.id == "alice"'
    create_forms = 'user.id == "alice"'
    manage_everything = 'user.id == "root"'
    [dynamic_groups]
    staff = '"staff" in user.attributes.roles'
    [resource_classes.VendorThing]
    item_actions = { write = { en = "Write", de = "Schreiben" } }
    collection_actions = { create = { en = "Create", de = "Erstellen" } }
"#;

/// The whole service on its own store.
pub(crate) struct App {
    endpoint: BoxEndpoint<'static, Response>,
    /// The interface for the Relay web client.
    relay: BoxEndpoint<'static, Response>,
    pub(crate) formalize: Formalize,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) store: FailingStore,
    /// The contents of files.
    pub(crate) files: FailingFileStore,
    tokens: [String; 4],
}

impl App {
    pub(crate) async fn new() -> Self {
        Self::with(CONFIGURATION).await
    }

    /// The service with its own configuration.
    pub(crate) async fn with(configuration: &str) -> Self {
        Self::on(FailingStore::in_memory(), configuration).await
    }

    /// The service with the usual configuration on any store.
    pub(crate) async fn on_store(store: Arc<dyn Store>) -> Self {
        Self::on(FailingStore::around(store), CONFIGURATION).await
    }

    /// The service with the usual configuration on a store, and with these limits of files.
    pub(crate) async fn with_file_limits(store: Arc<dyn Store>, limits: FileLimits) -> Self {
        let files = moto::empty_store();
        let builder = |builder: Builder| builder.file_store(files).file_limits(limits);
        Self::built(FailingStore::around(store), CONFIGURATION, builder).await
    }

    /// The service with the usual configuration on a store, without a store for files.
    pub(crate) async fn without_files(store: Arc<dyn Store>) -> Self {
        let builder = |builder: Builder| builder;
        Self::built(FailingStore::around(store), CONFIGURATION, builder).await
    }

    /// The service on a store that may have been used before.
    pub(crate) async fn on(store: FailingStore, configuration: &str) -> Self {
        let files = FailingFileStore::around(moto::empty_store());
        let with_files = |builder: Builder| builder.file_store(Arc::new(files.clone()));
        let mut app = Self::built(store, configuration, with_files).await;
        app.files = files;
        app
    }

    async fn built(
        store: FailingStore,
        configuration: &str,
        complete: impl FnOnce(Builder) -> Builder,
    ) -> Self {
        let clock = Arc::new(FixedClock::new(instant(NOW)));
        let mut table = configuration.parse().unwrap();
        let settings = Settings::take_from(&mut table).unwrap();
        let builder = Formalize::builder(Arc::new(store.clone()))
            .clock(clock.clone())
            .catalog(settings.catalog)
            .policies(settings.policies)
            .dynamic_groups(settings.dynamic_groups);
        let formalize = complete(builder).build().await.unwrap();
        let server = || Server::new(formalize.clone()).base_url(BASE);
        let origin = "https://client.example.org".parse().unwrap();
        let with_relay = server().relay(RELAY_BASE);
        let with_relay = with_relay.cors_allowed_origins(vec![origin]);
        let mut app = Self {
            endpoint: server().build(),
            relay: with_relay.build_all().relay.unwrap(),
            formalize: formalize.clone(),
            clock,
            store,
            files: FailingFileStore::around(moto::empty_store()),
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

    /// The same service, which also accepts tokens of these issuers.
    pub(crate) fn believing(mut self, issuers: Issuers) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.issuers(issuers).build();
        self
    }

    /// The same service, with these exports.
    pub(crate) fn with_exports(mut self, exports: Exports) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.exports(exports).build();
        self
    }

    /// The same service, which sends tests of webhooks with this transport.
    pub(crate) fn with_courier(mut self, transport: Arc<dyn WebhookTransport>) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.transport(transport).build();
        self
    }

    /// The same service, with these streams of events.
    pub(crate) fn with_streams(self, streams: Streams) -> Self {
        self.stopping(Stopping::default(), streams)
    }

    /// The same service, with these streams of events, until this reports a shutdown.
    pub(crate) fn stopping(mut self, stopping: Stopping, streams: Streams) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.streams(streams).stopping(stopping).build();
        self
    }

    /// The same service, with names of people, organizations, courses and rooms.
    pub(crate) fn with_directory(mut self, directory: DirectorySettings) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        let server = server.relay(RELAY_BASE).directory(directory);
        self.relay = server.build_all().relay.unwrap();
        self
    }

    /// The same service, with these limits of requests that send files to the interface for the Relay web client.
    pub(crate) fn uploading_at_relay(mut self, limits: UploadLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        let server = server.relay(RELAY_BASE).uploads(limits);
        self.relay = server.build_all().relay.unwrap();
        self
    }

    /// The same service, with these rate limits at the interface for the Relay web client.
    pub(crate) fn rated_at_relay(mut self, rates: RateLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        let server = server.relay(RELAY_BASE).rate_limits(rates);
        self.relay = server.build_all().relay.unwrap();
        self
    }

    /// The same service, also with web pages.
    pub(crate) fn with_pages(mut self, setup: PageSetup) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.pages(setup).build();
        self
    }

    /// The same service, also with web pages, and with these limits of requests that send files.
    pub(crate) fn with_pages_and_uploads(mut self, setup: PageSetup, limits: UploadLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.pages(setup).uploads(limits).build();
        self
    }

    /// The same service, also with web pages, which sends tests of webhooks with this transport.
    pub(crate) fn with_pages_and_courier(
        mut self,
        setup: PageSetup,
        transport: Arc<dyn WebhookTransport>,
    ) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.pages(setup).transport(transport).build();
        self
    }

    /// The same service, also with web pages, to which people sign in with these issuers alone.
    pub(crate) fn with_providers(mut self, issuers: Issuers, rates: RateLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        let setup = PageSetup {
            takes_tokens: false,
            clock: self.clock.clone(),
            ..PageSetup::default()
        };
        let server = server.pages(setup).issuers(issuers).rate_limits(rates);
        self.endpoint = server.build();
        self
    }

    /// The same service, also with web pages, and with these rate limits.
    pub(crate) fn with_rated_pages(mut self, rates: RateLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        let server = server.pages(PageSetup::default());
        self.endpoint = server.rate_limits(rates).build();
        self
    }

    /// The same service, also with web pages, and with these limits.
    pub(crate) fn with_limited_pages(mut self, limits: RequestLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        let server = server.pages(PageSetup::default());
        self.endpoint = server.limits(limits).build();
        self
    }

    /// The same service with these limits.
    pub(crate) fn limited(mut self, limits: RequestLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.limits(limits).build();
        self
    }

    /// The same service with these limits of requests that send files.
    pub(crate) fn uploading(mut self, limits: UploadLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.uploads(limits).build();
        self
    }

    /// The same service with these rate limits.
    pub(crate) fn rated(mut self, rates: RateLimits) -> Self {
        let server = Server::new(self.formalize.clone()).base_url(BASE);
        self.endpoint = server.rate_limits(rates).build();
        self
    }

    /// Another server on the same store, for example after a restart.
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

    /// Signs a user in to web pages, and returns the secret of the session.
    pub(crate) async fn session(&self, user: &str) -> String {
        let sessions = self.formalize.sessions();
        let begun = sessions.create(&Caller::System, new_session(user)).await;
        begun.unwrap().1.expose().to_owned()
    }

    /// Sets the clock.
    pub(crate) fn travel(&self, to: &str) {
        self.clock.set(instant(to));
    }

    pub(crate) fn anon(&self) -> Actor<'_> {
        Actor {
            app: self,
            token: None,
            is_at_relay: false,
        }
    }

    pub(crate) fn with_token<'a>(&'a self, token: &'a str) -> Actor<'a> {
        Actor {
            app: self,
            token: Some(token),
            is_at_relay: false,
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

    /// Creates a form as Alice; `members` are added to its name.
    pub(crate) async fn form(&self, members: Value) -> Value {
        let mut form = json!({ "name": "Newsletter" });
        merge(&mut form, members);
        self.alice().post(FORMS, form).await.expect(201)
    }

    /// Creates such a form to which everybody may submit, and returns its identifier.
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

    /// Grants an action on a form as Alice.
    pub(crate) async fn share_form(&self, form: &str, action: &str, holder: Value) -> Value {
        let grant = grant(action, FORM_CLASS, Some(form), holder);
        self.alice().post(GRANTS, grant).await.expect(201)
    }

    /// Creates a group as Alice.
    pub(crate) async fn group(&self, name: &str) -> String {
        id(&self
            .alice()
            .post(GROUPS, json!({ "name": name }))
            .await
            .expect(201))
    }

    /// Grants an action on a group as Alice.
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

/// The path of the files of a submission.
pub(crate) fn files(submission: &str) -> String {
    format!("{SUBMISSIONS}/{submission}/files")
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

pub(crate) fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The identifier of an item.
pub(crate) fn id(item: &Value) -> String {
    item["identifier"].as_str().unwrap().to_owned()
}

/// The same value with numbers in place of identifiers, which are random.
pub(crate) fn without_ids(mut value: Value) -> Value {
    fn replace(value: &mut Value, seen: &mut Vec<String>) {
        match value {
            Value::String(text) if uuid::Uuid::parse_str(text).is_ok() => {
                let place = seen.iter().position(|other| other == text);
                let place = place.unwrap_or_else(|| {
                    seen.push(text.clone());
                    seen.len() - 1
                });
                *text = format!("id {}", place + 1);
            }
            Value::Array(items) => items.iter_mut().for_each(|item| replace(item, seen)),
            Value::Object(members) => members
                .values_mut()
                .for_each(|member| replace(member, seen)),
            _ => {}
        }
    }
    replace(&mut value, &mut Vec::new());
    value
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

/// A path with these query parameters.
pub(crate) fn query(path: &str, parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{}={}", percent::encode(name), percent::encode(value)))
        .collect();
    format!("{path}?{}", pairs.join("&"))
}
