//! Changes of a form between the read that a submission is based on and the write of the submission.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use formalize_core::store::{OwnedTx, ReadTx, Revocations, StoreResult};
use formalize_core::{
    Change, Error, FormChange, FormId, FormName, Formalize, ResourceRef, Result, Revision, Store,
    Submission, SubmissionFilter, SubmissionId, SubmissionRules, SubmissionState,
    events::{EventFilter, EventId},
    forms::{SubmissionCap, SubmissionLimit, SubmissionStates},
    idempotency::KeptResponse,
    webhooks::{NewWebhook, WebhookChange},
};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;
use formalize_tests::world::{World, instant, new_submission, user};

use super::{SYSTEM, any_state, open_form};

on_every_database! {
    renaming_the_form_does_not_affect_a_submission,
    no_submission_is_accepted_after_closing_a_form,
    deleted_forms_are_not_found,
    states_that_are_no_longer_allowed_are_rejected,
    data_is_validated_against_the_latest_schema,
    the_cap_counts_submissions_made_in_between,
    the_limit_counts_submissions_made_in_between,
    a_limit_set_in_between_counts,
    new_submissions_follow_the_current_kind_of_authorization,
    no_event_is_queued_for_a_webhook_disabled_in_between,
    an_export_has_the_columns_of_its_snapshot,
}

type EventContent = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A store that runs a callback right before the next submission is written or the next export begins.
struct Interrupted {
    store: Arc<dyn Store>,
    next: Mutex<Option<EventContent>>,
}

impl Interrupted {
    async fn happen(&self) {
        let happening = self.next.lock().unwrap().take();
        if let Some(happening) = happening {
            happening.await;
        }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl Store for Interrupted {
    async fn read(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.store.read().await
    }

    async fn read_once(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.store.read_once().await
    }

    async fn read_long(&self) -> StoreResult<Box<dyn ReadTx>> {
        self.happen().await;
        self.store.read_long().await
    }

    async fn write(&self) -> StoreResult<Box<dyn OwnedTx>> {
        self.happen().await;
        self.store.write().await
    }

    async fn submit(
        &self,
        submission: &Submission,
        form: Revision,
        cap: Option<SubmissionCap>,
        limit: Option<SubmissionLimit>,
        event: Option<EventId>,
        kept: &[KeptResponse],
    ) -> StoreResult<bool> {
        self.happen().await;
        self.store
            .submit(submission, form, cap, limit, event, kept)
            .await
    }

    async fn revocations(&self) -> StoreResult<Option<Box<dyn Revocations>>> {
        self.store.revocations().await
    }

    async fn ping(&self) -> StoreResult<()> {
        self.store.ping().await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}

/// Creates a form, runs the change while alice submits to it, and returns the form and the result.
async fn submitted_while<F>(
    database: &Database,
    rules: SubmissionRules,
    done: impl FnOnce(Formalize, FormId) -> F,
) -> (World, FormId, Result<SubmissionId>)
where
    F: Future<Output = ()> + Send + 'static,
{
    let world = World::on(database.open().await).await;
    let form = open_form(&world, rules).await;
    let interrupted = Arc::new(Interrupted {
        store: database.open().await,
        next: Mutex::default(),
    });
    let server = World::on(Arc::clone(&interrupted) as _).await;
    let happening = Box::pin(done(world.formalize.clone(), form));
    *interrupted.next.lock().unwrap() = Some(happening);
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let created = server.submissions().create(&user("alice"), new).await;
    assert!(
        interrupted.next.lock().unwrap().is_none(),
        "the callback must have run"
    );
    (world, form, created.map(|created| created.item.id))
}

async fn change(server: &Formalize, form: FormId, change: FormChange) {
    let changed = server.forms().update(SYSTEM, form, change).await;
    changed.unwrap();
}

async fn renaming_the_form_does_not_affect_a_submission(database: &Database) {
    let (world, _, created) = submitted_while(database, any_state(), |server, form| async move {
        let name = FormChange {
            name: Some(FormName::new("Another").unwrap()),
            ..FormChange::default()
        };
        change(&server, form, name).await;
    })
    .await;
    let found = world.submissions().get(SYSTEM, created.unwrap()).await;
    assert_eq!(&*found.unwrap().item.data.unwrap(), "{}");
}

async fn no_submission_is_accepted_after_closing_a_form(database: &Database) {
    let (_, _, created) = submitted_while(database, any_state(), |server, form| async move {
        let closed = FormChange {
            availability_ends: Change::Set(instant("2000-01-01T00:00:00Z")),
            ..FormChange::default()
        };
        change(&server, form, closed).await;
    })
    .await;
    assert!(
        matches!(created, Err(Error::FormNotAvailable)),
        "{created:?}"
    );
}

async fn deleted_forms_are_not_found(database: &Database) {
    let (_, _, created) = submitted_while(database, any_state(), |server, form| async move {
        server.forms().delete(SYSTEM, form).await.unwrap();
    })
    .await;
    assert!(matches!(created, Err(Error::FormNotFound)), "{created:?}");
}

async fn states_that_are_no_longer_allowed_are_rejected(database: &Database) {
    let (_, _, created) = submitted_while(database, any_state(), |server, form| async move {
        let drafts: SubmissionStates = [SubmissionState::Draft].into_iter().collect();
        let drafts_alone = FormChange {
            allowed_states: Some(drafts),
            ..FormChange::default()
        };
        change(&server, form, drafts_alone).await;
    })
    .await;
    assert!(
        matches!(created, Err(Error::SubmissionStateNotAllowed(_))),
        "{created:?}"
    );
}

async fn data_is_validated_against_the_latest_schema(database: &Database) {
    let (_, _, created) = submitted_while(database, any_state(), |server, form| async move {
        let schema = r#"{"type": "object", "required": ["name"]}"#;
        let demanding = FormChange {
            data_feed_schema: Change::Set(schema.to_owned()),
            ..FormChange::default()
        };
        change(&server, form, demanding).await;
    })
    .await;
    assert!(
        matches!(created, Err(Error::SubmissionDataInvalid(_))),
        "{created:?}"
    );
}

async fn the_cap_counts_submissions_made_in_between(database: &Database) {
    let one = SubmissionRules {
        cap: Some(SubmissionCap::new(1).unwrap()),
        ..any_state()
    };
    let (world, form, created) = submitted_while(database, one, |server, form| async move {
        let new = new_submission(form, "{}", SubmissionState::Draft);
        let created = server.submissions().create(&user("alice"), new).await;
        created.unwrap();
    })
    .await;
    assert!(
        matches!(created, Err(Error::SubmissionCapReached)),
        "{created:?}"
    );
    let mut tx = world.store().read().await.unwrap();
    assert!(
        tx.read_submissions()
            .unwrap()
            .has_submissions(form)
            .await
            .unwrap()
    );
}

/// The missing place is that of the form even if there is a cap, too.
async fn the_limit_counts_submissions_made_in_between(database: &Database) {
    for cap in [None, SubmissionCap::new(2).ok()] {
        let one = SubmissionRules {
            cap,
            limit: SubmissionLimit::new(1).ok(),
            ..any_state()
        };
        let (world, form, created) = submitted_while(database, one, |server, form| async move {
            let new = new_submission(form, "{}", SubmissionState::Submitted);
            let created = server.submissions().create(&user("alice"), new).await;
            created.unwrap();
        })
        .await;
        assert!(
            matches!(created, Err(Error::SubmissionLimitReached)),
            "{created:?}"
        );
        let mut tx = world.store().read().await.unwrap();
        assert_eq!(
            tx.read_submissions()
                .unwrap()
                .form_places_taken(form)
                .await
                .unwrap(),
            Some(1)
        );
        let alice = formalize_tests::world::user_id("alice");
        assert_eq!(
            tx.read_submissions()
                .unwrap()
                .places_taken(form, &alice)
                .await
                .unwrap(),
            1
        );
    }
}

async fn a_limit_set_in_between_counts(database: &Database) {
    let (world, form, created) =
        submitted_while(database, any_state(), |server, form| async move {
            let new = new_submission(form, "{}", SubmissionState::Submitted);
            let created = server.submissions().create(&user("alice"), new).await;
            created.unwrap();
            let limited = FormChange {
                limit: Change::Set(SubmissionLimit::new(2).unwrap()),
                ..FormChange::default()
            };
            change(&server, form, limited).await;
        })
        .await;
    created.unwrap();
    let mut tx = world.store().read().await.unwrap();
    assert_eq!(
        tx.read_submissions()
            .unwrap()
            .form_places_taken(form)
            .await
            .unwrap(),
        Some(2)
    );
}

/// Submissions are resources only if their form uses grants.
async fn new_submissions_follow_the_current_kind_of_authorization(database: &Database) {
    for grant_based in [true, false] {
        let before = SubmissionRules {
            grant_based: !grant_based,
            ..any_state()
        };
        let (world, _, created) =
            submitted_while(database, before, move |server, form| async move {
                let turned = FormChange {
                    grant_based: Some(grant_based),
                    ..FormChange::default()
                };
                change(&server, form, turned).await;
            })
            .await;
        let resource = ResourceRef::submission(created.unwrap());
        let mut tx = world.store().read().await.unwrap();
        let found = tx.find_resource_of(&resource).await.unwrap();
        assert_eq!(found.is_some(), grant_based);
    }
}

async fn no_event_is_queued_for_a_webhook_disabled_in_between(database: &Database) {
    let world = World::on(database.open().await).await;
    let form = open_form(&world, any_state()).await;
    let url = world.webhooks().parse_url("https://example.org/").unwrap();
    let new = NewWebhook::of(form, url);
    let id = world.webhooks().create(SYSTEM, new).await.unwrap().0.id;
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    world.submissions().create(SYSTEM, new).await.unwrap();
    let interrupted = Arc::new(Interrupted {
        store: database.open().await,
        next: Mutex::default(),
    });
    let server = World::on(Arc::clone(&interrupted) as _).await;
    // Afterwards events have their positions, so that the next write queues them.
    let events = server.events();
    events.read(None, &EventFilter::default(), 1).await.unwrap();
    let formalize = world.formalize.clone();
    let happening = Box::pin(async move {
        let disabled = WebhookChange {
            enabled: Some(false),
            ..WebhookChange::default()
        };
        let update = formalize.webhooks().update(SYSTEM, id, disabled).await;
        update.unwrap();
    });
    *interrupted.next.lock().unwrap() = Some(happening);
    server.webhooks().claim(0).await.unwrap();
    assert!(
        interrupted.next.lock().unwrap().is_none(),
        "the callback must have run"
    );
    let view = world.webhooks().get(SYSTEM, id).await.unwrap();
    assert_eq!(view.num_pending, 0);
}

async fn an_export_has_the_columns_of_its_snapshot(database: &Database) {
    let world = World::on(database.open().await).await;
    let form = open_form(&world, any_state()).await;
    let interrupted = Arc::new(Interrupted {
        store: database.open().await,
        next: Mutex::default(),
    });
    let server = World::on(Arc::clone(&interrupted) as _).await;
    let formalize = world.formalize.clone();
    let happening = Box::pin(async move {
        let schema = r#"{"properties": {"name": {"type": "string"}}}"#;
        let asking = FormChange {
            data_feed_schema: Change::Set(schema.to_owned()),
            ..FormChange::default()
        };
        change(&formalize, form, asking).await;
        let new = new_submission(form, r#"{"name": "Ann"}"#, SubmissionState::Submitted);
        let created = formalize.submissions().create(SYSTEM, new).await;
        created.unwrap();
    });
    *interrupted.next.lock().unwrap() = Some(happening);
    let (submissions, all) = (server.submissions(), SubmissionFilter::default());
    let mut export = submissions.export(SYSTEM, form, &all, "en").await.unwrap();
    assert!(
        interrupted.next.lock().unwrap().is_none(),
        "the callback must have run"
    );
    let columns = export.columns();
    let names: Vec<_> = columns
        .leaves()
        .iter()
        .map(formalize_core::export::Column::name)
        .collect();
    assert_eq!(names, ["name"]);
    assert_eq!(export.next().await.unwrap().unwrap().len(), 1);
}
