//! Checks of permissions.

use formalize_core::{Field, User, UserId, authorization::PermissionCheck};
#[cfg(feature = "openapi")]
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde_json::{Map, Value};

#[cfg(feature = "openapi")]
use crate::schemas::{describe, object};
use crate::{
    BadValue, Members,
    request::{LIGHT, Nullable, member_values, request_body},
    value_types::{self as values, array},
};

/// The maximum number of checks in a request.
pub const MAX_CHECKS: usize = 1000;

/// The members that a check may have.
const RESOURCE_CLASS: &str = Field::ResourceClass.as_str();
const RESOURCE_IDENTIFIER: &str = Field::ResourceIdentifier.as_str();
const ACTION: &str = Field::Action.as_str();

/// The fields of a check.
const CHECK: [Field; 3] = [
    Field::ResourceClass,
    Field::ResourceIdentifier,
    Field::Action,
];

/// What a request asks.
#[derive(Debug)]
pub struct CheckRequest {
    /// The checks.
    pub checks: Vec<PermissionCheck>,
    /// The user whose permissions are checked; `None` means the caller.
    pub other: Option<User>,
}

/// The schema of a check.
#[cfg(feature = "openapi")]
pub(crate) fn schema(registry: &mut Registry) -> MetaSchema {
    let mut text = |field, about| describe::<Nullable<values::Text>>(field, about, registry);
    let members = [
        text(Field::ResourceClass, "Class of the resource."),
        text(
            Field::ResourceIdentifier,
            "Identifier of the item; null: the collection of the class.",
        ),
        text(Field::Action, "The action."),
    ];
    object(
        "A check. A member that it lacks is the one beside `checks`.",
        members,
    )
}

member_values! {
    /// Checks of permissions, which are read one by one.
    Checks: Json by array -> Vec<Value>, Field::Checks.must_be(), |registry| MetaSchemaRef::Inline(Box::new(MetaSchema {
        items: Some(Box::new(MetaSchemaRef::Inline(Box::new(schema(registry))))),
        min_items: Some(1),
        max_items: Some(MAX_CHECKS),
        ..MetaSchema::new("array")
    }));
}

request_body! {
    "Checks of permissions. Each has `resourceClass`, `resourceIdentifier` and `action`; a member beside `checks` counts for \
     every check that lacks it. Without `checks`, the members are the only check."
    NewChecks as "PermissionChecks" {
        checks: Nullable<Checks> = Checks,
            "The checks.";
        class: Nullable<values::Text> = ResourceClass,
            "Class of the resource.";
        item: Nullable<values::Text> = ResourceIdentifier,
            "Identifier of the item; absent or null: the collection of the class.";
        action: Nullable<values::Text> = Action,
            "The action.";
        user: Nullable<values::Text> = UserIdentifier,
            "The user whose permissions are checked; absent or null: the caller.";
        attributes: Nullable<values::Attributes> = Attributes,
            "The attributes of this user, which dynamic groups and policies read.";
    }
    light up to LIGHT;
    build(self, members) -> CheckRequest {
        let single = SingleCheck { class: self.class, item: self.item, action: self.action };
        let checks = match self.checks {
            Some(checks) => single.checks(checks, members),
            None if members.has_malformed(Field::Checks.as_str()) => None,
            None => single.check("", Map::new(), members).map(|check| vec![check]),
        };
        let other = other(self.user, self.attributes, members);
        Some(CheckRequest { checks: checks?, other })
    }
}

/// The user whose permissions are checked, if it is not the caller. Invalid values are recorded.
fn other(
    user: Option<String>,
    attributes: Option<Map<String, Value>>,
    members: &mut Members,
) -> Option<User> {
    let field = || Field::UserIdentifier.to_string();
    let Some(user) = user else {
        if attributes.is_some() {
            members.malformed_at(field(), "is required beside attributes");
        }
        return None;
    };
    let id = UserId::new(user).ok().filter(|id| !id.is_reserved());
    let Some(id) = id else {
        members.malformed_at(field(), "must be the identifier of a user");
        return None;
    };
    let attributes = attributes.unwrap_or_default().into_iter().collect();
    Some(User { id, attributes })
}

/// The members beside `checks`.
struct SingleCheck {
    class: Option<String>,
    item: Option<String>,
    action: Option<String>,
}

impl SingleCheck {
    /// The checks of a list. `None` only if an error was recorded.
    fn checks(&self, checks: Vec<Value>, members: &mut Members) -> Option<Vec<PermissionCheck>> {
        if checks.len() > MAX_CHECKS {
            members.refuse(BadValue::TooManyChecks);
            return None;
        }
        members.objects(Field::Checks, checks, |location, own, members| {
            self.check(location, own, members)
        })
    }

    /// A check with these members. `None` only if an error was recorded.
    fn check(
        &self,
        location: &str,
        mut own: Map<String, Value>,
        members: &mut Members,
    ) -> Option<PermissionCheck> {
        let mut take =
            |name: &str, common: &Option<String>, members: &mut Members| match own.remove(name) {
                None => Some(common.clone()),
                Some(Value::Null) => Some(None),
                Some(Value::String(text)) => Some(Some(text)),
                Some(_) => {
                    members.malformed_at(format!("{location}{name}"), "must be a string");
                    None
                }
            };
        let class = take(RESOURCE_CLASS, &self.class, members);
        let identifier = take(RESOURCE_IDENTIFIER, &self.item, members);
        let action = take(ACTION, &self.action, members);
        for unknown in own.keys() {
            members.unknown_at(location, unknown, &CHECK);
        }
        let mut required = |name: &str, text: Option<Option<String>>| {
            let text = text?;
            let at = format!("{location}{name}");
            if text.is_none() && !members.has_malformed(&at) && !members.has_malformed(name) {
                members.malformed_at(at, "is required");
            }
            text
        };
        let (class, action) = (required(RESOURCE_CLASS, class), required(ACTION, action));
        Some(PermissionCheck {
            class: class?,
            identifier: identifier?,
            action: action?,
        })
    }
}
