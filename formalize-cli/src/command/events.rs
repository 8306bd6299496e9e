//! `formalize events` and `formalize maintain`.

use std::time::Duration;

use formalize_core::{
    Caller, Error, FormId,
    events::{EventFilter, EventType, EventsService, FeedRequest, FeedStart},
};
use formalize_views::event::Event;

use crate::args;
use crate::failure::{Exit, Failure};
use crate::naming::Reference;
use crate::record::EventSubscription;
use crate::session::{Outcome, Session, confirm, note, plural};

/// Read the log of changes, and manage its readers and its size
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Args {
    /// List what happened, from the oldest event on
    ///
    /// With --as, only events that the user may learn of, as in the change feed of the server.
    #[command(
        after_help = "Example:\n  formalize events list --types form.created,form.deleted -o ndjson\n  formalize events list --as alice -o ndjson"
    )]
    List(List),
    /// List and delete the readers that keep their place in the log
    #[command(subcommand)]
    Subscriptions(Subscriptions),
    /// Delete old events
    ///
    /// Servers and `formalize maintain` do this after `event_retention`.
    #[command(after_help = "Example:\n  formalize events purge --older-than 3d --yes")]
    Purge {
        /// How old an event must be, in s, m, h, d or w
        #[arg(long, value_name = "DURATION", value_parser = args::duration, default_value = "7d")]
        older_than: i64,
    },
    /// Make every noted place in the log invalid, after a backup was restored
    ///
    /// A restored database gives positions a second time that readers have already seen. Afterwards, every reader must set
    /// its position again.
    #[command(after_help = "Example:\n  formalize events reset --yes")]
    Reset,
}

/// Which events to list.
#[derive(Debug, clap::Args)]
pub(crate) struct List {
    /// Begin behind this position or, with --as, behind this cursor of the user's change feed
    #[arg(long, value_name = "POSITION|CURSOR")]
    after: Option<String>,
    /// Only events about this form, its submissions, and grants on them: its identifier or unique name, or at least 8
    /// characters with which its identifier begins. A deleted form only has its identifier
    #[arg(long, value_name = "FORM", visible_alias = "form-identifier")]
    form: Option<Reference<FormId>>,
    /// Only events of these types
    #[arg(long, value_name = "TYPE,...", value_delimiter = ',', value_parser = args::event_type)]
    types: Vec<EventType>,
    /// Wait for more events until the program is interrupted
    #[arg(long)]
    follow: bool,
}

/// Readers that keep their place in the log.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Subscriptions {
    /// List the readers, with the position up to which each has processed events
    #[command(after_help = "Example:\n  formalize events subscriptions list")]
    List,
    /// Delete a reader; it begins at the oldest event if it is used again
    #[command(after_help = "Example:\n  formalize events subscriptions delete search-index --yes")]
    Delete {
        /// The name
        name: String,
    },
}

/// Delete ended sessions, old events, and what is left of deleted forms, as servers do every minute
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  formalize maintain")]
pub(crate) struct Maintain;

const FOREIGN_CURSOR: &str =
    "--after: expected a cursor of this user's change feed, read with the same --form and --types";

/// Maximum number of events to fetch at a time.
const PAGE: u64 = 500;

impl Args {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        match self {
            Self::List(of) if session.caller == Caller::System => list(session, of).await,
            Self::List(of) => list_feed(session, of).await,
            Self::Subscriptions(Subscriptions::List) => subscriptions(session).await,
            Self::Subscriptions(Subscriptions::Delete { name }) => {
                if !session.yes {
                    confirm(&format!("this deletes the place of `{name}` in the log"))?;
                }
                session
                    .formalize
                    .events()
                    .delete_subscription(&name)
                    .await?;
                note(&format!("deleted the subscription `{name}`"));
                Ok(())
            }
            Self::Purge { older_than } => purge(session, older_than).await,
            Self::Reset => {
                if !session.yes {
                    confirm("this makes the places of all readers of the log invalid")?;
                }
                session.formalize.events().reset().await?;
                note("reset the event log; every reader must set its position again");
                Ok(())
            }
        }
    }
}

impl List {
    async fn filter(&self, session: &Session) -> Result<EventFilter, Failure> {
        let form = match &self.form {
            Some(form) => Some(session.form(form).await?),
            None => None,
        };
        Ok(EventFilter {
            form,
            types: self.types.clone(),
        })
    }
}

/// Why there are no events behind a position: a later one has none yet.
async fn not_there(events: &EventsService<'_>, after: Option<i64>) -> Result<Failure, Error> {
    let last = events.extent().await?.last;
    Ok(match after {
        Some(after) if after > last => Failure::new(
            Exit::NotFound,
            format!(
                "the position {after} is in the future; the last event has the position {last}"
            ),
        ),
        _ => Error::EventsExpired.into(),
    })
}

async fn list(session: &mut Session, of: List) -> Outcome {
    let filter = of.filter(session).await?;
    let (formalize, _) = session.service();
    let events = formalize.events();
    let mut list = session.printer.list::<Event>()?;
    let after = of.after.as_deref().map(str::parse).transpose();
    let mut after: Option<i64> =
        after.map_err(|_| Failure::usage("--after: expected the position of an event"))?;
    loop {
        let page = match events.read(after, &filter, PAGE).await {
            Err(Error::EventsExpired) => return Err(not_there(&events, after).await?),
            page => page?,
        };
        after = Some(page.next);
        let records: Vec<Event> = page.events.into_iter().filter_map(Event::new).collect();
        if !records.is_empty() {
            list.page(&records)?;
        }
        if page.has_more {
            continue;
        }
        if !of.follow {
            return Ok(list.end()?);
        }
        events.news(page.next).await?;
    }
}

/// Lists the events that the user may learn of.
async fn list_feed(session: &mut Session, of: List) -> Outcome {
    let filter = of.filter(session).await?;
    let (formalize, caller) = session.service();
    let events = formalize.events();
    let mut request = FeedRequest {
        start: of.after.map_or(FeedStart::Oldest, FeedStart::Cursor),
        limit: u32::try_from(PAGE).unwrap_or(u32::MAX),
        ..FeedRequest::default()
    };
    let mut list = session.printer.list::<Event>()?;
    loop {
        let page = match events.list(&caller, &filter, &request).await {
            Err(Error::InvalidCursor) => return Err(Failure::usage(FOREIGN_CURSOR)),
            page => page?,
        };
        request.start = FeedStart::Cursor(page.next);
        let shown = page
            .events
            .into_iter()
            .filter_map(|shown| Event::new(shown.event));
        let records: Vec<Event> = shown.collect();
        if !records.is_empty() {
            list.page(&records)?;
        }
        if page.has_more {
            continue;
        }
        if !of.follow {
            return Ok(list.end()?);
        }
        events.news(page.position).await?;
    }
}

async fn subscriptions(session: &mut Session) -> Outcome {
    let found = session.formalize.events().subscriptions().await?;
    let records = found.into_iter().map(EventSubscription::from);
    Ok(session.printer.all(records)?)
}

async fn purge(session: &mut Session, older_than: i64) -> Outcome {
    if !session.yes {
        confirm("this deletes events, also those that some readers have not seen")?;
    }
    let age = Duration::from_secs(older_than.unsigned_abs());
    let purged = session.formalize.events().purge(age).await?;
    note(&format!("deleted {}", plural(purged, "event")));
    Ok(())
}

impl Maintain {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        let done = session.formalize.maintain().await?;
        let (sessions, events) = (
            plural(done.sessions, "session"),
            plural(done.events, "event"),
        );
        note(&format!("deleted {sessions} and {events}"));
        if done.remains > 0 {
            let remains = plural(done.remains, "record");
            note(&format!("deleted {remains} of deleted forms"));
        }
        Ok(())
    }
}
