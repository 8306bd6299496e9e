//! Every list, by callers whose permissions come in every way.

use formalize_core::{
    Caller, FormFilter, FormId, GroupFilter, SubmissionFilter, SubmissionState, Timestamp,
    forms::{FrontendKey, FrontendKeys},
    webhooks::DeliveryFilter,
};
use formalize_tests::world::user;

use super::Walker;
use super::fill::{DRAFTS, Scene};

/// Lists that are not walked, and why.
pub(super) const EXEMPT: &[(&str, &str)] = &[
    ("resources/mod.rs list", GROWS),
    ("resources/mod.rs list_in", GROWS),
    ("resources/permissions.rs list_by_action", GROWS),
    ("resources/permissions.rs list_by_action_in", GROWS),
    ("grants.rs list", GROWS),
    ("grants.rs list_of_holder", GROWS),
    (
        "actions.rs list",
        "there are as many classes as the program knows",
    ),
    ("part/files/mod.rs list", "a submission has few files"),
    (
        "events/mod.rs subscriptions",
        "there are as many as programs that follow the log",
    ),
    (
        "groups.rs of_caller",
        "every request finds all groups of its caller",
    ),
];

/// Whether a list reads all grants on one form on each page, to see whether the caller holds one. Each link is such a grant.
pub(super) fn reads_all_grants_on_one_form(name: &str) -> bool {
    name.starts_with("links to ")
}

const GROWS: &str = "takes time in proportion to the managed resources on both databases";

/// Lists that are walked, each with the function that returns them.
pub(super) const WALKED: &[&str] = &[
    "groups.rs list",
    "memberships.rs list",
    "part/form_lists.rs list",
    "part/form_lists.rs list_to_look_after",
    "part/form_lists.rs list_to_fill_in",
    "part/submissions/mod.rs list",
    "tokens.rs list",
    "tokens.rs list_own",
    "part/links.rs list",
    "part/webhooks/mod.rs list",
    "part/webhooks/mod.rs deliveries",
    "part/feed.rs list",
];

const SYSTEM: &Caller = &Caller::System;

/// Walks all lists.
pub(super) async fn all(walker: &mut Walker) {
    let scene = walker.scene;
    for (form, callers) in [
        (
            scene.granted,
            vec![SYSTEM.clone(), user("ann"), user("bob")],
        ),
        (scene.created, vec![SYSTEM.clone(), user("ann")]),
    ] {
        for caller in callers {
            submissions(walker, &caller, form).await;
        }
    }
    imported(walker).await;
    for caller in [SYSTEM.clone(), user("ann")] {
        groups(walker, &caller).await;
        forms(walker, &caller).await;
    }
    forms_of_submissions(walker).await;
    others(walker, scene).await;
}

async fn submissions(walker: &mut Walker, caller: &Caller, form: FormId) {
    let (drafts, all) = (walker.rows / DRAFTS, walker.rows);
    let time = |text: &str| -> Option<Timestamp> { Some(text.parse().unwrap()) };
    let any = SubmissionFilter::default;
    let is_granted = form == walker.scene.granted;
    let mut filters = vec![
        ("", any(), all),
        (
            " that are drafts",
            SubmissionFilter {
                state: Some(SubmissionState::Draft),
                ..any()
            },
            drafts,
        ),
        (
            " that are submitted",
            SubmissionFilter {
                state: Some(SubmissionState::Submitted),
                ..any()
            },
            all - drafts,
        ),
        (
            " of a creator",
            SubmissionFilter {
                creator: Some("ann".to_owned()),
                ..any()
            },
            all,
        ),
        (
            " of a time",
            SubmissionFilter {
                created_from: time("1970-01-01T00:00:00Z"),
                created_before: time("2040-01-01T00:00:00Z"),
                ..any()
            },
            all,
        ),
    ];
    if is_granted {
        filters.push((
            " with a tag",
            SubmissionFilter {
                tag: Some("seen".to_owned()),
                ..any()
            },
            all,
        ));
    }
    for (which, filter, rows) in filters {
        // Nobody reads drafts by a grant on the form, and the system reads everything.
        let name = format!(
            "submissions{which} of form {} to {}",
            if is_granted { "granted" } else { "created" },
            named(caller)
        );
        walker
            .walk(&name, rows, async |world, page| {
                world.submissions().list(caller, form, &filter, page).await
            })
            .await;
    }
}

/// Submissions that one reads by a grant on the form, and on each of which one has a grant that does not apply to it.
async fn imported(walker: &mut Walker) {
    let (form, rows, ann) = (walker.scene.imported, walker.rows, &user("ann"));
    for state in [None, Some(SubmissionState::Submitted)] {
        let filter = SubmissionFilter {
            state,
            ..SubmissionFilter::default()
        };
        walker
            .walk(
                &format!("submissions of form imported in state {state:?} to ann"),
                rows,
                async |world, page| world.submissions().list(ann, form, &filter, page).await,
            )
            .await;
    }
}

async fn groups(walker: &mut Walker, caller: &Caller) {
    for (which, search) in [("", None), (" by name", Some("group".to_owned()))] {
        let filter = GroupFilter { search };
        let name = format!("groups{which} to {}", named(caller));
        walker
            .walk(&name, walker.rows, async |world, page| {
                world.groups().list(caller, &filter, page).await
            })
            .await;
    }
}

async fn forms(walker: &mut Walker, caller: &Caller) {
    let survey = FrontendKeys {
        any_of: Some(vec![FrontendKey::new("survey").unwrap()]),
        none_of: Vec::new(),
    };
    let others = FrontendKeys {
        any_of: None,
        none_of: vec![FrontendKey::new("exam").unwrap()],
    };
    for (which, frontend_keys) in [
        ("", FrontendKeys::ALL),
        (" with a key", survey),
        (" without a key", others),
    ] {
        let filter = FormFilter {
            frontend_keys,
            ..FormFilter::default()
        };
        let name = format!("forms{which} to {}", named(caller));
        walker
            .walk(&name, walker.rows, async |world, page| {
                world.forms().list(caller, &filter, page).await
            })
            .await;
    }
    let name = format!("forms to fill in to {}", named(caller));
    walker
        .walk(&name, walker.rows, async |world, page| {
            world.forms().list_to_fill_in(caller, page).await
        })
        .await;
}

/// Lists of forms of which one may read submissions, or which one may change.
async fn forms_of_submissions(walker: &mut Walker) {
    let filter = FormFilter {
        where_read_form_submissions_granted: true,
        ..FormFilter::default()
    };
    let (all, half) = (walker.rows, walker.rows / 2);
    for (who, rows) in [("ann", all), ("carol", half)] {
        let caller = &user(who);
        walker
            .walk(
                &format!("forms with submissions to {who}"),
                rows,
                async |world, page| world.forms().list(caller, &filter, page).await,
            )
            .await;
        walker
            .walk(
                &format!("forms to look after to {who}"),
                rows,
                async |world, page| world.forms().list_to_look_after(caller, page).await,
            )
            .await;
    }
}

async fn others(walker: &mut Walker, scene: Scene) {
    let rows = walker.rows;
    let ann = &user("ann");
    for caller in [SYSTEM, ann] {
        walker
            .walk(
                &format!("members to {}", named(caller)),
                rows,
                async |world, page| world.memberships().list(caller, scene.group, page).await,
            )
            .await;
        walker
            .walk(
                &format!("links to {}", named(caller)),
                rows,
                async |world, page| world.links().list(caller, scene.linked, page).await,
            )
            .await;
        walker
            .walk(
                &format!("webhooks of a form to {}", named(caller)),
                rows,
                async |world, page| {
                    world
                        .webhooks()
                        .list(caller, Some(scene.created), page)
                        .await
                },
            )
            .await;
    }
    walker
        .walk("tokens", rows, async |world, page| {
            world.tokens().list(SYSTEM, page).await
        })
        .await;
    walker
        .walk("own tokens", rows, async |world, page| {
            world.tokens().list_own(ann, page).await
        })
        .await;
    for newest_first in [false, true] {
        let filter = DeliveryFilter {
            newest_first,
            ..DeliveryFilter::default()
        };
        walker
            .walk(
                &format!("deliveries, newest first: {newest_first}"),
                rows,
                async |world, page| {
                    world
                        .webhooks()
                        .deliveries(SYSTEM, scene.webhook, &filter, page)
                        .await
                },
            )
            .await;
    }
    walker.follow("events", rows, SYSTEM).await;
    walker.follow("events to ann", rows, ann).await;
}

fn named(caller: &Caller) -> String {
    match caller {
        Caller::System => "the system".to_owned(),
        caller => caller
            .user_id()
            .map_or_else(|| "somebody".to_owned(), ToString::to_string),
    }
}
