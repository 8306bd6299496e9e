//! `formalize groups`.

use formalize_core::{
    Caller, Group, GroupChange, GroupFilter, GroupId, GroupName, NewGroup, ResourceFilter,
    ResourceRef, Subject, authorization::Operation,
};
use formalize_views::group;

use crate::failure::Failure;
use crate::grammar::{GroupArg, NameArg, NewNameArgs};
use crate::naming::Reference;
use crate::session::{Outcome, Session, as_read, confirm, note, plural, tally, with_spinner};

/// Create, list, rename and delete groups
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Create a group
    #[command(after_help = "Example:\n  formalize groups create 'Examination office'")]
    Create(NameArg),
    /// List groups
    #[command(after_help = "Example:\n  formalize groups list --search office")]
    List {
        /// Only groups whose name contains this text, ignoring case
        #[arg(long, value_name = "TEXT")]
        search: Option<String>,
    },
    /// Show a group
    #[command(
        after_help = "Example:\n  formalize groups show 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b -o json"
    )]
    Show(GroupArg),
    /// Rename a group
    #[command(
        after_help = "Example:\n  formalize groups rename 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b Registry"
    )]
    Rename(NewNameArgs),
    /// Delete a group with its memberships, the grants it holds and the grants on it
    ///
    /// Asks for confirmation if the group has members, holds grants, or is shared with anyone but its creator.
    #[command(
        after_help = "Example:\n  formalize groups delete 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --yes"
    )]
    Delete {
        #[command(flatten)]
        group: GroupArg,
        /// Delete nothing, and print the number of records that would be deleted
        #[arg(long)]
        dry_run: bool,
    },
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create(name) => create(session, name.into_given()?).await,
            Self::List { search } => list(session, search).await,
            Self::Show(group) => show(session, group.given()?).await,
            Self::Rename(names) => {
                let (group, name) = names.given()?;
                rename(session, &group, name).await
            }
            Self::Delete { group, dry_run } => delete(session, group.given()?, dry_run).await,
        }
    }
}

async fn create(session: &mut Session, name: String) -> Outcome {
    let new = NewGroup {
        name: GroupName::new(name)?,
    };
    let group = session
        .formalize
        .groups()
        .create(&session.caller, new)
        .await?;
    Ok(session.printer.item(&group::Group::from(group))?)
}

async fn list(session: &mut Session, search: Option<String>) -> Outcome {
    let (formalize, caller) = session.service();
    let (groups, filter) = (formalize.groups(), GroupFilter { search });
    session
        .print_list::<_, group::Group>(async |request| groups.list(&caller, &filter, request).await)
        .await
}

async fn show(session: &mut Session, group: &Reference<GroupId>) -> Outcome {
    let id = session.group(group).await?;
    let group = session.formalize.groups().get(&session.caller, id).await?;
    Ok(session.printer.item(&group::Group::from(group))?)
}

async fn rename(session: &mut Session, group: &Reference<GroupId>, name: String) -> Outcome {
    let id = session.group(group).await?;
    let change = GroupChange {
        name: Some(GroupName::new(name)?),
    };
    let groups = session.formalize.groups();
    let read = groups.get(&session.caller, id).await;
    let group = as_read(id, read, |group| group.item.revision)?;
    let renamed = groups.update(&session.caller, group, change).await?;
    session.print_changed::<_, group::Group>(renamed)
}

async fn delete(session: &mut Session, group: &Reference<GroupId>, dry_run: bool) -> Outcome {
    let id = session.group(group).await?;
    if dry_run {
        let groups = session.formalize.groups();
        let deletion = groups.check_delete(&session.caller, id).await?;
        return session.print_deletion(deletion);
    }
    if session
        .must_ask(&ResourceRef::group(id), Operation::GroupDelete)
        .await?
    {
        announce(session, id).await?;
    }
    let groups = session.formalize.groups();
    with_spinner("deleting", groups.delete(&session.caller, id)).await?;
    note(&format!("deleted group {id}"));
    Ok(())
}

/// Asks for confirmation if other records are deleted with the group.
async fn announce(session: &Session, id: GroupId) -> Outcome {
    let groups = session.formalize.groups();
    let group = groups.get(&Caller::System, id).await?.item;
    let taken = [
        (members(session, id).await?, "member", ""),
        (held(session, id).await?, "grant", " it holds"),
        (
            shared(session, &group).await?,
            "grant",
            " on it to anyone but its creator",
        ),
    ];
    let taken: Vec<String> = taken
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, noun, which)| format!("{}{which}", plural(number, noun)))
        .collect();
    if taken.is_empty() {
        return Ok(());
    }
    let name = group.name.as_str();
    confirm(&format!(
        "deleting the group `{name}` deletes {} with it",
        taken.join(", ")
    ))
}

async fn members(session: &Session, id: GroupId) -> Result<usize, Failure> {
    let memberships = session.formalize.memberships();
    tally(
        async |request| memberships.list(&Caller::System, id, request).await,
        |_| true,
    )
    .await
}

async fn held(session: &Session, id: GroupId) -> Result<usize, Failure> {
    let (grants, any) = (session.formalize.grants(), ResourceFilter::default());
    tally(
        async |request| grants.list(&Caller::System, &any, request).await,
        |grant| grant.item.subject == Subject::Group(id),
    )
    .await
}

/// Grants to anyone but the creator, whose grant is the first on the group and was created at the same instant.
async fn shared(session: &Session, group: &Group) -> Result<usize, Failure> {
    let grants = session.formalize.grants();
    let on_group = ResourceFilter::of(ResourceRef::group(group.id));
    let mut creator = None;
    tally(
        async |request| grants.list(&Caller::System, &on_group, request).await,
        |grant| {
            let grant = &grant.item;
            if creator.is_none() && grant.is_of_creation(group.date_created) {
                creator = Some(grant.subject.clone());
            }
            creator.as_ref() != Some(&grant.subject)
        },
    )
    .await
}
