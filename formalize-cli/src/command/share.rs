//! `formalize forms share` and `formalize forms unshare`.

use formalize_core::{FormId, Page, Subject, forms::FormAccess};

use crate::args::{self, Grantee};
use crate::failure::Failure;
use crate::grammar::FormArg;
use crate::record::Grant;
use crate::session::{Outcome, Session, note, plural};

/// A form, someone, and what the form is shared for.
#[derive(Debug, clap::Args)]
pub(crate) struct Share {
    #[command(flatten)]
    form: FormArg,
    /// everybody, user:ID, group:ID or dynamic-group:ID; a group may be given by name if that is unique
    #[arg(long, value_name = "WHO", value_parser = args::grantee)]
    with: Grantee,
    /// What they may do
    #[arg(long, value_name = "ACCESS", value_parser = args::access())]
    to: FormAccess,
}

impl Share {
    async fn resolve(&self, session: &Session) -> Result<(FormId, Subject), Failure> {
        let with = match &self.with {
            Grantee::User(user) => user.clone().into(),
            Grantee::Group(group) => session.group(group).await?.into(),
            Grantee::DynamicGroup(group) => group.clone().into(),
        };
        Ok((session.form(self.form.given()?).await?, with))
    }

    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        let (form, with) = self.resolve(session).await?;
        let forms = session.formalize.forms();
        let made = forms.share(&session.caller, form, &with, self.to).await?;
        let created = plural(made.len(), "grant");
        let page = Page {
            items: made,
            next: None,
        };
        let made = session.names().named(page).await?.items;
        session.printer.all(made.into_iter().map(Grant::from))?;
        let (with, access) = (&self.with, self.to.as_str());
        note(&format!(
            "shared with {with} to {access}: {created} created"
        ));
        Ok(())
    }

    pub(crate) async fn take_back(self, session: &mut Session) -> Outcome {
        let (form, with) = self.resolve(session).await?;
        let forms = session.formalize.forms();
        let deleted = forms.unshare(&session.caller, form, &with, self.to).await?;
        let deleted = plural(deleted.len(), "grant");
        let (with, access) = (&self.with, self.to.as_str());
        note(&format!(
            "no longer shared with {with} to {access}: {deleted} deleted"
        ));
        Ok(())
    }
}
