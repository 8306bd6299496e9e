//! Kills and outages under mixed load, a few of them; `tests/soak` goes on for longer.

use std::time::Duration;

use formalize_tests::endurance::{Blow, Site};

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
