//! The steps of maintenance.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::statistics::MaintenanceStep as Step;
use formalize_core::{Store, SubmissionRules};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::on_every_store;
use formalize_tests::world::{Setup, World, new_session};

use super::SYSTEM;

on_every_store! {
    a_step_that_fails_does_not_stop_the_others,
    a_lost_connection_ends_the_run,
}

/// Each step, and a method of the store that it calls. The last step but one also counts arrivals.
const STEPS: [(Step, &str); 10] = [
    (Step::Sessions, "delete_ended_sessions"),
    (Step::Keys, "delete_expired_responses"),
    (Step::Arrivals, "event_arrivals"),
    (Step::Webhooks, "delete_ended_webhooks"),
    (Step::Pending, "pending_deliveries"),
    (Step::Deliveries, "delete_deliveries"),
    (Step::Attempts, "delete_attempts"),
    (Step::Data, "unneeded_data"),
    (Step::Events, "delete_events"),
    (Step::Remains, "delete_remains"),
];

async fn a_step_that_fails_does_not_stop_the_others(store: Arc<dyn Store>) {
    let store = FailingStore::around(store);
    let world = World::on(Arc::new(store.clone())).await;
    assert_eq!(STEPS.map(|(step, _)| step), Step::ALL);
    for (step, method) in STEPS {
        // Work for the first step, and for the last but one.
        let begun = world.sessions().create(SYSTEM, new_session("alice")).await;
        begun.unwrap();
        let form = world.form(SubmissionRules::default()).await;
        world.wait(Duration::from_hours(24 * 8));
        let before = world.statistics().maintenance;
        store.fail_at(method, Failure::Failed);
        assert!(world.maintain().await.is_err(), "{method}");
        store.recover();

        let after = world.statistics().maintenance;
        let mut failing = vec![step];
        failing.extend((step == Step::Arrivals).then_some(Step::Events));
        assert_eq!(after.steps.failing().collect::<Vec<_>>(), failing);
        for (other, failures) in after.steps.failures() {
            let earlier = before.steps.failures().find(|(step, _)| *step == other);
            let expected = earlier.unwrap().1 + u64::from(failing.contains(&other));
            assert_eq!(failures, expected, "{other:?} after {step:?}");
        }
        let is_purged = !failing.contains(&Step::Events);
        assert_eq!(after.events > before.events, is_purged, "{step:?}");
        let sessions = world.maintain().await.unwrap().sessions;
        assert_eq!(sessions, u64::from(step == Step::Sessions), "{step:?}");
        assert_eq!(world.statistics().maintenance.steps.failing().count(), 0);
        world.forms().delete(SYSTEM, form).await.unwrap();
    }
}

async fn a_lost_connection_ends_the_run(store: Arc<dyn Store>) {
    let store = FailingStore::around(store);
    let setup = Setup {
        retry_time: Some(Duration::ZERO),
        ..Setup::default()
    };
    let world = World::with(Arc::new(store.clone()), setup).await;
    for (at, (step, method)) in STEPS.into_iter().enumerate() {
        world.maintain().await.unwrap();
        // Work for the last step but one.
        world.form(SubmissionRules::default()).await;
        world.wait(Duration::from_hours(24 * 8));
        // The store could be used again at once.
        store.fail_at(method, Failure::DisconnectedOnce);
        assert!(world.maintain().await.is_err(), "{method}");
        let steps = world.statistics().maintenance.steps;
        let failing: Vec<_> = steps.failing().collect();
        assert_eq!(failing, Step::ALL[at..], "{step:?}");
    }
}
