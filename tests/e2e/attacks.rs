//! Each attack for a second. The program `attacks` measures them; see `CONTRIBUTING.md`.

use formalize_tests::attacks::{Attack, Scene, Sizes, run};
use formalize_tests::client::Installation;
use formalize_tests::patience::LIMIT;

async fn others_are_served_beside_attacks(installation: Installation) {
    let scene = Scene::fill(installation, Sizes::SMALL).await.unwrap();
    for attack in Attack::ALL {
        let outcome = run(&scene, attack, 1).await.unwrap();
        assert!(!outcome.answers.is_empty(), "{attack:?}: {outcome}");
        // On a machine that is busy with other tests, and without optimization, times show only that nothing waits in a queue.
        let faults = outcome.faults(f64::INFINITY, LIMIT);
        assert!(faults.is_empty(), "{attack:?}: {faults:?}: {outcome}");
    }
}

#[tokio::test]
async fn others_are_served_beside_attacks_on_sqlite() {
    others_are_served_beside_attacks(Installation::on_sqlite().await.unwrap()).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn others_are_served_beside_attacks_on_postgres() {
    others_are_served_beside_attacks(Installation::on_postgres().await.unwrap()).await;
}
