//! `formalize members`.

use formalize_core::{GroupId, MembershipId, NewMembership, UserId};

use crate::args;
use crate::grammar::GroupArg;
use crate::names::Named;
use crate::naming::Reference;
use crate::record::Membership;
use crate::session::{Outcome, Session, note};

/// Add, list and remove members of groups
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Add a user, or all members of another group
    #[command(
        after_help = "Example:\n  formalize members add 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --user alice"
    )]
    Add(Add),
    /// List the direct members of a group
    #[command(
        after_help = "Example:\n  formalize members list 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    List(GroupArg),
    /// Remove a member from its group
    #[command(
        after_help = "Example:\n  formalize members remove 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    Remove {
        /// The membership's identifier, as `formalize members list` shows it
        #[arg(value_parser = args::membership_id)]
        id: MembershipId,
    },
}

/// A group and exactly one new member.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("member").required(true))]
pub(crate) struct Add {
    /// The group that gets the member: its identifier, or its name if that is unique
    #[arg(value_name = "GROUP")]
    to: Reference<GroupId>,
    /// The user to add
    #[arg(
        long,
        value_name = "USER",
        group = "member",
        visible_alias = "user-identifier"
    )]
    user: Option<UserId>,
    /// The group whose members to add, including those of its child groups
    #[arg(
        long = "group",
        value_name = "GROUP",
        group = "member",
        visible_alias = "child-group-identifier"
    )]
    child: Option<Reference<GroupId>>,
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Add(add) => add.run(session).await,
            Self::List(group) => list(session, group.given()?).await,
            Self::Remove { id } => remove(session, id).await,
        }
    }
}

impl Add {
    async fn run(self, session: &mut Session) -> Outcome {
        let user = self.user.map(|user| user.to_string());
        let to = session.group(&self.to).await?.to_string();
        let child = match &self.child {
            Some(child) => Some(session.group(child).await?.to_string()),
            None => None,
        };
        let new = NewMembership::from_request(Some(&to), user, child.as_deref())?;
        let memberships = session.formalize.memberships();
        let added = memberships.create(&session.caller, new).await?;
        Ok(session
            .printer
            .item(&Membership::from(Named::from(added)))?)
    }
}

async fn list(session: &mut Session, group: &Reference<GroupId>) -> Outcome {
    let group = session.group(group).await?;
    let (formalize, caller) = session.service();
    let memberships = formalize.memberships();
    let mut names = session.names();
    session
        .print_list::<_, Membership>(async |request| {
            let page = memberships.list(&caller, group, request).await?;
            names.named(page).await
        })
        .await
}

async fn remove(session: &mut Session, id: MembershipId) -> Outcome {
    let memberships = session.formalize.memberships();
    memberships.delete(&session.caller, id).await?;
    note(&format!("removed member {id}"));
    Ok(())
}
