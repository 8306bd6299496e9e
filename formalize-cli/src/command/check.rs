//! `formalize check`.

use formalize_core::{Action, Caller, ResourceClass, ResourceRef, UserId};

use crate::args;
use crate::failure::{Exit, Failure, unless_unread};
use crate::session::{Session, note};

/// Check whether a user may perform an action: prints `allowed` or `denied` and exits with 0 or 5
///
/// Pass attributes of the user with --attribute. On a resource that does not exist, every action is denied.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  formalize check --user alice --attribute roles='[\"staff\"]' --action read \\\n    --resource DbpRelayFormalizeForm/0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
)]
pub(crate) struct Args {
    /// The user
    #[arg(long, value_name = "USER", visible_alias = "user-identifier")]
    user: UserId,
    /// The action, as `formalize actions list` shows it
    #[arg(long)]
    action: Action,
    /// The item or, without an identifier, the collection of the class
    #[arg(long, value_name = "CLASS[/IDENTIFIER]", value_parser = args::resource)]
    resource: ResourceRef,
}

impl Args {
    /// The class whose collection is asked about, if it is none of its items.
    pub(crate) fn collection(&self) -> Option<ResourceClass> {
        args::collection(&self.resource)
    }

    pub(crate) fn user(&self) -> &UserId {
        &self.user
    }

    pub(crate) async fn run(self, session: &mut Session) -> Result<Exit, Failure> {
        let user = Caller::with_attributes(self.user.clone(), session.attributes.clone());
        let allowed = self.is_defined(session)
            && session
                .formalize
                .resources()
                .is_granted(&user, &self.resource, &self.action)
                .await?;
        let (word, exit) = if allowed {
            ("allowed", Exit::Done)
        } else {
            ("denied", Exit::Denied)
        };
        session.printer.line(word).or_else(unless_unread)?;
        Ok(exit)
    }

    /// `manage` implies all defined actions. Any other action is denied to everybody and probably a typing error, so it
    /// is reported.
    fn is_defined(&self, session: &Session) -> bool {
        let class = &self.resource.class;
        let Ok(known) = session.formalize.actions().get(class.as_str()) else {
            note(&format!("note: unknown resource class `{class}`"));
            return false;
        };
        let (actions, kind) = match self.resource.identifier {
            Some(_) => (known.actions.item_actions, "items"),
            None => (known.actions.collection_actions, "the collection"),
        };
        let is_defined = actions.contains_key(&self.action);
        if !is_defined {
            let action = &self.action;
            note(&format!(
                "note: `{action}` is not defined for {kind} of `{class}`"
            ));
        }
        is_defined
    }
}
