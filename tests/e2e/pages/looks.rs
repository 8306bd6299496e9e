//! Pictures of pages that no other test leads to.

use serde_json::{Value, json};

use super::Setup;
use crate::pictures;

impl Setup {
    /// Opens a page of the console by its path, and takes pictures of it when it has an element.
    async fn picture(&mut self, path: &str, selector: &str, name: &str) {
        let url = format!("{}{path}", self.server.base_url());
        self.tab.go(&url).await.unwrap();
        self.tab.wait_for(selector).await.unwrap();
        self.take_pictures(name).await;
    }

    /// Creates a record through the interface, and returns its identifier.
    async fn create(&self, path: &str, new: &Value) -> String {
        let (_, created) = self.client.post(path, new).await.unwrap();
        created["identifier"].as_str().unwrap().to_owned()
    }

    async fn group(&self, name: &str) -> String {
        let new = json!({ "name": name });
        self.create("/authorization/groups", &new).await
    }

    async fn member(&self, group: &str, member: (&str, &str)) {
        let new = json!({ "groupIdentifier": group, (member.0): member.1 });
        self.create("/authorization/groups-members", &new).await;
    }

    /// Shares the form.
    async fn grant(&self, action: &str, holder: (&str, &str)) {
        let new = json!({
            "resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": self.form, "action": action, (holder.0): holder.1,
        });
        self.create("/authorization/resource-action-grants", &new)
            .await;
    }
}

/// What people see in the documents: the groups, and why a member of one of them may do something.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn pictures_show_groups_and_reasons() {
    let mut setup = Setup::new().await;
    setup.sign_in().await;
    setup.group("Board").await;
    let (committee, course) = (setup.group("Committee").await, setup.group("Course").await);
    for name in ["Kitchen", "Timekeepers"] {
        setup.group(name).await;
    }
    setup
        .member(&committee, ("childGroupIdentifier", &course))
        .await;
    setup.member(&course, ("userIdentifier", "ada")).await;
    setup
        .grant(
            "create_submissions",
            ("dynamicGroupIdentifier", "everybody"),
        )
        .await;
    setup
        .grant("read_submissions", ("groupIdentifier", &committee))
        .await;
    setup.grant("update", ("userIdentifier", "ada")).await;

    setup
        .picture("/console/groups", "main .rows a", "console-groups")
        .await;
    let why = format!("/console/forms/{}/sharing?why=ada", setup.form);
    let url = format!("{}{why}", setup.server.base_url());
    setup.tab.go(&url).await.unwrap();
    setup.tab.wait_for(".reasons .badge").await.unwrap();
    let card = "section[aria-labelledby=why-title]";
    pictures::take_at(&mut setup.tab, "console-why", (1000, 760), card).await;
    let delete = format!("/console/groups/{committee}/delete");
    setup
        .picture(&delete, "button[value=delete]", "console-delete-group")
        .await;
    setup.assert_clean().await;
}

/// What people see in the documents: links, the pages that ask before they delete, and what is said of a closed form and
/// of a link that does not exist.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn pictures_show_links_and_ends() {
    let mut setup = Setup::new().await;
    setup.sign_in().await;
    for (label, expires) in [
        ("Poster in the hall", json!(null)),
        ("Newsletter", json!("2099-03-31T18:00:00Z")),
        ("Trial", json!("2099-12-01T18:00:00Z")),
    ] {
        let new = json!({
            "formIdentifier": setup.form, "label": label, "expires": expires, "maxNumSubmissions": 40,
        });
        setup.create("/formalize/form-links", &new).await;
    }
    for name in ["Ada Lovelace", "Grace Hopper"] {
        setup.submit(name).await;
    }
    let form = format!("/console/forms/{}", setup.form);
    for (rest, selector, name) in [
        ("/links", "main .rows a", "console-links"),
        (
            "/submissions/delete",
            "button[value=delete]",
            "console-delete-answers",
        ),
        ("/delete", "button[value=delete]", "console-delete-form"),
    ] {
        setup
            .picture(&format!("{form}{rest}"), selector, name)
            .await;
    }
    let list = format!("/formalize/submissions?formIdentifier={}", setup.form);
    let (_, listed) = setup.client.get(&list).await.unwrap();
    let submission = listed["items"][0]["identifier"].as_str().unwrap();
    let delete = format!("/s/{submission}/delete");
    setup
        .picture(&delete, "main form button", "delete-submission")
        .await;
    setup
        .picture("/l/fml_unknown", "main h1", "unknown-link")
        .await;
    let (path, closed) = (
        format!("/formalize/forms/{}", setup.form),
        json!({"availabilityEnds": "2026-01-31T18:00:00Z"}),
    );
    let (status, _) = setup
        .client
        .patch_if_match(&path, "*", &closed)
        .await
        .unwrap();
    assert_eq!(status, 200);
    let link = setup.link(&json!([])).await;
    let path = link.strip_prefix(setup.server.base_url()).unwrap();
    setup.picture(path, "main h1", "closed-link").await;
    setup.assert_clean().await;
}
