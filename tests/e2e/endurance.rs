//! A few kills and outages under mixed load; `tests/soak` runs many more.

use std::time::Duration;

use formalize_tests::endurance::{Fault, Site};
use formalize_tests::stores::sqlite_connection;

/// A fixed random seed; `tests/soak` uses others.
const SEED: u64 = 20_261_121;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_a_server_on_sqlite_is_killed() {
    let mut site = Site::on_sqlite(SEED).await.unwrap();
    for _ in 0..5 {
        site.inject(Fault::KillServer).await.unwrap();
    }
    while site.figures().acknowledged < 100 {
        site.work(Duration::from_secs(1)).await.unwrap();
    }
    site.settle().await.unwrap();
    let figures = site.figures();
    site.end().await.unwrap();
    assert_eq!((figures.kills, figures.lost), (5, 0));
    assert!(figures.acknowledged > 50, "{figures}");
    let consumed = figures.events.min(figures.deliveries);
    assert!(consumed > 20 && figures.exports > 5, "{figures}");
    assert!(figures.files > 0, "{figures}");
}

/// Without this check, the other tests would prove nothing.
#[tokio::test(flavor = "multi_thread")]
async fn lost_and_partial_writes_are_detected() {
    for (lost, said) in [
        (
            "UPDATE formalize_forms SET name = 'another'",
            "acknowledged:",
        ),
        (
            "UPDATE formalize_submission_places SET taken = taken + 1",
            "submissions of",
        ),
        (
            "UPDATE formalize_groups SET name_folded = 'x'",
            "the database is not as it must be",
        ),
    ] {
        let mut site = Site::on_sqlite(SEED).await.unwrap();
        while site.records() < 60 {
            site.work(Duration::from_millis(300)).await.unwrap();
        }
        sqlite_connection(site.url()).execute_batch(lost).unwrap();
        let noticed = site.compare().await.unwrap_err().to_string();
        assert!(noticed.contains(said), "{lost}: {noticed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_contents_and_those_of_no_file_are_detected() {
    let mut site = Site::on_sqlite(SEED).await.unwrap();
    let content = loop {
        site.work(Duration::from_millis(300)).await.unwrap();
        let contents = site.contents().unwrap();
        if let Some(content) = contents.into_iter().next() {
            break content;
        }
    };
    let moved = content.with_file_name("of-no-file");
    std::fs::copy(&content, &moved).unwrap();
    let noticed = site.compare_damaged().await.unwrap_err().to_string();
    assert!(noticed.contains("of-no-file"), "{noticed}");
    std::fs::rename(&moved, &content).unwrap();
    site.compare().await.unwrap();
    std::fs::remove_file(&content).unwrap();
    let noticed = site.compare().await.unwrap_err().to_string();
    assert!(noticed.contains("/content answers 500"), "{noticed}");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn nothing_is_lost_when_a_server_and_postgresql_are_killed() {
    let mut site = Site::on_postgres(SEED).await.unwrap();
    for fault in [
        Fault::KillBoth,
        Fault::StopDatabase,
        Fault::KillBoth,
        Fault::KillServer,
        Fault::HangDatabase,
    ] {
        site.inject(fault).await.unwrap();
    }
    while site.figures().acknowledged < 100 {
        site.work(Duration::from_secs(1)).await.unwrap();
    }
    site.settle().await.unwrap();
    let figures = site.figures();
    site.end().await.unwrap();
    assert_eq!((figures.kills, figures.outages), (3, 2));
    assert!(figures.acknowledged > 50, "{figures}");
}
