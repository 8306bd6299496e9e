//! `formalize resources`.

use formalize_core::{Caller, ResourceFilter, ResourceRef, UserId};

use crate::args;
use crate::names::Named;
use crate::record::Resource;
use crate::session::{Outcome, Session, confirm, note, plural, tally};

/// Register and list the resources that grants refer to
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Register an item of a class from the configuration file
    #[command(
        after_help = "Example:\n  formalize resources register VendorThing/42 --manager alice"
    )]
    Register {
        /// The class, and the identifier of the item
        #[arg(value_name = "CLASS/IDENTIFIER", value_parser = args::item)]
        resource: ResourceRef,
        /// The user who may manage it [default: none]
        #[arg(long, value_name = "USER")]
        manager: Option<UserId>,
    },
    /// List resources: forms, groups, submissions, collections and registered items
    #[command(after_help = "Example:\n  formalize resources list --resource VendorThing")]
    List {
        /// Only this item or, without an identifier, this class
        #[arg(long, value_name = "CLASS[/IDENTIFIER]", value_parser = args::resource)]
        resource: Option<ResourceRef>,
    },
    /// Remove a registered item and all grants on it
    ///
    /// Asks for confirmation if there are grants on it.
    #[command(after_help = "Example:\n  formalize resources deregister VendorThing/42 --yes")]
    Deregister {
        /// The class, and the identifier of the item
        #[arg(value_name = "CLASS/IDENTIFIER", value_parser = args::item)]
        resource: ResourceRef,
    },
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Register { resource, manager } => register(session, resource, manager).await,
            Self::List { resource } => list(session, resource).await,
            Self::Deregister { resource } => deregister(session, &resource).await,
        }
    }
}

async fn register(
    session: &mut Session,
    resource: ResourceRef,
    manager: Option<UserId>,
) -> Outcome {
    let resources = session.formalize.resources();
    let registered = resources
        .register(&session.caller, resource, manager.as_ref())
        .await?;
    let resource = resources.get(&session.caller, registered.id).await?;
    Ok(session
        .printer
        .item(&Resource::from(Named::from(resource)))?)
}

async fn list(session: &mut Session, resource: Option<ResourceRef>) -> Outcome {
    let (formalize, caller) = session.service();
    let (resources, filter) = (
        formalize.resources(),
        resource.map(ResourceFilter::of).unwrap_or_default(),
    );
    let mut names = session.names();
    session
        .print_list::<_, Resource>(async |request| {
            let page = resources.list(&caller, &filter, request).await?;
            names.named(page).await
        })
        .await
}

async fn deregister(session: &mut Session, resource: &ResourceRef) -> Outcome {
    let name = args::resource_name(resource);
    let may = session.caller == Caller::System && !resource.class.is_built_in();
    if may && !session.yes {
        let (grants, on_it) = (
            session.formalize.grants(),
            ResourceFilter::of(resource.clone()),
        );
        let number = tally(
            async |request| grants.list(&Caller::System, &on_it, request).await,
            |_| true,
        )
        .await?;
        if number > 0 {
            let grants = plural(number, "grant");
            confirm(&format!("deregistering `{name}` deletes {grants} with it"))?;
        }
    }
    session
        .formalize
        .resources()
        .deregister(&session.caller, resource)
        .await?;
    note(&format!("deregistered {name}"));
    Ok(())
}
