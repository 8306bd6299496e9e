-- Tags of submissions, which submissions of a form may get from its list.

ALTER TABLE forms ADD COLUMN available_tags TEXT;                          -- JSON: an array of objects; null: none
ALTER TABLE forms ADD COLUMN tag_permissions BIGINT NOT NULL DEFAULT 1;    -- bits: 1 read, 2 add, 4 remove
ALTER TABLE submissions ADD COLUMN tags TEXT;                              -- JSON: an array of texts; null: none

-- The same tags, for lists of the submissions that have one.
CREATE TABLE submission_tags (
    submission_id UUID NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
    tag           TEXT NOT NULL,
    form_id       UUID NOT NULL,
    PRIMARY KEY (submission_id, tag)
);

CREATE INDEX submissions_of_tag ON submission_tags (form_id, tag, submission_id);
