//! Submissions to one form that are created together.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::id::{FormId, SubmissionId};
use crate::model::idempotency::{Fingerprint, IdempotencyKey, KeyedRequest};
use crate::model::submission::{NewSubmission, RequestedState, Submission};
use crate::model::text::opaque_texts;
use crate::model::words::SubmissionState;
use crate::time::Timestamp;

opaque_texts! {
    /// A key that a client chooses for a submission of a batch, which is then created once. Keys belong to their user and the
    /// form.
    ItemKey in submissions;
}

/// Submissions to one form that are created together.
///
/// ```
/// use formalize_core::{FormId, submissions::{BatchItem, ItemKey, SubmissionBatch}};
///
/// let form: FormId = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b".parse()?;
/// let mut item = BatchItem::new(r#"{"name": "Bob"}"#);
/// item.key = Some(ItemKey::new("row 17")?);
/// let batch = SubmissionBatch::new(form, vec![item])?;
/// assert!(batch.is_atomic);
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionBatch {
    /// The form.
    pub form: FormId,
    /// Whether either all submissions are created or none. This is the default.
    pub is_atomic: bool,
    /// How long the keys of submissions are remembered. The default is a day.
    pub key_retention: Duration,
    items: Vec<BatchItem>,
}

impl SubmissionBatch {
    /// The maximum number of submissions in a batch.
    pub const MAX_ITEMS: usize = 1_000;

    /// The maximum number of submissions for which a refusal has reasons in detail.
    pub const MAX_DETAILED: usize = 64;

    /// Creates an atomic batch.
    ///
    /// # Errors
    ///
    /// [`BatchTooLarge`] if there are more than [`SubmissionBatch::MAX_ITEMS`] submissions.
    pub fn new(form: FormId, items: Vec<BatchItem>) -> Result<Self, BatchTooLarge> {
        ensure!(items.len() <= Self::MAX_ITEMS, BatchTooLarge);
        Ok(Self {
            form,
            is_atomic: true,
            key_retention: Duration::from_hours(24),
            items,
        })
    }

    /// The submissions.
    pub fn items(&self) -> &[BatchItem] {
        &self.items
    }

    /// The request for one of the submissions by its own key, if it has one.
    pub(crate) fn keyed(&self, item: &BatchItem) -> Option<KeyedRequest> {
        let key = item.key.as_ref()?;
        Some(KeyedRequest {
            key: IdempotencyKey::derived(&[&self.form.to_string(), key.as_str()]),
            fingerprint: item.fingerprint(),
            retention: self.key_retention,
        })
    }
}

/// A batch with more than [`SubmissionBatch::MAX_ITEMS`] submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a batch must not have more than {} submissions",
    SubmissionBatch::MAX_ITEMS
)]
pub struct BatchTooLarge;

/// A submission to create in a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchItem {
    /// The data as JSON.
    pub data: Option<String>,
    /// The state.
    pub state: RequestedState,
    /// The tags.
    pub tags: Vec<String>,
    /// If a submission was created with this key before, none is created, provided that its data, state and tags were the same.
    pub key: Option<ItemKey>,
}

impl BatchItem {
    /// A submission of JSON data, without a key.
    pub fn new(data: impl Into<String>) -> Self {
        Self {
            data: Some(data.into()),
            state: RequestedState::default(),
            tags: Vec::new(),
            key: None,
        }
    }

    pub(crate) fn submission_to(&self, form: FormId) -> NewSubmission {
        NewSubmission {
            tags: self.tags.clone(),
            form,
            data: self.data.clone(),
            state: self.state.clone(),
        }
    }

    /// The hash of what the submission consists of.
    fn fingerprint(&self) -> Fingerprint {
        let state = match &self.state {
            RequestedState::Known(state) => state.as_str(),
            // A new submission becomes submitted.
            RequestedState::Unchanged => SubmissionState::Submitted.as_str(),
            RequestedState::Unknown(word) => word,
        };
        let mut hash = Sha256::new();
        hash.update([u8::from(self.data.is_some())]);
        for part in [state, "\n", self.data.as_deref().unwrap_or_default()] {
            hash.update(part);
        }
        // Requests that were fingerprinted without tags keep their fingerprints.
        for tag in &self.tags {
            hash.update("\0");
            hash.update(tag);
        }
        Fingerprint(hash.finalize().into())
    }
}

/// A submission that a batch created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchedSubmission {
    /// The identifier.
    pub id: SubmissionId,
    /// The state with which it was created.
    pub state: SubmissionState,
    /// The time of creation.
    pub date_created: Timestamp,
}

impl From<&Submission> for BatchedSubmission {
    fn from(submission: &Submission) -> Self {
        Self {
            id: submission.id,
            state: submission.state,
            date_created: submission.date_created,
        }
    }
}

impl BatchedSubmission {
    /// The text that is kept for when the submission is sent again.
    pub(crate) fn to_kept(self) -> String {
        format!("{} {} {}", self.id, self.state.as_str(), self.date_created)
    }

    /// Reads the text that was kept.
    pub(crate) fn of_kept(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        Some(Self {
            id: words.next()?.parse().ok()?,
            state: words.next()?.parse().ok()?,
            date_created: words.next()?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn item(data: Option<&str>, state: &str) -> BatchItem {
        BatchItem {
            data: data.map(str::to_owned),
            state: RequestedState::from_word(state),
            tags: Vec::new(),
            key: ItemKey::new("\u{e4}").ok(),
        }
    }

    #[test]
    fn a_batch_is_bounded() {
        let form = FormId::from_uuid(Uuid::nil());
        let batch = |items| SubmissionBatch::new(form, vec![BatchItem::new("{}"); items]);
        assert!(batch(SubmissionBatch::MAX_ITEMS).is_ok());
        let refused = batch(SubmissionBatch::MAX_ITEMS + 1);
        assert!(matches!(refused, Err(BatchTooLarge)));
    }

    #[test]
    fn what_is_kept_can_be_read() {
        let created = BatchedSubmission {
            id: SubmissionId::from_uuid(Uuid::max()),
            state: SubmissionState::Draft,
            date_created: Timestamp::from_millis(1_800_000_000_001).unwrap(),
        };
        let kept = created.to_kept();
        assert_eq!(BatchedSubmission::of_kept(&kept), Some(created));
        assert_eq!(BatchedSubmission::of_kept("{}"), None);
    }

    #[test]
    fn items_differ_in_data_and_state() {
        let one = item(Some("{}"), "draft").fingerprint();
        assert_eq!(one, item(Some("{}"), "draft").fingerprint());
        for other in [
            item(Some("{ }"), "draft"),
            item(Some("{}"), "submitted"),
            item(Some("{}"), "later"),
            item(None, "draft"),
            BatchItem {
                tags: vec!["a".to_owned()],
                ..item(Some("{}"), "draft")
            },
        ] {
            assert_ne!(one, other.fingerprint());
        }
        assert_ne!(
            item(None, "draft").fingerprint(),
            item(Some(""), "draft").fingerprint()
        );
    }

    #[test]
    fn keys_belong_to_a_form() {
        let key = |form: Uuid| {
            let batch = SubmissionBatch::new(FormId::from_uuid(form), Vec::new()).unwrap();
            batch.keyed(&item(None, "draft")).unwrap().key
        };
        assert_eq!(key(Uuid::nil()), key(Uuid::nil()));
        assert_ne!(key(Uuid::nil()), key(Uuid::max()));
    }
}
