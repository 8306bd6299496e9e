//! Races about submissions: caps, the rules of their form, and its schema.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use formalize_core::{
    Action, Change, Error, FormChange, FormId, Formalize, ResourceClass, ResourceFilter,
    ResourceRef, Result, SubmissionChange, SubmissionFilter, SubmissionId, SubmissionRules,
    SubmissionState,
    forms::{SubmissionCap, SubmissionLimit},
    links::{FormLink, LinkCap, NewFormLink},
};
use formalize_tests::on_every_database;
use formalize_tests::stores::Database;
use formalize_tests::world::{
    World, everything, holder, new_form_with, new_grant, new_submission, user,
};

use super::{ROUNDS, SYSTEM, Servers, any_state, grants_on, open_form, successes};

on_every_database! {
    concurrent_submissions_do_not_exceed_the_cap,
    concurrent_submissions_and_deletions_do_not_exceed_the_cap,
    concurrent_submissions_through_a_link_do_not_exceed_its_cap,
    concurrent_submissions_do_not_exceed_the_limit,
    concurrent_submissions_and_deletions_do_not_exceed_the_limit,
    submissions_made_while_a_limit_is_set_are_counted,
    submissions_match_the_kind_of_authorization_of_their_form,
    deleting_a_form_deletes_its_submissions,
    submissions_after_a_schema_change_match_the_new_schema,
    a_draft_is_submitted_or_deleted_but_not_both,
}

async fn concurrent_submissions_do_not_exceed_the_cap(database: &Database) {
    let servers = Servers::on(database).await;
    let form = open_form(servers.one(), capped(5)).await;
    let submit = |index, server: Formalize| async move {
        let state = SubmissionState::ALL[index / 2 % 2];
        let new = new_submission(form, "{}", state);
        server.submissions().create(&user("alice"), new).await
    };
    let outcomes = servers.race(64, submit).await;
    let created = successes(&outcomes, |it| matches!(it, Error::SubmissionCapReached));
    assert_eq!(created, 5);
    assert_eq!(submissions_of(servers.one(), form).await, 5);
}

/// Sixty-four requests for the last five places of a link. Another link to the form has places of its own.
async fn concurrent_submissions_through_a_link_do_not_exceed_its_cap(database: &Database) {
    let servers = Servers::on(database).await;
    for grant_based in [false, true] {
        let rules = SubmissionRules {
            grant_based,
            ..capped(1)
        };
        let form = open_form(servers.one(), rules).await;
        let links = servers.one().links();
        let new = NewFormLink {
            cap: LinkCap::new(8).ok(),
            ..NewFormLink::to(form)
        };
        let (link, secret) = links.create(SYSTEM, new.clone()).await.unwrap();
        let (other, _) = links.create(SYSTEM, new).await.unwrap();
        let send = async |server: &Formalize, link: &FormLink| {
            let new = new_submission(form, "{}", SubmissionState::Submitted);
            server.submissions().create(&link.caller(), new).await
        };
        for _ in 0..3 {
            send(&servers.one().formalize, &link).await.unwrap();
        }
        let secret = &secret;
        let outcomes = servers
            .race(64, |_, server| {
                let secret = secret.clone();
                async move {
                    let link = server.links().authenticate(secret.expose()).await?;
                    let caller = link.unwrap().caller();
                    let new = new_submission(form, "{}", SubmissionState::Submitted);
                    server.submissions().create(&caller, new).await
                }
            })
            .await;
        assert_eq!(successes(&outcomes, is_full), 5);
        assert_eq!(submitted_of(servers.one(), form).await, 8);
        let counted = links.get(SYSTEM, link.id).await.unwrap();
        assert_eq!(counted.num_submissions, 8);
        send(&servers.one().formalize, &other).await.unwrap();
    }
}

/// Sixty-four requests for the last five places, half of them with a draft that was saved before.
async fn concurrent_submissions_do_not_exceed_the_limit(database: &Database) {
    let servers = Servers::on(database).await;
    for grant_based in [false, true] {
        let rules = SubmissionRules {
            grant_based,
            ..limited(20)
        };
        let form = open_form(servers.one(), rules).await;
        for _ in 0..15 {
            submit(&servers.one().formalize, form).await.unwrap();
        }
        let mut drafts = Vec::new();
        for _ in 0..32 {
            let world = servers.one();
            let new = new_submission(form, "{}", SubmissionState::Draft);
            let draft = world.submissions().create(&user("alice"), new).await;
            drafts.push(draft.unwrap().item.id);
        }
        let outcomes = servers
            .race(64, |index, server| {
                let draft = drafts
                    .get(index / 2)
                    .copied()
                    .filter(|_| index / 2 % 2 == 0);
                async move {
                    let Some(draft) = draft else {
                        return submit(&server, form).await.map(drop);
                    };
                    let change = SubmissionChange::default();
                    let submissions = server.submissions();
                    submissions.update(SYSTEM, draft, change).await.map(drop)
                }
            })
            .await;
        let made = successes(&outcomes, is_full);
        // Two requests have the same draft, and the second one changes what is submitted already.
        assert!((5..=10).contains(&made), "{made}");
        assert_eq!(submitted_of(servers.one(), form).await, 20);
        must_be_counted(&servers, form).await;
    }
}

fn is_full(error: &Error) -> bool {
    matches!(error, Error::SubmissionLimitReached)
}

fn limited(limit: i64) -> SubmissionRules {
    SubmissionRules {
        limit: Some(SubmissionLimit::new(limit).unwrap()),
        ..any_state()
    }
}

async fn submit(server: &Formalize, form: FormId) -> Result<SubmissionId> {
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let created = server.submissions().create(&user("alice"), new).await?;
    Ok(created.item.id)
}

async fn submitted_of(world: &World, form: FormId) -> usize {
    let submissions = world.submissions();
    let filter = SubmissionFilter {
        state: Some(SubmissionState::Submitted),
        ..SubmissionFilter::default()
    };
    let page = submissions.list(SYSTEM, form, &filter, &everything()).await;
    page.unwrap().items.len()
}

async fn must_be_counted(servers: &Servers, form: FormId) {
    let mut tx = servers.one().store().read().await.unwrap();
    let counted = tx
        .read_submissions()
        .unwrap()
        .form_places_taken(form)
        .await
        .unwrap();
    let submitted = submitted_of(servers.one(), form).await;
    assert_eq!(counted, i64::try_from(submitted).ok());
}

async fn concurrent_submissions_and_deletions_do_not_exceed_the_limit(database: &Database) {
    let servers = Servers::on(database).await;
    let form = open_form(servers.one(), limited(2)).await;
    for round in 0..ROUNDS {
        let first = submit(&servers.one().formalize, form).await.unwrap();
        let outcomes = servers
            .race(6, |index, server| async move {
                match index {
                    0 | 1 => match server.submissions().delete(SYSTEM, first).await {
                        Err(Error::SubmissionNotFound) => Ok(()),
                        done => done,
                    },
                    2 if round % 3 == 0 => {
                        let submissions = server.submissions();
                        submissions.delete_all(SYSTEM, form).await.map(drop)
                    }
                    _ => submit(&server, form).await.map(drop),
                }
            })
            .await;
        successes(&outcomes, is_full);
        let submitted = submitted_of(servers.one(), form).await;
        assert!(submitted <= 2, "{submitted}");
        must_be_counted(&servers, form).await;
        let cleared = servers.one().submissions().delete_all(SYSTEM, form).await;
        cleared.unwrap();
        must_be_counted(&servers, form).await;
    }
}

async fn submissions_made_while_a_limit_is_set_are_counted(database: &Database) {
    let servers = Servers::on(database).await;
    for round in 0..ROUNDS {
        let (before, after) = match round % 2 {
            0 => (any_state(), limited(4)),
            _ => (limited(2), limited(4)),
        };
        let form = open_form(servers.one(), before).await;
        submit(&servers.one().formalize, form).await.unwrap();
        let outcomes = servers
            .race(8, |index, server| async move {
                if index != 3 {
                    return submit(&server, form).await.map(drop);
                }
                let change = FormChange {
                    limit: after.limit.map_or(Change::Clear, Change::Set),
                    ..FormChange::default()
                };
                server.forms().update(SYSTEM, form, change).await.map(drop)
            })
            .await;
        let made = successes(&outcomes, is_full);
        assert_eq!(submitted_of(servers.one(), form).await, made);
        must_be_counted(&servers, form).await;
    }
}

fn capped(cap: i64) -> SubmissionRules {
    SubmissionRules {
        cap: Some(SubmissionCap::new(cap).unwrap()),
        ..any_state()
    }
}

async fn submissions_of(world: &World, form: FormId) -> usize {
    let submissions = world.submissions();
    let filter = SubmissionFilter::default();
    let page = submissions.list(SYSTEM, form, &filter, &everything()).await;
    page.unwrap().items.len()
}

async fn concurrent_submissions_and_deletions_do_not_exceed_the_cap(database: &Database) {
    let servers = Servers::on(database).await;
    let form = open_form(servers.one(), capped(2)).await;
    for _ in 0..ROUNDS {
        let first = servers
            .one()
            .submission("alice-2", form, SubmissionState::Draft)
            .await;
        let resource = ResourceRef::form(form);
        let grant = servers
            .one()
            .grant_to("alice-2", &Action::CREATE_SUBMISSIONS, &resource)
            .await;
        let outcomes = servers
            .race(6, |index, server| async move {
                let submissions = server.submissions();
                if index == 0 {
                    return submissions.delete(SYSTEM, first).await;
                }
                let new = new_submission(form, "{}", SubmissionState::Submitted);
                submissions.create(&user("alice-2"), new).await.map(drop)
            })
            .await;
        let done = successes(&outcomes, |it| matches!(it, Error::SubmissionCapReached));
        assert!(
            (2..=3).contains(&done),
            "the deletion and one or two submissions succeed"
        );
        assert_eq!(submissions_of(servers.one(), form).await, done - 1);
        let cleared = servers.one().submissions().delete_all(SYSTEM, form).await;
        assert_eq!(usize::try_from(cleared.unwrap()).unwrap(), done - 1);
        servers.one().grants().delete(SYSTEM, grant).await.unwrap();
    }
}

async fn submissions_match_the_kind_of_authorization_of_their_form(database: &Database) {
    let servers = Servers::on(database).await;
    for round in 0..ROUNDS {
        let before = round % 2 == 0;
        let rules = SubmissionRules {
            grant_based: before,
            ..any_state()
        };
        let form = open_form(servers.one(), rules).await;
        let outcomes = servers
            .race(3, |index, server| async move {
                if index == 1 {
                    let change = FormChange {
                        grant_based: Some(!before),
                        ..FormChange::default()
                    };
                    server.forms().update(SYSTEM, form, change).await?;
                    return Ok(None);
                }
                let new = new_submission(form, "{}", SubmissionState::Draft);
                let created = server.submissions().create(&user("alice"), new).await?;
                Ok(Some(created.item.id))
            })
            .await;
        successes(&outcomes, |it| matches!(it, Error::FormHasSubmissions(_)));
        let form = servers.one().forms().get(SYSTEM, form).await.unwrap().item;
        for submission in [&outcomes[0], &outcomes[2]] {
            let submission = submission.as_ref().unwrap().unwrap();
            let resource = ResourceRef::submission(submission);
            let grants = grants_on(servers.one(), &resource).await;
            let expected = form
                .rules
                .grant_based
                .then(|| (holder("alice"), Action::MANAGE));
            assert_eq!(grants, Vec::from_iter(expected));
        }
    }
}

async fn deleting_a_form_deletes_its_submissions(database: &Database) {
    let servers = Servers::on(database).await;
    for round in 0..ROUNDS {
        let rules = SubmissionRules {
            grant_based: round % 2 == 0,
            ..any_state()
        };
        let form = open_form(servers.one(), rules).await;
        let outcomes = servers
            .race(4, |index, server| async move {
                if index == 1 {
                    server.forms().delete(SYSTEM, form).await?;
                    return Ok(None);
                }
                let new = new_submission(form, "{}", SubmissionState::Submitted);
                let created = server.submissions().create(&user("alice"), new).await?;
                Ok(Some(created.item.id))
            })
            .await;
        let done = successes(&outcomes, |it| matches!(it, Error::FormNotFound));
        assert!(done >= 1, "the form is deleted");
        let created: Vec<_> = outcomes.into_iter().flatten().flatten().collect();
        let mut tx = servers.one().store().read().await.unwrap();
        assert_eq!(
            tx.read_submissions()
                .unwrap()
                .submission_headers(&created)
                .await
                .unwrap(),
            []
        );
        drop(tx);
        let filter = ResourceFilter {
            class: Some(ResourceClass::SUBMISSION),
            ..ResourceFilter::default()
        };
        let resources = servers.one().resources();
        let left = resources
            .list(SYSTEM, &filter, &everything())
            .await
            .unwrap();
        assert_eq!(left.items.len(), 1, "the collection of the class");
    }
}

/// Both servers have cached the old schema when it changes. Later submissions must match the new one.
async fn submissions_after_a_schema_change_match_the_new_schema(database: &Database) {
    let servers = Servers::on(database).await;
    let schema = |key: &str| format!(r#"{{"required": ["{key}"]}}"#);
    for round in 0..ROUNDS {
        let (old, new) = (format!("old-{round}"), format!("new-{round}"));
        let created = servers
            .one()
            .forms()
            .create(SYSTEM, new_form_with(&schema(&old), any_state()))
            .await;
        let form = created.unwrap().item.id;
        let changed = Arc::new(AtomicBool::new(false));
        let outcomes = servers
            .race(9, |index, server| {
                let changed = Arc::clone(&changed);
                let data = format!(r#"{{"{old}": 1}}"#);
                let change = FormChange {
                    data_feed_schema: Change::Set(schema(&new)),
                    ..FormChange::default()
                };
                async move {
                    if index == 8 {
                        tokio::task::yield_now().await;
                        server.forms().update(SYSTEM, form, change).await.unwrap();
                        changed.store(true, Ordering::SeqCst);
                        return;
                    }
                    for _ in 0..6 {
                        let is_late = changed.load(Ordering::SeqCst);
                        let new = new_submission(form, &data, SubmissionState::Submitted);
                        match server.submissions().create(SYSTEM, new).await {
                            Ok(_) => assert!(!is_late, "validated against the old schema"),
                            Err(Error::SubmissionDataInvalid(_)) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            })
            .await;
        assert_eq!(outcomes.len(), 9);
        for server in &servers.0 {
            let data = format!(r#"{{"{new}": 1}}"#);
            let fitting = new_submission(form, &data, SubmissionState::Submitted);
            let created = server.submissions().create(SYSTEM, fitting).await;
            assert!(created.is_ok(), "{created:?}");
        }
    }
}

async fn a_draft_is_submitted_or_deleted_but_not_both(database: &Database) {
    let servers = Servers::on(database).await;
    let rules = SubmissionRules {
        grant_based: true,
        ..any_state()
    };
    let form = servers.one().form(rules).await;
    for _ in 0..ROUNDS {
        let alice = user("alice");
        let draft = servers
            .one()
            .submission("alice", form, SubmissionState::Draft)
            .await;
        let resource = ResourceRef::submission(draft);
        let share = new_grant(&holder("bob"), &Action::READ, &resource);
        let outcomes = servers
            .race(4, |index, server| {
                let (alice, share) = (alice.clone(), share.clone());
                async move {
                    let submissions = server.submissions();
                    match index {
                        0 => submissions.delete(&alice, draft).await,
                        1 => server.grants().create(&alice, share).await.map(drop),
                        _ => {
                            let change = SubmissionChange::default();
                            submissions.update(&alice, draft, change).await.map(drop)
                        }
                    }
                }
            })
            .await;
        successes(&outcomes, |it| {
            matches!(
                it,
                Error::SubmissionNotFound | Error::ResourceNotFound | Error::Forbidden
            )
        });
        let submitted_with = outcomes[2].is_ok() || outcomes[3].is_ok();
        assert_ne!(
            submitted_with,
            outcomes[0].is_ok(),
            "the form allows no more then"
        );
        if submitted_with {
            let submissions = servers.one().submissions();
            submissions.delete(SYSTEM, draft).await.unwrap();
        }
        assert_eq!(grants_on(servers.one(), &resource).await, []);
    }
}
