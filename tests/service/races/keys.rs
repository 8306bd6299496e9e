//! Requests that are sent several times at the same time.

use std::collections::BTreeSet;

use formalize_core::{
    Caller, Error, Fingerprint, FormId, Formalize, IdempotencyKey, KeyedRequest, Once, Result,
    Submission, SubmissionCap, SubmissionRules, SubmissionState, Viewed,
};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;
use formalize_tests::world::{everything, new_submission, user};

use super::{ROUNDS, SYSTEM, Servers, any_state, open_form};

on_every_database! {
    fifty_equal_requests_create_one_submission,
    the_last_place_is_taken_once,
    of_different_requests_one_is_performed,
}

fn request(key: &str, content: u8) -> KeyedRequest {
    KeyedRequest {
        key: IdempotencyKey::new(key).unwrap(),
        fingerprint: Fingerprint([content; 32]),
        retention: std::time::Duration::from_hours(1),
    }
}

/// The identifier of the submission that was created by this request, or before.
async fn send(
    server: &Formalize,
    caller: &Caller,
    form: FormId,
    request: &KeyedRequest,
) -> Result<String> {
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let response = |view: &Viewed<Submission>| view.item.id.to_string();
    let submissions = server.submissions();
    let outcome = submissions
        .create_once(caller, new, Some(request), &response)
        .await?;
    Ok(match outcome {
        Once::Done(view) => view.item.id.to_string(),
        Once::Repeated(response) => response,
    })
}

async fn fifty_equal_requests_create_one_submission(database: &Database) {
    let servers = Servers::on(database).await;
    for grant_based in [false, true] {
        let rules = SubmissionRules {
            grant_based,
            ..any_state()
        };
        let form = open_form(servers.one(), rules).await;
        let key = form.to_string();
        let outcomes = servers
            .race(50, |_, server| {
                let request = request(&key, 1);
                async move { send(&server, &user("alice"), form, &request).await }
            })
            .await;
        let answers: BTreeSet<String> = outcomes.into_iter().map(Result::unwrap).collect();
        assert_eq!(answers.len(), 1);
        let submissions = servers.one().submissions();
        let (all, page) = (formalize_core::SubmissionFilter::default(), everything());
        let list = submissions.list(SYSTEM, form, &all, &page).await.unwrap();
        let ids: Vec<String> = list.items.iter().map(|it| it.item.id.to_string()).collect();
        assert_eq!(ids, Vec::from_iter(answers));
    }
}

/// Whoever loses the race for the last place against the same request gets its response.
async fn the_last_place_is_taken_once(database: &Database) {
    let servers = Servers::on(database).await;
    for round in 0..ROUNDS {
        let rules = SubmissionRules {
            cap: SubmissionCap::new(1).ok(),
            ..any_state()
        };
        let form = open_form(servers.one(), rules).await;
        let key = format!("last place {round}");
        let outcomes = servers
            .race(8, |_, server| {
                let request = request(&key, 1);
                async move { send(&server, &user("alice"), form, &request).await }
            })
            .await;
        let answers: BTreeSet<String> = outcomes.into_iter().map(Result::unwrap).collect();
        assert_eq!(answers.len(), 1);
    }
}

async fn of_different_requests_one_is_performed(database: &Database) {
    let servers = Servers::on(database).await;
    let form = open_form(servers.one(), any_state()).await;
    for round in 0..ROUNDS {
        let key = format!("different {round}");
        let outcomes = servers
            .race(4, |number, server| {
                let request = request(&key, u8::try_from(number).unwrap());
                async move { send(&server, &user("alice"), form, &request).await }
            })
            .await;
        let reused = |it: &Error| matches!(it, Error::IdempotencyKeyReused);
        assert_eq!(super::successes(&outcomes, reused), 1);
    }
}
