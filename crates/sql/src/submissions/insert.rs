//! The statement that inserts a submission and takes its places.

use formalize_core::events::EventId;
use formalize_core::events::EventType;
use formalize_core::forms::{SubmissionCap, SubmissionLimit};
use formalize_core::internals::tags_and_files;
use formalize_core::webhooks::FrozenSubmission;
use formalize_core::{Revision, Submission, SubmissionState};

use crate::driver::{Dialect, FixedText, Lock, Statement, sql};
use crate::reach::state_bit;
use crate::{events, kept_forms, webhooks};

/// Inserts a submission if its form `$1` has the revision `$11`, the creator `$2` has a free place under the cap `$3`, and
/// the form has a free place under the limit `$12` if the submission needs one. The form is locked. Transactions that
/// race for the last place wait for the row of the form or of the creator.
///
/// With `event`, the same statement appends the event of the submission. Its arguments follow the others; the rest are
/// those of the submission, as in [`NewEvent::of_submission`].
///
/// A single statement, because each costs a round trip.
pub(crate) fn submit(
    dialect: Dialect,
    submission: &Submission,
    form: Revision,
    (cap, limit): (Option<SubmissionCap>, Option<SubmissionLimit>),
    event: Option<EventId>,
) -> Statement<'_> {
    static UNLIMITED: FixedText = FixedText::new();
    static UNLIMITED_LOGGED: FixedText = FixedText::new();
    static LIMITED: FixedText = FixedText::new();
    static LIMITED_LOGGED: FixedText = FixedText::new();
    let limit = limit_of(submission, limit);
    let text = match (limit, event) {
        (None, None) => UNLIMITED.get(dialect, || unlimited(dialect, None)),
        (None, Some(_)) => UNLIMITED_LOGGED.get(dialect, || {
            let logged = Logged::new(dialect, ["$12", "$13", "$14", "$15"]);
            unlimited(dialect, Some(&logged))
        }),
        (Some(_), None) => LIMITED.get(dialect, || limited(dialect, None)),
        (Some(_), Some(_)) => LIMITED_LOGGED.get(dialect, || {
            let logged = Logged::new(dialect, ["$13", "$14", "$15", "$16"]);
            limited(dialect, Some(&logged))
        }),
    };
    let mut submit = sql(text)
        .bind(submission.form.as_uuid())
        .bind(submission.creator.as_str())
        .bind(cap.map(SubmissionCap::get))
        .bind(submission.id.as_uuid())
        .bind(state_bit(submission.state))
        .bind(submission.last_modified_by.as_str())
        .bind(submission.date_created.as_millis())
        .bind(submission.date_last_modified.as_millis())
        .bind(submission.revision.as_uuid())
        .bind(submission.data.as_deref())
        .bind(form.as_uuid());
    if let Some(limit) = limit {
        submit = submit.bind(limit.get());
    }
    if let Some(event) = event {
        let event_type = EventType::of_new_submission(submission.state);
        submit = submit
            .bind(event.as_uuid())
            .bind(event_type.as_str())
            .bind(frozen_at(submission))
            .bind(tags_and_files(submission));
    }
    submit.brief()
}

/// The event at which the data of a new submission may be kept for webhooks; zero if it never is.
pub(crate) fn frozen_at(submission: &Submission) -> i64 {
    let event_type = EventType::of_new_submission(submission.state);
    if FrozenSubmission::fits(submission) {
        webhooks::frozen_event(event_type)
    } else {
        0
    }
}

fn unlimited(dialect: Dialect, then: Option<&Logged>) -> String {
    let place = place_of_creator("formalize_forms AS forms", dialect.lock(Some(Lock::Shared)));
    insert_after(dialect, &place, &[INSERT], then)
}

fn limited(dialect: Dialect, then: Option<&Logged>) -> String {
    let lock = [
        dialect.lock_of(Lock::Shared, "forms"),
        dialect.lock_of(Lock::Exclusive, "form_places"),
    ];
    let with_place = "formalize_forms AS forms JOIN formalize_form_places AS form_places \
         ON form_places.form_id = forms.id AND form_places.taken < $12";
    let place = place_of_creator(with_place, &lock.concat());
    let count = [
        "INSERT INTO formalize_form_places AS form_places (form_id, taken)",
        "SELECT $1, 1",
        " ON CONFLICT (form_id) DO UPDATE SET taken = form_places.taken + 1",
    ];
    insert_after(dialect, &place, &[count, INSERT], then)
}

fn insert_after(
    dialect: Dialect,
    first: &str,
    inserts: &[[&str; 3]],
    then: Option<&Logged>,
) -> String {
    let (then, aside) = match then {
        Some(logged) => (logged.event.as_slice(), Some(&logged.data)),
        None => (&[] as &[_], None),
    };
    let then = then
        .iter()
        .map(|insert| insert.each_ref().map(String::as_str));
    let inserts: Vec<_> = inserts.iter().copied().chain(then).collect();
    let aside = aside.map(|insert| insert.each_ref().map(String::as_str));
    dialect.insert_after(first, &inserts, aside)
}

/// The inserts that append the event of a submission, and that keep its data if a webhook wants it.
struct Logged {
    event: Vec<[String; 3]>,
    data: [String; 3],
}

impl Logged {
    fn new(dialect: Dialect, [id, event_type, frozen, tags_and_files]: [&str; 4]) -> Self {
        let values = format!("{id}, {event_type}, $7, $4, $1, $2, $6");
        Self {
            event: dialect.append_event(events::OF_SUBMISSIONS, &values),
            data: [
                webhooks::INSERT_DATA.to_owned(),
                format!("SELECT {id}, $4, $10, $6, $7, $8, {tags_and_files}"),
                webhooks::freeze_condition("$1", frozen),
            ],
        }
    }
}

/// The limit that applies to a new submission. Drafts take no place of the form.
pub(crate) fn limit_of(
    submission: &Submission,
    limit: Option<SubmissionLimit>,
) -> Option<SubmissionLimit> {
    limit.filter(|_| submission.state == SubmissionState::Submitted)
}

/// Takes a place of the creator if `form`, the text after `FROM`, has a row.
fn place_of_creator(form: &str, lock: &str) -> String {
    format!(
        "INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken) \
         SELECT forms.id, $2, 1 FROM {form} \
         WHERE forms.id = $1 AND forms.revision = $11 AND {} AND ($3 IS NULL OR $3 > 0){lock} \
         ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + 1 \
         WHERE $3 IS NULL OR submission_places.taken < $3",
        kept_forms::KEPT
    )
}

const INSERT: [&str; 3] = [
    "INSERT INTO formalize_submissions (form_id, creator, id, state, last_modified_by, date_created, \
     date_last_modified, revision, data)",
    "SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10",
    "",
];
