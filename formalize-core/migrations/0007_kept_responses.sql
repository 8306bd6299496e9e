-- The responses to requests with an idempotency key, for when they are sent again.
CREATE TABLE kept_responses (
    owner        TEXT   NOT NULL, -- the user; empty: the system
    key_text     TEXT   NOT NULL,
    fingerprint  TEXT   NOT NULL, -- SHA-256 of the request in hexadecimal digits
    response     TEXT   NOT NULL,
    date_expires BIGINT NOT NULL,
    PRIMARY KEY (owner, key_text)
);

CREATE INDEX kept_responses_by_end ON kept_responses (date_expires);
