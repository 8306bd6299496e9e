//! Promises 5, 6 and 11 about the tags of submissions.

use std::sync::Arc;

use formalize_core::SubmissionState::{Draft, Submitted};
use formalize_core::store::scope::SubmissionScope;
use formalize_core::store::{Principal, Selection, Store, StoreResult, Window};
use formalize_core::{Action, Submission};

use crate::store::list::List;
use crate::store::samples::{
    Ids, creator_based, grant_based, holder, states, subjects, tags, user,
};
use crate::store::scene::Scene;
use formalize_core::internals::scopes::{every_submission, no_submission};

const EXACTLY: &str = "promise 11: exactly the rows of the scope with the tag";

async fn set(store: &dyn Store, submission: &Submission, texts: &[&str]) -> StoreResult<()> {
    let mut tx = store.write().await?;
    let tags = tags(texts);
    tx.write_submissions()?
        .set_tags(submission.id, submission.form, &tags)
        .await?;
    tx.commit().await
}

/// Fails unless a submission has exactly these tags, in this order, with every way of reading it.
async fn must_have(store: &dyn Store, submission: &Submission, texts: &[&str]) -> StoreResult<()> {
    let expected = Submission {
        tags: tags(texts),
        ..submission.clone()
    };
    let (nobody, none) = (user("nobody"), subjects([]));
    let principal = Principal {
        user: &nobody,
        subjects: &none,
    };
    let mut tx = store.write().await?;
    let found = tx
        .read_submissions()?
        .find_submission(submission.id)
        .await?;
    assert_eq!(found.as_ref(), Some(&expected), "promise 5: found");
    let found = tx
        .read_submissions()?
        .find_submission_for(submission.id, principal)
        .await?;
    let found = found.map(|found| found.submission);
    assert_eq!(found.as_ref(), Some(&expected), "promise 5: for somebody");
    let everything = every_submission();
    let all = Selection::default();
    let listed = tx
        .read_submissions()?
        .submissions(submission.form, &everything, all, Window::ALL);
    assert!(listed.await?.contains(&expected), "promise 5: listed");
    let found = tx
        .write_submissions()?
        .lock_submission_exclusive(submission.id)
        .await?;
    assert_eq!(found.as_ref(), Some(&expected), "promise 5: locked");
    Ok(())
}

/// Promise 5: tags come back in their order, and replacing a submission keeps them.
pub async fn tags_come_back_with_their_submissions(store: Arc<dyn Store>) -> StoreResult<()> {
    let ids = Ids::default();
    let mut scene = Scene::begin(&*store, &ids).await?;
    let form = scene.form(creator_based(&[])).await?.form;
    let submission = scene.submission(&form, &user("alice"), Draft).await?;
    let other = scene.submission(&form, &user("alice"), Draft).await?;
    scene.commit().await?;
    must_have(&*store, &submission, &[]).await?;
    let strange = ["b", "a", "\"[]\\'", "👩\u{200d}🚀 é e\u{301}", "null"];
    set(&*store, &submission, &strange).await?;
    must_have(&*store, &submission, &strange).await?;
    must_have(&*store, &other, &[]).await?;
    let changed = Submission {
        data: Some(r#"{"a": 1}"#.into()),
        state: Submitted,
        revision: ids.revision(),
        ..submission
    };
    let mut tx = store.write().await?;
    tx.write_submissions()?.update_submission(&changed).await?;
    tx.commit().await?;
    must_have(&*store, &changed, &strange).await?;
    set(&*store, &changed, &["a"]).await?;
    must_have(&*store, &changed, &["a"]).await?;
    set(&*store, &changed, &[]).await?;
    must_have(&*store, &changed, &[]).await
}

/// Promise 11: exactly the submissions of the form that have the tag and are in the scope.
pub async fn submissions_by_tag(store: Arc<dyn Store>) -> StoreResult<()> {
    let mut scene = Scene::begin(&*store, &Ids::default()).await?;
    let form = scene.form(grant_based(&[])).await?.form;
    let other = scene.form(creator_based(&[])).await?.form;
    let (alice, bob) = (user("alice"), user("bob"));
    let draft = scene.submission(&form, &alice, Draft).await?;
    let sent = scene.submission(&form, &alice, Submitted).await?;
    let shared = scene.shared_submission(&form, &bob, Submitted).await?;
    let untagged = scene.submission(&form, &alice, Submitted).await?;
    let elsewhere = scene.submission(&other, &alice, Submitted).await?;
    let carol = holder("carol");
    for action in [Action::READ, Action::MANAGE] {
        scene.grant(&carol, action, &shared.resource).await?;
    }
    scene.commit().await?;
    let of_bob = shared.submission;
    for submission in [&draft, &sent, &of_bob, &elsewhere] {
        set(&*store, submission, &["x", "y"]).await?;
    }
    set(&*store, &untagged, &["X"]).await?;
    let everything = every_submission();
    let nothing = no_submission();
    let own = SubmissionScope {
        created: Some((alice.clone(), states(&[Draft]))),
        ..nothing.clone()
    };
    let actions = vec![Action::READ, Action::MANAGE];
    let granted = SubmissionScope {
        granted: Some((subjects([carol]), actions, states(&[Submitted]))),
        ..own.clone()
    };
    let ids = |submissions: &[&Submission]| {
        let ids = submissions.iter().map(|submission| submission.id.as_uuid());
        ids.collect::<Vec<_>>()
    };
    for (scope, creator, tag, expected) in [
        (&everything, None, "x", ids(&[&draft, &sent, &of_bob])),
        (&everything, Some("alice"), "x", ids(&[&draft, &sent])),
        (&everything, None, "X", ids(&[&untagged])),
        (&everything, None, "z", vec![]),
        (&everything, None, "\u{0}", vec![]),
        (&own, None, "y", ids(&[&draft])),
        (&own, Some("bob"), "y", vec![]),
        (&granted, None, "x", ids(&[&draft, &of_bob])),
        (&granted, Some("bob"), "x", ids(&[&of_bob])),
        (&nothing, None, "x", vec![]),
    ] {
        let creator = creator.map(str::to_owned);
        List::Tagged(form.id, scope.clone(), creator, tag.to_owned())
            .must_hold(&*store, &expected, EXACTLY)
            .await?;
    }
    set(&*store, &sent, &["y"]).await?;
    let mut tx = store.write().await?;
    tx.write_submissions()?.delete_submission(&of_bob).await?;
    tx.commit().await?;
    List::Tagged(form.id, everything, None, "x".to_owned())
        .must_hold(&*store, &ids(&[&draft]), EXACTLY)
        .await
}
