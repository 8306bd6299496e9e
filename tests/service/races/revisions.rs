//! Races between conditional changes.

use formalize_core::{
    Error, Expected, FormChange, Formalize, GroupChange, Result, SubmissionChange, SubmissionState,
};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;

use super::{SYSTEM, Servers, any_state, open_form, successes};

on_every_database! {
    one_of_sixteen_concurrent_changes_of_a_group_succeeds,
    one_of_sixteen_concurrent_changes_of_a_form_succeeds,
    one_of_sixteen_concurrent_changes_of_a_submission_succeeds,
    changes_of_the_expected_revision_succeed,
}

const WRITERS: usize = 16;

/// How often the writers race. The state that the winner of a round wrote is the state that all have read in the next
/// one.
const ROUNDS: usize = 4;

/// All callers change the same state. The stored state must be that of the last one that succeeded.
async fn race<F>(servers: &Servers, change: impl Fn(Formalize) -> F)
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let outcomes = servers.race(WRITERS, |_, server| change(server)).await;
    let changed = successes(&outcomes, |it| matches!(it, Error::RevisionMismatch));
    assert_eq!(changed, 1);
}

async fn one_of_sixteen_concurrent_changes_of_a_group_succeeds(database: &Database) {
    let servers = Servers::on(database).await;
    let group = servers.one().group("Group").await;
    for _ in 0..ROUNDS {
        let read = servers
            .one()
            .groups()
            .get(SYSTEM, group)
            .await
            .unwrap()
            .item;
        race(&servers, |server| async move {
            let (group, change) = (read.id.at(read.revision), GroupChange::default());
            server
                .groups()
                .update(SYSTEM, group, change)
                .await
                .map(drop)
        })
        .await;
    }
}

async fn one_of_sixteen_concurrent_changes_of_a_form_succeeds(database: &Database) {
    let servers = Servers::on(database).await;
    let form = servers.one().form(any_state()).await;
    for _ in 0..ROUNDS {
        let read = servers.one().forms().get(SYSTEM, form).await.unwrap().item;
        race(&servers, |server| async move {
            let (form, change) = (form.at(read.revision), FormChange::default());
            server.forms().update(SYSTEM, form, change).await.map(drop)
        })
        .await;
    }
}

async fn one_of_sixteen_concurrent_changes_of_a_submission_succeeds(database: &Database) {
    let servers = Servers::on(database).await;
    let form = open_form(servers.one(), any_state()).await;
    let submission = servers
        .one()
        .submission("bob", form, SubmissionState::Draft)
        .await;
    for _ in 0..ROUNDS {
        let read = servers
            .one()
            .submissions()
            .get(SYSTEM, submission)
            .await
            .unwrap()
            .item;
        race(&servers, |server| async move {
            let change = SubmissionChange {
                state: SubmissionState::Draft.into(),
                ..SubmissionChange::default()
            };
            let submission = submission.at(read.revision);
            server
                .submissions()
                .update(SYSTEM, submission, change)
                .await
                .map(drop)
        })
        .await;
    }
}

async fn changes_of_the_expected_revision_succeed(database: &Database) {
    let servers = Servers::on(database).await;
    for _ in 0..ROUNDS {
        let group = servers.one().group("Group").await;
        let read = servers
            .one()
            .groups()
            .get(SYSTEM, group)
            .await
            .unwrap()
            .item;
        let outcomes = servers
            .race(2, |index, server| async move {
                let group: Expected<_> = group.at(read.revision);
                match index {
                    0 => server.groups().delete(SYSTEM, group).await,
                    _ => server
                        .groups()
                        .update(SYSTEM, group, GroupChange::default())
                        .await
                        .map(drop),
                }
            })
            .await;
        let done = successes(&outcomes, |it| {
            matches!(it, Error::RevisionMismatch | Error::GroupNotFound(None))
        });
        assert_eq!(done, 1);
    }
}
