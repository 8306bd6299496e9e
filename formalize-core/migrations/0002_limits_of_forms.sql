-- The maximum number of submitted submissions of a form, and how many it has. The new column stands behind the schema, but
-- SQLite reads null without reading what stands in front of it.

ALTER TABLE forms ADD COLUMN max_submissions BIGINT; -- null: no limit

-- How many submitted submissions a form has: the row that the limit is kept by. Forms without a limit have none, so that
-- their submissions do not wait for each other.
CREATE TABLE form_places (
    form_id UUID   NOT NULL PRIMARY KEY REFERENCES forms (id) ON DELETE CASCADE,
    taken   BIGINT NOT NULL
);
