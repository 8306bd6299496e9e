//! Statements about the event log.

use async_trait::async_trait;
use formalize_core::events::{
    Event, EventFilter, EventId, EventLog, EventSubscription, EventType, NewEvent,
};
use formalize_core::store::scope::{Audience, AudienceSource, Subjects};
use formalize_core::store::{
    EventPlace, EventWindow, ReadEvents, StoreResult, StoredEventData, WriteEvents,
};
use formalize_core::{FormId, StoreError, Subject, Timestamp, UserId};
use uuid::Uuid;

use super::driver::{Dialect, FixedText, Lock, Row, Statement, Transaction, saturated, sql};
use super::query::Query;
use super::record::Record;
use super::webhooks;

/// The columns of an event of a submission or a draft.
pub(super) const OF_SUBMISSIONS: &str = "id, type, date, record_id, form_id, creator, author";
const COLUMNS: &str = "id, type, date, record_id, form_id, creator, author, data";

/// The columns of an event, of a table that is joined to others.
pub(super) fn columns_of(table: &str) -> String {
    let columns = COLUMNS.split(", ");
    let columns: Vec<String> = columns.map(|column| format!("{table}.{column}")).collect();
    columns.join(", ")
}

pub(super) fn read(row: &Row) -> StoreResult<Event> {
    let record = Record::new("formalize_events", row);
    let event_type: EventType = record.parsed("type", |text| text.parse())?;
    let creator = optional_author(record, "creator")?;
    let author = optional_author(record, "author")?;
    let stored = StoredEventData {
        record: record.uuid("record_id")?,
        form: record.optional_uuid("form_id")?.map(FormId::from_uuid),
        people: creator.zip(author),
        data: record.optional_text("data")?,
    };
    let data = record.checked("data", stored.into_data(event_type).ok_or(()))?;
    let event = NewEvent {
        id: EventId::from_uuid(record.id()?),
        timestamp: record.instant("date")?,
        event_type,
        data,
    };
    Ok(event.placed(record.int("position")?))
}

fn optional_author(record: Record<'_>, column: &str) -> StoreResult<Option<UserId>> {
    match record.optional_text(column)? {
        Some(_) => record.author(column).map(Some),
        None => Ok(None),
    }
}

fn append(dialect: Dialect, event: &NewEvent) -> Statement<'static> {
    static TEXT: FixedText = FixedText::new();
    let text = TEXT.get(dialect, || {
        let inserts = dialect.append_event(COLUMNS, "$1, $2, $3, $4, $5, $6, $7, $8");
        let statements = inserts.iter().map(|insert| insert.join(" "));
        statements.collect::<Vec<_>>().join("; ")
    });
    let stored = StoredEventData::of(&event.data);
    let (creator, author) = stored.people.unzip();
    sql(text)
        .bind(event.id.as_uuid())
        .bind(event.event_type.as_str())
        .bind(event.timestamp.as_millis())
        .bind(stored.record)
        .bind(stored.form.map(FormId::as_uuid))
        .bind(creator.map(|user| user.to_string()))
        .bind(author.map(|user| user.to_string()))
        .bind(stored.data)
        .brief()
}

/// The subjects of a source of an audience, as a query with the column `subject`.
fn subjects(query: &mut Query<'_>, source: &AudienceSource) -> String {
    match source {
        AudienceSource::Subject(subject) => {
            format!("SELECT {} AS subject", query.bind(subject.to_string()))
        }
        AudienceSource::Holders {
            anchor,
            class,
            actions,
        } => {
            let anchor = query.bind(anchor.0);
            let class = query.bind(class.to_string());
            let grants = format!(
                "SELECT subject FROM formalize_grants AS grants WHERE anchor = {anchor} AND class = {class}"
            );
            match actions {
                Some(actions) => {
                    let actions = query.bind_actions(actions);
                    let is_one = query.dialect().any_text("action", &actions);
                    format!("{grants} AND {is_one}")
                }
                None => grants,
            }
        }
        AudienceSource::Creators { form, states } => {
            let form = query.bind(form.as_uuid());
            let states = query.bind(i64::from(states.bits()));
            format!(
                "SELECT 'user:' || creator FROM formalize_submissions AS submissions \
                 WHERE form_id = {form} AND creator <> '' AND (state & {states}) <> 0"
            )
        }
        AudienceSource::HoldersOnSubmissions {
            form,
            actions,
            states,
        } => {
            let form = query.bind(form.as_uuid());
            let states = query.bind(i64::from(states.bits()));
            let actions = query.bind_actions(actions);
            let is_one = query.dialect().any_text("grants.action", &actions);
            format!(
                "SELECT grants.subject FROM formalize_submissions AS submissions JOIN formalize_grants AS grants \
                 ON grants.anchor = submissions.id \
                 WHERE submissions.form_id = {form} AND (submissions.state & {states}) <> 0 AND {is_one}"
            )
        }
    }
}

/// Conditions for events that pass a filter.
fn passing(query: &mut Query<'_>, filter: &EventFilter) -> String {
    let mut conditions = Vec::new();
    if let Some(form) = filter.form {
        let form = query.bind(form.as_uuid());
        conditions.push(format!(" AND form_id = {form}"));
    }
    if !filter.types.is_empty() {
        let types: Vec<String> = filter.types.iter().map(ToString::to_string).collect();
        let types = query.bind(types);
        let is_one = query.dialect().any_text("type", &types);
        conditions.push(format!(" AND {is_one}"));
    }
    conditions.concat()
}

#[async_trait]
impl ReadEvents for Transaction {
    async fn event_log(&mut self) -> StoreResult<EventLog> {
        read_log(self, "").await
    }

    async fn events(
        &mut self,
        window: EventWindow,
        filter: &EventFilter,
    ) -> StoreResult<Vec<Event>> {
        let mut query = Query::new(self.dialect());
        let (after, to) = (query.bind(window.after), query.bind(window.to));
        let passing = passing(&mut query, filter);
        let limit = query.bind(saturated(window.limit));
        let select = query.statement(format!(
            "SELECT position, {COLUMNS} FROM formalize_events AS events WHERE position > {after} \
             AND position <= {to}{passing} \
             ORDER BY position LIMIT {limit}"
        ));
        self.read_all(select, read).await
    }

    async fn event_arrivals(&mut self, limit: u64) -> StoreResult<i64> {
        let select = sql("SELECT count(*) AS arrivals FROM \
             (SELECT 1 FROM formalize_event_arrivals WHERE ordinal > 0 ORDER BY ordinal LIMIT $1) AS waiting")
        .bind(saturated(limit))
        .brief();
        let arrivals =
            |row: &Row| Record::joined("formalize_event_arrivals", "arrivals", row).int("arrivals");
        let arrivals = self.read_one(select, arrivals).await?;
        Ok(arrivals.unwrap_or_default())
    }

    async fn event_audience(&mut self, event: EventId) -> StoreResult<Vec<Subject>> {
        let select = sql(
            "SELECT event_id, subject FROM formalize_event_audience WHERE event_id = $1 ORDER BY subject",
        )
        .bind(event.as_uuid());
        self.read_all(select, |row| {
            Record::joined("formalize_event_audience", "event_id", row)
                .parsed("subject", |text| text.parse())
        })
        .await
    }

    async fn events_told(
        &mut self,
        events: &[EventId],
        subjects: &Subjects,
    ) -> StoreResult<Vec<EventId>> {
        let mut query = Query::new(self.dialect());
        let events: Vec<_> = events.iter().map(|event| event.as_uuid()).collect();
        let (events, subjects) = (query.bind(events), query.bind_subjects(subjects));
        let select = format!(
            "SELECT DISTINCT event_id FROM formalize_event_audience AS event_audience WHERE {} AND {}",
            query.dialect().any_uuid("event_id", &events),
            query.dialect().any_text("subject", &subjects)
        );
        self.read_all(query.statement(select), |row| {
            let record = Record::joined("formalize_event_audience", "event_id", row);
            record.id().map(EventId::from_uuid)
        })
        .await
    }

    async fn event_subscriptions(&mut self) -> StoreResult<Vec<EventSubscription>> {
        let select = sql(
            "SELECT name, position, held_until, epoch, (SELECT epoch FROM formalize_event_log WHERE id = 1) AS current \
             FROM formalize_event_subscriptions ORDER BY name",
        );
        self.read_all(select, |row| {
            let record = Record::joined("formalize_event_subscriptions", "name", row);
            Ok(EventSubscription {
                name: record.text("name")?,
                position: record.int("position")?,
                is_of_earlier_epoch: record.int("epoch")? != record.int("current")?,
                held_until: record.optional_instant("held_until")?,
            })
        })
        .await
    }
}

#[async_trait]
impl WriteEvents for Transaction {
    async fn append_event(&mut self, event: &NewEvent) -> StoreResult<()> {
        self.run(append(self.dialect(), event)).await?;
        self.appended(event.id);
        Ok(())
    }

    async fn insert_audience(&mut self, event: EventId, audience: &Audience) -> StoreResult<()> {
        if audience.0.is_empty() {
            return Ok(());
        }
        let mut query = Query::new(self.dialect());
        let event = query.bind(event.as_uuid());
        let sources: Vec<String> = audience
            .0
            .iter()
            .map(|source| subjects(&mut query, source))
            .collect();
        // UNION returns each subject once.
        let nobody = "SELECT '' AS subject WHERE FALSE";
        let insert = query.statement(format!(
            "INSERT INTO formalize_event_audience (event_id, subject) SELECT {event}, subject \
             FROM ({nobody} UNION {}) AS subjects",
            sources.join(" UNION ")
        ));
        self.run(insert).await.map(drop)
    }

    async fn place_events(&mut self, limit: u64) -> StoreResult<u64> {
        let Some(place) = self.dialect().place_events(COLUMNS) else {
            return Ok(0);
        };
        lock_log(self).await?;
        self.run(sql(place).bind(saturated(limit))).await
    }

    async fn delete_events(&mut self, before: Timestamp, limit: u64) -> StoreResult<u64> {
        let log = lock_log(self).await?;
        let reach = log.purged_to.saturating_add(saturated(limit)).min(log.last);
        let first_kept = sql("SELECT min(position) AS position FROM formalize_events \
             WHERE position > $1 AND position <= $2 AND date >= $3")
        .bind(log.purged_to)
        .bind(reach)
        .bind(before.as_millis());
        let position = |row: &Row| {
            Record::joined("formalize_events", "position", row).optional_int("position")
        };
        let first_kept = self.read_one(first_kept, position).await?.flatten();
        let to = first_kept.map_or(reach, |position| position - 1);
        if to <= log.purged_to {
            return Ok(0);
        }
        let going = sql("SELECT id FROM formalize_events WHERE position > $1 AND position <= $2")
            .bind(log.purged_to)
            .bind(to);
        let ids = self.read_ids("formalize_events", going).await?;
        let is_one = self.dialect().any_uuid("event_id", "$1");
        for table in ["formalize_event_audience", "formalize_event_data"] {
            let delete = format!("DELETE FROM {table} WHERE {is_one}");
            self.run(sql(delete).bind(ids.clone())).await?;
        }
        let deliveries = webhooks::delete_of_events(&is_one);
        self.run(sql(deliveries).bind(ids)).await?;
        let events = sql("DELETE FROM formalize_events WHERE position > $1 AND position <= $2")
            .bind(log.purged_to)
            .bind(to);
        let deleted = self.run(events).await?;
        let update = sql("UPDATE formalize_event_log SET purged_to = $1 WHERE id = 1").bind(to);
        self.run(update.brief()).await?;
        Ok(deleted)
    }

    async fn set_event_epoch(&mut self, epoch: i64) -> StoreResult<()> {
        let update = sql("UPDATE formalize_event_log SET epoch = $1 WHERE id = 1").bind(epoch);
        self.run(update.brief()).await.map(drop)
    }

    async fn lease_event_subscription(
        &mut self,
        name: &str,
        holder: Uuid,
        (now, until): (Timestamp, Timestamp),
    ) -> StoreResult<Option<EventPlace>> {
        let lease = sql(
            "INSERT INTO formalize_event_subscriptions AS event_subscriptions (name, epoch, position, holder, held_until) \
             SELECT $1, epoch, purged_to, $2, $4 FROM formalize_event_log WHERE id = 1 \
             ON CONFLICT (name) DO UPDATE SET holder = $2, held_until = $4 \
             WHERE event_subscriptions.holder IS NULL OR event_subscriptions.holder = $2 \
             OR event_subscriptions.held_until <= $3 RETURNING epoch, position",
        )
        .bind(name)
        .bind(holder)
        .bind(now.as_millis())
        .bind(until.as_millis());
        self.read_one(lease.brief(), |row| {
            let record = Record::joined("formalize_event_subscriptions", "epoch", row);
            Ok(EventPlace {
                epoch: record.int("epoch")?,
                position: record.int("position")?,
            })
        })
        .await
    }

    async fn move_event_subscription(
        &mut self,
        name: &str,
        holder: Uuid,
        place: EventPlace,
    ) -> StoreResult<bool> {
        let update = sql(
            "UPDATE formalize_event_subscriptions SET epoch = $3, position = $4 WHERE name = $1 AND holder = $2",
        )
        .bind(name)
        .bind(holder)
        .bind(place.epoch)
        .bind(place.position);
        Ok(self.run(update.brief()).await? > 0)
    }

    async fn release_event_subscription(&mut self, name: &str, holder: Uuid) -> StoreResult<()> {
        let update = sql(
            "UPDATE formalize_event_subscriptions SET holder = NULL, held_until = NULL \
             WHERE name = $1 AND holder = $2",
        )
        .bind(name)
        .bind(holder);
        self.run(update.brief()).await.map(drop)
    }

    async fn delete_event_subscription(&mut self, name: &str) -> StoreResult<bool> {
        let delete = sql("DELETE FROM formalize_event_subscriptions WHERE name = $1").bind(name);
        Ok(self.run(delete.brief()).await? > 0)
    }
}

/// Locks the extent of the log. Events get positions and are deleted by one transaction at a time.
async fn lock_log(tx: &mut Transaction) -> StoreResult<EventLog> {
    let lock = tx.dialect().lock(Some(Lock::Exclusive));
    read_log(tx, lock).await
}

async fn read_log(tx: &mut Transaction, lock: &str) -> StoreResult<EventLog> {
    let select = sql(format!(
        "SELECT epoch, last, purged_to FROM formalize_event_log WHERE id = 1{lock}"
    ));
    let log = tx.read_one(select.brief(), |row| {
        let record = Record::joined("formalize_event_log", "epoch", row);
        Ok(EventLog {
            epoch: record.int("epoch")?,
            last: record.int("last")?,
            purged_to: record.int("purged_to")?,
        })
    });
    log.await?.ok_or_else(|| {
        StoreError::Failed(
            "table formalize_event_log is empty; restore the database from a backup".to_owned(),
        )
    })
}
