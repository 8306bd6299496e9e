//! What a caller may do with one submission: every cell of section 5.3 of the interface.
//!
//! A cell shows effective actions. For each cell, all ways to find them out must agree: reading, changing, deleting and
//! sharing the submission, the lists that may contain it, and the record of its resource.

use std::fmt::Write as _;
use std::sync::Arc;

use formalize_core::{
    Action, Actions, Caller, Change, DynamicGroupId, Error, FormFilter, FormId, GrantId,
    RequestedState, ResourceClass, ResourceFilter, ResourceRef, Store, Subject, SubmissionChange,
    SubmissionFilter, SubmissionId, SubmissionRules, SubmissionState, SubmittedActions,
};
use formalize_tests::on_every_store;
use formalize_tests::world::{World, everything, holder, new_grant, user};

on_every_store! {
    creators_govern,
    grants_govern,
}

async fn creators_govern(store: Arc<dyn Store>) {
    insta::assert_snapshot!("creators_govern", table(store, false).await);
}

async fn grants_govern(store: Arc<dyn Store>) {
    insta::assert_snapshot!("grants_govern", table(store, true).await);
}

/// Callers with some relation to the submissions of a form.
const CREATOR: &str = "creator";
/// Also created the submission, but no longer holds the grant to manage it. Exists only for forms that use grants.
const FORMER: &str = "former";
const OTHER: &str = "other";

/// Holders of a grant on the form.
const ON_FORM: [(&str, Action); 6] = [
    ("form reader", Action::READ),
    ("read all", Action::READ_SUBMISSIONS),
    ("update all", Action::UPDATE_SUBMISSIONS),
    ("delete all", Action::DELETE_SUBMISSIONS),
    ("create all", Action::CREATE_SUBMISSIONS),
    ("manage form", Action::MANAGE),
];

/// Holders of a grant on the collection of the form's submissions.
const ON_COLLECTION: [(&str, Action); 4] = [
    ("read coll", Action::READ),
    ("update coll", Action::UPDATE),
    ("delete coll", Action::DELETE),
    ("manage coll", Action::MANAGE),
];

/// Holders of a grant on the submission, if the form uses grants.
const ON_SUBMISSION: [(&str, Action); 4] = [
    ("reader", Action::READ),
    ("updater", Action::UPDATE),
    ("deleter", Action::DELETE),
    ("manager", Action::MANAGE),
];

fn columns(grant_based: bool) -> Vec<&'static str> {
    let on_form = ON_FORM.iter().chain(&ON_COLLECTION).map(|(name, _)| *name);
    let mut columns: Vec<&str> = [CREATOR, OTHER].into_iter().chain(on_form).collect();
    if grant_based {
        columns.push(FORMER);
        columns.extend(ON_SUBMISSION.map(|(name, _)| name));
    }
    columns
}

async fn table(store: Arc<dyn Store>, grant_based: bool) -> String {
    let world = World::on(store).await;
    let columns = columns(grant_based);
    let mut text = "r read, u update, d delete, M manage\n\n".to_owned();
    let titles = columns.iter().map(|column| format!("{column:>13}"));
    writeln!(text, "{:15}{}", "allowed", titles.collect::<String>()).unwrap();
    for state in SubmissionState::ALL {
        writeln!(text, "\n{}", state.as_str()).unwrap();
        for bits in 0..16 {
            let allowed = SubmittedActions::from_bits(bits);
            let scene = Scene::build(&world, grant_based, allowed, *state).await;
            write!(text, "{:15}", letters(allowed)).unwrap();
            let submission = scene.submission().await;
            for column in &columns {
                let submission = match *column {
                    FORMER => scene.abandoned().await,
                    _ => submission,
                };
                let actions = scene.check(submission, user(column)).await;
                write!(text, "{:>13}", letters_of(&actions)).unwrap();
            }
            text.push('\n');
            let forms = world.forms();
            forms.delete(&Caller::System, scene.form).await.unwrap();
        }
    }
    text
}

fn letters(allowed: SubmittedActions) -> String {
    let words: Vec<&str> = allowed
        .iter()
        .map(|action| action.as_str().split_at(1).0)
        .collect();
    format!("{{{}}}", words.join(" ").replace('m', "M"))
}

fn letters_of(actions: &Actions) -> String {
    let letters = [
        ('M', Action::MANAGE),
        ('r', Action::READ),
        ('u', Action::UPDATE),
        ('d', Action::DELETE),
    ];
    let held: Vec<&Action> = actions.iter().collect();
    let known = letters.iter().filter(|(_, action)| held.contains(&action));
    let text: String = known.map(|(letter, _)| *letter).collect();
    assert_eq!(text.len(), held.len(), "no other action: {actions:?}");
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

/// A submission in one state, to a form with one set of allowed actions.
struct Scene<'a> {
    world: &'a World,
    form: FormId,
    state: SubmissionState,
    grant_based: bool,
}

/// One cell: what one caller may do with a submission.
struct Cell<'a> {
    scene: &'a Scene<'a>,
    caller: Caller,
    submission: SubmissionId,
    actions: Actions,
}

impl<'a> Scene<'a> {
    async fn build(
        world: &'a World,
        grant_based: bool,
        allowed: SubmittedActions,
        state: SubmissionState,
    ) -> Self {
        let rules = SubmissionRules {
            grant_based,
            allowed_actions_when_submitted: allowed,
            allowed_states: SubmissionState::ALL.iter().copied().collect(),
            ..SubmissionRules::default()
        };
        let form = world.form(rules).await;
        let resource = ResourceRef::form(form);
        let everybody = Subject::DynamicGroup(DynamicGroupId::EVERYBODY);
        world.grant(&everybody, &Action::READ, &resource).await;
        for (name, action) in ON_FORM {
            world.grant_to(name, &action, &resource).await;
        }
        for (name, action) in ON_COLLECTION {
            let collection = ResourceRef::submission_collection(form);
            world.grant_to(name, &action, &collection).await;
        }
        Self {
            world,
            form,
            state,
            grant_based,
        }
    }

    /// A submission shared with all callers of `ON_SUBMISSION`.
    async fn submission(&self) -> SubmissionId {
        let submission = self.world.submission(CREATOR, self.form, self.state).await;
        if self.grant_based {
            let resource = ResourceRef::submission(submission);
            for (name, action) in ON_SUBMISSION {
                self.world.grant_to(name, &action, &resource).await;
            }
        }
        submission
    }

    /// A submission whose creator has lost the grant on it.
    async fn abandoned(&self) -> SubmissionId {
        let submission = self.world.submission(FORMER, self.form, self.state).await;
        let resource = ResourceRef::submission(submission);
        let heir = "heir";
        self.world.grant_to(heir, &Action::MANAGE, &resource).await;
        let filter = ResourceFilter {
            class: Some(resource.class.to_string()),
            identifier: Some(submission.to_string()),
        };
        let grants = self.world.grants();
        let held = grants.list(&user(FORMER), &filter, &everything()).await;
        let own = held.unwrap().items[0].item.id;
        grants.delete(&Caller::System, own).await.unwrap();
        submission
    }

    /// What one caller may do with a submission. All ways to find out must agree.
    async fn check(&self, submission: SubmissionId, caller: Caller) -> Actions {
        let resource = ResourceRef::submission(submission);
        let resources = self.world.resources();
        let actions = resources.granted_actions(&caller, &resource).await.unwrap();
        let cell = Cell {
            scene: self,
            caller,
            submission,
            actions,
        };
        cell.check_reading().await;
        cell.check_changing().await;
        cell.check_lists().await;
        cell.check_forms().await;
        cell.check_grants().await;
        cell.check_resource(&resource).await;
        cell.check_sharing(&resource).await;
        cell.check_deleting().await;
        cell.actions
    }
}

impl Cell<'_> {
    fn world(&self) -> &World {
        self.scene.world
    }

    fn allows(&self, action: &Action) -> bool {
        self.actions.allows(action)
    }

    fn who(&self) -> String {
        let Self {
            caller, actions, ..
        } = self;
        format!("{caller:?} {:?} {actions:?}", self.scene.state)
    }

    async fn check_reading(&self) {
        let submissions = self.world().submissions();
        match submissions.get(&self.caller, self.submission).await {
            Ok(view) => {
                assert!(self.allows(&Action::READ), "{}", self.who());
                assert_eq!(view.granted_actions, self.actions, "{}", self.who());
            }
            Err(Error::Forbidden) => assert!(!self.allows(&Action::READ), "{}", self.who()),
            Err(error) => panic!("{}: {error}", self.who()),
        }
    }

    /// Requests a state that does not exist. It is checked after permission, and nothing changes.
    async fn check_changing(&self) {
        let change = SubmissionChange {
            data: Change::Keep,
            state: RequestedState::Unknown("pending".to_owned()),
        };
        let submissions = self.world().submissions();
        let refused = submissions
            .update(&self.caller, self.submission, change)
            .await;
        match refused {
            Err(Error::SubmissionStateNotAllowed(_)) => {
                assert!(self.allows(&Action::UPDATE), "{}", self.who());
            }
            Err(Error::Forbidden) => assert!(!self.allows(&Action::UPDATE), "{}", self.who()),
            other => panic!("{}: {other:?}", self.who()),
        }
    }

    /// If deletion is allowed, another submission of the same kind is deleted.
    async fn check_deleting(&self) {
        let allowed = self.allows(&Action::DELETE);
        let victim = if allowed {
            self.scene.submission().await
        } else {
            self.submission
        };
        let submissions = self.world().submissions();
        match submissions.delete(&self.caller, victim).await {
            Ok(()) => assert!(allowed, "{}", self.who()),
            Err(Error::Forbidden) => assert!(!allowed, "{}", self.who()),
            Err(error) => panic!("{}: {error}", self.who()),
        }
    }

    async fn check_lists(&self) {
        let readable = Some(&self.actions).filter(|actions| actions.allows(&Action::READ));
        let states = SubmissionState::ALL.iter().copied().map(Some);
        for state in states.chain([None]) {
            let filter = SubmissionFilter {
                state,
                ..SubmissionFilter::default()
            };
            let submissions = self.world().submissions();
            let page = submissions
                .list(&self.caller, self.scene.form, &filter, &everything())
                .await
                .unwrap();
            let mut items = page.items.iter();
            let shown = items.find(|shown| shown.item.id == self.submission);
            let shown = shown.map(|shown| &shown.granted_actions);
            let expected = readable.filter(|_| state.is_none_or(|it| it == self.scene.state));
            assert_eq!(shown, expected, "{}", self.who());
        }
    }

    /// Everybody may read the form. The list of forms with readable submissions contains it if the caller may read all
    /// submissions or this one, which is the only one that the caller has any relation to.
    async fn check_forms(&self) {
        let form = ResourceRef::form(self.scene.form);
        let on_form = self.world().actions_on(&self.caller, &form).await;
        let filter = FormFilter {
            where_read_form_submissions_granted: true,
        };
        let forms = self.world().forms();
        let page = forms.list(&self.caller, filter, &everything()).await;
        let listed: Vec<FormId> = page.unwrap().items.iter().map(|it| it.form.id).collect();
        let expected = on_form.allows(&Action::READ_SUBMISSIONS) || self.allows(&Action::READ);
        assert_eq!(
            listed.contains(&self.scene.form),
            expected,
            "{}",
            self.who()
        );
    }

    /// Managers of the submission see all grants on it; others see the grants that they hold.
    async fn check_grants(&self) {
        let filter = ResourceFilter {
            class: Some(ResourceClass::SUBMISSION.to_string()),
            identifier: Some(self.submission.to_string()),
        };
        let grants = self.world().grants();
        let all = grants.list(&Caller::System, &filter, &everything()).await;
        let seen = grants.list(&self.caller, &filter, &everything()).await;
        let seen: Vec<GrantId> = seen.unwrap().items.iter().map(|it| it.item.id).collect();
        for grant in all.unwrap().items {
            let held =
                self.caller.user_id().cloned().map(Subject::User) == Some(grant.item.subject);
            let expected = held || self.allows(&Action::MANAGE);
            assert_eq!(seen.contains(&grant.item.id), expected, "{}", self.who());
            let read = grants.get(&self.caller, grant.item.id).await;
            assert_eq!(read.is_ok(), expected, "{}", self.who());
        }
    }

    /// Submissions are resources only if the form uses grants. Callers who may do anything with the resource see it.
    async fn check_resource(&self, resource: &ResourceRef) {
        let grant_based = self.scene.grant_based;
        let expected = Some(&self.actions).filter(|it| grant_based && !it.is_empty());
        let filter = ResourceFilter {
            class: Some(resource.class.to_string()),
            identifier: Some(self.submission.to_string()),
        };
        let resources = self.world().resources();
        let page = resources.list(&self.caller, &filter, &everything()).await;
        let page = page.unwrap().items;
        let shown = page.first().map(|shown| &shown.granted_actions);
        assert_eq!(shown, expected, "{}", self.who());
        let of_system = resources
            .list(&Caller::System, &filter, &everything())
            .await
            .unwrap();
        assert_eq!(!of_system.items.is_empty(), grant_based, "{}", self.who());
        for record in of_system.items {
            match resources.get(&self.caller, record.item.id).await {
                Ok(view) => assert_eq!(Some(&view.granted_actions), expected, "{}", self.who()),
                Err(Error::Forbidden) => assert!(self.actions.is_empty(), "{}", self.who()),
                Err(error) => panic!("{}: {error}", self.who()),
            }
        }
    }

    /// Sharing requires `manage`, and a submission that is a resource.
    async fn check_sharing(&self, resource: &ResourceRef) {
        let grant_based = self.scene.grant_based;
        let manages = self.allows(&Action::MANAGE);
        let new = new_grant(&holder("friend"), &Action::READ, resource);
        let grants = self.world().grants();
        match grants.create(&self.caller, new).await {
            Ok(shared) => {
                assert!(grant_based && manages, "{}", self.who());
                let taken_back = grants.delete(&self.caller, shared.item.id).await;
                assert!(taken_back.is_ok(), "{}", self.who());
            }
            Err(Error::Forbidden) => assert!(grant_based && !manages, "{}", self.who()),
            Err(Error::ResourceNotFound) => assert!(!grant_based, "{}", self.who()),
            Err(error) => panic!("{}: {error}", self.who()),
        }
    }
}
