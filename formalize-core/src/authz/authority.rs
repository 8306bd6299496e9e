//! Sources of permissions other than grants: the conditions in the configuration. Also the catalogue of actions.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::authz::condition::{Condition, Facts};
use crate::authz::policy::Policy;
use crate::model::action::ActionCatalog;
use crate::model::resource::ResourceClass;
use crate::model::subject::{Caller, DynamicGroupId, User, UserId};

/// Permissions that users have without a grant, by conditions on their identifier and attributes. A policy without a
/// condition applies to no one, unless its field says otherwise.
///
/// ```
/// use formalize_core::authorization::{Condition, Policies};
///
/// let policies = Policies {
///     administrators: Some(Condition::compile(r#""admin" in user.attributes.roles"#)?),
///     create_forms: Some(Condition::compile(r#""staff" in user.attributes.roles"#)?),
///     ..Policies::default()
/// };
/// assert_eq!(policies.by_setting().filter(|(_, condition)| condition.is_some()).count(), 4);
/// # Ok::<(), formalize_core::condition::ConditionError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Policies {
    /// Who manages the collections of all classes.
    pub administrators: Option<Condition>,
    /// Who manages the collection of groups.
    pub create_groups: Option<Condition>,
    /// Who may create forms; this condition can also read `form.name`.
    pub create_forms: Option<Condition>,
    /// Who may create API tokens for themselves. As long as this is not set, administrators may.
    pub create_tokens: Option<Condition>,
    /// Who may check what other users may do.
    pub check_others: Option<Condition>,
    /// Who may search for people in a directory. As long as this is not set, every user may.
    pub search_people: Option<Condition>,
    /// Who may read the local data of other people in a directory.
    pub read_local_data: Option<Condition>,
    /// Who manages every item and every collection of all classes, except submissions: they manage every form, but other
    /// users' drafts stay private. As long as `administrators` is not set, the user of the first start does, too.
    pub manage_everything: Option<Condition>,
    /// Who manages the collection of a class.
    pub manage_collection: BTreeMap<ResourceClass, Condition>,
}

impl Policies {
    /// Who may create API tokens for themselves, if a policy says so.
    fn token_creators(&self) -> Option<&Condition> {
        self.create_tokens.as_ref().or(self.administrators.as_ref())
    }

    /// Who may search for people.
    fn people_searchers(&self) -> &Condition {
        static EVERYBODY: LazyLock<Condition> = LazyLock::new(Condition::always);
        self.search_people.as_ref().unwrap_or(&EVERYBODY)
    }

    /// Every policy with the name of its setting and its condition, if one is set; that of `create_tokens` is by default
    /// the one of `administrators`, and that of `search_people` is `true`.
    pub fn by_setting(&self) -> impl Iterator<Item = (String, Option<&Condition>)> {
        let single = [
            ("administrators", self.administrators.as_ref()),
            ("policies.create_groups", self.create_groups.as_ref()),
            ("policies.create_forms", self.create_forms.as_ref()),
            ("policies.create_tokens", self.token_creators()),
            ("policies.check_others", self.check_others.as_ref()),
            ("policies.search_people", Some(self.people_searchers())),
            ("policies.read_local_data", self.read_local_data.as_ref()),
            (
                "policies.manage_everything",
                self.manage_everything.as_ref(),
            ),
        ];
        let single = single
            .into_iter()
            .map(|(setting, condition)| (setting.to_owned(), condition));
        let of_classes = self.manage_collection.iter().map(|(class, condition)| {
            let setting = format!("policies.manage_collection.{class}");
            (setting, Some(condition))
        });
        single.chain(of_classes)
    }
}

/// The part of the authorization data that does not change while the service runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Authority {
    pub(crate) policy: Policy,
    pub(crate) catalog: ActionCatalog,
    pub(crate) policies: Policies,
    pub(crate) dynamic_groups: BTreeMap<DynamicGroupId, Condition>,
    /// The administrator created on first start, who also manages everything; `None` if a policy defines administrators,
    /// or if it is ignored.
    pub(crate) first_administrator: Option<UserId>,
}

impl Authority {
    /// Whether a dynamic group is defined; `everybody` always is.
    pub(crate) fn defines_dynamic_group(&self, group: &DynamicGroupId) -> bool {
        *group == DynamicGroupId::EVERYBODY || self.dynamic_groups.contains_key(group)
    }

    /// All dynamic groups, sorted by name.
    pub(crate) fn dynamic_groups(&self) -> Vec<DynamicGroupId> {
        let mut groups: Vec<_> = self
            .dynamic_groups
            .keys()
            .cloned()
            .chain([DynamicGroupId::EVERYBODY])
            .collect();
        groups.sort();
        groups.dedup();
        groups
    }

    /// The dynamic groups of a user.
    pub(crate) fn dynamic_groups_of(&self, user: &User) -> Vec<DynamicGroupId> {
        let holding = self
            .dynamic_groups
            .iter()
            .filter(|(_, condition)| condition.holds(&facts(user, None)));
        holding
            .map(|(group, _)| group.clone())
            .chain([DynamicGroupId::EVERYBODY])
            .collect()
    }

    /// Whether a caller manages the collection of a class by policy.
    pub(crate) fn manages_collection(&self, caller: &Caller, class: &ResourceClass) -> bool {
        let user = match caller {
            Caller::System => return true,
            Caller::Link(_) => return false,
            Caller::User(user) => user,
        };
        let policies = &self.policies;
        let creates_groups = policies
            .create_groups
            .as_ref()
            .filter(|_| *class == ResourceClass::GROUP);
        // A class removed from the configuration may have leftovers in the store; these are not collections.
        self.catalog.find(class).is_some()
            && (self.is_administrator(user)
                || holds(policies.manage_collection.get(class), user)
                || holds(creates_groups, user))
    }

    /// Whether the policy permits a caller to create a form with this name. The name of a form that has none yet is empty.
    pub(crate) fn may_create_form(&self, caller: &Caller, name: &str) -> bool {
        let user = match caller {
            Caller::System => return true,
            Caller::Link(_) => return false,
            Caller::User(user) => user,
        };
        let policy = self.policies.create_forms.as_ref();
        policy.is_some_and(|condition| condition.holds(&facts(user, Some(name))))
    }

    /// Whether the policy permits a user to create API tokens for itself.
    pub(crate) fn may_create_token(&self, user: &User) -> bool {
        match &self.policies.create_tokens {
            Some(condition) => condition.holds(&facts(user, None)),
            None => self.is_administrator(user),
        }
    }

    /// Whether the policy permits a user to check what others may do.
    pub(crate) fn may_check_others(&self, user: &User) -> bool {
        holds(self.policies.check_others.as_ref(), user)
    }

    /// Whether the policy permits a user to search for people.
    pub(crate) fn may_search_people(&self, user: &User) -> bool {
        holds(Some(self.policies.people_searchers()), user)
    }

    /// Whether the policy permits a user to read the local data of others.
    pub(crate) fn may_read_local_data(&self, user: &User) -> bool {
        holds(self.policies.read_local_data.as_ref(), user)
    }

    /// The classes whose collections a caller manages by policy.
    pub(crate) fn managed_collections(&self, caller: &Caller) -> Vec<ResourceClass> {
        self.catalog
            .iter()
            .map(|(class, _)| class)
            .filter(|class| self.manages_collection(caller, class))
            .cloned()
            .collect()
    }

    /// Whether a user manages everything by policy; [`is_managed_by_policy`](crate::authz::ways::is_managed_by_policy) says
    /// what that is.
    pub(crate) fn manages_everything(&self, user: &User) -> bool {
        self.first_administrator.as_ref() == Some(&user.id)
            || holds(self.policies.manage_everything.as_ref(), user)
    }

    fn is_administrator(&self, user: &User) -> bool {
        match &self.policies.administrators {
            Some(condition) => condition.holds(&facts(user, None)),
            None => self.first_administrator.as_ref() == Some(&user.id),
        }
    }
}

fn holds(condition: Option<&Condition>, user: &User) -> bool {
    condition.is_some_and(|condition| condition.holds(&facts(user, None)))
}

fn facts<'a>(user: &'a User, form_name: Option<&'a str>) -> Facts<'a> {
    Facts {
        user_id: user.id.as_str(),
        attributes: &user.attributes,
        form_name,
    }
}
