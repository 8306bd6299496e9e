//! `formalize webhooks`.

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use clap::ArgGroup;
use formalize_core::config::WebhookSettings;
use formalize_core::{
    Change, FormId, Timestamp,
    events::EventType,
    webhooks::{
        DeliveryFilter, DeliveryId, DeliveryState, NewWebhook, Payload, Resend, WebhookChange,
        WebhookDescription, WebhookEvents, WebhookId, WebhookSecret, WebhookUrl,
    },
};
use formalize_views::webhook::{Delivery, Webhook, WebhookTest};
use formalize_webhook_sender::Sender;

use crate::args;
use crate::failure::{Exit, Failure, unless_unread};
use crate::grammar::FormFilterArg;
use crate::input;
use crate::naming::Reference;
use crate::record::DeliveryWithAttempts;
use crate::session::{Outcome, Session, as_read, confirm, note, plural, with_spinner};

/// Create and manage webhooks, which send events to other systems
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Create a webhook, and print it with its secret, which cannot be shown again
    ///
    /// A server sends the events from now on. In a table, the last line is the secret alone.
    #[command(
        after_help = "Example:\n  formalize webhooks create --form Workshop --url https://example.org/hook"
    )]
    Create(Box<Create>),
    /// List webhooks: all, or only those of a form
    #[command(after_help = "Example:\n  formalize webhooks list --form Workshop")]
    List(FormFilterArg),
    /// Show a webhook
    #[command(
        after_help = "Example:\n  formalize webhooks show 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    Show {
        /// The identifier of the webhook
        #[arg(value_parser = args::webhook_id)]
        id: WebhookId,
    },
    /// Change a webhook
    ///
    /// A disabled webhook sends nothing, and what was waiting is given up.
    #[command(
        override_usage = "formalize webhooks update [OPTIONS] <ID>",
        after_help = "Example:\n  formalize webhooks update 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --enabled=false"
    )]
    Update(Box<Update>),
    /// Delete a webhook with its deliveries
    ///
    /// Asks for confirmation if deliveries are waiting.
    #[command(
        after_help = "Example:\n  formalize webhooks delete 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --yes"
    )]
    Delete {
        /// The identifier of the webhook
        #[arg(value_parser = args::webhook_id)]
        id: WebhookId,
    },
    /// Give a webhook a new secret, and print the webhook with it
    ///
    /// For a while requests are signed with both secrets, so that the receiver can change over.
    #[command(
        after_help = "Example:\n  formalize webhooks rotate-secret 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --overlap 3d"
    )]
    RotateSecret {
        /// The identifier of the webhook
        #[arg(value_parser = args::webhook_id)]
        id: WebhookId,
        /// How long the old secret signs too, in s, m, h, d or w; at most 7d
        #[arg(long, value_name = "DURATION", value_parser = args::duration, default_value = "24h")]
        overlap: i64,
    },
    /// Encrypt all secrets with the first of the `webhook_secret_keys`
    ///
    /// Afterwards the other keys can be removed from the configuration.
    #[command(after_help = "Example:\n  formalize webhooks reencrypt")]
    Reencrypt,
    /// Send a test to the receiver of a webhook, and show its answer
    ///
    /// Sends a signed event of the type `webhook.test` at once, even if the webhook is disabled. The test is sent by this machine,
    /// with the settings `webhook_allowed_targets`, `webhook_proxy` and `webhook_timeout`. It changes nothing. Exits with 1 if
    /// the receiver does not answer with 2xx.
    #[command(
        after_help = "Example:\n  formalize webhooks test 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    Test {
        /// The identifier of the webhook
        #[arg(value_parser = args::webhook_id)]
        id: WebhookId,
    },
    /// List the deliveries of a webhook, or show one with its attempts
    #[command(
        after_help = "Example:\n  formalize webhooks deliveries 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --state dead"
    )]
    Deliveries {
        /// The identifier of the webhook
        #[arg(value_parser = args::webhook_id)]
        id: WebhookId,
        /// Show this delivery with its last attempts
        #[arg(long, value_name = "ID", value_parser = args::delivery_id, conflicts_with_all = ["state", "type"])]
        delivery: Option<DeliveryId>,
        /// Only deliveries in this state
        #[arg(long, value_name = "STATE", value_parser = args::delivery_state)]
        state: Option<DeliveryState>,
        /// Only deliveries of events of this type
        #[arg(long = "type", id = "type", value_name = "TYPE", value_parser = args::event_type)]
        event_type: Option<EventType>,
    },
    /// Send deliveries again, or now
    ///
    /// Give deliveries, or a period. Single deliveries are attempted at once, also those that are pending, and also while the
    /// webhook pauses after failures. At most 10,000 deliveries of a period are queued at a time.
    #[command(
        override_usage = "formalize webhooks resend [OPTIONS] <ID>",
        after_help = "Example:\n  formalize webhooks resend 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --since 2026-11-20"
    )]
    Resend(ResendArgs),
}

/// A webhook to create.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("of").required(true).args(["form", "form_option", "all_forms"]))]
pub(crate) struct Create {
    #[command(flatten)]
    form: FormFilterArg,
    /// Send the events of all forms, groups and grants
    #[arg(long)]
    all_forms: bool,
    /// Where events are sent
    #[arg(long)]
    url: String,
    /// What the webhook is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Only events of these types [default: all that are possible]
    #[arg(long, value_name = "TYPE,...", value_delimiter = ',', value_parser = args::event_type)]
    event_types: Vec<EventType>,
    /// How much is sent: `full`, with the submission as it was, or `thin`, only identifiers [default: full]
    #[arg(long, value_name = "full|thin", value_parser = args::payload)]
    payload: Option<Payload>,
    /// Secret that signs requests: a file with `whsec_` and the base64 of 24 to 64 bytes [default: a random one]
    #[arg(long, value_name = "FILE|-")]
    secret: Option<PathBuf>,
}

/// The changes of a webhook; at least one.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("change").required(true).multiple(true).args([
    "url",
    "description",
    "clear",
    "event_types",
    "payload",
    "enabled",
]))]
pub(crate) struct Update {
    /// The identifier of the webhook
    #[arg(value_parser = args::webhook_id)]
    id: WebhookId,
    /// Where events are sent; what is pending is attempted there at once, even if the old URL failed
    #[arg(long)]
    url: Option<String>,
    /// What the webhook is for
    #[arg(long, value_name = "TEXT", conflicts_with = "clear")]
    description: Option<String>,
    /// Fields to unset
    #[arg(long, value_enum, value_name = "FIELDS", value_delimiter = ',')]
    clear: Vec<Clearable>,
    /// The types of events that are sent
    #[arg(long, value_name = "TYPE,...", value_delimiter = ',', value_parser = args::event_type)]
    event_types: Vec<EventType>,
    /// How much is sent with events from now on: `full` or `thin`
    #[arg(long, value_name = "full|thin", value_parser = args::payload)]
    payload: Option<Payload>,
    /// Whether events are sent
    #[arg(long, value_name = "true|false")]
    enabled: Option<bool>,
}

/// A field that can be unset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Clearable {
    Description,
}

/// What to send again.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("what").required(true).args(["delivery", "since"]))]
pub(crate) struct ResendArgs {
    /// The identifier of the webhook
    #[arg(value_parser = args::webhook_id)]
    id: WebhookId,
    /// A delivery; can be repeated
    #[arg(long, value_name = "ID", value_parser = args::delivery_id)]
    delivery: Vec<DeliveryId>,
    /// Events from this time on: a date (start of day, UTC) or a timestamp
    #[arg(long, value_name = "DATE", value_parser = Timestamp::parse_start)]
    since: Option<Timestamp>,
    /// Events up to this time: a date (end of day, UTC) or a timestamp [default: now]
    #[arg(long, value_name = "DATE", value_parser = Timestamp::parse_end, requires = "since")]
    until: Option<Timestamp>,
    /// `dead`: deliveries that were given up; `all`: every event of the period that is still in the log
    #[arg(long, value_name = "dead|all", value_parser = ["dead", "all"], default_value = "dead")]
    state: String,
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create(create) => create.run(session).await,
            Self::List(of) => list(session, of.given()).await,
            Self::Show { id } => {
                let webhook = session
                    .formalize
                    .webhooks()
                    .get(&session.caller, id)
                    .await?;
                Ok(session.printer.item(&Webhook::from(webhook))?)
            }
            Self::Update(update) => update.run(session).await,
            Self::Delete { id } => delete(session, id).await,
            Self::RotateSecret { id, overlap } => rotate_secret(session, id, overlap).await,
            Self::Reencrypt => {
                let webhooks = session.formalize.webhooks();
                let changed = webhooks.reencrypt(&session.caller).await?;
                note(&format!(
                    "encrypted the secrets of {}",
                    plural(changed, "webhook")
                ));
                Ok(())
            }
            Self::Test { id } => test(session, id).await,
            Self::Deliveries {
                id,
                delivery: Some(delivery),
                ..
            } => {
                let webhooks = session.formalize.webhooks();
                let found = webhooks.delivery(&session.caller, id, delivery).await?;
                Ok(session.printer.item(&DeliveryWithAttempts::from(found))?)
            }
            Self::Deliveries {
                id,
                state,
                event_type,
                ..
            } => {
                let filter = DeliveryFilter {
                    state,
                    event_type,
                    ..DeliveryFilter::default()
                };
                deliveries(session, id, filter).await
            }
            Self::Resend(again) => again.run(session).await,
        }
    }
}

impl Create {
    async fn run(self, session: &mut Session) -> Outcome {
        let url = url(session, &self.url)?;
        let new = match self.form.given() {
            Some(form) => NewWebhook::of(session.form(form).await?, url),
            None => NewWebhook::of_all_forms(url),
        };
        let new = NewWebhook {
            description: description(self.description)?,
            event_types: event_types(self.event_types),
            payload: self.payload.unwrap_or_default(),
            secret: self.secret.as_deref().map(secret).transpose()?,
            ..new
        };
        let webhooks = session.formalize.webhooks();
        let (webhook, secret) = webhooks.create(&session.caller, new).await?;
        let id = webhook.id;
        print_with_secret(session, id, Webhook::created(webhook), &secret)
    }
}

impl Update {
    async fn run(self, session: &mut Session) -> Outcome {
        let change = WebhookChange {
            url: self
                .url
                .as_deref()
                .map(|text| url(session, text))
                .transpose()?,
            description: match description(self.description)? {
                Some(description) => Change::Set(description),
                None if self.clear.contains(&Clearable::Description) => Change::Clear,
                None => Change::Keep,
            },
            event_types: event_types(self.event_types),
            payload: self.payload,
            enabled: self.enabled,
        };
        let webhooks = session.formalize.webhooks();
        let read = webhooks.get(&session.caller, self.id).await;
        let webhook = as_read(self.id, read, |view| view.item.revision)?;
        let webhook = webhooks.update(&session.caller, webhook, change).await?;
        Ok(session.printer.item(&Webhook::from(webhook))?)
    }
}

impl ResendArgs {
    async fn run(self, session: &mut Session) -> Outcome {
        let what = match self.since {
            None => Resend::Deliveries(self.delivery),
            Some(since) => Resend::Since {
                since,
                until: self.until,
                all: self.state == "all",
            },
        };
        let webhooks = session.formalize.webhooks();
        let resent = webhooks.resend(&session.caller, self.id, what).await?;
        let more = if resent.has_more {
            "; there are more, so run the command again"
        } else {
            ""
        };
        note(&format!(
            "queued {}{more}",
            plural(resent.queued, "delivery")
        ));
        Ok(())
    }
}

async fn list(session: &mut Session, form: Option<&Reference<FormId>>) -> Outcome {
    let form = match form {
        Some(form) => Some(session.form(form).await?),
        None => None,
    };
    let (formalize, caller) = session.service();
    let webhooks = formalize.webhooks();
    session
        .print_list::<_, Webhook>(async |request| webhooks.list(&caller, form, request).await)
        .await
}

async fn deliveries(session: &mut Session, id: WebhookId, filter: DeliveryFilter) -> Outcome {
    let (formalize, caller) = session.service();
    let webhooks = formalize.webhooks();
    session
        .print_list::<_, Delivery>(async |request| {
            webhooks.deliveries(&caller, id, &filter, request).await
        })
        .await
}

async fn delete(session: &mut Session, id: WebhookId) -> Outcome {
    let webhooks = session.formalize.webhooks();
    if !session.yes {
        let found = webhooks.get(&session.caller, id).await?;
        if found.num_pending > 0 {
            let pending = plural(found.num_pending, "delivery");
            confirm(&format!("this deletes {pending} that were not sent yet"))?;
        }
    }
    webhooks.delete(&session.caller, id).await?;
    note(&format!("deleted webhook {id}"));
    Ok(())
}

async fn rotate_secret(session: &mut Session, id: WebhookId, overlap: i64) -> Outcome {
    let overlap = Duration::from_secs(overlap.unsigned_abs());
    let webhooks = session.formalize.webhooks();
    let rotated = webhooks.rotate_secret(&session.caller, id, overlap).await;
    let (webhook, secret) = rotated?;
    print_with_secret(session, id, webhook.into(), &secret)
}

async fn test(session: &mut Session, id: WebhookId) -> Outcome {
    let WebhookSettings {
        allowed_targets,
        proxy,
        ..
    } = session.webhooks.clone();
    let sender = Sender::new(allowed_targets, proxy);
    let webhooks = session.formalize.webhooks();
    let testing = webhooks.test(&session.caller, id, &sender);
    let outcome = with_spinner("waiting for the receiver", testing).await?;
    let test = WebhookTest::from(outcome);
    session.printer.item(&test).or_else(unless_unread)?;
    outcome.error.map_or(Ok(()), |error| {
        Err(Failure::new(
            Exit::Failed,
            format!("the test failed: {error}"),
        ))
    })
}

/// Prints a webhook with its secret. In a table, the secret stands alone on the last line, where scripts find it.
fn print_with_secret(
    session: &mut Session,
    id: WebhookId,
    webhook: Webhook,
    secret: &WebhookSecret,
) -> Outcome {
    let to = &mut session.printer;
    let printed = if to.is_table() {
        to.item(&webhook).and_then(|()| to.line(secret.expose()))
    } else {
        to.item(&webhook.with_secret(Some(secret)))
    };
    printed.map_err(|error| {
        let rotate = format!("replace it with `formalize webhooks rotate-secret {id}`");
        Failure::new(Exit::Failed, format!("cannot write the secret: {error}")).with_detail(&rotate)
    })
}

fn url(session: &Session, text: &str) -> Result<WebhookUrl, Failure> {
    let parsed = session.formalize.webhooks().parse_url(text);
    parsed.map_err(|invalid| failure("the URL", &invalid))
}

fn description(text: Option<String>) -> Result<Option<WebhookDescription>, Failure> {
    Ok(text.map(WebhookDescription::new).transpose()?)
}

/// Without types, `None`.
fn event_types(types: Vec<EventType>) -> Option<WebhookEvents> {
    WebhookEvents::new(types).ok()
}

fn secret(file: &std::path::Path) -> Result<WebhookSecret, Failure> {
    Ok(WebhookSecret::new(input::read(file)?.trim_end())?)
}

fn failure(what: &str, reason: &dyn Display) -> Failure {
    Failure::new(Exit::Invalid, format!("{what}: {reason}"))
}
