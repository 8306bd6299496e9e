//! Guarantees for concurrent callers on servers that share nothing but the database.

use std::sync::Arc;

use formalize_core::{
    Action, Caller, Error, FormId, Formalize, ResourceFilter, ResourceRef, Result, Subject,
    SubmissionRules, SubmissionState,
};
use formalize_tests::stores::Database;
use formalize_tests::world::{World, everything};
use tokio::sync::Barrier;

mod authorization;
mod between;
mod event_order;
mod files;
mod keys;
mod revisions;
mod start;
mod submissions;
mod webhooks;

/// How often to run a race whose outcome depends on timing.
const ROUNDS: usize = 15;

const SYSTEM: &Caller = &Caller::System;

/// Two servers on one database, each with its own connections.
struct Servers([World; 2]);

impl Servers {
    async fn on(database: &Database) -> Self {
        Self([
            World::on(database.open().await).await,
            World::on(database.open().await).await,
        ])
    }

    fn one(&self) -> &World {
        &self.0[0]
    }

    /// Runs tasks at the same time, alternating between the servers, and returns their results.
    async fn race<T: Send + 'static, F>(
        &self,
        number: usize,
        task: impl Fn(usize, Formalize) -> F,
    ) -> Vec<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let start = Arc::new(Barrier::new(number));
        let spawn = |index: usize| {
            let start = Arc::clone(&start);
            let task = task(index, self.0[index % 2].formalize.clone());
            tokio::spawn(async move {
                start.wait().await;
                task.await
            })
        };
        let tasks: Vec<_> = (0..number).map(spawn).collect();
        let mut outcomes = Vec::new();
        for task in tasks {
            outcomes.push(task.await.unwrap());
        }
        outcomes
    }
}

/// Returns how many succeeded. The others must have failed as expected.
fn successes<T: std::fmt::Debug>(
    outcomes: &[Result<T>],
    expected: impl Fn(&Error) -> bool,
) -> usize {
    let failures = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    for failure in failures {
        assert!(expected(failure), "{failure:?}");
    }
    outcomes.iter().filter(|outcome| outcome.is_ok()).count()
}

fn any_state() -> SubmissionRules {
    SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

async fn open_form(world: &World, rules: SubmissionRules) -> FormId {
    let form = world.form(rules).await;
    let resource = ResourceRef::form(form);
    world
        .grant_to("alice", &Action::CREATE_SUBMISSIONS, &resource)
        .await;
    form
}

async fn grants_on(world: &World, resource: &ResourceRef) -> Vec<(Subject, Action)> {
    let filter = ResourceFilter::of(resource.clone());
    let grants = world.grants();
    let page = grants.list(SYSTEM, &filter, &everything()).await.unwrap();
    let grants = page.items.into_iter().map(|it| it.item);
    grants.map(|it| (it.subject, it.action)).collect()
}
