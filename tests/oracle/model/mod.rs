//! The expected state and results: sections 3 to 5 of the interface, implemented a second time with plain loops over
//! vectors, without using any of the code under test.

use std::collections::BTreeSet;

use table::Table;

use crate::act::Item;

pub(crate) mod feed;
pub(crate) mod rights;
mod rules;
pub(crate) mod table;
pub(crate) mod words;

/// Identifies a record by the number of records of its kind that were created before it.
pub(crate) type Id = usize;

/// Actions by name.
pub(crate) type Words = BTreeSet<&'static str>;

/// A user, the system, or whoever uses a public link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Actor {
    System,
    User(&'static User),
    Link(Id),
}

impl Actor {
    /// The user who manages what the actor creates.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::System | Self::Link(_) => None,
            Self::User(user) => Some(user.name),
        }
    }

    /// The creator recorded for what the actor creates.
    pub(crate) fn creator(self) -> Creator {
        match self {
            Self::System => Creator::System,
            Self::User(user) => Creator::User(user.name),
            Self::Link(link) => Creator::Link(link),
        }
    }
}

/// The creator of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Creator {
    System,
    User(&'static str),
    Link(Id),
}

/// A user, with the permissions that come from the configuration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) name: &'static str,
    /// The user's dynamic groups besides `everybody`.
    pub(crate) dynamic_groups: &'static [&'static str],
    /// The classes whose collections the user manages through a policy.
    pub(crate) manages: &'static [Place],
    /// Whether the policy allows the user to create forms, which it does only for names that contain `S`.
    pub(crate) creates_forms: bool,
    /// Whether the user manages every item and collection through a policy.
    pub(crate) manages_everything: bool,
}

/// The users. Their names differ only in code points.
pub(crate) const USERS: [User; 6] = [
    User {
        name: "ann",
        dynamic_groups: &["staff"],
        manages: &[],
        creates_forms: false,
        manages_everything: false,
    },
    User {
        name: "Ann",
        dynamic_groups: &["press", "staff"],
        manages: &[],
        creates_forms: true,
        manages_everything: false,
    },
    User {
        name: "\u{c4}nn",
        dynamic_groups: &[],
        manages: &[Place::Things],
        creates_forms: false,
        manages_everything: false,
    },
    User {
        name: "A\u{308}nn",
        dynamic_groups: &[],
        manages: &[Place::Groups],
        creates_forms: false,
        manages_everything: false,
    },
    User {
        name: "ann ",
        dynamic_groups: &["press"],
        manages: &Place::COLLECTIONS,
        creates_forms: false,
        manages_everything: false,
    },
    User {
        name: "\u{c4}nn ",
        dynamic_groups: &["staff"],
        manages: &[],
        creates_forms: false,
        manages_everything: true,
    },
];

/// A resource that grants can refer to: the collection of a class, or one of its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Groups,
    Group(Id),
    Forms,
    Form(Id),
    SubmissionCollections,
    /// The collection of the submissions of a form.
    SubmissionsOf(Id),
    Submissions,
    Submission(Id),
    Things,
    Thing(Id),
}

impl Place {
    /// The collections of all classes.
    pub(crate) const COLLECTIONS: [Self; 5] = [
        Self::Groups,
        Self::Forms,
        Self::SubmissionCollections,
        Self::Submissions,
        Self::Things,
    ];

    /// The collection of the class.
    pub(crate) fn collection(self) -> Self {
        match self {
            Self::Groups | Self::Group(_) => Self::Groups,
            Self::Forms | Self::Form(_) => Self::Forms,
            Self::SubmissionCollections | Self::SubmissionsOf(_) => Self::SubmissionCollections,
            Self::Submissions | Self::Submission(_) => Self::Submissions,
            Self::Things | Self::Thing(_) => Self::Things,
        }
    }

    pub(crate) fn is_collection(self) -> bool {
        self.collection() == self
    }

    /// The actions that can be granted on it.
    pub(crate) fn actions(self) -> &'static [&'static str] {
        match self {
            Self::Groups | Self::Forms | Self::Things => &["create", "manage"],
            Self::SubmissionCollections | Self::Submissions => &["manage"],
            Self::Group(_) => &words::OF_GROUP,
            Self::Form(_) => &words::OF_FORM,
            Self::SubmissionsOf(_) => &words::OF_SUBMISSIONS,
            Self::Submission(_) => &words::OF_SUBMISSION,
            Self::Thing(_) => &["manage", "write"],
        }
    }
}

/// The holder of a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    User(&'static str),
    Group(Id),
    Dynamic(&'static str),
    Link(Id),
}

/// The member of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Member {
    User(&'static str),
    Group(Id),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Membership {
    pub(crate) group: Id,
    pub(crate) member: Member,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) holder: Holder,
    pub(crate) action: &'static str,
    pub(crate) on: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Draft,
    Submitted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) grant_based: bool,
    /// The value of `allowedActionsWhenSubmitted`.
    pub(crate) allowed: Words,
    pub(crate) states: Vec<State>,
    /// In seconds, like the clock.
    pub(crate) starts: Option<i64>,
    pub(crate) ends: Option<i64>,
    pub(crate) cap: Option<usize>,
    pub(crate) limit: Option<usize>,
    /// Whether the form has a schema that requires `a`.
    pub(crate) has_schema: bool,
    /// The tags that submissions may get.
    pub(crate) tags: words::TagList,
    /// How many actions on tags submitters have.
    pub(crate) tag_actions: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Submission {
    pub(crate) form: Id,
    pub(crate) creator: Creator,
    pub(crate) modifier: Creator,
    pub(crate) state: State,
    pub(crate) data: Option<&'static str>,
    pub(crate) tags: words::TagList,
}

/// A public link to a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) form: Id,
    pub(crate) grant: Id,
    pub(crate) cap: Option<usize>,
}

/// The expected state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    /// In seconds since the start.
    pub(crate) now: i64,
    /// By name.
    pub(crate) groups: Table<&'static str>,
    pub(crate) memberships: Table<Membership>,
    pub(crate) forms: Table<Form>,
    pub(crate) submissions: Table<Submission>,
    pub(crate) resources: Table<Place>,
    pub(crate) grants: Table<Grant>,
    pub(crate) links: Table<Link>,
    pub(crate) keys: Vec<Key>,
    pub(crate) events: Vec<feed::Event>,
}

/// The key of a submission that a batch created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) owner: Creator,
    pub(crate) form: Id,
    pub(crate) item: Item,
}

impl Model {
    /// A state that contains only the collections.
    pub(crate) fn new() -> Self {
        let mut model = Self::default();
        for collection in Place::COLLECTIONS {
            model.resources.add(collection);
        }
        model
    }

    /// Everything that exists or ever existed.
    pub(crate) fn places(&self) -> Vec<Place> {
        let mut places = Place::COLLECTIONS.to_vec();
        places.extend((0..self.groups.len()).map(Place::Group));
        for form in 0..self.forms.len() {
            places.extend([Place::Form(form), Place::SubmissionsOf(form)]);
        }
        places.extend((0..self.submissions.len()).map(Place::Submission));
        places.extend((0..words::THINGS.len()).map(Place::Thing));
        places
    }

    pub(crate) fn is_resource(&self, place: Place) -> bool {
        self.resources.iter().any(|(_, it)| *it == place)
    }
}
