//! The order of events on PostgreSQL, where transactions overlap.

use formalize_core::{
    SubmissionRules, SubmissionState, UuidV7Source,
    events::{EventFilter, EventId, NewEvent},
};
use formalize_tests::stores::Database;
use formalize_tests::world::{START, World, instant};
use sqlx::{Connection as _, PgConnection, Row as _};

/// A transaction gets its number with its first lock, here on the form. The one with the lower number waits until the other
/// has committed its change of the submission. The numbers order the changes wrongly, and the log orders them rightly.
#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn changes_have_the_order_of_their_commits_and_not_of_their_transactions() {
    let database = Database::postgres().await;
    let world = World::on(database.open().await).await;
    let form = world.form(SubmissionRules::default()).await;
    let id = world
        .submission("ann", form, SubmissionState::Submitted)
        .await;
    let start = world.events().extent().await.unwrap().last;
    let ids = UuidV7Source::new();
    let event = |submission| {
        let id = EventId::from_uuid(ids.next(instant(START)));
        NewEvent::of_submission(id, submission)
    };

    let mut first = world.store().write().await.unwrap();
    first.write_forms().unwrap().lock_form(form).await.unwrap();
    let mut second = world.store().write().await.unwrap();
    second.write_forms().unwrap().lock_form(form).await.unwrap();
    let mut row = second
        .write_submissions()
        .unwrap()
        .lock_submission_exclusive(id)
        .await
        .unwrap()
        .unwrap();
    row.data = Some("2".into());
    second
        .write_submissions()
        .unwrap()
        .update_submission(&row)
        .await
        .unwrap();
    let of_second = event(&row);
    second
        .write_events()
        .unwrap()
        .append_event(&of_second)
        .await
        .unwrap();
    second.commit().await.unwrap();
    let mut row = first
        .write_submissions()
        .unwrap()
        .lock_submission_exclusive(id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        row.data.as_deref(),
        Some("2"),
        "the first transaction changes it last"
    );
    row.data = Some("1".into());
    first
        .write_submissions()
        .unwrap()
        .update_submission(&row)
        .await
        .unwrap();
    let of_first = event(&row);
    first
        .write_events()
        .unwrap()
        .append_event(&of_first)
        .await
        .unwrap();
    first.commit().await.unwrap();

    let mut connection = PgConnection::connect(&database.url()).await.unwrap();
    let numbers = "SELECT id FROM formalize_event_arrivals ORDER BY xmin::text::bigint";
    let rows = sqlx::query(numbers)
        .fetch_all(&mut connection)
        .await
        .unwrap();
    let by_number: Vec<uuid::Uuid> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(by_number, [of_first.id, of_second.id].map(EventId::as_uuid));

    let (events, everything) = (world.events(), EventFilter::default());
    let page = events.read(Some(start), &everything, 10).await.unwrap();
    let logged: Vec<EventId> = page.events.iter().map(|event| event.id).collect();
    assert_eq!(logged, [of_second.id, of_first.id]);
}
