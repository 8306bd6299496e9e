//! Kills and outages under mixed load, a few of them; `tests/soak` goes on for longer.

use std::time::Duration;

use formalize_tests::endurance::{Blow, Site};
use sqlx::{Connection as _, SqliteConnection};

/// Chance, the same each time; `tests/soak` takes others.
const SEED: u64 = 20_261_121;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_a_server_on_sqlite_is_killed() {
    let mut site = Site::on_sqlite(SEED).await.unwrap();
    for _ in 0..5 {
        site.strike(Blow::KillServer).await.unwrap();
    }
    site.work(Duration::from_secs(1)).await.unwrap();
    let figures = site.figures();
    site.end().await.unwrap();
    assert_eq!((figures.kills, figures.lost), (5, 0));
    assert!(figures.acknowledged > 50, "{figures}");
}

/// Were this not noticed, the others would prove nothing.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_lost_or_there_by_halves_is_noticed() {
    for (lost, said) in [
        ("UPDATE forms SET name = 'another'", "acknowledged:"),
        (
            "UPDATE submission_places SET taken = taken + 1",
            "submissions of",
        ),
        (
            "UPDATE groups SET name_folded = 'x'",
            "the database is not as it must be",
        ),
    ] {
        let mut site = Site::on_sqlite(SEED).await.unwrap();
        while site.records() < 60 {
            site.work(Duration::from_millis(300)).await.unwrap();
        }
        let mut connection = SqliteConnection::connect(site.url()).await.unwrap();
        let statement = sqlx::raw_sql(lost);
        statement.execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let noticed = site.compare().await.unwrap_err().to_string();
        assert!(noticed.contains(said), "{lost}: {noticed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn nothing_is_lost_when_a_server_and_postgresql_are_killed() {
    let mut site = Site::on_postgres(SEED).await.unwrap();
    for blow in [
        Blow::KillBoth,
        Blow::StopDatabase,
        Blow::KillBoth,
        Blow::KillServer,
        Blow::HangDatabase,
    ] {
        site.strike(blow).await.unwrap();
    }
    site.work(Duration::from_secs(1)).await.unwrap();
    let figures = site.figures();
    site.end().await.unwrap();
    assert_eq!((figures.kills, figures.outages), (3, 2));
    assert!(figures.acknowledged > 50, "{figures}");
}
