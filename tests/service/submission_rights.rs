//! What a caller may do with one submission: section 5.3 of the interface, every cell.
//!
//! A cell shows effective actions. For each cell everything that asks for them must agree: reading, changing, deleting
//! and sharing the submission, the lists that may show it, and the record of its resource.

use std::fmt::Write as _;
use std::sync::Arc;

use formalize_core::{
    Action, Actions, Caller, Change, Error, FormId, RequestedState, ResourceFilter, ResourceRef,
    Store, SubmissionChange, SubmissionFilter, SubmissionId, SubmissionRules, SubmissionState,
    SubmittedActions,
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

/// Whoever has something to do with the submissions of a form.
const CREATOR: &str = "creator";
/// Made the submission too, but another holds the grant to manage it; only where grants govern.
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

/// Holders of a grant on the submission, where grants govern.
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
            for column in &columns {
                let actions = scene.check(&user(column)).await;
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
    let words: Vec<&str> = allowed.iter().map(|action| &action.as_str()[..1]).collect();
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

/// A submission in one state to a form with one set of allowed actions.
struct Scene<'a> {
    world: &'a World,
    form: FormId,
    submission: SubmissionId,
    state: SubmissionState,
    grant_based: bool,
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
        for (name, action) in ON_FORM {
            world
                .grant_to(name, &action, &ResourceRef::form(form))
                .await;
        }
        for (name, action) in ON_COLLECTION {
            let collection = ResourceRef::submission_collection(form);
            world.grant_to(name, &action, &collection).await;
        }
        let mut scene = Self {
            world,
            form,
            submission: SubmissionId::named(""),
            state,
            grant_based,
        };
        scene.submission = scene.new_submission(CREATOR).await;
        scene
    }

    /// A submission that is shared with everybody who holds a grant on submissions.
    async fn new_submission(&self, creator: &str) -> SubmissionId {
        let submission = self.world.submission(creator, self.form, self.state).await;
        if self.grant_based {
            let resource = ResourceRef::submission(submission);
            for (name, action) in ON_SUBMISSION {
                self.world.grant_to(name, &action, &resource).await;
            }
        }
        submission
    }

    /// What somebody may do with the submission; all ways to find out agree.
    async fn check(&self, caller: &Caller) -> Actions {
        let submission = if *caller == user(FORMER) {
            self.abandoned().await
        } else {
            self.submission
        };
        let resource = ResourceRef::submission(submission);
        let resources = self.world.resources();
        let actions = resources.granted_actions(caller, &resource).await.unwrap();
        let who = format!("{caller:?} {:?} {actions:?}", self.state);
        self.check_reading(caller, submission, &actions, &who).await;
        self.check_changing(caller, submission, &actions, &who)
            .await;
        self.check_deleting(caller, &actions, &who).await;
        self.check_lists(caller, submission, &actions, &who).await;
        self.check_resource(caller, &resource, &actions, &who).await;
        self.check_sharing(caller, &resource, &actions, &who).await;
        actions
    }

    /// A submission whose creator has lost the grant on it.
    async fn abandoned(&self) -> SubmissionId {
        let submission = self.world.submission(FORMER, self.form, self.state).await;
        let resource = ResourceRef::submission(submission);
        self.world
            .grant_to("heir", &Action::MANAGE, &resource)
            .await;
        let filter = ResourceFilter {
            class: Some(resource.class.to_string()),
            identifier: Some(submission.to_string()),
        };
        let grants = self.world.grants();
        let of_submission = grants.list(&Caller::System, &filter, &everything()).await;
        let own = of_submission.unwrap().items;
        let own = own.iter().find(|it| it.item.subject == holder(FORMER));
        grants
            .delete(&Caller::System, own.unwrap().item.id)
            .await
            .unwrap();
        submission
    }

    async fn check_reading(
        &self,
        caller: &Caller,
        submission: SubmissionId,
        actions: &Actions,
        who: &str,
    ) {
        let read = self.world.submissions().get(caller, submission).await;
        match read {
            Ok(view) => {
                assert!(actions.allows(&Action::READ), "{who}");
                assert_eq!(view.granted_actions, *actions, "{who}");
            }
            Err(Error::Forbidden) => assert!(!actions.allows(&Action::READ), "{who}"),
            Err(error) => panic!("{who}: {error}"),
        }
    }

    /// Asks for a state that does not exist, which is judged after permission and changes nothing.
    async fn check_changing(
        &self,
        caller: &Caller,
        submission: SubmissionId,
        actions: &Actions,
        who: &str,
    ) {
        let change = SubmissionChange {
            data: Change::Keep,
            state: RequestedState::Unknown("pending".to_owned()),
        };
        let refused = self
            .world
            .submissions()
            .update(caller, submission, change)
            .await;
        match refused {
            Err(Error::SubmissionStateNotAllowed(_)) => {
                assert!(actions.allows(&Action::UPDATE), "{who}");
            }
            Err(Error::Forbidden) => assert!(!actions.allows(&Action::UPDATE), "{who}"),
            other => panic!("{who}: {other:?}"),
        }
    }

    /// Deletes a submission of the same kind.
    async fn check_deleting(&self, caller: &Caller, actions: &Actions, who: &str) {
        let twin = if *caller == user(FORMER) {
            self.abandoned().await
        } else {
            self.new_submission(CREATOR).await
        };
        match self.world.submissions().delete(caller, twin).await {
            Ok(()) => assert!(actions.allows(&Action::DELETE), "{who}"),
            Err(Error::Forbidden) => assert!(!actions.allows(&Action::DELETE), "{who}"),
            Err(error) => panic!("{who}: {error}"),
        }
        self.world
            .submissions()
            .delete(&Caller::System, twin)
            .await
            .ok();
    }

    async fn check_lists(
        &self,
        caller: &Caller,
        submission: SubmissionId,
        actions: &Actions,
        who: &str,
    ) {
        for state in [None, Some(self.state)] {
            let filter = SubmissionFilter {
                state,
                ..SubmissionFilter::default()
            };
            let page = self
                .world
                .submissions()
                .list(caller, self.form, &filter, &everything())
                .await
                .unwrap();
            let shown = page.items.iter().find(|it| it.item.id == submission);
            let expected = Some(actions).filter(|actions| actions.allows(&Action::READ));
            assert_eq!(shown.map(|it| &it.granted_actions), expected, "{who}");
        }
    }

    /// Only where grants govern is a submission a resource; whoever may do anything with it sees that.
    async fn check_resource(
        &self,
        caller: &Caller,
        resource: &ResourceRef,
        actions: &Actions,
        who: &str,
    ) {
        let expected = Some(actions).filter(|it| self.grant_based && !it.is_empty());
        let filter = ResourceFilter {
            class: Some(resource.class.to_string()),
            identifier: None,
        };
        let resources = self.world.resources();
        let page = resources
            .list(caller, &filter, &everything())
            .await
            .unwrap();
        let shown = page.items.iter().find(|it| it.item.resource == *resource);
        assert_eq!(shown.map(|it| &it.granted_actions), expected, "{who}");
        let of_system = resources
            .list(&Caller::System, &filter, &everything())
            .await
            .unwrap();
        let mut records = of_system.items.iter();
        let record = records.find(|it| it.item.resource == *resource);
        assert_eq!(record.is_some(), self.grant_based, "{who}");
        if let Some(record) = record {
            match resources.get(caller, record.item.id).await {
                Ok(view) => assert_eq!(Some(&view.granted_actions), expected, "{who}"),
                Err(Error::Forbidden) => assert!(actions.is_empty(), "{who}"),
                Err(error) => panic!("{who}: {error}"),
            }
        }
    }

    /// Sharing needs `manage`, and a submission that is a resource.
    async fn check_sharing(
        &self,
        caller: &Caller,
        resource: &ResourceRef,
        actions: &Actions,
        who: &str,
    ) {
        let new = new_grant(&holder("friend"), &Action::READ, resource);
        let grants = self.world.grants();
        match grants.create(caller, new).await {
            Ok(shared) => {
                assert!(self.grant_based && actions.allows(&Action::MANAGE), "{who}");
                grants
                    .delete(&Caller::System, shared.item.id)
                    .await
                    .unwrap();
            }
            Err(Error::Forbidden) => {
                assert!(
                    self.grant_based && !actions.allows(&Action::MANAGE),
                    "{who}"
                );
            }
            Err(Error::ResourceNotFound) => assert!(!self.grant_based, "{who}"),
            Err(error) => panic!("{who}: {error}"),
        }
    }
}
