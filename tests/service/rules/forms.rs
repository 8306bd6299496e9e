use std::sync::Arc;

use formalize_core::{
    Action, Actions, Caller, Change, Error, Expected, FormChange, FormFilter, FormId, FormName,
    InvalidFields, NewForm, PageRequest, PageSize, Position, ResourceClass, ResourceFilter,
    ResourceRef, Store, SubmissionRules, SubmissionState,
    events::{EventFilter, EventType},
    forms::{
        AdditionalData, Availability, AvailableTags, FormContact, FormDetails, FormDetailsChange,
        FrontendKey, LanguageTag, LocalizedNames, SubmissionCap, SubmissionLimit, SubmissionStates,
        SubmittedAction, SubmittedActions, TagPermissions,
    },
};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, instant, new_form, new_form_with, page_of, user};
use serde_json::json;
use uuid::Uuid;

use super::{SYSTEM, fails};

on_every_store! {
    the_creator_manages_form_and_submissions,
    a_form_is_returned_as_created,
    chosen_identifiers_are_used_once_and_by_the_system_alone,
    forms_with_chosen_identifiers_are_in_lists_once,
    every_member_can_be_changed_and_cleared,
    a_window_ends_after_it_starts,
    at_least_one_state_must_be_allowed,
    the_kind_of_authorization_changes_only_without_submissions,
    callers_without_read_access_do_not_see_the_change,
    schemas_are_compiled_only_for_callers_with_permission,
    own_submissions_are_counted_including_drafts,
    deleting_a_form_deletes_all_that_belongs_to_it,
    an_interrupted_deletion_of_a_large_form_is_finished_by_maintenance,
    forms_with_readable_submissions_include_empty_ones,
}

async fn an_interrupted_deletion_of_a_large_form_is_finished_by_maintenance(store: Arc<dyn Store>) {
    let store = FailingStore::around(store);
    let world = World::on(Arc::new(store.clone())).await;
    let all = &ResourceFilter::default();
    let before = world.resources().list(SYSTEM, all, &everything()).await;
    let (form, submission) = world.large_form("alice").await;
    let alice = &user("alice");
    assert!(world.submissions().get(alice, submission).await.is_ok());
    store.fail_at("delete_remains", Failure::Failed);
    world.forms().delete(SYSTEM, form).await.unwrap();

    for caller in [SYSTEM, alice] {
        let gone = world.forms().get(caller, form).await;
        assert!(matches!(gone, Err(Error::FormNotFound)), "{gone:?}");
        let gone = world.submissions().get(caller, submission).await;
        assert!(matches!(gone, Err(Error::SubmissionNotFound)), "{gone:?}");
        let grants = world.grants().list(caller, all, &everything()).await;
        assert_eq!(grants.unwrap().items, []);
    }
    let after = world.resources().list(SYSTEM, all, &everything()).await;
    assert_eq!(after.unwrap().items, before.unwrap().items);
    let after = world.resources().list(alice, all, &everything()).await;
    assert_eq!(after.unwrap().items, []);
    let again = world.forms().delete(SYSTEM, form).await;
    fails(again, "FormNotFound");
    let deletions = EventFilter {
        form: Some(form),
        types: vec![EventType::FormDeleted],
    };
    let events = world.events().read(None, &deletions, 10).await;
    assert_eq!(events.unwrap().events.len(), 1);

    store.recover();
    let remains = world.maintain().await.unwrap().remains;
    // A store in memory leaves nothing. Databases have submissions and their resources, a place, and the form.
    assert!([0, 2 * 1_001 + 2].contains(&remains), "{remains}");
    assert_eq!(world.maintain().await.unwrap().remains, 0);
}

fn any_state() -> SubmissionRules {
    SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

async fn the_creator_manages_form_and_submissions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let forms = ResourceRef::collection(ResourceClass::FORM);
    world.grant_to("alice", &Action::CREATE, &forms).await;
    let alice = user("alice");
    let new = new_form("Form", SubmissionRules::default());
    let made = world.forms().create(&alice, new).await.unwrap();
    assert_eq!(made.granted_actions, Actions::manage());
    assert_eq!(made.num_submissions_by_caller, Some(0));
    let collection = ResourceRef::submission_collection(made.item.id);
    assert_eq!(
        world.actions_on(&alice, &collection).await,
        Actions::manage()
    );
    let filter = ResourceFilter {
        identifier: ResourceRef::form(made.item.id).identifier.into(),
        ..ResourceFilter::default()
    };
    let grants = world.grants().list(SYSTEM, &filter, &everything()).await;
    let grants = grants.unwrap().items;
    assert_eq!(grants.len(), 1, "the collection has no grant of its own");
    assert_eq!(
        grants[0].item.resource.resource,
        ResourceRef::form(made.item.id)
    );
}

/// Identifiers of several versions, which say nothing about a time.
const CHOSEN: [&str; 5] = [
    "00000000-0000-0000-0000-000000000001",
    "32297d33-1352-4cf2-ba06-1577911c3537",
    "c232ab00-9414-11ec-b3c8-9f6bdeced846",
    "e78869ce-e9b3-4df2-854b-cf88a35285f5",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
];

fn limited() -> SubmissionRules {
    SubmissionRules {
        limit: Some(SubmissionLimit::new(1).unwrap()),
        ..SubmissionRules::default()
    }
}

async fn chosen_identifiers_are_used_once_and_by_the_system_alone(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let collection = ResourceRef::collection(ResourceClass::FORM);
    let manage = &Action::MANAGE;
    world.grant_to("alice", manage, &collection).await;
    let forms = world.forms();
    for id in CHOSEN {
        let id: FormId = id.parse().unwrap();
        let new = || new_form("Form", limited());
        let by_alice = forms.create_with_id(&user("alice"), id, new()).await;
        fails(by_alice, "Forbidden");
        fails(forms.get(SYSTEM, id).await, "FormNotFound");
        let created = forms.create_with_id(SYSTEM, id, new()).await.unwrap();
        assert_eq!(created.item.id, id);
        let other = new_form("Other", SubmissionRules::default());
        fails(forms.create_with_id(SYSTEM, id, other).await, "FormExists");
        assert_eq!(forms.get(SYSTEM, id).await.unwrap(), created);
        let renamed = FormChange {
            name: Some(FormName::new("Renamed").unwrap()),
            ..FormChange::default()
        };
        let renamed = forms.update(SYSTEM, id, renamed).await;
        assert_eq!(renamed.unwrap().unwrap().item.name.as_str(), "Renamed");
        let submission = world
            .submission("alice", id, SubmissionState::Submitted)
            .await;
        forms.delete(SYSTEM, id).await.unwrap();
        // It has nothing of the deleted form.
        let again = forms.create_with_id(SYSTEM, id, new()).await.unwrap();
        assert_eq!(again.item.id, id);
        let gone = world.submissions().get(SYSTEM, submission).await;
        fails(gone, "SubmissionNotFound");
        world
            .submission("alice", id, SubmissionState::Submitted)
            .await;
    }
    let nil = FormId::from_uuid(Uuid::nil());
    let new = new_form("Form", limited());
    let created = forms.create_with_id(SYSTEM, nil, new).await;
    fails(created, "FormIdentifierReserved");
}

async fn forms_with_chosen_identifiers_are_in_lists_once(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let forms = world.forms();
    let mut ids: Vec<FormId> = CHOSEN.iter().map(|id| id.parse().unwrap()).collect();
    for id in &ids {
        let new = new_form("Chosen", SubmissionRules::default());
        forms.create_with_id(SYSTEM, *id, new).await.unwrap();
    }
    for _ in 0..2 {
        let new = new_form("Other", SubmissionRules::default());
        ids.push(forms.create(SYSTEM, new).await.unwrap().item.id);
    }
    ids.sort();
    for id in &ids {
        let form = ResourceRef::form(*id);
        world.grant_to("alice", &Action::READ, &form).await;
    }
    for caller in [SYSTEM, &user("alice")] {
        let mut by_page = Vec::new();
        for number in 1.. {
            let request = PageRequest {
                size: PageSize::new(2).unwrap(),
                position: Position::Number(number),
            };
            let page = forms.list(caller, &FormFilter::default(), &request).await;
            let page = page.unwrap();
            by_page.extend(page.items.iter().map(|form| form.item.id));
            if page.items.is_empty() {
                break;
            }
        }
        assert_eq!(by_page, ids);
        let mut by_cursor = Vec::new();
        let mut request = page_of(2);
        loop {
            let page = forms.list(caller, &FormFilter::default(), &request).await;
            let page = page.unwrap();
            by_cursor.extend(page.items.iter().map(|form| form.item.id));
            let Some(next) = page.next else { break };
            request = PageRequest::after(&next, PageSize::new(2).unwrap());
        }
        assert_eq!(by_cursor, ids);
    }
}

#[test]
fn names_have_1_to_256_characters_and_are_not_blank() {
    assert!(FormName::new("ä".repeat(256)).is_ok());
    for name in ["", " \u{2003}", "a\rb", &"ä".repeat(257)] {
        assert!(matches!(FormName::new(name), Err(InvalidFields::Form(_))));
    }
}

#[test]
fn caps_and_limits_go_from_0_to_2147483647() {
    assert_eq!(SubmissionCap::new(0).unwrap().get(), 0);
    assert_eq!(
        SubmissionCap::new(2_147_483_647).unwrap().get(),
        2_147_483_647
    );
    let error = "InvalidFields(Form([MaxNumSubmissionsPerCreator]))";
    fails(SubmissionCap::new(-1), error);
    fails(SubmissionCap::new(2_147_483_648), error);
    fails(SubmissionCap::new(i64::MAX), error);
    for number in [0, 2_147_483_647] {
        assert_eq!(SubmissionLimit::new(number).unwrap().get(), number);
    }
    for number in [-1, 2_147_483_648, i64::MAX] {
        let error = "InvalidFields(Form([MaxNumSubmissions]))";
        fails(SubmissionLimit::new(number), error);
    }
}

/// Every member has a value other than its default.
fn full_form() -> NewForm {
    let window = Availability::new(
        Some(instant("2026-01-02T03:04:05.006Z")),
        Some(instant("2027-01-01T00:00:00.999Z")),
    );
    NewForm {
        name: FormName::new("Full").unwrap(),
        data_feed_schema: Some(" {\"type\" :\t\"object\", \"title\":\"\\u00e9\" }\n".to_owned()),
        rules: SubmissionRules {
            grant_based: true,
            allowed_actions_when_submitted: [SubmittedAction::Read, SubmittedAction::Delete]
                .into_iter()
                .collect(),
            allowed_states: [SubmissionState::Draft].into_iter().collect(),
            availability: window.unwrap(),
            cap: Some(SubmissionCap::new(2_147_483_647).unwrap()),
            limit: Some(SubmissionLimit::new(2_147_483_646).unwrap()),
            tag_permissions: TagPermissions::Remove,
        },
        details: FormDetails {
            localized_names: localized_names([("de", "Voll"), ("fr", "Plein")]),
            frontend_key: Some(FrontendKey::new("full").unwrap()),
            additional_data: Some(AdditionalData::new(&json!({"a": 1})).unwrap()),
            available_tags: AvailableTags::new(&[json!({"identifier": "a", "b": null})]).unwrap(),
            contact: Some(FormContact::new("Registry, room 12").unwrap()),
        },
    }
}

fn localized_names<const N: usize>(names: [(&str, &str); N]) -> LocalizedNames {
    let names = names.map(|(tag, name)| {
        let tag = LanguageTag::new(tag).unwrap();
        (tag, FormName::new(name).unwrap())
    });
    LocalizedNames::new(names).unwrap()
}

async fn a_form_is_returned_as_created(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let made = world
        .forms()
        .create(SYSTEM, full_form())
        .await
        .unwrap()
        .item;
    assert_eq!(made.rules, full_form().rules);
    assert_eq!(made.details, full_form().details);
    let schema = made.data_feed_schema.as_deref();
    assert_eq!(
        schema,
        Some(" {\"type\" :\t\"object\", \"title\":\"\\u00e9\" }\n")
    );
    assert_eq!(made.date_created, instant(formalize_tests::world::START));
    let read = world.forms().get(SYSTEM, made.id).await.unwrap().item;
    assert_eq!(read, made);
    let plain = new_form("Plain", SubmissionRules::default());
    let plain = world.forms().create(SYSTEM, plain).await.unwrap().item;
    let read = world.forms().get(SYSTEM, plain.id).await.unwrap().item;
    assert_eq!(read, plain);
    let states: Vec<SubmissionState> = plain.rules.allowed_states.iter().collect();
    assert_eq!(states, [SubmissionState::Submitted]);
    assert!(!plain.rules.grant_based && plain.rules.cap.is_none() && plain.rules.limit.is_none());
    assert_eq!(
        plain.rules.allowed_actions_when_submitted,
        SubmittedActions::NONE
    );
}

async fn every_member_can_be_changed_and_cleared(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let made = world
        .forms()
        .create(SYSTEM, full_form())
        .await
        .unwrap()
        .item;
    let update = async |change| {
        let changed = world.forms().update(SYSTEM, made.id, change).await;
        let changed = changed.unwrap().unwrap().item;
        let read = world.forms().get(SYSTEM, made.id).await.unwrap().item;
        assert_eq!(read, changed);
        changed
    };
    let kept = update(FormChange::default()).await;
    assert_ne!(
        kept.revision, made.revision,
        "every change makes a revision"
    );
    assert_eq!((&kept.name, kept.rules), (&made.name, made.rules));
    assert_eq!(kept.details, made.details);
    assert_eq!(kept.data_feed_schema, made.data_feed_schema);

    let cleared = update(FormChange {
        name: Some(FormName::new("Other").unwrap()),
        data_feed_schema: Change::Clear,
        grant_based: Some(false),
        allowed_actions_when_submitted: Some(SubmittedActions::NONE),
        allowed_states: Some([SubmissionState::Submitted].into_iter().collect()),
        available_starts: Change::Clear,
        availability_ends: Change::Clear,
        cap: Change::Clear,
        limit: Change::Clear,
        tag_permissions: Some(TagPermissions::default()),
        details: FormDetailsChange {
            localized_names: Change::Clear,
            frontend_key: Change::Clear,
            additional_data: Change::Clear,
            available_tags: Some(AvailableTags::default()),
            contact: Change::Clear,
            is_whole: false,
        },
    })
    .await;
    assert_eq!(cleared.name.as_str(), "Other");
    assert_eq!(cleared.data_feed_schema, None);
    assert_eq!(cleared.rules, SubmissionRules::default());
    assert_eq!(cleared.details, FormDetails::default());

    let full = full_form();
    let window = full.rules.availability;
    let again = update(FormChange {
        name: Some(full.name),
        data_feed_schema: Change::Set(full.data_feed_schema.unwrap()),
        grant_based: Some(full.rules.grant_based),
        allowed_actions_when_submitted: Some(full.rules.allowed_actions_when_submitted),
        allowed_states: Some(full.rules.allowed_states),
        available_starts: Change::Set(window.starts().unwrap()),
        availability_ends: Change::Set(window.ends().unwrap()),
        cap: Change::Set(full.rules.cap.unwrap()),
        limit: Change::Set(full.rules.limit.unwrap()),
        tag_permissions: Some(full.rules.tag_permissions),
        details: FormDetailsChange {
            localized_names: Change::Set(
                (full.details.localized_names.iter())
                    .map(|(tag, name)| (tag.clone(), Some(name.clone())))
                    .collect(),
            ),
            frontend_key: Change::Set(full.details.frontend_key.unwrap()),
            additional_data: Change::Set(full.details.additional_data.unwrap().value()),
            available_tags: Some(full.details.available_tags),
            contact: Change::Set(full.details.contact.unwrap()),
            is_whole: false,
        },
    })
    .await;
    assert_eq!((again.name, again.rules), (made.name, made.rules));
    assert_eq!(again.details, made.details);
    assert_eq!(again.data_feed_schema, made.data_feed_schema);
}

async fn a_window_ends_after_it_starts(store: Arc<dyn Store>) {
    let early = instant("2026-11-21T08:00:00.000Z");
    let late = instant("2026-11-21T08:00:00.001Z");
    let error = "InvalidFields(Form([AvailableStarts, AvailabilityEnds]))";
    fails(Availability::new(Some(late), Some(early)), error);
    assert!(Availability::new(Some(late), Some(late)).is_ok());

    let world = World::on(store).await;
    let rules = SubmissionRules {
        availability: Availability::new(Some(late), None).unwrap(),
        ..SubmissionRules::default()
    };
    let form = world.form(rules).await;
    let ending = |end| FormChange {
        availability_ends: Change::Set(end),
        ..FormChange::default()
    };
    let forms = world.forms();
    fails(forms.update(SYSTEM, form, ending(early)).await, error);
    let read = forms.get(SYSTEM, form).await.unwrap().item;
    assert_eq!(read.rules.availability.ends(), None);
    assert!(forms.update(SYSTEM, form, ending(late)).await.is_ok());
    let both = FormChange {
        available_starts: Change::Set(early),
        ..ending(early)
    };
    assert!(forms.update(SYSTEM, form, both).await.is_ok());
    let only_start = FormChange {
        available_starts: Change::Set(late),
        ..FormChange::default()
    };
    fails(forms.update(SYSTEM, form, only_start).await, error);
}

async fn at_least_one_state_must_be_allowed(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let error = "InvalidFields(Form([AllowedSubmissionStates]))";
    let none = SubmissionRules {
        allowed_states: SubmissionStates::NONE,
        ..SubmissionRules::default()
    };
    fails(
        world.forms().create(SYSTEM, new_form("Form", none)).await,
        error,
    );
    let form = world.form(SubmissionRules::default()).await;
    let change = FormChange {
        allowed_states: Some(SubmissionStates::NONE),
        ..FormChange::default()
    };
    fails(world.forms().update(SYSTEM, form, change).await, error);
}

async fn the_kind_of_authorization_changes_only_without_submissions(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(any_state()).await;
    let govern = async |grant_based| {
        let change = FormChange {
            grant_based: Some(grant_based),
            ..FormChange::default()
        };
        world.forms().update(SYSTEM, form, change).await
    };
    let error = "FormHasSubmissions([GrantBasedSubmissionAuthorization])";
    assert!(govern(true).await.is_ok());
    assert!(govern(false).await.is_ok());
    let draft = world
        .submission("alice", form, SubmissionState::Draft)
        .await;
    fails(govern(true).await, error);
    assert!(govern(false).await.is_ok(), "the value is unchanged");
    world
        .submission("alice", form, SubmissionState::Submitted)
        .await;
    world.submissions().delete_all(SYSTEM, form).await.unwrap();
    fails(govern(true).await, error);
    world.submissions().delete(SYSTEM, draft).await.unwrap();
    assert!(govern(true).await.is_ok());
}

async fn callers_without_read_access_do_not_see_the_change(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let form = world.form(SubmissionRules::default()).await;
    let resource = ResourceRef::form(form);
    world.grant_to("alice", &Action::UPDATE, &resource).await;
    let update = async || {
        let change = FormChange::default();
        world.forms().update(&user("alice"), form, change).await
    };
    assert_eq!(update().await.unwrap(), None);
    world.grant_to("alice", &Action::READ, &resource).await;
    let actions = [Action::READ, Action::UPDATE].into_iter().collect();
    assert_eq!(update().await.unwrap().unwrap().granted_actions, actions);
}

async fn schemas_are_compiled_only_for_callers_with_permission(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let alice = user("alice");
    let create = async || {
        let new = new_form_with("{", SubmissionRules::default());
        world.forms().create(&alice, new).await
    };
    fails(create().await, "Forbidden");
    let forms = ResourceRef::collection(ResourceClass::FORM);
    world.grant_to("alice", &Action::CREATE, &forms).await;
    assert!(matches!(create().await, Err(Error::DataSchemaInvalid(_))));

    let form = world.form(SubmissionRules::default()).await;
    let read = world.forms().get(SYSTEM, form).await.unwrap().item;
    let update = async |form: Expected<FormId>| {
        let change = FormChange {
            data_feed_schema: Change::Set("{".to_owned()),
            ..FormChange::default()
        };
        world.forms().update(&alice, form, change).await
    };
    fails(
        update(FormId::from_uuid(Uuid::nil()).into()).await,
        "FormNotFound",
    );
    fails(update(form.into()).await, "Forbidden");
    let resource = ResourceRef::form(form);
    world.grant_to("alice", &Action::UPDATE, &resource).await;
    let other = world.form(SubmissionRules::default()).await;
    let other = world.forms().get(SYSTEM, other).await.unwrap().item;
    fails(update(form.at(other.revision)).await, "RevisionMismatch");
    assert!(matches!(
        update(form.at(read.revision)).await,
        Err(Error::DataSchemaInvalid(_))
    ));
    let after = world.forms().get(SYSTEM, form).await.unwrap().item;
    assert_eq!(after, read, "a refused change changes nothing");
}

async fn own_submissions_are_counted_including_drafts(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let (form, other) = (world.form(any_state()).await, world.form(any_state()).await);
    for id in [form, other] {
        world
            .grant_to("alice", &Action::READ, &ResourceRef::form(id))
            .await;
    }
    let draft = world
        .submission("alice", form, SubmissionState::Draft)
        .await;
    world
        .submission("alice", form, SubmissionState::Submitted)
        .await;
    world
        .submission("bob", form, SubmissionState::Submitted)
        .await;
    let count = async |form| {
        let view = world.forms().get(&user("alice"), form).await.unwrap();
        view.num_submissions_by_caller
    };
    assert_eq!((count(form).await, count(other).await), (Some(2), Some(0)));
    world.submissions().delete(SYSTEM, draft).await.unwrap();
    assert_eq!(count(form).await, Some(1));
    world.submissions().delete_all(SYSTEM, form).await.unwrap();
    assert_eq!(count(form).await, Some(0));
    let page = world
        .forms()
        .list(&user("alice"), &FormFilter::default(), &everything())
        .await;
    let page = page.unwrap();
    assert!(
        page.items
            .iter()
            .all(|it| it.num_submissions_by_caller.is_none())
    );
}

async fn deleting_a_form_deletes_all_that_belongs_to_it(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let rules = SubmissionRules {
        grant_based: true,
        ..any_state()
    };
    let (form, other) = (world.form(rules).await, world.form(rules).await);
    let kept = world
        .submission("alice", other, SubmissionState::Draft)
        .await;
    let mut gone = Vec::new();
    for state in SubmissionState::ALL {
        gone.push(world.submission("alice", form, *state).await);
    }
    world
        .grant_to("bob", &Action::DELETE, &ResourceRef::form(form))
        .await;
    let collection = ResourceRef::submission_collection(form);
    world.grant_to("bob", &Action::READ, &collection).await;
    world.forms().delete(&user("bob"), form).await.unwrap();
    fails(world.forms().get(SYSTEM, form).await, "FormNotFound");
    for submission in gone {
        let read = world.submissions().get(SYSTEM, submission).await;
        fails(read, "SubmissionNotFound");
    }
    let grants = world
        .grants()
        .list(SYSTEM, &ResourceFilter::default(), &everything())
        .await;
    let grants = grants.unwrap().items;
    assert_eq!(grants.len(), 1, "{grants:?}");
    assert_eq!(
        grants[0].item.resource.resource,
        ResourceRef::submission(kept)
    );
    fails(world.forms().delete(SYSTEM, form).await, "FormNotFound");
    let list = world.submissions();
    let page = list
        .list(
            SYSTEM,
            form,
            &formalize_core::SubmissionFilter::default(),
            &everything(),
        )
        .await;
    fails(page, "FormNotFound");
    fails(list.delete_all(SYSTEM, form).await, "FormNotFound");
}

async fn forms_with_readable_submissions_include_empty_ones(store: Arc<dyn Store>) {
    let world = World::on(store).await;
    let allowed = [SubmittedAction::Read].into_iter().collect();
    let readable_own = SubmissionRules {
        allowed_actions_when_submitted: allowed,
        ..any_state()
    };
    let forms = [
        world.form(any_state()).await,
        world.form(any_state()).await,
        world.form(any_state()).await,
        world.form(any_state()).await,
        world.form(readable_own).await,
        world.form(readable_own).await,
    ];
    for form in &forms[1..] {
        world
            .grant_to("alice", &Action::READ, &ResourceRef::form(*form))
            .await;
    }
    let [
        unreadable,
        empty,
        with_submitted,
        with_draft,
        with_own,
        without_own,
    ] = forms;
    for form in [unreadable, empty] {
        let resource = ResourceRef::form(form);
        world
            .grant_to("alice", &Action::READ_SUBMISSIONS, &resource)
            .await;
    }
    world
        .submission("alice", with_submitted, SubmissionState::Submitted)
        .await;
    world
        .submission("alice", with_draft, SubmissionState::Draft)
        .await;
    world
        .submission("alice", with_own, SubmissionState::Submitted)
        .await;
    world
        .submission("bob", without_own, SubmissionState::Submitted)
        .await;
    let filter = FormFilter {
        where_read_form_submissions_granted: true,
        ..FormFilter::default()
    };
    let list = async |caller: &Caller| {
        let page = world.forms().list(caller, &filter, &everything()).await;
        page.unwrap()
            .items
            .iter()
            .map(|it| it.item.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(list(&user("alice")).await, [empty, with_draft, with_own]);
    assert_eq!(list(SYSTEM).await, forms);
}
