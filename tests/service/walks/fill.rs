//! Fills the tables of both databases with rows of every list, as an import adds them.

use formalize_core::{FormId, GroupId, webhooks::WebhookId};
use formalize_sql::DatabaseKind;
use formalize_tests::stores::{Database, sqlite_connection};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

/// The records that the rows belong to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene {
    /// Has the members, holds `read` on each submission of `granted`, and has `bob`.
    pub(super) group: GroupId,
    /// A grant-based form, whose submissions `ann` imported: she holds `manage` on the form and on each of them.
    pub(super) granted: FormId,
    /// The same for `ann`, but nothing is a draft, and grants on submissions apply to drafts alone: she reads each of them by
    /// her grant on the form.
    pub(super) imported: FormId,
    /// A creator-based form, whose submissions `ann` created.
    pub(super) created: FormId,
    /// Has the links. It is a form of its own because each of them is a grant on it.
    pub(super) linked: FormId,
    /// Has the deliveries.
    pub(super) webhook: WebhookId,
}

/// Every fifth submission is a draft.
pub(super) const DRAFTS: usize = 5;

/// Every row has an identifier from its number, so that the rows of a table are in the order of their numbers. `ID<k>` stands
/// for the identifier of kind `k`, `TEXT<k>` for its text, and `NUMBERS` for the table of numbers `n`.
const ROWS: &[&str] = &[
    "INSERT INTO formalize_submissions (id, form_id, creator, state, last_modified_by, date_created, date_last_modified, revision, data) \
     NUMBERS SELECT ID<01>, GRANTED, 'ann', CASE WHEN n % 5 = 0 THEN 1 ELSE 2 END, 'ann', n, n, ID<01>, '{}' FROM numbers",
    "INSERT INTO formalize_resources (id, class, identifier, anchor, form_id, date_created) \
     NUMBERS SELECT ID<02>, 'DbpRelayFormalizeSubmission', TEXT<01>, ID<01>, GRANTED, n FROM numbers",
    "INSERT INTO formalize_grants (id, resource_id, class, anchor, form_id, action, subject, date_created) \
     NUMBERS SELECT ID<03>, ID<02>, 'DbpRelayFormalizeSubmission', ID<01>, GRANTED, 'manage', 'user:ann', n FROM numbers",
    "INSERT INTO formalize_grants (id, resource_id, class, anchor, form_id, action, subject, group_id, date_created) \
     NUMBERS SELECT ID<04>, ID<02>, 'DbpRelayFormalizeSubmission', ID<01>, GRANTED, 'read', 'group:' || 'GROUP_TEXT', GROUP, n \
     FROM numbers",
    "INSERT INTO formalize_submission_tags (submission_id, tag, form_id) NUMBERS SELECT ID<01>, 'seen', GRANTED FROM numbers",
    "INSERT INTO formalize_submissions (id, form_id, creator, state, last_modified_by, date_created, date_last_modified, revision, data) \
     NUMBERS SELECT ID<05>, CREATED, 'ann', CASE WHEN n % 5 = 0 THEN 1 ELSE 2 END, 'ann', n, n, ID<05>, '{}' FROM numbers",
    "INSERT INTO formalize_groups (id, name, name_folded, revision, date_created) \
     NUMBERS SELECT ID<06>, 'Group ' || n, 'group ' || n, ID<06>, n FROM numbers",
    "INSERT INTO formalize_resources (id, class, identifier, anchor, date_created) \
     NUMBERS SELECT ID<07>, 'DbpRelayAuthorizationGroup', TEXT<06>, ID<06>, n FROM numbers",
    "INSERT INTO formalize_grants (id, resource_id, class, anchor, action, subject, date_created) \
     NUMBERS SELECT ID<08>, ID<07>, 'DbpRelayAuthorizationGroup', ID<06>, 'manage', 'user:ann', n FROM numbers",
    "INSERT INTO formalize_memberships (id, group_id, user_id, date_created) NUMBERS SELECT ID<09>, GROUP, 'user-' || n, n FROM numbers",
    "INSERT INTO formalize_forms (id, name, data_feed_schema, grant_based, allowed_actions, allowed_states, revision, date_created, \
     frontend_key) NUMBERS SELECT ID<0a>, 'Form ' || n, '{}', n % 2 = 0, 15, 3, ID<0a>, n, 'survey' FROM numbers",
    "INSERT INTO formalize_resources (id, class, identifier, anchor, date_created) \
     NUMBERS SELECT ID<0b>, 'DbpRelayFormalizeForm', TEXT<0a>, ID<0a>, n FROM numbers",
    "INSERT INTO formalize_grants (id, resource_id, class, anchor, action, subject, date_created) \
     NUMBERS SELECT ID<0c>, ID<0b>, 'DbpRelayFormalizeForm', ID<0a>, 'manage', 'user:ann', n FROM numbers",
    "INSERT INTO formalize_grants (id, resource_id, class, anchor, action, subject, date_created) \
     NUMBERS SELECT ID<0d>, ID<0b>, 'DbpRelayFormalizeForm', ID<0a>, 'read', 'user:carol', n FROM numbers",
    "INSERT INTO formalize_submissions (id, form_id, creator, state, last_modified_by, date_created, date_last_modified, revision, data) \
     NUMBERS SELECT ID<0e>, ID<0a>, 'carol', 2, 'carol', n, n, ID<0e>, '{}' FROM numbers WHERE n % 2 = 1",
    "INSERT INTO formalize_submission_places (form_id, creator, taken) \
     NUMBERS SELECT ID<0a>, 'carol', 1 FROM numbers WHERE n % 2 = 1",
    "INSERT INTO formalize_api_tokens (id, kind, user_id, attributes, secret_hash, date_created) \
     NUMBERS SELECT ID<0f>, 1, 'ann', '{}', HASH, n FROM numbers",
    "INSERT INTO formalize_grants (id, resource_id, class, anchor, action, subject, date_created) \
     NUMBERS SELECT ID<10>, resources.id, resources.class, LINKED, 'create_submissions', 'user:link:' || TEXT<11>, n \
     FROM numbers CROSS JOIN formalize_resources AS resources WHERE resources.anchor = LINKED \
     AND resources.class = 'DbpRelayFormalizeForm'",
    "INSERT INTO formalize_form_links (id, form_id, grant_id, creator, secret_hash, once_per_browser, embed_origins, revision, date_created) \
     NUMBERS SELECT ID<11>, LINKED, ID<10>, '', HASH, FALSE, '[]', ID<11>, n FROM numbers",
    "INSERT INTO formalize_webhooks (id, form_id, url, event_types, payload, disabled, frozen_events, secret, creator, revision, \
     date_created, failures) NUMBERS SELECT ID<12>, CREATED, 'https://example.org/', '[\"form.updated\"]', 'thin', 'gone', 0, \
     'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '', ID<12>, n, 0 FROM numbers",
    "INSERT INTO formalize_webhook_deliveries (id, webhook_id, event_id, sequence, event_type, lane, state, num_attempts, tries, refusals, \
     date_created, date_done) NUMBERS SELECT ID<13>, WEBHOOK, ID<14>, n, 'form.updated', CREATED, 'delivered', 1, 1, 0, n, \
     4000000000000 FROM numbers",
    "INSERT INTO formalize_events (position, id, type, date, record_id, form_id) \
     NUMBERS SELECT (SELECT last FROM formalize_event_log) + n - FIRST + 1, ID<14>, 'form.updated', n, ID<0a>, ID<0a> \
     FROM numbers",
    "INSERT INTO formalize_submissions (id, form_id, creator, state, last_modified_by, date_created, date_last_modified, revision, data) \
     NUMBERS SELECT ID<15>, IMPORTED, 'ann', 2, 'ann', n, n, ID<15>, '{}' FROM numbers",
    "INSERT INTO formalize_resources (id, class, identifier, anchor, form_id, date_created) \
     NUMBERS SELECT ID<16>, 'DbpRelayFormalizeSubmission', TEXT<15>, ID<15>, IMPORTED, n FROM numbers",
    "INSERT INTO formalize_grants (id, resource_id, class, anchor, form_id, action, subject, date_created) \
     NUMBERS SELECT ID<17>, ID<16>, 'DbpRelayFormalizeSubmission', ID<15>, IMPORTED, 'manage', 'user:ann', n FROM numbers",
    "UPDATE formalize_event_log SET last = (SELECT max(position) FROM formalize_events)",
];

/// Adds the rows with the numbers from one to another.
pub(super) async fn fill(
    database: &Database,
    kind: DatabaseKind,
    scene: &Scene,
    (from, to): (usize, usize),
) {
    let statements: Vec<_> = ROWS
        .iter()
        .map(|rows| written(rows, kind, scene, (from, to)))
        .collect();
    let text = format!("BEGIN; {}; COMMIT", statements.join("; "));
    match kind {
        DatabaseKind::Sqlite => sqlite_connection(&database.url())
            .execute_batch(&text)
            .unwrap(),
        DatabaseKind::Postgres => run(database, &text).await,
    }
}

/// Runs statements on PostgreSQL.
pub(super) async fn run(database: &Database, text: &str) {
    let mut connection = PgConnection::connect(&database.url()).await.unwrap();
    let statements = sqlx::raw_sql(sqlx::AssertSqlSafe(text.to_owned()));
    statements.execute(&mut connection).await.unwrap();
}

/// A statement of [`ROWS`] in the language of a database.
fn written(rows: &str, kind: DatabaseKind, scene: &Scene, (from, to): (usize, usize)) -> String {
    let is_sqlite = kind == DatabaseKind::Sqlite;
    let uuid = |id: Uuid| match kind {
        DatabaseKind::Sqlite => format!("unhex('{}')", id.simple()),
        DatabaseKind::Postgres => format!("'{id}'::UUID"),
    };
    let number = if is_sqlite {
        "printf('%08x', n)"
    } else {
        "lpad(to_hex(n), 8, '0')"
    };
    let mut text = rows.to_owned();
    for kind in 1..=0x17 {
        let id = format!("({number} || '-0000-7000-8000-{kind:012x}')");
        let value = if is_sqlite {
            format!("unhex({id}, '-')")
        } else {
            format!("{id}::UUID")
        };
        text = text.replace(&format!("ID<{kind:02x}>"), &value);
        text = text.replace(&format!("TEXT<{kind:02x}>"), &id);
    }
    let hash = if is_sqlite {
        "printf('%064x', n)"
    } else {
        "lpad(to_hex(n), 64, '0')"
    };
    let numbers = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT {from} UNION ALL SELECT n + 1 FROM numbers WHERE n < {to})"
    );
    text.replace("NUMBERS", &numbers)
        .replace("HASH", hash)
        .replace("FIRST", &from.to_string())
        .replace("GROUP_TEXT", &scene.group.to_string())
        .replace("GROUP", &uuid(scene.group.as_uuid()))
        .replace("GRANTED", &uuid(scene.granted.as_uuid()))
        .replace("IMPORTED", &uuid(scene.imported.as_uuid()))
        .replace("CREATED", &uuid(scene.created.as_uuid()))
        .replace("LINKED", &uuid(scene.linked.as_uuid()))
        .replace("WEBHOOK", &uuid(scene.webhook.as_uuid()))
}
