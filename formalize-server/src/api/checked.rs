//! The answers to checks of permissions.

use formalize_core::{Field, authorization::Permission};
use formalize_http::contract::{Area, ErrorKey};
use poem_openapi::Object;
use serde::Serialize;

/// The answers to checks.
#[derive(Debug, Serialize, Object)]
pub struct CheckedPermissions {
    /// The answers, in the order of the checks.
    results: Vec<CheckedPermission>,
}

/// The answer to a check.
#[derive(Debug, Serialize, Object)]
pub struct CheckedPermission {
    /// Whether the action is permitted.
    allowed: bool,
    /// Why the action can never be permitted; absent if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    error: Option<CheckError>,
}

/// Why an action can never be permitted.
#[derive(Debug, Serialize, Object)]
pub struct CheckError {
    /// Identifier of the error.
    #[serde(rename = "relay:errorId")]
    #[oai(rename = "relay:errorId")]
    id: String,
    /// The invalid member of the check, if any.
    #[serde(rename = "relay:errorDetails")]
    #[oai(rename = "relay:errorDetails")]
    details: Vec<String>,
}

impl From<Vec<Permission>> for CheckedPermissions {
    fn from(permissions: Vec<Permission>) -> Self {
        let results = permissions.into_iter().map(|permission| {
            let error = match permission {
                Permission::Granted | Permission::Denied => None,
                Permission::ClassUnknown => {
                    Some((ErrorKey::ResourceClassNotFound, Field::ResourceClass))
                }
                Permission::ActionUndefined => {
                    Some((ErrorKey::GrantActionUndefined, Field::Action))
                }
            };
            CheckedPermission {
                allowed: permission == Permission::Granted,
                error: error.map(|(key, member)| CheckError {
                    id: key.row().id(Area::Authorization),
                    details: vec![member.to_string()],
                }),
            }
        });
        Self {
            results: results.collect(),
        }
    }
}
