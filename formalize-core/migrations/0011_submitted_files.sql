-- Files of submissions. Their contents are in a file store, under their identifiers.
--
-- A row is written before the first byte of its content, without a submission, and gets one when the upload is complete. It
-- loses it when the submission is deleted or the file removed. A row without a submission whose time has come is deleted,
-- after its content.
CREATE TABLE submitted_files (
    id            UUID   NOT NULL PRIMARY KEY,
    submission_id UUID   REFERENCES submissions (id) ON DELETE SET NULL,
    date_expires  BIGINT NOT NULL, -- when it may be deleted, if it has no submission; 0: at once
    attribute     TEXT,            -- null until it has a submission, like the columns below
    name          TEXT,
    size          BIGINT,          -- in bytes
    mime_type     TEXT,
    sha256        TEXT,            -- in hexadecimal digits
    creator       TEXT,            -- empty: the system
    date_created  BIGINT
);

CREATE INDEX submitted_files_of_submission ON submitted_files (submission_id, id) WHERE submission_id IS NOT NULL;
CREATE INDEX submitted_files_unused ON submitted_files (date_expires, id) WHERE submission_id IS NULL;

-- How many files a submission has, and their bytes: most have none, and cost nothing.
ALTER TABLE submissions ADD COLUMN num_files BIGINT NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN file_bytes BIGINT NOT NULL DEFAULT 0;

CREATE INDEX submissions_with_files ON submissions (form_id, creator, state, file_bytes) WHERE num_files > 0;

-- The bytes of the files in a creator's submissions of a form, drafts included: the row that their quota is kept by.
ALTER TABLE submission_places ADD COLUMN file_bytes BIGINT NOT NULL DEFAULT 0;
