//! Ways to damage a database that [`super::furnish`] has filled.

use formalize_core::store::sql::FindingKind;

use super::Found;

/// A name, the SQL statements that cause the damage, and the expected findings.
pub(super) type Damage = (&'static str, &'static [&'static str], &'static [Found]);

const RESOURCE_ROW: Found = (FindingKind::OrphanResource, Some("resources"));
const COPY_OF_GRANT: Found = (FindingKind::WrongCopy, Some("grants"));
const WRONG_LINK: Found = (FindingKind::WrongCopy, Some("form_links"));
const COPY_OF_RESOURCE: Found = (FindingKind::WrongCopy, Some("resources"));

/// Damage on both databases.
pub(super) const DAMAGES: &[Damage] = &[
    (
        "a missing index",
        &["DROP INDEX grants_on_anchor"],
        &[(FindingKind::MissingObject, Some("grants"))],
    ),
    (
        "an index on other columns",
        &[
            "DROP INDEX submissions_in_state",
            "CREATE INDEX submissions_in_state ON submissions (state, form_id, id)",
        ],
        &[(FindingKind::ChangedObject, Some("submissions"))],
    ),
    (
        "a missing table, after which no rows are read",
        &[
            "DROP TABLE settings",
            "UPDATE submissions SET state = 0 WHERE creator = 'drafter'",
        ],
        &[(FindingKind::MissingObject, Some("settings"))],
    ),
    (
        "a column of another type, after which no rows are read",
        &[
            "DROP TABLE settings",
            "CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)",
            "UPDATE submissions SET state = 0 WHERE creator = 'drafter'",
        ],
        &[(FindingKind::ChangedObject, Some("settings"))],
    ),
    (
        "an unknown column, and an unreadable record",
        &[
            "ALTER TABLE forms ADD COLUMN colour TEXT",
            "UPDATE submissions SET state = 0 WHERE creator = 'drafter'",
        ],
        &[
            (FindingKind::UnknownObject, Some("forms")),
            (FindingKind::Unreadable, Some("submissions")),
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
        &["CREATE VIEW other AS SELECT name FROM forms"],
        &[(FindingKind::UnknownObject, None)],
    ),
    (
        "groups within each other",
        &[
            "INSERT INTO memberships (id, group_id, child_group_id, date_created) \
           SELECT (SELECT id FROM forms WHERE name = 'bare'), child_group_id, group_id, date_created \
           FROM memberships WHERE child_group_id IS NOT NULL",
        ],
        &[(FindingKind::GroupCycle, Some("groups"))],
    ),
    (
        "a group within itself",
        &["UPDATE memberships SET child_group_id = group_id WHERE child_group_id IS NOT NULL"],
        &[(FindingKind::GroupCycle, Some("groups"))],
    ),
    (
        "a membership in a missing group",
        &[
            "UPDATE memberships SET group_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE user_id = 'alice'",
        ],
        &[(FindingKind::OrphanMembership, Some("memberships"))],
    ),
    (
        "a membership of a missing group",
        &[
            "UPDATE memberships SET child_group_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE child_group_id IS NOT NULL",
        ],
        &[(FindingKind::OrphanMembership, Some("memberships"))],
    ),
    (
        "a grant on a missing resource",
        &[
            "UPDATE grants SET resource_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE subject = 'user:bob'",
        ],
        &[(FindingKind::OrphanGrant, Some("grants"))],
    ),
    (
        "a grant to a missing group",
        &[
            "DELETE FROM resources WHERE anchor = (SELECT id FROM groups WHERE name = 'lone')",
            "DELETE FROM groups WHERE name = 'lone'",
        ],
        &[(FindingKind::OrphanGrant, Some("grants"))],
    ),
    (
        "a resource of a missing group",
        &["DELETE FROM groups WHERE name = 'empty'"],
        &[RESOURCE_ROW],
    ),
    (
        "resources of a missing form",
        &["DELETE FROM forms WHERE name = 'bare'"],
        &[RESOURCE_ROW, RESOURCE_ROW],
    ),
    (
        "a resource of a missing submission",
        &[
            "DELETE FROM submissions \
           WHERE form_id = (SELECT id FROM forms WHERE name = 'grants')",
            "DELETE FROM submission_places \
           WHERE form_id = (SELECT id FROM forms WHERE name = 'grants')",
        ],
        &[RESOURCE_ROW],
    ),
    (
        "a submission of a missing form",
        &[
            "UPDATE submissions SET form_id = (SELECT id FROM groups WHERE name = 'empty') \
           WHERE creator = 'drafter'",
            "DELETE FROM submission_places WHERE creator = 'drafter'",
        ],
        &[(FindingKind::OrphanSubmission, Some("submissions"))],
    ),
    (
        "a place in a missing form",
        &["INSERT INTO submission_places (form_id, creator, taken) \
           SELECT id, 'x', 0 FROM groups WHERE name = 'empty'"],
        &[(FindingKind::OrphanPlace, Some("submission_places"))],
    ),
    (
        "a count of a missing form",
        &["INSERT INTO form_places (form_id, taken) SELECT id, 0 FROM groups WHERE name = 'empty'"],
        &[(FindingKind::OrphanPlace, Some("form_places"))],
    ),
    (
        "a group without a resource",
        &["DELETE FROM resources WHERE anchor = (SELECT id FROM groups WHERE name = 'empty')"],
        &[(FindingKind::MissingResource, Some("groups"))],
    ),
    (
        "a form without a resource",
        &[
            "DELETE FROM resources WHERE class = 'DbpRelayFormalizeForm' \
           AND anchor = (SELECT id FROM forms WHERE name = 'bare')",
        ],
        &[(FindingKind::MissingResource, Some("forms"))],
    ),
    (
        "a form without a resource for its submissions",
        &[
            "DELETE FROM resources WHERE class = 'DbpRelayFormalizeSubmissionCollection' \
           AND anchor = (SELECT id FROM forms WHERE name = 'bare')",
        ],
        &[(FindingKind::MissingResource, Some("forms"))],
    ),
    (
        "a submission without a resource",
        &[
            "DELETE FROM grants WHERE class = 'DbpRelayFormalizeSubmission'",
            "DELETE FROM resources WHERE class = 'DbpRelayFormalizeSubmission' AND identifier <> ''",
        ],
        &[(FindingKind::MissingResource, Some("submissions"))],
    ),
    (
        "a resource with the wrong anchor",
        &[
            "UPDATE resources SET anchor = (SELECT id FROM groups WHERE name = 'empty') \
           WHERE identifier = 'plain'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource with an identifier other than its form's",
        &[
            "UPDATE resources SET identifier = 'x' WHERE class = 'DbpRelayFormalizeForm' \
           AND anchor = (SELECT id FROM forms WHERE name = 'bare')",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource with a form other than its submission's",
        &[
            "UPDATE resources SET form_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE class = 'DbpRelayFormalizeSubmission' AND identifier <> ''",
            "UPDATE grants SET form_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE class = 'DbpRelayFormalizeSubmission'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource with a form but no submission",
        &[
            "UPDATE resources SET form_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE identifier = 'plain'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a grant with a class other than its resource's",
        &["UPDATE grants SET class = 'Other' WHERE subject = 'user:bob'"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant with an anchor other than its resource's",
        &[
            "UPDATE grants SET anchor = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE subject = 'user:bob'",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant with a form other than its resource's",
        &["UPDATE grants SET form_id = NULL WHERE class = 'DbpRelayFormalizeSubmission'"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant to a group without a group identifier",
        &["UPDATE grants SET group_id = NULL WHERE group_id IS NOT NULL"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant to a group with the identifier of another",
        &[
            "UPDATE grants SET group_id = (SELECT id FROM groups WHERE name = 'empty') \
           WHERE group_id IS NOT NULL",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant to a user with the identifier of a group",
        &[
            "UPDATE grants SET group_id = (SELECT id FROM groups WHERE name = 'empty') \
           WHERE subject = 'user:bob'",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a group with the wrong search name",
        &["UPDATE groups SET name_folded = 'Empty' WHERE name = 'empty'"],
        &[(FindingKind::WrongCopy, Some("groups"))],
    ),
    (
        "a tag by which its submission is not found",
        &["UPDATE submissions SET tags = '[\"a\", \"b\"]' WHERE creator = 'drafter'"],
        &[(FindingKind::WrongCopy, Some("submissions"))],
    ),
    (
        "a tag that is no text",
        &["UPDATE submissions SET tags = '[1]' WHERE creator = 'drafter'"],
        &[(FindingKind::Unreadable, Some("submissions"))],
    ),
    (
        "a tag of a submission in lists of another form",
        &[
            "UPDATE submissions SET tags = '[\"a\"]' WHERE creator = 'drafter'",
            "INSERT INTO submission_tags SELECT submissions.id, 'a', forms.id FROM submissions, forms \
             WHERE creator = 'drafter' AND forms.id <> form_id LIMIT 1",
        ],
        &[(FindingKind::WrongCopy, Some("submissions"))],
    ),
    (
        "one place too many",
        &["UPDATE submission_places SET taken = taken + 1 WHERE creator = 'drafter'"],
        &[(FindingKind::WrongCount, Some("submission_places"))],
    ),
    (
        "a submission that is not counted",
        &["DELETE FROM submission_places WHERE creator = 'drafter'"],
        &[(FindingKind::WrongCount, Some("submissions"))],
    ),
    (
        "a file that is not counted",
        &["UPDATE submissions SET num_files = 1 WHERE creator = 'filer'"],
        &[(FindingKind::WrongCount, Some("submissions"))],
    ),
    (
        "a file of another size, and a sum that fits neither",
        &["UPDATE submissions SET file_bytes = file_bytes + 1 WHERE creator = 'filer'"],
        &[
            (FindingKind::WrongCount, Some("submissions")),
            (FindingKind::WrongCount, Some("submission_places")),
        ],
    ),
    (
        "a wrong sum of the files of a creator",
        &["UPDATE submission_places SET file_bytes = 0 WHERE creator = 'filer'"],
        &[(FindingKind::WrongCount, Some("submission_places"))],
    ),
    (
        "files of a missing submission",
        &[
            "DELETE FROM submissions WHERE creator = 'filer'",
            "DELETE FROM submission_places WHERE creator = 'filer'",
        ],
        &[
            (FindingKind::OrphanFile, Some("submitted_files")),
            (FindingKind::OrphanFile, Some("submitted_files")),
        ],
    ),
    (
        "a file that the form does not allow",
        &["UPDATE submitted_files SET attribute = 'other' WHERE size = 3"],
        &[(FindingKind::InvalidFiles, Some("submissions"))],
    ),
    (
        "a submission whose data and files do not match the schema",
        &[
            "UPDATE submitted_files SET attribute = 'other' WHERE size = 3",
            "UPDATE submissions SET data = '[' WHERE creator = 'filer'",
        ],
        &[
            (FindingKind::InvalidSubmission, Some("submissions")),
            (FindingKind::InvalidFiles, Some("submissions")),
        ],
    ),
    (
        "a file without a hash",
        &["UPDATE submitted_files SET sha256 = NULL WHERE size = 3"],
        &[(FindingKind::Unreadable, Some("submitted_files"))],
    ),
    (
        "a file whose name is a path",
        &["UPDATE submitted_files SET name = '../passwd' WHERE size = 3"],
        &[(FindingKind::Unreadable, Some("submitted_files"))],
    ),
    (
        "a place of a form too few",
        &["UPDATE form_places SET taken = taken - 1"],
        &[(FindingKind::WrongCount, Some("form_places"))],
    ),
    (
        "a draft that is counted",
        &["UPDATE form_places SET taken = taken + 1"],
        &[(FindingKind::WrongCount, Some("form_places"))],
    ),
    (
        "a form with a limit and no count",
        &["DELETE FROM form_places"],
        &[(FindingKind::WrongCount, Some("forms"))],
    ),
    (
        "a form with a count and no limit",
        &["UPDATE forms SET max_submissions = NULL WHERE name = 'creators'"],
        &[(FindingKind::WrongCount, Some("form_places"))],
    ),
    (
        "a group without a name",
        &["UPDATE groups SET name = '', name_folded = '' WHERE name = 'empty'"],
        &[(FindingKind::Unreadable, Some("groups"))],
    ),
    (
        "a membership without a member",
        &["UPDATE memberships SET user_id = '' WHERE user_id = 'alice'"],
        &[(FindingKind::Unreadable, Some("memberships"))],
    ),
    (
        "a resource without a class",
        &["UPDATE resources SET class = '' WHERE identifier = 'plain'"],
        &[(FindingKind::Unreadable, Some("resources"))],
    ),
    (
        "a grant without an action",
        &["UPDATE grants SET action = '' WHERE subject = 'user:bob'"],
        &[(FindingKind::Unreadable, Some("grants"))],
    ),
    (
        "a grant to an unknown kind of holder",
        &["UPDATE grants SET subject = 'robot:bob' WHERE subject = 'user:bob'"],
        &[(FindingKind::Unreadable, Some("grants"))],
    ),
    (
        "a form with an invalid cap",
        &["UPDATE forms SET max_per_creator = -1 WHERE name = 'bare'"],
        &[(FindingKind::Unreadable, Some("forms"))],
    ),
    (
        "a form with an invalid limit",
        &["UPDATE forms SET max_submissions = -1 WHERE name = 'creators'"],
        &[(FindingKind::Unreadable, Some("forms"))],
    ),
    (
        "a submission without a state",
        &["UPDATE submissions SET state = 0 WHERE creator = 'drafter'"],
        &[(FindingKind::Unreadable, Some("submissions"))],
    ),
    (
        "a link without its grant",
        &["DELETE FROM grants WHERE id = (SELECT grant_id FROM form_links WHERE label = 'Poster')"],
        &[(FindingKind::OrphanLink, Some("form_links"))],
    ),
    (
        "a grant of a missing link",
        &["DELETE FROM form_links WHERE label = 'Poster'"],
        &[(FindingKind::OrphanGrant, Some("grants"))],
    ),
    (
        "a link to another form than its grant",
        &[
            "UPDATE form_links SET form_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE label = 'Poster'",
        ],
        &[WRONG_LINK],
    ),
    (
        "a link with another action",
        &["UPDATE grants SET action = 'read' \
           WHERE id = (SELECT grant_id FROM form_links WHERE label = 'Poster')"],
        &[WRONG_LINK],
    ),
    (
        "a link whose grant has another holder",
        &["UPDATE grants SET subject = 'user:bob' \
           WHERE id = (SELECT grant_id FROM form_links WHERE label = 'Poster')"],
        &[WRONG_LINK],
    ),
    (
        "a gap in the event log",
        &["DELETE FROM events WHERE position = 2"],
        &[(FindingKind::EventLog, Some("events"))],
    ),
    (
        "an event beyond the end of the log",
        &["UPDATE event_log SET last = last - 1"],
        &[(FindingKind::EventLog, Some("events"))],
    ),
    (
        "two events with one identifier",
        &["UPDATE events SET id = (SELECT id FROM events WHERE position = 1) WHERE position = 2"],
        &[(FindingKind::EventLog, Some("events"))],
    ),
    (
        "an audience without an event",
        &["INSERT INTO event_audience (event_id, subject) \
           SELECT id, 'user:bob' FROM groups WHERE name = 'lone'"],
        &[(FindingKind::EventLog, Some("event_audience"))],
    ),
    (
        "events without a position",
        &[
            "INSERT INTO event_arrivals (ordinal, id, type, date, record_id) \
             SELECT 1, id, 'group.created', 0, id FROM groups WHERE name = 'lone'",
            "INSERT INTO event_arrivals (ordinal, id, type, date, record_id) \
             SELECT 2, id, 'group.created', 3600001, id FROM groups WHERE name = 'empty'",
        ],
        &[(FindingKind::EventLog, Some("event_arrivals"))],
    ),
    (
        "a log without its extent",
        &["DELETE FROM event_log"],
        &[(FindingKind::EventLog, Some("event_log"))],
    ),
    (
        "data of an unknown event",
        &[
            "INSERT INTO event_data (event_id, submission_id, last_modified_by, date_created, date_last_modified) \
           SELECT id, id, '', 0, 0 FROM groups WHERE name = 'lone'",
        ],
        &[(FindingKind::EventLog, Some("event_data"))],
    ),
    (
        "a webhook of a form that is gone",
        &[
            "UPDATE webhooks SET form_id = (SELECT id FROM groups WHERE name = 'lone') WHERE description = 'on'",
        ],
        &[(FindingKind::Webhook, Some("webhooks"))],
    ),
    (
        "an enabled webhook that does not read the log",
        &["UPDATE webhooks SET disabled = NULL WHERE description = 'off'"],
        &[(FindingKind::Webhook, Some("webhooks"))],
    ),
    (
        "a disabled webhook that reads the log",
        &["UPDATE webhooks SET disabled = 'gone' WHERE description = 'on'"],
        &[(FindingKind::Webhook, Some("webhooks"))],
    ),
    (
        "a delivery that is never attempted",
        &["UPDATE webhook_deliveries SET date_next_attempt = NULL"],
        &[(FindingKind::Webhook, Some("webhook_deliveries"))],
    ),
    (
        "an unreadable webhook",
        &["UPDATE webhooks SET event_types = '[]' WHERE description = 'off'"],
        &[(FindingKind::Unreadable, Some("webhooks"))],
    ),
    (
        "an unreadable delivery",
        &["UPDATE webhook_deliveries SET event_type = 'x'"],
        &[(FindingKind::Unreadable, Some("webhook_deliveries"))],
    ),
    (
        "a link with a cap of zero",
        &["UPDATE form_links SET max_submissions = 0 WHERE label = 'Poster'"],
        &[(FindingKind::Unreadable, Some("form_links"))],
    ),
    (
        "a link with malformed origins",
        &["UPDATE form_links SET embed_origins = '[\"*\"]' WHERE label = 'Poster'"],
        &[(FindingKind::Unreadable, Some("form_links"))],
    ),
    (
        "a wrong count of the submissions through a link",
        &["UPDATE submission_places SET taken = 2 WHERE creator LIKE 'link:%'"],
        &[(FindingKind::WrongCount, Some("submission_places"))],
    ),
    (
        "a missing key",
        &["DELETE FROM settings WHERE name = 'cursor_key'"],
        &[(FindingKind::MissingSetting, Some("settings"))],
    ),
    (
        "a key that is too short",
        &["UPDATE settings SET value = '00' WHERE name = 'cursor_key'"],
        &[(FindingKind::MissingSetting, Some("settings"))],
    ),
    (
        "a token with malformed attributes",
        &["UPDATE api_tokens SET attributes = '[' WHERE kind = 1"],
        &[(FindingKind::Unreadable, Some("api_tokens"))],
    ),
    (
        "a token of an unknown kind",
        &["UPDATE api_tokens SET kind = 3 WHERE kind = 1"],
        &[(FindingKind::Unreadable, Some("api_tokens"))],
    ),
    (
        "an API token in the form of a session",
        &["UPDATE api_tokens SET kind = 1 WHERE kind = 2"],
        &[(FindingKind::Unreadable, Some("api_tokens"))],
    ),
    (
        "a session that never expires",
        &["UPDATE api_tokens SET date_expires = NULL WHERE kind = 2"],
        &[(FindingKind::Unreadable, Some("api_tokens"))],
    ),
    (
        "a session with a negative idle time",
        &["UPDATE api_tokens SET idle = -1 WHERE kind = 2"],
        &[(FindingKind::Unreadable, Some("api_tokens"))],
    ),
    (
        "an invalid schema",
        &["UPDATE forms SET data_feed_schema = '{\"type\": 3}' WHERE name = 'creators'"],
        &[(FindingKind::InvalidSchema, Some("forms"))],
    ),
    (
        "data that does not match the schema",
        &[
            "UPDATE submissions SET data = '{\"age\": \"x\"}' WHERE creator = 'alice' \
           AND form_id = (SELECT id FROM forms WHERE name = 'creators')",
        ],
        &[(FindingKind::InvalidSubmission, Some("submissions"))],
    ),
    (
        "a draft with malformed data",
        &["UPDATE submissions SET data = '{' WHERE creator = 'drafter'"],
        &[(FindingKind::InvalidSubmission, Some("submissions"))],
    ),
];

/// Damage that only PostgreSQL can have, or that takes other statements.
pub(super) const POSTGRES_DAMAGES: &[Damage] = &[
    (
        "a trigger",
        &[
            "CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER meddle BEFORE INSERT ON submissions FOR EACH ROW EXECUTE FUNCTION meddle()",
        ],
        &[(FindingKind::UnknownObject, Some("submissions"))],
    ),
    (
        "a rule",
        &["CREATE RULE meddle AS ON INSERT TO submissions DO INSTEAD NOTHING"],
        &[(FindingKind::UnknownObject, Some("submissions"))],
    ),
    (
        "a missing constraint",
        &["ALTER TABLE submissions DROP CONSTRAINT submissions_form_id_fkey"],
        &[(FindingKind::MissingObject, Some("submissions"))],
    ),
    (
        "a table that does not survive a crash",
        &["ALTER TABLE api_tokens SET UNLOGGED"],
        &[(FindingKind::ChangedObject, Some("api_tokens"))],
    ),
    (
        "a column that may be null",
        &["ALTER TABLE forms ALTER COLUMN name DROP NOT NULL"],
        &[(FindingKind::ChangedObject, Some("forms"))],
    ),
];

/// Damage that PostgreSQL prevents or does not check for.
pub(super) const SQLITE_DAMAGES: &[Damage] = &[
    (
        "an index that is missing from the schema",
        &[
            "PRAGMA writable_schema = ON",
            "DELETE FROM sqlite_master WHERE name = 'grants_on_anchor'",
            // Makes other connections notice the change.
            "PRAGMA schema_version = 4242",
        ],
        &[(FindingKind::Damage, None)],
    ),
    (
        "a malformed identifier",
        &["UPDATE api_tokens SET id = 'x' WHERE kind = 1"],
        &[(FindingKind::Damage, None)],
    ),
    (
        "a broken reference in another program's table",
        &[
            "CREATE TABLE other (form_id UUID REFERENCES forms (id))",
            "INSERT INTO other SELECT id FROM groups",
        ],
        &[
            (FindingKind::UnknownObject, None),
            (FindingKind::Damage, None),
        ],
    ),
    (
        "a trigger",
        &["CREATE TRIGGER meddle AFTER INSERT ON submissions \
           BEGIN DELETE FROM submissions WHERE creator = 'x'; END"],
        &[(FindingKind::UnknownObject, Some("submissions"))],
    ),
    (
        "a table without its constraint",
        &[
            "DROP TABLE settings",
            "CREATE TABLE settings (name TEXT NOT NULL, value TEXT NOT NULL)",
        ],
        &[
            (FindingKind::ChangedObject, Some("settings")),
            (FindingKind::MissingSetting, Some("settings")),
        ],
    ),
    (
        "a text in a column for numbers",
        &["UPDATE submissions SET date_created = 'x' WHERE creator = 'drafter'"],
        &[(FindingKind::Unreadable, Some("submissions"))],
    ),
];
