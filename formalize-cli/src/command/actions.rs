//! `formalize actions`.

use crate::session::{Outcome, Session};
use formalize_views::resource::AvailableResourceClassActions;

/// List the actions that can be granted
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// List resource classes with the actions on their items and on their collection
    #[command(after_help = "Example:\n  formalize actions list DbpRelayFormalizeForm")]
    List {
        /// Only this class
        class: Option<String>,
    },
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::List { class: None } => list(session).await,
            Self::List { class: Some(class) } => list_one(session, &class),
        }
    }
}

async fn list(session: &mut Session) -> Outcome {
    let (formalize, caller) = session.service();
    let actions = formalize.actions();
    session
        .print_list::<_, AvailableResourceClassActions>(async |request| {
            actions.list(&caller, request).await
        })
        .await
}

/// Prints a list with one class, so that the output has the same form as without the filter.
fn list_one(session: &mut Session, class: &str) -> Outcome {
    let found = session.formalize.actions().get(class)?;
    let found = std::iter::once(AvailableResourceClassActions::from(found));
    Ok(session.printer.all(found)?)
}
