-- Sessions and tokens end with the API token that they come from.

-- The API token with which the session began, or in whose session the API token was made. Null: none.
ALTER TABLE api_tokens ADD COLUMN origin UUID REFERENCES api_tokens (id) ON DELETE CASCADE;

CREATE INDEX tokens_of_origin ON api_tokens (origin) WHERE origin IS NOT NULL;
