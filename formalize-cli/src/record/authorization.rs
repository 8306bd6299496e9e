//! Groups, memberships, resources, grants and actions.

use std::collections::BTreeMap;

use formalize_core::{
    Action, Member, Subject, Viewed,
    authorization::{ClassActionsView, Labels},
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{field, names};
use crate::names::{Named, on};
use crate::output::{Column, Fit, Record};

/// A group.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Group {
    identifier: String,
    name: String,
    date_created: String,
    granted_actions: Vec<String>,
}

impl Record for Group {
    const FIELDS: &'static [&'static str] =
        &["identifier", "name", "dateCreated", "grantedActions"];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("name", "name", Fit::CutEnd),
        Column::new("created", "dateCreated", Fit::Date),
        Column::new("actions", "grantedActions", Fit::CutEnd),
    ];
}

impl From<Viewed<formalize_core::Group>> for Group {
    fn from(view: Viewed<formalize_core::Group>) -> Self {
        let group = view.item;
        Self {
            identifier: group.id.to_string(),
            name: group.name.as_str().to_owned(),
            date_created: group.date_created.to_string(),
            granted_actions: names(&view.granted_actions),
        }
    }
}

/// A member of a group.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Membership {
    identifier: String,
    group_identifier: String,
    user_identifier: Option<String>,
    child_group_identifier: Option<String>,
    date_created: String,
    /// The name of the child group, if the caller may read it.
    #[serde(skip)]
    name: Option<String>,
}

impl Record for Membership {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "groupIdentifier",
        "userIdentifier",
        "childGroupIdentifier",
        "dateCreated",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("member", "member", Fit::Whole),
        Column::new("added", "dateCreated", Fit::Date),
    ];

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        match (
            &*column.field,
            &self.user_identifier,
            &self.child_group_identifier,
        ) {
            ("member", Some(user), _) => format!("user:{user}"),
            ("member", _, Some(group)) => {
                format!("group:{}", self.name.as_ref().unwrap_or(group))
            }
            _ => field(column, fields),
        }
    }
}

impl From<formalize_core::Membership> for Membership {
    fn from(membership: formalize_core::Membership) -> Self {
        let (user, child) = match membership.member {
            Member::User(user) => (Some(user.to_string()), None),
            Member::ChildGroup(group) => (None, Some(group.to_string())),
        };
        Self {
            identifier: membership.id.to_string(),
            group_identifier: membership.group.to_string(),
            user_identifier: user,
            child_group_identifier: child,
            date_created: membership.date_created.to_string(),
            name: None,
        }
    }
}

impl From<Named<formalize_core::Membership>> for Membership {
    fn from(named: Named<formalize_core::Membership>) -> Self {
        Self {
            name: named.holder,
            ..named.item.into()
        }
    }
}

/// A resource.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_field_names,
    reason = "the names are those of the REST interface"
)]
pub(crate) struct Resource {
    identifier: String,
    resource_class: String,
    resource_identifier: Option<String>,
    granted_actions: Vec<String>,
    /// The name of the form or group, if it is one that the caller may read.
    #[serde(skip)]
    name: Option<String>,
}

impl Record for Resource {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "resourceClass",
        "resourceIdentifier",
        "grantedActions",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("resource", "resource", Fit::Key),
        Column::new("name", "name", Fit::CutEnd),
        Column::new("actions", "grantedActions", Fit::CutEnd),
    ];
    const MORE_COLUMNS: &'static [Column] = &[Column::new("identifier", "identifier", Fit::Key)];

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        match (&*column.field, &self.resource_identifier) {
            ("resource", None) => self.resource_class.clone(),
            ("resource", Some(item)) => format!("{}/{item}", self.resource_class),
            ("name", _) => self.name.clone().unwrap_or_default(),
            _ => field(column, fields),
        }
    }
}

impl From<Named<Viewed<formalize_core::Resource>>> for Resource {
    fn from(named: Named<Viewed<formalize_core::Resource>>) -> Self {
        Self {
            name: named.resource,
            ..named.item.into()
        }
    }
}

impl From<Viewed<formalize_core::Resource>> for Resource {
    fn from(view: Viewed<formalize_core::Resource>) -> Self {
        let named = view.item.resource;
        Self {
            identifier: view.item.id.to_string(),
            resource_class: named.class.to_string(),
            resource_identifier: named.identifier.map(|identifier| identifier.to_string()),
            granted_actions: names(&view.granted_actions),
            name: None,
        }
    }
}

/// A grant.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Grant {
    identifier: String,
    action: String,
    resource_class: String,
    resource_identifier: Option<String>,
    authorization_resource_identifier: String,
    user_identifier: Option<String>,
    group_identifier: Option<String>,
    dynamic_group_identifier: Option<String>,
    date_created: String,
    granted_actions: Vec<String>,
    /// The name of the group that holds it, if the caller may read the group.
    #[serde(skip)]
    holder: Option<String>,
    /// What it is on, in words.
    #[serde(skip)]
    on: String,
}

impl Record for Grant {
    const FIELDS: &'static [&'static str] = &[
        "identifier",
        "action",
        "resourceClass",
        "resourceIdentifier",
        "authorizationResourceIdentifier",
        "userIdentifier",
        "groupIdentifier",
        "dynamicGroupIdentifier",
        "dateCreated",
        "grantedActions",
    ];
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("action", "action", Fit::Whole),
        Column::new("holder", "holder", Fit::CutStart),
        Column::new("on", "on", Fit::CutEnd),
    ];
    const MORE_COLUMNS: &'static [Column] = &[
        Column::new("created", "dateCreated", Fit::Date),
        Column::new("class", "resourceClass", Fit::Whole),
        Column::new("item", "resourceIdentifier", Fit::Key),
    ];

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        match &*column.field {
            "on" => self.on.clone(),
            "holder" => self.holder(),
            _ => field(column, fields),
        }
    }
}

impl Grant {
    fn holder(&self) -> String {
        let group = self.holder.as_ref().or(self.group_identifier.as_ref());
        let holders = [
            ("user", self.user_identifier.as_ref()),
            ("group", group),
            ("dynamic-group", self.dynamic_group_identifier.as_ref()),
        ];
        let mut named = holders
            .into_iter()
            .filter_map(|(kind, name)| Some(format!("{kind}:{}", name?)));
        named.next().unwrap_or_default()
    }
}

impl From<Named<Viewed<formalize_core::Grant>>> for Grant {
    fn from(named: Named<Viewed<formalize_core::Grant>>) -> Self {
        let on = on(
            &named.item.item.resource.resource,
            named.resource.as_deref(),
        );
        Self {
            holder: named.holder,
            on,
            ..named.item.into()
        }
    }
}

impl From<Viewed<formalize_core::Grant>> for Grant {
    fn from(view: Viewed<formalize_core::Grant>) -> Self {
        let grant = view.item;
        let (user, group, dynamic_group) = match grant.subject {
            Subject::User(user) => (Some(user.to_string()), None, None),
            Subject::Group(group) => (None, Some(group.to_string()), None),
            Subject::DynamicGroup(group) => (None, None, Some(group.to_string())),
        };
        let named = grant.resource.resource;
        Self {
            holder: None,
            on: on(&named, None),
            identifier: grant.id.to_string(),
            action: grant.action.to_string(),
            resource_class: named.class.to_string(),
            resource_identifier: named.identifier.map(|identifier| identifier.to_string()),
            authorization_resource_identifier: grant.resource.id.to_string(),
            user_identifier: user,
            group_identifier: group,
            dynamic_group_identifier: dynamic_group,
            date_created: grant.date_created.to_string(),
            granted_actions: names(&view.granted_actions),
        }
    }
}

/// A class of resources with its actions, each with its labels by language.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_field_names,
    reason = "the names are those of the REST interface"
)]
pub(crate) struct ResourceClass {
    resource_class: String,
    item_actions: BTreeMap<String, Labels>,
    collection_actions: BTreeMap<String, Labels>,
}

impl Record for ResourceClass {
    const FIELDS: &'static [&'static str] = &["resourceClass", "itemActions", "collectionActions"];
    const COLUMNS: &'static [Column] = &[
        Column::new("class", "resourceClass", Fit::Whole),
        Column::new("on items", "itemActions", Fit::Wrap),
        Column::new("on the collection", "collectionActions", Fit::Wrap),
    ];

    /// The actions without their labels.
    fn cell(value: &Value) -> String {
        match value {
            Value::Object(actions) => {
                let names: Vec<&str> = actions.keys().map(String::as_str).collect();
                names.join(",")
            }
            other => other.as_str().unwrap_or_default().to_owned(),
        }
    }
}

impl From<ClassActionsView> for ResourceClass {
    fn from(view: ClassActionsView) -> Self {
        let named = |actions: BTreeMap<Action, Labels>| {
            let named = actions
                .into_iter()
                .map(|(action, labels)| (action.to_string(), labels));
            named.collect()
        };
        Self {
            resource_class: view.class.to_string(),
            item_actions: named(view.actions.item_actions),
            collection_actions: named(view.actions.collection_actions),
        }
    }
}
