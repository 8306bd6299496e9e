//! The callers of the matrix: each has a single kind of permission.

use formalize_core::{Caller, DynamicGroupId, GroupName, Member, NewGroup, NewMembership};
use formalize_core::{Subject, UserId};
use serde_json::json;

use super::rows::{ByPolicy, Entitlement, Row};
use super::stage::{Spot, Stage};
use crate::support::App;

/// A caller.
#[derive(Debug, Clone, Copy)]
pub(super) enum Asker {
    Nobody,
    BadToken,
    RevokedToken,
    /// Sends the session of an administrator as a bearer token.
    Session,
    Stranger,
    Alice,
    Administrator,
    /// Manages everything by policy.
    Root,
    /// Holds one grant and has no other permissions.
    Holder(Entitlement, Way),
}

/// How a grant reaches its holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Direct,
    /// As a member of a group nested two levels below the group that holds the grant.
    Nested,
    /// As a member of a group that contains the group that holds the grant, so the grant does not reach the caller.
    FromAbove,
    Dynamic,
    Everybody,
}

impl Asker {
    /// The callers that try an operation: one with each single grant held directly, and one with a sufficient grant in
    /// every other way.
    pub(super) fn all(row: &Row) -> Vec<Self> {
        let mut all = vec![
            Self::Nobody,
            Self::BadToken,
            Self::RevokedToken,
            Self::Session,
            Self::Stranger,
            Self::Alice,
            Self::Administrator,
            Self::Root,
        ];
        for (spot, actions) in Spot::ALL {
            let direct = |action: &&'static str| Self::Holder((spot, action), Way::Direct);
            all.extend(actions.iter().map(direct));
        }
        if let Some(entitlement) = row.enough.first() {
            let ways = [Way::Nested, Way::FromAbove, Way::Dynamic, Way::Everybody];
            all.extend(ways.map(|way| Self::Holder(*entitlement, way)));
        }
        all
    }

    /// Whether the caller has valid credentials.
    pub(super) fn is_known(self) -> bool {
        !matches!(
            self,
            Self::Nobody | Self::BadToken | Self::RevokedToken | Self::Session
        )
    }

    /// Whether the grants suffice for a row.
    pub(super) fn is_entitled(self, row: &Row) -> bool {
        match self {
            Self::Nobody | Self::BadToken | Self::RevokedToken | Self::Session => false,
            _ if row.everybody => true,
            Self::Stranger | Self::Holder(_, Way::FromAbove) => false,
            Self::Alice => row.alice,
            Self::Administrator => row.by_policy == ByPolicy::Administrators,
            Self::Root => row.by_policy != ByPolicy::Nobody,
            Self::Holder(entitlement, _) => row.enough.contains(&entitlement),
        }
    }

    /// Whether the caller's permissions affect other callers, too.
    pub(super) fn uses_up_the_stage(self) -> bool {
        matches!(self, Self::Holder(_, Way::Dynamic | Way::Everybody))
    }

    /// Sets up the caller's permissions. Returns the token; `None` means no credentials.
    pub(super) async fn enter(self, app: &App, stage: &Stage, number: usize) -> Option<String> {
        let name = format!("asker-{number}");
        match self {
            Self::Nobody => None,
            Self::BadToken => Some(format!("fmz_{}", "A".repeat(43))),
            Self::RevokedToken => Some(revoked(app, &name).await),
            Self::Session => Some(app.session("admin").await),
            Self::Stranger => Some(app.token(&name, json!({}), None).await),
            Self::Alice => Some(app.token("alice", json!({}), None).await),
            Self::Administrator => Some(app.token("admin", json!({}), None).await),
            Self::Root => Some(app.token("root", json!({}), None).await),
            Self::Holder((spot, action), way) => {
                let subject = way.lead(app, &name).await;
                stage.grant(app, &subject, spot, action).await;
                let roles = if way == Way::Dynamic {
                    json!(["staff"])
                } else {
                    json!([])
                };
                Some(app.token(&name, json!({ "roles": roles }), None).await)
            }
        }
    }
}

async fn revoked(app: &App, name: &str) -> String {
    let tokens = app.formalize.tokens();
    let new = formalize_core::tokens::NewApiToken {
        user: UserId::new(name).unwrap(),
        attributes: formalize_core::Attributes::new(),
        date_expires: None,
    };
    let (token, secret) = tokens.create(&Caller::System, new).await.unwrap();
    tokens.revoke(&Caller::System, token.id).await.unwrap();
    secret.expose().to_owned()
}

impl Way {
    /// Returns the subject of the grants, and connects the user with it as described.
    async fn lead(self, app: &App, user: &str) -> Subject {
        let user = UserId::new(user).unwrap();
        match self {
            Self::Direct => Subject::User(user),
            Self::Dynamic => Subject::DynamicGroup(DynamicGroupId::new("staff").unwrap()),
            Self::Everybody => Subject::DynamicGroup(DynamicGroupId::EVERYBODY),
            Self::Nested => {
                let groups = [group(app).await, group(app).await, group(app).await];
                let [holding, middle, inner] = groups;
                join(app, holding, Member::ChildGroup(middle)).await;
                join(app, middle, Member::ChildGroup(inner)).await;
                join(app, inner, Member::User(user)).await;
                Subject::Group(holding)
            }
            Self::FromAbove => {
                let (above, holding) = (group(app).await, group(app).await);
                join(app, above, Member::ChildGroup(holding)).await;
                join(app, above, Member::User(user)).await;
                Subject::Group(holding)
            }
        }
    }
}

async fn group(app: &App) -> formalize_core::GroupId {
    let new = NewGroup {
        name: GroupName::new("Holding").unwrap(),
    };
    let made = app.formalize.groups().create(&Caller::System, new).await;
    made.unwrap().item.id
}

async fn join(app: &App, group: formalize_core::GroupId, member: Member) {
    let new = NewMembership { group, member };
    let memberships = app.formalize.memberships();
    memberships.create(&Caller::System, new).await.unwrap();
}
