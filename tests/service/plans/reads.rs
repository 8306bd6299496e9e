//! Every read, by callers with every kind of permission.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::file_store::memory::MemoryFileStore;
use formalize_core::store::Window;
use formalize_core::store::scope::{Holding, Reach, Reached, ResourceScope, Subjects};
use formalize_core::{
    Action, Caller, FormChange, FormFilter, FormId, Formalize, GrantId, GroupFilter, GroupId,
    MembershipId, Page, PageRequest, Position, ResourceClass, ResourceFilter, ResourceIdentifier,
    ResourceRef, Store, Subject, SubmissionFilter, SubmissionId, SubmissionRules, SubmissionState,
    UserId,
    authorization::{IdentifierFilter, PermissionCheck, Policies},
    events::EventId,
    files::FileId,
    forms::{FrontendKey, FrontendKeys, SubmissionLimit, SubmittedAction},
};
use formalize_sql::ContentChecks;

use formalize_tests::world::{
    Setup, THING, World, action, class, condition, dynamic_group, holder, new_group,
    new_submission, page_of, thing, user, user_id, user_with,
};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::statements::Ledger;

/// The policies and the dynamic group that give some of the callers their permissions.
pub(super) fn setup() -> Setup {
    let role = |name: &str| condition(&format!(r#"user.attributes.role == "{name}""#));
    let managed = [
        ResourceClass::GROUP,
        ResourceClass::FORM,
        ResourceClass::SUBMISSION_COLLECTION,
        ResourceClass::SUBMISSION,
        class(THING),
    ];
    let policies = Policies {
        administrators: Some(role("administrator")),
        manage_everything: Some(role("manager of everything")),
        manage_collection: managed.map(|class| (class, role("manager"))).into(),
        ..Policies::default()
    };
    Setup {
        policies,
        ..Setup::default()
    }
    .dynamic_group("staff", r#"user.attributes.role == "staff""#)
}

fn callers() -> [(&'static str, Caller); 9] {
    [
        ("the system", Caller::System),
        (
            "an administrator",
            user_with("admin", "role", "administrator"),
        ),
        (
            "a manager of everything",
            user_with("owner", "role", "manager of everything"),
        ),
        (
            "a manager of collections",
            user_with("manager", "role", "manager"),
        ),
        (
            "one in a dynamic group",
            user_with("dynamic", "role", "staff"),
        ),
        ("a member of nested groups", user("user-1")),
        ("the holder of much", user("rich")),
        ("the holder of little", user("poor")),
        ("a stranger", user("stranger")),
    ]
}

/// The records to read.
struct Scene {
    group: GroupId,
    membership: MembershipId,
    grant: GrantId,
    /// Forms of both kinds, some with very many submissions.
    forms: Vec<FormId>,
    submissions: Vec<SubmissionId>,
}

/// A part of the name of lists of submissions that end at a time.
pub(super) const BEFORE_A_TIME: &str = " before a time";

/// Reads everything in every way.
pub(super) async fn all(ledger: &mut Ledger) {
    let scene = scene(&ledger.world).await;
    ledger.take_plans("build the scene");
    for (name, caller) in callers() {
        groups_and_forms(ledger, name, &caller).await;
        resources_and_grants(ledger, name, &caller).await;
        grants_of_holders(ledger, &scene, name, &caller).await;
        items_by_action(ledger, name, &caller).await;
        lists_in_scene(ledger, &scene, name, &caller).await;
        items(ledger, &scene, name, &caller).await;
    }
}

/// Records of the usual kinds, on which `poor` and the dynamic group hold a few grants.
async fn scene(world: &World) -> Scene {
    let group = world.group("A group").await;
    let membership = world.member(group, "poor").await;
    let mut scene = Scene {
        group,
        membership,
        grant: world
            .grant(&staff(), &Action::READ, &ResourceRef::group(group))
            .await,
        forms: Vec::new(),
        submissions: Vec::new(),
    };
    for grant_based in [false, true] {
        let form = world.form(rules(grant_based)).await;
        for state in [SubmissionState::Draft, SubmissionState::Submitted] {
            let submission = world.submission("poor", form, state).await;
            scene.submissions.push(submission);
        }
        // Invalid data must not skip the check of the cap.
        let refused = new_submission(form, "[]", SubmissionState::Submitted);
        let answer = world.submissions().create(&Caller::System, refused).await;
        assert!(answer.is_err(), "the data is not an object");
        scene.forms.push(form);
        let collection = ResourceRef::submission_collection(form);
        world.grant(&staff(), &Action::READ, &collection).await;
    }
    let large = [filled(4, 1), filled(4, 2)];
    scene.forms.extend(large.map(FormId::from_uuid));
    let thing = world.thing("mine").await;
    world.grant_to("poor", &Action::MANAGE, &thing).await;
    scene
}

/// A record of `fill.sql`; SQLite databases do not have them.
fn filled(kind: u128, number: u128) -> Uuid {
    Uuid::from_u128(kind << 96 | number)
}

fn staff() -> Subject {
    Subject::DynamicGroup(dynamic_group("staff"))
}

fn rules(grant_based: bool) -> SubmissionRules {
    SubmissionRules {
        grant_based,
        allowed_actions_when_submitted: [SubmittedAction::Read].into_iter().collect(),
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}

/// The first page of a list, the second, and the next ones by cursor.
async fn pages<T>(
    ledger: &mut Ledger,
    name: &str,
    list: impl AsyncFn(&World, &PageRequest) -> formalize_core::Result<Page<T>>,
) {
    let first = page_of(2);
    let mut further = vec![Position::Number(2)];
    if let Ok(page) = list(&ledger.world, &first).await {
        further.extend(page.next.map(Position::Cursor));
    }
    for position in further {
        let size = first.size;
        // Callers who may not see the list are rejected only after a look-up.
        let _ = list(&ledger.world, &PageRequest { size, position }).await;
    }
    ledger.take_plans(name);
}

/// Lists of groups and forms.
async fn groups_and_forms(ledger: &mut Ledger, who: &str, caller: &Caller) {
    for (by, search) in [("", None), (" by name", Some("roup 12"))] {
        let filter = GroupFilter {
            search: search.map(str::to_owned),
        };
        let list = async |world: &World, page: &PageRequest| {
            world.groups().list(caller, &filter, page).await
        };
        pages(ledger, &format!("list groups{by} as {who}"), list).await;
    }
    let list =
        async |world: &World, page: &PageRequest| world.groups().of_caller(caller, page).await;
    pages(ledger, &format!("list own groups as {who}"), list).await;
    let [survey, exam] = ["survey", "exam"].map(|key| vec![FrontendKey::new(key).unwrap()]);
    for (with, any_of, none_of) in [
        ("", None, Vec::new()),
        (" by key", Some(survey.clone()), Vec::new()),
        (" without a key", None, exam.clone()),
        (" by key and without one", Some(survey), exam),
    ] {
        for (which, where_read_form_submissions_granted) in
            [("", false), (" with submissions", true)]
        {
            let filter = FormFilter {
                where_read_form_submissions_granted,
                frontend_keys: FrontendKeys {
                    any_of: any_of.clone(),
                    none_of: none_of.clone(),
                },
            };
            let list = async |world: &World, page: &PageRequest| {
                world.forms().list(caller, &filter, page).await
            };
            pages(ledger, &format!("list forms{which}{with} as {who}"), list).await;
        }
    }
    let list =
        async |world: &World, page: &PageRequest| world.forms().list_to_fill_in(caller, page).await;
    pages(ledger, &format!("list forms to fill in as {who}"), list).await;
    let list = async |world: &World, page: &PageRequest| {
        world.forms().list_to_look_after(caller, page).await
    };
    pages(ledger, &format!("list forms to look after as {who}"), list).await;
    let list = async |world: &World, page: &PageRequest| world.actions().list(caller, page).await;
    pages(ledger, &format!("list classes as {who}"), list).await;
}

/// Lists of resources and of the grants on them.
async fn resources_and_grants(ledger: &mut Ledger, who: &str, caller: &Caller) {
    use IdentifierFilter::{Any, Collections, Is, Items};
    let classes = [
        None,
        Some(class(THING)),
        Some(ResourceClass::GROUP),
        Some(ResourceClass::FORM),
        Some(ResourceClass::SUBMISSION_COLLECTION),
        Some(ResourceClass::SUBMISSION),
    ];
    let mine = ResourceIdentifier::new("mine").unwrap();
    let identifiers = [
        ("", Any),
        (" without collections", Items),
        (" that are collections", Collections),
        (" with an identifier", Is(mine)),
    ];
    for (of, class, identifier) in classes.iter().flat_map(|class| {
        let identifiers = identifiers.iter();
        identifiers.map(move |(of, identifier)| (*of, class.clone(), identifier.clone()))
    }) {
        let by = match &class {
            Some(class) => format!(" of {class}{of}"),
            None => of.to_owned(),
        };
        let filter = ResourceFilter { class, identifier };
        let list = async |world: &World, page: &PageRequest| {
            world.resources().list(caller, &filter, page).await
        };
        pages(ledger, &format!("list resources{by} as {who}"), list).await;
        let list = async |world: &World, page: &PageRequest| {
            world.grants().list(caller, &filter, page).await
        };
        pages(ledger, &format!("list grants{by} as {who}"), list).await;
    }
}

/// Lists of the grants of a holder, and the grants that explain what a user may do.
async fn grants_of_holders(ledger: &mut Ledger, scene: &Scene, who: &str, caller: &Caller) {
    for subject in [holder("poor"), Subject::Group(scene.group), staff()] {
        let list = async |world: &World, page: &PageRequest| {
            world.grants().list_of_holder(caller, &subject, page).await
        };
        pages(ledger, &format!("list grants of a holder as {who}"), list).await;
    }
    for form in &scene.forms {
        for user in ["poor", "rich", "user-1"] {
            let forms = ledger.world.forms();
            let _ = forms.explain(caller, *form, &user_id(user)).await;
        }
    }
    ledger.take_plans(&format!("explain permissions as {who}"));
}

/// Lists of items by action, as an application asks for them.
async fn items_by_action(ledger: &mut Ledger, who: &str, caller: &Caller) {
    let classes = [
        class(THING),
        ResourceClass::GROUP,
        ResourceClass::FORM,
        ResourceClass::SUBMISSION_COLLECTION,
        ResourceClass::SUBMISSION,
    ];
    let actions = [
        action("write"),
        Action::MANAGE,
        Action::READ,
        Action::UPDATE,
        Action::CREATE_SUBMISSIONS,
        Action::READ_SUBMISSIONS,
    ];
    // Not every class has every action. The others are refused before anything is read.
    for (class, action) in classes
        .iter()
        .flat_map(|class| actions.iter().map(move |action| (class, action)))
    {
        let list = async |world: &World, page: &PageRequest| {
            let resources = world.resources();
            resources.list_by_action(caller, class, action, page).await
        };
        pages(
            ledger,
            &format!("list resources of {class} by action as {who}"),
            list,
        )
        .await;
    }
}

/// The members of a group, and the submissions of forms.
async fn lists_in_scene(ledger: &mut Ledger, scene: &Scene, who: &str, caller: &Caller) {
    for group in [scene.group, GroupId::from_uuid(filled(1, 1))] {
        let list = async |world: &World, page: &PageRequest| {
            world.memberships().list(caller, group, page).await
        };
        pages(ledger, &format!("list memberships as {who}"), list).await;
    }
    // A summary reads on to the end, so it is one of forms with few submissions.
    for form in scene.forms.iter().take(2) {
        for (creator, created_before) in
            [(None, None), (Some("poor"), Some("2040-01-01T00:00:00Z"))]
        {
            let filter = SubmissionFilter {
                creator: creator.map(str::to_owned),
                created_before: created_before.map(|time| time.parse().unwrap()),
                ..SubmissionFilter::default()
            };
            let submissions = ledger.world.submissions();
            let summary = submissions.summary(caller, *form, &filter, None).await;
            assert!(summary.unwrap().is_complete);
            ledger.take_plans(&format!("summarize submissions as {who}"));
        }
    }
    let own = caller.user_id().map_or("poor", UserId::as_str);
    for form in &scene.forms {
        let creators = [None, Some(own), Some("user-7")].into_iter();
        let kinds = creators.flat_map(|creator| {
            let states = [
                None,
                Some(SubmissionState::Draft),
                Some(SubmissionState::Submitted),
            ];
            states.map(|state| (creator, state)).into_iter()
        });
        for (creator, state, is_before) in kinds
            .flat_map(|(creator, state)| [false, true].map(|is_before| (creator, state, is_before)))
        {
            let time = |text: &str| text.parse().unwrap();
            let filter = SubmissionFilter {
                creator: creator.map(str::to_owned),
                state,
                tag: Some("tag".to_owned()),
                created_before: is_before.then(|| time("2040-01-01T00:00:00Z")),
                ..SubmissionFilter::default()
            };
            for newest_first in [false, true] {
                let filter = SubmissionFilter {
                    newest_first,
                    ..filter.clone()
                };
                let list = async |world: &World, page: &PageRequest| {
                    world.submissions().list(caller, *form, &filter, page).await
                };
                let name = format!("list submissions with a tag as {who}");
                pages(ledger, &name, list).await;
            }
        }
        for creator in [None, Some(own), Some("user-7")] {
            for state in [
                None,
                Some(SubmissionState::Draft),
                Some(SubmissionState::Submitted),
            ] {
                for (from, before) in [(false, false), (true, false), (false, true), (true, true)] {
                    let time = |text: &str| text.parse().unwrap();
                    let filter = SubmissionFilter {
                        creator: creator.map(str::to_owned),
                        state,
                        created_from: from.then(|| time("2020-01-01T00:00:00Z")),
                        created_before: before.then(|| time("2040-01-01T00:00:00Z")),
                        ..SubmissionFilter::default()
                    };
                    let list = async |world: &World, page: &PageRequest| {
                        world.submissions().list(caller, *form, &filter, page).await
                    };
                    let by = if before { BEFORE_A_TIME } else { "" };
                    pages(ledger, &format!("list submissions{by} as {who}"), list).await;
                    let newest = SubmissionFilter {
                        newest_first: true,
                        ..filter.clone()
                    };
                    let list = async |world: &World, page: &PageRequest| {
                        world.submissions().list(caller, *form, &newest, page).await
                    };
                    let name = format!("list submissions, newest first{by} as {who}");
                    pages(ledger, &name, list).await;
                }
                let since = formalize_core::Timestamp::from_millis(0).unwrap();
                let submissions = ledger.world.submissions();
                let _ = submissions.count_since(caller, *form, since, 1_000).await;
                ledger.take_plans(&format!("count new submissions as {who}"));
            }
        }
    }
}

/// Single records and checks on them. Callers without permission are rejected only after a look-up.
async fn items(ledger: &mut Ledger, scene: &Scene, who: &str, caller: &Caller) {
    let world = &ledger.world;
    let _ = world.groups().get(caller, scene.group).await;
    let _ = world.memberships().get(caller, scene.membership).await;
    let grant = world.grants().get(caller, scene.grant).await;
    if let Ok(grant) = grant {
        let _ = world.resources().get(caller, grant.item.resource.id).await;
    }
    let mut resources = vec![
        ResourceRef::group(scene.group),
        thing("mine"),
        thing("nothing"),
    ];
    resources.extend(
        [ResourceClass::GROUP, ResourceClass::FORM, class(THING)].map(ResourceRef::collection),
    );
    for form in &scene.forms {
        let _ = world.forms().get(caller, *form).await;
        resources.extend([
            ResourceRef::form(*form),
            ResourceRef::submission_collection(*form),
        ]);
    }
    for submission in &scene.submissions {
        let _ = world.submissions().get(caller, *submission).await;
        resources.push(ResourceRef::submission(*submission));
    }
    for resource in &resources {
        let _ = world.resources().granted_actions(caller, resource).await;
        let _ = world
            .resources()
            .is_granted(caller, resource, &Action::READ)
            .await;
    }
    let checks = resources.iter().map(|resource| PermissionCheck {
        class: resource.class.to_string(),
        identifier: resource.identifier.as_ref().map(ToString::to_string),
        action: Action::READ.to_string(),
    });
    let checks: Vec<_> = checks.collect();
    let _ = world.resources().check_all(caller, &checks).await;
    ledger.take_plans(&format!("read and check items as {who}"));
}

/// Deletions of submissions that their creators may read, so that they learn of it.
async fn deletions(ledger: &mut Ledger) {
    for is_grant_based in [false, true] {
        let world = &ledger.world;
        let form = world.form(rules(is_grant_based)).await;
        let draft = world.submission("poor", form, SubmissionState::Draft).await;
        let mut submitted = draft;
        for user in ["poor", "rich", "user-1"] {
            submitted = world
                .submission(user, form, SubmissionState::Submitted)
                .await;
        }
        for submission in [draft, submitted] {
            let service = world.submissions();
            service.delete(&Caller::System, submission).await.unwrap();
        }
        ledger.take_plans("delete a submission that its creator may read");
        let all = ledger.world.submissions();
        all.delete_all(&Caller::System, form).await.unwrap();
        ledger.take_plans("delete all submissions");
        let deleted = ledger.world.forms().delete(&Caller::System, form).await;
        deleted.unwrap();
        ledger.take_plans("delete a form with submissions that others may read");
    }
}

/// Writes while the event log is off.
async fn without_events(ledger: &mut Ledger) {
    let builder = Formalize::builder(Arc::new(ledger.store.clone()));
    let formalize = builder.event_log(false).build().await.unwrap();
    ledger.take_plans("start without an event log");
    let form = ledger.world.form(SubmissionRules::default()).await;
    ledger.take_plans("create a form");
    let new = new_submission(form, "{}", SubmissionState::Submitted);
    let submissions = formalize.submissions();
    submissions.create(&Caller::System, new).await.unwrap();
    submissions.delete_all(&Caller::System, form).await.unwrap();
    formalize
        .forms()
        .delete(&Caller::System, form)
        .await
        .unwrap();
    ledger.take_plans("submit and delete without an event log");
}

/// Rare operations, and operations of the store itself.
pub(super) async fn beside(ledger: &mut Ledger) {
    let mut tx = ledger.world.store().read().await.unwrap();
    let event = EventId::from_uuid(Uuid::nil());
    let audience = tx.read_events().unwrap().event_audience(event).await;
    assert_eq!(audience.unwrap(), []);
    drop(tx);
    ledger.take_plans("read the audience of an event");
    deletions(ledger).await;
    let group = GroupId::from_uuid(Uuid::from_u128(7));
    for _ in 0..2 {
        let groups = ledger.world.groups();
        let ensured = groups.ensure(&Caller::System, group, new_group("ensured"));
        ensured.await.unwrap();
    }
    ledger.take_plans("ensure a group");
    without_events(ledger).await;

    let world = &ledger.world;
    let form = world.form(SubmissionRules::default()).await;
    let change = FormChange {
        grant_based: Some(true),
        ..FormChange::default()
    };
    let changed = world.forms().update(&Caller::System, form, change).await;
    changed.unwrap();
    let managers = ["poor", "user-1"];
    let resource = ResourceRef::form(form);
    let mut grants = Vec::new();
    for manager in managers {
        grants.push(world.grant_to(manager, &Action::MANAGE, &resource).await);
    }
    let deleted = world.grants().delete(&user("poor"), grants[0]).await;
    deleted.unwrap();
    ledger.take_plans("change whose submissions a form's are, delete a managing grant");

    let world = &ledger.world;
    let limited = SubmissionRules {
        limit: Some(SubmissionLimit::new(100).unwrap()),
        ..SubmissionRules::default()
    };
    for rules in [SubmissionRules::default(), limited] {
        let form = world.form(rules).await;
        let mut submitting = JoinSet::new();
        // Three would suffice if two of them always arrived while the first is being written. With this many, some do
        // on any machine.
        for _ in 0..32 {
            let formalize = world.formalize.clone();
            let new = new_submission(form, "{}", SubmissionState::Submitted);
            let submit = async move { formalize.submissions().create(&Caller::System, new).await };
            submitting.spawn(async move { submit.await.is_ok() });
        }
        assert!(!submitting.join_all().await.contains(&false));
    }
    ledger.take_plans("submit several times at once");

    ledger.store.ping().await.unwrap();
    ledger.store.migration_status().await.unwrap();
    // A combination that stores support and no service uses.
    let reached = Reached {
        subjects: Subjects::new(vec![holder("rich")]),
        ways: vec![Reach::SameAnchor {
            target: ResourceClass::FORM,
            holding: Holding {
                class: ResourceClass::FORM,
                actions: vec![Action::READ],
            },
        }],
        managed_collections: Vec::new(),
    };
    let (scope, filter) = (ResourceScope::Reached(reached), ResourceFilter::default());
    let mut tx = ledger.store.read().await.unwrap();
    tx.resources(&scope, &filter, Window::ONE).await.unwrap();
    ledger.take_plans("ask the store");

    verify(ledger).await;
    let formalize = Formalize::builder(Arc::new(ledger.store.clone())).build();
    let formalize = formalize.await.unwrap();
    ledger.take_plans(super::VERIFY);
    let hold = formalize
        .files()
        .hold(Duration::from_mins(1))
        .await
        .unwrap();
    let now = hold.date_ends;
    let mut tx = ledger.store.write().await.unwrap();
    tx.write_files()
        .unwrap()
        .renew_file_hold(hold, now)
        .await
        .unwrap();
    let file = FileId::from_uuid(hold.id.as_uuid());
    let rows = tx.read_files().unwrap();
    rows.find_file(file).await.unwrap();
    rows.files_after(Some(file), 1).await.unwrap();
    drop(tx);
    formalize.files().release(hold.id).await.unwrap();
    ledger.take_plans("hold files");
    let files = MemoryFileStore::default();
    let mut contents = (ledger.store).verify_contents(&files, ContentChecks::default());
    while contents.proceed().await.unwrap().is_some() {}
    ledger.take_plans(super::VERIFY);
}

/// Checks every row.
pub(super) async fn verify(ledger: &mut Ledger) {
    let mut verification = ledger.store.verify().await.unwrap();
    while verification.proceed().await.unwrap().is_some() {}
    ledger.take_plans(super::VERIFY);
}
