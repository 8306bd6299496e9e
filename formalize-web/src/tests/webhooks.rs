//! The pages about webhooks and their deliveries.

use std::time::Duration;

use formalize_core::{
    Error, Field,
    events::EventType,
    webhooks::{AttemptError, DeliveryState, DisabledReason, InvalidWebhookUrl},
};

use super::super::{
    AttemptRow, DeleteWebhookPage, DeliveryList, DeliveryPage, DeliveryRow, FormFrame, Problems,
    Shell, WebhookNotice, WebhookPage, WebhookRow, WebhookValues, WebhooksPage,
};
use super::console::{frame, time};
use super::{Data, Page, at, named};

/// The lists, a webhook and a delivery, each in all states.
pub(super) fn pages(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let name = data("Registration for the spring run");
    let frame = frame(&name, at("/console/forms", &data("1")));
    let mut pages = lists(shell, data, &frame);
    pages.extend(webhooks(shell, data, &frame));
    pages.extend(deliveries(shell, data, &frame));
    pages
}

fn webhook(data: Data<'_>, description: Option<&str>) -> WebhookRow {
    WebhookRow {
        path: at("", &data("webhooks/1")),
        url: data("https://hooks.example.org/formalize"),
        description: description.map(data),
        disabled: None,
        pending: 2,
        dead: 1,
        succeeded: Some(time("2027-02-11T08:30:00")),
        failed: Some(time("2027-02-12T10:15:00")),
        paused_until: None,
    }
}

fn values(data: Data<'_>) -> WebhookValues {
    WebhookValues {
        url: data("https://hooks.example.org/formalize"),
        description: data("Ticket system"),
        event_types: vec!["submission.submitted".to_owned(), "form.cleared".to_owned()],
        payload: "thin".to_owned(),
        is_enabled: true,
    }
}

fn lists(shell: &Shell<'_>, data: Data<'_>, frame: &FormFrame<'_>) -> Vec<Page> {
    let disabled = |reason| WebhookRow {
        disabled: Some(reason),
        pending: 0,
        ..webhook(data, None)
    };
    let new = WebhookRow {
        pending: 0,
        dead: 0,
        succeeded: None,
        failed: None,
        ..webhook(data, Some("Newsletter"))
    };
    let page = WebhooksPage {
        frame: frame.clone(),
        token: data("6f1c"),
        webhooks: vec![
            webhook(data, Some("Ticket system")),
            WebhookRow {
                paused_until: Some(time("2027-02-12T10:30:00")),
                ..webhook(data, Some("Archive"))
            },
            new,
            disabled(DisabledReason::Owner),
            disabled(DisabledReason::Gone),
            disabled(DisabledReason::Failing),
        ],
        secret: None,
        values: WebhookValues::default(),
        problems: Problems::default(),
    };
    let created = WebhooksPage {
        secret: Some(data("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
        ..page.clone()
    };
    let empty = WebhooksPage {
        webhooks: Vec::new(),
        ..page.clone()
    };
    let full = WebhooksPage {
        values: values(data),
        problems: Problems::of(&Error::WebhookLimitReached),
        ..page.clone()
    };
    let fields = [Field::Url, Field::Description, Field::EventTypes];
    let wrong = Problems::of_fields(fields);
    let reasons = [
        ("malformed", InvalidWebhookUrl::Malformed),
        ("long", InvalidWebhookUrl::TooLong),
        ("unencrypted", InvalidWebhookUrl::Unencrypted),
        ("credentials", InvalidWebhookUrl::Credentials),
        ("fragment", InvalidWebhookUrl::Fragment),
        ("target", InvalidWebhookUrl::Target),
    ];
    let refused = reasons.map(|(reason, why)| {
        let page = WebhooksPage {
            values: WebhookValues {
                event_types: Vec::new(),
                ..values(data)
            },
            problems: wrong.clone().with_url(Some(why)),
            ..page.clone()
        };
        named(&format!("webhooks-url-{reason}"), page.render(shell))
    });
    let mut pages = vec![
        named("webhooks", page.render(shell)),
        named("webhook-created", created.render(shell)),
        named("webhooks-empty", empty.render(shell)),
        named("webhooks-full", full.render(shell)),
    ];
    pages.extend(refused);
    pages
}

fn webhooks(shell: &Shell<'_>, data: Data<'_>, frame: &FormFrame<'_>) -> Vec<Page> {
    let page = WebhookPage {
        frame: frame.clone(),
        token: data("6f1c"),
        revision: data("0193"),
        webhook: webhook(data, Some("Ticket system")),
        creator: data("ada@example.org"),
        created: time("2027-01-12T10:15:00"),
        values: values(data),
        stored: None,
        overlap: None,
        deliveries: list(data),
        notice: None,
        problems: Problems::default(),
    };
    let tested = |status, error| WebhookNotice::Tested {
        status,
        error,
        duration: Duration::from_millis(31),
    };
    let notices = [
        ("saved", WebhookNotice::Saved),
        (
            "rotated",
            WebhookNotice::Rotated(data("whsec_2LaLaSwMfKQ9r8GKYqrTwjUPD8ILPZIo")),
        ),
        ("tested", tested(Some(204), None)),
        ("test-failed", tested(Some(500), Some(AttemptError::Status))),
        ("resent-one", WebhookNotice::Resent(1)),
        ("resent", WebhookNotice::Resent(12)),
    ];
    let notices = notices.map(|(name, notice)| {
        let page = WebhookPage {
            notice: Some(notice),
            ..page.clone()
        };
        named(&format!("webhook-{name}"), page.render(shell))
    });
    let disabled = WebhookPage {
        webhook: WebhookRow {
            disabled: Some(DisabledReason::Gone),
            succeeded: None,
            ..webhook(data, None)
        },
        creator: String::new(),
        deliveries: DeliveryList::default(),
        problems: Problems::of(&Error::WebhookDisabled),
        ..page.clone()
    };
    let recently = WebhookPage {
        problems: Problems::of(&Error::WebhookTestedRecently),
        ..page.clone()
    };
    let wrong = WebhookPage {
        overlap: Some("0".to_owned()),
        problems: Problems::of_fields([Field::Url, Field::Payload, Field::OverlapSeconds]),
        ..page.clone()
    };
    let conflict = WebhookPage {
        problems: Problems::of(&Error::RevisionMismatch),
        stored: Some(WebhookValues {
            url: data("https://hooks.example.org/other"),
            description: String::new(),
            event_types: vec!["submission.deleted".to_owned()],
            payload: "full".to_owned(),
            is_enabled: false,
        }),
        ..page.clone()
    };
    let delete = DeleteWebhookPage {
        frame: frame.clone(),
        token: data("6f1c"),
        webhook: webhook(data, None),
        problems: Problems::of_old_page(),
    };
    let mut pages = vec![
        named("webhook", page.render(shell)),
        named("webhook-disabled", disabled.render(shell)),
        named("webhook-tested-recently", recently.render(shell)),
        named("webhook-wrong", wrong.render(shell)),
        named("webhook-conflict", conflict.render(shell)),
        named("delete-webhook", delete.render(shell)),
    ];
    pages.extend(notices);
    pages
}

fn delivery(data: Data<'_>, event_type: EventType, state: DeliveryState) -> DeliveryRow {
    let is_gone = event_type == EventType::SubmissionDeleted;
    let is_of_form = event_type.as_str().starts_with("form.");
    let submission = (!is_of_form).then(|| {
        let id = data("0193b2f5-6f1c-7b90-8c3e-5a1d9f0e4b27");
        (id, (!is_gone).then(|| at("/s", &data("1"))))
    });
    DeliveryRow {
        // Its own page does not show it.
        path: String::new(),
        created: time("2027-02-12T10:15:00"),
        event_type,
        submission,
        state,
        attempts: 1,
        next_attempt: None,
        status: Some(204),
        error: None,
    }
}

/// A delivery of each event, with each outcome.
fn list(data: Data<'_>) -> DeliveryList {
    use EventType as Type;
    let failed = |event_type, status, error| DeliveryRow {
        attempts: 4,
        next_attempt: Some(time("2027-02-12T10:45:00")),
        status,
        error: Some(error),
        ..delivery(data, event_type, DeliveryState::Pending)
    };
    let new = DeliveryRow {
        attempts: 0,
        status: None,
        ..failed(Type::FormUpdated, None, AttemptError::Dns)
    };
    let dead = |event_type| DeliveryRow {
        state: DeliveryState::Dead,
        next_attempt: None,
        ..failed(event_type, Some(404), AttemptError::Status)
    };
    let mut list = DeliveryList {
        state: String::new(),
        rows: vec![
            delivery(data, Type::SubmissionSubmitted, DeliveryState::Delivered),
            DeliveryRow { error: None, ..new },
            failed(Type::SubmissionUpdated, None, AttemptError::Dns),
            failed(Type::FormCleared, None, AttemptError::TargetRefused),
            failed(Type::SubmissionSubmitted, None, AttemptError::Connect),
            failed(Type::SubmissionSubmitted, None, AttemptError::Tls),
            failed(Type::SubmissionSubmitted, None, AttemptError::Timeout),
            failed(Type::SubmissionSubmitted, None, AttemptError::Protocol),
            dead(Type::SubmissionDeleted),
            dead(Type::FormDeleted),
        ],
        next: Some(at("", &data("webhooks/1?cursor=1"))),
        first: Some(at("", &data("webhooks/1"))),
        may_resend: true,
    };
    for row in &mut list.rows {
        row.path = at("", &data("webhooks/1/deliveries/1"));
    }
    list
}

fn deliveries(shell: &Shell<'_>, data: Data<'_>, frame: &FormFrame<'_>) -> Vec<Page> {
    let attempt = |minute, status, error| AttemptRow {
        date: time(&format!("2027-02-12T10:{minute}:00")),
        status,
        error,
        duration: Duration::from_millis(31),
    };
    let page = DeliveryPage {
        frame: frame.clone(),
        token: data("6f1c"),
        webhook: at("", &data("webhooks/1")),
        url: data("https://hooks.example.org/formalize"),
        delivery: DeliveryRow {
            attempts: 2,
            ..delivery(
                data,
                EventType::SubmissionSubmitted,
                DeliveryState::Delivered,
            )
        },
        event: data("0193b2f5-6f1c-7b90-8c3e-5a1d9f0e4b28"),
        done: Some(time("2027-02-12T10:16:00")),
        body: Some(data(r#"{"identifier":"019ab2f4","sequence":42}"#)),
        attempts: vec![
            attempt("15", None, Some(AttemptError::Timeout)),
            attempt("16", Some(204), None),
        ],
        may_resend: true,
        is_resent: false,
        problems: Problems::default(),
    };
    let resent = DeliveryPage {
        delivery: DeliveryRow {
            next_attempt: Some(time("2027-02-12T10:45:00")),
            ..delivery(data, EventType::SubmissionDeleted, DeliveryState::Pending)
        },
        done: None,
        is_resent: true,
        ..page.clone()
    };
    let refused = DeliveryPage {
        delivery: delivery(data, EventType::FormCleared, DeliveryState::Dead),
        attempts: Vec::new(),
        problems: Problems::of(&Error::WebhookDisabled),
        ..page.clone()
    };
    vec![
        named("delivery", page.render(shell)),
        named("delivery-resent", resent.render(shell)),
        named("delivery-refused", refused.render(shell)),
    ]
}
