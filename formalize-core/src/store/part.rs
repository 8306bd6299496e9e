//! The records that a store need not keep.

/// A kind of record that a store need not keep. A use case that needs it is then refused with
/// [`Error::NotConfigured`](crate::Error::NotConfigured).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Forms.
    Forms,
    /// Submissions. They need forms.
    Submissions,
    /// Records of the files of submissions.
    Files,
    /// Public links to forms.
    Links,
    /// API tokens and sessions.
    Tokens,
    /// Responses to requests with an idempotency key. Without them, such a request is refused, because it could be performed
    /// twice.
    KeptResponses,
    /// The event log. Without it, nothing is logged.
    Events,
    /// Webhooks. They need events.
    Webhooks,
}

impl Part {
    /// All parts.
    pub const ALL: &[Self] = &[
        Self::Forms,
        Self::Submissions,
        Self::Files,
        Self::Links,
        Self::Tokens,
        Self::KeptResponses,
        Self::Events,
        Self::Webhooks,
    ];

    /// The part in plain words, as in "the store keeps no public links".
    ///
    /// ```
    /// use formalize_core::store::{Part, StoreError};
    ///
    /// assert_eq!(Part::Links.as_str(), "public links");
    /// let missing = StoreError::NotConfigured(Part::Links);
    /// assert_eq!(missing.to_string(), "the store keeps no public links");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Forms => "forms",
            Self::Submissions => "submissions",
            Self::Files => "files of submissions",
            Self::Links => "public links",
            Self::Tokens => "API tokens and sessions",
            Self::KeptResponses => "responses to requests with an idempotency key",
            Self::Events => "events",
            Self::Webhooks => "webhooks",
        }
    }
}
