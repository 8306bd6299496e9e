-- Webhooks. Each enabled one is the subscription 'webhook:…' to the event log, after its identifier.
CREATE TABLE webhooks (
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

CREATE INDEX webhooks_of_form ON webhooks (form_id, id);
CREATE INDEX webhooks_enabled ON webhooks (id) WHERE disabled IS NULL;
CREATE INDEX webhooks_ended ON webhooks (date_ended) WHERE date_ended IS NOT NULL;

-- Submissions as they were at an event, while a webhook wants them.
CREATE TABLE event_data (
    event_id           UUID   NOT NULL PRIMARY KEY,
    submission_id      UUID   NOT NULL,
    data               TEXT,
    last_modified_by   TEXT   NOT NULL,
    date_created       BIGINT NOT NULL,
    date_last_modified BIGINT NOT NULL
);

-- Events on their way to webhooks.
CREATE TABLE webhook_deliveries (
    id                UUID   NOT NULL PRIMARY KEY,
    webhook_id        UUID   NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
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

CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (webhook_id, state, lane, sequence);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (date_next_attempt) WHERE date_next_attempt IS NOT NULL;
CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (date_done) WHERE state = 'delivered';

-- The last attempts of each delivery, numbered from 1.
CREATE TABLE webhook_attempts (
    delivery_id UUID   NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    date        BIGINT NOT NULL,
    status      BIGINT,
    error       TEXT,
    duration    BIGINT NOT NULL, -- in milliseconds
    PRIMARY KEY (delivery_id, number)
);

CREATE INDEX webhook_attempts_by_date ON webhook_attempts (date);
