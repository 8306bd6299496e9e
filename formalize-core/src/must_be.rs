//! What the values of fields must be: the ends of sentences such as "name must be …", for messages of programs that read
//! such values. The reasons of an [`Error`](crate::Error) have the same words.
//!
//! ```
//! use formalize_core::{Field, GroupName, must_be};
//!
//! let refused = GroupName::new("").unwrap_err();
//! let sentence = format!("{} must be {}", Field::Name, must_be::GROUP_NAME);
//! assert_eq!(refused.reasons(), [sentence]);
//! ```

/// The name of a group.
pub const GROUP_NAME: &str =
    "a string of 1 to 128 characters that is not blank and has no control characters";
/// The name of a form.
pub const FORM_NAME: &str =
    "a string of 1 to 256 characters that is not blank and has no control characters";
/// The identifier of a user who holds something.
pub const USER: &str =
    "a string of 1 to 255 characters without control characters, and not begin with `link:`";
/// A short text, such as the label of a link or an idempotency key.
pub const TEXT: &str = "a string of 1 to 255 characters without control characters";
/// Names of a form in other languages.
pub const NAMES: &str = "an object of up to 50 names, whose members are language tags such as `de-AT` and strings of 1 to \
     256 characters that are not blank and have no control characters";
/// The key of a user interface.
pub const FRONTEND_KEY: &str =
    "a string of 1 to 50 of the characters A-Z, a-z, 0-9, `.`, `_`, `~` and `-`";
/// Additional data of a form.
pub const ADDITIONAL_DATA: &str = "an object or an array of at most 64 KiB, with at most 16 objects and arrays within each \
     other";
/// The tags that a form has for submissions.
pub const AVAILABLE_TAGS: &str = "an array of up to 200 objects, each with an `identifier` of 1 to 128 characters, together at most 64 KiB";
/// Actions on tags.
pub const TAG_ACTIONS: &str = "one of the arrays `[]`, `[\"read\"]`, `[\"read\", \"add\"]` and `[\"read\", \"add\", \"remove\"]`";
/// States of submissions that a form allows.
pub const STATES: &str = "an array with at least one of `draft` and `submitted`";
/// The state of a submission.
pub const STATE: &str = "`draft` or `submitted`";
/// Actions on submitted submissions.
pub const SUBMITTED_ACTIONS: &str = "an array of `read`, `update`, `delete` and `manage`";
/// A cap on submissions of a form.
pub const CAP: &str = "a whole number from 0 to 2147483647";
/// A cap on submissions through a link.
pub const LINK_CAP: &str = "a whole number from 1 to 2147483647";
/// A day or an instant.
pub const TIME: &str = "a date such as 2026-12-31 or a timestamp such as 2026-12-31T18:00:00Z";
/// An instant.
pub const MOMENT: &str = "a timestamp such as 2026-12-31T18:00:00Z";
/// Origins of web pages.
pub const ORIGINS: &str = "an array of up to 20 origins such as `https://example.org`, at most 2048 bytes together; \
     `http://` is for loopback addresses only";
/// The types of the events that a webhook sends.
pub const EVENT_TYPES: &str = "an array with at least one of `submission.submitted`, `submission.updated`, \
     `submission.deleted`, `form.updated`, `form.cleared` and `form.deleted`; for webhooks of all forms also `form.created`, \
     `group.created`, `group.updated`, `group.deleted`, `member.added`, `member.removed`, `grant.created`, `grant.deleted`, \
     `resource.registered`, `resource.deregistered` and `webhook.disabled`";
