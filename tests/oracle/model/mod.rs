//! What there should be and what everything should answer: sections 3 to 5 of the interface, written down a second
//! time, slowly, in plain loops over plain vectors, and without any of the code that is tested.

use std::collections::BTreeSet;

use table::Table;

pub(crate) mod rights;
mod rules;
pub(crate) mod table;
pub(crate) mod words;

/// Names a record of one kind: the number of records of the kind that were made before it.
pub(crate) type Id = usize;

/// Actions by their words.
pub(crate) type Words = BTreeSet<&'static str>;

/// Somebody who acts or looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Actor {
    System,
    User(&'static User),
}

impl Actor {
    /// Who is written down as the author of what the actor makes.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::User(user) => Some(user.name),
        }
    }
}

/// What is true of a user from the start.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) name: &'static str,
    /// The dynamic groups that the user is in, besides `everybody`.
    pub(crate) dynamic_groups: &'static [&'static str],
    /// The classes whose collections the user manages by a policy.
    pub(crate) manages: &'static [Place],
    /// Whether the policy lets the user create forms, which are to be called something with `S`.
    pub(crate) creates_forms: bool,
}

/// The users. Only code points tell them apart.
pub(crate) const USERS: [User; 5] = [
    User {
        name: "ann",
        dynamic_groups: &["staff"],
        manages: &[],
        creates_forms: false,
    },
    User {
        name: "Ann",
        dynamic_groups: &["press", "staff"],
        manages: &[],
        creates_forms: true,
    },
    User {
        name: "\u{c4}nn",
        dynamic_groups: &[],
        manages: &[Place::Things],
        creates_forms: false,
    },
    User {
        name: "A\u{308}nn",
        dynamic_groups: &[],
        manages: &[Place::Groups],
        creates_forms: false,
    },
    User {
        name: "ann ",
        dynamic_groups: &["press"],
        manages: &Place::COLLECTIONS,
        creates_forms: false,
    },
];

/// What grants can be made on: the collection of a class, or an item of it.
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

    /// What can be granted here.
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

/// Who holds a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    User(&'static str),
    Group(Id),
    Dynamic(&'static str),
}

/// Who is in a group.
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
    /// The words of `allowedActionsWhenSubmitted`.
    pub(crate) allowed: Words,
    pub(crate) states: Vec<State>,
    /// In seconds, as the clock.
    pub(crate) starts: Option<i64>,
    pub(crate) ends: Option<i64>,
    pub(crate) cap: Option<usize>,
    /// Whether `a` is required.
    pub(crate) has_schema: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Submission {
    pub(crate) form: Id,
    /// `None` is the system.
    pub(crate) creator: Option<&'static str>,
    pub(crate) modifier: Option<&'static str>,
    pub(crate) state: State,
    pub(crate) data: Option<&'static str>,
}

/// Everything that there should be.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    /// In seconds from the start.
    pub(crate) now: i64,
    /// By name.
    pub(crate) groups: Table<&'static str>,
    pub(crate) memberships: Table<Membership>,
    pub(crate) forms: Table<Form>,
    pub(crate) submissions: Table<Submission>,
    pub(crate) resources: Table<Place>,
    pub(crate) grants: Table<Grant>,
}

impl Model {
    /// A world in which there is nothing but the collections.
    pub(crate) fn new() -> Self {
        let mut model = Self::default();
        for collection in Place::COLLECTIONS {
            model.resources.add(collection);
        }
        model
    }

    /// Everything that is or was.
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
