//! The acts of a random scenario and their results. The sequence of acts is random.

use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::select;

use crate::model::words::{
    ACTIONS, DATA, DYNAMIC_GROUPS, KEYS, NAMES, TAGS, TAGS_OF_FORM, THINGS, TagList,
};
use crate::model::{Actor, Form, Holder, Id, Member, Model, Place, State, USERS, User, Words};

/// One act. Records are referred to by numbers; see [`Act::settle`].
#[derive(Debug, Clone)]
pub(crate) enum Act {
    CreateGroup {
        name: &'static str,
    },
    RenameGroup {
        group: Id,
        name: &'static str,
    },
    DeleteGroup {
        group: Id,
    },
    AddMember {
        group: Id,
        member: Member,
    },
    RemoveMember {
        membership: Id,
    },
    Register {
        thing: Id,
        manager: Option<&'static str>,
    },
    Deregister {
        thing: Id,
    },
    Grant {
        holder: Holder,
        action: &'static str,
        on: Place,
        /// Whether the request names the resource by its record instead of by class and identifier.
        by_record: bool,
    },
    Revoke {
        grant: Id,
    },
    CreateForm {
        name: &'static str,
        form: Form,
    },
    ChangeForm {
        form: Id,
        change: Change,
    },
    DeleteForm {
        form: Id,
    },
    Submit {
        form: Id,
        state: State,
        data: Option<&'static str>,
        tags: TagList,
    },
    /// Creates several submissions together.
    SubmitBatch {
        form: Id,
        items: Vec<Item>,
        is_atomic: bool,
        is_dry_run: bool,
    },
    ChangeSubmission {
        submission: Id,
        state: State,
        data: Data,
        tags: Option<TagList>,
    },
    DeleteSubmission {
        submission: Id,
    },
    DeleteSubmitted {
        form: Id,
    },
    CreateLink {
        form: Id,
        cap: Option<usize>,
    },
    ChangeLink {
        link: Id,
        cap: Option<usize>,
    },
    DeleteLink {
        link: Id,
    },
    MoveClock {
        seconds: i64,
    },
}

/// A submission of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) state: State,
    pub(crate) data: Option<&'static str>,
    /// The client's key.
    pub(crate) key: Option<&'static str>,
}

/// A change to a form.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Nothing,
    GrantBased(bool),
    Allowed(Words),
    States(Vec<State>),
    Starts(Option<i64>),
    Ends(Option<i64>),
    Cap(Option<usize>),
    Limit(Option<usize>),
    /// Sets the schema, or removes it.
    Schema(bool),
    Tags(TagList),
    TagActions(usize),
    /// A schema that is no JSON. It is compiled only for those who may change the form.
    BrokenSchema,
}

/// A change to the data of a submission.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Data {
    Keep,
    Clear,
    Set(&'static str),
}

/// The result of an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Done,
    /// The item, with its effective actions.
    Shown(Words),
    /// The item was changed, but the caller may not read it.
    Hidden,
    /// The number of records that were deleted: forms, submitted submissions, drafts, groups, memberships, resources
    /// other than collections of submissions, grants, links.
    Deleted([usize; 8]),
    /// What became of the submissions of a batch. Refusals are given by the name of the variant of
    /// `formalize_core::Error`.
    Batch(Vec<String>),
    /// The name of the variant of `formalize_core::Error`.
    Refused(String),
}

/// The user who performs an act.
#[derive(Debug, Clone)]
pub(crate) enum Who {
    System,
    User(u8),
    /// Whoever uses a public link.
    Link(Id),
    /// The first user who is allowed to do it, starting from this one. Users chosen at random are rarely allowed to do
    /// anything. The user who manages everything is chosen only as the first one: that user would do most of it.
    Entitled(u8),
}

/// An act and who performs it.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    who: Who,
    act: Act,
}

impl Step {
    /// Chooses the actor and the records for the current state of the model.
    pub(crate) fn settle(&self, model: &Model) -> (Actor, Act) {
        let mut act = self.act.clone();
        act.settle(model);
        let actor = match &self.who {
            Who::System => Actor::System,
            Who::Link(number) => match number.checked_rem(model.links.len()) {
                Some(link) => Actor::Link(link),
                None => Actor::User(&USERS[0]),
            },
            Who::User(number) => Actor::User(&USERS[usize::from(*number)]),
            Who::Entitled(number) => entitled(model, &act, usize::from(*number)),
        };
        (actor, act)
    }
}

fn entitled(model: &Model, act: &Act, first: usize) -> Actor {
    let from_first = USERS.iter().cycle().skip(first).take(USERS.len());
    let is_chosen = |(at, user): &(usize, &User)| *at == 0 || !user.manages_everything;
    let chosen = from_first.enumerate().filter(is_chosen);
    let mut actors = chosen.map(|(_, user)| Actor::User(user));
    let fallback = Actor::User(&USERS[first]);
    actors
        .find(|actor| !matches!(model.clone().take(*actor, act), Answer::Refused(_)))
        .unwrap_or(fallback)
}

impl Act {
    /// The numbers of records are drawn before any records exist. This brings them into the range of records created so
    /// far.
    fn settle(&mut self, model: &Model) {
        match self {
            Self::CreateGroup { .. }
            | Self::CreateForm { .. }
            | Self::Register { .. }
            | Self::Deregister { .. }
            | Self::MoveClock { .. } => {}
            Self::RenameGroup { group, .. } | Self::DeleteGroup { group } => {
                settle(group, model.groups.len());
            }
            Self::AddMember { group, member } => {
                settle(group, model.groups.len());
                if let Member::Group(child) = member {
                    settle(child, model.groups.len());
                }
            }
            Self::RemoveMember { membership } => settle(membership, model.memberships.len()),
            Self::Grant { holder, on, .. } => {
                match holder {
                    Holder::Group(group) => settle(group, model.groups.len()),
                    Holder::Link(link) => settle(link, model.links.len()),
                    Holder::User(_) | Holder::Dynamic(_) => {}
                }
                match on {
                    Place::Group(group) => settle(group, model.groups.len()),
                    Place::Form(form) | Place::SubmissionsOf(form) => {
                        settle(form, model.forms.len());
                    }
                    Place::Submission(id) => settle(id, model.submissions.len()),
                    _ => {}
                }
            }
            Self::Revoke { grant } => settle(grant, model.grants.len()),
            Self::ChangeForm { form, .. }
            | Self::DeleteForm { form }
            | Self::Submit { form, .. }
            | Self::SubmitBatch { form, .. }
            | Self::CreateLink { form, .. }
            | Self::DeleteSubmitted { form } => settle(form, model.forms.len()),
            Self::ChangeLink { link, .. } | Self::DeleteLink { link } => {
                settle(link, model.links.len());
            }
            Self::ChangeSubmission { submission, .. } | Self::DeleteSubmission { submission } => {
                settle(submission, model.submissions.len());
            }
        }
    }
}

fn settle(id: &mut Id, ever: usize) {
    *id = id.checked_rem(ever).unwrap_or(0);
}

/// Every scenario starts with acts that create records, so that the random acts have something to act on.
pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let group = select(&NAMES[..]).prop_map(|name| Act::CreateGroup { name });
    let child = (id(), id()).prop_map(|(group, child)| Act::AddMember {
        group,
        member: Member::Group(child),
    });
    let member = (id(), user()).prop_map(|(group, user)| Act::AddMember {
        group,
        member: Member::User(user),
    });
    let form = (select(&NAMES[..]), form()).prop_map(|(name, form)| Act::CreateForm { name, form });
    let system = || Just(Who::System);
    let parts = (
        several(who(), group, 2..7),
        several(system(), child, 0..9),
        several(system(), member, 0..5),
        several(who(), form, 1..4),
        several(system(), on_grants(), 0..12),
        several(who(), create_link(), 0..4),
        several(who(), on_submissions(), 0..8),
        several(who(), act(), 0..25),
    );
    parts.prop_map(
        |(groups, children, members, forms, grants, links, submissions, rest)| {
            [
                groups,
                children,
                members,
                forms,
                grants,
                links,
                submissions,
                rest,
            ]
            .concat()
        },
    )
}

/// Grants of the system on forms and on their submissions.
pub(crate) fn grants_on_forms() -> impl Strategy<Value = Vec<Step>> {
    let form = prop_oneof![
        id().prop_map(Place::Form),
        id().prop_map(Place::SubmissionsOf)
    ];
    let grant = (holder(), form, id()).prop_map(|(holder, on, number)| {
        let actions = on.actions();
        Act::Grant {
            holder,
            action: actions[number % actions.len()],
            on,
            by_record: false,
        }
    });
    several(Just(Who::System), grant, 3..9)
}

fn several(
    who: impl Strategy<Value = Who>,
    act: impl Strategy<Value = Act>,
    number: Range<usize>,
) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((who, act).prop_map(|(who, act)| Step { who, act }), number)
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![
        2 => Just(Who::System),
        5 => number_of_user().prop_map(Who::Entitled),
        2 => number_of_user().prop_map(Who::User),
        1 => id().prop_map(Who::Link),
    ]
}

fn number_of_user() -> impl Strategy<Value = u8> {
    0..u8::try_from(USERS.len()).unwrap()
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        12 => on_groups(),
        30 => on_grants(),
        10 => on_forms(),
        36 => on_submissions(),
        7 => on_links(),
        2 => (-2..6_i64).prop_map(|seconds| Act::MoveClock { seconds }),
    ]
}

fn on_groups() -> impl Strategy<Value = Act> {
    let user = user().prop_map(Member::User);
    let child = id().prop_map(Member::Group);
    prop_oneof![
        1 => select(&NAMES[..]).prop_map(|name| Act::CreateGroup { name }),
        1 => (id(), select(&NAMES[..])).prop_map(|(group, name)| Act::RenameGroup { group, name }),
        1 => id().prop_map(|group| Act::DeleteGroup { group }),
        4 => (id(), prop_oneof![user, child])
            .prop_map(|(group, member)| Act::AddMember { group, member }),
        1 => id().prop_map(|membership| Act::RemoveMember { membership }),
    ]
}

fn on_grants() -> impl Strategy<Value = Act> {
    let manager = prop::option::of(user());
    let thing = || 0..THINGS.len();
    prop_oneof![
        2 => (thing(), manager).prop_map(|(thing, manager)| Act::Register { thing, manager }),
        1 => thing().prop_map(|thing| Act::Deregister { thing }),
        20 => (holder(), place(), id(), 0..16_u8, 0..4_u8).prop_map(
            |(holder, on, number, wild, by_record)| {
                let actions = if wild == 15 { &ACTIONS[..] } else { on.actions() };
                let (action, by_record) = (actions[number % actions.len()], by_record == 3);
                Act::Grant { holder, action, on, by_record }
            }
        ),
        2 => id().prop_map(|grant| Act::Revoke { grant }),
    ]
}

fn on_forms() -> impl Strategy<Value = Act> {
    prop_oneof![
        1 => (select(&NAMES[..]), form())
            .prop_map(|(name, form)| Act::CreateForm { name, form }),
        8 => (id(), change()).prop_map(|(form, change)| Act::ChangeForm { form, change }),
        1 => id().prop_map(|form| Act::DeleteForm { form }),
    ]
}

fn on_submissions() -> impl Strategy<Value = Act> {
    let given = || prop_oneof![4 => Just(DATA[0]), 2 => select(&DATA[..])];
    let data = prop_oneof![
        2 => Just(Data::Keep),
        1 => Just(Data::Clear),
        5 => given().prop_map(Data::Set)
    ];
    prop_oneof![
        14 => (id(), state(), prop::option::weighted(0.8, given()), tags())
            .prop_map(|(form, state, data, tags)| Act::Submit { form, state, data, tags }),
        9 => (id(), state(), data, prop::option::weighted(0.3, tags())).prop_map(
            |(submission, state, data, tags)| {
                Act::ChangeSubmission { submission, state, data, tags }
            }
        ),
        3 => (id(), tags()).prop_map(|(submission, tags)| Act::ChangeSubmission {
            submission,
            state: State::Submitted,
            data: Data::Keep,
            tags: Some(tags),
        }),
        5 => (id(), items(), any::<bool>(), 0..4_u8).prop_map(|(form, items, is_atomic, dry)| {
            Act::SubmitBatch { form, items, is_atomic, is_dry_run: dry == 3 }
        }),
        1 => id().prop_map(|submission| Act::DeleteSubmission { submission }),
        1 => id().prop_map(|form| Act::DeleteSubmitted { form }),
    ]
}

/// The submissions of a batch. The last one repeats the first, with the same key. So they are created one after the other,
/// and lists have their order.
fn items() -> impl Strategy<Value = Vec<Item>> {
    let given = prop_oneof![6 => Just(DATA[0]), 1 => select(&DATA[..])];
    let key = prop_oneof![3 => Just(None), 2 => select(&KEYS[..]).prop_map(Some)];
    let states = prop_oneof![4 => Just(State::Submitted), 1 => Just(State::Draft)];
    let item = (states, prop::option::weighted(0.9, given), key);
    let item = item.prop_map(|(state, data, key)| Item { state, data, key });
    prop::collection::vec(item, 1..5).prop_map(|mut items| {
        items[0].key = items[0].key.or(Some(KEYS[0]));
        items.push(items[0]);
        items
    })
}

fn create_link() -> impl Strategy<Value = Act> {
    (id(), cap_of_link()).prop_map(|(form, cap)| Act::CreateLink { form, cap })
}

fn on_links() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => create_link(),
        2 => (id(), cap_of_link()).prop_map(|(link, cap)| Act::ChangeLink { link, cap }),
        2 => id().prop_map(|link| Act::DeleteLink { link }),
    ]
}

fn cap_of_link() -> impl Strategy<Value = Option<usize>> {
    prop::option::of(1..4_usize)
}

/// Mostly none, so that most submissions are accepted.
fn tags() -> impl Strategy<Value = TagList> {
    prop_oneof![3 => Just(TAGS[0]), 2 => select(&TAGS[..])]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        1 => Just(Change::Nothing),
        2 => any::<bool>().prop_map(Change::GrantBased),
        4 => allowed().prop_map(Change::Allowed),
        2 => states().prop_map(Change::States),
        2 => instant().prop_map(Change::Starts),
        2 => instant().prop_map(Change::Ends),
        2 => cap().prop_map(Change::Cap),
        2 => limit().prop_map(Change::Limit),
        3 => any::<bool>().prop_map(Change::Schema),
        2 => select(&TAGS_OF_FORM[..]).prop_map(Change::Tags),
        3 => (0..=3_usize).prop_map(Change::TagActions),
        1 => Just(Change::BrokenSchema),
    ]
}

fn form() -> impl Strategy<Value = Form> {
    let window = prop_oneof![
        3 => Just((None, None)),
        1 => (instant(), instant()).prop_map(|(one, other)| match (one, other) {
            (Some(starts), Some(ends)) => (Some(starts.min(ends)), Some(starts.max(ends))),
            open => open,
        }),
    ];
    let rules = (
        any::<bool>(),
        allowed(),
        states(),
        window,
        (cap(), limit()),
        any::<bool>(),
        (select(&TAGS_OF_FORM[..]), 0..=3_usize),
    );
    rules.prop_map(
        |(grant_based, allowed, states, (starts, ends), (cap, limit), has_schema, tags)| Form {
            grant_based,
            allowed,
            states,
            starts,
            ends,
            cap,
            limit,
            has_schema,
            tags: tags.0,
            tag_actions: tags.1,
        },
    )
}

fn allowed() -> impl Strategy<Value = Words> {
    prop::sample::subsequence(vec!["read", "update", "delete", "manage"], 0..=4)
        .prop_map(|words| words.into_iter().collect())
}

fn states() -> impl Strategy<Value = Vec<State>> {
    prop_oneof![
        4 => Just(vec![State::Draft, State::Submitted]),
        1 => state().prop_map(|state| vec![state]),
    ]
}

fn state() -> impl Strategy<Value = State> {
    select(vec![State::Submitted, State::Draft])
}

/// A time that the clock may reach.
fn instant() -> impl Strategy<Value = Option<i64>> {
    prop::option::of(-3..10_i64)
}

fn cap() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![2 => Just(None), 1 => (0..4_usize).prop_map(Some)]
}

/// Low enough that several users reach it together.
fn limit() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![2 => Just(None), 1 => (0..5_usize).prop_map(Some)]
}

fn holder() -> impl Strategy<Value = Holder> {
    prop_oneof![
        8 => user().prop_map(Holder::User),
        8 => id().prop_map(Holder::Group),
        2 => select(&DYNAMIC_GROUPS[..]).prop_map(Holder::Dynamic),
        1 => id().prop_map(Holder::Link),
    ]
}

fn user() -> impl Strategy<Value = &'static str> {
    select(USERS.map(|user| user.name).to_vec())
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        3 => select(&Place::COLLECTIONS[..]),
        4 => id().prop_map(Place::Group),
        4 => id().prop_map(Place::Form),
        3 => id().prop_map(Place::SubmissionsOf),
        6 => id().prop_map(Place::Submission),
        2 => (0..THINGS.len()).prop_map(Place::Thing),
    ]
}

fn id() -> impl Strategy<Value = Id> {
    0..1000_usize
}
