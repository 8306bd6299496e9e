//! The records that actors act on, one of every kind. Records that an act removed are created anew.

use std::sync::atomic::{AtomicU32, Ordering};

use formalize_core::{
    Action, Caller, DynamicGroupId, FormId, GrantId, GroupId, MembershipId, NewForm, ResourceClass,
    ResourceId, ResourceRef, Subject, SubmissionId, SubmissionRules, SubmissionState,
    files::FileId, forms::SubmittedAction,
};
use formalize_tests::world::{
    THING, World, class, holder, new_form, new_grant, new_group, new_submission, thing, user_with,
};

/// Any files are allowed.
const SCHEMA: &str =
    r#"{"additionalFiles": {"minNumber": 0, "maxNumber": 100, "allowedMimeTypes": ["*/*"]}}"#;

/// A resource on the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    Group,
    Groups,
    Form,
    Forms,
    Submissions,
    SubmissionCollections,
    Submitted,
    Draft,
    SingleSubmissions,
    Thing,
    Things,
}

impl Spot {
    pub(super) const ALL: [(Self, &str); 11] = [
        (Self::Group, "group"),
        (Self::Groups, "groups"),
        (Self::Form, "form"),
        (Self::Forms, "forms"),
        (Self::Submissions, "submissions"),
        (Self::SubmissionCollections, "all submissions"),
        (Self::Submitted, "submitted"),
        (Self::Draft, "draft"),
        (Self::SingleSubmissions, "single submissions"),
        (Self::Thing, "thing"),
        (Self::Things, "things"),
    ];

    /// Single records, as opposed to the collection of a class.
    pub(super) const ITEMS: [Self; 6] = [
        Self::Group,
        Self::Form,
        Self::Submissions,
        Self::Submitted,
        Self::Draft,
        Self::Thing,
    ];

    pub(super) fn class(self) -> ResourceClass {
        match self {
            Self::Group | Self::Groups => ResourceClass::GROUP,
            Self::Form | Self::Forms => ResourceClass::FORM,
            Self::Submissions | Self::SubmissionCollections => ResourceClass::SUBMISSION_COLLECTION,
            Self::Submitted | Self::Draft | Self::SingleSubmissions => ResourceClass::SUBMISSION,
            Self::Thing | Self::Things => class(THING),
        }
    }
}

/// The records, all created by the same user.
pub(super) struct Stage<'a> {
    pub(super) world: &'a World,
    pub(super) number: u32,
    pub(super) maker: String,
    pub(super) group: GroupId,
    /// A group that everybody may read.
    pub(super) open_group: GroupId,
    /// A group that only the system may read.
    pub(super) hidden_group: GroupId,
    pub(super) form: FormId,
    pub(super) submitted: SubmissionId,
    pub(super) draft: SubmissionId,
    /// A file of each of them.
    files: [FileId; 2],
    pub(super) thing: ResourceRef,
    pub(super) member: MembershipId,
    /// The grants of a bystander at each spot.
    shared: Vec<(Spot, Shared)>,
    names: AtomicU32,
}

/// A resource that was shared, and the grant that shares it.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    pub(super) resource: ResourceId,
    pub(super) grant: GrantId,
}

impl<'a> Stage<'a> {
    /// Creates the stage with this number.
    pub(super) async fn build(world: &'a World, number: u32) -> Self {
        let maker = format!("maker-{number}");
        let caller = user_with(&maker, "role", "maker");
        let group = world.groups().create(&caller, new_group("Group")).await;
        let group = group.unwrap().item.id;
        let form = NewForm {
            data_feed_schema: Some(SCHEMA.to_owned()),
            ..new_form("Survey", rules())
        };
        let form = world.forms().create(&caller, form).await;
        let form = form.unwrap().item.id;
        let thing = thing(&format!("thing-{number}"));
        world
            .resources()
            .register(&Caller::System, thing.clone(), caller.user_id())
            .await
            .unwrap();
        let open_group = world.group("Open").await;
        let everybody = Subject::DynamicGroup(DynamicGroupId::EVERYBODY);
        let open = ResourceRef::group(open_group);
        world.grant(&everybody, &Action::READ, &open).await;
        let submitted = submission(world, &caller, form, SubmissionState::Submitted).await;
        let draft = submission(world, &caller, form, SubmissionState::Draft).await;
        let mut stage = Self {
            world,
            number,
            maker,
            group,
            open_group,
            hidden_group: world.group("Hidden").await,
            form,
            submitted,
            draft,
            files: [
                world.file(submitted, b"some text").await,
                world.file(draft, b"some text").await,
            ],
            thing,
            member: world.member(group, "member").await,
            shared: Vec::new(),
            names: AtomicU32::new(0),
        };
        for (spot, _) in Spot::ALL {
            let shared = stage.share(spot).await;
            stage.shared.push((spot, shared));
        }
        stage
    }

    async fn share(&self, spot: Spot) -> Shared {
        let bystander = holder(&self.fresh_name());
        let new = new_grant(&bystander, &Action::MANAGE, &self.at(spot));
        let grant = self.world.grants().create(&Caller::System, new).await;
        let grant = grant.unwrap().item;
        Shared {
            resource: grant.resource.id,
            grant: grant.id,
        }
    }

    /// The grant of the bystander at a spot.
    pub(super) fn shared(&self, spot: Spot) -> Shared {
        let mut shared = self.shared.iter();
        shared.find(|(at, _)| *at == spot).unwrap().1
    }

    /// The submission at a spot, and its file.
    pub(super) fn file_at(&self, spot: Spot) -> (SubmissionId, FileId) {
        let [of_submitted, of_draft] = self.files;
        match spot {
            Spot::Draft => (self.draft, of_draft),
            _ => (self.submitted, of_submitted),
        }
    }

    /// Deletes what is left, so that the store does not grow with the number of actors.
    pub(super) async fn strike(self) {
        let system = &Caller::System;
        let (groups, grants) = (self.world.groups(), self.world.grants());
        for group in [self.group, self.open_group, self.hidden_group] {
            groups.delete(system, group).await.ok();
        }
        self.world.forms().delete(system, self.form).await.ok();
        let resources = self.world.resources();
        resources.deregister(system, &self.thing).await.ok();
        for (_, shared) in self.shared {
            grants.delete(system, shared.grant).await.ok();
        }
    }

    /// The resource at a spot.
    pub(super) fn at(&self, spot: Spot) -> ResourceRef {
        match spot {
            Spot::Group => ResourceRef::group(self.group),
            Spot::Form => ResourceRef::form(self.form),
            Spot::Submissions => ResourceRef::submission_collection(self.form),
            Spot::Submitted => ResourceRef::submission(self.submitted),
            Spot::Draft => ResourceRef::submission(self.draft),
            Spot::Thing => self.thing.clone(),
            Spot::Groups
            | Spot::Forms
            | Spot::SubmissionCollections
            | Spot::SingleSubmissions
            | Spot::Things => ResourceRef::collection(spot.class()),
        }
    }

    /// A name that is not used on any stage.
    pub(super) fn fresh_name(&self) -> String {
        let name = self.names.fetch_add(1, Ordering::Relaxed);
        format!("bystander-{}-{name}", self.number)
    }
}

async fn submission(
    world: &World,
    creator: &Caller,
    form: FormId,
    state: SubmissionState,
) -> SubmissionId {
    let new = new_submission(form, "{}", state);
    let made = world.submissions().create(creator, new).await;
    made.unwrap().item.id
}

/// Rules under which grants apply to submissions in every state.
fn rules() -> SubmissionRules {
    SubmissionRules {
        grant_based: true,
        allowed_actions_when_submitted: SubmittedAction::ALL.iter().copied().collect(),
        allowed_states: SubmissionState::ALL.iter().copied().collect(),
        ..SubmissionRules::default()
    }
}
