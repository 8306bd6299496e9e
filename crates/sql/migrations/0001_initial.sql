-- The tables of formalize, in SQL that SQLite and PostgreSQL read alike.
--
-- Every name begins with formalize_, so that none is that of an application in the same database. Statements call a table by
-- the rest of its name: FROM formalize_forms AS forms.
--
-- UUID     16 bytes (SQLite: a blob). Version 7 begins with the instant of creation, so that the order of
--          identifiers is the order of creation; every list is ordered by them.
-- BIGINT   instants are milliseconds since 1970-01-01T00:00:00Z; sets are sums of the bits named at the column.
-- TEXT     compared exactly, by code points. JSON is kept as text, so that it comes back byte for byte.
--
-- Large texts stand last in their tables: SQLite reads the columns in front of them without reading them.


-- Groups

CREATE TABLE formalize_groups (
    id           UUID   NOT NULL PRIMARY KEY,
    name         TEXT   NOT NULL,
    name_folded  TEXT   NOT NULL, -- the name with its case folded, for searching
    revision     UUID   NOT NULL,
    date_created BIGINT NOT NULL
);

-- Who is a direct member of which group: a user or another group.
CREATE TABLE formalize_memberships (
    id             UUID   NOT NULL PRIMARY KEY,
    group_id       UUID   NOT NULL REFERENCES formalize_groups (id) ON DELETE CASCADE,
    user_id        TEXT,
    child_group_id UUID   REFERENCES formalize_groups (id) ON DELETE CASCADE,
    date_created   BIGINT NOT NULL,
    UNIQUE (group_id, user_id),
    UNIQUE (group_id, child_group_id),
    CHECK ((user_id IS NULL) <> (child_group_id IS NULL))
);

CREATE INDEX formalize_memberships_of_group ON formalize_memberships (group_id, id);
CREATE INDEX formalize_memberships_of_user ON formalize_memberships (user_id, group_id) WHERE user_id IS NOT NULL;
CREATE INDEX formalize_memberships_of_child ON formalize_memberships (child_group_id, group_id)
    WHERE child_group_id IS NOT NULL;


-- Resources and grants

-- What grants are made on. The anchor is the record that the resource is about: the group, the form (also for the
-- collection of its submissions), the submission, and the resource itself for everything else.
CREATE TABLE formalize_resources (
    id           UUID   NOT NULL PRIMARY KEY,
    class        TEXT   NOT NULL,
    identifier   TEXT   NOT NULL, -- empty: the collection of the class
    anchor       UUID   NOT NULL,
    form_id      UUID,            -- the form of a submission; null for everything else
    date_created BIGINT NOT NULL,
    UNIQUE (identifier, class)
);

CREATE INDEX formalize_resources_by_anchor ON formalize_resources (anchor, class);
CREATE INDEX formalize_resources_of_form ON formalize_resources (form_id, id) WHERE form_id IS NOT NULL;

-- Class, anchor and form are those of the resource, which never change; they stand here for the indexes.
CREATE TABLE formalize_grants (
    id           UUID   NOT NULL PRIMARY KEY,
    resource_id  UUID   NOT NULL REFERENCES formalize_resources (id) ON DELETE CASCADE,
    class        TEXT   NOT NULL,
    anchor       UUID   NOT NULL,
    form_id      UUID,
    action       TEXT   NOT NULL,
    subject      TEXT   NOT NULL, -- 'user:…', 'group:…' or 'dynamic:…'
    group_id     UUID   REFERENCES formalize_groups (id) ON DELETE CASCADE, -- the group, if the subject is one
    date_created BIGINT NOT NULL,
    UNIQUE (resource_id, subject, action)
);

-- What somebody may do to an item.
CREATE INDEX formalize_grants_on_anchor ON formalize_grants (anchor, subject);
-- The groups and forms on which somebody holds an action, in their order. These have records of their own, unlike what
-- other applications name, and short classes and actions: an entry keeps within the third of a page that PostgreSQL
-- allows.
CREATE INDEX formalize_grants_of_action_on_item ON formalize_grants (subject, class, action, anchor)
    WHERE anchor <> resource_id AND form_id IS NULL;
-- The resources on which somebody holds anything, or an action, in their order. Submissions stand apart: they are many,
-- and count only under conditions.
CREATE INDEX formalize_grants_of_subject_on_resource ON formalize_grants (subject, resource_id, class)
    WHERE form_id IS NULL;
CREATE INDEX formalize_grants_of_action_on_resource ON formalize_grants (subject, action, resource_id)
    WHERE form_id IS NULL;
CREATE INDEX formalize_grants_of_action_on_submission ON formalize_grants (subject, action, resource_id)
    WHERE form_id IS NOT NULL;
-- The submissions of a form on which somebody holds an action, in their order.
CREATE INDEX formalize_grants_of_action_in_form ON formalize_grants (subject, form_id, action, anchor)
    WHERE form_id IS NOT NULL;
-- The grants themselves, in their order (here and above with the class, by which lists are filtered).
CREATE INDEX formalize_grants_of_subject ON formalize_grants (subject, id, class);
CREATE INDEX formalize_grants_on_resource ON formalize_grants (resource_id, id);
CREATE INDEX formalize_grants_of_group ON formalize_grants (group_id) WHERE group_id IS NOT NULL;


-- Forms

CREATE TABLE formalize_forms (
    id                UUID    NOT NULL PRIMARY KEY,
    name              TEXT    NOT NULL,
    grant_based       BOOLEAN NOT NULL,
    allowed_actions   BIGINT  NOT NULL, -- once submitted: 1 read, 2 update, 4 delete, 8 manage
    allowed_states    BIGINT  NOT NULL, -- 1 draft, 2 submitted
    available_starts  BIGINT,
    availability_ends BIGINT,
    max_per_creator   BIGINT,           -- null: no cap
    max_submissions   BIGINT,           -- how many may be submitted; null: no limit
    tag_permissions   BIGINT  NOT NULL DEFAULT 1, -- 1 read, 2 add, 4 remove
    -- Deleted while it had many submissions. No list and no search finds the form or what belongs to it. Its submissions are
    -- deleted in portions and the form itself last, because the foreign keys would delete all of it in one statement.
    deleted           BOOLEAN NOT NULL DEFAULT FALSE,
    revision          UUID    NOT NULL,
    date_created      BIGINT  NOT NULL,
    frontend_key      TEXT,             -- null: none
    localized_names   TEXT,             -- JSON: an object from language tags to names; null: none
    contact           TEXT,             -- whom to ask about the form; null: nobody is named
    available_tags    TEXT,             -- the tags that its submissions may get; JSON: an array of objects; null: none
    additional_data   TEXT,             -- for applications; JSON: an object or an array; null: none
    data_feed_schema  TEXT
);

CREATE INDEX formalize_forms_deleted ON formalize_forms (id) WHERE deleted;
-- Lists of the forms that have a key.
CREATE INDEX formalize_forms_of_frontend_key ON formalize_forms (frontend_key, id) WHERE frontend_key IS NOT NULL;

-- How many submitted submissions a form has: the row that the limit is kept by. Forms without a limit have none, so that
-- their submissions do not wait for each other.
CREATE TABLE formalize_form_places (
    form_id UUID   NOT NULL PRIMARY KEY REFERENCES formalize_forms (id) ON DELETE CASCADE,
    taken   BIGINT NOT NULL
);

-- Public links, with which anyone may submit to one form. The grant of a link entitles the user 'link:…', after the
-- identifier of the link, and the link ends with it. The submissions through a link are those of that user.
CREATE TABLE formalize_form_links (
    id               UUID    NOT NULL PRIMARY KEY,
    form_id          UUID    NOT NULL, -- the form of the grant, which never changes; it stands here for the index
    grant_id         UUID    NOT NULL UNIQUE REFERENCES formalize_grants (id) ON DELETE CASCADE,
    label            TEXT,
    creator          TEXT    NOT NULL, -- empty: the system
    secret_hash      TEXT    NOT NULL UNIQUE, -- SHA-256 in hexadecimal digits
    max_submissions  BIGINT,           -- null: no cap
    once_per_browser BOOLEAN NOT NULL,
    embed_origins    TEXT    NOT NULL, -- a JSON array
    revision         UUID    NOT NULL,
    date_created     BIGINT  NOT NULL,
    date_expires     BIGINT
);

CREATE INDEX formalize_form_links_of_form ON formalize_form_links (form_id, id);


-- Submissions

CREATE TABLE formalize_submissions (
    id                 UUID   NOT NULL PRIMARY KEY,
    form_id            UUID   NOT NULL REFERENCES formalize_forms (id) ON DELETE CASCADE,
    creator            TEXT   NOT NULL, -- empty: the system
    state              BIGINT NOT NULL, -- 1 draft, 2 submitted
    last_modified_by   TEXT   NOT NULL,
    date_created       BIGINT NOT NULL,
    date_last_modified BIGINT NOT NULL,
    revision           UUID   NOT NULL,
    -- The number of its files, and their total size in bytes. Submissions without files need no other query.
    num_files          BIGINT NOT NULL DEFAULT 0,
    file_bytes         BIGINT NOT NULL DEFAULT 0,
    tags               TEXT,            -- JSON: an array of texts; null: none
    data               TEXT
);

CREATE INDEX formalize_submissions_in_state ON formalize_submissions (form_id, state, id);
-- With the state, so that the drafts of somebody with a great many submissions are found at once.
CREATE INDEX formalize_submissions_of_creator ON formalize_submissions (form_id, creator, state, id);
CREATE INDEX formalize_submissions_with_files ON formalize_submissions (form_id, creator, state, file_bytes)
    WHERE num_files > 0;

-- The same tags, for lists of the submissions that have one.
CREATE TABLE formalize_submission_tags (
    submission_id UUID NOT NULL REFERENCES formalize_submissions (id) ON DELETE CASCADE,
    tag           TEXT NOT NULL,
    form_id       UUID NOT NULL,
    PRIMARY KEY (submission_id, tag)
);

CREATE INDEX formalize_submissions_of_tag ON formalize_submission_tags (form_id, tag, submission_id);

-- How many submissions of a form a creator has, drafts included: the row that the cap is kept by.
CREATE TABLE formalize_submission_places (
    form_id    UUID   NOT NULL REFERENCES formalize_forms (id) ON DELETE CASCADE,
    creator    TEXT   NOT NULL,
    taken      BIGINT NOT NULL,
    file_bytes BIGINT NOT NULL DEFAULT 0, -- the total size of the files in them, by which the quota is kept
    PRIMARY KEY (form_id, creator)
);

CREATE INDEX formalize_submission_places_of_creator ON formalize_submission_places (creator, form_id);

-- Files of submissions. Their contents are in a file store, under their identifiers.
--
-- A row is inserted without a submission before any content is stored. It refers to the submission once the upload is complete,
-- until the submission is deleted or the file is removed. Expired rows without a submission are deleted, after their content.
CREATE TABLE formalize_submitted_files (
    id            UUID   NOT NULL PRIMARY KEY,
    submission_id UUID   REFERENCES formalize_submissions (id) ON DELETE SET NULL,
    date_expires  BIGINT NOT NULL, -- when it may be deleted, if it has no submission; 0: at once
    attribute     TEXT,            -- null until it has a submission, like the columns below
    name          TEXT,
    size          BIGINT,          -- in bytes
    mime_type     TEXT,
    sha256        TEXT,            -- in hexadecimal digits
    creator       TEXT,            -- empty: the system
    date_created  BIGINT
);

CREATE INDEX formalize_submitted_files_of_submission ON formalize_submitted_files (submission_id, id)
    WHERE submission_id IS NOT NULL;
CREATE INDEX formalize_submitted_files_unused ON formalize_submitted_files (date_expires, id) WHERE submission_id IS NULL;

-- While there is a hold that has not ended, no content of a file is deleted: a backup is being made.
CREATE TABLE formalize_file_holds (
    id        UUID   NOT NULL PRIMARY KEY,
    date_ends BIGINT NOT NULL
);


-- API tokens and sessions

-- The sessions of people who have signed in to web pages are kept among API tokens.
CREATE TABLE formalize_api_tokens (
    id             UUID   NOT NULL PRIMARY KEY,
    kind           BIGINT NOT NULL DEFAULT 1, -- 1 API token, 2 session
    user_id        TEXT   NOT NULL,
    label          TEXT,            -- null: no label
    secret_hash    TEXT   NOT NULL UNIQUE, -- SHA-256 in hexadecimal digits
    -- The API token with which the session began, or in whose session the API token was made, and with which it ends. Null:
    -- none.
    origin         UUID   REFERENCES formalize_api_tokens (id) ON DELETE CASCADE,
    date_created   BIGINT NOT NULL,
    date_expires   BIGINT,
    date_last_used BIGINT,
    idle           BIGINT,          -- how many milliseconds after the last use a session ends; null: an API token
    attributes     TEXT   NOT NULL  -- a JSON object
);

CREATE INDEX formalize_sessions_of_user ON formalize_api_tokens (user_id) WHERE kind = 2;
-- The sessions in the order in which they end.
CREATE INDEX formalize_sessions_by_end ON formalize_api_tokens (
    (CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END)
) WHERE kind = 2;
CREATE INDEX formalize_tokens_of_user ON formalize_api_tokens (user_id, id);
CREATE INDEX formalize_tokens_of_origin ON formalize_api_tokens (origin) WHERE origin IS NOT NULL;


-- The event log

-- The log of changes. Its only row counts the positions.
CREATE TABLE formalize_event_log (
    id        BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch     BIGINT NOT NULL, -- a new number whenever positions may have been given twice; at first 0
    last      BIGINT NOT NULL, -- the position of the last event; 0: none
    purged_to BIGINT NOT NULL  -- the position of the last event that was deleted; 0: none
);

INSERT INTO formalize_event_log (id, epoch, last, purged_to) VALUES (1, 0, 0, 0);

-- Identifiers of events are unique, but nothing is looked up by them, so there is no index to maintain.
CREATE TABLE formalize_events (
    position  BIGINT NOT NULL PRIMARY KEY,
    id        UUID   NOT NULL,
    type      TEXT   NOT NULL,
    date      BIGINT NOT NULL,
    record_id UUID   NOT NULL, -- what the event is about
    form_id   UUID,            -- the form that it is or belongs to, if any
    creator   TEXT,            -- of a submission; empty: the system
    author    TEXT,            -- who changed the submission; empty: the system
    data      TEXT             -- a JSON object with what else the event says; null for submissions, forms and groups
);

-- Events without a position. SQLite, with one writer, gives positions when events are written and leaves this table empty.
-- In PostgreSQL a transaction cannot know its position before it is committed. It draws an ordinal while it holds the lock
-- of the record. The type makes PostgreSQL create a sequence without cache, so that ordinals drawn later are greater.
CREATE TABLE formalize_event_arrivals (
    ordinal   BIGSERIAL NOT NULL PRIMARY KEY,
    id        UUID   NOT NULL,
    type      TEXT   NOT NULL,
    date      BIGINT NOT NULL,
    record_id UUID   NOT NULL,
    form_id   UUID,
    creator   TEXT,
    author    TEXT,
    data      TEXT
);

-- The subjects that could read what was deleted.
CREATE TABLE formalize_event_audience (
    event_id UUID NOT NULL,
    subject  TEXT NOT NULL,
    PRIMARY KEY (event_id, subject)
);

-- Submissions as they were at an event, while a webhook wants them.
CREATE TABLE formalize_event_data (
    event_id           UUID   NOT NULL PRIMARY KEY,
    submission_id      UUID   NOT NULL,
    last_modified_by   TEXT   NOT NULL,
    date_created       BIGINT NOT NULL,
    date_last_modified BIGINT NOT NULL,
    tags_and_files     TEXT,            -- JSON: an object; null: without them
    data               TEXT
);

-- How far the readers of the log have come, and which consumer has a reader until when.
CREATE TABLE formalize_event_subscriptions (
    name       TEXT   NOT NULL PRIMARY KEY,
    epoch      BIGINT NOT NULL,
    position   BIGINT NOT NULL,
    holder     UUID,
    held_until BIGINT
);


-- Webhooks

-- Each enabled one is the subscription 'webhook:…' to the event log, after its identifier.
CREATE TABLE formalize_webhooks (
    id                UUID   NOT NULL PRIMARY KEY,
    form_id           UUID,            -- null: the events of all forms
    url               TEXT   NOT NULL,
    description       TEXT,
    event_types       TEXT   NOT NULL, -- a JSON array of names
    payload           TEXT   NOT NULL,
    disabled          TEXT,            -- why; null: it is enabled
    frozen_events     BIGINT NOT NULL, -- a set: events at which the data of a submission is kept for this webhook
    secret            TEXT   NOT NULL, -- readable or encrypted
    previous_secret   TEXT,            -- the secret before, which signs, too, until
    previous_until    BIGINT,
    creator           TEXT   NOT NULL, -- empty: the system
    revision          UUID   NOT NULL,
    date_created      BIGINT NOT NULL,
    date_last_success BIGINT,
    date_last_failure BIGINT,
    failures          BIGINT NOT NULL, -- failed attempts since the last success
    failing_since     BIGINT,          -- the first of them
    date_resumes      BIGINT,          -- no attempt before
    date_ended        BIGINT           -- when its form was deleted; what is pending is still sent
);

CREATE INDEX formalize_webhooks_of_form ON formalize_webhooks (form_id, id);
CREATE INDEX formalize_webhooks_enabled ON formalize_webhooks (id) WHERE disabled IS NULL;
CREATE INDEX formalize_webhooks_ended ON formalize_webhooks (date_ended) WHERE date_ended IS NOT NULL;

-- Events on their way to webhooks.
CREATE TABLE formalize_webhook_deliveries (
    id                UUID   NOT NULL PRIMARY KEY,
    webhook_id        UUID   NOT NULL REFERENCES formalize_webhooks (id) ON DELETE CASCADE,
    event_id          UUID   NOT NULL,
    sequence          BIGINT NOT NULL, -- the position of the event
    event_type        TEXT   NOT NULL,
    submission_id     UUID,
    lane              UUID   NOT NULL, -- what the event is about; deliveries of one lane are attempted in order
    state             TEXT   NOT NULL,
    num_attempts      BIGINT NOT NULL,
    tries             BIGINT NOT NULL, -- attempts since it was last queued
    refusals          BIGINT NOT NULL, -- those of them in which the receiver refused the event
    date_created      BIGINT NOT NULL,
    date_next_attempt BIGINT,          -- only if it is pending
    date_done         BIGINT,
    last_status       BIGINT,
    last_error        TEXT,
    holder            UUID,            -- who is attempting it, until
    held_until        BIGINT,
    UNIQUE (event_id, webhook_id)
);

CREATE INDEX formalize_webhook_deliveries_of_webhook ON formalize_webhook_deliveries (webhook_id, id);
CREATE INDEX formalize_webhook_deliveries_by_state ON formalize_webhook_deliveries (webhook_id, state, lane, sequence);
CREATE INDEX formalize_webhook_deliveries_by_end ON formalize_webhook_deliveries (date_done) WHERE state = 'delivered';
-- The next deliveries of a webhook, and those that are leased, are found at once, however many are pending.
CREATE INDEX formalize_webhook_deliveries_due ON formalize_webhook_deliveries (webhook_id, date_next_attempt, sequence)
    WHERE date_next_attempt IS NOT NULL;
CREATE INDEX formalize_webhook_deliveries_held ON formalize_webhook_deliveries (webhook_id, held_until)
    WHERE held_until IS NOT NULL;

-- The last attempts of each delivery, numbered from 1.
CREATE TABLE formalize_webhook_attempts (
    delivery_id UUID   NOT NULL REFERENCES formalize_webhook_deliveries (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    date        BIGINT NOT NULL,
    status      BIGINT,
    error       TEXT,
    duration    BIGINT NOT NULL, -- in milliseconds
    PRIMARY KEY (delivery_id, number)
);

CREATE INDEX formalize_webhook_attempts_by_date ON formalize_webhook_attempts (date);


-- Everything else

-- The responses to requests with an idempotency key, for when they are sent again.
CREATE TABLE formalize_kept_responses (
    owner        TEXT   NOT NULL, -- the user; empty: the system
    key_text     TEXT   NOT NULL,
    fingerprint  TEXT   NOT NULL, -- SHA-256 of the request in hexadecimal digits
    response     TEXT   NOT NULL,
    date_expires BIGINT NOT NULL,
    PRIMARY KEY (owner, key_text)
);

CREATE INDEX formalize_kept_responses_by_end ON formalize_kept_responses (date_expires);

CREATE TABLE formalize_settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
