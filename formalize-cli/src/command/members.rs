//! `formalize members`.

use formalize_core::{GroupId, MembershipId, NewMembership, UserId};

use crate::args;
use crate::record::Membership;
use crate::session::{Outcome, Session, note};

/// Say who belongs to a group
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
    List {
        /// The group's identifier
        #[arg(value_parser = args::group_id)]
        group: GroupId,
    },
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
    /// The identifier of the group that gets the member
    #[arg(value_parser = args::group_id, value_name = "GROUP")]
    to: GroupId,
    /// The user to add
    #[arg(
        long,
        value_name = "USER",
        group = "member",
        visible_alias = "user-identifier"
    )]
    user: Option<UserId>,
    /// The group whose members to add, at whatever depth
    #[arg(
        long = "group",
        value_name = "GROUP",
        group = "member",
        visible_alias = "child-group-identifier",
        value_parser = args::group_id
    )]
    child: Option<GroupId>,
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Add(add) => add.run(session).await,
            Self::List { group } => list(session, group).await,
            Self::Remove { id } => remove(session, id).await,
        }
    }
}

impl Add {
    async fn run(self, session: &mut Session) -> Outcome {
        let user = self.user.map(|user| user.to_string());
        let [to, child] = [Some(self.to), self.child].map(|group| group.map(|id| id.to_string()));
        let new = NewMembership::from_request(to.as_deref(), user, child.as_deref())?;
        let memberships = session.formalize.memberships();
        let added = memberships.create(&session.caller, new).await?;
        Ok(session.printer.item(&Membership::from(added))?)
    }
}

async fn list(session: &mut Session, group: GroupId) -> Outcome {
    let (formalize, caller) = session.service();
    let memberships = formalize.memberships();
    session
        .print_list::<_, Membership>(async |request| {
            memberships.list(&caller, group, request).await
        })
        .await
}

async fn remove(session: &mut Session, id: MembershipId) -> Outcome {
    let memberships = session.formalize.memberships();
    memberships.delete(&session.caller, id).await?;
    note(&format!("removed member {id}"));
    Ok(())
}
