use sqlx::{Connection, PgConnection};

use super::*;
use crate::patience::until;

/// A location in a temporary folder with a short path.
fn place(idle: Duration) -> (tempfile::TempDir, Place) {
    let folder = tempfile::Builder::new()
        .prefix("formalize-cluster-")
        .tempdir_in("/tmp")
        .unwrap();
    fs::set_permissions(
        folder.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o711),
    )
    .unwrap();
    let programs = binaries::find().unwrap();
    let place = Place::at(folder.path().join("base"), programs, idle).unwrap();
    (folder, place)
}

/// Runs one query on a cluster.
async fn query(cluster: &Cluster) -> i32 {
    let socket = cluster.socket.to_str().unwrap();
    let url = format!("postgres://formalize@localhost/postgres?host={socket}");
    let mut connection = PgConnection::connect(&url).await.unwrap();
    sqlx::query_scalar("SELECT 40 + 2")
        .fetch_one(&mut connection)
        .await
        .unwrap()
}

/// The folders of clusters at a location.
fn folders(place: &Place) -> Vec<PathBuf> {
    let entries = fs::read_dir(&place.layout.base)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn a_cluster_is_shared_and_stops_when_unused() {
    let (_folder, place) = place(Duration::from_secs(1));
    let (first, keeper) = Cluster::join(&place).unwrap();
    let mut keeper = keeper.expect("the first starts it");
    let (second, none) = Cluster::join(&place).unwrap();
    assert!(none.is_none(), "the second finds it running");
    assert_eq!(first.socket, second.socket);

    drop(first);
    thread::sleep(Duration::from_secs(3));
    assert_eq!(query(&second).await, 42, "it runs on while it is used");

    drop(second);
    until("the end", async || folders(&place).is_empty()).await;
    assert!(keeper.wait().unwrap().success());
    assert!(!place.layout.host().exists());

    let (third, keeper) = Cluster::join(&place).unwrap();
    assert_eq!(query(&third).await, 42, "it starts again");
    drop(third);
    assert!(keeper.unwrap().wait().unwrap().success());
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn leftovers_of_a_crash_are_removed() {
    let (_folder, place) = place(Duration::from_secs(1));
    let (before, keeper) = Cluster::join(&place).unwrap();
    let mut keeper = keeper.unwrap();
    // Simulates a power failure, after which nothing cleans up.
    keeper.kill().unwrap();
    keeper.wait().unwrap();
    assert!(place.layout.host().exists());
    let remains = folders(&place);

    let (after, keeper) = Cluster::join(&place).unwrap();
    assert_ne!(after.socket, before.socket);
    assert_eq!(query(&after).await, 42);
    assert!(!remains.iter().any(|folder| folder.exists()));

    drop((before, after));
    assert!(keeper.unwrap().wait().unwrap().success());
}

#[test]
fn a_cluster_that_fails_to_start_reports_why() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::at(folder.path().join("base"), "/nowhere".into(), IDLE).unwrap();
    let error = Cluster::join(&place).unwrap_err().to_string();
    assert!(
        error.starts_with("PostgreSQL does not start: its keeper ended with "),
        "{error}"
    );
    assert!(error.contains("No such file"), "{error}");
}

#[test]
fn a_folder_of_another_user_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base");
    std::os::unix::fs::symlink("/", &base).unwrap();
    let error = Place::at(base.clone(), "/nowhere".into(), IDLE)
        .unwrap_err()
        .to_string();
    assert_eq!(error, format!("{} belongs to another user", base.display()));
}
