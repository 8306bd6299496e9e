//! Promises 17 to 19: the positions of events, whatever the number of transactions.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use formalize_core::store::{EventWindow, Store, StoreResult, Window};
use formalize_core::{
    FormId, SubmissionId, SubmissionState,
    events::{Event, EventFilter, EventId, EventType},
};

use crate::store::dump::submissions;
use crate::store::event_log::{log, place, submissions_of};
use crate::store::events::{to_form, to_group, to_submission};
use crate::store::samples::{Ids, creator_based, user};
use crate::store::scene::Scene;
use crate::store::tasks::{joined, pause, together};

const WRITERS: usize = 8;
const ROUNDS: usize = 12;

/// Appends events, some of them in transactions that are dropped, and returns those that were committed.
async fn write(store: &dyn Store, ids: &Ids, number: usize) -> StoreResult<Vec<EventId>> {
    let mut committed = Vec::new();
    for round in 0..ROUNDS {
        let mut scene = Scene::begin(store, ids).await?;
        let group = scene.group("a group").await?;
        let event = ids.event(to_group(EventType::GroupCreated, group.id()));
        scene.tx.write_events()?.append_event(&event).await?;
        if (number + round).is_multiple_of(3) {
            pause().await;
        }
        if (number + round).is_multiple_of(4) {
            drop(scene);
        } else {
            scene.commit().await?;
            committed.push(event.id);
        }
    }
    Ok(committed)
}

/// Follows the log until all was written, and returns what it has read.
async fn follow(store: Arc<dyn Store>, is_over: Arc<AtomicBool>) -> StoreResult<Vec<Event>> {
    let mut read: Vec<Event> = Vec::new();
    loop {
        let was_over = is_over.load(Ordering::SeqCst);
        place(&*store).await?;
        let mut tx = store.read().await?;
        let window = EventWindow {
            after: i64::try_from(read.len()).unwrap_or(i64::MAX),
            to: i64::MAX,
            limit: 5,
        };
        let page = tx
            .read_events()?
            .events(window, &EventFilter::default())
            .await?;
        if page.is_empty() && was_over {
            return Ok(read);
        }
        read.extend(page);
        pause().await;
    }
}

/// Promise 17: readers that follow the log while it is written find each committed event once, without gaps, and all find
/// the same.
pub async fn positions_are_dense_and_final(store: Arc<dyn Store>) -> StoreResult<()> {
    let (ids, is_over) = (Ids::default(), Arc::new(AtomicBool::new(false)));
    let readers: Vec<_> = (0..2)
        .map(|_| tokio::spawn(follow(Arc::clone(&store), Arc::clone(&is_over))))
        .collect();
    let writers = together(WRITERS, |number| {
        let (store, ids) = (Arc::clone(&store), ids.clone());
        async move { write(&*store, &ids, number).await }
    });
    let written = writers.await?;
    is_over.store(true, Ordering::SeqCst);
    let all = log(&*store).await?;
    let mut expected: Vec<EventId> = written.into_iter().flatten().collect();
    let mut found: Vec<EventId> = all.iter().map(|event| event.id).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "promises 16 and 17: each once");
    for reader in readers {
        assert_eq!(joined(reader).await?, all, "promise 17: final");
    }
    Ok(())
}

/// Promise 18: transactions that change a record wait for each other, and their events have the order of the commits. The
/// data of the record counts its changes.
pub async fn changes_of_a_record_are_in_order(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    let ann = user("ann");
    let mut rows = Vec::new();
    for _ in 0..3 {
        let mut row = ids.submission(&form, &ann, SubmissionState::Draft);
        row.data = Some("0".into());
        scene.insert_submission(&row).await?;
        rows.push(row.id);
    }
    scene.commit().await?;
    let tasks = together(WRITERS, |number| {
        let (store, ids, rows) = (Arc::clone(&store), ids.clone(), rows.clone());
        async move {
            let mut made = Vec::new();
            for round in 0..ROUNDS {
                if let Some(id) = rows.get((number + round) % rows.len()) {
                    let (change, event) = change(&*store, &ids, form.id, *id).await?;
                    made.push((*id, change, event));
                }
            }
            Ok(made)
        }
    });
    let mut made: Vec<_> = tasks.await?.into_iter().flatten().collect();
    made.sort_unstable();
    let position = positions(&log(&*store).await?);
    for (before, after) in made.iter().zip(made.iter().skip(1)) {
        let in_order = position.get(&before.2) < position.get(&after.2);
        assert!(before.0 != after.0 || in_order, "promise 18: {after:?}");
    }
    assert_eq!(position.len(), WRITERS * ROUNDS);
    Ok(())
}

/// Changes a submission, and returns the number of the change and its event.
async fn change(
    store: &dyn Store,
    ids: &Ids,
    form: FormId,
    id: SubmissionId,
) -> StoreResult<(u64, EventId)> {
    let mut tx = store.write().await?;
    tx.write_forms()?.lock_form(form).await?;
    let found = tx
        .write_submissions()?
        .lock_submission_exclusive(id)
        .await?;
    let Some(mut row) = found else {
        panic!("the submission exists");
    };
    let count = row.data.as_deref().and_then(|data| data.parse().ok());
    let change: u64 = count.unwrap_or(0) + 1;
    row.data = Some(change.to_string().into());
    tx.write_submissions()?.update_submission(&row).await?;
    let event = ids.event(to_submission(
        EventType::DraftUpdated,
        &row,
        &row.last_modified_by,
    ));
    tx.write_events()?.append_event(&event).await?;
    pause().await;
    tx.commit().await?;
    Ok((change, event.id))
}

fn positions(events: &[Event]) -> BTreeMap<EventId, i64> {
    let events = events.iter();
    events.map(|event| (event.id, event.sequence)).collect()
}

/// Promise 19: a change that begins after another one was acknowledged has a higher position.
pub async fn changes_are_in_the_order_in_which_they_are_observed(
    store: Arc<dyn Store>,
) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    scene.commit().await?;
    let tasks = together(WRITERS, |number| {
        let (store, ids, form) = (Arc::clone(&store), ids.clone(), form.clone());
        async move {
            let creator = user(&format!("user {number}"));
            let mut made = Vec::new();
            for round in 0..ROUNDS {
                let row = ids.submission(&form, &creator, SubmissionState::Submitted);
                let event = EventId::from_uuid(ids.next());
                if round % 3 == 0 {
                    let mut tx = store.write().await?;
                    tx.write_submissions()?
                        .submit(&row, form.revision, None, None, Some(event))
                        .await?;
                    pause().await;
                    tx.commit().await?;
                } else {
                    store
                        .submit(&row, form.revision, None, None, Some(event), &[])
                        .await?;
                }
                made.push(event);
                if round % 5 == 0 {
                    place(&*store).await?;
                }
            }
            Ok(made)
        }
    });
    let made = tasks.await?;
    let position = positions(&log(&*store).await?);
    for of_one in made {
        let positions: Vec<_> = of_one.iter().map(|event| position.get(event)).collect();
        assert!(positions.is_sorted(), "promise 19: {positions:?}");
    }
    Ok(())
}

/// Promise 18: every submission that a deletion of all took along has its event before that of the deletion, and every one
/// that it left has it behind.
pub async fn the_end_of_a_form_is_behind_its_submissions(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    scene.commit().await?;
    let tasks = together(WRITERS, |number| {
        let (store, ids, form) = (Arc::clone(&store), ids.clone(), form.clone());
        async move {
            for _ in 0..ROUNDS {
                if number == 0 {
                    let mut tx = store.write().await?;
                    tx.write_forms()?.lock_form_exclusive(form.id).await?;
                    pause().await;
                    let cleared = ids.event(to_form(EventType::FormCleared, form.id));
                    tx.write_events()?.append_event(&cleared).await?;
                    tx.write_submissions()?.delete_submitted(form.id).await?;
                    tx.commit().await?;
                } else {
                    let creator = user(&format!("user {number}"));
                    let row = ids.submission(&form, &creator, SubmissionState::Submitted);
                    let event = Some(EventId::from_uuid(ids.next()));
                    store
                        .submit(&row, form.revision, None, None, event, &[])
                        .await?;
                }
            }
            Ok(())
        }
    });
    tasks.await?;
    let events = log(&*store).await?;
    let cleared = |event: &Event| event.event_type == EventType::FormCleared;
    let last = events.iter().rposition(cleared).map_or(0, |at| at + 1);
    let mut left = submissions_of(events.get(last..).unwrap_or_default());
    let mut rows = Vec::new();
    let all = submissions(form.id);
    for row in all.rows(&mut *store.read().await?, Window::ALL).await? {
        rows.push(row.id());
    }
    left.sort_unstable();
    rows.sort_unstable();
    assert_eq!(
        left, rows,
        "promise 18: what is left came after the last clearing"
    );
    Ok(())
}
