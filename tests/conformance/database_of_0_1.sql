-- A database that the first version made, which migrated with sqlx: what `sqlite3 formalize.db .dump` prints.
PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE api_tokens (
    id             UUID   NOT NULL PRIMARY KEY,
    user_id        TEXT   NOT NULL,
    attributes     TEXT   NOT NULL, -- a JSON object
    secret_hash    TEXT   NOT NULL UNIQUE, -- SHA-256 in hexadecimal digits
    date_created   BIGINT NOT NULL,
    date_expires   BIGINT,
    date_last_used BIGINT
);
CREATE TABLE formalize_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO "formalize_migrations" VALUES(1,'initial','2026-11-22 20:47:53',1,X'BCBD3DE459D1F2E01A482D705EF3609082F4E7941CAEF44F4DFF4C2A320AB985D443AC00E6753A12257B93BD9580761D',3186674);
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
CREATE TABLE groups (
    id           UUID   NOT NULL PRIMARY KEY,
    name         TEXT   NOT NULL,
    name_folded  TEXT   NOT NULL, -- the name with its case folded, for searching
    revision     UUID   NOT NULL,
    date_created BIGINT NOT NULL
);
INSERT INTO "groups" VALUES(X'01A20503EFC077F896BE4BAFFF2DDDAA','Reading circle','reading circle',X'01A20503EFC077F896BE4BB0EEA387A1',1795380473792);
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
CREATE TABLE resources (
    id           UUID   NOT NULL PRIMARY KEY,
    class        TEXT   NOT NULL,
    identifier   TEXT   NOT NULL, -- empty: the collection of the class
    anchor       UUID   NOT NULL,
    form_id      UUID,            -- the form of a submission; null for everything else
    date_created BIGINT NOT NULL,
    UNIQUE (identifier, class)
);
INSERT INTO "resources" VALUES(X'01A20503EF99757AAEE3FD2372874246','DbpRelayAuthorizationGroup','',X'01A20503EF99757AAEE3FD2372874246',NULL,1795380473753);
INSERT INTO "resources" VALUES(X'01A20503EF99757AAEE3FD245E765A30','DbpRelayFormalizeForm','',X'01A20503EF99757AAEE3FD245E765A30',NULL,1795380473753);
INSERT INTO "resources" VALUES(X'01A20503EF99757AAEE3FD25E8E5B145','DbpRelayFormalizeSubmission','',X'01A20503EF99757AAEE3FD25E8E5B145',NULL,1795380473753);
INSERT INTO "resources" VALUES(X'01A20503EF99757AAEE3FD2681B919E9','DbpRelayFormalizeSubmissionCollection','',X'01A20503EF99757AAEE3FD2681B919E9',NULL,1795380473753);
INSERT INTO "resources" VALUES(X'01A20503EFC077F896BE4BB1E76CE84A','DbpRelayAuthorizationGroup','01a20503-efc0-77f8-96be-4bafff2dddaa',X'01A20503EFC077F896BE4BAFFF2DDDAA',NULL,1795380473792);
CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "settings" VALUES('cursor_key','3a245c5c7c7830756a52ec55cafaa644524f35ff29604880e6171757eb82b6d7');
CREATE TABLE submission_places (
    form_id UUID   NOT NULL REFERENCES forms (id) ON DELETE CASCADE,
    creator TEXT   NOT NULL,
    taken   BIGINT NOT NULL,
    PRIMARY KEY (form_id, creator)
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
CREATE INDEX memberships_of_group ON memberships (group_id, id);
CREATE INDEX memberships_of_user ON memberships (user_id, group_id) WHERE user_id IS NOT NULL;
CREATE INDEX memberships_of_child ON memberships (child_group_id, group_id) WHERE child_group_id IS NOT NULL;
CREATE INDEX resources_by_anchor ON resources (anchor, class);
CREATE INDEX resources_of_form ON resources (form_id, id) WHERE form_id IS NOT NULL;
CREATE INDEX grants_on_anchor ON grants (anchor, subject);
CREATE INDEX grants_of_action_on_item ON grants (subject, class, action, anchor)
    WHERE anchor <> resource_id AND form_id IS NULL;
CREATE INDEX grants_of_subject_on_resource ON grants (subject, resource_id, class) WHERE form_id IS NULL;
CREATE INDEX grants_of_action_on_resource ON grants (subject, action, resource_id) WHERE form_id IS NULL;
CREATE INDEX grants_of_action_on_submission ON grants (subject, action, resource_id) WHERE form_id IS NOT NULL;
CREATE INDEX grants_of_action_in_form ON grants (subject, form_id, action, anchor) WHERE form_id IS NOT NULL;
CREATE INDEX grants_of_subject ON grants (subject, id, class);
CREATE INDEX grants_on_resource ON grants (resource_id, id);
CREATE INDEX grants_of_group ON grants (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX submissions_in_state ON submissions (form_id, state, id);
CREATE INDEX submissions_of_creator ON submissions (form_id, creator, id);
CREATE INDEX submission_places_of_creator ON submission_places (creator, form_id);
COMMIT;
