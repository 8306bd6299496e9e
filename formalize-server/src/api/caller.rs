//! The caller.

use std::collections::BTreeMap;

use formalize_core::{Caller, DynamicGroupId, GroupId, tokens::Secret};
use formalize_views::Id;
use poem_openapi::{Enum, Object, types::Any};
use serde::Serialize;
use serde_json::Value;

use super::{Item, page::Page};

/// The caller, as the service sees them.
#[derive(Debug, Serialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct Me {
    /// Identifier of the user.
    pub user_identifier: String,
    /// The attributes that policies and dynamic groups see.
    pub attributes: BTreeMap<String, Any<Value>>,
    /// The credentials of this request.
    pub credentials: CredentialsKind,
    /// The dynamic groups that the user is in, by name.
    pub dynamic_groups: Vec<String>,
    /// A page of the groups that the user is in, directly or through other groups.
    pub groups: Page<GroupOfCaller>,
}

/// How a user has signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "kebab-case")]
#[oai(rename_all = "kebab-case")]
pub enum CredentialsKind {
    /// With an API token of this service.
    ApiToken,
    /// With a token of an OpenID Connect issuer.
    OpenIdConnect,
}

/// A group that the caller is in.
#[derive(Debug, Serialize, Object)]
pub struct GroupOfCaller {
    /// Identifier of the group.
    pub identifier: Id,
}

impl From<GroupId> for GroupOfCaller {
    fn from(id: GroupId) -> Self {
        Self {
            identifier: id.into(),
        }
    }
}

impl CredentialsKind {
    /// The kind of a bearer token that was accepted.
    pub fn of(token: &str) -> Self {
        if token.starts_with(Secret::PREFIX) {
            Self::ApiToken
        } else {
            Self::OpenIdConnect
        }
    }
}

impl Me {
    /// A caller with these credentials, in these groups.
    pub fn new(
        caller: &Caller,
        credentials: CredentialsKind,
        dynamic_groups: &[DynamicGroupId],
        groups: Page<GroupOfCaller>,
    ) -> Self {
        let attributes = match caller {
            Caller::User(user) => user.attributes.clone(),
            Caller::Link(_) | Caller::System => BTreeMap::new(),
        };
        let attributes = attributes.into_iter();
        Self {
            user_identifier: caller.author().to_string(),
            attributes: attributes.map(|(name, value)| (name, Any(value))).collect(),
            credentials,
            dynamic_groups: dynamic_groups.iter().map(ToString::to_string).collect(),
            groups,
        }
    }
}

impl Item for Me {}
