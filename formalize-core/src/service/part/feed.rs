//! The change feed: the part of the event log that a caller may see.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::error::{Error, Result};
use crate::listing::{ListContext, PAGE_BYTES};
use crate::model::event::{Event, EventData, EventFilter};
use crate::model::event_type::EventType;
use crate::model::grant::Grant;
use crate::model::group::Group;
use crate::model::membership::Membership;
use crate::model::resource::Resource;
use crate::model::subject::Caller;
use crate::model::submission::Submission;
use crate::model::webhook::WebhookView;
use crate::page::Window;
use crate::service::events::{EventsService, MAX_EVENTS, MAX_POSITIONS, events_within};
use crate::service::{
    FormView, FormsService, GrantsService, GroupsService, MembershipsService, ResourcesService,
    Shared, SubmissionsService, Viewed, WebhooksService,
};
use crate::store::{EventPlace, EventWindow, ReadTx};

/// Maximum number of events that are fetched and decided together.
const DECIDED_TOGETHER: u64 = 500;

/// Where a page of the change feed begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FeedStart {
    /// At the oldest event in the log.
    #[default]
    Oldest,
    /// Behind everything that has happened.
    Now,
    /// Behind the event or page with this cursor.
    Cursor(String),
}

/// Selects a page of the change feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRequest {
    /// Where the page begins.
    pub start: FeedStart,
    /// The maximum number of events, from 1 to 1,000; other numbers count as the closest of these.
    pub limit: u32,
    /// Whether to look up the record of each event.
    pub with_items: bool,
    /// A page ends when its records have this size, in bytes, but has at least one event.
    pub item_bytes: u64,
}

impl Default for FeedRequest {
    /// At most 100 events from the oldest one on, without their records. With them, at most 8 MiB of records.
    fn default() -> Self {
        Self {
            start: FeedStart::Oldest,
            limit: 100,
            with_items: false,
            item_bytes: PAGE_BYTES,
        }
    }
}

/// A part of the change feed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeedPage {
    /// The events, in the order of their positions. There may be none even if more follow.
    pub events: Vec<FeedEvent>,
    /// The cursor behind the page.
    pub next: String,
    /// The position behind which the next page begins, for [`EventsService::news`].
    pub position: i64,
    /// Whether the end of the log was not reached.
    pub has_more: bool,
}

/// An event of the change feed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeedEvent {
    /// The event.
    pub event: Event,
    /// The cursor behind it.
    pub cursor: String,
    /// The record of the event as it is now, if the request asked for it, the record exists, and the caller may read it.
    pub item: Option<EventItem>,
}

/// The record of an event, as the caller sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventItem {
    /// A submission, or a draft.
    Submission(Viewed<Submission>),
    /// A form.
    Form(FormView),
    /// A group.
    Group(Viewed<Group>),
    /// A membership.
    Membership(Membership),
    /// A grant.
    Grant(Viewed<Grant>),
    /// A registered resource.
    Resource(Viewed<Resource>),
    /// A webhook.
    Webhook(WebhookView),
}

impl EventItem {
    /// The number of bytes that it counts in a page.
    fn bytes(&self) -> u64 {
        let texts = match self {
            Self::Submission(view) => view.item.data.as_ref().map_or(0, |data| data.len()),
            Self::Form(view) => view.item.bytes(),
            _ => 0,
        };
        Window::ROW_BYTES + texts as u64
    }
}

impl EventsService<'_> {
    /// Lists the events that the caller may learn of, with what everyone may do: to follow changes, keep
    /// [`FeedPage::next`] and ask again with [`FeedStart::Cursor`].
    ///
    /// Permissions are those of now. An event about a record that exists is shown to those who may read the record, and
    /// events about drafts only to those who may read the draft. The end of a record is shown to those who could read it
    /// before, and other events about a record that is gone to nobody. A page looks at 10,000 positions at most, so it may
    /// be empty although more follows: see [`FeedPage::has_more`].
    ///
    /// Everything that was committed before the call is found. Public links see nothing.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`] if the cursor was not issued to this caller for this filter; [`Error::EventsExpired`] if
    /// events behind it have been deleted, or the log was [reset](EventsService::reset); [`Error::Store`].
    ///
    /// ```
    /// # use formalize_conformance::example::*; with_submission(async |formalize, form, _| {
    /// let bob = Caller::user(UserId::new("bob")?);
    /// let (everything, oldest) = (EventFilter::default(), FeedRequest::default());
    /// let page = formalize.events().list(&bob, &everything, &oldest).await?;
    /// assert!(page.events.is_empty());
    ///
    /// let read = Action::READ_SUBMISSIONS;
    /// let grant = NewGrant::new(UserId::new("bob")?, read, ResourceRef::form(form.id));
    /// formalize.grants().create(&Caller::System, grant).await?;
    /// let page = formalize.events().list(&bob, &everything, &oldest).await?;
    /// let types: Vec<_> = page.events.iter().map(|shown| shown.event.event_type).collect();
    /// assert_eq!(types, [EventType::SubmissionSubmitted, EventType::GrantCreated]);
    ///
    /// let rest = FeedRequest { start: FeedStart::Cursor(page.next), ..oldest };
    /// assert!(formalize.events().list(&bob, &everything, &rest).await?.events.is_empty());
    /// # Ok(()) });
    /// ```
    pub async fn list(
        &self,
        caller: &Caller,
        filter: &EventFilter,
        request: &FeedRequest,
    ) -> Result<FeedPage> {
        let feed = Feed::new(self.0, caller, filter);
        let after = match &request.start {
            FeedStart::Cursor(cursor) => Some(feed.open(cursor)?),
            FeedStart::Oldest | FeedStart::Now => None,
        };
        self.place().await?;
        let reading = self.0.read(async |mut tx| {
            let log = tx.read_events()?.event_log().await?;
            self.0.events.saw(log);
            let after = after.unwrap_or(EventPlace {
                epoch: log.epoch,
                position: match request.start {
                    FeedStart::Now => log.last,
                    _ => log.purged_to,
                },
            });
            ensure!(log.continues(after), Error::EventsExpired);
            let limit = u64::from(request.limit).clamp(1, MAX_EVENTS);
            let to = after.position.saturating_add(MAX_POSITIONS).min(log.last);
            let window = EventWindow {
                after: after.position,
                to,
                limit,
            };
            let (events, end) = feed.visible(tx.as_mut(), window).await?;
            let (events, end) = if request.with_items {
                let most = request.item_bytes;
                self.with_items(tx.as_mut(), caller, (events, end), most)
                    .await?
            } else {
                (events.into_iter().map(|event| (event, None)).collect(), end)
            };
            let at = |position| EventPlace { position, ..after };
            let events = events.into_iter().map(|(event, item)| FeedEvent {
                cursor: feed.seal(at(event.sequence)),
                event,
                item,
            });
            Ok(FeedPage {
                events: events.collect(),
                next: feed.seal(at(end)),
                position: end,
                has_more: end < log.last,
            })
        });
        reading.await
    }

    /// The events of a page with their records, and the end of the page: earlier if the records are large.
    async fn with_items(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        (events, end): (Vec<Event>, i64),
        most: u64,
    ) -> Result<(Vec<(Event, Option<EventItem>)>, i64)> {
        let (mut shown, mut bytes, number) = (Vec::new(), 0, events.len());
        for event in events {
            let item = self.item(tx, caller, &event).await?;
            bytes += item.as_ref().map_or(0, EventItem::bytes);
            let position = event.sequence;
            shown.push((event, item));
            if bytes >= most && shown.len() < number {
                return Ok((shown, position));
            }
        }
        Ok((shown, end))
    }

    /// The record of an event, as reading it would return it to the caller.
    async fn item(
        &self,
        tx: &mut dyn ReadTx,
        caller: &Caller,
        event: &Event,
    ) -> Result<Option<EventItem>> {
        macro_rules! read {
            ($service:ident, $id:ident, $item:ident) => {
                $service(self.0)
                    .read(tx, caller, *$id)
                    .await
                    .map(EventItem::$item)
            };
        }
        let item = match &event.data {
            _ if is_gone(event.event_type) => return Ok(None),
            EventData::Submission { submission: id, .. } => {
                read!(SubmissionsService, id, Submission)
            }
            EventData::Form { form } => read!(FormsService, form, Form),
            EventData::Group { group } => read!(GroupsService, group, Group),
            EventData::Member { membership: id, .. } => read!(MembershipsService, id, Membership),
            EventData::Grant { grant, .. } => read!(GrantsService, grant, Grant),
            EventData::Resource { record, .. } => read!(ResourcesService, record, Resource),
            EventData::Webhook { webhook, .. } => read!(WebhooksService, webhook, Webhook),
        };
        match item {
            Ok(item) => Ok(Some(item)),
            Err(Error::Store(error)) => Err(error.into()),
            // The record is gone, or the caller may not read it as it is now.
            Err(_) => Ok(None),
        }
    }
}

/// Whether the event says that its record is gone.
fn is_gone(event_type: EventType) -> bool {
    matches!(
        event_type,
        EventType::SubmissionDeleted
            | EventType::DraftDeleted
            | EventType::FormDeleted
            | EventType::GroupDeleted
            | EventType::MemberRemoved
            | EventType::GrantDeleted
            | EventType::ResourceDeregistered
    )
}

/// The feed of a caller with a filter. Its cursors are valid for nothing else.
struct Feed<'a> {
    shared: &'a Shared,
    caller: &'a Caller,
    filter: &'a EventFilter,
    form: Option<String>,
    types: Option<String>,
}

impl<'a> Feed<'a> {
    fn new(shared: &'a Shared, caller: &'a Caller, filter: &'a EventFilter) -> Self {
        let types: BTreeSet<&str> = filter.types.iter().map(|it| it.as_str()).collect();
        let types: Vec<&str> = types.into_iter().collect();
        Self {
            shared,
            caller,
            filter,
            form: filter.form.map(|form| form.to_string()),
            types: (!types.is_empty()).then(|| types.join(",")),
        }
    }

    fn with_context<T>(&self, run: impl FnOnce(ListContext<'_>) -> T) -> T {
        run(ListContext {
            list: "events",
            caller: self.caller,
            filters: &[self.form.as_deref(), self.types.as_deref()],
        })
    }

    /// The cursor of a place.
    fn seal(&self, place: EventPlace) -> String {
        let (epoch, position) = (place.epoch.cast_unsigned(), place.position.cast_unsigned());
        let place = Uuid::from_u64_pair(epoch, position);
        let key = &self.shared.cursors;
        self.with_context(|context| key.seal(context, place))
    }

    fn open(&self, cursor: &str) -> Result<EventPlace> {
        let key = &self.shared.cursors;
        let found = self.with_context(|context| key.open(context, cursor));
        let (epoch, position) = found.ok_or(Error::InvalidCursor)?.as_u64_pair();
        Ok(EventPlace {
            epoch: epoch.cast_signed(),
            position: position.cast_signed(),
        })
    }

    /// The events in a window that pass the filter and that the caller may learn of, and the position up to which the log
    /// was read.
    async fn visible(&self, tx: &mut dyn ReadTx, window: EventWindow) -> Result<(Vec<Event>, i64)> {
        let authorizer = self.shared.lister(tx, self.caller).await?;
        let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
        let (mut shown, mut end) = (Vec::new(), window.after);
        // Usually most events are visible, so that no more are fetched than requested.
        let mut together = window.limit.min(DECIDED_TOGETHER);
        while end < window.to {
            let part = EventWindow {
                after: end,
                limit: together,
                ..window
            };
            let (events, end_of_part) = events_within(tx, part, self.filter).await?;
            end = end_of_part;
            shown.extend(authorizer.visible(tx, events).await?);
            if shown.len() >= limit {
                shown.truncate(limit);
                end = shown.last().map_or(end, |last| last.sequence);
                break;
            }
            together = DECIDED_TOGETHER;
        }
        Ok((shown, end))
    }
}
