-- Users list and name their own API tokens and sessions.

ALTER TABLE api_tokens ADD COLUMN label TEXT; -- null: no label

CREATE INDEX tokens_of_user ON api_tokens (user_id, id);
