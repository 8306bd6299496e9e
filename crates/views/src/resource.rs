//! Resources, and what can be done to them.

use std::collections::BTreeMap;

use formalize_core::{
    self as core, Action, Actions, DynamicGroupId, Viewed,
    authorization::{ClassActionsView, Labels},
};

use crate::{Id, OrNull, names, view::view};

view! {
    /// A resource that grants are on: an item of a class, or the collection of a class.
    struct Resource {
        /// Identifier of the record of the resource.
        identifier: Id,
        /// Name of the class.
        resource_class: String,
        /// Identifier of the item; null: the collection of the class.
        resource_identifier: OrNull<String>,
        /// The caller's actions on it.
        granted_actions: Vec<String>,
    }
}

impl From<Viewed<core::Resource>> for Resource {
    fn from(view: Viewed<core::Resource>) -> Self {
        let resource = view.item.resource;
        Self {
            identifier: view.item.id.into(),
            resource_class: resource.class.to_string(),
            resource_identifier: resource
                .identifier
                .map(|identifier| identifier.to_string())
                .into(),
            granted_actions: names(&view.granted_actions),
        }
    }
}

/// Display names by language.
type LabelsByAction = BTreeMap<String, BTreeMap<String, String>>;

view! {
    /// The actions of a class, with display names by language.
    struct AvailableResourceClassActions {
        /// Name of the class.
        resource_class: String,
        /// Actions on an item.
        item_actions: LabelsByAction,
        /// Actions on the collection.
        collection_actions: LabelsByAction,
    }
}

impl From<ClassActionsView> for AvailableResourceClassActions {
    fn from(view: ClassActionsView) -> Self {
        let labelled = |actions: BTreeMap<Action, Labels>| {
            actions
                .into_iter()
                .map(|(action, labels)| (action.to_string(), labels))
                .collect()
        };
        Self {
            resource_class: view.class.to_string(),
            item_actions: labelled(view.actions.item_actions),
            collection_actions: labelled(view.actions.collection_actions),
        }
    }
}

view! {
    /// A group whose members are the callers for whom its expression in the configuration is true.
    struct DynamicGroup {
        /// Identifier of the dynamic group.
        identifier: String,
    }
}

impl From<DynamicGroupId> for DynamicGroup {
    fn from(id: DynamicGroupId) -> Self {
        Self {
            identifier: id.to_string(),
        }
    }
}

view! {
    /// The caller's actions on a resource.
    struct GrantedActions {
        /// Class of the resource.
        resource_class: String,
        /// Identifier of the item; null: the collection of the class.
        resource_identifier: OrNull<String>,
        /// The actions; empty for an unknown resource.
        actions: Vec<String>,
    }
}

impl GrantedActions {
    /// Creates the actions on the resource that a request identifies.
    pub fn new(class: String, identifier: Option<String>, actions: &Actions) -> Self {
        Self {
            resource_class: class,
            resource_identifier: identifier.into(),
            actions: names(actions),
        }
    }
}
