-- Lists find a creator's submissions by state, so that the drafts of somebody with a great many submissions are found at once.
DROP INDEX submissions_of_creator;
CREATE INDEX submissions_of_creator ON submissions (form_id, creator, state, id);

-- The next deliveries of a webhook, and those that are leased, are found at once, however many are pending.
DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, date_next_attempt, sequence)
    WHERE date_next_attempt IS NOT NULL;
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (webhook_id, held_until) WHERE held_until IS NOT NULL;
