//! `formalize links`.

use std::io;
use std::num::NonZeroU16;

use formalize_core::{
    FormId, Timestamp,
    links::{EmbedOrigins, FormLink, LinkCap, LinkId, LinkLabel, NewFormLink},
};
use formalize_views::link;

use crate::args;
use crate::failure::{Exit, Failure};
use crate::grammar::FormArg;
use crate::naming::Reference;
use crate::session::{Outcome, Session, note, plural};

/// Create, list and revoke public links, with which anyone may submit to a form
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// Create links and print their URLs; they cannot be shown again
    ///
    /// Anyone with the link may submit to the form, and do nothing else. Only the URLs are written to standard output,
    /// one on each line. They begin with the `base_url` of the configuration or, without one, with `http://` and the
    /// `listen` address.
    #[command(
        after_help = "Example:\n  formalize links create --form Workshop --label Poster --expires 2026-12-31\n  formalize links create --form Workshop --max 1 --number 30 > invitations"
    )]
    Create(Box<Create>),
    /// List the links to a form
    ///
    /// Their URLs are not stored and cannot be listed.
    #[command(after_help = "Example:\n  formalize links list --form Workshop")]
    List(FormArg),
    /// Revoke a link; what was submitted through it remains
    #[command(
        after_help = "Example:\n  formalize links revoke 0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b"
    )]
    Revoke {
        /// The identifier of the link, as `formalize links list` shows it
        #[arg(value_parser = args::link_id)]
        id: LinkId,
    },
}

/// One or more links with the same properties.
#[derive(Debug, clap::Args)]
pub(crate) struct Create {
    #[command(flatten)]
    form: FormArg,
    /// Label for those who manage the links
    #[arg(long, value_name = "TEXT", value_parser = args::label)]
    label: Option<LinkLabel>,
    /// When the links expire: a date (end of day, UTC), a timestamp, or a duration in s, m, h, d or w [default: never]
    #[arg(long, value_name = "DATE|DURATION", value_parser = args::expiry)]
    expires: Option<Timestamp>,
    /// Maximum number of submissions through each link
    #[arg(long, value_name = "NUMBER", value_parser = args::link_cap, visible_alias = "max-num-submissions")]
    max: Option<LinkCap>,
    /// Do not ask a browser again that has submitted; a cookie remembers it, so this does not protect against abuse
    #[arg(long, visible_alias = "once-per-browser")]
    once: bool,
    /// Origin of web pages that may show the links in a frame, such as `https://example.org`; can be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = args::origin, visible_alias = "embed-origin")]
    embed: Vec<String>,
    /// How many links to create
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    number: NonZeroU16,
}

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::Create(create) => create.run(session).await,
            Self::List(form) => list(session, form.given()?).await,
            Self::Revoke { id } => revoke(session, id).await,
        }
    }
}

impl Create {
    async fn run(self, session: &mut Session) -> Outcome {
        let new = NewFormLink {
            form: session.form(self.form.given()?).await?,
            label: self.label,
            date_expires: self.expires,
            cap: self.max,
            once_per_browser: self.once,
            embed_origins: EmbedOrigins::new(self.embed)?,
        };
        for _ in 0..self.number.get() {
            let links = session.formalize.links();
            let (link, secret) = links.create(&session.caller, new.clone()).await?;
            let printed = session.printer.line(&secret.to_url(&session.base_url));
            printed.map_err(|error| lost(&link, &error))?;
        }
        let created = plural(usize::from(self.number.get()), "link");
        note(&format!("created {created} to form {}", new.form));
        Ok(())
    }
}

/// The link exists and can be used although it could not be printed.
fn lost(link: &FormLink, error: &io::Error) -> Failure {
    let revoke = format!("revoke it with `formalize links revoke {}`", link.id);
    Failure::new(Exit::Failed, format!("cannot write the link: {error}")).with_detail(&revoke)
}

async fn list(session: &mut Session, form: &Reference<FormId>) -> Outcome {
    let form = session.form(form).await?;
    let (formalize, caller) = session.service();
    let links = formalize.links();
    session
        .print_list::<_, link::FormLink>(async |request| links.list(&caller, form, request).await)
        .await
}

async fn revoke(session: &mut Session, id: LinkId) -> Outcome {
    let links = session.formalize.links();
    links.delete(&session.caller, id).await?;
    note(&format!("revoked link {id}"));
    Ok(())
}
