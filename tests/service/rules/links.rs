//! Public links to forms.

use std::collections::BTreeMap;
use std::sync::Arc;

use formalize_core::questions::Entries;
use formalize_core::{
    Action, Actions, Caller, Change, DynamicGroupId, FormChange, FormFilter, FormId, GroupFilter,
    Member, NewMembership, ResourceFilter, ResourceRef, Result, Store, Subject, Submission,
    SubmissionChange, SubmissionFilter, SubmissionRules, SubmissionState, UserId,
    authorization::Policies,
    forms::{FormAccess, FormToFillIn, SubmissionCap, SubmissionLimit, SubmittedAction},
    links::{EmbedOrigins, FormLink, FormLinkChange, LinkCap, LinkId, LinkLabel, NewFormLink},
    tokens::{NewApiToken, Secret},
};
use formalize_tests::on_every_store;
use formalize_tests::world::{
    Setup, World, condition, everything, instant, new_form, new_form_with, new_grant, new_group,
    new_session, new_submission, page_of, user, user_id,
};
use serde_json::json;
use tokio::task::JoinSet;

use super::{SYSTEM, fails};

on_every_store! {
    a_link_submits_and_does_nothing_else,
    policies_and_dynamic_groups_do_not_apply_to_links,
    a_link_does_not_manage_what_it_sends,
    links_are_created_changed_and_listed,
    only_who_manages_the_form_manages_its_links,
    outdated_changes_are_rejected,
    a_secret_is_known_until_the_link_ends,
    malformed_secrets_are_unknown,
    the_cap_counts_the_submissions_through_the_link,
    the_rules_of_the_form_apply,
    many_visitors_get_the_page_at_once,
    problems_are_reported_in_order,
    a_link_ends_with_its_grant_and_its_form,
    a_link_holds_nothing_else,
    submissions_outlive_the_link,
}

const SUBMITTED: SubmissionState = SubmissionState::Submitted;
const FULL: &str = "SubmissionLimitReached";

async fn link_to(world: &World, form: FormId) -> (FormLink, Secret) {
    let created = world.links().create(SYSTEM, NewFormLink::to(form)).await;
    created.unwrap()
}

async fn send(world: &World, link: &FormLink) -> Result<Submission> {
    let new = new_submission(link.form, "{}", SUBMITTED);
    let sent = world.submissions().create(&link.caller(), new).await?;
    assert_eq!(sent.granted_actions, Actions::default());
    Ok(sent.item)
}

/// What the page of a link asks for.
async fn fill_in(world: &World, link: &FormLink) -> Result<FormToFillIn> {
    let (forms, entries) = (world.forms(), Entries::default());
    forms
        .fill_in(&link.caller(), link.form, entries, None)
        .await
}

async fn change(world: &World, link: &FormLink, change: FormLinkChange) -> FormLink {
    let changed = world.links().update(SYSTEM, link.id, change).await;
    changed.unwrap()
}

/// Rules under which users may do everything with their submissions.
fn generous(grant_based: bool) -> SubmissionRules {
    SubmissionRules {
        grant_based,
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        allowed_actions_when_submitted: SubmittedAction::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

async fn a_link_submits_and_does_nothing_else(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    for grant_based in [false, true] {
        let form = world.form(generous(grant_based)).await;
        let (link, _) = link_to(&world, form).await;
        let caller = &link.caller();
        let sent = send(&world, &link).await.unwrap();
        assert_eq!(sent.creator, UserId::from(link.id));
        assert_eq!(sent.last_modified_by, sent.creator);

        let (forms, submissions) = (world.forms(), world.submissions());
        let asked = fill_in(&world, &link).await.unwrap();
        assert_eq!(asked.head.name.as_str(), "Form");
        assert!(asked.refusal.is_none() && !asked.takes_drafts);
        forms.questions(caller, form, None, None).await.unwrap();
        must_do_nothing(&world, &link, sent.id).await;

        let other = world.form(generous(grant_based)).await;
        let new = new_submission(other, "{}", SUBMITTED);
        fails(submissions.create(caller, new).await, "Forbidden");
        let asked = forms.questions(caller, other, None, None).await;
        fails(asked, "Forbidden");
    }
}

/// Tries everything but what a link may do.
async fn must_do_nothing(world: &World, link: &FormLink, sent: formalize_core::SubmissionId) {
    let (caller, form) = (&link.caller(), link.form);
    let (forms, submissions) = (world.forms(), world.submissions());
    fails(submissions.get(caller, sent).await, "Forbidden");
    fails(submissions.delete(caller, sent).await, "Forbidden");
    let change = SubmissionChange::default();
    let changed = submissions.update(caller, sent, change).await;
    fails(changed, "Forbidden");
    fails(submissions.delete_all(caller, form).await, "Forbidden");
    fails(forms.get(caller, form).await, "Forbidden");
    fails(forms.delete(caller, form).await, "Forbidden");
    let changed = forms.update(caller, form, FormChange::default()).await;
    fails(changed, "Forbidden");
    let new = new_form("Survey", SubmissionRules::default());
    fails(forms.create(caller, new).await, "Forbidden");
    let created = world.groups().create(caller, new_group("Group")).await;
    fails(created, "Forbidden");
    let (links, new) = (world.links(), NewFormLink::to(form));
    fails(links.create(caller, new).await, "Forbidden");
    fails(links.get(caller, link.id).await, "Forbidden");
    fails(links.list(caller, form, &everything()).await, "Forbidden");
    fails(links.delete(caller, link.id).await, "Forbidden");

    let of_form = ResourceFilter::of(ResourceRef::form(form));
    let grants = world.grants().list(SYSTEM, &of_form, &everything()).await;
    for grant in grants.unwrap().items {
        let read = world.grants().get(caller, grant.item.id).await;
        fails(read, "Forbidden");
        let resource = world.resources().get(caller, grant.item.resource.id).await;
        fails(resource, "Forbidden");
    }
    let page = &everything();
    let filter = &SubmissionFilter::default();
    let listed = submissions.list(caller, form, filter, page).await.unwrap();
    assert!(listed.items.is_empty());
    for where_read_form_submissions_granted in [false, true] {
        let filter = FormFilter {
            where_read_form_submissions_granted,
            ..FormFilter::default()
        };
        let listed = forms.list(caller, &filter, page).await.unwrap();
        assert!(listed.items.is_empty());
    }
    let all = ResourceFilter::default();
    let listed = world.resources().list(caller, &all, page).await.unwrap();
    assert!(listed.items.is_empty());
    let listed = world.grants().list(caller, &all, page).await.unwrap();
    assert!(listed.items.is_empty());
    let all = GroupFilter::default();
    let listed = world.groups().list(caller, &all, page).await.unwrap();
    assert!(listed.items.is_empty());
    let listed = world.actions().list(caller, page).await.unwrap();
    assert!(listed.items.is_empty());
}

async fn policies_and_dynamic_groups_do_not_apply_to_links(store: Arc<dyn Store>) {
    let everyone = || Some(condition("true"));
    let policies = Policies {
        administrators: everyone(),
        create_groups: everyone(),
        create_forms: everyone(),
        manage_everything: everyone(),
        ..Policies::default()
    };
    let setup = Setup {
        policies,
        ..Setup::default()
    };
    let world = World::with(store, setup.dynamic_group("all", "true")).await;
    let form = world.form(generous(false)).await;
    for group in [
        DynamicGroupId::EVERYBODY,
        DynamicGroupId::new("all").unwrap(),
    ] {
        let (group, form) = (Subject::DynamicGroup(group), ResourceRef::form(form));
        world.grant(&group, &Action::MANAGE, &form).await;
    }
    let (link, _) = link_to(&world, form).await;
    let sent = send(&world, &link).await.unwrap();
    must_do_nothing(&world, &link, sent.id).await;
    let form = ResourceRef::form(form);
    let granted = world.actions_on(&link.caller(), &form).await;
    let granted: Vec<Action> = granted.iter().cloned().collect();
    assert_eq!(granted, [Action::CREATE_SUBMISSIONS]);
}

async fn a_link_does_not_manage_what_it_sends(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(generous(true)).await;
    let (link, _) = link_to(&world, form).await;
    let sent = send(&world, &link).await.unwrap();
    let of_submission = ResourceFilter::of(ResourceRef::submission(sent.id));
    let grants = world.grants();
    let listed = grants.list(SYSTEM, &of_submission, &everything()).await;
    assert!(listed.unwrap().items.is_empty());
}

async fn links_are_created_changed_and_listed(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = &user("alice");
    let form = world.form(SubmissionRules::default()).await;
    let resource = ResourceRef::form(form);
    world.grant_to("alice", &Action::MANAGE, &resource).await;
    let links = world.links();
    let new = NewFormLink {
        label: LinkLabel::new("Poster").ok(),
        date_expires: Some(instant("2026-12-24T00:00:00Z")),
        cap: LinkCap::new(7).ok(),
        once_per_browser: true,
        embed_origins: EmbedOrigins::new(["https://example.org"]).unwrap(),
        form,
    };
    let (link, _) = links.create(alice, new.clone()).await.unwrap();
    let values = |link: &FormLink| NewFormLink {
        form: link.form,
        label: link.label.clone(),
        date_expires: link.date_expires,
        cap: link.cap,
        once_per_browser: link.once_per_browser,
        embed_origins: link.embed_origins.clone(),
    };
    assert_eq!(values(&link), new);
    assert_eq!(link.creator, user_id("alice"));
    assert_eq!(link.num_submissions, 0);
    assert_eq!(links.get(alice, link.id).await.unwrap(), link);

    let kept = change(&world, &link, FormLinkChange::default()).await;
    assert_eq!(values(&kept), new);
    assert_ne!(kept.revision, link.revision);
    assert_eq!((&kept.creator, kept.id), (&link.creator, link.id));
    let cleared = FormLinkChange {
        label: Change::Clear,
        date_expires: Change::Clear,
        cap: Change::Clear,
        once_per_browser: Some(false),
        embed_origins: Some(EmbedOrigins::default()),
    };
    let bare = links.update(alice, link.id, cleared).await.unwrap();
    assert_eq!(values(&bare), NewFormLink::to(form));
    assert_eq!(links.get(alice, link.id).await.unwrap(), bare);
    let set = FormLinkChange {
        label: Change::Set(LinkLabel::new("Newsletter").unwrap()),
        date_expires: Change::Set(instant("2027-01-01T00:00:00Z")),
        cap: Change::Set(LinkCap::new(1).unwrap()),
        once_per_browser: Some(true),
        embed_origins: Some(EmbedOrigins::new(["http://localhost"]).unwrap()),
    };
    let changed = change(&world, &link, set).await;
    assert_eq!(changed.label, LinkLabel::new("Newsletter").ok());
    assert_eq!(links.get(alice, link.id).await.unwrap(), changed);

    let other = world.form(SubmissionRules::default()).await;
    link_to(&world, other).await;
    let (second, _) = link_to(&world, form).await;
    let (third, _) = link_to(&world, form).await;
    let all = links.list(alice, form, &everything()).await.unwrap();
    assert_eq!(all.items, [changed.clone(), second.clone(), third.clone()]);
    let first = links.list(alice, form, &page_of(2)).await.unwrap();
    assert_eq!(first.items, [changed, second]);
    let next = formalize_core::PageRequest {
        position: formalize_core::Position::Cursor(first.next.unwrap()),
        ..page_of(2)
    };
    let rest = links.list(alice, form, &next).await.unwrap();
    assert_eq!((rest.items, rest.next), (vec![third], None));
    let elsewhere = links.list(SYSTEM, form, &next).await;
    fails(elsewhere, "InvalidCursor");
}

/// The policy matrix tries every other permission.
async fn only_who_manages_the_form_manages_its_links(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (link, _) = link_to(&world, form).await;
    let links = world.links();
    let missing = LinkId::from_uuid(uuid::Uuid::nil());
    let no_form = FormId::from_uuid(uuid::Uuid::nil());
    for caller in [SYSTEM, &user("stranger")] {
        let created = links.create(caller, NewFormLink::to(no_form)).await;
        fails(created, "FormNotFound");
        let listed = links.list(caller, no_form, &everything()).await;
        fails(listed, "FormNotFound");
        fails(links.get(caller, missing).await, "FormLinkNotFound");
        let changed = links.update(caller, missing, FormLinkChange::default());
        fails(changed.await, "FormLinkNotFound");
        fails(links.delete(caller, missing).await, "FormLinkNotFound");
    }
    let deputy = &user("deputy");
    let resource = ResourceRef::form(form);
    for action in [Action::READ, Action::UPDATE, Action::CREATE_SUBMISSIONS] {
        world.grant_to("deputy", &action, &resource).await;
    }
    fails(links.get(deputy, link.id).await, "Forbidden");
    world.grant_to("deputy", &Action::MANAGE, &resource).await;
    assert_eq!(links.get(deputy, link.id).await.unwrap(), link);
}

async fn outdated_changes_are_rejected(store: Arc<dyn Store>) {
    const MISMATCH: &str = "RevisionMismatch";
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (old, _) = link_to(&world, form).await;
    let links = world.links();
    let update = async |expected| {
        let change = FormLinkChange::default();
        links.update(SYSTEM, expected, change).await
    };
    let new = update(old.id.at(old.revision)).await.unwrap();
    fails(update(old.id.at(old.revision)).await, MISMATCH);
    fails(
        links.delete(SYSTEM, old.id.at(old.revision)).await,
        MISMATCH,
    );
    let stranger = &user("stranger");
    let refused = links.delete(stranger, old.id.at(old.revision)).await;
    fails(refused, "Forbidden");
    assert_eq!(links.get(SYSTEM, old.id).await.unwrap(), new);
    links.delete(SYSTEM, old.id.at(new.revision)).await.unwrap();
    fails(links.get(SYSTEM, old.id).await, "FormLinkNotFound");
}

async fn a_secret_is_known_until_the_link_ends(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (link, secret) = link_to(&world, form).await;
    let (other, of_other) = link_to(&world, form).await;
    let known = async |secret: &Secret| world.links().authenticate(secret.expose()).await.unwrap();
    assert_eq!(known(&secret).await, Some(link.clone()));
    assert_eq!(known(&of_other).await, Some(other.clone()));

    let expires = FormLinkChange {
        date_expires: Change::Set(instant("2026-11-21T08:00:01Z")),
        ..FormLinkChange::default()
    };
    let link = change(&world, &link, expires).await;
    assert_eq!(known(&secret).await, Some(link.clone()));
    world.clock.set(instant("2026-11-21T08:00:00.999Z"));
    assert_eq!(known(&secret).await, Some(link.clone()));
    world.clock.set(instant("2026-11-21T08:00:01Z"));
    assert_eq!(known(&secret).await, None);
    assert_eq!(known(&of_other).await, Some(other.clone()));
    let never = FormLinkChange {
        date_expires: Change::Clear,
        ..FormLinkChange::default()
    };
    let link = change(&world, &link, never).await;
    assert_eq!(known(&secret).await, Some(link.clone()));

    // A link at its cap is still known, so that its page can say so.
    let capped = FormLinkChange {
        cap: Change::Set(LinkCap::new(1).unwrap()),
        ..FormLinkChange::default()
    };
    change(&world, &link, capped).await;
    send(&world, &link).await.unwrap();
    let full = known(&secret).await.unwrap();
    assert_eq!(full.num_submissions, 1);

    world.links().delete(SYSTEM, link.id).await.unwrap();
    assert_eq!(known(&secret).await, None);
    assert_eq!(known(&of_other).await, Some(other));
    fails(send(&world, &link).await, "Forbidden");
}

async fn malformed_secrets_are_unknown(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (link, secret) = link_to(&world, form).await;
    let secret = secret.expose();
    assert_eq!(secret.len(), "fml_".len() + 40, "160 random bits");
    assert!(secret.starts_with(Secret::LINK_PREFIX));
    let bits = &secret[4..];
    assert!(bits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let new = NewApiToken {
        user: user_id("alice"),
        attributes: BTreeMap::new(),
        date_expires: None,
    };
    let (_, token) = world.tokens().create(SYSTEM, new).await.unwrap();
    let session = new_session("alice");
    let (_, session) = world.sessions().create(SYSTEM, session).await.unwrap();
    for text in [
        "",
        "fml_",
        bits,
        &secret[..43],
        &format!("{secret}0"),
        &format!(" {secret}"),
        &secret.to_uppercase(),
        &link.id.to_string(),
        token.expose(),
        session.expose(),
        &format!("fml_{}", &token.expose()[4..]),
    ] {
        let found = world.links().authenticate(text).await.unwrap();
        assert_eq!(found, None, "{text}");
    }
    for secret in [secret, &format!("fmz_{bits}"), &format!("fms_{bits}")] {
        let caller = world.tokens().authenticate(secret).await.unwrap();
        assert_eq!(caller, None, "a link is no API token");
        let found = world.sessions().authenticate(secret).await.unwrap();
        assert_eq!(found, None, "a link is no session");
    }
    let (_, other) = link_to(&world, form).await;
    assert_ne!(other.expose(), secret);
}

async fn the_cap_counts_the_submissions_through_the_link(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    for grant_based in [false, true] {
        // The cap on creators does not count for links.
        let rules = SubmissionRules {
            cap: SubmissionCap::new(1).ok(),
            ..generous(grant_based)
        };
        let form = world.form(rules).await;
        let new = NewFormLink {
            cap: LinkCap::new(2).ok(),
            ..NewFormLink::to(form)
        };
        let (link, _) = world.links().create(SYSTEM, new).await.unwrap();
        let (other, _) = link_to(&world, form).await;
        let first = send(&world, &link).await.unwrap();
        send(&world, &link).await.unwrap();
        fails(send(&world, &link).await, FULL);
        let asked = fill_in(&world, &link).await.unwrap();
        fails(asked.refusal.map_or(Ok(()), Err), FULL);
        for _ in 0..3 {
            send(&world, &other).await.unwrap();
        }
        let counted = async |link: &FormLink| {
            let found = world.links().get(SYSTEM, link.id).await;
            found.unwrap().num_submissions
        };
        assert_eq!((counted(&link).await, counted(&other).await), (2, 3));

        world.submissions().delete(SYSTEM, first.id).await.unwrap();
        assert_eq!(counted(&link).await, 1);
        send(&world, &link).await.unwrap();
        fails(send(&world, &link).await, FULL);

        let cap = |cap| FormLinkChange {
            cap,
            ..FormLinkChange::default()
        };
        let lowered = Change::Set(LinkCap::new(1).unwrap());
        let link = change(&world, &link, cap(lowered)).await;
        assert_eq!(link.num_submissions, 2, "nothing is deleted");
        fails(send(&world, &link).await, FULL);
        let link = change(&world, &link, cap(Change::Clear)).await;
        send(&world, &link).await.unwrap();

        let deleted = world.submissions().delete_all(SYSTEM, form).await;
        assert_eq!(deleted.unwrap(), 6);
        assert_eq!((counted(&link).await, counted(&other).await), (0, 0));
    }
}

/// All visitors are one caller, whose share of expensive work is small. A usual page is not expensive.
async fn many_visitors_get_the_page_at_once(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let schema = json!({
        "properties": {"guests": {"type": "integer"}},
        "if": {"properties": {"guests": {"minimum": 1}}, "required": ["guests"]},
        "then": {"properties": {"firstGuest": {"type": "string"}}}
    });
    let form = new_form_with(&schema.to_string(), SubmissionRules::default());
    let form = world.forms().create(SYSTEM, form).await.unwrap().item.id;
    let (link, _) = link_to(&world, form).await;
    // Also if the schema is compiled only now.
    let mut visitors = JoinSet::new();
    for guests in 0..200 {
        let (formalize, caller) = (world.formalize.clone(), link.caller());
        visitors.spawn(async move {
            let entries = Entries::new([("/guests".to_owned(), guests.to_string())]).unwrap();
            let forms = formalize.forms();
            forms.fill_in(&caller, form, entries, None).await
        });
    }
    for visitor in visitors.join_all().await {
        let shown = visitor.unwrap();
        let expected = if shown.answers.data == r#"{"guests":0}"# {
            1
        } else {
            2
        };
        assert_eq!(shown.answers.questions.root.children.len(), expected);
    }
}

async fn the_rules_of_the_form_apply(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        limit: SubmissionLimit::new(2).ok(),
        ..generous(false)
    };
    let form = world.form(rules).await;
    let (link, _) = link_to(&world, form).await;
    let draft = new_submission(form, "{}", SubmissionState::Draft);
    let drafted = world.submissions().create(&link.caller(), draft).await;
    fails(drafted, r#"SubmissionStateNotAllowed("draft")"#);
    send(&world, &link).await.unwrap();
    let set = async |change| {
        world.forms().update(SYSTEM, form, change).await.unwrap();
    };
    let ends = |end| FormChange {
        availability_ends: end,
        ..FormChange::default()
    };
    set(ends(Change::Set(instant("2000-01-01T00:00:00Z")))).await;
    fails(send(&world, &link).await, "FormNotAvailable");
    set(ends(Change::Clear)).await;
    send(&world, &link).await.unwrap();
    fails(send(&world, &link).await, FULL);
    let drafts_only = FormChange {
        allowed_states: Some([SubmissionState::Draft].into_iter().collect()),
        ..FormChange::default()
    };
    set(drafts_only).await;
    let refused = send(&world, &link).await;
    fails(refused, r#"SubmissionStateNotAllowed("submitted")"#);
}

/// Starts with a request that is wrong in every way, and repairs the reported problem until it is accepted.
async fn problems_are_reported_in_order(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        limit: SubmissionLimit::new(1).ok(),
        ..generous(false)
    };
    let form = new_form_with(r#"{"required": ["name"]}"#, rules);
    let form = world.forms().create(SYSTEM, form).await.unwrap().item.id;
    let new = NewFormLink {
        cap: LinkCap::new(1).ok(),
        ..NewFormLink::to(form)
    };
    let (link, _) = world.links().create(SYSTEM, new).await.unwrap();
    let valid = new_submission(form, r#"{"name": "x"}"#, SUBMITTED);
    let submissions = world.submissions();
    let sent = submissions.create(&link.caller(), valid.clone()).await;
    let sent = sent.unwrap().item;
    let closed = FormChange {
        availability_ends: Change::Set(instant("2000-01-01T00:00:00Z")),
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, closed).await.unwrap();
    let draft = new_submission(form, "[", SubmissionState::Draft);
    let refused = submissions.create(&link.caller(), draft).await;
    fails(refused, r#"SubmissionStateNotAllowed("draft")"#);
    fails(send(&world, &link).await, "FormNotAvailable");
    let open = FormChange {
        availability_ends: Change::Clear,
        ..FormChange::default()
    };
    world.forms().update(SYSTEM, form, open).await.unwrap();
    fails(send(&world, &link).await, FULL);
    submissions.delete(SYSTEM, sent.id).await.unwrap();
    let refused = send(&world, &link).await.unwrap_err();
    let is_invalid = matches!(refused, formalize_core::Error::SubmissionDataInvalid(_));
    assert!(is_invalid, "{refused:?}");
    let sent = submissions.create(&link.caller(), valid).await;
    assert!(sent.is_ok(), "refused requests took no place");
}

/// The grant of a link on its form.
async fn grant_of(world: &World, link: &FormLink) -> formalize_core::Grant {
    let of_form = ResourceFilter::of(ResourceRef::form(link.form));
    let grants = world.grants().list(SYSTEM, &of_form, &everything()).await;
    let mut grants = grants.unwrap().items.into_iter().map(|grant| grant.item);
    let holder = Subject::User(link.id.into());
    grants.find(|grant| grant.subject == holder).unwrap()
}

async fn a_link_ends_with_its_grant_and_its_form(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (first, of_first) = link_to(&world, form).await;
    let (second, of_second) = link_to(&world, form).await;
    let (third, of_third) = link_to(&world, form).await;
    let (fourth, of_fourth) = link_to(&world, form).await;
    let grant = grant_of(&world, &first).await;
    assert_eq!(grant.action, Action::CREATE_SUBMISSIONS);
    assert_eq!(grant.subject.to_string(), format!("user:link:{}", first.id));
    let is_known = async |secret: &Secret| {
        let found = world.links().authenticate(secret.expose()).await;
        found.unwrap().is_some()
    };

    world.grants().delete(SYSTEM, grant.id).await.unwrap();
    assert!(!is_known(&of_first).await && is_known(&of_second).await);
    fails(
        world.links().get(SYSTEM, first.id).await,
        "FormLinkNotFound",
    );
    fails(send(&world, &first).await, "Forbidden");

    let (holder, fill) = (Subject::User(second.id.into()), FormAccess::Fill);
    let forms = world.forms();
    let taken = forms.unshare(SYSTEM, form, &holder, fill).await;
    assert_eq!(taken.unwrap().len(), 1);
    assert!(!is_known(&of_second).await && is_known(&of_third).await);

    let grant = grant_of(&world, &third).await;
    world.links().delete(SYSTEM, third.id).await.unwrap();
    assert!(!is_known(&of_third).await && is_known(&of_fourth).await);
    let found = world.grants().get(SYSTEM, grant.id).await;
    fails(found, "GrantNotFound");

    forms.delete(SYSTEM, form).await.unwrap();
    assert!(!is_known(&of_fourth).await);
    fails(
        world.links().get(SYSTEM, fourth.id).await,
        "FormLinkNotFound",
    );
    fails(send(&world, &fourth).await, "FormNotFound");
}

/// No other record can be made for the user of a link, be the link real or not.
async fn a_link_holds_nothing_else(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (link, _) = link_to(&world, form).await;
    let group = world.group("Group").await;
    for reserved in [
        UserId::from(link.id),
        user_id("link:0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"),
        user_id("link:"),
    ] {
        let holder = Subject::User(reserved.clone());
        let resource = ResourceRef::form(form);
        let new = new_grant(&holder, &Action::READ, &resource);
        let refused = "InvalidGrant(Holder([UserIdentifier]))";
        fails(world.grants().create(SYSTEM, new.clone()).await, refused);
        let mut tx = world.store().write().await.unwrap();
        let created = world.grants().create_in(tx.as_mut(), SYSTEM, new).await;
        fails(created, refused);
        drop(tx);
        let forms = world.forms();
        let shared = forms.share(SYSTEM, form, &holder, FormAccess::Fill).await;
        fails(shared, refused);

        let member = Member::User(reserved.clone());
        let joined = world.memberships();
        let joined = joined.create(SYSTEM, NewMembership { group, member }).await;
        fails(joined, "InvalidFields(Membership([UserIdentifier]))");
        let new = NewApiToken {
            user: reserved.clone(),
            attributes: BTreeMap::new(),
            date_expires: None,
        };
        fails(world.tokens().create(SYSTEM, new).await, "UserReserved");
        let session = formalize_core::tokens::NewSession {
            user: reserved,
            ..new_session("alice")
        };
        let begun = world.sessions().create(SYSTEM, session).await;
        fails(begun, "UserReserved");
        let thing = formalize_tests::world::thing("thing");
        let resources = world.resources();
        let manager = holder_id(&holder);
        let registered = resources.register(SYSTEM, thing, Some(&manager)).await;
        fails(registered, "UserReserved");
    }
    for similar in ["link", "Link:x", " link:x", "blink:x"] {
        assert!(!user_id(similar).is_reserved(), "{similar}");
        let resource = ResourceRef::form(form);
        world.grant_to(similar, &Action::READ, &resource).await;
        world.member(group, similar).await;
    }
    let is_user =
        matches!(link.caller(), Caller::Link(caller) if *caller.user_id() == link.id.into());
    assert!(is_user);
}

fn holder_id(holder: &Subject) -> UserId {
    match holder {
        Subject::User(user) => user.clone(),
        _ => unreachable!("{holder} is a user"),
    }
}

async fn submissions_outlive_the_link(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let (link, _) = link_to(&world, form).await;
    let sent = send(&world, &link).await.unwrap();
    world.links().delete(SYSTEM, link.id).await.unwrap();
    let filter = SubmissionFilter {
        creator: Some(format!("link:{}", link.id)),
        ..SubmissionFilter::default()
    };
    let submissions = world.submissions();
    let listed = submissions.list(SYSTEM, form, &filter, &everything()).await;
    let listed = listed.unwrap().items;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].item, sent);
    submissions.delete(SYSTEM, sent.id).await.unwrap();
}
