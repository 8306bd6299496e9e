//! Who may use which route: the same callers as on the REST interface.

use std::sync::Arc;

use formalize_core::Store;
use formalize_tests::on_every_store;
use poem::http::Method;
use serde_json::json;

use super::support::{Field::Text, form_path, item, send, submit};
use crate::support::{Actor, App, FORMS, GRANTS, SUBMISSIONS, at, id, query};

on_every_store![each_route_admits_whom_the_rest_interface_admits];

/// A form, a submitted submission of Bob with a file, and a grant.
struct World {
    app: App,
    reader: String,
    form: String,
    submission: String,
    file: String,
    grant: String,
}

impl World {
    async fn new(store: Arc<dyn Store>) -> Self {
        let app = App::on_store(store).await;
        let form = app
            .open_form(json!({
                "allowedSubmissionStates": ["draft", "submitted"],
                "allowedActionsWhenSubmitted": ["read"],
                "dataFeedSchema": "{\"additionalFiles\": {\"allowedMimeTypes\": [\"*/*\"], \"minNumber\": 0}}",
            }))
            .await;
        let reader = json!({ "userIdentifier": "reader" });
        app.share_form(&form, "read", reader.clone()).await;
        let grant = id(&app.share_form(&form, "read_submissions", reader).await);
        let path = form_path(&form);
        let fields = [
            Text("form", &path),
            Text("dataFeedElement", "{}"),
            super::support::Field::File("a", "a.txt", "text/plain", b"text"),
        ];
        let submission = item(&submit(app.bob(), &fields).await, 201);
        let reader = app.token("reader", json!({}), None).await;
        Self {
            app,
            reader,
            form,
            file: id(&submission["submittedFiles"][0]),
            submission: id(&submission),
            grant,
        }
    }

    /// A stranger, the submitter, a reader and the manager.
    fn actors(&self) -> [Actor<'_>; 4] {
        let reader = self.app.with_token(&self.reader);
        [self.app.carol(), self.app.bob(), reader, self.app.alice()]
    }
}

async fn each_route_admits_whom_the_rest_interface_admits(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let (form, submission) = (at(FORMS, &world.form), at(SUBMISSIONS, &world.submission));
    let file = format!("/formalize/submitted-files/{}", world.file);
    let all = query(SUBMISSIONS, &[("formIdentifier", &world.form)]);
    let change = [Text("dataFeedElement", "[]")];
    let named = form_path(&world.form);
    let new = [Text("form", &named), Text("submissionState", "1")];
    let json = |body: &'static str| (Some("application/json"), body);
    let nothing = (None, "");
    for (method, path, (media, body), expected) in [
        (Method::GET, form.clone(), nothing, [403, 403, 200, 200]),
        (
            Method::PATCH,
            form.clone(),
            json("{}"),
            [403, 403, 403, 200],
        ),
        (
            Method::POST,
            FORMS.to_owned(),
            json("{\"name\":\"x\"}"),
            [403, 403, 403, 201],
        ),
        (Method::GET, all.clone(), nothing, [200, 200, 200, 200]),
        (
            Method::GET,
            submission.clone(),
            nothing,
            [403, 200, 200, 200],
        ),
        (Method::GET, file.clone(), nothing, [403, 200, 200, 200]),
        (
            Method::GET,
            format!("{file}/content"),
            nothing,
            [403, 200, 200, 200],
        ),
        (
            Method::GET,
            at(GRANTS, &world.grant),
            nothing,
            [403, 403, 200, 200],
        ),
        (
            Method::DELETE,
            at(GRANTS, &world.grant),
            nothing,
            [403, 403, 403, 204],
        ),
        (
            Method::DELETE,
            submission.clone(),
            nothing,
            [403, 403, 403, 204],
        ),
        (Method::DELETE, all.clone(), nothing, [403, 403, 403, 204]),
        (Method::DELETE, form.clone(), nothing, [403, 403, 403, 204]),
    ] {
        if method == Method::DELETE && path == submission {
            for (actor, status) in world.actors().into_iter().zip([403, 403, 403, 200]) {
                let answer = send(actor, Method::PATCH, &submission, &change).await;
                assert_eq!(answer.status.as_u16(), status, "{answer}");
            }
            for (actor, status) in world.actors().into_iter().zip([201, 201, 201, 201]) {
                let answer = send(actor, Method::POST, SUBMISSIONS, &new).await;
                assert_eq!(answer.status.as_u16(), status, "{answer}");
            }
        }
        for (actor, status) in world.actors().into_iter().zip(expected) {
            let request = actor.at_relay().request(method.clone(), &path);
            let request = match media {
                Some(media) => request.header("content-type", media).body(body),
                None => request,
            };
            let answer = request.send().await;
            assert_eq!(answer.status.as_u16(), status, "{answer}");
        }
    }
}
