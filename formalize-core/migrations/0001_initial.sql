-- The tables of formalize, in SQL that SQLite and PostgreSQL read alike.
--
-- UUID     16 bytes (SQLite: a blob). Version 7 begins with the instant of creation, so that the order of
--          identifiers is the order of creation; every list is ordered by them.
-- BIGINT   instants are milliseconds since 1970-01-01T00:00:00Z; sets are sums of the bits named at the column.
-- TEXT     compared exactly, by code points. JSON is kept as text, so that it comes back byte for byte.
--
-- Large texts stand last in their tables: SQLite reads the columns in front of them without reading them.

CREATE TABLE groups (
    id           UUID   NOT NULL PRIMARY KEY,
    name         TEXT   NOT NULL,
    name_folded  TEXT   NOT NULL, -- the name with its case folded, for searching
    revision     UUID   NOT NULL,
    date_created BIGINT NOT NULL
);

-- Who is a direct member of which group: a user or another group.
CREATE TABLE memberships (
    id             UUID   NOT NULL PRIMARY KEY,
    group_id       UUID   NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
    user_id        TEXT,
    child_group_id UUID   REFERENCES groups (id) ON DELETE CASCADE,
    date_created   BIGINT NOT NULL,
    UNIQUE (group_id, user_id),
    UNIQUE (group_id, child_group_id),
    CHECK ((user_id IS NULL) <> (child_group_id IS NULL))
);

CREATE INDEX memberships_of_group ON memberships (group_id, id);
CREATE INDEX memberships_of_user ON memberships (user_id, group_id) WHERE user_id IS NOT NULL;
CREATE INDEX memberships_of_child ON memberships (child_group_id, group_id) WHERE child_group_id IS NOT NULL;

-- What grants are made on. The anchor is the record that the resource is about: the group, the form (also for the
-- collection of its submissions), the submission, and the resource itself for everything else.
CREATE TABLE resources (
    id           UUID   NOT NULL PRIMARY KEY,
    class        TEXT   NOT NULL,
    identifier   TEXT   NOT NULL, -- empty: the collection of the class
    anchor       UUID   NOT NULL,
    form_id      UUID,            -- the form of a submission; null for everything else
    date_created BIGINT NOT NULL,
    UNIQUE (identifier, class)
);

CREATE INDEX resources_by_anchor ON resources (anchor, class);
CREATE INDEX resources_of_form ON resources (form_id, id) WHERE form_id IS NOT NULL;

-- Class, anchor and form are those of the resource, which never change; they stand here for the indexes.
CREATE TABLE grants (
    id           UUID   NOT NULL PRIMARY KEY,
    resource_id  UUID   NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    class        TEXT   NOT NULL,
    anchor       UUID   NOT NULL,
    form_id      UUID,
    action       TEXT   NOT NULL,
    subject      TEXT   NOT NULL, -- 'user:…', 'group:…' or 'dynamic:…'
    group_id     UUID   REFERENCES groups (id) ON DELETE CASCADE, -- the group, if the subject is one
    date_created BIGINT NOT NULL,
    UNIQUE (resource_id, subject, action)
);

-- What somebody may do to an item.
CREATE INDEX grants_on_anchor ON grants (anchor, subject);
-- The groups and forms on which somebody holds an action, in their order. These have records of their own, unlike what
-- other applications name, and short classes and actions: an entry keeps within the third of a page that PostgreSQL
-- allows.
CREATE INDEX grants_of_action_on_item ON grants (subject, class, action, anchor)
    WHERE anchor <> resource_id AND form_id IS NULL;
-- The resources on which somebody holds anything, or an action, in their order. Submissions stand apart: they are many,
-- and count only under conditions.
CREATE INDEX grants_of_subject_on_resource ON grants (subject, resource_id, class) WHERE form_id IS NULL;
CREATE INDEX grants_of_action_on_resource ON grants (subject, action, resource_id) WHERE form_id IS NULL;
CREATE INDEX grants_of_action_on_submission ON grants (subject, action, resource_id) WHERE form_id IS NOT NULL;
-- The submissions of a form on which somebody holds an action, in their order.
CREATE INDEX grants_of_action_in_form ON grants (subject, form_id, action, anchor) WHERE form_id IS NOT NULL;
-- The grants themselves, in their order (here and above with the class, by which lists are filtered).
CREATE INDEX grants_of_subject ON grants (subject, id, class);
CREATE INDEX grants_on_resource ON grants (resource_id, id);
CREATE INDEX grants_of_group ON grants (group_id) WHERE group_id IS NOT NULL;

CREATE TABLE forms (
    id                UUID    NOT NULL PRIMARY KEY,
    name              TEXT    NOT NULL,
    grant_based       BOOLEAN NOT NULL,
    allowed_actions   BIGINT  NOT NULL, -- once submitted: 1 read, 2 update, 4 delete, 8 manage
    allowed_states    BIGINT  NOT NULL, -- 1 draft, 2 submitted
    available_starts  BIGINT,
    availability_ends BIGINT,
    max_per_creator   BIGINT,           -- null: no cap
    revision          UUID    NOT NULL,
    date_created      BIGINT  NOT NULL,
    data_feed_schema  TEXT
);

CREATE TABLE submissions (
    id                 UUID   NOT NULL PRIMARY KEY,
    form_id            UUID   NOT NULL REFERENCES forms (id) ON DELETE CASCADE,
    creator            TEXT   NOT NULL, -- empty: the system
    state              BIGINT NOT NULL, -- 1 draft, 2 submitted
    last_modified_by   TEXT   NOT NULL,
    date_created       BIGINT NOT NULL,
    date_last_modified BIGINT NOT NULL,
    revision           UUID   NOT NULL,
    data               TEXT
);

CREATE INDEX submissions_in_state ON submissions (form_id, state, id);
CREATE INDEX submissions_of_creator ON submissions (form_id, creator, id);

-- How many submissions of a form a creator has, drafts included: the row that the cap is kept by.
CREATE TABLE submission_places (
    form_id UUID   NOT NULL REFERENCES forms (id) ON DELETE CASCADE,
    creator TEXT   NOT NULL,
    taken   BIGINT NOT NULL,
    PRIMARY KEY (form_id, creator)
);

CREATE INDEX submission_places_of_creator ON submission_places (creator, form_id);

CREATE TABLE api_tokens (
    id             UUID   NOT NULL PRIMARY KEY,
    user_id        TEXT   NOT NULL,
    attributes     TEXT   NOT NULL, -- a JSON object
    secret_hash    TEXT   NOT NULL UNIQUE, -- SHA-256 in hexadecimal digits
    date_created   BIGINT NOT NULL,
    date_expires   BIGINT,
    date_last_used BIGINT
);

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
