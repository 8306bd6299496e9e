-- Files of submissions. Their contents are in a file store, under their identifiers.
--
-- A row is inserted without a submission before any content is stored. It refers to the submission once the upload is complete,
-- until the submission is deleted or the file is removed. Expired rows without a submission are deleted, after their content.
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

-- The number of files of a submission, and their total size in bytes. Submissions without files need no other query.
ALTER TABLE submissions ADD COLUMN num_files BIGINT NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN file_bytes BIGINT NOT NULL DEFAULT 0;

CREATE INDEX submissions_with_files ON submissions (form_id, creator, state, file_bytes) WHERE num_files > 0;

-- The total size in bytes of the files in a creator's submissions to a form, including drafts. It enforces the quota.
ALTER TABLE submission_places ADD COLUMN file_bytes BIGINT NOT NULL DEFAULT 0;
