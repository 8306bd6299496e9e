//! How records of forms begin and change: what only use cases with forms do.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::change::Change;
use super::form::{Availability, Form, FormChange, SubmissionCap, SubmissionRules};
use super::idempotency::{IdempotencyKey, KeyedRequest};
use super::link::{FormLink, FormLinkChange, NewFormLink};
use super::subject::{LinkCaller, UserId};
use super::submission::RequestedState;
use super::words::SubmissionState;
use crate::fields::InvalidFields;
use crate::id::{LinkId, Revision};
use crate::time::Timestamp;

impl<T> Change<T> {
    /// The value after the change.
    pub(crate) fn apply(self, old: Option<T>) -> Option<T> {
        match self {
            Self::Keep => old,
            Self::Clear => None,
            Self::Set(new) => Some(new),
        }
    }
}

impl FormChange {
    /// The form after the change.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] if the period ends before it starts, or the details are too large.
    pub(crate) fn apply(self, form: &Form, revision: Revision) -> Result<Form, InvalidFields> {
        let old = form.rules;
        let availability = Availability::new(
            self.available_starts.apply(old.availability.starts()),
            self.availability_ends.apply(old.availability.ends()),
        )?;
        let data_feed_schema = match self.data_feed_schema {
            Change::Keep => form.data_feed_schema.clone(),
            Change::Clear => None,
            Change::Set(schema) => Some(schema.into()),
        };
        let rules = SubmissionRules {
            grant_based: self.grant_based.unwrap_or(old.grant_based),
            allowed_actions_when_submitted: self
                .allowed_actions_when_submitted
                .unwrap_or(old.allowed_actions_when_submitted),
            allowed_states: self.allowed_states.unwrap_or(old.allowed_states),
            availability,
            cap: self.cap.apply(old.cap),
            limit: self.limit.apply(old.limit),
            tag_permissions: self.tag_permissions.unwrap_or(old.tag_permissions),
        };
        let name = self.name.unwrap_or_else(|| form.name.clone());
        Ok(Form {
            id: form.id,
            name,
            data_feed_schema,
            rules,
            details: self.details.apply(&form.details)?,
            date_created: form.date_created,
            revision,
        })
    }
}

impl RequestedState {
    /// The state that is requested for a submission in this state; `None` for a new one.
    pub(crate) fn of_submission_in(self, current: Option<SubmissionState>) -> Self {
        match self {
            Self::Unchanged => current.map_or_else(Self::default, Self::Known),
            requested => requested,
        }
    }
}

impl FormLink {
    pub(crate) fn is_valid(&self, now: Timestamp) -> bool {
        self.date_expires.is_none_or(|end| now < end)
    }
}

impl NewFormLink {
    /// The link, created now by this user.
    pub(crate) fn make(
        self,
        id: LinkId,
        revision: Revision,
        creator: UserId,
        now: Timestamp,
    ) -> FormLink {
        FormLink {
            id,
            form: self.form,
            label: self.label,
            date_expires: self.date_expires,
            cap: self.cap,
            num_submissions: 0,
            once_per_browser: self.once_per_browser,
            embed_origins: self.embed_origins,
            creator,
            date_created: now,
            revision,
        }
    }
}

impl FormLinkChange {
    /// The link after the change.
    pub(crate) fn apply(self, link: FormLink, revision: Revision) -> FormLink {
        FormLink {
            label: self.label.apply(link.label),
            date_expires: self.date_expires.apply(link.date_expires),
            cap: self.cap.apply(link.cap),
            once_per_browser: self.once_per_browser.unwrap_or(link.once_per_browser),
            embed_origins: self.embed_origins.unwrap_or(link.embed_origins),
            revision,
            ..link
        }
    }
}

impl LinkCaller {
    /// The cap of the link.
    pub(crate) fn cap(&self) -> Option<SubmissionCap> {
        self.cap
    }
}

impl IdempotencyKey {
    /// A key that is made of texts without control characters. No client would choose it.
    pub(crate) fn derived(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
            hash.update("\n");
        }
        Self(format!("derived:{}", HEXLOWER.encode(&hash.finalize())))
    }
}

impl KeyedRequest {
    /// A part of the request, which can be performed by itself.
    pub(crate) fn part(&self, index: usize) -> Self {
        Self {
            key: IdempotencyKey::derived(&["part", self.key.as_str(), &index.to_string()]),
            ..self.clone()
        }
    }
}
