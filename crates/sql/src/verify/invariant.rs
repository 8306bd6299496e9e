//! Invariants between rows, each with a condition that is true for rows that violate it.

use formalize_core::internals::SUBSCRIPTION_PREFIX;
use formalize_core::{Action, ResourceClass, SubmissionState};
use uuid::Uuid;

use super::FindingKind;
use crate::driver::{Dialect, Statement, sql};
use crate::kept_forms::{KEPT, is_kept};
use crate::query::alias;
use crate::reach::state_bit;

/// A violation of an invariant.
pub(super) struct Invariant {
    pub(super) kind: FindingKind,
    pub(super) table: &'static str,
    /// The message about a row that satisfies the condition.
    pub(super) what: &'static str,
    condition: fn(Dialect) -> String,
}

impl Invariant {
    /// The next violations after an identifier, in order.
    pub(super) fn select(&self, dialect: Dialect, after: Uuid, limit: i64) -> Statement<'static> {
        let table = self.table;
        let name = alias(table);
        // A form has one row there, or one for each creator.
        let counts_places = table.ends_with("_places");
        let id = if counts_places { "form_id" } else { "id" };
        let condition = (self.condition)(dialect);
        sql(format!(
            "SELECT DISTINCT {name}.{id} AS id FROM {table} AS {name} \
             WHERE {name}.{id} > $1 AND ({condition}) ORDER BY 1 LIMIT $2"
        ))
        .bind(after)
        .bind(limit)
    }
}

const GROUP: ResourceClass = ResourceClass::GROUP;
const FORM: ResourceClass = ResourceClass::FORM;
const COLLECTION: ResourceClass = ResourceClass::SUBMISSION_COLLECTION;
const SUBMISSION: ResourceClass = ResourceClass::SUBMISSION;

/// A condition: no row of another table has this identifier.
fn nowhere(table: &str, id: &str) -> String {
    format!("NOT EXISTS (SELECT 1 FROM formalize_{table} AS {table} WHERE {table}.id = {id})")
}

/// A condition: a column that may be null refers to no row of another table.
fn dangling(table: &str, id: &str) -> String {
    format!("{id} IS NOT NULL AND {}", nowhere(table, id))
}

/// A condition: no resource of a class belongs to the row.
fn without_resource(table: &str, class: &ResourceClass) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM formalize_resources AS resources \
         WHERE resources.anchor = {table}.id AND resources.class = '{class}')"
    )
}

/// A condition: a resource is an item of a class and belongs to no record.
fn about_nothing(class: &ResourceClass, table: &str) -> String {
    format!(
        "resources.class = '{class}' AND resources.identifier <> '' AND {}",
        nowhere(table, "resources.anchor")
    )
}

/// A condition: a webhook has no place in the event log.
fn unread(dialect: Dialect) -> String {
    let id = dialect.uuid_text("webhooks.id");
    format!(
        "NOT EXISTS (SELECT 1 FROM formalize_event_subscriptions AS event_subscriptions \
         WHERE event_subscriptions.name = '{SUBSCRIPTION_PREFIX}' || {id})"
    )
}

macro_rules! invariants {
    ($dialect:ident; $($kind:ident in $table:ident: $what:literal if $condition:expr;)+) => {
        /// All invariants. Those whose violations explain others come first.
        pub(super) static INVARIANTS: &[Invariant] = &[$(Invariant {
            kind: FindingKind::$kind,
            table: concat!("formalize_", stringify!($table)),
            what: $what,
            condition: |$dialect| {
                // Most conditions are the same in both dialects.
                let _ = $dialect;
                $condition
            },
        },)+];
    };
}

invariants! { dialect;
    OrphanMembership in memberships: "refers to a group that does not exist"
        if nowhere("groups", "memberships.group_id");
    OrphanMembership in memberships: "refers to a member group that does not exist"
        if dangling("groups", "memberships.child_group_id");
    OrphanGrant in grants: "refers to a resource that does not exist"
        if nowhere("resources", "grants.resource_id");
    OrphanGrant in grants: "is held by a group that does not exist"
        if dangling("groups", "grants.group_id");
    OrphanGrant in grants: "is held by a public link that does not exist"
        if "substr(grants.subject, 1, 10) = 'user:link:' \
            AND NOT EXISTS (SELECT 1 FROM formalize_form_links AS form_links WHERE form_links.grant_id = grants.id)"
            .to_owned();
    OrphanLink in form_links: "refers to a grant that does not exist"
        if nowhere("grants", "form_links.grant_id");
    OrphanResource in resources: "belongs to a group that does not exist"
        if about_nothing(&GROUP, "groups");
    OrphanResource in resources: "belongs to a form that does not exist"
        if about_nothing(&FORM, "forms");
    OrphanResource in resources: "belongs to the submissions of a form that does not exist"
        if about_nothing(&COLLECTION, "forms");
    OrphanResource in resources: "belongs to a submission that does not exist"
        if about_nothing(&SUBMISSION, "submissions");
    OrphanSubmission in submissions: "belongs to a form that does not exist"
        if nowhere("forms", "submissions.form_id");
    OrphanFile in submitted_files: "belongs to a submission that does not exist"
        if dangling("submissions", "submitted_files.submission_id");
    OrphanPlace in submission_places: "counts submissions of a form that does not exist"
        if nowhere("forms", "submission_places.form_id");
    OrphanPlace in form_places: "counts submissions of a form that does not exist"
        if nowhere("forms", "form_places.form_id");
    MissingResource in groups: "has no resource for grants on it"
        if without_resource("groups", &GROUP);
    MissingResource in forms: "has no resource for grants on it"
        if format!("{KEPT} AND {}", without_resource("forms", &FORM));
    MissingResource in forms: "has no resource for its submissions"
        if format!("{KEPT} AND {}", without_resource("forms", &COLLECTION));
    MissingResource in submissions: "belongs to a form that uses grants, but has no resource for grants on it"
        if format!(
            "EXISTS (SELECT 1 FROM formalize_forms AS forms WHERE forms.id = submissions.form_id \
             AND forms.grant_based AND {KEPT}) \
             AND {}",
            without_resource("submissions", &SUBMISSION)
        );
    WrongCopy in resources: "is stored under a different record than its identifier names"
        if {
            let anchor = dialect.uuid_text("resources.anchor");
            format!(
                "CASE WHEN resources.identifier <> '' \
                 AND resources.class IN ('{GROUP}', '{FORM}', '{COLLECTION}', '{SUBMISSION}') \
                 THEN resources.identifier <> {anchor} ELSE resources.anchor <> resources.id END"
            )
        };
    WrongCopy in resources: "names a different form than its submission does"
        if format!(
            "CASE WHEN resources.class = '{SUBMISSION}' AND resources.identifier <> '' \
             THEN EXISTS (SELECT 1 FROM formalize_submissions AS submissions WHERE submissions.id = resources.anchor \
                 AND submissions.form_id IS DISTINCT FROM resources.form_id) \
             ELSE resources.form_id IS NOT NULL END"
        );
    WrongCopy in grants: "has a copy of its resource that differs from the resource"
        if "EXISTS (SELECT 1 FROM formalize_resources AS resources WHERE resources.id = grants.resource_id \
            AND (resources.class <> grants.class OR resources.anchor <> grants.anchor \
            OR resources.form_id IS DISTINCT FROM grants.form_id))"
            .to_owned();
    WrongCopy in grants: "names a different group than its holder"
        if {
            let group = dialect.uuid_text("grants.group_id");
            format!(
                "CASE WHEN substr(grants.subject, 1, 6) = 'group:' \
                 THEN grants.group_id IS NULL OR grants.subject <> 'group:' || {group} \
                 ELSE grants.group_id IS NOT NULL END"
            )
        };
    WrongCopy in form_links: "has a grant other than to submit to its form"
        if {
            let link = dialect.uuid_text("form_links.id");
            format!(
                "EXISTS (SELECT 1 FROM formalize_grants AS grants WHERE grants.id = form_links.grant_id \
                 AND (grants.class <> '{FORM}' OR grants.anchor <> form_links.form_id \
                     OR grants.action <> '{}' OR grants.subject <> 'user:link:' || {link}))",
                Action::CREATE_SUBMISSIONS
            )
        };
    WrongCount in submissions: "is missing from the count of its creator's submissions"
        if format!(
            "EXISTS (SELECT 1 FROM formalize_forms AS forms WHERE forms.id = submissions.form_id AND {KEPT}) \
             AND NOT EXISTS (SELECT 1 FROM formalize_submission_places AS submission_places \
                 WHERE submission_places.form_id = submissions.form_id \
                 AND submission_places.creator = submissions.creator)"
        );
    WrongCount in submission_places: "differs from the actual number of the creator's submissions"
        if format!(
            "{} AND submission_places.taken <> (SELECT count(*) FROM formalize_submissions AS submissions \
             WHERE submissions.form_id = submission_places.form_id \
             AND submissions.creator = submission_places.creator)",
            is_kept("submission_places.form_id")
        );
    WrongCount in submissions: "counts another number or size of its files than it has"
        if {
            let of_it = "FROM formalize_submitted_files AS submitted_files \
                 WHERE submitted_files.submission_id = submissions.id";
            format!(
                "submissions.num_files <> (SELECT count(*) {of_it}) OR submissions.file_bytes \
                 <> (SELECT coalesce(sum(submitted_files.size), 0) {of_it})"
            )
        };
    WrongCount in submission_places: "differs from the actual size of the files in the creator's submissions"
        if format!(
            "{} AND submission_places.file_bytes <> \
             (SELECT coalesce(sum(submissions.file_bytes), 0) FROM formalize_submissions AS submissions \
             WHERE submissions.form_id = submission_places.form_id \
             AND submissions.creator = submission_places.creator AND submissions.num_files > 0)",
            is_kept("submission_places.form_id")
        );
    WrongCount in forms: "has a limit, but no count of its submissions"
        if format!(
            "forms.max_submissions IS NOT NULL AND {KEPT} AND NOT EXISTS \
             (SELECT 1 FROM formalize_form_places AS form_places WHERE form_places.form_id = forms.id)"
        );
    WrongCount in form_places: "counts submissions of a form without a limit"
        if "EXISTS (SELECT 1 FROM formalize_forms AS forms WHERE forms.id = form_places.form_id \
            AND forms.max_submissions IS NULL)"
            .to_owned();
    WrongCount in form_places: "differs from the actual number of the form's submitted submissions"
        if format!(
            "form_places.taken <> (SELECT count(*) FROM formalize_submissions AS submissions \
             WHERE submissions.form_id = form_places.form_id AND submissions.state = {})",
            state_bit(SubmissionState::Submitted)
        );
    Webhook in webhooks: "belongs to a form that does not exist"
        if {
            let form = nowhere("forms", "webhooks.form_id");
            format!("webhooks.form_id IS NOT NULL AND webhooks.date_ended IS NULL AND {form}")
        };
    Webhook in webhooks: "is enabled, but does not read the event log"
        if format!("webhooks.disabled IS NULL AND {}", unread(dialect));
    Webhook in webhooks: "is disabled, but reads the event log"
        if format!("webhooks.disabled IS NOT NULL AND NOT ({})", unread(dialect));
    Webhook in webhook_deliveries: "is finished with a next attempt, or pending without one or without its event"
        if "(webhook_deliveries.state = 'pending') <> (webhook_deliveries.date_next_attempt IS NOT NULL) \
            OR webhook_deliveries.state = 'pending' AND NOT EXISTS (SELECT 1 FROM formalize_events AS events \
            WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id)"
            .to_owned();
}
