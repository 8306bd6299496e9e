-- The log of changes. Its only row counts the positions.
CREATE TABLE event_log (
    id        BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch     BIGINT NOT NULL, -- a new number whenever positions may have been given twice; at first 0
    last      BIGINT NOT NULL, -- the position of the last event; 0: none
    purged_to BIGINT NOT NULL  -- the position of the last event that was deleted; 0: none
);

INSERT INTO event_log (id, epoch, last, purged_to) VALUES (1, 0, 0, 0);

-- Identifiers of events are unique, but nothing is looked up by them, so there is no index to maintain.
CREATE TABLE events (
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
CREATE TABLE event_arrivals (
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
CREATE TABLE event_audience (
    event_id UUID NOT NULL,
    subject  TEXT NOT NULL,
    PRIMARY KEY (event_id, subject)
);

-- How far the readers of the log have come, and which consumer has a reader until when.
CREATE TABLE event_subscriptions (
    name       TEXT   NOT NULL PRIMARY KEY,
    epoch      BIGINT NOT NULL,
    position   BIGINT NOT NULL,
    holder     UUID,
    held_until BIGINT
);
