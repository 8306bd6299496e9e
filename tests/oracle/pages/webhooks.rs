//! The pages of the console about webhooks.

use formalize_core::{
    Caller, Error,
    webhooks::{NewWebhook, Resend, WebhookChange},
};
use formalize_tests::world::{START, World, instant};

use super::Seen;
use super::person::{Page, Person, sorted};
use crate::model::Model;
use crate::service::Service;

/// Gives each form a webhook with deliveries of what has happened. Those of some forms were given up, and some webhooks are
/// disabled.
pub(super) async fn create(service: &Service, model: &Model) {
    let (world, system) = (&service.world, &Caller::System);
    let webhooks = world.webhooks();
    for form in 0..model.forms.len() {
        let url = webhooks.parse_url("https://hooks.example.org/").unwrap();
        let new = NewWebhook::of(service.form(form), url);
        let webhook = match webhooks.create(system, new).await {
            Ok((webhook, _)) => webhook.id,
            // It was deleted.
            Err(Error::FormNotFound) => continue,
            Err(error) => panic!("{error}"),
        };
        resend_all(world, webhook).await;
        let steps: &[bool] = match form % 3 {
            0 => &[],
            1 => &[false, true],
            _ => &[false],
        };
        for enabled in steps {
            let change = WebhookChange {
                enabled: Some(*enabled),
                ..WebhookChange::default()
            };
            webhooks.update(system, webhook, change).await.unwrap();
        }
    }
}

async fn resend_all(world: &World, webhook: formalize_core::webhooks::WebhookId) {
    let all = Resend::Since {
        since: instant(START),
        until: None,
        all: true,
    };
    let webhooks = world.webhooks();
    webhooks
        .resend(&Caller::System, webhook, all)
        .await
        .unwrap();
}

/// The webhooks of a form as somebody sees them, their deliveries, and the buttons for what the interface would do.
pub(super) async fn compare(person: &Person<'_>, form: &str, page: &Page, seen: &mut Seen) {
    let (name, path) = (person.name, format!("/console/forms/{form}/webhooks"));
    let of_form = format!("/formalize/webhooks?formIdentifier={form}");
    let listed = person.list(&of_form).await.unwrap();
    page.same(name, "page", page.status == 200, !listed.is_empty());
    let shown = page.links_below(&format!("{path}/"));
    let expected = sorted(listed.iter().map(|webhook| &webhook["identifier"]));
    page.same(name, "webhooks", shown, expected.clone());
    page.same(
        name,
        "create",
        page.has("button[value=create]"),
        !listed.is_empty(),
    );
    for id in expected {
        seen.webhooks += 1;
        let item = person.get(&format!("/formalize/webhooks/{id}")).await;
        let item = item.unwrap();
        let page = person.page(&format!("{path}/{id}")).await;
        for button in ["save", "test", "rotate"] {
            let is_there = page.has(&format!("button[value={button}]"));
            page.same(name, button, is_there, true);
        }
        let is_enabled = item["enabled"] == true;
        let is_resendable = is_enabled && item["numDead"] != 0;
        seen.resendable += usize::from(is_resendable);
        let has_button = page.has("button[value=resend]");
        page.same(name, "resend", has_button, is_resendable);
        let delete = person.page(&format!("{path}/{id}/delete")).await;
        delete.same(name, "delete", delete.status, 200);

        let deliveries = format!("/formalize/webhooks/{id}/deliveries");
        let mut deliveries = person.list(&deliveries).await.unwrap();
        // The interface lists the oldest first, the page the newest.
        deliveries.reverse();
        let rows = deliveries.iter().take(50).map(|row| &row["identifier"]);
        let rows: Vec<_> = rows.map(|row| row.as_str().unwrap().to_owned()).collect();
        let below = format!("{path}/{id}/deliveries/");
        page.same(name, "deliveries", page.links_below(&below), rows);
        let Some(first) = deliveries.first() else {
            continue;
        };
        seen.deliveries += 1;
        let one = first["identifier"].as_str().unwrap();
        let one = person.page(&format!("{below}{one}")).await;
        one.same(name, "delivery", one.status, 200);
        let has_button = one.has("button[value=resend]");
        one.same(name, "resend", has_button, is_enabled);
    }
}
