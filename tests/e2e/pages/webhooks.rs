//! An author sends the events of a form to a program.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use formalize_tests::patience::until;
use formalize_tests::receiver::WebhookReceiver;
use poem::endpoint::make_sync;
use poem::http::StatusCode;
use serde_json::json;

use super::Setup;
use super::journeys::{Person, Way};

/// A receiver of webhooks that gives the same response to every request.
struct Receiver {
    url: String,
    status: Arc<AtomicU16>,
    _server: WebhookReceiver,
}

impl Receiver {
    async fn start() -> Self {
        let status = Arc::new(AtomicU16::new(204));
        let answer = Arc::clone(&status);
        let app = make_sync(move |_| StatusCode::from_u16(answer.load(Ordering::Relaxed)).unwrap());
        let server = WebhookReceiver::start("127.0.0.1:0", app).await.unwrap();
        Self {
            url: format!("{}tickets", server.url),
            status,
            _server: server,
        }
    }

    /// Answers with this status from now on.
    fn answer(&self, status: u16) {
        self.status.store(status, Ordering::Relaxed);
    }
}

/// Waits until the webhook of the form has this many deliveries in a state.
async fn wait_for_deliveries(setup: &Setup, state: &str, number: usize) {
    let (_, webhooks) = setup.client.get("/formalize/webhooks").await.unwrap();
    let id = webhooks["items"][0]["identifier"].as_str().unwrap();
    let path = format!("/formalize/webhooks/{id}/deliveries?state={state}");
    until(&format!("{number} deliveries are {state}"), async || {
        let (_, page) = setup.client.get(&path).await.unwrap();
        let items = page["items"].as_array().unwrap();
        // A new one is pending, too.
        let attempted = items.iter().filter(|item| item["numAttempts"] != 0);
        attempted.count() >= number
    })
    .await;
}

async fn setup() -> Setup {
    Setup::with(&["--webhook-allowed-targets=127.0.0.1"]).await
}

pub(super) async fn an_author_sends_events_to_a_program(way: Way) {
    let (mut setup, receiver) = (setup().await, Receiver::start().await);
    setup.sign_in().await;
    let page = format!("{}/console/forms/{}", setup.server.base_url(), setup.form);
    let mut person = Person::at(&mut setup.tab, &page, way).await;
    person.choose(".tabs a[href$='/webhooks']").await;
    person.write("#url", "https://localhost/tickets").await;
    person.choose("button[value=create]").await;
    // The link in the summary leads to the mistake.
    person.see(".summary:focus").await;
    person.choose(".summary a[href='#url']").await;
    person.see("#url:focus").await;
    person.write("#url", &receiver.url).await;
    person.write("#description", "Ticket system").await;
    person
        .choose("[name=eventTypes][value='form.updated']")
        .await;
    person.pick("#payload", "thin").await;
    person.choose("button[value=create]").await;
    person.see("#secret").await;
    let secret = "document.querySelector('#secret').value";
    let first = person.tab.evaluate(secret).await.unwrap();
    assert!(first.as_str().unwrap().starts_with("whsec_"), "{first}");

    person.choose("main .rows a").await;
    person.choose("button[value=test]").await;
    person.see(".note.good").await;
    person.pick("#overlapSeconds", "3600").await;
    person.choose("button[value=rotate]").await;
    person.see("#secret").await;
    let second = person.tab.evaluate(secret).await.unwrap();
    assert!(second.as_str().unwrap().starts_with("whsec_") && first != second);

    receiver.answer(500);
    setup.submit("Ada Lovelace").await;
    wait_for_deliveries(&setup, "pending", 1).await;
    let mut person = Person::at(&mut setup.tab, &page, way).await;
    person.choose(".tabs a[href$='/webhooks']").await;
    person.choose("main .rows a").await;
    person.pick("#state", "pending").await;
    person.choose(".filters button").await;
    // The page before has the same link.
    person.see("#state [value=pending][selected]").await;
    person.choose("tbody th a").await;
    person.see("h2#attempts").await;
    let attempt = person.tab.text("tbody tr").await.unwrap();
    assert!(attempt.contains("status 500"), "{attempt}");

    // Disabling gives up what is pending; enabled again, it can be sent again.
    person.choose("main .actions a").await;
    person.choose("#enabled").await;
    person.choose("button[value=save]").await;
    person.see(".badge.closed").await;
    person.choose("#enabled").await;
    person.choose("button[value=save]").await;
    receiver.answer(204);
    person.choose("button[value=resend]").await;
    person.see("p.note").await;
    wait_for_deliveries(&setup, "delivered", 1).await;

    let mut person = Person::at(&mut setup.tab, &page, way).await;
    person.choose(".tabs a[href$='/webhooks']").await;
    person.choose("main .rows a").await;
    person.choose("a.danger").await;
    person.choose("button[value=delete]").await;
    person.see("p.empty").await;
    let (_, left) = setup.client.get("/formalize/webhooks").await.unwrap();
    assert_eq!(left["items"], json!([]));
    setup.assert_clean().await;
}

/// What people see in the documents.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_browser), ignore = "no browser found")]
async fn pictures_show_webhooks() {
    let (mut setup, receiver) = (setup().await, Receiver::start().await);
    setup.sign_in().await;
    for (description, url) in [
        (json!("Ticket system"), receiver.url.as_str()),
        (json!(null), "https://hooks.example.org/newsletter"),
    ] {
        let enabled = !description.is_null();
        let new = json!({
            "formIdentifier": setup.form, "url": url, "description": description, "enabled": enabled,
        });
        setup
            .client
            .post("/formalize/webhooks", &new)
            .await
            .unwrap();
    }
    for name in ["Ada Lovelace", "Grace Hopper"] {
        setup.submit(name).await;
    }
    wait_for_deliveries(&setup, "delivered", 2).await;
    receiver.answer(503);
    setup.submit("Jean Bartik").await;
    wait_for_deliveries(&setup, "pending", 1).await;
    let form = format!("{}/console/forms/{}", setup.server.base_url(), setup.form);
    setup.tab.go(&format!("{form}/webhooks")).await.unwrap();
    setup.tab.wait_for("main .rows a").await.unwrap();
    setup.take_pictures("console-webhooks").await;
    setup.tab.click("main .rows a").await.unwrap();
    setup.tab.wait_for("tbody tr").await.unwrap();
    setup.take_pictures("console-webhook").await;
    setup.tab.click("tbody th a").await.unwrap();
    setup.tab.wait_for("h2#attempts").await.unwrap();
    setup.take_pictures("console-delivery").await;
    setup.assert_clean().await;
}
