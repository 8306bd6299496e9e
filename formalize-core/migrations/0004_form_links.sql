-- Public links, with which anyone may submit to one form. The grant of a link entitles the user 'link:…', after the
-- identifier of the link, and the link ends with it. The submissions through a link are those of that user.
CREATE TABLE form_links (
    id               UUID    NOT NULL PRIMARY KEY,
    form_id          UUID    NOT NULL, -- the form of the grant, which never changes; it stands here for the index
    grant_id         UUID    NOT NULL UNIQUE REFERENCES grants (id) ON DELETE CASCADE,
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

CREATE INDEX form_links_of_form ON form_links (form_id, id);
