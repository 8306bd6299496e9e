-- A migration for tests/upgrade/run. The schema is the same afterwards, so that `formalize verify` finds no difference; meanwhile,
-- writers of submissions wait.
DROP INDEX formalize_submissions_in_state;
CREATE INDEX formalize_submissions_in_state ON formalize_submissions (form_id, state, id);
