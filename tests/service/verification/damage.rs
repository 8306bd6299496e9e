//! Ways to damage a database that [`super::furnish`] has filled.

use formalize_sql::FindingKind;

use super::Found;

/// A name, the SQL statements that cause the damage, and the expected findings.
pub(super) type Damage = (&'static str, &'static [&'static str], &'static [Found]);

const RESOURCE_ROW: Found = (FindingKind::OrphanResource, Some("formalize_resources"));
const COPY_OF_GRANT: Found = (FindingKind::WrongCopy, Some("formalize_grants"));
const WRONG_LINK: Found = (FindingKind::WrongCopy, Some("formalize_form_links"));
const COPY_OF_RESOURCE: Found = (FindingKind::WrongCopy, Some("formalize_resources"));

/// Damage on both databases.
pub(super) const DAMAGES: &[Damage] = &[
    (
        "a missing index",
        &["DROP INDEX formalize_grants_on_anchor"],
        &[(FindingKind::MissingObject, Some("formalize_grants"))],
    ),
    (
        "an index on other columns",
        &[
            "DROP INDEX formalize_submissions_in_state",
            "CREATE INDEX formalize_submissions_in_state ON formalize_submissions (state, form_id, id)",
        ],
        &[(FindingKind::ChangedObject, Some("formalize_submissions"))],
    ),
    (
        "a missing table, after which no rows are read",
        &[
            "DROP TABLE formalize_settings",
            "UPDATE formalize_submissions SET state = 0 WHERE creator = 'drafter'",
        ],
        &[(FindingKind::MissingObject, Some("formalize_settings"))],
    ),
    (
        "a column of another type, after which no rows are read",
        &[
            "DROP TABLE formalize_settings",
            "CREATE TABLE formalize_settings (name TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)",
            "UPDATE formalize_submissions SET state = 0 WHERE creator = 'drafter'",
        ],
        &[(FindingKind::ChangedObject, Some("formalize_settings"))],
    ),
    (
        "an unknown column, and an unreadable record",
        &[
            "ALTER TABLE formalize_forms ADD COLUMN colour TEXT",
            "UPDATE formalize_submissions SET state = 0 WHERE creator = 'drafter'",
        ],
        &[
            (FindingKind::UnknownObject, Some("formalize_forms")),
            (FindingKind::Unreadable, Some("formalize_submissions")),
        ],
    ),
    (
        "a table of another program",
        &[
            "CREATE TABLE other (id BIGINT NOT NULL)",
            "CREATE INDEX other_by_id ON other (id)",
        ],
        &[(FindingKind::UnknownObject, None)],
    ),
    (
        "a view of another program",
        &["CREATE VIEW other AS SELECT name FROM formalize_forms"],
        &[(FindingKind::UnknownObject, None)],
    ),
    (
        "groups within each other",
        &[
            "INSERT INTO formalize_memberships (id, group_id, child_group_id, date_created) \
           SELECT (SELECT id FROM formalize_forms WHERE name = 'bare'), child_group_id, group_id, date_created \
           FROM formalize_memberships WHERE child_group_id IS NOT NULL",
        ],
        &[(FindingKind::GroupCycle, Some("formalize_groups"))],
    ),
    (
        "a group within itself",
        &[
            "UPDATE formalize_memberships SET child_group_id = group_id WHERE child_group_id IS NOT NULL",
        ],
        &[(FindingKind::GroupCycle, Some("formalize_groups"))],
    ),
    (
        "a membership in a missing group",
        &[
            "UPDATE formalize_memberships SET group_id = (SELECT id FROM formalize_forms WHERE name = 'bare') \
           WHERE user_id = 'alice'",
        ],
        &[(FindingKind::OrphanMembership, Some("formalize_memberships"))],
    ),
    (
        "a membership of a missing group",
        &[
            "UPDATE formalize_memberships SET child_group_id = (SELECT id FROM formalize_forms WHERE name = 'bare') \
           WHERE child_group_id IS NOT NULL",
        ],
        &[(FindingKind::OrphanMembership, Some("formalize_memberships"))],
    ),
    (
        "a grant on a missing resource",
        &[
            "UPDATE formalize_grants SET resource_id = (SELECT id FROM formalize_forms WHERE name = 'bare') \
           WHERE subject = 'user:bob'",
        ],
        &[(FindingKind::OrphanGrant, Some("formalize_grants"))],
    ),
    (
        "a grant to a missing group",
        &[
            "DELETE FROM formalize_resources WHERE anchor = (SELECT id FROM formalize_groups WHERE name = 'lone')",
            "DELETE FROM formalize_groups WHERE name = 'lone'",
        ],
        &[(FindingKind::OrphanGrant, Some("formalize_grants"))],
    ),
    (
        "a resource of a missing group",
        &["DELETE FROM formalize_groups WHERE name = 'empty'"],
        &[RESOURCE_ROW],
    ),
    (
        "resources of a missing form",
        &["DELETE FROM formalize_forms WHERE name = 'bare'"],
        &[RESOURCE_ROW, RESOURCE_ROW],
    ),
    (
        "a resource of a missing submission",
        &[
            "DELETE FROM formalize_submissions \
           WHERE form_id = (SELECT id FROM formalize_forms WHERE name = 'grants')",
            "DELETE FROM formalize_submission_places \
           WHERE form_id = (SELECT id FROM formalize_forms WHERE name = 'grants')",
        ],
        &[RESOURCE_ROW],
    ),
    (
        "a submission of a missing form",
        &[
            "UPDATE formalize_submissions SET form_id = (SELECT id FROM formalize_groups WHERE name = 'empty') \
           WHERE creator = 'drafter'",
            "DELETE FROM formalize_submission_places WHERE creator = 'drafter'",
        ],
        &[(FindingKind::OrphanSubmission, Some("formalize_submissions"))],
    ),
    (
        "a place in a missing form",
        &[
            "INSERT INTO formalize_submission_places (form_id, creator, taken) \
           SELECT id, 'x', 0 FROM formalize_groups WHERE name = 'empty'",
        ],
        &[(
            FindingKind::OrphanPlace,
            Some("formalize_submission_places"),
        )],
    ),
    (
        "a count of a missing form",
        &[
            "INSERT INTO formalize_form_places (form_id, taken) SELECT id, 0 FROM formalize_groups WHERE name = 'empty'",
        ],
        &[(FindingKind::OrphanPlace, Some("formalize_form_places"))],
    ),
    (
        "a group without a resource",
        &[
            "DELETE FROM formalize_resources WHERE anchor = (SELECT id FROM formalize_groups WHERE name = 'empty')",
        ],
        &[(FindingKind::MissingResource, Some("formalize_groups"))],
    ),
    (
        "a form without a resource",
        &[
            "DELETE FROM formalize_resources WHERE class = 'DbpRelayFormalizeForm' \
           AND anchor = (SELECT id FROM formalize_forms WHERE name = 'bare')",
        ],
        &[(FindingKind::MissingResource, Some("formalize_forms"))],
    ),
    (
        "a form without a resource for its submissions",
        &[
            "DELETE FROM formalize_resources WHERE class = 'DbpRelayFormalizeSubmissionCollection' \
           AND anchor = (SELECT id FROM formalize_forms WHERE name = 'bare')",
        ],
        &[(FindingKind::MissingResource, Some("formalize_forms"))],
    ),
    (
        "a submission without a resource",
        &[
            "DELETE FROM formalize_grants WHERE class = 'DbpRelayFormalizeSubmission'",
            "DELETE FROM formalize_resources WHERE class = 'DbpRelayFormalizeSubmission' AND identifier <> ''",
        ],
        &[(FindingKind::MissingResource, Some("formalize_submissions"))],
    ),
    (
        "a resource with the wrong anchor",
        &[
            "UPDATE formalize_resources SET anchor = (SELECT id FROM formalize_groups WHERE name = 'empty') \
           WHERE identifier = 'plain'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource with an identifier other than its form's",
        &[
            "UPDATE formalize_resources SET identifier = 'x' WHERE class = 'DbpRelayFormalizeForm' \
           AND anchor = (SELECT id FROM formalize_forms WHERE name = 'bare')",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource with a form other than its submission's",
        &[
            "UPDATE formalize_resources SET form_id = (SELECT id FROM formalize_forms WHERE name = 'bare') \
           WHERE class = 'DbpRelayFormalizeSubmission' AND identifier <> ''",
            "UPDATE formalize_grants SET form_id = (SELECT id FROM formalize_forms WHERE name = 'bare') \
           WHERE class = 'DbpRelayFormalizeSubmission'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource with a form but no submission",
        &[
            "UPDATE formalize_resources SET form_id = (SELECT id FROM formalize_forms WHERE name = 'bare') \
           WHERE identifier = 'plain'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a grant with a class other than its resource's",
        &["UPDATE formalize_grants SET class = 'Other' WHERE subject = 'user:bob'"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant with an anchor other than its resource's",
        &[
            "UPDATE formalize_grants SET anchor = (SELECT id FROM formalize_forms WHERE name = 'bare') \
           WHERE subject = 'user:bob'",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant with a form other than its resource's",
        &["UPDATE formalize_grants SET form_id = NULL WHERE class = 'DbpRelayFormalizeSubmission'"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant to a group without a group identifier",
        &["UPDATE formalize_grants SET group_id = NULL WHERE group_id IS NOT NULL"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant to a group with the identifier of another",
        &[
            "UPDATE formalize_grants SET group_id = (SELECT id FROM formalize_groups WHERE name = 'empty') \
           WHERE group_id IS NOT NULL",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant to a user with the identifier of a group",
        &[
            "UPDATE formalize_grants SET group_id = (SELECT id FROM formalize_groups WHERE name = 'empty') \
           WHERE subject = 'user:bob'",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a group with the wrong search name",
        &["UPDATE formalize_groups SET name_folded = 'Empty' WHERE name = 'empty'"],
        &[(FindingKind::WrongCopy, Some("formalize_groups"))],
    ),
    (
        "a tag by which its submission is not found",
        &["UPDATE formalize_submissions SET tags = '[\"a\", \"b\"]' WHERE creator = 'drafter'"],
        &[(FindingKind::WrongCopy, Some("formalize_submissions"))],
    ),
    (
        "a tag that is no text",
        &["UPDATE formalize_submissions SET tags = '[1]' WHERE creator = 'drafter'"],
        &[(FindingKind::Unreadable, Some("formalize_submissions"))],
    ),
    (
        "a tag of a submission in lists of another form",
        &[
            "UPDATE formalize_submissions SET tags = '[\"a\"]' WHERE creator = 'drafter'",
            "INSERT INTO formalize_submission_tags SELECT submissions.id, 'a', forms.id \
             FROM formalize_submissions AS submissions, formalize_forms AS forms \
             WHERE creator = 'drafter' AND forms.id <> form_id LIMIT 1",
        ],
        &[(FindingKind::WrongCopy, Some("formalize_submissions"))],
    ),
    (
        "one place too many",
        &["UPDATE formalize_submission_places SET taken = taken + 1 WHERE creator = 'drafter'"],
        &[(FindingKind::WrongCount, Some("formalize_submission_places"))],
    ),
    (
        "a submission that is not counted",
        &["DELETE FROM formalize_submission_places WHERE creator = 'drafter'"],
        &[(FindingKind::WrongCount, Some("formalize_submissions"))],
    ),
    (
        "a file that is not counted",
        &["UPDATE formalize_submissions SET num_files = 1 WHERE creator = 'filer'"],
        &[(FindingKind::WrongCount, Some("formalize_submissions"))],
    ),
    (
        "a file of another size, and a sum that fits neither",
        &["UPDATE formalize_submissions SET file_bytes = file_bytes + 1 WHERE creator = 'filer'"],
        &[
            (FindingKind::WrongCount, Some("formalize_submissions")),
            (FindingKind::WrongCount, Some("formalize_submission_places")),
        ],
    ),
    (
        "a wrong sum of the files of a creator",
        &["UPDATE formalize_submission_places SET file_bytes = 0 WHERE creator = 'filer'"],
        &[(FindingKind::WrongCount, Some("formalize_submission_places"))],
    ),
    (
        "files of a missing submission",
        &[
            "DELETE FROM formalize_submissions WHERE creator = 'filer'",
            "DELETE FROM formalize_submission_places WHERE creator = 'filer'",
        ],
        &[
            (FindingKind::OrphanFile, Some("formalize_submitted_files")),
            (FindingKind::OrphanFile, Some("formalize_submitted_files")),
        ],
    ),
    (
        "a file that the form does not allow",
        &["UPDATE formalize_submitted_files SET attribute = 'other' WHERE size = 3"],
        &[(FindingKind::InvalidFiles, Some("formalize_submissions"))],
    ),
    (
        "a submission whose data and files do not match the schema",
        &[
            "UPDATE formalize_submitted_files SET attribute = 'other' WHERE size = 3",
            "UPDATE formalize_submissions SET data = '[' WHERE creator = 'filer'",
        ],
        &[
            (
                FindingKind::InvalidSubmission,
                Some("formalize_submissions"),
            ),
            (FindingKind::InvalidFiles, Some("formalize_submissions")),
        ],
    ),
    (
        "a file without a hash",
        &["UPDATE formalize_submitted_files SET sha256 = NULL WHERE size = 3"],
        &[(FindingKind::Unreadable, Some("formalize_submitted_files"))],
    ),
    (
        "a file whose name is a path",
        &["UPDATE formalize_submitted_files SET name = '../passwd' WHERE size = 3"],
        &[(FindingKind::Unreadable, Some("formalize_submitted_files"))],
    ),
    (
        "a place of a form too few",
        &["UPDATE formalize_form_places SET taken = taken - 1"],
        &[(FindingKind::WrongCount, Some("formalize_form_places"))],
    ),
    (
        "a draft that is counted",
        &["UPDATE formalize_form_places SET taken = taken + 1"],
        &[(FindingKind::WrongCount, Some("formalize_form_places"))],
    ),
    (
        "a form with a limit and no count",
        &["DELETE FROM formalize_form_places"],
        &[(FindingKind::WrongCount, Some("formalize_forms"))],
    ),
    (
        "a form with a count and no limit",
        &["UPDATE formalize_forms SET max_submissions = NULL WHERE name = 'creators'"],
        &[(FindingKind::WrongCount, Some("formalize_form_places"))],
    ),
    (
        "a group without a name",
        &["UPDATE formalize_groups SET name = '', name_folded = '' WHERE name = 'empty'"],
        &[(FindingKind::Unreadable, Some("formalize_groups"))],
    ),
    (
        "a membership without a member",
        &["UPDATE formalize_memberships SET user_id = '' WHERE user_id = 'alice'"],
        &[(FindingKind::Unreadable, Some("formalize_memberships"))],
    ),
    (
        "a resource without a class",
        &["UPDATE formalize_resources SET class = '' WHERE identifier = 'plain'"],
        &[(FindingKind::Unreadable, Some("formalize_resources"))],
    ),
    (
        "a grant without an action",
        &["UPDATE formalize_grants SET action = '' WHERE subject = 'user:bob'"],
        &[(FindingKind::Unreadable, Some("formalize_grants"))],
    ),
    (
        "a grant to an unknown kind of holder",
        &["UPDATE formalize_grants SET subject = 'robot:bob' WHERE subject = 'user:bob'"],
        &[(FindingKind::Unreadable, Some("formalize_grants"))],
    ),
    (
        "a form with an invalid cap",
        &["UPDATE formalize_forms SET max_per_creator = -1 WHERE name = 'bare'"],
        &[(FindingKind::Unreadable, Some("formalize_forms"))],
    ),
    (
        "a form with an invalid limit",
        &["UPDATE formalize_forms SET max_submissions = -1 WHERE name = 'creators'"],
        &[(FindingKind::Unreadable, Some("formalize_forms"))],
    ),
    (
        "a submission without a state",
        &["UPDATE formalize_submissions SET state = 0 WHERE creator = 'drafter'"],
        &[(FindingKind::Unreadable, Some("formalize_submissions"))],
    ),
    (
        "a link without its grant",
        &[
            "DELETE FROM formalize_grants WHERE id = (SELECT grant_id FROM formalize_form_links WHERE label = 'Poster')",
        ],
        &[(FindingKind::OrphanLink, Some("formalize_form_links"))],
    ),
    (
        "a grant of a missing link",
        &["DELETE FROM formalize_form_links WHERE label = 'Poster'"],
        &[(FindingKind::OrphanGrant, Some("formalize_grants"))],
    ),
    (
        "a link to another form than its grant",
        &[
            "UPDATE formalize_form_links SET form_id = (SELECT id FROM formalize_forms WHERE name = 'bare') \
           WHERE label = 'Poster'",
        ],
        &[WRONG_LINK],
    ),
    (
        "a link with another action",
        &["UPDATE formalize_grants SET action = 'read' \
           WHERE id = (SELECT grant_id FROM formalize_form_links WHERE label = 'Poster')"],
        &[WRONG_LINK],
    ),
    (
        "a link whose grant has another holder",
        &["UPDATE formalize_grants SET subject = 'user:bob' \
           WHERE id = (SELECT grant_id FROM formalize_form_links WHERE label = 'Poster')"],
        &[WRONG_LINK],
    ),
    (
        "a gap in the event log",
        &["DELETE FROM formalize_events WHERE position = 2"],
        &[(FindingKind::EventLog, Some("formalize_events"))],
    ),
    (
        "an event beyond the end of the log",
        &["UPDATE formalize_event_log SET last = last - 1"],
        &[(FindingKind::EventLog, Some("formalize_events"))],
    ),
    (
        "two events with one identifier",
        &[
            "UPDATE formalize_events SET id = (SELECT id FROM formalize_events WHERE position = 1) WHERE position = 2",
        ],
        &[(FindingKind::EventLog, Some("formalize_events"))],
    ),
    (
        "an audience without an event",
        &["INSERT INTO formalize_event_audience (event_id, subject) \
           SELECT id, 'user:bob' FROM formalize_groups WHERE name = 'lone'"],
        &[(FindingKind::EventLog, Some("formalize_event_audience"))],
    ),
    (
        "events without a position",
        &[
            "INSERT INTO formalize_event_arrivals (ordinal, id, type, date, record_id) \
             SELECT 1, id, 'group.created', 0, id FROM formalize_groups WHERE name = 'lone'",
            "INSERT INTO formalize_event_arrivals (ordinal, id, type, date, record_id) \
             SELECT 2, id, 'group.created', 3600001, id FROM formalize_groups WHERE name = 'empty'",
        ],
        &[(FindingKind::EventLog, Some("formalize_event_arrivals"))],
    ),
    (
        "a log without its extent",
        &["DELETE FROM formalize_event_log"],
        &[(FindingKind::EventLog, Some("formalize_event_log"))],
    ),
    (
        "data of an unknown event",
        &[
            "INSERT INTO formalize_event_data (event_id, submission_id, last_modified_by, date_created, date_last_modified) \
           SELECT id, id, '', 0, 0 FROM formalize_groups WHERE name = 'lone'",
        ],
        &[(FindingKind::EventLog, Some("formalize_event_data"))],
    ),
    (
        "a webhook of a form that is gone",
        &[
            "UPDATE formalize_webhooks SET form_id = (SELECT id FROM formalize_groups WHERE name = 'lone') \
             WHERE description = 'on'",
        ],
        &[(FindingKind::Webhook, Some("formalize_webhooks"))],
    ),
    (
        "an enabled webhook that does not read the log",
        &["UPDATE formalize_webhooks SET disabled = NULL WHERE description = 'off'"],
        &[(FindingKind::Webhook, Some("formalize_webhooks"))],
    ),
    (
        "a disabled webhook that reads the log",
        &["UPDATE formalize_webhooks SET disabled = 'gone' WHERE description = 'on'"],
        &[(FindingKind::Webhook, Some("formalize_webhooks"))],
    ),
    (
        "a delivery that is never attempted",
        &["UPDATE formalize_webhook_deliveries SET date_next_attempt = NULL"],
        &[(FindingKind::Webhook, Some("formalize_webhook_deliveries"))],
    ),
    (
        "an unreadable webhook",
        &["UPDATE formalize_webhooks SET event_types = '[]' WHERE description = 'off'"],
        &[(FindingKind::Unreadable, Some("formalize_webhooks"))],
    ),
    (
        "an unreadable delivery",
        &["UPDATE formalize_webhook_deliveries SET event_type = 'x'"],
        &[(
            FindingKind::Unreadable,
            Some("formalize_webhook_deliveries"),
        )],
    ),
    (
        "a link with a cap of zero",
        &["UPDATE formalize_form_links SET max_submissions = 0 WHERE label = 'Poster'"],
        &[(FindingKind::Unreadable, Some("formalize_form_links"))],
    ),
    (
        "a link with malformed origins",
        &["UPDATE formalize_form_links SET embed_origins = '[\"*\"]' WHERE label = 'Poster'"],
        &[(FindingKind::Unreadable, Some("formalize_form_links"))],
    ),
    (
        "a wrong count of the submissions through a link",
        &["UPDATE formalize_submission_places SET taken = 2 WHERE creator LIKE 'link:%'"],
        &[(FindingKind::WrongCount, Some("formalize_submission_places"))],
    ),
    (
        "a missing key",
        &["DELETE FROM formalize_settings WHERE name = 'cursor_key'"],
        &[(FindingKind::MissingSetting, Some("formalize_settings"))],
    ),
    (
        "a key that is too short",
        &["UPDATE formalize_settings SET value = '00' WHERE name = 'cursor_key'"],
        &[(FindingKind::MissingSetting, Some("formalize_settings"))],
    ),
    (
        "a token with malformed attributes",
        &["UPDATE formalize_api_tokens SET attributes = '[' WHERE kind = 1"],
        &[(FindingKind::Unreadable, Some("formalize_api_tokens"))],
    ),
    (
        "a token of an unknown kind",
        &["UPDATE formalize_api_tokens SET kind = 3 WHERE kind = 1"],
        &[(FindingKind::Unreadable, Some("formalize_api_tokens"))],
    ),
    (
        "an API token in the form of a session",
        &["UPDATE formalize_api_tokens SET kind = 1 WHERE kind = 2"],
        &[(FindingKind::Unreadable, Some("formalize_api_tokens"))],
    ),
    (
        "a session that never expires",
        &["UPDATE formalize_api_tokens SET date_expires = NULL WHERE kind = 2"],
        &[(FindingKind::Unreadable, Some("formalize_api_tokens"))],
    ),
    (
        "a session with a negative idle time",
        &["UPDATE formalize_api_tokens SET idle = -1 WHERE kind = 2"],
        &[(FindingKind::Unreadable, Some("formalize_api_tokens"))],
    ),
    (
        "an invalid schema",
        &["UPDATE formalize_forms SET data_feed_schema = '{\"type\": 3}' WHERE name = 'creators'"],
        &[(FindingKind::InvalidSchema, Some("formalize_forms"))],
    ),
    (
        "data that does not match the schema",
        &[
            "UPDATE formalize_submissions SET data = '{\"age\": \"x\"}' WHERE creator = 'alice' \
           AND form_id = (SELECT id FROM formalize_forms WHERE name = 'creators')",
        ],
        &[(
            FindingKind::InvalidSubmission,
            Some("formalize_submissions"),
        )],
    ),
    (
        "a draft with malformed data",
        &["UPDATE formalize_submissions SET data = '{' WHERE creator = 'drafter'"],
        &[(
            FindingKind::InvalidSubmission,
            Some("formalize_submissions"),
        )],
    ),
];

/// Damage that only PostgreSQL can have, or that takes other statements.
pub(super) const POSTGRES_DAMAGES: &[Damage] = &[
    (
        "a trigger",
        &[
            "CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER meddle BEFORE INSERT ON formalize_submissions FOR EACH ROW EXECUTE FUNCTION meddle()",
        ],
        &[(FindingKind::UnknownObject, Some("formalize_submissions"))],
    ),
    (
        "a rule",
        &["CREATE RULE meddle AS ON INSERT TO formalize_submissions DO INSTEAD NOTHING"],
        &[(FindingKind::UnknownObject, Some("formalize_submissions"))],
    ),
    (
        "a missing constraint",
        &["ALTER TABLE formalize_submissions DROP CONSTRAINT formalize_submissions_form_id_fkey"],
        &[(FindingKind::MissingObject, Some("formalize_submissions"))],
    ),
    (
        "a table that does not survive a crash",
        &["ALTER TABLE formalize_api_tokens SET UNLOGGED"],
        &[(FindingKind::ChangedObject, Some("formalize_api_tokens"))],
    ),
    (
        "a column that may be null",
        &["ALTER TABLE formalize_forms ALTER COLUMN name DROP NOT NULL"],
        &[(FindingKind::ChangedObject, Some("formalize_forms"))],
    ),
];

/// Damage that PostgreSQL prevents or does not check for.
pub(super) const SQLITE_DAMAGES: &[Damage] = &[
    (
        "an index that is missing from the schema",
        &[
            "PRAGMA writable_schema = ON",
            "DELETE FROM sqlite_master WHERE name = 'formalize_grants_on_anchor'",
            // Makes other connections notice the change.
            "PRAGMA schema_version = 4242",
        ],
        &[(FindingKind::Damage, None)],
    ),
    (
        "a malformed identifier",
        &["UPDATE formalize_api_tokens SET id = 'x' WHERE kind = 1"],
        &[(FindingKind::Damage, None)],
    ),
    (
        "a broken reference in another program's table",
        &[
            "CREATE TABLE other (form_id UUID REFERENCES formalize_forms (id))",
            "INSERT INTO other SELECT id FROM formalize_groups",
        ],
        &[
            (FindingKind::UnknownObject, None),
            (FindingKind::Damage, None),
        ],
    ),
    (
        "a trigger",
        &[
            "CREATE TRIGGER meddle AFTER INSERT ON formalize_submissions \
           BEGIN DELETE FROM formalize_submissions WHERE creator = 'x'; END",
        ],
        &[(FindingKind::UnknownObject, Some("formalize_submissions"))],
    ),
    (
        "a table without its constraint",
        &[
            "DROP TABLE formalize_settings",
            "CREATE TABLE formalize_settings (name TEXT NOT NULL, value TEXT NOT NULL)",
        ],
        &[
            (FindingKind::ChangedObject, Some("formalize_settings")),
            (FindingKind::MissingSetting, Some("formalize_settings")),
        ],
    ),
    (
        "a text in a column for numbers",
        &["UPDATE formalize_submissions SET date_created = 'x' WHERE creator = 'drafter'"],
        &[(FindingKind::Unreadable, Some("formalize_submissions"))],
    ),
];
