//! The deliveries of a webhook.

use formalize_core::{
    Error,
    events::EventType,
    webhooks::{Attempt, Delivery, DeliveryFilter, DeliveryView, Resend},
};
use formalize_http::contract::ErrorKey;
use formalize_http::failure::Refusal;
use formalize_http::percent;
use formalize_web::{AttemptRow, DeliveryList, DeliveryPage, DeliveryRow, Problems};
use poem::{Response, http::StatusCode};

use super::{
    super::{route, sent::Sent, visit::Visit},
    opened,
    webhooks::Managed,
};

/// The number of deliveries on a page.
const ROWS: u32 = 50;

/// The deliveries of a webhook that the address of the page selects.
pub(super) async fn list(visit: &Visit, managed: &Managed) -> Result<DeliveryList, Refusal> {
    let state = visit.parameter("state").unwrap_or_default();
    let only = match state {
        "" => None,
        word => Some(
            word.parse()
                .map_err(|_| Refusal::is(ErrorKey::InvalidParameter))?,
        ),
    };
    let filter = DeliveryFilter {
        state: only,
        newest_first: true,
        ..DeliveryFilter::default()
    };
    let request = visit.page_request("cursor", Some(ROWS));
    let (caller, webhooks) = (visit.caller()?, visit.formalize().webhooks());
    let page = webhooks.deliveries(caller, managed.id(), &filter, &request);
    let page = page.await?;
    let path = managed.path();
    let rows = page.items.iter();
    Ok(DeliveryList {
        state: state.to_owned(),
        rows: rows.map(|delivery| row(visit, managed, delivery)).collect(),
        next: page
            .next
            .map(|cursor| format!("{path}?state={state}&cursor={}", percent::encode(&cursor))),
        first: visit
            .parameter("cursor")
            .map(|_| format!("{path}?state={state}")),
        may_resend: managed.view.item.is_enabled() && managed.view.num_dead > 0,
    })
}

fn row(visit: &Visit, managed: &Managed, delivery: &Delivery) -> DeliveryRow {
    let is_gone = delivery.event_type == EventType::SubmissionDeleted;
    let submission = delivery.submission.map(|id| {
        let path = format!("/s/{id}");
        (id.to_string(), (!is_gone).then_some(path))
    });
    DeliveryRow {
        path: format!("{}/deliveries/{}", managed.path(), delivery.id),
        created: visit.time(delivery.date_created),
        event_type: delivery.event_type,
        submission,
        state: delivery.state,
        attempts: delivery.num_attempts,
        next_attempt: delivery.date_next_attempt.map(|time| visit.time(time)),
        status: delivery.last_status,
        error: delivery.last_error,
    }
}

/// The page about a delivery, with its last attempts.
pub(super) async fn show(
    visit: &Visit,
    form: &str,
    webhook: &str,
    id: &str,
    old: Option<&Sent>,
) -> Result<Response, Refusal> {
    let (managed, delivery) = found(visit, form, webhook, id).await?;
    let (status, problems) = opened(old);
    let page = DeliveryPage {
        is_resent: old.is_none() && visit.parameter("resent").is_some(),
        problems,
        ..one(visit, &managed, &delivery)
    };
    Ok(visit.html(status, page.render(&visit.shell())))
}

/// Sends a delivery again.
pub(super) async fn send_again(
    visit: &Visit,
    form: &str,
    webhook: &str,
    id: &str,
    sent: &Sent,
) -> Result<Response, Refusal> {
    let (managed, delivery) = found(visit, form, webhook, id).await?;
    if sent.own("do") != Some("resend") {
        return Err(Refusal::is(ErrorKey::InvalidRequestBody));
    }
    let (webhooks, what) = (
        visit.formalize().webhooks(),
        Resend::Deliveries(vec![delivery.item.id]),
    );
    match webhooks.resend(visit.caller()?, managed.id(), what).await {
        Ok(_) => {
            let path = format!("{}/deliveries/{}", managed.path(), delivery.item.id);
            Ok(visit.redirect(&format!("{path}?resent")))
        }
        Err(error @ Error::WebhookDisabled) => {
            let page = DeliveryPage {
                problems: Problems::of(&error),
                ..one(visit, &managed, &delivery)
            };
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(visit.html(status, page.render(&visit.shell())))
        }
        Err(error) => Err(error.into()),
    }
}

async fn found(
    visit: &Visit,
    form: &str,
    webhook: &str,
    id: &str,
) -> Result<(Managed, DeliveryView), Refusal> {
    let managed = Managed::of(visit, form, webhook).await?;
    let id = route::id(id, Error::WebhookDeliveryNotFound)?;
    let (caller, webhooks) = (visit.caller()?, visit.formalize().webhooks());
    let delivery = webhooks.delivery(caller, managed.id(), id).await?;
    Ok((managed, delivery))
}

fn one<'a>(visit: &Visit, managed: &'a Managed, view: &DeliveryView) -> DeliveryPage<'a> {
    let delivery = &view.item;
    let attempts = view.attempts.iter();
    DeliveryPage {
        frame: managed.form.frame(),
        token: visit.token(&visit.path),
        webhook: managed.path(),
        url: managed.view.item.url.to_string(),
        delivery: row(visit, managed, delivery),
        event: delivery.event.to_string(),
        done: delivery.date_done.map(|time| visit.time(time)),
        attempts: attempts
            .map(|attempt| attempt_row(visit, attempt))
            .collect(),
        body: view.body.clone(),
        may_resend: managed.view.item.is_enabled(),
        is_resent: false,
        problems: Problems::default(),
    }
}

fn attempt_row(visit: &Visit, attempt: &Attempt) -> AttemptRow {
    AttemptRow {
        date: visit.time(attempt.date),
        status: attempt.status,
        error: attempt.error,
        duration: attempt.duration,
    }
}
