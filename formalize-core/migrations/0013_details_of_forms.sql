-- What forms have for their display and for applications.

ALTER TABLE forms ADD COLUMN localized_names TEXT; -- JSON: an object from language tags to names; null: none
ALTER TABLE forms ADD COLUMN frontend_key TEXT;    -- null: none
ALTER TABLE forms ADD COLUMN additional_data TEXT; -- JSON: an object or an array; null: none

-- Lists of the forms that have a key.
CREATE INDEX forms_of_frontend_key ON forms (frontend_key, id) WHERE frontend_key IS NOT NULL;
