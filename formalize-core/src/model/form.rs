//! Forms and their rules about submissions.

use std::sync::Arc;

use crate::fields::{Field, InvalidFields};
use crate::id::{FormId, Revision};
use crate::model::change::Change;
use crate::model::form_details::{FormDetails, FormDetailsChange, FormName, FrontendKeys};
use crate::model::tag::TagPermissions;
use crate::model::words::{SubmissionState, SubmissionStates, SubmittedActions};
use crate::time::Timestamp;

/// The maximum number of submissions per creator, drafts included: 0 to 2³¹−1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubmissionCap(u32);

impl SubmissionCap {
    /// The largest cap.
    pub const MAX: i64 = MAX_SUBMISSIONS;

    /// Creates a cap.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] outside 0 to 2³¹−1.
    ///
    /// ```
    /// use formalize_core::forms::SubmissionCap;
    ///
    /// assert_eq!(SubmissionCap::new(5)?.get(), 5);
    /// assert!(SubmissionCap::new(-1).is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(cap: i64) -> Result<Self, InvalidFields> {
        number_of_submissions(cap, Field::MaxNumSubmissionsPerCreator).map(Self)
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0 as i64
    }
}

/// The maximum number of submitted submissions of a form, by all creators together: 0 to 2³¹−1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubmissionLimit(u32);

impl SubmissionLimit {
    /// The largest limit.
    pub const MAX: i64 = MAX_SUBMISSIONS;

    /// Creates a limit.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] outside 0 to 2³¹−1.
    ///
    /// ```
    /// use formalize_core::forms::SubmissionLimit;
    ///
    /// assert_eq!(SubmissionLimit::new(300)?.get(), 300);
    /// assert!(SubmissionLimit::new(-1).is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(limit: i64) -> Result<Self, InvalidFields> {
        number_of_submissions(limit, Field::MaxNumSubmissions).map(Self)
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0 as i64
    }
}

const MAX_SUBMISSIONS: i64 = (1 << 31) - 1;

fn number_of_submissions(number: i64, field: Field) -> Result<u32, InvalidFields> {
    u32::try_from(number)
        .ok()
        .filter(|number| i64::from(*number) <= MAX_SUBMISSIONS)
        .ok_or_else(|| InvalidFields::Form(vec![field]))
}

/// The period in which a form accepts submissions, including both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Availability {
    starts: Option<Timestamp>,
    ends: Option<Timestamp>,
}

impl Availability {
    /// Creates a period; `None` leaves that side open.
    ///
    /// # Errors
    ///
    /// [`InvalidFields::Form`] with both fields if the period ends before it starts.
    ///
    /// ```
    /// use formalize_core::forms::Availability;
    ///
    /// let (opens, closes) = ("2026-12-01T08:00:00Z".parse()?, "2026-12-24T18:00:00Z".parse()?);
    /// let window = Availability::new(Some(opens), Some(closes))?;
    /// assert!(window.contains(closes));
    /// assert!(!window.contains("2026-12-25T00:00:00Z".parse()?));
    /// assert!(Availability::new(Some(closes), Some(opens)).is_err());
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(starts: Option<Timestamp>, ends: Option<Timestamp>) -> Result<Self, InvalidFields> {
        match (starts, ends) {
            (Some(start), Some(end)) if start > end => Err(InvalidFields::Form(vec![
                Field::AvailableStarts,
                Field::AvailabilityEnds,
            ])),
            _ => Ok(Self { starts, ends }),
        }
    }

    /// The start; `None` is open.
    pub const fn starts(self) -> Option<Timestamp> {
        self.starts
    }

    /// The end; `None` is open.
    pub const fn ends(self) -> Option<Timestamp> {
        self.ends
    }

    /// Whether `now` is within the period.
    pub fn contains(self, now: Timestamp) -> bool {
        self.starts.is_none_or(|start| start <= now) && self.ends.is_none_or(|end| now <= end)
    }
}

/// The rules of a form about its submissions.
///
/// ```
/// use formalize_core::{SubmissionRules, SubmissionState, forms::{SubmissionCap, SubmittedAction}};
///
/// // Drafts are allowed, and creators may read what they have submitted, once each.
/// let rules = SubmissionRules {
///     allowed_states: SubmissionState::ALL.iter().copied().collect(),
///     allowed_actions_when_submitted: [SubmittedAction::Read].into_iter().collect(),
///     cap: Some(SubmissionCap::new(1)?),
///     ..SubmissionRules::default()
/// };
/// assert!(rules.allowed_states.contains(SubmissionState::Draft));
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubmissionRules {
    /// Whether access to submissions follows from grants. If not, creators have access to their own.
    pub grant_based: bool,
    /// The actions that creators or grantees have on submitted submissions.
    pub allowed_actions_when_submitted: SubmittedActions,
    /// The states that submissions may have; must not be empty.
    pub allowed_states: SubmissionStates,
    /// When the form accepts submissions.
    pub availability: Availability,
    /// The maximum number of submissions per creator; `None` is unlimited.
    pub cap: Option<SubmissionCap>,
    /// The maximum number of submitted submissions, by all creators together; `None` is unlimited.
    pub limit: Option<SubmissionLimit>,
    /// What submitters may do with tags.
    pub tag_permissions: TagPermissions,
}

impl Default for SubmissionRules {
    fn default() -> Self {
        Self {
            grant_based: false,
            allowed_actions_when_submitted: SubmittedActions::NONE,
            allowed_states: [SubmissionState::Submitted].into_iter().collect(),
            availability: Availability::default(),
            cap: None,
            limit: None,
            tag_permissions: TagPermissions::default(),
        }
    }
}

/// A form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The identifier.
    pub id: FormId,
    /// The display name.
    pub name: FormName,
    /// The JSON Schema of submitted data, unchanged.
    pub data_feed_schema: Option<Arc<str>>,
    /// The rules about submissions.
    pub rules: SubmissionRules,
    /// Its other names, and what applications keep with it.
    pub details: FormDetails,
    /// The time of creation.
    pub date_created: Timestamp,
    /// The current revision.
    pub revision: Revision,
}

impl Form {
    /// The number of bytes of its texts that may be large: the schema and the [details](FormDetails).
    pub fn bytes(&self) -> usize {
        self.data_feed_schema.as_ref().map_or(0, |text| text.len()) + self.details.bytes()
    }
}

/// A form to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewForm {
    /// The display name.
    pub name: FormName,
    /// The JSON Schema of submitted data; see [`DataSchema`](crate::DataSchema). It is compiled only for callers who may
    /// create the form.
    pub data_feed_schema: Option<String>,
    /// The rules about submissions.
    pub rules: SubmissionRules,
    /// Its other names, and what applications keep with it.
    pub details: FormDetails,
}

impl NewForm {
    /// A form without schema, with the default rules.
    ///
    /// ```
    /// use formalize_core::{FormName, NewForm};
    ///
    /// let new = NewForm {
    ///     data_feed_schema: Some(r#"{"required": ["email"]}"#.to_owned()),
    ///     ..NewForm::new(FormName::new("Newsletter")?)
    /// };
    /// # Ok::<(), formalize_core::Error>(())
    /// ```
    pub fn new(name: FormName) -> Self {
        Self {
            name,
            data_feed_schema: None,
            rules: SubmissionRules::default(),
            details: FormDetails::default(),
        }
    }
}

/// Changes of a form. `None` and [`Change::Keep`] keep the value of a field.
///
/// ```
/// use formalize_core::{Change, FormChange, FormName};
///
/// // Renames a form, removes its schema and keeps everything else.
/// let change = FormChange {
///     name: Some(FormName::new("Registration")?),
///     data_feed_schema: Change::Clear,
///     ..FormChange::default()
/// };
/// # Ok::<(), formalize_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct FormChange {
    /// The new name.
    pub name: Option<FormName>,
    /// The new schema. It is compiled only for callers who may change the form.
    pub data_feed_schema: Change<String>,
    /// Whether access follows from grants; can only change while the form has no submissions.
    pub grant_based: Option<bool>,
    /// The new actions.
    pub allowed_actions_when_submitted: Option<SubmittedActions>,
    /// The new states.
    pub allowed_states: Option<SubmissionStates>,
    /// The new start of the period.
    pub available_starts: Change<Timestamp>,
    /// The new end of the period.
    pub availability_ends: Change<Timestamp>,
    /// The new cap.
    pub cap: Change<SubmissionCap>,
    /// The new limit. If it is below the number of submitted submissions, nothing is deleted.
    pub limit: Change<SubmissionLimit>,
    /// What submitters may do with tags from now on.
    pub tag_permissions: Option<TagPermissions>,
    /// The new details.
    pub details: FormDetailsChange,
}

/// Selects forms for a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FormFilter {
    /// Only forms of which the caller may read all submissions, or that hold a submission that the caller may read.
    pub where_read_form_submissions_granted: bool,
    /// Only forms with these keys.
    pub frontend_keys: FrontendKeys,
}
