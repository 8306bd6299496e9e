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
    /// The column with the identifier of the record.
    id: &'static str,
    /// The message about a row that satisfies the condition.
    pub(super) what: &'static str,
    condition: fn(Dialect) -> String,
}

impl Invariant {
    const fn new(
        kind: FindingKind,
        table: &'static str,
        what: &'static str,
        condition: fn(Dialect) -> String,
    ) -> Self {
        Self {
            kind,
            table,
            id: "id",
            what,
            condition,
        }
    }

    /// The next violations after an identifier, in order.
    pub(super) fn select(&self, dialect: Dialect, after: Uuid, limit: i64) -> Statement<'static> {
        let Self { table, id, .. } = self;
        let name = alias(table);
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

/// All invariants. Those whose violations explain others come first.
pub(super) static INVARIANTS: [Invariant; 34] = [
    Invariant::new(
        FindingKind::OrphanMembership,
        "formalize_memberships",
        "refers to a group that does not exist",
        |_| nowhere("groups", "memberships.group_id"),
    ),
    Invariant::new(
        FindingKind::OrphanMembership,
        "formalize_memberships",
        "refers to a member group that does not exist",
        |_| {
            format!(
                "memberships.child_group_id IS NOT NULL AND {}",
                nowhere("groups", "memberships.child_group_id")
            )
        },
    ),
    Invariant::new(
        FindingKind::OrphanGrant,
        "formalize_grants",
        "refers to a resource that does not exist",
        |_| nowhere("resources", "grants.resource_id"),
    ),
    Invariant::new(
        FindingKind::OrphanGrant,
        "formalize_grants",
        "is held by a group that does not exist",
        |_| {
            format!(
                "grants.group_id IS NOT NULL AND {}",
                nowhere("groups", "grants.group_id")
            )
        },
    ),
    Invariant::new(
        FindingKind::OrphanGrant,
        "formalize_grants",
        "is held by a public link that does not exist",
        |_| {
            "substr(grants.subject, 1, 10) = 'user:link:' \
             AND NOT EXISTS (SELECT 1 FROM formalize_form_links AS form_links WHERE form_links.grant_id = grants.id)"
                .to_owned()
        },
    ),
    Invariant::new(
        FindingKind::OrphanLink,
        "formalize_form_links",
        "refers to a grant that does not exist",
        |_| nowhere("grants", "form_links.grant_id"),
    ),
    Invariant::new(
        FindingKind::OrphanResource,
        "formalize_resources",
        "belongs to a group that does not exist",
        |_| about_nothing(&GROUP, "groups"),
    ),
    Invariant::new(
        FindingKind::OrphanResource,
        "formalize_resources",
        "belongs to a form that does not exist",
        |_| about_nothing(&FORM, "forms"),
    ),
    Invariant::new(
        FindingKind::OrphanResource,
        "formalize_resources",
        "belongs to the submissions of a form that does not exist",
        |_| about_nothing(&COLLECTION, "forms"),
    ),
    Invariant::new(
        FindingKind::OrphanResource,
        "formalize_resources",
        "belongs to a submission that does not exist",
        |_| about_nothing(&SUBMISSION, "submissions"),
    ),
    Invariant::new(
        FindingKind::OrphanSubmission,
        "formalize_submissions",
        "belongs to a form that does not exist",
        |_| nowhere("forms", "submissions.form_id"),
    ),
    Invariant::new(
        FindingKind::OrphanFile,
        "formalize_submitted_files",
        "belongs to a submission that does not exist",
        |_| {
            format!(
                "submitted_files.submission_id IS NOT NULL AND {}",
                nowhere("submissions", "submitted_files.submission_id")
            )
        },
    ),
    Invariant {
        id: "form_id",
        ..Invariant::new(
            FindingKind::OrphanPlace,
            "formalize_submission_places",
            "counts submissions of a form that does not exist",
            |_| nowhere("forms", "submission_places.form_id"),
        )
    },
    Invariant {
        id: "form_id",
        ..Invariant::new(
            FindingKind::OrphanPlace,
            "formalize_form_places",
            "counts submissions of a form that does not exist",
            |_| nowhere("forms", "form_places.form_id"),
        )
    },
    Invariant::new(
        FindingKind::MissingResource,
        "formalize_groups",
        "has no resource for grants on it",
        |_| without_resource("groups", &GROUP),
    ),
    Invariant::new(
        FindingKind::MissingResource,
        "formalize_forms",
        "has no resource for grants on it",
        |_| format!("{KEPT} AND {}", without_resource("forms", &FORM)),
    ),
    Invariant::new(
        FindingKind::MissingResource,
        "formalize_forms",
        "has no resource for its submissions",
        |_| format!("{KEPT} AND {}", without_resource("forms", &COLLECTION)),
    ),
    Invariant::new(
        FindingKind::MissingResource,
        "formalize_submissions",
        "belongs to a form that uses grants, but has no resource for grants on it",
        |_| {
            format!(
                "EXISTS (SELECT 1 FROM formalize_forms AS forms WHERE forms.id = submissions.form_id \
                 AND forms.grant_based AND {KEPT}) \
                 AND {}",
                without_resource("submissions", &SUBMISSION)
            )
        },
    ),
    Invariant::new(
        FindingKind::WrongCopy,
        "formalize_resources",
        "is stored under a different record than its identifier names",
        |dialect| {
            let anchor = dialect.uuid_text("resources.anchor");
            format!(
                "CASE WHEN resources.identifier <> '' \
                 AND resources.class IN ('{GROUP}', '{FORM}', '{COLLECTION}', '{SUBMISSION}') \
                 THEN resources.identifier <> {anchor} ELSE resources.anchor <> resources.id END"
            )
        },
    ),
    Invariant::new(
        FindingKind::WrongCopy,
        "formalize_resources",
        "names a different form than its submission does",
        |_| {
            format!(
                "CASE WHEN resources.class = '{SUBMISSION}' AND resources.identifier <> '' \
                 THEN EXISTS (SELECT 1 FROM formalize_submissions AS submissions WHERE submissions.id = resources.anchor \
                     AND submissions.form_id IS DISTINCT FROM resources.form_id) \
                 ELSE resources.form_id IS NOT NULL END"
            )
        },
    ),
    Invariant::new(
        FindingKind::WrongCopy,
        "formalize_grants",
        "has a copy of its resource that differs from the resource",
        |_| {
            "EXISTS (SELECT 1 FROM formalize_resources AS resources WHERE resources.id = grants.resource_id \
             AND (resources.class <> grants.class OR resources.anchor <> grants.anchor \
                 OR resources.form_id IS DISTINCT FROM grants.form_id))"
                .to_owned()
        },
    ),
    Invariant::new(
        FindingKind::WrongCopy,
        "formalize_grants",
        "names a different group than its holder",
        |dialect| {
            let group = dialect.uuid_text("grants.group_id");
            format!(
                "CASE WHEN substr(grants.subject, 1, 6) = 'group:' \
                 THEN grants.group_id IS NULL OR grants.subject <> 'group:' || {group} \
                 ELSE grants.group_id IS NOT NULL END"
            )
        },
    ),
    Invariant::new(
        FindingKind::WrongCopy,
        "formalize_form_links",
        "has a grant other than to submit to its form",
        |dialect| {
            let link = dialect.uuid_text("form_links.id");
            format!(
                "EXISTS (SELECT 1 FROM formalize_grants AS grants WHERE grants.id = form_links.grant_id \
                 AND (grants.class <> '{FORM}' OR grants.anchor <> form_links.form_id \
                     OR grants.action <> '{}' OR grants.subject <> 'user:link:' || {link}))",
                Action::CREATE_SUBMISSIONS
            )
        },
    ),
    Invariant::new(
        FindingKind::WrongCount,
        "formalize_submissions",
        "is missing from the count of its creator's submissions",
        |_| {
            format!(
                "EXISTS (SELECT 1 FROM formalize_forms AS forms WHERE forms.id = submissions.form_id AND {KEPT}) \
                 AND NOT EXISTS (SELECT 1 FROM formalize_submission_places AS submission_places \
                     WHERE submission_places.form_id = submissions.form_id \
                     AND submission_places.creator = submissions.creator)"
            )
        },
    ),
    Invariant {
        id: "form_id",
        ..Invariant::new(
            FindingKind::WrongCount,
            "formalize_submission_places",
            "differs from the actual number of the creator's submissions",
            |_| {
                format!(
                    "{} AND submission_places.taken <> (SELECT count(*) FROM formalize_submissions AS submissions \
                     WHERE submissions.form_id = submission_places.form_id \
                     AND submissions.creator = submission_places.creator)",
                    is_kept("submission_places.form_id")
                )
            },
        )
    },
    Invariant::new(
        FindingKind::WrongCount,
        "formalize_submissions",
        "counts another number or size of its files than it has",
        |_| {
            let of_it = "FROM formalize_submitted_files AS submitted_files \
                 WHERE submitted_files.submission_id = submissions.id";
            format!(
                "submissions.num_files <> (SELECT count(*) {of_it}) OR submissions.file_bytes \
                 <> (SELECT coalesce(sum(submitted_files.size), 0) {of_it})"
            )
        },
    ),
    Invariant {
        id: "form_id",
        ..Invariant::new(
            FindingKind::WrongCount,
            "formalize_submission_places",
            "differs from the actual size of the files in the creator's submissions",
            |_| {
                format!(
                    "{} AND submission_places.file_bytes <> \
                     (SELECT coalesce(sum(submissions.file_bytes), 0) FROM formalize_submissions AS submissions \
                     WHERE submissions.form_id = submission_places.form_id \
                     AND submissions.creator = submission_places.creator AND submissions.num_files > 0)",
                    is_kept("submission_places.form_id")
                )
            },
        )
    },
    Invariant::new(
        FindingKind::WrongCount,
        "formalize_forms",
        "has a limit, but no count of its submissions",
        |_| {
            format!(
                "forms.max_submissions IS NOT NULL AND {KEPT} AND NOT EXISTS \
                 (SELECT 1 FROM formalize_form_places AS form_places WHERE form_places.form_id = forms.id)"
            )
        },
    ),
    Invariant {
        id: "form_id",
        ..Invariant::new(
            FindingKind::WrongCount,
            "formalize_form_places",
            "counts submissions of a form without a limit",
            |_| {
                "EXISTS (SELECT 1 FROM formalize_forms AS forms WHERE forms.id = form_places.form_id \
                 AND forms.max_submissions IS NULL)"
                    .to_owned()
            },
        )
    },
    Invariant {
        id: "form_id",
        ..Invariant::new(
            FindingKind::WrongCount,
            "formalize_form_places",
            "differs from the actual number of the form's submitted submissions",
            |_| {
                format!(
                    "form_places.taken <> (SELECT count(*) FROM formalize_submissions AS submissions \
                     WHERE submissions.form_id = form_places.form_id AND submissions.state = {})",
                    state_bit(SubmissionState::Submitted)
                )
            },
        )
    },
    Invariant::new(
        FindingKind::Webhook,
        "formalize_webhooks",
        "belongs to a form that does not exist",
        |_| {
            let form = nowhere("forms", "webhooks.form_id");
            format!("webhooks.form_id IS NOT NULL AND webhooks.date_ended IS NULL AND {form}")
        },
    ),
    Invariant::new(
        FindingKind::Webhook,
        "formalize_webhooks",
        "is enabled, but does not read the event log",
        |dialect| format!("webhooks.disabled IS NULL AND {}", unread(dialect)),
    ),
    Invariant::new(
        FindingKind::Webhook,
        "formalize_webhooks",
        "is disabled, but reads the event log",
        |dialect| {
            format!(
                "webhooks.disabled IS NOT NULL AND NOT ({})",
                unread(dialect)
            )
        },
    ),
    Invariant::new(
        FindingKind::Webhook,
        "formalize_webhook_deliveries",
        "is finished with a next attempt, or pending without one or without its event",
        |_| {
            "(webhook_deliveries.state = 'pending') <> (webhook_deliveries.date_next_attempt IS NOT NULL) \
             OR webhook_deliveries.state = 'pending' AND NOT EXISTS (SELECT 1 FROM formalize_events AS events \
                 WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id)"
                .to_owned()
        },
    ),
];
