-- Fills the tables with many records for the use cases that delete them. `{one:k}` and `{n:k}` are the first and the n-th UUID of a
-- kind, and `{numbers}` is a table of the numbers n, for both databases.

-- A form that is deleted, and one of which all submissions are deleted; both use grants.
INSERT INTO formalize_forms (id, name, grant_based, allowed_actions, allowed_states, revision, date_created)
VALUES ({one:1}, 'Deleted', TRUE, 15, 2, {one:1}, 0), ({one:2}, 'Cleared', TRUE, 15, 2, {one:2}, 0);

INSERT INTO formalize_submissions
    (id, form_id, creator, state, last_modified_by, date_created, date_last_modified, revision, data)
{numbers} SELECT {n:3}, {one:1}, 'somebody', 2, 'somebody', n, n, {n:3}, '{}' FROM numbers
UNION ALL SELECT {n:4}, {one:2}, 'somebody', 2, 'somebody', n, n, {n:4}, '{}' FROM numbers;

INSERT INTO formalize_submission_places (form_id, creator, taken)
SELECT form_id, creator, count(*) FROM formalize_submissions GROUP BY form_id, creator;

INSERT INTO formalize_resources (id, class, identifier, anchor, form_id, date_created)
{numbers} SELECT {n:5}, 'DbpRelayFormalizeSubmission', 'deleted ' || n, {n:3}, {one:1}, 0 FROM numbers
UNION ALL SELECT {n:6}, 'DbpRelayFormalizeSubmission', 'cleared ' || n, {n:4}, {one:2}, 0 FROM numbers
UNION ALL SELECT {one:7}, 'VendorThing', 'many', {one:7}, NULL, 0 FROM numbers WHERE n = 1;

INSERT INTO formalize_grants (id, resource_id, class, anchor, form_id, action, subject, date_created)
{numbers} SELECT {n:8}, {n:5}, 'DbpRelayFormalizeSubmission', {n:3}, {one:1}, 'manage', 'user:somebody', 0 FROM numbers
UNION ALL SELECT {n:9}, {n:6}, 'DbpRelayFormalizeSubmission', {n:4}, {one:2}, 'manage', 'user:somebody', 0 FROM numbers
UNION ALL SELECT {n:10}, {one:7}, 'VendorThing', {one:7}, NULL, 'manage', 'user:holder ' || n, 0 FROM numbers;

INSERT INTO formalize_groups (id, name, name_folded, revision, date_created) VALUES ({one:11}, 'G', 'g', {one:11}, 0);

INSERT INTO formalize_memberships (id, group_id, user_id, date_created)
{numbers} SELECT {n:12}, {one:11}, 'member ' || n, 0 FROM numbers;

INSERT INTO formalize_api_tokens
    (id, user_id, attributes, secret_hash, date_created, date_expires, date_last_used, kind, idle)
{numbers} SELECT {n:13}, 'somebody', '{}', 'session ' || n, 0, n, n, 2, 1 FROM numbers;

INSERT INTO formalize_kept_responses (owner, key_text, fingerprint, response, date_expires)
{numbers} SELECT 'somebody', 'key ' || n, '', '{}', n FROM numbers;

INSERT INTO formalize_events (position, id, type, date, record_id)
{numbers} SELECT n, {n:14}, 'group.created', n, {n:14} FROM numbers;
UPDATE formalize_event_log SET last = {many};

-- Deliveries that succeeded, and attempts of one that is still pending.
INSERT INTO formalize_webhooks
    (id, url, event_types, payload, disabled, frozen_events, secret, creator, revision, date_created, failures)
VALUES ({one:15}, 'https://example.org', '[]', 'reference', 'failing', 0, '', '', {one:15}, 0, 0);

INSERT INTO formalize_webhook_deliveries
    (id, webhook_id, event_id, sequence, event_type, lane, state, num_attempts, tries, refusals, date_created, date_done)
{numbers} SELECT {n:16}, {one:15}, {n:16}, n, 'form.created', {one:15}, 'delivered', 0, 0, 0, n, n FROM numbers
UNION ALL SELECT {one:17}, {one:15}, {one:17}, 0, 'form.created', {one:15}, 'pending', 0, 0, 0, 0, NULL FROM numbers WHERE n = 1;

INSERT INTO formalize_webhook_attempts (delivery_id, number, date, status, duration)
{numbers} SELECT {one:17}, n, n, 200, 1 FROM numbers;

INSERT INTO formalize_submitted_files (id, date_expires) {numbers} SELECT {n:18}, n FROM numbers;
