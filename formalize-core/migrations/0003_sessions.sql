-- The sessions of people who have signed in to web pages are kept among API tokens.

ALTER TABLE api_tokens ADD COLUMN kind BIGINT NOT NULL DEFAULT 1; -- 1 API token, 2 session
-- A session: how many milliseconds after the last use it ends. Null: an API token.
ALTER TABLE api_tokens ADD COLUMN idle BIGINT;

CREATE INDEX sessions_of_user ON api_tokens (user_id) WHERE kind = 2;
-- The sessions in the order in which they end.
CREATE INDEX sessions_by_end ON api_tokens (
    (CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END)
) WHERE kind = 2;
