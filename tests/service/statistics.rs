//! Statistics must match what happened, also under concurrent load.

use formalize_core::store::Inserted;
use formalize_core::{
    Caller, Change, FormChange, Formalize, Store, SubmissionRules, SubmissionState,
};
use formalize_sql::{DatabaseKind, PoolStatistics, SqlStore, TransactionKind, TransactionOutcome};
use formalize_tests::stores::Database;
use formalize_tests::world::{new_form, new_submission};
use tokio::task::JoinSet;

const AT_ONCE: u64 = 64;

fn ended(store: &SqlStore, kind: TransactionKind, outcome: TransactionOutcome) -> u64 {
    let transactions = store.statistics().transactions;
    let row = transactions
        .iter()
        .find(|row| (row.kind, row.outcome) == (kind, outcome));
    row.map_or(0, |row| row.nanoseconds.count())
}

fn pool<'p>(pools: &'p [PoolStatistics], names: &[&str]) -> &'p PoolStatistics {
    pools
        .iter()
        .find(|pool| names.contains(&pool.name))
        .unwrap()
}

/// Writes a setting, and commits it or rolls it back.
async fn write(store: SqlStore, name: String, keep: bool) {
    let mut tx = store.write().await.unwrap();
    assert_eq!(tx.insert_setting(&name, "").await.unwrap(), Inserted::Done);
    if keep {
        tx.commit().await.unwrap();
    }
}

async fn transactions_are_counted(database: &Database) {
    use TransactionKind::{Read, Write};
    use TransactionOutcome::{Done, Failed, Undone};
    let store = database.open_sql().await;
    let mut writers = JoinSet::new();
    for number in 0..AT_ONCE {
        let keep = number % 4 != 0;
        writers.spawn(write(store.clone(), format!("{keep} {number}"), keep));
    }
    writers.join_all().await;
    let mut tx = store.read().await.unwrap();
    assert!(tx.find_setting("true 1").await.unwrap().is_some());
    let during = store.statistics().pools;
    assert_eq!(pool(&during, &["readers", "connections"]).in_use, 1);
    drop(tx);
    assert_eq!(ended(&store, Write, Done), AT_ONCE * 3 / 4);
    assert_eq!(ended(&store, Write, Undone), AT_ONCE / 4);
    assert_eq!(ended(&store, Read, Done), 1);
    let statistics = store.statistics();
    let waits = &pool(&statistics.pools, &["writer", "connections"]).wait_nanoseconds;
    assert!(waits.count() >= AT_ONCE && waits.sum() > 0);
    let batches = statistics.commit_batches;
    if store.kind() == DatabaseKind::Sqlite {
        assert_eq!(batches.sum(), AT_ONCE * 3 / 4);
        assert!(batches.count() < batches.sum(), "no COMMIT was shared");
    } else {
        assert_eq!(batches.sum(), 0, "only submissions share a statement");
    }
    store.close().await;
    assert!(store.write().await.is_err());
    assert_eq!(ended(&store, Write, Failed), 1);
}

mod sqlite {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn transactions_are_counted() {
        super::transactions_are_counted(&Database::sqlite().await).await;
    }
}

mod postgres {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    #[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
    async fn transactions_are_counted() {
        super::transactions_are_counted(&Database::postgres().await).await;
    }
}

#[tokio::test]
async fn a_schema_is_compiled_once_for_each_revision() {
    let store = Database::memory().open().await;
    let formalize = Formalize::builder(store).build().await.unwrap();
    let counted = || {
        let validators = formalize.statistics().validators;
        (validators.hits, validators.misses, validators.entries)
    };
    assert_eq!(counted(), (0, 0, 0));
    let (forms, submissions) = (formalize.forms(), formalize.submissions());
    let form = new_form("A form", SubmissionRules::default());
    let form = forms.create(&Caller::System, form).await.unwrap().item.id;
    let submit = async || {
        let submission = new_submission(form, "{}", SubmissionState::Submitted);
        submissions
            .create(&Caller::System, submission)
            .await
            .unwrap();
    };
    for _ in 0..3 {
        submit().await;
    }
    assert_eq!(counted(), (2, 1, 1));
    assert!(formalize.statistics().validators.bytes > 0);
    let schema = r#"{"type": "object"}"#.to_owned();
    let change = FormChange {
        data_feed_schema: Change::Set(schema),
        ..FormChange::default()
    };
    forms.update(&Caller::System, form, change).await.unwrap();
    submit().await;
    assert_eq!(counted(), (2, 2, 1));
}
