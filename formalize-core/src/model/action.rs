//! Actions, and the catalogue of the classes that define them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::resource::ResourceClass;
use crate::model::text::opaque_texts;

opaque_texts! {
    /// An action on a resource.
    Action;
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $en:literal, $de:literal;)+) => {
        impl Action {
            $($(#[$doc])* pub const $name: Self = Self(Cow::Borrowed($text));)+
        }

        /// The actions above with their labels in English and German.
        const LABELLED: &[(Action, &str, &str)] = &[$((Action::$name, $en, $de),)+];
    };
}

actions! {
    /// Implies every action on a resource and allows to create, read and delete grants on it. Defined for the items and
    /// the collection of every class.
    MANAGE = "manage", "Manage", "Verwalten";
    /// Read the item.
    READ = "read", "Read", "Lesen";
    /// Update the item.
    UPDATE = "update", "Update", "Ändern";
    /// Delete the item.
    DELETE = "delete", "Delete", "Löschen";
    /// Create an item of the class.
    CREATE = "create", "Create", "Erstellen";
    /// Add members to a group.
    ADD_MEMBERS = "add_members", "Add members", "Mitglieder hinzufügen";
    /// Remove members from a group.
    DELETE_MEMBERS = "delete_members", "Remove members", "Mitglieder entfernen";
    /// Submit to a form.
    CREATE_SUBMISSIONS = "create_submissions", "Create submissions", "Einreichungen erstellen";
    /// Read all submissions to a form that are not drafts.
    READ_SUBMISSIONS = "read_submissions", "Read submissions", "Einreichungen lesen";
    /// Update all submissions to a form that are not drafts.
    UPDATE_SUBMISSIONS = "update_submissions", "Update submissions", "Einreichungen ändern";
    /// Delete all submissions to a form that are not drafts.
    DELETE_SUBMISSIONS = "delete_submissions", "Delete submissions", "Einreichungen löschen";
}

impl Action {
    /// Whether this action implies `other`: [`Action::MANAGE`] implies every action.
    pub(crate) fn implies(&self, other: &Self) -> bool {
        self == other || *self == Self::MANAGE
    }

    /// The actions that [imply](Self::implies) this one, any of which is enough.
    pub(crate) fn implied_by(&self) -> Vec<Self> {
        let manage = (*self != Self::MANAGE).then_some(Self::MANAGE);
        [self.clone()].into_iter().chain(manage).collect()
    }
}

/// The effective actions of a caller on one resource.
///
/// `manage` implies all other actions; a set with `manage` contains nothing else.
///
/// ```
/// use formalize_core::{Action, Actions};
///
/// let actions: Actions = [Action::READ, Action::MANAGE].into_iter().collect();
/// assert!(actions.allows(&Action::UPDATE));
/// assert_eq!(actions.iter().collect::<Vec<_>>(), [&Action::MANAGE]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Actions(BTreeSet<Action>);

impl Actions {
    /// All actions: `manage`.
    ///
    /// ```
    /// use formalize_core::{Action, Actions};
    ///
    /// assert!(Actions::manage().allows(&Action::DELETE));
    /// ```
    pub fn manage() -> Self {
        Self([Action::MANAGE].into())
    }

    /// Whether the action is allowed.
    ///
    /// ```
    /// use formalize_core::{Action, Actions};
    ///
    /// let actions: Actions = [Action::READ].into_iter().collect();
    /// assert!(actions.allows(&Action::READ));
    /// assert!(!actions.allows(&Action::UPDATE));
    /// ```
    pub fn allows(&self, action: &Action) -> bool {
        self.0.iter().any(|held| held.implies(action))
    }

    /// Whether no action is allowed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The actions in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Action> {
        self.0.iter()
    }
}

impl FromIterator<Action> for Actions {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> Self {
        let actions: BTreeSet<Action> = actions.into_iter().collect();
        if actions.contains(&Action::MANAGE) {
            Self::manage()
        } else {
            Self(actions)
        }
    }
}

/// The labels of an action by language (`en`, `de`).
pub type Labels = BTreeMap<String, String>;

/// The actions of one class.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use formalize_core::{Action, authorization::{ClassActions, Labels}};
///
/// let publish = Labels::from([("en".to_owned(), "Publish".to_owned())]);
/// let actions = ClassActions {
///     item_actions: BTreeMap::from([(Action::new("publish")?, publish)]),
///     collection_actions: BTreeMap::new(),
/// };
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassActions {
    /// The actions on an item, with their labels.
    pub item_actions: BTreeMap<Action, Labels>,
    /// The actions on the collection, with their labels.
    pub collection_actions: BTreeMap<Action, Labels>,
}

impl ClassActions {
    fn with_manage(mut self) -> Self {
        for actions in [&mut self.item_actions, &mut self.collection_actions] {
            actions.extend(labelled(&[Action::MANAGE]));
        }
        self
    }
}

/// All classes with their actions: the built-in ones and those of the application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionCatalog(BTreeMap<ResourceClass, ClassActions>);

/// An application tried to define a built-in class.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the class `{0}` is built in and cannot be redefined")]
pub struct ReservedClass(pub ResourceClass);

impl Default for ActionCatalog {
    fn default() -> Self {
        Self(
            built_in()
                .map(|(class, actions)| (class, actions.with_manage()))
                .into(),
        )
    }
}

impl ActionCatalog {
    /// Adds a class, or replaces it. `manage` is added to its actions.
    ///
    /// # Errors
    ///
    /// [`ReservedClass`] for a built-in class.
    ///
    /// ```
    /// use formalize_core::{ResourceClass, authorization::{ActionCatalog, ClassActions}};
    ///
    /// let catalog = ActionCatalog::default();
    /// let catalog = catalog.with_class(ResourceClass::new("Document")?, ClassActions::default())?;
    /// assert!(catalog.with_class(ResourceClass::FORM, ClassActions::default()).is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn with_class(
        mut self,
        class: ResourceClass,
        actions: ClassActions,
    ) -> Result<Self, ReservedClass> {
        ensure!(!class.is_built_in(), ReservedClass(class));
        self.0.insert(class, actions.with_manage());
        Ok(self)
    }

    /// The actions of a class, or `None` for an unknown class.
    ///
    /// ```
    /// use formalize_core::{Action, ResourceClass, authorization::ActionCatalog};
    ///
    /// let catalog = ActionCatalog::default();
    /// let forms = catalog.find(&ResourceClass::FORM);
    /// assert!(forms.is_some_and(|actions| actions.item_actions.contains_key(&Action::READ)));
    /// ```
    pub fn find(&self, class: &ResourceClass) -> Option<&ClassActions> {
        self.0.get(class)
    }

    /// All classes in order of their names.
    ///
    /// ```
    /// use formalize_core::{ResourceClass, authorization::ActionCatalog};
    ///
    /// let catalog = ActionCatalog::default();
    /// let classes: Vec<_> = catalog.iter().map(|(class, _)| class.clone()).collect();
    /// assert_eq!(classes.len(), ResourceClass::BUILT_IN.len());
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&ResourceClass, &ClassActions)> {
        self.0.iter()
    }

    /// Whether the class defines the action, for its items (`on_item`) or for its collection.
    ///
    /// ```
    /// use formalize_core::{Action, ResourceClass, authorization::ActionCatalog};
    ///
    /// let catalog = ActionCatalog::default();
    /// assert!(catalog.defines(&ResourceClass::FORM, true, &Action::READ));
    /// assert!(!catalog.defines(&ResourceClass::FORM, false, &Action::READ));
    /// ```
    pub fn defines(&self, class: &ResourceClass, on_item: bool, action: &Action) -> bool {
        self.0.get(class).is_some_and(|actions| {
            let defined = if on_item {
                &actions.item_actions
            } else {
                &actions.collection_actions
            };
            defined.contains_key(action)
        })
    }
}

/// Some of the actions above, with their labels.
fn labelled(actions: &[Action]) -> BTreeMap<Action, Labels> {
    let wanted = LABELLED
        .iter()
        .filter(|(action, ..)| actions.contains(action));
    let labelled = wanted.map(|(action, en, de)| {
        let labels = [("en", en), ("de", de)];
        let labels = labels.map(|(language, label)| (language.to_owned(), (*label).to_owned()));
        (action.clone(), labels.into())
    });
    labelled.collect()
}

/// The built-in classes, as in the table of section 3 of the interface.
fn built_in() -> [(ResourceClass, ClassActions); 4] {
    const READ: Action = Action::READ;
    const UPDATE: Action = Action::UPDATE;
    const DELETE: Action = Action::DELETE;
    let on_groups = [
        READ,
        UPDATE,
        DELETE,
        Action::ADD_MEMBERS,
        Action::DELETE_MEMBERS,
    ];
    let on_forms = [
        [READ, UPDATE, DELETE, Action::CREATE_SUBMISSIONS].as_slice(),
        &[
            Action::READ_SUBMISSIONS,
            Action::UPDATE_SUBMISSIONS,
            Action::DELETE_SUBMISSIONS,
        ],
    ];
    let on_collections = [Action::CREATE_SUBMISSIONS, READ, UPDATE, DELETE];
    let class = |class, item: &[Action], collection: &[Action]| {
        let actions = ClassActions {
            item_actions: labelled(item),
            collection_actions: labelled(collection),
        };
        (class, actions)
    };
    [
        class(ResourceClass::GROUP, &on_groups, &[Action::CREATE]),
        class(ResourceClass::FORM, &on_forms.concat(), &[Action::CREATE]),
        class(ResourceClass::SUBMISSION_COLLECTION, &on_collections, &[]),
        class(ResourceClass::SUBMISSION, &[READ, UPDATE, DELETE], &[]),
    ]
}
