//! `formalize grants`.

use formalize_core::{
    Action, DynamicGroupId, GrantId, GroupId, NewGrant, ResourceClass, ResourceFilter, ResourceRef,
    UserId,
    authorization::{NamedGrantee, NamedResource},
};

use crate::args::{self, collection};
use crate::names::Named;
use crate::naming::Reference;
use crate::record::Grant;
use crate::session::{Outcome, Session, note};

/// Create, list and delete grants: who may perform which action on which resource
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Allow a user, a group or a dynamic group to perform an action
    #[command(
        after_help = "Example:\n  formalize grants create --action create_submissions \\\n    --resource DbpRelayFormalizeForm/0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b --dynamic-group everybody"
    )]
    Create(Create),
    /// List grants
    #[command(after_help = "Example:\n  formalize grants list --resource DbpRelayFormalizeForm")]
    List {
        /// Only grants on this item or, without an identifier, on this class
        #[arg(long, value_name = "CLASS[/IDENTIFIER]", value_parser = args::resource)]
        resource: Option<ResourceRef>,
    },
    /// Delete a grant; the last `manage` grant on an item cannot be deleted
    #[command(
        after_help = "Example:\n  formalize grants delete 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    Delete {
        /// The grant's identifier
        #[arg(value_parser = args::grant_id)]
        id: GrantId,
    },
}

/// An action, a resource and exactly one holder.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("holder").required(true))]
pub(crate) struct Create {
    /// The action, as `formalize actions list` shows it
    #[arg(long)]
    action: Action,
    /// The item or, without an identifier, the collection of the class
    #[arg(long, value_name = "CLASS[/IDENTIFIER]", value_parser = args::resource)]
    resource: ResourceRef,
    /// The user who holds the grant
    #[arg(
        long,
        value_name = "USER",
        group = "holder",
        visible_alias = "user-identifier"
    )]
    user: Option<UserId>,
    /// The group that holds the grant: its identifier, or its name if that is unique
    #[arg(
        long,
        value_name = "GROUP",
        group = "holder",
        visible_alias = "group-identifier"
    )]
    group: Option<Reference<GroupId>>,
    /// The dynamic group that holds the grant: one from the configuration file, or `everybody`
    #[arg(
        long,
        value_name = "DYNAMIC_GROUP",
        group = "holder",
        visible_alias = "dynamic-group-identifier"
    )]
    dynamic_group: Option<DynamicGroupId>,
}

impl Args {
    /// The class on whose collection a grant is to be created.
    pub(crate) fn collection(&self) -> Option<ResourceClass> {
        match self {
            Self::Create(create) => collection(&create.resource),
            _ => None,
        }
    }

    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create(create) => create.run(session).await,
            Self::List { resource } => list(session, resource).await,
            Self::Delete { id } => delete(session, id).await,
        }
    }
}

impl Create {
    async fn run(self, session: &mut Session) -> Outcome {
        let group = match &self.group {
            Some(group) => Some(session.group(group).await?),
            None => None,
        };
        let holder = NamedGrantee {
            user: self.user.map(|user| user.to_string()),
            group: group.map(|group| group.to_string()),
            dynamic_group: self.dynamic_group.map(|group| group.to_string()),
        };
        let ResourceRef { class, identifier } = self.resource;
        let resource = NamedResource {
            class: Some(class.to_string()),
            identifier: identifier.map(|identifier| identifier.to_string()),
            record: None,
        };
        let new = NewGrant::from_request(Some(self.action.to_string()), holder, resource)?;
        let grant = session
            .formalize
            .grants()
            .create(&session.caller, new)
            .await?;
        Ok(session.printer.item(&Grant::from(Named::from(grant)))?)
    }
}

async fn list(session: &mut Session, resource: Option<ResourceRef>) -> Outcome {
    let (formalize, caller) = session.service();
    let (grants, filter) = (
        formalize.grants(),
        resource.map(ResourceFilter::of).unwrap_or_default(),
    );
    let mut names = session.names();
    session
        .print_list::<_, Grant>(async |request| {
            let page = grants.list(&caller, &filter, request).await?;
            names.named(page).await
        })
        .await
}

async fn delete(session: &mut Session, id: GrantId) -> Outcome {
    session
        .formalize
        .grants()
        .delete(&session.caller, id)
        .await?;
    note(&format!("deleted grant {id}"));
    Ok(())
}
