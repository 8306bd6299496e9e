-- Fills the tables of a PostgreSQL database with enough rows that indexes are worth using, and collects statistics.
--
-- Users `user-N` are in groups nested five levels deep, and `rich` holds grants on nearly everything. Every second form is
-- grant-based, and every third one has a limit. One form of each kind has very many submissions, and one group has many members.

CREATE FUNCTION pg_temp.id(kind BIGINT, n BIGINT) RETURNS UUID LANGUAGE SQL IMMUTABLE AS
$$ SELECT (lpad(to_hex(kind), 8, '0') || '-0000-0000-0000-' || lpad(to_hex(n), 12, '0'))::UUID $$;

INSERT INTO formalize_groups (id, name, name_folded, revision, date_created)
SELECT pg_temp.id(1, n), 'Group ' || n, 'group ' || n, pg_temp.id(1, n), n FROM generate_series(1, 5000) AS n;

INSERT INTO formalize_memberships (id, group_id, user_id, child_group_id, date_created)
SELECT pg_temp.id(2, n), pg_temp.id(1, CASE WHEN n < 3000 THEN 1 ELSE n % 4999 + 2 END), 'user-' || n % 3001, NULL, n FROM generate_series(1, 15000) AS n
UNION ALL
SELECT pg_temp.id(3, n), pg_temp.id(1, n), NULL, pg_temp.id(1, n + 1), n
FROM generate_series(1, 4999) AS n WHERE n % 5 <> 0;

INSERT INTO formalize_forms
    (id, name, data_feed_schema, grant_based, allowed_actions, allowed_states, max_submissions, revision, date_created)
SELECT pg_temp.id(4, n), 'Form ' || n, '{"title": "' || repeat('x', 500) || '"}', n % 2 = 0, 15, 3, CASE WHEN n % 3 = 0 THEN 100 END, pg_temp.id(4, n), n
FROM generate_series(1, 4000) AS n;

INSERT INTO formalize_submissions
    (id, form_id, creator, state, last_modified_by, date_created, date_last_modified, revision, data)
SELECT pg_temp.id(5, n), pg_temp.id(4, CASE WHEN n <= 20000 THEN n % 2 + 1 ELSE n % 4000 + 1 END),
    'user-' || n % 3001, 1 + (n % 5 > 0)::INT, 'user-' || n % 3001, n, n, pg_temp.id(5, n),
    repeat('x', 200)
FROM generate_series(1, 40000) AS n;

INSERT INTO formalize_submission_places (form_id, creator, taken)
SELECT form_id, creator, count(*) FROM formalize_submissions GROUP BY form_id, creator;

-- Few submissions have files, and there are unused ones, most of which have not expired.
INSERT INTO formalize_submitted_files
    (id, submission_id, date_expires, attribute, name, size, mime_type, sha256, creator, date_created)
SELECT pg_temp.id(18, n), CASE WHEN n <= 20000 THEN pg_temp.id(5, n % 1000 * 40 + 1) END,
    CASE WHEN n <= 20000 THEN 0 ELSE 4000000000000 + n END, 'attachments', 'report.pdf', 1, 'application/pdf',
    md5('f' || n) || md5('g' || n), 'user-' || n % 3001, n
FROM generate_series(1, 40000) AS n;
UPDATE formalize_submissions AS submissions SET num_files = counted.number, file_bytes = counted.number
FROM (SELECT submission_id, count(*) AS number FROM formalize_submitted_files GROUP BY submission_id) AS counted
WHERE submissions.id = counted.submission_id;

-- Every second submission has one of a few tags.
INSERT INTO formalize_submission_tags (submission_id, tag, form_id)
SELECT id, CASE WHEN date_created % 4 = 0 THEN 'tag' ELSE 'tag ' || date_created % 7 END, form_id
FROM formalize_submissions WHERE date_created % 2 = 0;

INSERT INTO formalize_form_places (form_id, taken)
SELECT id, (SELECT count(*) FROM formalize_submissions WHERE form_id = forms.id AND state = 2)
FROM formalize_forms AS forms WHERE max_submissions IS NOT NULL;

INSERT INTO formalize_resources (id, class, identifier, anchor, form_id, date_created)
SELECT pg_temp.id(6, n), 'DbpRelayAuthorizationGroup', pg_temp.id(1, n)::TEXT, pg_temp.id(1, n), NULL::UUID, n
FROM generate_series(1, 5000) AS n
UNION ALL
SELECT pg_temp.id(7, n), 'DbpRelayFormalizeForm', pg_temp.id(4, n)::TEXT, pg_temp.id(4, n), NULL, n
FROM generate_series(1, 4000) AS n
UNION ALL
SELECT pg_temp.id(8, n), 'DbpRelayFormalizeSubmissionCollection', pg_temp.id(4, n)::TEXT, pg_temp.id(4, n), NULL, n
FROM generate_series(1, 4000) AS n
UNION ALL
SELECT pg_temp.id(9, n), 'VendorThing', 'thing-' || n, pg_temp.id(9, n), NULL, n FROM generate_series(1, 3000) AS n;

INSERT INTO formalize_resources (id, class, identifier, anchor, form_id, date_created)
SELECT pg_temp.id(10, submissions.date_created), 'DbpRelayFormalizeSubmission', submissions.id::TEXT, submissions.id,
    form_id, submissions.date_created
FROM formalize_submissions AS submissions JOIN formalize_forms AS forms ON forms.id = form_id WHERE grant_based;

-- Three grants on every resource: to `rich`, to some user, and to some group.
INSERT INTO formalize_grants (id, resource_id, class, anchor, form_id, action, subject, group_id, date_created)
SELECT gen_random_uuid(), id, class, anchor, form_id, action, subject,
    CASE WHEN subject LIKE 'group:%' THEN substr(subject, 7)::UUID END, date_created
FROM formalize_resources
CROSS JOIN LATERAL (VALUES
    ('user:rich', CASE WHEN date_created % 10 = 0 THEN 'manage' ELSE 'read' END),
    ('user:user-' || date_created % 3001, 'manage'),
    ('group:' || pg_temp.id(1, date_created % 5000 + 1), 'read')
) AS held (subject, action);

-- A link of the system for every form, and twenty thousand for one of them.
INSERT INTO formalize_grants (id, resource_id, class, anchor, form_id, action, subject, group_id, date_created)
SELECT pg_temp.id(13, n), pg_temp.id(7, n % 4000 + 1), 'DbpRelayFormalizeForm', pg_temp.id(4, n % 4000 + 1), NULL,
    'create_submissions', 'user:link:' || pg_temp.id(14, n), NULL, n
FROM generate_series(1, 24000) AS n;

INSERT INTO formalize_form_links
    (id, form_id, grant_id, creator, secret_hash, once_per_browser, embed_origins, revision, date_created)
SELECT pg_temp.id(14, n), pg_temp.id(4, CASE WHEN n <= 4000 THEN n % 4000 + 1 ELSE 1 END), pg_temp.id(13, n), '',
    md5('v' || n) || md5('w' || n), FALSE, '[]', pg_temp.id(14, n), n
FROM generate_series(1, 24000) AS n;

INSERT INTO formalize_api_tokens (id, kind, user_id, attributes, secret_hash, date_created)
SELECT pg_temp.id(11, n), 1, 'user-' || n, '{}', md5(n::TEXT) || md5('x' || n), n FROM generate_series(1, 4000) AS n;

-- Sessions, most of which have not ended.
INSERT INTO formalize_api_tokens
    (id, kind, user_id, attributes, secret_hash, date_created, date_expires, date_last_used, idle)
SELECT pg_temp.id(12, n), 2, 'user-' || n, '{}', md5('y' || n) || md5('z' || n), n,
    4000000000000 + n, 4000000000000 + n, 7500000
FROM generate_series(1, 20000) AS n;

INSERT INTO formalize_kept_responses (owner, key_text, fingerprint, response, date_expires)
SELECT 'user-' || n % 500, n, md5(n::TEXT) || md5('k' || n), '', 4000000000000 + n FROM generate_series(1, 20000) AS n;

-- Webhooks that are disabled, with deliveries and data that are kept.
INSERT INTO formalize_webhooks
    (id, form_id, url, event_types, payload, disabled, frozen_events, secret, creator, revision, date_created, failures)
SELECT pg_temp.id(15, n), pg_temp.id(4, n % 4000 + 1), 'https://example.org/' || n, '["form.updated"]', 'full', 'gone', 0,
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '', pg_temp.id(15, n), n, 0
FROM generate_series(1, 8000) AS n;

INSERT INTO formalize_webhook_deliveries
    (id, webhook_id, event_id, sequence, event_type, lane, state, num_attempts, tries, refusals, date_created, date_done)
SELECT pg_temp.id(16, n), pg_temp.id(15, n % 8000 + 1), pg_temp.id(17, n), n, 'form.updated', pg_temp.id(4, n % 4000 + 1),
    'delivered', 1, 1, 0, n, 4000000000000 + n
FROM generate_series(1, 20000) AS n;

INSERT INTO formalize_webhook_attempts (delivery_id, number, date, status, duration)
SELECT pg_temp.id(16, n), 1, 4000000000000 + n, 204, 20 FROM generate_series(1, 20000) AS n;

INSERT INTO formalize_event_data (event_id, submission_id, last_modified_by, date_created, date_last_modified)
SELECT pg_temp.id(17, n), pg_temp.id(5, n), '', n, n FROM generate_series(1, 20000) AS n;

INSERT INTO formalize_event_subscriptions (name, epoch, position)
SELECT 'program ' || n, 0, n FROM generate_series(1, 8000) AS n;

ANALYZE;

INSERT INTO formalize_events (position, id, type, date, record_id)
SELECT n, gen_random_uuid(), 'group.deleted', 0, gen_random_uuid() FROM generate_series(1, 20000) AS n;
UPDATE formalize_event_log SET last = 20000;
INSERT INTO formalize_event_audience (event_id, subject) SELECT id, 'user:' || position FROM formalize_events;
INSERT INTO formalize_event_arrivals (id, type, date, record_id)
SELECT gen_random_uuid(), 'group.updated', 0, gen_random_uuid() FROM generate_series(1, 20000) AS n;
ANALYZE formalize_events, formalize_event_audience, formalize_event_arrivals;
