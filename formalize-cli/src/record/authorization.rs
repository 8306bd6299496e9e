//! Groups, memberships, resources, grants and actions.

use formalize_core::Viewed;
use formalize_views::{
    Id, View,
    grant::ResourceActionGrant,
    group::Group,
    member::GroupMember,
    resource::{self, AvailableResourceClassActions},
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::field;
use crate::names::{Named, on};
use crate::output::{Column, Fit, Record};

impl Record for Group {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("name", "name", Fit::CutEnd),
        Column::new("created", "dateCreated", Fit::Date),
        Column::new("actions", "grantedActions", Fit::CutEnd),
    ];
    const FIELDS: &'static [&'static str] = Self::DECLARED;
}

/// A member of a group, with the name that tables show.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Membership {
    view: GroupMember,
    /// The name of the child group, if the caller may read it.
    #[serde(skip)]
    name: Option<String>,
}

impl Record for Membership {
    const COLUMNS: &'static [Column] = &[
        Column::new("identifier", "identifier", Fit::Key),
        Column::new("member", "member", Fit::Whole),
        Column::new("added", "dateCreated", Fit::Date),
    ];
    const FIELDS: &'static [&'static str] = GroupMember::DECLARED;

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        match (
            &*column.field,
            &self.view.user_identifier.0,
            &self.view.child_group_identifier.0,
        ) {
            ("member", Some(user), _) => format!("user:{user}"),
            ("member", _, Some(group)) => {
                format!("group:{}", self.name.as_deref().unwrap_or(group.as_str()))
            }
            _ => field(column, fields),
        }
    }
}

impl From<Named<formalize_core::Membership>> for Membership {
    fn from(named: Named<formalize_core::Membership>) -> Self {
        Self {
            view: named.item.into(),
            name: named.holder,
        }
    }
}

/// A resource, with the name that tables show.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Resource {
    view: resource::Resource,
    /// The name of the form or group, if it is one that the caller may read.
    #[serde(skip)]
    name: Option<String>,
}

impl Record for Resource {
    const COLUMNS: &'static [Column] = &[
        Column::new("resource", "resource", Fit::Key),
        Column::new("name", "name", Fit::CutEnd),
        Column::new("actions", "grantedActions", Fit::CutEnd),
    ];
    const MORE_COLUMNS: &'static [Column] = &[Column::new("identifier", "identifier", Fit::Key)];
    const FIELDS: &'static [&'static str] = resource::Resource::DECLARED;

    fn shown(&self, column: &Column, fields: &Map<String, Value>) -> String {
        match (&*column.field, &self.view.resource_identifier.0) {
            ("resource", None) => self.view.resource_class.clone(),
            ("resource", Some(item)) => format!("{}/{item}", self.view.resource_class),
            ("name", _) => self.name.clone().unwrap_or_default(),
            _ => field(column, fields),
        }
    }
}

impl From<Named<Viewed<formalize_core::Resource>>> for Resource {
    fn from(named: Named<Viewed<formalize_core::Resource>>) -> Self {
        Self {
            view: named.item.into(),
            name: named.resource,
        }
    }
}

/// A grant, with the names that tables show.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Grant {
    view: ResourceActionGrant,
    /// The name of the group that holds it, if the caller may read the group.
    #[serde(skip)]
    holder: Option<String>,
    /// What it is on, in words.
    #[serde(skip)]
    on: String,
}

impl Record for Grant {
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
    const FIELDS: &'static [&'static str] = ResourceActionGrant::DECLARED;

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
        let grant = &self.view;
        let group = grant.group_identifier.0.as_ref().map(Id::as_str);
        let holders = [
            ("user", grant.user_identifier.0.as_deref()),
            ("group", self.holder.as_deref().or(group)),
            ("dynamic-group", grant.dynamic_group_identifier.0.as_deref()),
        ];
        let mut named = holders
            .into_iter()
            .filter_map(|(kind, name)| Some(format!("{kind}:{}", name?)));
        named.next().unwrap_or_default()
    }
}

impl From<Named<Viewed<formalize_core::Grant>>> for Grant {
    fn from(named: Named<Viewed<formalize_core::Grant>>) -> Self {
        let resource = &named.item.item.resource.resource;
        Self {
            on: on(resource, named.resource.as_deref()),
            holder: named.holder,
            view: named.item.into(),
        }
    }
}

impl Record for AvailableResourceClassActions {
    const COLUMNS: &'static [Column] = &[
        Column::new("class", "resourceClass", Fit::Whole),
        Column::new("on items", "itemActions", Fit::Wrap),
        Column::new("on the collection", "collectionActions", Fit::Wrap),
    ];
    const FIELDS: &'static [&'static str] = Self::DECLARED;

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
