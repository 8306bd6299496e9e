//! Fills the log of events, and keeps responses to requests with an idempotency key.

use std::sync::Arc;
use std::time::Duration;

use formalize_core::store::Inserted;
use formalize_core::{
    Action, Clock, FormId, Store, Subject, SubmissionId, SystemClock, UserId,
    events::{EventData, EventId, EventType, NewEvent},
    idempotency::{Fingerprint, IdempotencyKey, KeptResponse},
};

use super::{BATCH, DATA, READER, Seed};
use crate::Result;

/// How old the events are: older than events are usually kept.
const AGE: Duration = Duration::from_hours(30 * 24);

/// The number of submissions that the events are about, in turn.
const SUBMISSIONS: usize = 100;

/// Events that follow each other.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    events: usize,
    is_visible: bool,
}

impl Stretch {
    /// Events that [`READER`] may not see.
    pub const fn hidden(events: usize) -> Self {
        Self {
            events,
            is_visible: false,
        }
    }

    /// Events that [`READER`] may see.
    pub const fn visible(events: usize) -> Self {
        Self {
            events,
            is_visible: true,
        }
    }
}

/// Appends events about submissions of two forms, of which [`READER`] may read one.
///
/// # Errors
///
/// If the store fails.
pub async fn log(store: Arc<dyn Store>, stretches: &[Stretch]) -> Result<()> {
    let mut seed = Seed::new(Arc::clone(&store))?;
    seed.now = SystemClock.now().saturating_sub(AGE);
    let reader = Subject::User(UserId::new(READER)?);
    let hidden = seed.submissions(None).await?;
    let visible = seed.submissions(Some(&reader)).await?;
    for stretch in stretches {
        let (form, submissions) = if stretch.is_visible {
            &visible
        } else {
            &hidden
        };
        for submission in submissions.iter().cycle().take(stretch.events) {
            seed.event(*form, *submission).await?;
        }
    }
    seed.commit().await?;
    // Gives positions to them.
    let limit = u64::try_from(BATCH)?;
    loop {
        let mut tx = store.write().await?;
        let placed = tx.write_events()?.place_events(limit).await?;
        tx.commit().await?;
        if placed < limit {
            return Ok(());
        }
    }
}

/// Keeps this number of responses that have expired.
///
/// # Errors
///
/// If the store fails.
pub async fn expired_keys(store: Arc<dyn Store>, number: usize) -> Result<()> {
    let mut seed = Seed::new(store)?;
    seed.now = SystemClock.now().saturating_sub(AGE);
    for key in 0..number {
        let kept = KeptResponse {
            owner: UserId::new(READER)?,
            key: IdempotencyKey::new(format!("expired {key}"))?,
            fingerprint: Fingerprint([0; 32]),
            response: DATA.to_owned(),
            date_expires: seed.now,
        };
        let now = seed.now;
        if seed
            .tx()
            .await?
            .write_kept_responses()?
            .keep_response(&kept, now)
            .await?
            == Inserted::Exists
        {
            return Err("the key is used".into());
        }
    }
    seed.commit().await
}

impl Seed {
    /// A form with submissions, which `reader` may read.
    async fn submissions(
        &mut self,
        reader: Option<&Subject>,
    ) -> Result<(FormId, Vec<SubmissionId>)> {
        let form = self.form(None).await?;
        if let Some(reader) = reader {
            self.grant(reader, Action::READ_SUBMISSIONS, &form.resource)
                .await?;
        }
        let mut submissions = Vec::new();
        for _ in 0..SUBMISSIONS {
            submissions.push(self.submission(&form, &UserId::new("somebody")?).await?);
        }
        Ok((form.id, submissions))
    }

    async fn event(&mut self, form: FormId, submission: SubmissionId) -> Result<()> {
        let somebody = UserId::new("somebody")?;
        let event = NewEvent {
            id: EventId::from_uuid(self.id()),
            timestamp: self.now,
            event_type: EventType::SubmissionUpdated,
            data: EventData::Submission {
                submission,
                form,
                creator: somebody.clone(),
                by: somebody,
            },
        };
        Ok(self
            .tx()
            .await?
            .write_events()?
            .append_event(&event)
            .await?)
    }
}
