use std::collections::BTreeSet;

use async_trait::async_trait;
use uuid::Uuid;

use crate::authz::scope::{Audience, AudienceSource, Subjects};
use crate::id::EventId;
use crate::model::event::{Event, EventFilter, EventSubscription, NewEvent};
use crate::model::resource::{Anchor, ResourceClass};
use crate::model::subject::{Subject, UserId};
use crate::model::webhook::DeliveryState;
use crate::store::memory::state::{State, Subscribed};
use crate::store::memory::{Transaction, WriteLock};
use crate::store::{EventLog, EventPlace, EventWindow, ReadEvents, StoreResult, WriteEvents};
use crate::time::Timestamp;

impl State {
    /// The subjects of a source of an audience.
    fn audience(&self, source: &AudienceSource) -> BTreeSet<Subject> {
        match source {
            AudienceSource::Subject(subject) => BTreeSet::from([subject.clone()]),
            AudienceSource::Holders {
                anchor,
                class,
                actions,
            } => {
                let grants = self.grants.values().filter(|grant| {
                    let resource = &grant.resource;
                    resource.anchor() == *anchor && resource.resource.class == *class
                });
                let allowed = grants.filter(|grant| {
                    let actions = actions.as_ref();
                    actions.is_none_or(|actions| actions.contains(&grant.action))
                });
                allowed.map(|grant| grant.subject.clone()).collect()
            }
            AudienceSource::Creators { form, states } => {
                let rows = self.submissions.values();
                rows.filter(|row| row.form == *form && states.contains(row.state))
                    .filter(|row| row.creator != UserId::SYSTEM)
                    .map(|row| row.creator.clone().into())
                    .collect()
            }
            AudienceSource::HoldersOnSubmissions {
                form,
                actions,
                states,
            } => {
                let rows = self.submissions.values();
                rows.filter(|row| row.form == *form && states.contains(row.state))
                    .flat_map(|row| {
                        self.audience(&AudienceSource::Holders {
                            anchor: Anchor::from(row.id),
                            class: ResourceClass::SUBMISSION,
                            actions: Some(actions.clone()),
                        })
                    })
                    .collect()
            }
        }
    }
}

#[async_trait]
impl<T: Send> ReadEvents for Transaction<T> {
    async fn event_log(&mut self) -> StoreResult<EventLog> {
        Ok(self.state.event_log)
    }

    async fn events(
        &mut self,
        window: EventWindow,
        filter: &EventFilter,
    ) -> StoreResult<Vec<Event>> {
        let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
        let rows = self.state.events.values();
        let rows = rows.filter(|row| window.after < row.sequence && row.sequence <= window.to);
        let rows = rows.filter(|row| filter.admits(row));
        Ok(rows.take(limit).cloned().collect())
    }

    async fn event_arrivals(&mut self, _: u64) -> StoreResult<i64> {
        Ok(0)
    }

    async fn event_audience(&mut self, event: EventId) -> StoreResult<Vec<Subject>> {
        let subjects = self.state.event_audience.get(&event);
        Ok(subjects.into_iter().flatten().cloned().collect())
    }

    async fn events_told(
        &mut self,
        events: &[EventId],
        subjects: &Subjects,
    ) -> StoreResult<Vec<EventId>> {
        let is_told = |event: &&EventId| {
            let audience = self.state.event_audience.get(event);
            let mut audience = audience.into_iter().flatten();
            audience.any(|subject| subjects.contains(subject))
        };
        let events: BTreeSet<_> = events.iter().collect();
        Ok(events.into_iter().filter(is_told).copied().collect())
    }

    async fn event_subscriptions(&mut self) -> StoreResult<Vec<EventSubscription>> {
        let epoch = self.state.event_log.epoch;
        let rows = self.state.event_subscriptions.iter();
        let listed = rows.map(|(name, row)| EventSubscription {
            name: name.clone(),
            position: row.place.position,
            is_of_earlier_epoch: row.place.epoch != epoch,
            held_until: row.lease.map(|(_, until)| until),
        });
        Ok(listed.collect())
    }
}

#[async_trait]
impl WriteEvents for Transaction<WriteLock> {
    async fn append_event(&mut self, event: &NewEvent) -> StoreResult<()> {
        let state = self.state();
        state.event_log.last += 1;
        let event = event.clone().placed(state.event_log.last);
        state.events.insert(event.sequence, event);
        Ok(())
    }

    async fn insert_audience(&mut self, event: EventId, audience: &Audience) -> StoreResult<()> {
        let sources = audience.0.iter();
        let subjects: BTreeSet<Subject> = sources
            .flat_map(|source| self.state.audience(source))
            .collect();
        self.state().event_audience.insert(event, subjects);
        Ok(())
    }

    async fn place_events(&mut self, _: u64) -> StoreResult<u64> {
        Ok(0)
    }

    async fn delete_events(&mut self, before: Timestamp, limit: u64) -> StoreResult<u64> {
        let state = self.state();
        let mut deleted = 0;
        while deleted < limit
            && let Some(first) = state.events.first_entry()
            && first.get().timestamp < before
        {
            let event = first.remove();
            state.event_audience.remove(&event.id);
            state.event_data.remove(&event.id);
            state.deliveries.retain(|_, row| {
                row.delivery.event != event.id || row.delivery.state == DeliveryState::Delivered
            });
            state.event_log.purged_to = event.sequence;
            deleted += 1;
        }
        Ok(deleted)
    }

    async fn set_event_epoch(&mut self, epoch: i64) -> StoreResult<()> {
        self.state().event_log.epoch = epoch;
        Ok(())
    }

    async fn lease_event_subscription(
        &mut self,
        name: &str,
        holder: Uuid,
        (now, until): (Timestamp, Timestamp),
    ) -> StoreResult<Option<EventPlace>> {
        let state = self.state();
        let oldest = EventPlace {
            epoch: state.event_log.epoch,
            position: state.event_log.purged_to,
        };
        let new = Subscribed {
            place: oldest,
            lease: None,
        };
        let row = state
            .event_subscriptions
            .entry(name.to_owned())
            .or_insert(new);
        let is_free = row
            .lease
            .is_none_or(|(other, until)| other == holder || until <= now);
        if !is_free {
            return Ok(None);
        }
        row.lease = Some((holder, until));
        Ok(Some(row.place))
    }

    async fn move_event_subscription(
        &mut self,
        name: &str,
        holder: Uuid,
        place: EventPlace,
    ) -> StoreResult<bool> {
        let row = self.state().event_subscriptions.get_mut(name);
        let held = row.filter(|row| row.lease.is_some_and(|(by, _)| by == holder));
        let is_held = held.is_some();
        if let Some(row) = held {
            row.place = place;
        }
        Ok(is_held)
    }

    async fn release_event_subscription(&mut self, name: &str, holder: Uuid) -> StoreResult<()> {
        let row = self.state().event_subscriptions.get_mut(name);
        if let Some(row) = row.filter(|row| row.lease.is_some_and(|(by, _)| by == holder)) {
            row.lease = None;
        }
        Ok(())
    }

    async fn delete_event_subscription(&mut self, name: &str) -> StoreResult<bool> {
        Ok(self.state().event_subscriptions.remove(name).is_some())
    }
}
