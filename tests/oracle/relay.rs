//! The interface for the Relay web client in random scenarios: what is requested there has the results that the model
//! predicts, and in the end it shows every user what the REST interface shows.

use std::collections::HashMap;
use std::sync::Arc;

use formalize_core::store::memory::MemoryStore;
use formalize_core::{Caller, tokens::NewApiToken};
use formalize_server::App;
use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem::http::header::{AUTHORIZATION, CONTENT_TYPE};
use poem::{Endpoint, Request, Response};
use serde_json::{Value, json};

use crate::act::{Act, Answer, Data, Step};
use crate::model::{Actor, Holder, Model, State, USERS};
use crate::service::Service;
use crate::{fixed_scenarios, runtime};

/// One in this number of scenarios of the oracle is also one of this interface.
const SHARE: u32 = 20;
const FORMS: &str = "/formalize/forms";
const SUBMISSIONS: &str = "/formalize/submissions";
const GRANTS: &str = "/authorization/resource-action-grants";

/// How often something was done or compared.
#[derive(Debug, Default)]
struct Seen {
    done: usize,
    refused: usize,
    forms: usize,
    submissions: usize,
    hidden: usize,
    grants: usize,
}

#[test]
fn both_interfaces_agree() {
    let mut seen = Seen::default();
    for steps in fixed_scenarios(SHARE) {
        runtime().block_on(try_world(&steps, &mut seen));
    }
    let Seen {
        done,
        refused,
        forms,
        submissions,
        hidden,
        grants,
    } = seen;
    let all = [done, refused, forms, submissions, hidden, grants];
    assert!(all.iter().all(|count| *count > 0), "{all:?}");
}

async fn try_world(steps: &[Step], seen: &mut Seen) {
    let mut service = Service::on(Arc::new(MemoryStore::new())).await;
    let mut model = Model::new();
    let server = Server::of(&service).await;
    for step in steps {
        let (actor, act) = step.settle(&model);
        let requested = match actor {
            Actor::User(user) => server.request(&mut service, user.name, &act).await,
            Actor::System | Actor::Link(_) => None,
        };
        let Some(response) = requested else {
            let answer = service.take(actor, &act, &model).await;
            assert_eq!(answer, model.take(actor, &act), "{actor:?}: {act:?}");
            service.follow(&model);
            continue;
        };
        let predicted = model.take(actor, &act);
        let status = response.status;
        let is_expected = if let Answer::Refused(case) = &predicted {
            seen.refused += 1;
            status == status_of(case)
        } else {
            seen.done += 1;
            (200..=204).contains(&status)
        };
        assert!(
            is_expected,
            "{actor:?}: {act:?}, {predicted:?}, {response:?}"
        );
        service.follow(&model);
    }
    for user in &USERS {
        server
            .compare_forms(user.name, &service, &model, seen)
            .await;
        server
            .compare_submissions(user.name, &service, &model, seen)
            .await;
        server.compare_grants(user.name, seen).await;
    }
}

/// The status of a refusal.
fn status_of(case: &str) -> u16 {
    match case {
        "Forbidden"
        | "TagsForbidden"
        | "SubmissionCapReached"
        | "SubmissionLimitReached"
        | "SubmissionStateTransitionNotAllowed" => 403,
        "GrantExists" | "LastManageGrant" => 409,
        case if case.ends_with("NotFound") => 404,
        _ => 400,
    }
}

#[derive(Debug)]
struct Received {
    status: u16,
    body: Value,
}

/// Both interfaces, and the tokens of users.
struct Server {
    rest: BoxEndpoint<'static, Response>,
    relay: BoxEndpoint<'static, Response>,
    tokens: HashMap<&'static str, String>,
}

impl Server {
    async fn of(service: &Service) -> Self {
        let mut tokens = HashMap::new();
        for user in &USERS {
            let Caller::User(caller) = service.caller(Actor::User(user)) else {
                panic!("{} is not a user", user.name);
            };
            let new = NewApiToken {
                user: caller.id,
                attributes: caller.attributes,
                date_expires: None,
            };
            let created = service.world.tokens().create(&Caller::System, new).await;
            let (_, secret) = created.unwrap();
            tokens.insert(user.name, format!("Bearer {}", secret.expose()));
        }
        let app = App::new(service.world.formalize.clone())
            .base_url("https://forms.example.org")
            .relay("https://relay.example.org");
        let endpoints = app.build_all();
        Self {
            rest: endpoints.service,
            relay: endpoints.relay.unwrap(),
            tokens,
        }
    }

    async fn send(
        &self,
        endpoint: &BoxEndpoint<'static, Response>,
        user: &str,
        method: Method,
        path: &str,
        body: Option<(&str, String)>,
    ) -> Received {
        let mut request = Request::builder()
            .method(method)
            .uri(path.parse().unwrap())
            .header(AUTHORIZATION, &self.tokens[user]);
        if let Some((media_type, _)) = &body {
            request = request.header(CONTENT_TYPE, *media_type);
        }
        let request = request.body(body.map(|(_, body)| body).unwrap_or_default());
        let mut response = endpoint.get_response(request).await;
        let text = response.take_body().into_string().await.unwrap();
        Received {
            status: response.status().as_u16(),
            body: serde_json::from_str(&text).unwrap_or_default(),
        }
    }

    /// What both interfaces answer to the same request.
    async fn both(&self, user: &str, path: &str) -> (Received, Received) {
        (
            self.send(&self.rest, user, Method::GET, path, None).await,
            self.send(&self.relay, user, Method::GET, path, None).await,
        )
    }

    /// The elements of a list on both interfaces, which must be the same records in the same order.
    async fn both_lists(&self, user: &str, path: &str) -> Option<Vec<(Value, Value)>> {
        let separator = if path.contains('?') { '&' } else { '?' };
        let (rest, relay) = self
            .both(user, &format!("{path}{separator}perPage=500"))
            .await;
        assert_eq!(rest.status, relay.status, "{user}: {path}");
        if rest.status != 200 {
            return None;
        }
        let (rest, relay) = (
            rest.body["items"].as_array().unwrap().clone(),
            relay.body["hydra:member"].as_array().unwrap().clone(),
        );
        let ids = |list: &[Value]| -> Vec<Value> {
            list.iter().map(|one| one["identifier"].clone()).collect()
        };
        assert_eq!(ids(&rest), ids(&relay), "{user}: {path}");
        assert!(rest.len() < 500);
        Some(rest.into_iter().zip(relay).collect())
    }

    /// Performs an act on the interface of the client, if it has this act.
    async fn request(&self, service: &mut Service, user: &str, act: &Act) -> Option<Received> {
        let relay = &self.relay;
        let delete = async |path: String| self.send(relay, user, Method::DELETE, &path, None).await;
        Some(match act {
            Act::Submit {
                form,
                state,
                data,
                tags,
            } => {
                let form = format!("{FORMS}/{}", service.form(*form));
                let mut fields = fields(*state, *data, Some(tags));
                fields.push(("form", form));
                let body = Some(form_data(&fields));
                let created = self
                    .send(relay, user, Method::POST, SUBMISSIONS, body)
                    .await;
                if created.status == 201 {
                    service.found_submission(id_of(&created));
                }
                created
            }
            Act::ChangeSubmission {
                submission,
                state,
                data,
                tags,
            } => {
                let data = match data {
                    Data::Keep => None,
                    Data::Set(data) => Some(*data),
                    Data::Clear => return None,
                };
                let path = format!("{SUBMISSIONS}/{}", service.submission(*submission));
                let body = Some(form_data(&fields(
                    *state,
                    data,
                    tags.as_ref().map(|tags| &tags[..]),
                )));
                self.send(relay, user, Method::PATCH, &path, body).await
            }
            Act::DeleteSubmission { submission } => {
                delete(format!("{SUBMISSIONS}/{}", service.submission(*submission))).await
            }
            Act::DeleteSubmitted { form } => {
                delete(format!(
                    "{SUBMISSIONS}?formIdentifier={}",
                    service.form(*form)
                ))
                .await
            }
            Act::DeleteForm { form } => delete(format!("{FORMS}/{}", service.form(*form))).await,
            Act::Grant {
                holder,
                action,
                on,
                by_record: false,
            } => {
                let resource = service.resource(*on);
                let (member, holder) = match holder {
                    Holder::User(name) => ("userIdentifier", (*name).to_owned()),
                    Holder::Group(group) => {
                        let group = service.group(*group);
                        ("group", format!("/authorization/groups/{group}"))
                    }
                    Holder::Dynamic(name) => ("dynamicGroupIdentifier", (*name).to_owned()),
                    Holder::Link(_) => return None,
                };
                let grant = json!({
                    "resourceClass": resource.class.to_string(),
                    "resourceIdentifier": resource.identifier?.to_string(),
                    "action": action,
                    member: holder,
                });
                let body = Some(("application/ld+json", grant.to_string()));
                let created = self.send(relay, user, Method::POST, GRANTS, body).await;
                if created.status == 201 {
                    service.found_grant(id_of(&created));
                }
                created
            }
            _ => return None,
        })
    }

    async fn compare_forms(&self, user: &str, service: &Service, model: &Model, seen: &mut Seen) {
        for query in ["", "?whereReadFormSubmissionsGranted=true"] {
            for (rest, relay) in self
                .both_lists(user, &format!("{FORMS}{query}"))
                .await
                .unwrap()
            {
                same_form(&rest, &relay);
            }
        }
        for form in 0..model.forms.len() {
            let path = format!("{FORMS}/{}", service.form(form));
            let (rest, relay) = self.both(user, &path).await;
            assert_eq!(rest.status, relay.status, "{user}: {path}");
            if rest.status == 200 {
                same_form(&rest.body, &relay.body);
                seen.forms += 1;
            } else {
                seen.hidden += 1;
            }
            let id = service.form(form);
            let path = format!("/authorization/granted-actions/DbpRelayFormalizeForm/{id}");
            let (rest, relay) = self.both(user, &path).await;
            assert_eq!(rest.status, relay.status, "{user}: {path}");
            same(&rest.body["actions"], &relay.body["actions"], &relay.body);
        }
    }

    async fn compare_submissions(
        &self,
        user: &str,
        service: &Service,
        model: &Model,
        seen: &mut Seen,
    ) {
        for form in 0..model.forms.len() {
            let path = format!("{SUBMISSIONS}?formIdentifier={}", service.form(form));
            for (rest, relay) in self.both_lists(user, &path).await.into_iter().flatten() {
                same_submission(&rest, &relay);
            }
        }
        for submission in 0..model.submissions.len() {
            let path = format!("{SUBMISSIONS}/{}", service.submission(submission));
            let (rest, relay) = self.both(user, &path).await;
            assert_eq!(rest.status, relay.status, "{user}: {path}");
            if rest.status == 200 {
                same_submission(&rest.body, &relay.body);
                seen.submissions += 1;
            } else {
                seen.hidden += 1;
            }
        }
    }

    async fn compare_grants(&self, user: &str, seen: &mut Seen) {
        for (rest, relay) in self.both_lists(user, GRANTS).await.unwrap() {
            for member in [
                "action",
                "resourceClass",
                "userIdentifier",
                "dynamicGroupIdentifier",
            ] {
                assert_eq!(shown(&rest, member), shown(&relay, member), "{relay}");
            }
            let group = rest["groupIdentifier"].as_str();
            let group = group.map(|group| Value::from(format!("/authorization/groups/{group}")));
            assert_eq!(
                group.unwrap_or_default(),
                *shown(&relay, "group"),
                "{relay}"
            );
            seen.grants += 1;
        }
    }
}

fn id_of<T: std::str::FromStr<Err: std::fmt::Debug>>(created: &Received) -> T {
    created.body["identifier"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap()
}

/// The fields of a submission or a change.
fn fields(state: State, data: Option<&str>, tags: Option<&[&str]>) -> Vec<(&'static str, String)> {
    let state = match state {
        State::Draft => "1",
        State::Submitted => "4",
    };
    let mut fields = vec![("submissionState", state.to_owned())];
    fields.extend(data.map(|data| ("dataFeedElement", data.to_owned())));
    fields.extend(tags.map(|tags| ("tags", json!(tags).to_string())));
    fields
}

fn form_data(fields: &[(&'static str, String)]) -> (&'static str, String) {
    let parts = fields.iter().map(|(name, text)| {
        format!("--limit\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    });
    let body = parts.collect::<String>() + "--limit--\r\n";
    ("multipart/form-data; boundary=limit", body)
}

/// A member; null if it is absent.
fn shown<'v>(record: &'v Value, member: &str) -> &'v Value {
    record.get(member).unwrap_or(&Value::Null)
}

/// Compares arrays of texts without their order.
#[track_caller]
fn same(rest: &Value, relay: &Value, shown: &Value) {
    let sorted = |list: &Value| {
        let mut texts: Vec<String> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap().to_owned())
            .collect();
        texts.retain(|text| !text.ends_with("_tags"));
        texts.sort_unstable();
        texts
    };
    assert_eq!(sorted(rest), sorted(relay), "{shown}");
}

/// Compares members that both interfaces show in the same way.
#[track_caller]
fn same_members(members: &[&str], rest: &Value, relay: &Value) {
    for member in members {
        let (one, other) = (shown(rest, member), shown(relay, member));
        assert_eq!(one, other, "{member}: {rest} {relay}");
    }
}

#[track_caller]
fn same_form(rest: &Value, relay: &Value) {
    same_members(
        &[
            "identifier",
            "name",
            "dateCreated",
            "dataFeedSchema",
            "availabilityEnds",
            "grantBasedSubmissionAuthorization",
            "allowedActionsWhenSubmitted",
            "frontendKey",
            "additionalData",
            "numSubmissionsByCurrentUser",
        ],
        rest,
        relay,
    );
    let starts = shown(relay, "availabilityStarts");
    assert_eq!(shown(rest, "availableStarts"), starts, "{relay}");
    same(&rest["grantedActions"], &relay["grantedActions"], relay);
    let states = rest["allowedSubmissionStates"].as_array().unwrap().iter();
    let states: u64 = states
        .map(|state| if state == "draft" { 1 } else { 4 })
        .sum();
    assert_eq!(relay["allowedSubmissionStates"], states, "{relay}");
}

#[track_caller]
fn same_submission(rest: &Value, relay: &Value) {
    same_members(
        &[
            "identifier",
            "creatorId",
            "lastModifiedById",
            "dateCreated",
            "dateLastModified",
            "dataFeedElement",
        ],
        rest,
        relay,
    );
    let state = if rest["submissionState"] == "draft" {
        1
    } else {
        4
    };
    assert_eq!(relay["submissionState"], state, "{relay}");
    let tags = rest.get("tags").cloned().unwrap_or_else(|| json!([]));
    assert_eq!(relay["tags"], tags, "{relay}");
    same(&rest["grantedActions"], &relay["grantedActions"], relay);
}
