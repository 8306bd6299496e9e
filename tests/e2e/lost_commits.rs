//! The connection to PostgreSQL is lost while a transaction is being committed. No request fails, and each change is made once.

use formalize_tests::Server;
use formalize_tests::proxy::{Loss, Proxy};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, Installation};

const FORMS: &str = "/formalize/forms";
const GROUPS: &str = "/authorization/groups";
const SUBMISSIONS: &str = "/formalize/submissions";
const GRANTS: &str = "/authorization/resource-action-grants";

struct Scene {
    proxy: Proxy,
    client: Client,
    // Both end when they are dropped.
    _server: Server,
    _installation: Installation,
}

impl Scene {
    async fn new() -> Self {
        let installation = Installation::on_postgres().await.unwrap();
        let proxy = Proxy::to(installation.database().unwrap()).await.unwrap();
        let command = installation.command.clone();
        let command = command.env("FORMALIZE_DATABASE_URL", proxy.url());
        let server = command.start().await.unwrap();
        let client = installation.client(&server);
        Self {
            proxy,
            client,
            _server: server,
            _installation: installation,
        }
    }

    /// Sends a request whose COMMIT is lost.
    async fn send(&self, loss: Loss, method: Method, path: &str, body: Option<&Value>) -> Value {
        self.proxy.lose_next_commit(loss);
        let what = format!("{loss:?} {method} {path}");
        let (status, answer) = self.client.send(method, path, body).await.unwrap();
        assert!((200..300).contains(&status), "{what}: {status} {answer}");
        assert!(!self.proxy.will_lose_commit(), "{what} has no COMMIT");
        answer
    }

    async fn names(&self, path: &str) -> Vec<String> {
        let (status, list) = self.client.get(path).await.unwrap();
        assert_eq!(status, 200, "{list}");
        let items = list["items"].as_array().unwrap().iter();
        items
            .map(|item| item["name"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn no_request_fails_whose_commit_is_lost() {
    let scene = Scene::new().await;
    for loss in [Loss::BeforeServer, Loss::BeforeResponse] {
        let name = format!("{loss:?}");
        let new = json!({ "name": name });
        let form = scene.send(loss, Method::POST, FORMS, Some(&new)).await;
        let form = form["identifier"].as_str().unwrap().to_owned();
        let group = scene.send(loss, Method::POST, GROUPS, Some(&new)).await;
        let group = group["identifier"].as_str().unwrap().to_owned();
        for path in [FORMS, GROUPS] {
            let names = scene.names(path).await;
            assert_eq!(
                names.iter().filter(|other| **other == name).count(),
                1,
                "{names:?}"
            );
        }

        let grant = json!({
            "resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": form, "action": "read",
            "groupIdentifier": group,
        });
        let grant = scene.send(loss, Method::POST, GRANTS, Some(&grant)).await;
        let grant = grant["identifier"].as_str().unwrap();
        let path = format!("{GRANTS}/{grant}");
        scene.send(loss, Method::DELETE, &path, None).await;
        assert_eq!(scene.client.get(&path).await.unwrap().0, 404);

        submit_to_both_kinds_of_forms(&scene, loss).await;
        create_and_delete_without_events(&scene, loss, &form).await;

        let path = format!("{GROUPS}/{group}");
        let change = json!({ "name": format!("{name} again") });
        scene.send(loss, Method::PATCH, &path, Some(&change)).await;
        assert_eq!(
            scene.client.get(&path).await.unwrap().1["name"],
            change["name"]
        );
    }
}

/// A submission to a grant-based form is written together with a grant, the others with one statement. A batch is a transaction.
async fn submit_to_both_kinds_of_forms(scene: &Scene, loss: Loss) {
    for is_grant_based in [false, true] {
        let new = json!({ "name": "x", "grantBasedSubmissionAuthorization": is_grant_based });
        let (_, form) = scene
            .client
            .send(Method::POST, FORMS, Some(&new))
            .await
            .unwrap();
        let form = form["identifier"].as_str().unwrap();
        let submission = json!({ "formIdentifier": form, "dataFeedElement": "{}" });
        if is_grant_based {
            scene
                .send(loss, Method::POST, SUBMISSIONS, Some(&submission))
                .await;
        }
        let item = json!({ "dataFeedElement": "{}" });
        let batch = json!({ "formIdentifier": form, "submissions": [item, item] });
        let path = format!("{SUBMISSIONS}/batch");
        scene.send(loss, Method::POST, &path, Some(&batch)).await;
        let path = format!("{SUBMISSIONS}?formIdentifier={form}");
        let (_, list) = scene.client.get(&path).await.unwrap();
        let expected = if is_grant_based { 3 } else { 2 };
        assert_eq!(list["items"].as_array().unwrap().len(), expected, "{list}");
    }
}

/// Changes of links and webhooks have no events.
async fn create_and_delete_without_events(scene: &Scene, loss: Loss, form: &str) {
    // Reading gives positions to the events first. So does creating a webhook, unless all have one.
    scene
        .send(loss, Method::GET, "/formalize/events", None)
        .await;
    let link = json!({ "formIdentifier": form });
    let webhook = json!({
        "formIdentifier": form, "url": "https://hooks.example.org/x", "eventTypes": ["submission.submitted"]
    });
    for (path, new) in [
        ("/formalize/form-links", link),
        ("/formalize/webhooks", webhook),
    ] {
        let created = scene.send(loss, Method::POST, path, Some(&new)).await;
        let item = format!("{path}/{}", created["identifier"].as_str().unwrap());
        assert_eq!(scene.client.get(&item).await.unwrap().0, 200);
        let (_, list) = scene
            .client
            .get(&format!("{path}?formIdentifier={form}"))
            .await
            .unwrap();
        assert_eq!(list["items"].as_array().unwrap().len(), 1, "{list}");
        scene.send(loss, Method::DELETE, &item, None).await;
        assert_eq!(scene.client.get(&item).await.unwrap().0, 404);
    }
}
