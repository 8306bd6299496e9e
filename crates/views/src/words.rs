//! The words of forms and submissions.

use formalize_core::{self as core, forms::SubmittedAction};
use serde::Serialize;

/// Declares words as other programs see them, each of which stands for the same one of the library.
macro_rules! words {
    ($($(#[$about:meta])+ $name:ident for $of:ty { $($(#[$of_word:meta])+ $word:ident,)+ })+) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "openapi", derive(poem_openapi::Enum), oai(rename_all = "lowercase"))]
        #[serde(rename_all = "lowercase")]
        $(#[$about])+
        pub enum $name {
            $($(#[$of_word])+ $word,)+
        }

        impl From<$of> for $name {
            fn from(word: $of) -> Self {
                match word {
                    $(<$of>::$word => Self::$word,)+
                }
            }
        }
    )+};
}

words! {
    /// Whether a submission is submitted or a draft.
    SubmissionState for core::SubmissionState {
        /// A draft: the data need not match the schema.
        Draft,
        /// Submitted.
        Submitted,
    }

    /// An action that is still allowed on a submitted submission.
    #[cfg_attr(feature = "openapi", oai(rename = "SubmittedAction"))]
    ActionWhenSubmitted for SubmittedAction {
        /// Read it.
        Read,
        /// Update it.
        Update,
        /// Delete it.
        Delete,
        /// All of these, and sharing it.
        Manage,
    }

    /// An action on the tags of submissions.
    TagAction for core::forms::TagAction {
        /// See them.
        Read,
        /// Add tags.
        Add,
        /// Remove tags.
        Remove,
    }
}
