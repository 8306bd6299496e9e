//! The number of statements of each operation, including those that begin and end a transaction. Each one is a round
//! trip on PostgreSQL. The numbers are the same on both databases, except where a single statement is a transaction of
//! its own.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use formalize_core::file_store::whole;
use formalize_core::questions::Entries;
use formalize_core::{
    Action, Caller, Change, FormChange, FormFilter, FormId, GroupChange, GroupFilter, Member,
    NewMembership, NewSubmission, ResourceClass, ResourceFilter, ResourceRef, Subject,
    SubmissionChange, SubmissionFilter, SubmissionId, SubmissionRules, SubmissionState,
    authorization::PermissionCheck,
    events::{EventFilter, EventType, FeedRequest},
    files::{FileAttributeName, FileName, NewFile},
    forms::{AvailableTags, FormAccess, SubmissionLimit, SubmittedAction},
    idempotency::{Fingerprint, IdempotencyKey, KeyedRequest, Once},
    links::{FormLinkChange, LinkCap, NewFormLink},
    submissions::{BatchItem, ItemKey, PageEntries, RequestedState, SubmissionBatch},
    tokens::{NewApiToken, NewSession},
};
use formalize_sql::{Plan, Plans, SqlStore};
use formalize_tests::failing::{FailingStore, Failure};
use formalize_tests::stores::Database;
use formalize_tests::world::{
    Setup, THING, World, class, everything, holder, new_form, new_grant, new_group, new_session,
    new_submission, user, user_id,
};

/// The number of statements of each operation.
const BOUNDS: &[(&str, u64)] = &[
    ("get a group", 1),
    ("get a form", 1),
    ("get a form to manage", 1),
    ("get a submission", 1),
    ("get a submission of a grant-based form", 1),
    ("authenticate a token", 1),
    ("get a membership", 4),
    ("get a resource", 4),
    ("get a grant", 5),
    ("check an item", 1),
    ("check a submission that is no resource", 4),
    ("check many permissions", 5),
    ("check many permissions of others", 5),
    ("list groups", 5),
    ("list own groups", 3),
    ("list memberships", 4),
    ("list resources", 6),
    ("list grants", 6),
    ("list grants of a holder", 6),
    ("explain permissions", 6),
    ("list classes", 4),
    ("list forms", 5),
    ("list forms to fill in", 5),
    ("list forms to look after", 5),
    ("list submissions", 6),
    ("list submissions of a grant-based form", 7),
    ("summarize submissions", 8),
    ("summarize submissions of a grant-based form", 8),
    ("list tokens", 1),
    ("list own tokens", 1),
    ("count new submissions", 6),
    ("create a group", 7),
    ("change a group", 6),
    ("delete a group", 9),
    ("count what goes with a group", 4),
    ("add a member", 8),
    ("add a child group", 10),
    ("remove a member", 6),
    ("create a grant", 7),
    ("delete a grant", 7),
    ("create a form", 8),
    ("change a form", 7),
    ("share a form", 12),
    ("unshare a form", 10),
    ("dismiss a manager", 8),
    ("count what goes with a form", 5),
    ("count what was submitted", 4),
    ("delete a form", 11),
    ("delete a large form", 33),
    ("submit", 2),
    ("submit to a grant-based form", 6),
    ("submit to a form with a limit", 2),
    ("submit a draft to a form with a limit", 11),
    ("delete a submission of a form with a limit", 11),
    ("delete all submissions of a form with a limit", 9),
    ("set the limit of a form", 7),
    ("change a submission", 9),
    ("delete a submission", 11),
    ("delete all submissions", 9),
    ("submit with tags", 7),
    ("list submissions with a tag", 6),
    ("change the tags of a submission", 12),
    ("remove the tags of a submission", 11),
    ("add a file", 19),
    ("submit with a file", 12),
    ("get a submission with a file", 1),
    ("list files", 1),
    ("get a file", 1),
    ("change a submission with a file", 9),
    ("remove a file", 12),
    ("sweep a file", 9),
    ("sweep nothing", 1),
    ("give up uploads", 3),
    ("create a link", 7),
    ("get a link", 4),
    ("list links", 4),
    ("change a link", 5),
    ("delete a link", 8),
    ("authenticate a link", 1),
    ("ask the questions of a form by a link", 1),
    ("fill in a form by a link", 1),
    ("submit by a link", 2),
    ("send the page of a form by a link", 2),
    ("issue a token", 3),
    ("revoke a token", 5),
    ("revoke an own token", 5),
    ("begin a session", 4),
    ("begin a session with a token", 9),
    ("authenticate a session", 1),
    ("end a session", 6),
    ("end all sessions of a user", 4),
    ("delete ended sessions", 35),
    ("submit with a key", 6),
    ("submit with the same key", 1),
    ("create a batch", 6),
    ("create a batch with two keys", 9),
    ("check a batch", 5),
    ("register an item", 5),
    ("deregister an item", 7),
    ("read new events", 9),
    ("read events", 5),
    ("list the change feed", 12),
    ("consume events", 14),
    ("list subscriptions", 1),
    ("delete a subscription", 3),
    ("delete old events", 13),
    ("reset the event log", 3),
];

/// Operations that write with one statement on PostgreSQL, where SQLite adds the statements that begin and end a
/// transaction, and those that give positions to events on PostgreSQL.
const ON_SQLITE: &[(&str, u64)] = &[
    ("submit", 4),
    ("submit to a form with a limit", 4),
    ("submit by a link", 4),
    ("send the page of a form by a link", 4),
    ("create a batch", 8),
    ("create a batch with two keys", 11),
    ("delete ended sessions", 31),
    ("read new events", 5),
];

#[tokio::test]
async fn sqlite() {
    operations_send_the_expected_number_of_statements(&Database::sqlite().await, ON_SQLITE).await;
}

#[tokio::test]
#[cfg_attr(not(formalize_postgres), ignore = "no PostgreSQL found")]
async fn postgres() {
    operations_send_the_expected_number_of_statements(&Database::postgres().await, &[]).await;
}

async fn operations_send_the_expected_number_of_statements(
    database: &Database,
    otherwise: &[(&str, u64)],
) {
    let mut ledger = Ledger::new(database.open_sql().await, Setup::default()).await;
    every_operation(&mut ledger).await;
    let sent: BTreeSet<_> = ledger.sent.into_iter().collect();
    let other = |name| otherwise.iter().find(|(other, _)| *other == name);
    let bounds = BOUNDS.iter().map(|row| *other(row.0).unwrap_or(row));
    let bounds: BTreeSet<_> = bounds.collect();
    // Compared exactly, so that a number must be lowered when an operation becomes cheaper.
    let differing: Vec<_> = sent.symmetric_difference(&bounds).collect();
    assert!(differing.is_empty(), "sent or expected: {differing:?}");
}

#[tokio::test]
async fn every_operation_is_repeated() {
    // Recording the use of a token is tried once, because a request must not wait for it.
    for (method, failure, tried_once) in [
        ("commit", Failure::ConflictOnce, 1),
        ("commit", Failure::DisconnectedOnce, 1),
        ("write", Failure::DisconnectedOnce, 1),
        ("read", Failure::DisconnectedOnce, 0),
    ] {
        let database = Database::sqlite().await;
        let mut ledger = Ledger::failing(database.open_sql().await, method, failure).await;
        // An operation that is not repeated fails.
        every_operation(&mut ledger).await;
        let failures = ledger.failing.map_or(0, |(store, ..)| store.failures());
        assert!(failures > 30, "{failures} at {method}");
        let repeated = failures - tried_once;
        assert_eq!(ledger.world.statistics().retries, repeated as u64);
    }
}

/// Runs every operation at least once.
pub(super) async fn every_operation(ledger: &mut Ledger) {
    groups(ledger).await;
    grants(ledger).await;
    forms(ledger).await;
    submissions(ledger, false).await;
    submissions(ledger, true).await;
    limited_submissions(ledger).await;
    tags(ledger).await;
    files(ledger).await;
    links(ledger).await;
    tokens(ledger).await;
    sessions(ledger).await;
    events(ledger).await;
    keys(ledger).await;
    // Last, because it adds many events to the log.
    large_form(ledger).await;
}

/// A service, and the statements that its operations sent.
pub(super) struct Ledger {
    pub(super) world: World,
    pub(super) store: SqlStore,
    sent: Vec<(&'static str, u64)>,
    plans: Plans,
    /// How each operation fails at first.
    failing: Option<(FailingStore, &'static str, Failure)>,
    /// The plans of the statements, each with the operation that sent them or ran right before.
    pub(super) planned: Vec<(String, Plan)>,
}

impl Ledger {
    pub(super) async fn new(store: SqlStore, setup: Setup) -> Self {
        Self {
            world: World::with(Arc::new(store.clone()), setup).await,
            store,
            sent: Vec::new(),
            plans: Plans::default(),
            failing: None,
            planned: Vec::new(),
        }
    }

    /// A ledger on whose store a method fails when an operation calls it for the first time.
    async fn failing(store: SqlStore, method: &'static str, failure: Failure) -> Self {
        let failing = FailingStore::around(Arc::new(store.clone()));
        Self {
            world: World::on(Arc::new(failing.clone())).await,
            failing: Some((failing, method, failure)),
            ..Self::new(store, Setup::default()).await
        }
    }

    /// A ledger that requests query plans.
    pub(super) async fn with_plans(store: SqlStore, setup: Setup) -> Self {
        let plans = Plans::default();
        let ledger = Self::new(store.explaining_into(plans.clone()), setup).await;
        Self { plans, ..ledger }
    }

    /// Records the plans of statements that were sent since the last call.
    pub(super) fn take_plans(&mut self, name: &str) {
        let plans = self.plans.take().into_iter();
        self.planned
            .extend(plans.map(|plan| (name.to_owned(), plan)));
    }

    /// Runs an operation, which must succeed, and records its statements.
    async fn note<T>(
        &mut self,
        name: &'static str,
        operation: impl AsyncFnOnce(&World) -> formalize_core::Result<T>,
    ) -> T {
        if let Some((store, method, failure)) = &self.failing {
            store.fail_at(method, *failure);
        }
        let before = self.store.statistics().statements;
        let done = operation(&self.world).await;
        if let Some((store, ..)) = &self.failing {
            store.recover();
        }
        self.sent
            .push((name, self.store.statistics().statements - before));
        self.take_plans(name);
        done.unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// The usual caller: a member of a nested group.
fn alice() -> Caller {
    user("alice")
}

async fn groups(ledger: &mut Ledger) {
    let alice = &alice();
    let world = &ledger.world;
    let (outer, inner) = (world.group("outer").await, world.group("inner").await);
    world.nest(outer, inner).await;
    world.member(inner, "alice").await;
    let groups = ResourceRef::collection(ResourceClass::GROUP);
    world
        .grant(&Subject::Group(outer), &Action::CREATE, &groups)
        .await;
    let made = async |world: &World| world.groups().create(alice, new_group("new")).await;
    let group = ledger.note("create a group", made).await.item.id;
    let child = ledger
        .world
        .groups()
        .create(alice, new_group("child"))
        .await;
    let child = child.unwrap().item.id;
    ledger
        .note("get a group", async |world| {
            world.groups().get(alice, group).await
        })
        .await;
    let filter = GroupFilter::default();
    let list = async |world: &World| world.groups().list(alice, &filter, &everything()).await;
    ledger.note("list groups", list).await;
    let list = async |world: &World| world.groups().of_caller(alice, &everything()).await;
    ledger.note("list own groups", list).await;
    let change = GroupChange::default();
    let update = async |world: &World| world.groups().update(alice, group, change).await;
    ledger.note("change a group", update).await;
    let add = async |member| {
        let new = NewMembership { group, member };
        async move |world: &World| world.memberships().create(alice, new).await
    };
    let member = add(Member::User(user_id("bob"))).await;
    let member = ledger.note("add a member", member).await.id;
    let nest = add(Member::ChildGroup(child)).await;
    ledger.note("add a child group", nest).await;
    let get = async |world: &World| world.memberships().get(alice, member).await;
    ledger.note("get a membership", get).await;
    let list = async |world: &World| world.memberships().list(alice, group, &everything()).await;
    ledger.note("list memberships", list).await;
    let remove = async |world: &World| world.memberships().delete(alice, member).await;
    ledger.note("remove a member", remove).await;
    let count = async |world: &World| world.groups().check_delete(alice, group).await;
    ledger.note("count what goes with a group", count).await;
    let delete = async |world: &World| world.groups().delete(alice, group).await;
    ledger.note("delete a group", delete).await;
}

async fn grants(ledger: &mut Ledger) {
    let alice = &alice();
    let thing = &ResourceRef::item(
        class(THING),
        formalize_core::ResourceIdentifier::new("one").unwrap(),
    );
    let manager = user_id("alice");
    let register = async |world: &World| {
        let registered = world.resources();
        registered
            .register(&Caller::System, thing.clone(), Some(&manager))
            .await
    };
    let resource = ledger.note("register an item", register).await.id;
    let get = async |world: &World| world.resources().get(alice, resource).await;
    ledger.note("get a resource", get).await;
    let check = async |world: &World| {
        let write = Action::new("write").unwrap();
        world.resources().is_granted(alice, thing, &write).await
    };
    assert!(ledger.note("check an item", check).await);
    let new = new_grant(&holder("bob"), &Action::new("write").unwrap(), thing);
    let create = async |world: &World| world.grants().create(alice, new).await;
    let grant = ledger.note("create a grant", create).await.item.id;
    let get = async |world: &World| world.grants().get(alice, grant).await;
    ledger.note("get a grant", get).await;
    let delete = async |world: &World| world.grants().delete(alice, grant).await;
    ledger.note("delete a grant", delete).await;
    let list = async |world: &World| world.actions().list(alice, &everything()).await;
    ledger.note("list classes", list).await;
    let deregister =
        async |world: &World| world.resources().deregister(&Caller::System, thing).await;
    ledger.note("deregister an item", deregister).await;
}

async fn forms(ledger: &mut Ledger) {
    let alice = &alice();
    let forms = ResourceRef::collection(ResourceClass::FORM);
    ledger
        .world
        .grant_to("alice", &Action::CREATE, &forms)
        .await;
    let new = new_form("Form", SubmissionRules::default());
    let create = async |world: &World| world.forms().create(alice, new).await;
    let form = ledger.note("create a form", create).await.item.id;
    let get = async |world: &World| world.forms().get(alice, form).await;
    ledger.note("get a form", get).await;
    let get = async |world: &World| world.forms().to_manage(alice, form).await;
    ledger.note("get a form to manage", get).await;
    for _ in 0..3 {
        let new = new_form("Another", SubmissionRules::default());
        ledger.world.forms().create(alice, new).await.unwrap();
    }
    let filter = FormFilter::default();
    let list = async |world: &World| world.forms().list(alice, &filter, &everything()).await;
    ledger.note("list forms", list).await;
    let list = async |world: &World| world.forms().list_to_fill_in(alice, &everything()).await;
    ledger.note("list forms to fill in", list).await;
    let list = async |world: &World| world.forms().list_to_look_after(alice, &everything()).await;
    ledger.note("list forms to look after", list).await;
    let change = FormChange::default();
    let update = async |world: &World| world.forms().update(alice, form, change).await;
    ledger.note("change a form", update).await;
    let (bob, fill) = (holder("bob"), FormAccess::Fill);
    let share = async |world: &World| world.forms().share(alice, form, &bob, fill).await;
    ledger.note("share a form", share).await;
    let unshare = async |world: &World| world.forms().unshare(alice, form, &bob, fill).await;
    ledger.note("unshare a form", unshare).await;
    let bob = user_id("bob");
    let dismiss = async |world: &World| world.forms().dismiss(alice, form, &bob).await;
    ledger.note("dismiss a manager", dismiss).await;
    let count = async |world: &World| world.submissions().check_delete_all(alice, form).await;
    ledger.note("count what was submitted", count).await;
    let count = async |world: &World| world.forms().check_delete(alice, form).await;
    ledger.note("count what goes with a form", count).await;
    let delete = async |world: &World| world.forms().delete(alice, form).await;
    ledger.note("delete a form", delete).await;
}

/// With the portions that delete what belongs to the form.
async fn large_form(ledger: &mut Ledger) {
    let (form, _) = ledger.world.large_form("alice").await;
    ledger.take_plans("create many submissions");
    let delete = async |world: &World| world.forms().delete(&Caller::System, form).await;
    ledger.note("delete a large form", delete).await;
}

async fn submissions(ledger: &mut Ledger, grant_based: bool) {
    let alice = &alice();
    let rules = SubmissionRules {
        grant_based,
        ..SubmissionRules::default()
    };
    let form = ledger
        .world
        .forms()
        .create(alice, new_form("Form", rules))
        .await;
    let form = form.unwrap().item.id;
    let named = |one, other| if grant_based { one } else { other };
    let submitted = SubmissionState::Submitted;
    let create = async |world: &World| {
        let new = new_submission(form, "{}", submitted);
        world.submissions().create(alice, new).await
    };
    let name = named("submit to a grant-based form", "submit");
    let submission = ledger.note(name, create).await.item.id;
    for _ in 0..3 {
        create(&ledger.world).await.unwrap();
    }
    let get = async |world: &World| world.submissions().get(alice, submission).await;
    let name = named("get a submission of a grant-based form", "get a submission");
    ledger.note(name, get).await;
    let filter = SubmissionFilter::default();
    let list = async |world: &World| {
        let submissions = world.submissions();
        submissions.list(alice, form, &filter, &everything()).await
    };
    let name = named("list submissions of a grant-based form", "list submissions");
    assert_eq!(ledger.note(name, list).await.items.len(), 4);
    let summary = async |world: &World| {
        let submissions = world.submissions();
        submissions.summary(alice, form, &filter, None).await
    };
    let name = named(
        "summarize submissions of a grant-based form",
        "summarize submissions",
    );
    assert_eq!(ledger.note(name, summary).await.num_submissions, 4);
    if grant_based {
        let any = ResourceFilter::default();
        let list = async |world: &World| world.resources().list(alice, &any, &everything()).await;
        ledger.note("list resources", list).await;
        let list = async |world: &World| world.grants().list(alice, &any, &everything()).await;
        ledger.note("list grants", list).await;
        let holder = holder("alice");
        let list = async |world: &World| {
            let grants = world.grants();
            grants.list_of_holder(alice, &holder, &everything()).await
        };
        ledger.note("list grants of a holder", list).await;
        let bob = user_id("bob");
        let explain = async |world: &World| world.forms().explain(alice, form, &bob).await;
        ledger.note("explain permissions", explain).await;
    } else {
        let since = formalize_core::Timestamp::from_millis(0).unwrap();
        let count = async |world: &World| {
            let submissions = world.submissions();
            submissions.count_since(alice, form, since, 3).await
        };
        assert_eq!(ledger.note("count new submissions", count).await, 3);
        check_and_change(ledger, submission).await;
        let delete = async |world: &World| world.submissions().delete_all(alice, form).await;
        ledger.note("delete all submissions", delete).await;
    }
}

/// A limit must not make other operations of a form more expensive; the bounds of those without one show that.
async fn files(ledger: &mut Ledger) {
    let alice = &alice();
    let system = &Caller::System;
    let draft = new_submission;
    let form = ledger.world.form(SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    });
    let form = form.await;
    let id = ledger
        .world
        .submission("alice", form, SubmissionState::Draft);
    let id = id.await;
    let new = || {
        let attribute = FileAttributeName::new("notes").unwrap();
        NewFile::new(attribute, FileName::clean("notes.txt").unwrap())
    };
    let add = async |world: &World| {
        let files = world.files();
        let mut upload = files.upload(alice, id).await?;
        let file = upload.add(new(), whole("some text")).await?;
        upload.finish().await?;
        Ok(file)
    };
    let file = ledger.note("add a file", add).await;
    let submit = async |world: &World| {
        let submissions = world.submissions();
        let new_one = draft(form, "{}", SubmissionState::Draft);
        let mut upload = submissions.upload_new(system, new_one).await?;
        upload.add(new(), whole("some text")).await?;
        upload.finish().await
    };
    ledger.note("submit with a file", submit).await;
    let get = async |world: &World| world.submissions().get(alice, id).await;
    ledger.note("get a submission with a file", get).await;
    let list = async |world: &World| world.files().list(alice, id, None, &everything()).await;
    ledger.note("list files", list).await;
    let get = async |world: &World| world.files().get(alice, id, file).await;
    ledger.note("get a file", get).await;
    let change = async |world: &World| {
        let change = SubmissionChange {
            state: SubmissionState::Draft.into(),
            ..SubmissionChange::default()
        };
        world.submissions().update(alice, id, change).await
    };
    ledger.note("change a submission with a file", change).await;
    let remove = async |world: &World| world.files().remove(alice, id, file).await;
    ledger.note("remove a file", remove).await;
    let sweep = async |world: &World| world.files().sweep().await;
    assert_eq!(ledger.note("sweep a file", sweep).await, 1);
    let sweep = async |world: &World| world.files().sweep().await;
    ledger.note("sweep nothing", sweep).await;
    let give_up = async |world: &World| world.files().give_up_uploads().await;
    ledger.note("give up uploads", give_up).await;
}

async fn tags(ledger: &mut Ledger) {
    let alice = &alice();
    let tags = ["new", "old"].map(|tag| serde_json::json!({"identifier": tag}));
    let mut new = new_form("Form", SubmissionRules::default());
    new.details.available_tags = AvailableTags::new(&tags).unwrap();
    let form = ledger.world.forms().create(alice, new).await.unwrap();
    let form = form.item.id;
    let texts = |tags: &[&str]| tags.iter().copied().map(str::to_owned).collect::<Vec<_>>();
    let new = NewSubmission {
        tags: texts(&["new"]),
        ..NewSubmission::new(form, "{}")
    };
    let submit = async |world: &World| world.submissions().create(alice, new.clone()).await;
    let id = ledger.note("submit with tags", submit).await.item.id;
    let filter = SubmissionFilter {
        tag: Some("new".to_owned()),
        ..SubmissionFilter::default()
    };
    let list = async |world: &World| {
        let submissions = world.submissions();
        submissions.list(alice, form, &filter, &everything()).await
    };
    let listed = ledger.note("list submissions with a tag", list).await;
    assert_eq!(listed.items.len(), 1);
    for (name, tags) in [
        ("change the tags of a submission", texts(&["old", "new"])),
        ("remove the tags of a submission", texts(&[])),
    ] {
        let change = SubmissionChange {
            tags: Some(tags),
            ..SubmissionChange::default()
        };
        let update = async |world: &World| {
            let submissions = world.submissions();
            submissions.update(alice, id, change.clone()).await
        };
        ledger.note(name, update).await;
    }
}

async fn limited_submissions(ledger: &mut Ledger) {
    let alice = &alice();
    let rules = SubmissionRules {
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        allowed_actions_when_submitted: [SubmittedAction::Delete].into_iter().collect(),
        limit: Some(SubmissionLimit::new(3).unwrap()),
        ..SubmissionRules::default()
    };
    let new = new_form("Form", rules);
    let form = ledger.world.forms().create(alice, new).await.unwrap();
    let form = form.item.id;
    let create = async |world: &World, state| {
        let new = new_submission(form, "{}", state);
        world.submissions().create(alice, new).await
    };
    let submit = async |world: &World| create(world, SubmissionState::Submitted).await;
    let name = "submit to a form with a limit";
    let submission = ledger.note(name, submit).await.item.id;
    let draft = create(&ledger.world, SubmissionState::Draft).await;
    let draft = draft.unwrap().item.id;
    let submit = async |world: &World| {
        let change = SubmissionChange::default();
        world.submissions().update(alice, draft, change).await
    };
    ledger
        .note("submit a draft to a form with a limit", submit)
        .await;
    let delete = async |world: &World| world.submissions().delete(alice, submission).await;
    let name = "delete a submission of a form with a limit";
    ledger.note(name, delete).await;
    let change = FormChange {
        limit: Change::Set(SubmissionLimit::new(2).unwrap()),
        ..FormChange::default()
    };
    let update = async |world: &World| world.forms().update(alice, form, change).await;
    ledger.note("set the limit of a form", update).await;
    let delete = async |world: &World| world.submissions().delete_all(alice, form).await;
    let name = "delete all submissions of a form with a limit";
    ledger.note(name, delete).await;
}

async fn check_and_change(ledger: &mut Ledger, submission: SubmissionId) {
    let alice = &alice();
    let resource = ResourceRef::submission(submission);
    let check = async |world: &World| world.resources().granted_actions(alice, &resource).await;
    let name = "check a submission that is no resource";
    ledger.note(name, check).await;
    let check = |class, identifier: Option<&str>, action: &str| PermissionCheck {
        class: ResourceClass::to_string(&class),
        identifier: identifier.map(str::to_owned),
        action: action.to_owned(),
    };
    let submission_name = submission.to_string();
    let checks = [
        check(ResourceClass::SUBMISSION, Some(&submission_name), "read"),
        check(ResourceClass::FORM, None, "create"),
        check(ResourceClass::GROUP, None, "create"),
        check(class(THING), Some("one"), "write"),
        check(class(THING), Some("two"), "write"),
    ];
    let check_all = async |world: &World| world.resources().check_all(alice, &checks).await;
    ledger.note("check many permissions", check_all).await;
    let Caller::User(other) = user("bob") else {
        unreachable!()
    };
    let check_all = async |world: &World| {
        let resources = world.resources();
        resources
            .check_all_of(&Caller::System, other, &checks)
            .await
    };
    let name = "check many permissions of others";
    ledger.note(name, check_all).await;
    let change = SubmissionChange {
        data: Change::Keep,
        state: RequestedState::Known(SubmissionState::Submitted),
        ..SubmissionChange::default()
    };
    let update = async |world: &World| world.submissions().update(alice, submission, change).await;
    ledger.note("change a submission", update).await;
    let delete = async |world: &World| world.submissions().delete(alice, submission).await;
    ledger.note("delete a submission", delete).await;
}

async fn links(ledger: &mut Ledger) {
    let alice = &alice();
    let new = new_form("Form", SubmissionRules::default());
    let form = ledger.world.forms().create(alice, new).await.unwrap();
    let form = form.item.id;
    let new = NewFormLink {
        cap: LinkCap::new(3).ok(),
        ..NewFormLink::to(form)
    };
    let create = async |world: &World| world.links().create(alice, new.clone()).await;
    let (link, secret) = ledger.note("create a link", create).await;
    let authenticate = async |world: &World| world.links().authenticate(secret.expose()).await;
    let found = ledger.note("authenticate a link", authenticate).await;
    assert_eq!(found.as_ref(), Some(&link));
    let caller = link.caller();
    let ask = async |world: &World| world.forms().questions(&caller, form, None, None).await;
    let name = "ask the questions of a form by a link";
    ledger.note(name, ask).await;
    let fill_in = async |world: &World| {
        let entries = Entries::default();
        world.forms().fill_in(&caller, form, entries, None).await
    };
    ledger.note("fill in a form by a link", fill_in).await;
    let submit = async |world: &World| {
        let new = new_submission(form, "{}", SubmissionState::Submitted);
        world.submissions().create(&caller, new).await
    };
    ledger.note("submit by a link", submit).await;
    let get = async |world: &World| world.links().get(alice, link.id).await;
    assert_eq!(ledger.note("get a link", get).await.num_submissions, 1);
    let send = async |world: &World| {
        let page = PageEntries {
            form,
            entries: Entries::default(),
            language: None,
            state: Some(SubmissionState::Submitted),
            request: &|_| None,
            response: &|created| created.item.id.to_string(),
        };
        world.submissions().send(&caller, page).await
    };
    let name = "send the page of a form by a link";
    let created = ledger.note(name, send).await.stored;
    assert!(matches!(created, Some(Ok(Once::Done(_)))));
    let list = async |world: &World| world.links().list(alice, form, &everything()).await;
    assert_eq!(ledger.note("list links", list).await.items.len(), 1);
    let change = async |world: &World| {
        let change = FormLinkChange::default();
        world.links().update(alice, link.id, change).await
    };
    ledger.note("change a link", change).await;
    let delete = async |world: &World| world.links().delete(alice, link.id).await;
    ledger.note("delete a link", delete).await;
}

async fn tokens(ledger: &mut Ledger) {
    let new = NewApiToken {
        user: user_id("alice"),
        attributes: formalize_core::Attributes::new(),
        date_expires: None,
    };
    let create = async |world: &World| world.tokens().create(&Caller::System, new).await;
    let (token, secret) = ledger.note("issue a token", create).await;
    let authenticate = async |world: &World| world.tokens().authenticate(secret.expose()).await;
    authenticate(&ledger.world).await.unwrap();
    ledger.note("authenticate a token", authenticate).await;
    let list = async |world: &World| world.tokens().list(&Caller::System, &everything()).await;
    ledger.note("list tokens", list).await;
    let alice = &Caller::user(user_id("alice"));
    let list = async |world: &World| world.tokens().list_own(alice, &everything()).await;
    ledger.note("list own tokens", list).await;
    let new = NewApiToken {
        user: user_id("alice"),
        attributes: formalize_core::Attributes::new(),
        date_expires: None,
    };
    let tokens = ledger.world.tokens();
    let (own, _) = tokens.create(&Caller::System, new).await.unwrap();
    let revoke = async |world: &World| world.tokens().revoke_own(alice, own.id).await;
    ledger.note("revoke an own token", revoke).await;
    let revoke = async |world: &World| world.tokens().revoke(&Caller::System, token.id).await;
    ledger.note("revoke a token", revoke).await;
}

async fn sessions(ledger: &mut Ledger) {
    let begin = async |world: &World| {
        let new = new_session("alice");
        world.sessions().create(&Caller::System, new).await
    };
    let (_, secret) = ledger.note("begin a session", begin).await;
    let new = NewApiToken {
        user: user_id("bob"),
        attributes: formalize_core::Attributes::new(),
        date_expires: None,
    };
    let issued = ledger.world.tokens().create(&Caller::System, new).await;
    let (_, token) = issued.unwrap();
    let begin_with = async |world: &World| {
        let (lifetime, idle) = (Duration::from_hours(12), Duration::from_hours(2));
        let sessions = world.sessions();
        sessions
            .create_with_token(&Caller::System, token.expose(), lifetime, idle)
            .await
    };
    ledger
        .note("begin a session with a token", begin_with)
        .await;
    let authenticate = async |world: &World| world.sessions().authenticate(secret.expose()).await;
    ledger.note("authenticate a session", authenticate).await;
    let end = async |world: &World| world.sessions().end(secret.expose()).await;
    ledger.note("end a session", end).await;
    begin(&ledger.world).await.unwrap();
    let alice = user_id("alice");
    let end = async |world: &World| world.sessions().end_all_of(&Caller::System, &alice).await;
    ledger.note("end all sessions of a user", end).await;
    let new = NewSession {
        lifetime: Duration::ZERO,
        ..new_session("alice")
    };
    let ended = ledger.world.sessions().create(&Caller::System, new).await;
    ended.unwrap();
    let maintain = async |world: &World| world.maintain().await;
    ledger.note("delete ended sessions", maintain).await;
}

/// With a key, a request takes one statement more before, and one in its transaction.
async fn keys(ledger: &mut Ledger) {
    let form = ledger.world.form(SubmissionRules::default()).await;
    let request = KeyedRequest {
        key: IdempotencyKey::new("a").unwrap(),
        fingerprint: Fingerprint([1; 32]),
        retention: Duration::ZERO,
    };
    let kept = KeyedRequest {
        retention: Duration::from_hours(1),
        ..request.clone()
    };
    let submit = async |world: &World, request: &KeyedRequest| {
        let new = new_submission(form, "{}", SubmissionState::Submitted);
        let submissions = world.submissions();
        submissions
            .create_once(&Caller::System, new, Some(request), &|_| String::new())
            .await
    };
    submit(&ledger.world, &request).await.unwrap();
    let first = async |world: &World| submit(world, &kept).await;
    ledger.note("submit with a key", first).await;
    ledger.note("submit with the same key", first).await;
    let other = KeyedRequest {
        fingerprint: Fingerprint([2; 32]),
        ..kept.clone()
    };
    assert!(submit(&ledger.world, &other).await.is_err());
    batches(ledger, form).await;
}

async fn batches(ledger: &mut Ledger, form: FormId) {
    let batch = |keys: [Option<&str>; 3], is_atomic| {
        let items = keys.map(|key| BatchItem {
            key: key.map(|key| ItemKey::new(key).unwrap()),
            ..BatchItem::new("{}")
        });
        let mut batch = SubmissionBatch::new(form, items.to_vec()).unwrap();
        batch.is_atomic = is_atomic;
        batch
    };
    let create = async |world: &World, batch: SubmissionBatch| {
        let submissions = world.submissions();
        submissions.create_batch(&Caller::System, &batch).await
    };
    let atomic = async |world: &World| create(world, batch([None; 3], true)).await;
    ledger.note("create a batch", atomic).await;
    let keyed = [Some("a"), Some("b"), None];
    let atomic = async |world: &World| create(world, batch(keyed, true)).await;
    ledger.note("create a batch with two keys", atomic).await;
    // How many of these share a statement on PostgreSQL depends on their timing.
    create(&ledger.world, batch([None; 3], false))
        .await
        .unwrap();
    ledger.take_plans("create each of a batch");
    let check = async |world: &World| {
        let submissions = world.submissions();
        let batch = batch(keyed, true);
        submissions.check_batch(&Caller::System, &batch).await
    };
    ledger.note("check a batch", check).await;
    let many: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    let items = many.iter().map(|key| BatchItem {
        key: ItemKey::new(key.as_str()).ok(),
        ..BatchItem::new("{}")
    });
    let batch = SubmissionBatch::new(form, items.collect()).unwrap();
    let submissions = ledger.world.submissions();
    submissions
        .create_batch(&Caller::System, &batch)
        .await
        .unwrap();
    ledger.take_plans("create a batch with many keys");
}

async fn events(ledger: &mut Ledger) {
    let before = Some(ledger.world.events().extent().await.unwrap().last);
    ledger.take_plans("read the extent of the event log");
    let form = ledger.world.form(SubmissionRules::default()).await;
    let filter = &EventFilter {
        form: Some(form),
        types: vec![EventType::FormCreated],
    };
    let read = async |world: &World| world.events().read(before, filter, 10).await;
    let page = ledger.note("read new events", read).await;
    for filter in [
        EventFilter::default(),
        EventFilter {
            form: None,
            ..filter.clone()
        },
        EventFilter {
            types: Vec::new(),
            ..filter.clone()
        },
    ] {
        let read = ledger.world.events().read(before, &filter, 10).await;
        read.unwrap();
    }
    ledger.take_plans("read new events of any form or type");
    assert_eq!(page.events.len(), 1);
    let everything = &EventFilter::default();
    let read = async |world: &World| world.events().read(None, everything, 10).await;
    ledger.note("read events", read).await;
    let request = FeedRequest {
        limit: 1000,
        ..FeedRequest::default()
    };
    let alice = &alice();
    let list = async |world: &World| world.events().list(alice, everything, &request).await;
    let page = ledger.note("list the change feed", list).await;
    assert!(!page.events.is_empty() && !page.has_more);
    let consume = async |world: &World| {
        let mut consumer = world.events().subscription("index")?;
        consumer.next().await?.done().await?;
        consumer.release().await
    };
    ledger.note("consume events", consume).await;
    let list = async |world: &World| world.events().subscriptions().await;
    ledger.note("list subscriptions", list).await;
    let delete = async |world: &World| world.events().delete_subscription("index").await;
    ledger.note("delete a subscription", delete).await;
    ledger.world.wait(Duration::from_hours(1));
    let purge = async |world: &World| world.events().purge(Duration::ZERO).await;
    assert!(ledger.note("delete old events", purge).await > 0);
    let reset = async |world: &World| world.events().reset().await;
    ledger.note("reset the event log", reset).await;
}
