//! Ways to damage a database that [`super::furnish`] has filled.

use formalize_core::store::sql::FindingKind;

use super::Found;

/// A name, the SQL statements that cause the damage, and the expected findings.
pub(super) type Damage = (&'static str, &'static [&'static str], &'static [Found]);

const RESOURCE_ROW: Found = (FindingKind::OrphanResource, Some("resources"));
const COPY_OF_GRANT: Found = (FindingKind::WrongCopy, Some("grants"));
const COPY_OF_RESOURCE: Found = (FindingKind::WrongCopy, Some("resources"));

/// Damage on both databases.
pub(super) const DAMAGES: &[Damage] = &[
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
        "a membership in no group",
        &[
            "UPDATE memberships SET group_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE user_id = 'alice'",
        ],
        &[(FindingKind::OrphanMembership, Some("memberships"))],
    ),
    (
        "a membership of no group",
        &[
            "UPDATE memberships SET child_group_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE child_group_id IS NOT NULL",
        ],
        &[(FindingKind::OrphanMembership, Some("memberships"))],
    ),
    (
        "a grant on no resource",
        &[
            "UPDATE grants SET resource_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE subject = 'user:bob'",
        ],
        &[(FindingKind::OrphanGrant, Some("grants"))],
    ),
    (
        "a grant to no group",
        &[
            "DELETE FROM resources WHERE anchor = (SELECT id FROM groups WHERE name = 'lone')",
            "DELETE FROM groups WHERE name = 'lone'",
        ],
        &[(FindingKind::OrphanGrant, Some("grants"))],
    ),
    (
        "a resource about no group",
        &["DELETE FROM groups WHERE name = 'empty'"],
        &[RESOURCE_ROW],
    ),
    (
        "resources about no form",
        &["DELETE FROM forms WHERE name = 'bare'"],
        &[RESOURCE_ROW, RESOURCE_ROW],
    ),
    (
        "a resource about no submission",
        &[
            "DELETE FROM submissions \
           WHERE form_id = (SELECT id FROM forms WHERE name = 'grants')",
            "DELETE FROM submission_places \
           WHERE form_id = (SELECT id FROM forms WHERE name = 'grants')",
        ],
        &[RESOURCE_ROW],
    ),
    (
        "a submission of no form",
        &[
            "UPDATE submissions SET form_id = (SELECT id FROM groups WHERE name = 'empty') \
           WHERE creator = 'drafter'",
            "DELETE FROM submission_places WHERE creator = 'drafter'",
        ],
        &[(FindingKind::OrphanSubmission, Some("submissions"))],
    ),
    (
        "a place in no form",
        &["INSERT INTO submission_places (form_id, creator, taken) \
           SELECT id, 'x', 0 FROM groups WHERE name = 'empty'"],
        &[(FindingKind::OrphanPlace, Some("submission_places"))],
    ),
    (
        "a group without resource",
        &["DELETE FROM resources WHERE anchor = (SELECT id FROM groups WHERE name = 'empty')"],
        &[(FindingKind::MissingResource, Some("groups"))],
    ),
    (
        "a form without resource",
        &[
            "DELETE FROM resources WHERE class = 'DbpRelayFormalizeForm' \
           AND anchor = (SELECT id FROM forms WHERE name = 'bare')",
        ],
        &[(FindingKind::MissingResource, Some("forms"))],
    ),
    (
        "a form without the resource of its submissions",
        &[
            "DELETE FROM resources WHERE class = 'DbpRelayFormalizeSubmissionCollection' \
           AND anchor = (SELECT id FROM forms WHERE name = 'bare')",
        ],
        &[(FindingKind::MissingResource, Some("forms"))],
    ),
    (
        "a submission without resource",
        &[
            "DELETE FROM grants WHERE class = 'DbpRelayFormalizeSubmission'",
            "DELETE FROM resources WHERE class = 'DbpRelayFormalizeSubmission' AND identifier <> ''",
        ],
        &[(FindingKind::MissingResource, Some("submissions"))],
    ),
    (
        "a resource under another record",
        &[
            "UPDATE resources SET anchor = (SELECT id FROM groups WHERE name = 'empty') \
           WHERE identifier = 'plain'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource by another identifier than that of its form",
        &[
            "UPDATE resources SET identifier = 'x' WHERE class = 'DbpRelayFormalizeForm' \
           AND anchor = (SELECT id FROM forms WHERE name = 'bare')",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource under another form than its submission",
        &[
            "UPDATE resources SET form_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE class = 'DbpRelayFormalizeSubmission' AND identifier <> ''",
            "UPDATE grants SET form_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE class = 'DbpRelayFormalizeSubmission'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a resource under a form and no submission",
        &[
            "UPDATE resources SET form_id = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE identifier = 'plain'",
        ],
        &[COPY_OF_RESOURCE],
    ),
    (
        "a grant of another class than its resource",
        &["UPDATE grants SET class = 'Other' WHERE subject = 'user:bob'"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant under another record than its resource",
        &[
            "UPDATE grants SET anchor = (SELECT id FROM forms WHERE name = 'bare') \
           WHERE subject = 'user:bob'",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant under another form than its resource",
        &["UPDATE grants SET form_id = NULL WHERE class = 'DbpRelayFormalizeSubmission'"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant of a group to no group",
        &["UPDATE grants SET group_id = NULL WHERE group_id IS NOT NULL"],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant of a group to another",
        &[
            "UPDATE grants SET group_id = (SELECT id FROM groups WHERE name = 'empty') \
           WHERE group_id IS NOT NULL",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a grant of a user to a group",
        &[
            "UPDATE grants SET group_id = (SELECT id FROM groups WHERE name = 'empty') \
           WHERE subject = 'user:bob'",
        ],
        &[COPY_OF_GRANT],
    ),
    (
        "a group that is found by another name",
        &["UPDATE groups SET name_folded = 'Empty' WHERE name = 'empty'"],
        &[(FindingKind::WrongCopy, Some("groups"))],
    ),
    (
        "a place too many",
        &["UPDATE submission_places SET taken = taken + 1 WHERE creator = 'drafter'"],
        &[(FindingKind::WrongCount, Some("submission_places"))],
    ),
    (
        "a submission that is not counted",
        &["DELETE FROM submission_places WHERE creator = 'drafter'"],
        &[(FindingKind::WrongCount, Some("submissions"))],
    ),
    (
        "a group without a name",
        &["UPDATE groups SET name = '', name_folded = '' WHERE name = 'empty'"],
        &[(FindingKind::Unreadable, Some("groups"))],
    ),
    (
        "a membership of nobody",
        &["UPDATE memberships SET user_id = '' WHERE user_id = 'alice'"],
        &[(FindingKind::Unreadable, Some("memberships"))],
    ),
    (
        "a resource without a class",
        &["UPDATE resources SET class = '' WHERE identifier = 'plain'"],
        &[(FindingKind::Unreadable, Some("resources"))],
    ),
    (
        "a grant of nothing",
        &["UPDATE grants SET action = '' WHERE subject = 'user:bob'"],
        &[(FindingKind::Unreadable, Some("grants"))],
    ),
    (
        "a grant to a robot",
        &["UPDATE grants SET subject = 'robot:bob' WHERE subject = 'user:bob'"],
        &[(FindingKind::Unreadable, Some("grants"))],
    ),
    (
        "a form with an impossible cap",
        &["UPDATE forms SET max_per_creator = -1 WHERE name = 'bare'"],
        &[(FindingKind::Unreadable, Some("forms"))],
    ),
    (
        "a submission in no state",
        &["UPDATE submissions SET state = 0 WHERE creator = 'drafter'"],
        &[(FindingKind::Unreadable, Some("submissions"))],
    ),
    (
        "a token with attributes that are no JSON",
        &["UPDATE api_tokens SET attributes = '['"],
        &[(FindingKind::Unreadable, Some("api_tokens"))],
    ),
    (
        "a schema that is none",
        &["UPDATE forms SET data_feed_schema = '{\"type\": 3}' WHERE name = 'creators'"],
        &[(FindingKind::InvalidSchema, Some("forms"))],
    ),
    (
        "data that breaks the schema",
        &[
            "UPDATE submissions SET data = '{\"age\": \"x\"}' WHERE creator = 'alice' \
           AND form_id = (SELECT id FROM forms WHERE name = 'creators')",
        ],
        &[(FindingKind::InvalidSubmission, Some("submissions"))],
    ),
    (
        "data that is no JSON, of a draft",
        &["UPDATE submissions SET data = '{' WHERE creator = 'drafter'"],
        &[(FindingKind::InvalidSubmission, Some("submissions"))],
    ),
];

/// Damage that PostgreSQL prevents or does not check for.
pub(super) const SQLITE_DAMAGES: &[Damage] = &[
    (
        "an index that is forgotten",
        &[
            "PRAGMA writable_schema = ON",
            "DELETE FROM sqlite_master WHERE name = 'grants_on_anchor'",
            // Makes other connections notice the change.
            "PRAGMA schema_version = 4242",
        ],
        &[(FindingKind::Damage, None)],
    ),
    (
        "an identifier that is none",
        &["UPDATE api_tokens SET id = 'x'"],
        &[(FindingKind::Damage, None)],
    ),
    (
        "a reference of a table of somebody else",
        &[
            "CREATE TABLE other (form_id UUID REFERENCES forms (id))",
            "INSERT INTO other SELECT id FROM groups",
        ],
        &[(FindingKind::Damage, None)],
    ),
    (
        "a text where a number should be",
        &["UPDATE submissions SET date_created = 'x' WHERE creator = 'drafter'"],
        &[(FindingKind::Unreadable, Some("submissions"))],
    ),
];
