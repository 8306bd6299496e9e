-- Every statement that is sent to PostgreSQL, with operations that send it. A test writes this file. Paste the line that
-- follows into psql, and then those whose plan you want to see.

SET plan_cache_mode = force_generic_plan;

-- add a child group; add a file; add a member, ...
PREPARE statement_1 (UUID, TEXT, BIGINT, UUID, UUID, TEXT, TEXT, TEXT) AS
INSERT INTO formalize_event_arrivals (id, type, date, record_id, form_id, creator, author, data)
SELECT $1, $2, $3, $4, $5, $6, $7, $8;
EXPLAIN EXECUTE statement_1 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- add a child group; add a member; build the scene, ...
PREPARE statement_2 (UUID, UUID, TEXT, UUID, BIGINT) AS
INSERT INTO formalize_memberships (id, group_id, user_id, child_group_id, date_created)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING;
EXPLAIN EXECUTE statement_2 (NULL, NULL, NULL, NULL, NULL);

-- add a child group; add a file; add a member, ...
PREPARE statement_3 (UUID[], TEXT[], TEXT) AS
SELECT (
  SELECT coalesce(json_agg(json_build_array(grants.anchor, grants.class, grants.action))::text, '[]')
  FROM formalize_grants AS grants
  WHERE grants.anchor = ANY ($1) AND (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.subject = ANY (ARRAY(
      WITH RECURSIVE reached (id) AS (
        SELECT group_id
        FROM formalize_memberships AS memberships
        WHERE user_id = $3
        UNION
        SELECT memberships.group_id
        FROM reached
        JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
      SELECT own.value
      FROM unnest($2) AS own(value)
      UNION ALL
      SELECT 'group:' || reached.id::text
      FROM reached))) AS held;
EXPLAIN EXECUTE statement_3 (NULL, NULL, NULL);

-- add a child group; add a member; build the scene, ...
PREPARE statement_4 (UUID) AS
SELECT groups.id, groups.name, groups.revision, groups.date_created
FROM formalize_groups AS groups
WHERE groups.id = $1 AND TRUE FOR SHARE;
EXPLAIN EXECUTE statement_4 (NULL);

-- add a child group; add a member; build the scene, ...
PREPARE statement_5 AS
SELECT pg_advisory_xact_lock(7380674637407284578);
EXPLAIN EXECUTE statement_5;

-- add a child group; create a group
PREPARE statement_6 (UUID, UUID) AS
WITH RECURSIVE reached (id) AS (
  SELECT $1
  UNION
  SELECT memberships.group_id
  FROM reached
  JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
SELECT 1
FROM reached
WHERE id = $2;
EXPLAIN EXECUTE statement_6 (NULL, NULL);

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
PREPARE statement_7 (UUID) AS
DELETE
FROM formalize_grants
WHERE id = $1;
EXPLAIN EXECUTE statement_7 (NULL);

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
PREPARE statement_8 (UUID, TEXT, TEXT, BOOLEAN, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, UUID, TEXT, TEXT, TEXT, BIGINT, TEXT, TEXT, BIGINT) AS
INSERT INTO formalize_forms (id, name, data_feed_schema, grant_based, allowed_actions, allowed_states, available_starts, availability_ends, max_per_creator, max_submissions, revision, localized_names, frontend_key, additional_data, tag_permissions, available_tags, contact, date_created)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) ON CONFLICT (id) DO NOTHING;
EXPLAIN EXECUTE statement_8 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
PREPARE statement_9 (UUID, UUID, TEXT, TEXT, UUID, BIGINT) AS
INSERT INTO formalize_grants (id, resource_id, class, anchor, form_id, action, subject, group_id, date_created)
SELECT $1, id, class, anchor, form_id, $3, $4, $5, $6
FROM formalize_resources
WHERE id = $2 ON CONFLICT (resource_id, subject, action) DO NOTHING;
EXPLAIN EXECUTE statement_9 (NULL, NULL, NULL, NULL, NULL, NULL);

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
PREPARE statement_10 (UUID, TEXT, TEXT, UUID, UUID, BIGINT) AS
INSERT INTO formalize_resources (id, class, identifier, anchor, form_id, date_created)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (identifier, class) DO NOTHING;
EXPLAIN EXECUTE statement_10 (NULL, NULL, NULL, NULL, NULL, NULL);

-- add a file; submit with a file
PREPARE statement_11 (UUID, BIGINT) AS
INSERT INTO formalize_submitted_files (id, date_expires)
VALUES ($1, $2);
EXPLAIN EXECUTE statement_11 (NULL, NULL);

-- add a file; submit with a file
PREPARE statement_12 (UUID, TEXT) AS
SELECT form_id, file_bytes
FROM formalize_submission_places
WHERE form_id = $1 AND creator = $2;
EXPLAIN EXECUTE statement_12 (NULL, NULL);

-- add a file; count new submissions; count new submissions as a manager of collections, ...
PREPARE statement_13 (UUID) AS
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM formalize_forms AS forms
WHERE forms.id = $1 AND NOT forms.deleted;
EXPLAIN EXECUTE statement_13 (NULL);

-- add a file; change a submission; change a submission with a file, ...
PREPARE statement_14 (UUID) AS
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM formalize_forms AS forms
WHERE forms.id = $1 AND NOT forms.deleted FOR SHARE;
EXPLAIN EXECUTE statement_14 (NULL);

-- add a file; ask the questions of a form by a link; build the scene, ...
PREPARE statement_15 (UUID, TEXT, TEXT[], TEXT) AS
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact, (
  SELECT coalesce(json_agg(json_build_array(grants.anchor, grants.class, grants.action))::text, '[]')
  FROM formalize_grants AS grants
  WHERE grants.anchor = forms.id AND grants.subject = ANY (ARRAY(
      WITH RECURSIVE reached (id) AS (
        SELECT group_id
        FROM formalize_memberships AS memberships
        WHERE user_id = $4
        UNION
        SELECT memberships.group_id
        FROM reached
        JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
      SELECT own.value
      FROM unnest($3) AS own(value)
      UNION ALL
      SELECT 'group:' || reached.id::text
      FROM reached))) AS held, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE form_id = forms.id AND creator = $2), 0) AS taken, (
  SELECT taken
  FROM formalize_form_places AS form_places
  WHERE form_id = forms.id) AS form_taken
FROM formalize_forms AS forms
WHERE forms.id = $1 AND NOT forms.deleted;
EXPLAIN EXECUTE statement_15 (NULL, NULL, NULL, NULL);

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
PREPARE statement_16 (UUID) AS
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM formalize_grants AS grants
JOIN formalize_resources AS resources ON resources.id = grants.resource_id
WHERE grants.id = $1 AND (grants.form_id IS NULL OR grants.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_16 (NULL);

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
PREPARE statement_17 (TEXT, TEXT) AS
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE class = $1 AND identifier = $2 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_17 (NULL, NULL);

-- add a file; change a submission; change a submission with a file, ...
PREPARE statement_18 (UUID) AS
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM formalize_submissions AS submissions
WHERE submissions.id = $1 AND (submissions.form_id IS NULL OR submissions.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_18 (NULL);

-- add a file; check a submission that is no resource; get a file, ...
PREPARE statement_19 (UUID, TEXT[], TEXT) AS
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.tag_permissions, (
  SELECT coalesce(json_agg(json_build_array(grants.anchor, grants.class, grants.action))::text, '[]')
  FROM formalize_grants AS grants
  WHERE grants.anchor IN (submissions.id, submissions.form_id) AND grants.subject = ANY (ARRAY(
      WITH RECURSIVE reached (id) AS (
        SELECT group_id
        FROM formalize_memberships AS memberships
        WHERE user_id = $3
        UNION
        SELECT memberships.group_id
        FROM reached
        JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
      SELECT own.value
      FROM unnest($2) AS own(value)
      UNION ALL
      SELECT 'group:' || reached.id::text
      FROM reached))) AS held
FROM formalize_submissions AS submissions
JOIN formalize_forms AS forms ON forms.id = submissions.form_id
WHERE submissions.id = $1 AND NOT forms.deleted;
EXPLAIN EXECUTE statement_19 (NULL, NULL, NULL);

-- add a file; change a submission; change a submission with a file, ...
PREPARE statement_20 (UUID) AS
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, submissions.num_files
FROM formalize_submissions AS submissions
WHERE submissions.id = $1 AND (submissions.form_id IS NULL OR submissions.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted)) FOR NO KEY UPDATE;
EXPLAIN EXECUTE statement_20 (NULL);

-- add a file; remove a file; submit with a file
PREPARE statement_21 (UUID, TEXT, BIGINT, BIGINT) AS
UPDATE formalize_submission_places SET file_bytes = file_bytes + $3
WHERE form_id = $1 AND creator = $2 AND ($4 IS NULL OR $3 <= 0 OR file_bytes + $3 <= $4);
EXPLAIN EXECUTE statement_21 (NULL, NULL, NULL, NULL);

-- add a file; remove a file; submit with a file
PREPARE statement_22 (UUID, BIGINT, BIGINT) AS
UPDATE formalize_submissions SET num_files = $2, file_bytes = $3
WHERE id = $1;
EXPLAIN EXECUTE statement_22 (NULL, NULL, NULL);

-- add a file; change a submission; change a submission with a file, ...
PREPARE statement_23 (UUID, BIGINT, TEXT, BIGINT, UUID, TEXT) AS
UPDATE formalize_submissions SET state = $2, last_modified_by = $3, date_last_modified = $4, revision = $5, data = $6
WHERE id = $1;
EXPLAIN EXECUTE statement_23 (NULL, NULL, NULL, NULL, NULL, NULL);

-- add a file; submit with a file
PREPARE statement_24 (UUID, UUID, TEXT, TEXT, BIGINT, TEXT, TEXT, TEXT, BIGINT, BIGINT) AS
UPDATE formalize_submitted_files SET submission_id = $2, date_expires = 0, attribute = $3, name = $4, size = $5, mime_type = $6, sha256 = $7, creator = $8, date_created = $9
WHERE id = $1 AND submission_id IS NULL AND date_expires > $10;
EXPLAIN EXECUTE statement_24 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
PREPARE statement_25 (UUID) AS
WITH form AS (
  SELECT forms.id
  FROM formalize_forms AS forms
  WHERE forms.id = (
    SELECT resources.form_id
    FROM formalize_resources AS resources
    WHERE resources.id = $1) AND NOT forms.deleted FOR SHARE)
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE resources.id = $1 AND (resources.form_id IS NULL OR EXISTS (
    SELECT 1
    FROM form)) FOR NO KEY UPDATE;
EXPLAIN EXECUTE statement_25 (NULL);

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
PREPARE statement_26 (UUID) AS
WITH form AS (
  SELECT forms.id
  FROM formalize_forms AS forms
  WHERE forms.id = (
    SELECT resources.form_id
    FROM formalize_resources AS resources
    WHERE resources.id = $1) AND NOT forms.deleted FOR SHARE)
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE resources.id = $1 AND (resources.form_id IS NULL OR EXISTS (
    SELECT 1
    FROM form)) FOR SHARE;
EXPLAIN EXECUTE statement_26 (NULL);

-- add a file; build the scene; create each of a batch, ...
PREPARE statement_27 (UUID, TEXT, BIGINT, UUID, BIGINT, TEXT, BIGINT, BIGINT, UUID, TEXT, UUID, UUID, TEXT, BIGINT, TEXT) AS
WITH step0 AS (INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken)
  SELECT forms.id, $2, 1
  FROM formalize_forms AS forms
  WHERE forms.id = $1 AND forms.revision = $11 AND NOT forms.deleted AND ($3 IS NULL OR $3 > 0) FOR SHARE ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + 1
  WHERE $3 IS NULL OR submission_places.taken < $3
  RETURNING 1), step1 AS (INSERT INTO formalize_submissions (form_id, creator, id, state, last_modified_by, date_created, date_last_modified, revision, data)
  SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10
  FROM step0
  RETURNING 1), aside AS (INSERT INTO formalize_event_data (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)
  SELECT $12, $4, $10, $6, $7, $8, $15
  FROM step1
  WHERE (EXISTS (
      SELECT 1
      FROM formalize_webhooks AS webhooks
      WHERE webhooks.form_id = $1 AND (webhooks.frozen_events & $14) <> 0) OR EXISTS (
      SELECT 1
      FROM formalize_webhooks AS webhooks
      WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & $14) <> 0))) INSERT INTO formalize_event_arrivals (id, type, date, record_id, form_id, creator, author)
SELECT $12, $13, $7, $4, $1, $2, $6
FROM step1;
EXPLAIN EXECUTE statement_27 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- add a member; build the scene; count new submissions, ...
PREPARE statement_28 (TEXT) AS
WITH RECURSIVE reached (id) AS (
  SELECT group_id
  FROM formalize_memberships AS memberships
  WHERE user_id = $1
  UNION
  SELECT memberships.group_id
  FROM reached
  JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
SELECT id
FROM reached;
EXPLAIN EXECUTE statement_28 (NULL);

-- ask the store
PREPARE statement_29 (TEXT) AS
SELECT 1
WHERE to_regclass($1) IS NOT NULL;
EXPLAIN EXECUTE statement_29 (NULL);

-- ask the store
PREPARE statement_30 (TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($3) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $4
      ORDER BY 1
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_30 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- ask the store
PREPARE statement_31 AS
SELECT version, description
FROM formalize_migrations
ORDER BY version;
EXPLAIN EXECUTE statement_31;

-- authenticate a link
PREPARE statement_32 (TEXT) AS
SELECT form_links.id, form_links.form_id, form_links.label, form_links.creator, form_links.max_submissions, form_links.once_per_browser, form_links.embed_origins, form_links.revision, form_links.date_created, form_links.date_expires, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE submission_places.form_id = form_links.form_id AND submission_places.creator = 'link:' || form_links.id::text), 0) AS taken
FROM formalize_form_links AS form_links
WHERE form_links.secret_hash = $1;
EXPLAIN EXECUTE statement_32 (NULL);

-- authenticate a session; authenticate a token; begin a session with a token, ...
PREPARE statement_33 (TEXT) AS
SELECT id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin
FROM formalize_api_tokens
WHERE secret_hash = $1;
EXPLAIN EXECUTE statement_33 (NULL);

-- authenticate a token; begin a session with a token
PREPARE statement_34 (UUID, BIGINT) AS
UPDATE formalize_api_tokens SET date_last_used = $2
WHERE id = $1;
EXPLAIN EXECUTE statement_34 (NULL, NULL);

-- begin a session; begin a session with a token; delete ended sessions, ...
PREPARE statement_35 (TEXT, BIGINT, BIGINT) AS
DELETE
FROM formalize_api_tokens
WHERE id IN (
  SELECT id
  FROM formalize_api_tokens
  WHERE user_id = $1 AND kind = 2
  ORDER BY date_last_used DESC, id DESC
  LIMIT $2 OFFSET $3);
EXPLAIN EXECUTE statement_35 (NULL, NULL, NULL);

-- begin a session; begin a session with a token; delete ended sessions, ...
PREPARE statement_36 (UUID, TEXT, TEXT, TEXT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, TEXT, UUID) AS
INSERT INTO formalize_api_tokens (id, user_id, attributes, secret_hash, date_created, date_expires, date_last_used, kind, idle, label, origin)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
EXPLAIN EXECUTE statement_36 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- begin a session with a token
PREPARE statement_37 (UUID) AS
SELECT id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin
FROM formalize_api_tokens AS api_tokens
WHERE id = $1 FOR SHARE;
EXPLAIN EXECUTE statement_37 (NULL);

-- build the scene; create a group; ensure a group, ...
PREPARE statement_38 (UUID, TEXT, TEXT, UUID, BIGINT) AS
INSERT INTO formalize_groups (id, name, name_folded, revision, date_created)
VALUES ($1, $2, $3, $4, $5);
EXPLAIN EXECUTE statement_38 (NULL, NULL, NULL, NULL, NULL);

-- build the scene
PREPARE statement_39 (TEXT, TEXT) AS
INSERT INTO formalize_settings (name, value)
VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;
EXPLAIN EXECUTE statement_39 (NULL, NULL);

-- build the scene; encrypt the secrets of webhooks; start without an event log, ...
PREPARE statement_40 (TEXT) AS
SELECT name, value
FROM formalize_settings
WHERE name = $1;
EXPLAIN EXECUTE statement_40 (NULL);

-- build the scene; check a submission that is no resource; check an item, ...
PREPARE statement_41 (TEXT, TEXT, TEXT[], TEXT) AS
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created, (
  SELECT coalesce(json_agg(json_build_array(grants.anchor, grants.class, grants.action))::text, '[]')
  FROM formalize_grants AS grants
  WHERE grants.anchor = resources.anchor AND grants.subject = ANY (ARRAY(
      WITH RECURSIVE reached (id) AS (
        SELECT group_id
        FROM formalize_memberships AS memberships
        WHERE user_id = $4
        UNION
        SELECT memberships.group_id
        FROM reached
        JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
      SELECT own.value
      FROM unnest($3) AS own(value)
      UNION ALL
      SELECT 'group:' || reached.id::text
      FROM reached))) AS held
FROM formalize_resources AS resources
WHERE resources.class = $1 AND resources.identifier = $2 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_41 (NULL, NULL, NULL, NULL);

-- change a form; change whose submissions a form's are, delete a managing grant; set the limit of a form
PREPARE statement_42 (UUID, TEXT) AS
SELECT form_id, taken
FROM formalize_submission_places AS submission_places
WHERE form_id = $1 AND creator = $2 AND (form_id IS NULL OR form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_42 (NULL, NULL);

-- change a form; change whose submissions a form's are, delete a managing grant; create a batch, ...
PREPARE statement_43 (UUID) AS
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM formalize_forms AS forms
WHERE forms.id = $1 AND NOT forms.deleted FOR NO KEY UPDATE;
EXPLAIN EXECUTE statement_43 (NULL);

-- change a form; change whose submissions a form's are, delete a managing grant
PREPARE statement_44 (UUID, TEXT, TEXT, BOOLEAN, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, UUID, TEXT, TEXT, TEXT, BIGINT, TEXT, TEXT) AS
WITH one AS (DELETE
  FROM formalize_form_places
  WHERE form_id = $1) UPDATE formalize_forms SET name = $2, data_feed_schema = $3, grant_based = $4, allowed_actions = $5, allowed_states = $6, available_starts = $7, availability_ends = $8, max_per_creator = $9, max_submissions = $10, revision = $11, localized_names = $12, frontend_key = $13, additional_data = $14, tag_permissions = $15, available_tags = $16, contact = $17
WHERE id = $1;
EXPLAIN EXECUTE statement_44 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- change a group; delete a group
PREPARE statement_45 (UUID) AS
SELECT groups.id, groups.name, groups.revision, groups.date_created
FROM formalize_groups AS groups
WHERE groups.id = $1 AND TRUE FOR NO KEY UPDATE;
EXPLAIN EXECUTE statement_45 (NULL);

-- change a group
PREPARE statement_46 (UUID, TEXT, TEXT, UUID) AS
UPDATE formalize_groups SET name = $2, name_folded = $3, revision = $4
WHERE id = $1;
EXPLAIN EXECUTE statement_46 (NULL, NULL, NULL, NULL);

-- change a link; delete a link
PREPARE statement_47 (UUID) AS
SELECT form_links.id, form_links.form_id, form_links.label, form_links.creator, form_links.max_submissions, form_links.once_per_browser, form_links.embed_origins, form_links.revision, form_links.date_created, form_links.date_expires, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE submission_places.form_id = form_links.form_id AND submission_places.creator = 'link:' || form_links.id::text), 0) AS taken
FROM formalize_form_links AS form_links
WHERE form_links.id = $1 FOR NO KEY UPDATE OF form_links;
EXPLAIN EXECUTE statement_47 (NULL);

-- change a link
PREPARE statement_48 (UUID, TEXT, BIGINT, BOOLEAN, TEXT, BIGINT, UUID) AS
UPDATE formalize_form_links SET label = $2, max_submissions = $3, once_per_browser = $4, embed_origins = $5, date_expires = $6, revision = $7
WHERE id = $1;
EXPLAIN EXECUTE statement_48 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- change a submission; change the tags of a submission; remove the tags of a submission, ...
PREPARE statement_49 (UUID, UUID, TEXT, TEXT, BIGINT, BIGINT, TEXT, UUID, BIGINT) AS
INSERT INTO formalize_event_data (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)
SELECT $1, $2, $3, $4, $5, $6, $7
WHERE (EXISTS (
    SELECT 1
    FROM formalize_webhooks AS webhooks
    WHERE webhooks.form_id = $8 AND (webhooks.frozen_events & $9) <> 0) OR EXISTS (
    SELECT 1
    FROM formalize_webhooks AS webhooks
    WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & $9) <> 0));
EXPLAIN EXECUTE statement_49 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- change a submission with a file; remove a file
PREPARE statement_50 (UUID) AS
SELECT submitted_files.id, submitted_files.submission_id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created
FROM formalize_submitted_files AS submitted_files
WHERE submitted_files.submission_id = $1
ORDER BY submitted_files.id;
EXPLAIN EXECUTE statement_50 (NULL);

-- change the tags of a submission; remove the tags of a submission; submit with tags
PREPARE statement_51 (UUID) AS
DELETE
FROM formalize_submission_tags
WHERE submission_id = $1;
EXPLAIN EXECUTE statement_51 (NULL);

-- change the tags of a submission; submit with tags
PREPARE statement_52 (UUID, UUID, TEXT[]) AS
INSERT INTO formalize_submission_tags (submission_id, tag, form_id)
SELECT $1, wanted.value, $2
FROM unnest($3) AS wanted(value);
EXPLAIN EXECUTE statement_52 (NULL, NULL, NULL);

-- change the tags of a submission; remove the tags of a submission; submit with tags
PREPARE statement_53 (UUID, TEXT) AS
UPDATE formalize_submissions SET tags = $2
WHERE id = $1;
EXPLAIN EXECUTE statement_53 (NULL, NULL);

-- change whose submissions a form's are, delete a managing grant
PREPARE statement_54 (UUID, UUID, TEXT) AS
SELECT 1
FROM formalize_grants
WHERE resource_id = $1 AND id <> $2 AND action = $3
LIMIT 1;
EXPLAIN EXECUTE statement_54 (NULL, NULL, NULL);

-- change whose submissions a form's are, delete a managing grant
PREPARE statement_55 (UUID) AS
SELECT 1
FROM formalize_submissions AS submissions
WHERE form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted))
LIMIT 1;
EXPLAIN EXECUTE statement_55 (NULL);

-- check a batch; create a batch with many keys; create a batch with two keys
PREPARE statement_56 (TEXT, TEXT[]) AS
SELECT owner, key_text, fingerprint, response, date_expires
FROM formalize_kept_responses AS kept_responses
WHERE owner = $1 AND key_text = ANY ($2);
EXPLAIN EXECUTE statement_56 (NULL, NULL);

-- check many permissions; check many permissions of others; list the change feed, ...
PREPARE statement_57 (TEXT[], TEXT[]) AS
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE resources.identifier = ANY ($1) AND resources.class = ANY ($2) AND (resources.form_id IS NULL OR resources.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_57 (NULL, NULL);

-- check many permissions; check many permissions of others; list grants, ...
PREPARE statement_58 (UUID[]) AS
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.tag_permissions
FROM formalize_submissions AS submissions
JOIN formalize_forms AS forms ON forms.id = submissions.form_id
WHERE submissions.id = ANY ($1) AND NOT forms.deleted;
EXPLAIN EXECUTE statement_58 (NULL);

-- consume events
PREPARE statement_59 (TEXT, UUID, BIGINT, BIGINT) AS
INSERT INTO formalize_event_subscriptions AS event_subscriptions (name, epoch, position, holder, held_until)
SELECT $1, epoch, purged_to, $2, $4
FROM formalize_event_log
WHERE id = 1 ON CONFLICT (name) DO UPDATE SET holder = $2, held_until = $4
WHERE event_subscriptions.holder IS NULL OR event_subscriptions.holder = $2 OR event_subscriptions.held_until <= $3
RETURNING epoch, position;
EXPLAIN EXECUTE statement_59 (NULL, NULL, NULL, NULL);

-- consume events; delete ended sessions; delete ended sessions, webhooks and what is old, ...
PREPARE statement_60 (BIGINT) AS
SELECT count(*) AS arrivals
FROM (
  SELECT 1
  FROM formalize_event_arrivals
  WHERE ordinal > 0
  ORDER BY ordinal
  LIMIT $1) AS waiting;
EXPLAIN EXECUTE statement_60 (NULL);

-- consume events; delete ended sessions; delete ended sessions, webhooks and what is old, ...
PREPARE statement_61 AS
SELECT epoch, last, purged_to
FROM formalize_event_log
WHERE id = 1;
EXPLAIN EXECUTE statement_61;

-- consume events; delete ended sessions, webhooks and what is old; list the change feed, ...
PREPARE statement_62 (BIGINT, BIGINT, BIGINT) AS
SELECT position, id, type, date, record_id, form_id, creator, author, data
FROM formalize_events AS events
WHERE position > $1 AND position <= $2
ORDER BY position
LIMIT $3;
EXPLAIN EXECUTE statement_62 (NULL, NULL, NULL);

-- consume events
PREPARE statement_63 (TEXT, UUID, BIGINT, BIGINT) AS
UPDATE formalize_event_subscriptions SET epoch = $3, position = $4
WHERE name = $1 AND holder = $2;
EXPLAIN EXECUTE statement_63 (NULL, NULL, NULL, NULL);

-- consume events
PREPARE statement_64 (TEXT, UUID) AS
UPDATE formalize_event_subscriptions SET holder = NULL, held_until = NULL
WHERE name = $1 AND holder = $2;
EXPLAIN EXECUTE statement_64 (NULL, NULL);

-- count new submissions
PREPARE statement_65 (UUID, BIGINT, TEXT, UUID, BIGINT, BIGINT) AS
SELECT count(*) AS counted
FROM (
  SELECT submissions.id AS id
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $4) AND (submissions.state) <= ($2)
  ORDER BY submissions.state, submissions.id
  LIMIT $5 OFFSET $6) AS page;
EXPLAIN EXECUTE statement_65 (NULL, NULL, NULL, NULL, NULL, NULL);

-- count new submissions; count new submissions as a manager of collections; count new submissions as a manager of everything, ...
PREPARE statement_66 (UUID[], TEXT[]) AS
SELECT grants.id, grants.anchor, grants.class, grants.action
FROM formalize_grants AS grants
WHERE grants.anchor = ANY ($1) AND grants.subject = ANY ($2) AND (grants.form_id IS NULL OR grants.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_66 (NULL, NULL);

-- count new submissions as a manager of collections; count new submissions as a member of nested groups; count new submissions as a stranger, ...
PREPARE statement_67 (UUID, TEXT[], TEXT[], BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT count(*) AS counted
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($2) AS subject(value)
    CROSS JOIN unnest($3) AS action(value)
    CROSS JOIN LATERAL (
      SELECT grants.anchor AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NOT NULL AND (
        SELECT (submissions.state & $4) <> 0
        FROM formalize_submissions AS submissions
        WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $5) AND (grants.subject, grants.form_id, grants.action) <= (subject.value, $1, action.value)
      ORDER BY grants.subject, grants.form_id, grants.action, grants.anchor
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page;
EXPLAIN EXECUTE statement_67 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- count new submissions as a manager of collections; count new submissions as a member of nested groups; count new submissions as a stranger, ...
PREPARE statement_68 (UUID, TEXT, BIGINT, UUID, BIGINT, BIGINT) AS
SELECT count(*) AS counted
FROM (
  SELECT submissions.id AS id
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $4) AND (submissions.state) <= ($3)
  ORDER BY submissions.state, submissions.id
  LIMIT $5 OFFSET $6) AS page;
EXPLAIN EXECUTE statement_68 (NULL, NULL, NULL, NULL, NULL, NULL);

-- count new submissions as a manager of everything; count new submissions as a member of nested groups; count new submissions as one in a dynamic group, ...
PREPARE statement_69 (UUID, BIGINT, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT count(*) AS counted
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT id
    FROM (
      SELECT submissions.id AS id
      FROM formalize_submissions AS submissions
      WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $5) AND (submissions.state) <= ($2)
      ORDER BY submissions.state, submissions.id
      LIMIT $8) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT submissions.id AS id
      FROM formalize_submissions AS submissions
      WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $5) AND (submissions.state) <= ($4)
      ORDER BY submissions.state, submissions.id
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page;
EXPLAIN EXECUTE statement_69 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- count new submissions as a manager of everything; count new submissions as one in a dynamic group; count new submissions as the holder of much
PREPARE statement_70 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT count(*) AS counted
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT id
    FROM (
      SELECT submissions.id AS id
      FROM formalize_submissions AS submissions
      WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $6) AND (submissions.state) <= ($2)
      ORDER BY submissions.state, submissions.id
      LIMIT $9) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($3) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT grants.anchor AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NOT NULL AND (
        SELECT (submissions.state & $5) <> 0
        FROM formalize_submissions AS submissions
        WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $6) AND (grants.subject, grants.form_id, grants.action) <= (subject.value, $1, action.value)
      ORDER BY grants.subject, grants.form_id, grants.action, grants.anchor
      LIMIT $9) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page;
EXPLAIN EXECUTE statement_70 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- count new submissions as the system
PREPARE statement_71 (UUID, BIGINT, UUID, BIGINT, BIGINT) AS
SELECT count(*) AS counted
FROM (
  SELECT submissions.id AS id
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $3) AND (submissions.state) <= ($2)
  ORDER BY submissions.state, submissions.id
  LIMIT $4 OFFSET $5) AS page;
EXPLAIN EXECUTE statement_71 (NULL, NULL, NULL, NULL, NULL);

-- count what goes with a form
PREPARE statement_72 (UUID, BIGINT, BIGINT, TEXT) AS
SELECT (
  SELECT count(*)
  FROM formalize_forms
  WHERE id = $1) AS forms, (
  SELECT count(*)
  FROM formalize_submissions
  WHERE form_id = $1 AND state = $2) AS submissions, (
  SELECT count(*)
  FROM formalize_submissions
  WHERE form_id = $1 AND state = $3) AS drafts, (
  SELECT count(*)
  FROM formalize_resources AS resources
  WHERE form_id = $1) + (
  SELECT count(*)
  FROM formalize_resources AS resources
  WHERE anchor = $1 AND class <> $4) AS resources, (
  SELECT count(*)
  FROM formalize_grants AS grants
  WHERE anchor = $1) + (
  SELECT count(*)
  FROM formalize_resources AS resources
  JOIN formalize_grants AS grants ON grants.resource_id = resources.id
  WHERE resources.form_id = $1) AS grants, (
  SELECT count(*)
  FROM formalize_form_links
  WHERE form_id = $1) AS links;
EXPLAIN EXECUTE statement_72 (NULL, NULL, NULL, NULL);

-- count what goes with a form; manage webhooks
PREPARE statement_73 (UUID) AS
SELECT count(*) AS counted
FROM formalize_webhooks AS webhooks
WHERE webhooks.form_id = $1 AND webhooks.date_ended IS NULL;
EXPLAIN EXECUTE statement_73 (NULL);

-- count what goes with a group
PREPARE statement_74 (UUID) AS
SELECT (
  SELECT count(*)
  FROM formalize_groups AS groups
  WHERE id = $1) AS groups, (
  SELECT count(*)
  FROM formalize_memberships AS memberships
  WHERE group_id = $1) + (
  SELECT count(*)
  FROM formalize_memberships AS memberships
  WHERE child_group_id = $1) AS members, (
  SELECT count(*)
  FROM formalize_resources AS resources
  WHERE anchor = $1) AS resources, (
  SELECT count(*)
  FROM formalize_grants AS grants
  WHERE anchor = $1) + (
  SELECT count(*)
  FROM formalize_grants AS grants
  WHERE group_id = $1 AND anchor <> $1 AND (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted))) AS grants;
EXPLAIN EXECUTE statement_74 (NULL);

-- count what goes with a group; get a group; list memberships, ...
PREPARE statement_75 (UUID, TEXT[], TEXT) AS
SELECT groups.id, groups.name, groups.revision, groups.date_created, (
  SELECT coalesce(json_agg(json_build_array(grants.anchor, grants.class, grants.action))::text, '[]')
  FROM formalize_grants AS grants
  WHERE grants.anchor = groups.id AND grants.subject = ANY (ARRAY(
      WITH RECURSIVE reached (id) AS (
        SELECT group_id
        FROM formalize_memberships AS memberships
        WHERE user_id = $3
        UNION
        SELECT memberships.group_id
        FROM reached
        JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
      SELECT own.value
      FROM unnest($2) AS own(value)
      UNION ALL
      SELECT 'group:' || reached.id::text
      FROM reached))) AS held
FROM formalize_groups AS groups
WHERE groups.id = $1;
EXPLAIN EXECUTE statement_75 (NULL, NULL, NULL);

-- count what was submitted
PREPARE statement_76 (UUID, BIGINT) AS
SELECT (
  SELECT count(*)
  FROM formalize_submissions AS submissions
  WHERE form_id = $1 AND state = $2) AS submissions, (
  SELECT count(*)
  FROM formalize_resources AS resources
  JOIN formalize_submissions AS submissions ON submissions.id = resources.anchor
  WHERE resources.form_id = $1 AND submissions.state = $2) AS resources, (
  SELECT count(*)
  FROM formalize_resources AS resources
  JOIN formalize_submissions AS submissions ON submissions.id = resources.anchor
  JOIN formalize_grants AS grants ON grants.resource_id = resources.id
  WHERE resources.form_id = $1 AND submissions.state = $2) AS grants;
EXPLAIN EXECUTE statement_76 (NULL, NULL);

-- create a batch; submit with a key; submit with the same key
PREPARE statement_77 (TEXT, TEXT) AS
SELECT owner, key_text, fingerprint, response, date_expires
FROM formalize_kept_responses AS kept_responses
WHERE owner = $1 AND key_text = $2;
EXPLAIN EXECUTE statement_77 (NULL, NULL);

-- create a batch; create a batch with many keys; create a batch with two keys, ...
PREPARE statement_78 (UUID, UUID, BIGINT, UUID[], TEXT[], BIGINT[], TEXT[], BIGINT[], BIGINT[], UUID[], TEXT[], UUID[], TEXT[], BIGINT[], TEXT[], UUID[], TEXT[], TEXT[], TEXT[], TEXT[], BIGINT[]) AS
WITH made AS (
  SELECT *
  FROM unnest($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS made (id, creator, state, last_modified_by, date_created, date_last_modified, revision, data, event_id, event_type, frozen_at, tags_and_files)), form AS (
  SELECT id
  FROM formalize_forms AS forms
  WHERE id = $1 AND revision = $2 AND NOT forms.deleted FOR SHARE), places AS (INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken)
  SELECT form.id, made.creator, count(*)
  FROM form, made
  GROUP BY form.id, made.creator HAVING $3 IS NULL OR count(*) <= $3
  ORDER BY made.creator ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + EXCLUDED.taken
  WHERE $3 IS NULL OR submission_places.taken + EXCLUDED.taken <= $3
  RETURNING creator), written AS (INSERT INTO formalize_submissions (id, form_id, creator, state, last_modified_by, date_created, date_last_modified, revision, data)
  SELECT id, $1, creator, state, last_modified_by, date_created, date_last_modified, revision, data
  FROM made
  JOIN places USING (creator)
  RETURNING id), logged AS (INSERT INTO formalize_event_arrivals (id, type, date, record_id, form_id, creator, author)
  SELECT event_id, event_type, date_created, id, $1, creator, last_modified_by
  FROM made
  JOIN written USING (id)
  ORDER BY made.id), frozen AS (INSERT INTO formalize_event_data (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)
  SELECT event_id, id, data, last_modified_by, date_created, date_last_modified, tags_and_files
  FROM made
  JOIN written USING (id)
  WHERE (EXISTS (
      SELECT 1
      FROM formalize_webhooks AS webhooks
      WHERE webhooks.form_id = $1 AND (webhooks.frozen_events & frozen_at) <> 0) OR EXISTS (
      SELECT 1
      FROM formalize_webhooks AS webhooks
      WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & frozen_at) <> 0))), kept AS (INSERT INTO formalize_kept_responses (owner, key_text, fingerprint, response, date_expires)
  SELECT owner, key_text, fingerprint, response, date_expires
  FROM unnest($16, $17, $18, $19, $20, $21) AS kept (id, owner, key_text, fingerprint, response, date_expires)
  JOIN written USING (id))
SELECT id
FROM written;
EXPLAIN EXECUTE statement_78 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- create a batch with many keys; create a batch with two keys; submit with a key
PREPARE statement_79 (TEXT, TEXT, TEXT, TEXT, BIGINT, BIGINT) AS
INSERT INTO formalize_kept_responses AS kept_responses (owner, key_text, fingerprint, response, date_expires)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT (owner, key_text) DO UPDATE SET fingerprint = excluded.fingerprint, response = excluded.response, date_expires = excluded.date_expires
WHERE kept_responses.date_expires <= $6;
EXPLAIN EXECUTE statement_79 (NULL, NULL, NULL, NULL, NULL, NULL);

-- create a link
PREPARE statement_80 (UUID, TEXT, BIGINT, BOOLEAN, TEXT, BIGINT, UUID, UUID, UUID, TEXT, TEXT, BIGINT) AS
INSERT INTO formalize_form_links (id, label, max_submissions, once_per_browser, embed_origins, date_expires, revision, form_id, grant_id, creator, secret_hash, date_created)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);
EXPLAIN EXECUTE statement_80 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- create many submissions; submit several times at once; submit to a form with a limit
PREPARE statement_81 (UUID) AS
INSERT INTO formalize_form_places (form_id, taken)
VALUES ($1, 0);
EXPLAIN EXECUTE statement_81 (NULL);

-- create many submissions; submit several times at once
PREPARE statement_82 (UUID, UUID, BIGINT, UUID[], TEXT[], BIGINT[], TEXT[], BIGINT[], BIGINT[], UUID[], TEXT[], UUID[], TEXT[], BIGINT[], TEXT[], UUID[], TEXT[], TEXT[], TEXT[], TEXT[], BIGINT[], BIGINT) AS
WITH made AS (
  SELECT *
  FROM unnest($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS made (id, creator, state, last_modified_by, date_created, date_last_modified, revision, data, event_id, event_type, frozen_at, tags_and_files)), form AS (
  SELECT id
  FROM formalize_forms AS forms
  WHERE id = $1 AND revision = $2 AND NOT forms.deleted FOR SHARE), room AS (
  SELECT form.id
  FROM form
  JOIN formalize_form_places AS form_places ON form_places.form_id = form.id AND form_places.taken + (
    SELECT count(*)
    FROM made) <= $22 FOR NO KEY UPDATE OF form_places), places AS (INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken)
  SELECT room.id, made.creator, count(*)
  FROM room, made
  GROUP BY room.id, made.creator HAVING $3 IS NULL OR count(*) <= $3
  ORDER BY made.creator ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + EXCLUDED.taken
  WHERE $3 IS NULL OR submission_places.taken + EXCLUDED.taken <= $3
  RETURNING creator), counted AS (INSERT INTO formalize_form_places AS form_places (form_id, taken)
  SELECT $1, count(*)
  FROM made
  JOIN places USING (creator) HAVING count(*) > 0 ON CONFLICT (form_id) DO UPDATE SET taken = form_places.taken + EXCLUDED.taken), written AS (INSERT INTO formalize_submissions (id, form_id, creator, state, last_modified_by, date_created, date_last_modified, revision, data)
  SELECT id, $1, creator, state, last_modified_by, date_created, date_last_modified, revision, data
  FROM made
  JOIN places USING (creator)
  RETURNING id), logged AS (INSERT INTO formalize_event_arrivals (id, type, date, record_id, form_id, creator, author)
  SELECT event_id, event_type, date_created, id, $1, creator, last_modified_by
  FROM made
  JOIN written USING (id)
  ORDER BY made.id), frozen AS (INSERT INTO formalize_event_data (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)
  SELECT event_id, id, data, last_modified_by, date_created, date_last_modified, tags_and_files
  FROM made
  JOIN written USING (id)
  WHERE (EXISTS (
      SELECT 1
      FROM formalize_webhooks AS webhooks
      WHERE webhooks.form_id = $1 AND (webhooks.frozen_events & frozen_at) <> 0) OR EXISTS (
      SELECT 1
      FROM formalize_webhooks AS webhooks
      WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & frozen_at) <> 0))), kept AS (INSERT INTO formalize_kept_responses (owner, key_text, fingerprint, response, date_expires)
  SELECT owner, key_text, fingerprint, response, date_expires
  FROM unnest($16, $17, $18, $19, $20, $21) AS kept (id, owner, key_text, fingerprint, response, date_expires)
  JOIN written USING (id))
SELECT id
FROM written;
EXPLAIN EXECUTE statement_82 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- create many submissions; submit several times at once; submit to a form with a limit
PREPARE statement_83 (UUID, TEXT, BIGINT, UUID, BIGINT, TEXT, BIGINT, BIGINT, UUID, TEXT, UUID, BIGINT, UUID, TEXT, BIGINT, TEXT) AS
WITH step0 AS (INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken)
  SELECT forms.id, $2, 1
  FROM formalize_forms AS forms
  JOIN formalize_form_places AS form_places ON form_places.form_id = forms.id AND form_places.taken < $12
  WHERE forms.id = $1 AND forms.revision = $11 AND NOT forms.deleted AND ($3 IS NULL OR $3 > 0) FOR SHARE OF forms FOR NO KEY UPDATE OF form_places ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + 1
  WHERE $3 IS NULL OR submission_places.taken < $3
  RETURNING 1), step1 AS (INSERT INTO formalize_form_places AS form_places (form_id, taken)
  SELECT $1, 1
  FROM step0 ON CONFLICT (form_id) DO UPDATE SET taken = form_places.taken + 1
  RETURNING 1), step2 AS (INSERT INTO formalize_submissions (form_id, creator, id, state, last_modified_by, date_created, date_last_modified, revision, data)
  SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10
  FROM step1
  RETURNING 1), aside AS (INSERT INTO formalize_event_data (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)
  SELECT $13, $4, $10, $6, $7, $8, $16
  FROM step2
  WHERE (EXISTS (
      SELECT 1
      FROM formalize_webhooks AS webhooks
      WHERE webhooks.form_id = $1 AND (webhooks.frozen_events & $15) <> 0) OR EXISTS (
      SELECT 1
      FROM formalize_webhooks AS webhooks
      WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & $15) <> 0))) INSERT INTO formalize_event_arrivals (id, type, date, record_id, form_id, creator, author)
SELECT $13, $14, $7, $4, $1, $2, $6
FROM step2;
EXPLAIN EXECUTE statement_83 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- delete a form; delete a form with submissions that others may read; delete a large form, ...
PREPARE statement_84 (UUID) AS
DELETE
FROM formalize_forms
WHERE id = $1;
EXPLAIN EXECUTE statement_84 (NULL);

-- delete a form; delete a form with submissions that others may read; delete a large form, ...
PREPARE statement_85 (UUID) AS
DELETE
FROM formalize_resources
WHERE anchor = $1;
EXPLAIN EXECUTE statement_85 (NULL);

-- delete a form; delete a form with submissions that others may read; delete ended sessions, webhooks and what is old, ...
PREPARE statement_86 (UUID) AS
DELETE
FROM formalize_resources
WHERE form_id = $1;
EXPLAIN EXECUTE statement_86 (NULL);

-- delete a form; delete a form with submissions that others may read; delete ended sessions, webhooks and what is old
PREPARE statement_87 (UUID, UUID, TEXT, TEXT[], UUID, TEXT, TEXT[], UUID, TEXT, TEXT[], UUID, BIGINT) AS
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $2 AND class = $3 AND action = ANY ($4)
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $5 AND class = $6 AND action = ANY ($7)
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $8 AND class = $9 AND action = ANY ($10)
  UNION
  SELECT 'user:' || creator
  FROM formalize_submissions AS submissions
  WHERE form_id = $11 AND creator <> '' AND (state & $12) <> 0) AS subjects;
EXPLAIN EXECUTE statement_87 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- delete a form; delete a form with submissions that others may read; delete a large form, ...
PREPARE statement_88 (UUID, BIGINT) AS
UPDATE formalize_forms SET deleted = TRUE
WHERE id = $1 AND (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM formalize_submissions
    WHERE form_id = $1
    LIMIT $2) AS found) = $2;
EXPLAIN EXECUTE statement_88 (NULL, NULL);

-- delete a form; delete a form with submissions that others may read; delete a large form, ...
PREPARE statement_89 (UUID, BIGINT) AS
UPDATE formalize_webhooks AS webhooks SET date_ended = $2
WHERE form_id = $1 AND webhooks.date_ended IS NULL;
EXPLAIN EXECUTE statement_89 (NULL, NULL);

-- delete a form with submissions that others may read; delete a large form
PREPARE statement_90 (UUID, UUID, TEXT, TEXT[], UUID, TEXT, TEXT[], UUID, TEXT, TEXT[], UUID, BIGINT, TEXT[]) AS
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $2 AND class = $3 AND action = ANY ($4)
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $5 AND class = $6 AND action = ANY ($7)
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $8 AND class = $9 AND action = ANY ($10)
  UNION
  SELECT grants.subject
  FROM formalize_submissions AS submissions
  JOIN formalize_grants AS grants ON grants.anchor = submissions.id
  WHERE submissions.form_id = $11 AND (submissions.state & $12) <> 0 AND grants.action = ANY ($13)) AS subjects;
EXPLAIN EXECUTE statement_90 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- delete a group
PREPARE statement_91 (UUID) AS
DELETE
FROM formalize_groups
WHERE id = $1;
EXPLAIN EXECUTE statement_91 (NULL);

-- delete a group
PREPARE statement_92 (UUID, TEXT) AS
DELETE
FROM formalize_resources
WHERE anchor = $1 AND class = $2;
EXPLAIN EXECUTE statement_92 (NULL, NULL);

-- delete a group; delete a submission that its creator may read
PREPARE statement_93 (UUID, UUID, TEXT, TEXT[]) AS
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $2 AND class = $3 AND action = ANY ($4)) AS subjects;
EXPLAIN EXECUTE statement_93 (NULL, NULL, NULL, NULL);

-- delete a large form
PREPARE statement_94 (UUID) AS
DELETE
FROM formalize_form_places
WHERE form_id = $1;
EXPLAIN EXECUTE statement_94 (NULL);

-- delete a large form
PREPARE statement_95 (UUID[]) AS
DELETE
FROM formalize_resources
WHERE id = ANY ($1);
EXPLAIN EXECUTE statement_95 (NULL);

-- delete a large form
PREPARE statement_96 (UUID, TEXT[]) AS
DELETE
FROM formalize_submission_places AS submission_places
WHERE form_id = $1 AND creator = ANY ($2);
EXPLAIN EXECUTE statement_96 (NULL, NULL);

-- delete a large form
PREPARE statement_97 (UUID[]) AS
DELETE
FROM formalize_submissions
WHERE id = ANY ($1);
EXPLAIN EXECUTE statement_97 (NULL);

-- delete a large form
PREPARE statement_98 (UUID, BIGINT) AS
SELECT creator
FROM formalize_submission_places
WHERE form_id = $1
LIMIT $2;
EXPLAIN EXECUTE statement_98 (NULL, NULL);

-- delete a large form; delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_99 AS
SELECT forms.id
FROM formalize_forms AS forms
WHERE forms.deleted
ORDER BY forms.id
LIMIT 1 FOR NO KEY UPDATE;
EXPLAIN EXECUTE statement_99;

-- delete a large form
PREPARE statement_100 (UUID, BIGINT) AS
SELECT id
FROM formalize_resources
WHERE form_id = $1
LIMIT $2;
EXPLAIN EXECUTE statement_100 (NULL, NULL);

-- delete a large form
PREPARE statement_101 (UUID, BIGINT) AS
SELECT id
FROM formalize_submissions
WHERE form_id = $1
LIMIT $2;
EXPLAIN EXECUTE statement_101 (NULL, NULL);

-- delete a link
PREPARE statement_102 (UUID) AS
DELETE
FROM formalize_grants
WHERE id = (
  SELECT grant_id
  FROM formalize_form_links
  WHERE id = $1);
EXPLAIN EXECUTE statement_102 (NULL);

-- delete a link; get a link
PREPARE statement_103 (UUID) AS
SELECT form_links.id, form_links.form_id, form_links.label, form_links.creator, form_links.max_submissions, form_links.once_per_browser, form_links.embed_origins, form_links.revision, form_links.date_created, form_links.date_expires, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE submission_places.form_id = form_links.form_id AND submission_places.creator = 'link:' || form_links.id::text), 0) AS taken
FROM formalize_form_links AS form_links
WHERE form_links.id = $1;
EXPLAIN EXECUTE statement_103 (NULL);

-- delete a submission; delete a submission of a form with a limit; delete a submission that its creator may read, ...
PREPARE statement_104 (UUID, TEXT) AS
DELETE
FROM formalize_submission_places
WHERE form_id = $1 AND creator = $2 AND taken <= 0;
EXPLAIN EXECUTE statement_104 (NULL, NULL);

-- delete a submission; delete a submission of a form with a limit; delete a submission that its creator may read, ...
PREPARE statement_105 (UUID) AS
DELETE
FROM formalize_submissions
WHERE id = $1;
EXPLAIN EXECUTE statement_105 (NULL);

-- delete a submission; delete a submission of a form with a limit; delete a submission that its creator may read, ...
PREPARE statement_106 (UUID, TEXT, BIGINT) AS
WITH one AS (UPDATE formalize_submission_places SET taken = taken - 1, file_bytes = file_bytes - $3
  WHERE form_id = $1 AND creator = $2) UPDATE formalize_form_places SET taken = taken - 1
WHERE form_id = $1;
EXPLAIN EXECUTE statement_106 (NULL, NULL, NULL);

-- delete a submission that its creator may read
PREPARE statement_107 (UUID, TEXT) AS
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT $2 AS subject) AS subjects;
EXPLAIN EXECUTE statement_107 (NULL, NULL);

-- delete a submission that its creator may read
PREPARE statement_108 (UUID, TEXT, BIGINT) AS
UPDATE formalize_submission_places SET taken = taken - 1, file_bytes = file_bytes - $3
WHERE form_id = $1 AND creator = $2;
EXPLAIN EXECUTE statement_108 (NULL, NULL, NULL);

-- delete a subscription; delete ended sessions, webhooks and what is old; manage webhooks, ...
PREPARE statement_109 (TEXT) AS
DELETE
FROM formalize_event_subscriptions
WHERE name = $1;
EXPLAIN EXECUTE statement_109 (NULL);

-- delete all submissions; delete all submissions of a form with a limit; submit and delete without an event log
PREPARE statement_110 (UUID, BIGINT) AS
DELETE
FROM formalize_resources
WHERE anchor IN (
  SELECT id
  FROM formalize_submissions
  WHERE form_id = $1 AND state = $2);
EXPLAIN EXECUTE statement_110 (NULL, NULL);

-- delete all submissions; delete all submissions of a form with a limit; submit and delete without an event log
PREPARE statement_111 (UUID) AS
DELETE
FROM formalize_submission_places
WHERE form_id = $1 AND taken <= 0;
EXPLAIN EXECUTE statement_111 (NULL);

-- delete all submissions; delete all submissions of a form with a limit; submit and delete without an event log
PREPARE statement_112 (UUID, BIGINT) AS
DELETE
FROM formalize_submissions
WHERE form_id = $1 AND state = $2;
EXPLAIN EXECUTE statement_112 (NULL, NULL);

-- delete all submissions
PREPARE statement_113 (UUID, UUID, BIGINT) AS
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT 'user:' || creator
  FROM formalize_submissions AS submissions
  WHERE form_id = $2 AND creator <> '' AND (state & $3) <> 0) AS subjects;
EXPLAIN EXECUTE statement_113 (NULL, NULL, NULL);

-- delete all submissions
PREPARE statement_114 (UUID, UUID, BIGINT, TEXT[]) AS
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT grants.subject
  FROM formalize_submissions AS submissions
  JOIN formalize_grants AS grants ON grants.anchor = submissions.id
  WHERE submissions.form_id = $2 AND (submissions.state & $3) <> 0 AND grants.action = ANY ($4)) AS subjects;
EXPLAIN EXECUTE statement_114 (NULL, NULL, NULL, NULL);

-- delete all submissions; delete all submissions of a form with a limit; submit and delete without an event log
PREPARE statement_115 (UUID, BIGINT) AS
WITH one AS (UPDATE formalize_submission_places AS submission_places SET taken = taken - (
    SELECT count(*)
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = submission_places.creator AND submissions.state = $2), file_bytes = file_bytes - (
    SELECT CAST(coalesce(sum(submissions.file_bytes), 0) AS BIGINT)
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = submission_places.creator AND submissions.state = $2 AND submissions.num_files > 0)
  WHERE form_id = $1) UPDATE formalize_form_places SET taken = 0
WHERE form_id = $1;
EXPLAIN EXECUTE statement_115 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_116 (UUID[], BIGINT) AS
DELETE
FROM formalize_api_tokens AS api_tokens
WHERE id = ANY ($1) AND kind = 2 AND CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END <= $2;
EXPLAIN EXECUTE statement_116 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events
PREPARE statement_117 (UUID[]) AS
DELETE
FROM formalize_event_audience
WHERE event_id = ANY ($1);
EXPLAIN EXECUTE statement_117 (NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events
PREPARE statement_118 (UUID[]) AS
DELETE
FROM formalize_event_data
WHERE event_id = ANY ($1);
EXPLAIN EXECUTE statement_118 (NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events
PREPARE statement_119 (BIGINT, BIGINT) AS
DELETE
FROM formalize_events
WHERE position > $1 AND position <= $2;
EXPLAIN EXECUTE statement_119 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_120 (BIGINT, BIGINT) AS
DELETE
FROM formalize_kept_responses
WHERE (owner, key_text) IN (
  SELECT owner, key_text
  FROM formalize_kept_responses
  WHERE date_expires <= $1
  ORDER BY date_expires
  LIMIT $2) AND date_expires <= $1;
EXPLAIN EXECUTE statement_120 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_121 (BIGINT, BIGINT) AS
DELETE
FROM formalize_webhook_attempts
WHERE (delivery_id, number) IN (
  SELECT delivery_id, number
  FROM formalize_webhook_attempts
  WHERE date < $1
  ORDER BY date
  LIMIT $2) AND date < $1;
EXPLAIN EXECUTE statement_121 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events
PREPARE statement_122 (UUID[]) AS
DELETE
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE event_id = ANY ($1) AND state <> 'delivered';
EXPLAIN EXECUTE statement_122 (NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_123 (BIGINT, BIGINT) AS
DELETE
FROM formalize_webhook_deliveries
WHERE id IN (
  SELECT id
  FROM formalize_webhook_deliveries
  WHERE state = 'delivered' AND date_done < $1
  ORDER BY date_done
  LIMIT $2) AND state = 'delivered' AND date_done < $1;
EXPLAIN EXECUTE statement_123 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_124 (UUID) AS
SELECT count(*) AS counted, min(date_created) AS oldest
FROM formalize_webhook_deliveries
WHERE webhook_id > $1 AND date_next_attempt IS NOT NULL;
EXPLAIN EXECUTE statement_124 (NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events, ...
PREPARE statement_125 AS
SELECT epoch, last, purged_to
FROM formalize_event_log
WHERE id = 1 FOR NO KEY UPDATE;
EXPLAIN EXECUTE statement_125;

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_126 (UUID, BIGINT) AS
SELECT event_data.event_id AS id, event_data.submission_id
FROM formalize_event_data AS event_data
WHERE event_data.event_id > $1
ORDER BY event_data.event_id
LIMIT $2;
EXPLAIN EXECUTE statement_126 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_127 (BIGINT, BIGINT) AS
SELECT id
FROM formalize_api_tokens AS api_tokens
WHERE kind = 2 AND CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END <= $1
ORDER BY CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END
LIMIT $2;
EXPLAIN EXECUTE statement_127 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events
PREPARE statement_128 (BIGINT, BIGINT) AS
SELECT id
FROM formalize_events
WHERE position > $1 AND position <= $2;
EXPLAIN EXECUTE statement_128 (NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_129 (BIGINT) AS
SELECT id
FROM formalize_webhooks
WHERE date_ended <= $1;
EXPLAIN EXECUTE statement_129 (NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events
PREPARE statement_130 (BIGINT, BIGINT, BIGINT) AS
SELECT min(position) AS position
FROM formalize_events
WHERE position > $1 AND position <= $2 AND date >= $3;
EXPLAIN EXECUTE statement_130 (NULL, NULL, NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_131 (UUID[]) AS
SELECT submissions.id AS id
FROM formalize_submissions AS submissions
WHERE submissions.id = ANY ($1);
EXPLAIN EXECUTE statement_131 (NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old
PREPARE statement_132 (UUID[]) AS
SELECT webhook_deliveries.event_id AS id
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.event_id = ANY ($1) AND webhook_deliveries.state = 'pending';
EXPLAIN EXECUTE statement_132 (NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events
PREPARE statement_133 (BIGINT) AS
UPDATE formalize_event_log SET purged_to = $1
WHERE id = 1;
EXPLAIN EXECUTE statement_133 (NULL);

-- delete ended sessions; delete ended sessions, webhooks and what is old; manage webhooks, ...
PREPARE statement_134 (BIGINT) AS
WITH arrived AS (DELETE
  FROM formalize_event_arrivals AS event_arrivals
  WHERE ordinal <= (
    SELECT max(ordinal)
    FROM (
      SELECT ordinal
      FROM formalize_event_arrivals AS event_arrivals
      ORDER BY ordinal
      LIMIT $1) AS first)
  RETURNING *), log AS (UPDATE formalize_event_log AS event_log SET last = last + (
    SELECT count(*)
    FROM arrived)
  WHERE id = 1
  RETURNING last - (
    SELECT count(*)
    FROM arrived) AS last) INSERT INTO formalize_events (position, id, type, date, record_id, form_id, creator, author, data)
SELECT (
  SELECT last
  FROM log) + row_number() OVER (
  ORDER BY ordinal), id, type, date, record_id, form_id, creator, author, data
FROM arrived;
EXPLAIN EXECUTE statement_134 (NULL);

-- delete ended sessions, webhooks and what is old
PREPARE statement_135 (UUID[]) AS
DELETE
FROM formalize_event_data AS event_data
WHERE event_data.event_id = ANY ($1) AND NOT EXISTS (
  SELECT 1
  FROM formalize_webhook_deliveries AS webhook_deliveries
  WHERE webhook_deliveries.event_id = event_data.event_id AND webhook_deliveries.state = 'pending');
EXPLAIN EXECUTE statement_135 (NULL);

-- delete ended sessions, webhooks and what is old
PREPARE statement_136 (UUID) AS
DELETE
FROM formalize_webhooks
WHERE id = $1;
EXPLAIN EXECUTE statement_136 (NULL);

-- delete ended sessions, webhooks and what is old; manage webhooks; send to webhooks
PREPARE statement_137 (UUID) AS
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
FROM formalize_webhooks AS webhooks
WHERE webhooks.id = $1 AND webhooks.date_ended IS NULL FOR NO KEY UPDATE;
EXPLAIN EXECUTE statement_137 (NULL);

-- delete ended sessions, webhooks and what is old; send to webhooks
PREPARE statement_138 (UUID) AS
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes, event_subscriptions.epoch, event_subscriptions.position, (
  SELECT count(*)
  FROM formalize_webhook_deliveries AS webhook_deliveries
  WHERE webhook_deliveries.webhook_id = webhooks.id AND webhook_deliveries.state = 'pending') AS pending
FROM formalize_webhooks AS webhooks
JOIN formalize_event_subscriptions AS event_subscriptions ON event_subscriptions.name = 'webhook:' || webhooks.id::text
WHERE webhooks.id > $1 AND webhooks.disabled IS NULL;
EXPLAIN EXECUTE statement_138 (NULL);

-- deregister an item
PREPARE statement_139 (UUID) AS
DELETE
FROM formalize_resources
WHERE id = $1;
EXPLAIN EXECUTE statement_139 (NULL);

-- deregister an item
PREPARE statement_140 (UUID, UUID, TEXT) AS
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $2 AND class = $3) AS subjects;
EXPLAIN EXECUTE statement_140 (NULL, NULL, NULL);

-- dismiss a manager; list links
PREPARE statement_141 (UUID, UUID, BIGINT, BIGINT) AS
SELECT form_links.id, form_links.form_id, form_links.label, form_links.creator, form_links.max_submissions, form_links.once_per_browser, form_links.embed_origins, form_links.revision, form_links.date_created, form_links.date_expires, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE submission_places.form_id = form_links.form_id AND submission_places.creator = 'link:' || form_links.id::text), 0) AS taken
FROM formalize_form_links AS form_links
WHERE (form_links.form_id, form_links.id) > ($1, $2) AND (form_links.form_id) <= ($1)
ORDER BY form_links.form_id, form_links.id
LIMIT $3 OFFSET $4;
EXPLAIN EXECUTE statement_141 (NULL, NULL, NULL, NULL);

-- dismiss a manager; list grants of DbpRelayAuthorizationGroup that are collections as the system; list grants of DbpRelayAuthorizationGroup with an identifier as the system, ...
PREPARE statement_142 (TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $1 AND grants.resource_id = wanted.id AND grants.id > $3
      ORDER BY 1
      LIMIT $6) AS found) AS merged
  ORDER BY id
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_142 (NULL, NULL, NULL, NULL, NULL, NULL);

-- dismiss a manager; manage webhooks
PREPARE statement_143 (UUID, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT webhooks.id AS id
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.date_ended IS NULL AND (webhooks.form_id, webhooks.id) > ($1, $2) AND (webhooks.form_id) <= ($1)
  ORDER BY webhooks.form_id, webhooks.id
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_143 (NULL, NULL, NULL, NULL);

-- encrypt the secrets of webhooks; manage webhooks
PREPARE statement_144 (UUID, BIGINT) AS
SELECT webhooks.id, webhooks.secret, webhooks.previous_secret, webhooks.previous_until
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1
ORDER BY webhooks.id
LIMIT $2;
EXPLAIN EXECUTE statement_144 (NULL, NULL);

-- encrypt the secrets of webhooks
PREPARE statement_145 (UUID, TEXT, TEXT, TEXT) AS
UPDATE formalize_webhooks SET secret = $3, previous_secret = $4
WHERE id = $1 AND secret = $2;
EXPLAIN EXECUTE statement_145 (NULL, NULL, NULL, NULL);

-- end a session; revoke a token; revoke an own token
PREPARE statement_146 (UUID[]) AS
DELETE
FROM formalize_api_tokens AS api_tokens
WHERE id = ANY ($1);
EXPLAIN EXECUTE statement_146 (NULL);

-- end a session; end all sessions of a user; revoke a token, ...
PREPARE statement_147 AS
SELECT pg_notify('formalize_token_revoked', '');
EXPLAIN EXECUTE statement_147;

-- end a session; revoke a token; revoke an own token
PREPARE statement_148 (UUID, TEXT) AS
WITH RECURSIVE ended (id, level) AS (
  SELECT id, CAST(0 AS BIGINT)
  FROM formalize_api_tokens AS api_tokens
  WHERE id = $1 AND ($2 IS NULL OR user_id = $2)
  UNION ALL
  SELECT api_tokens.id, ended.level + 1
  FROM ended
  JOIN formalize_api_tokens AS api_tokens ON api_tokens.origin = ended.id )
SELECT id, level
FROM ended
ORDER BY level DESC;
EXPLAIN EXECUTE statement_148 (NULL, NULL);

-- end all sessions of a user
PREPARE statement_149 (TEXT) AS
DELETE
FROM formalize_api_tokens
WHERE user_id = $1 AND kind = 2;
EXPLAIN EXECUTE statement_149 (NULL);

-- ensure a group
PREPARE statement_150 (UUID) AS
SELECT groups.id, groups.name, groups.revision, groups.date_created
FROM formalize_groups AS groups
WHERE groups.id = $1 AND TRUE;
EXPLAIN EXECUTE statement_150 (NULL);

-- explain permissions; explain permissions as a manager of everything; explain permissions as a member of nested groups, ...
PREPARE statement_151 (TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $5
      ORDER BY 1
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_151 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- explain permissions; explain permissions as a manager of everything; explain permissions as a member of nested groups, ...
PREPARE statement_152 (TEXT) AS
WITH RECURSIVE reached (id, group_id, user_id, child_group_id, date_created) AS (
  SELECT id, group_id, user_id, child_group_id, date_created
  FROM formalize_memberships AS memberships
  WHERE user_id = $1
  UNION
  SELECT memberships.id, memberships.group_id, memberships.user_id, memberships.child_group_id, memberships.date_created
  FROM reached
  JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.group_id)
SELECT id, group_id, user_id, child_group_id, date_created
FROM reached;
EXPLAIN EXECUTE statement_152 (NULL);

-- get a membership; read and check items as a manager of collections; read and check items as a manager of everything, ...
PREPARE statement_153 (UUID) AS
SELECT id, group_id, user_id, child_group_id, date_created
FROM formalize_memberships
WHERE id = $1;
EXPLAIN EXECUTE statement_153 (NULL);

-- get a resource; read and check items as a manager of everything; read and check items as one in a dynamic group, ...
PREPARE statement_154 (UUID) AS
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE resources.id = $1 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_154 (NULL);

-- give up uploads
PREPARE statement_155 AS
UPDATE formalize_submitted_files SET date_expires = 0
WHERE submission_id IS NULL AND date_expires > 0;
EXPLAIN EXECUTE statement_155;

-- hold files
PREPARE statement_156 (BIGINT) AS
DELETE
FROM formalize_file_holds
WHERE date_ends <= $1;
EXPLAIN EXECUTE statement_156 (NULL);

-- hold files
PREPARE statement_157 (UUID, BIGINT) AS
DELETE
FROM formalize_file_holds
WHERE id = $1 AND date_ends > $2;
EXPLAIN EXECUTE statement_157 (NULL, NULL);

-- hold files
PREPARE statement_158 (UUID, BIGINT) AS
INSERT INTO formalize_file_holds (id, date_ends)
VALUES ($1, $2);
EXPLAIN EXECUTE statement_158 (NULL, NULL);

-- hold files
PREPARE statement_159 (UUID, BIGINT) AS
SELECT id, submission_id
FROM formalize_submitted_files
WHERE id > $1
ORDER BY id
LIMIT $2;
EXPLAIN EXECUTE statement_159 (NULL, NULL);

-- hold files
PREPARE statement_160 (UUID) AS
SELECT submitted_files.*
FROM formalize_submitted_files AS submitted_files
WHERE id = $1 AND submission_id IS NOT NULL;
EXPLAIN EXECUTE statement_160 (NULL);

-- hold files
PREPARE statement_161 (UUID, BIGINT, BIGINT) AS
UPDATE formalize_file_holds SET date_ends = $2
WHERE id = $1 AND date_ends > $3;
EXPLAIN EXECUTE statement_161 (NULL, NULL, NULL);

-- list classes; list classes as a member of nested groups; list classes as a stranger, ...
PREPARE statement_162 (TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], TEXT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], TEXT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT, TEXT) AS
SELECT $7 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $3
      ORDER BY 1
      LIMIT $6) AS found) AS merged
  ORDER BY id
  LIMIT $4 OFFSET $5)
UNION ALL
SELECT $17 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($8) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $9 AND grants.resource_id > $13
      ORDER BY 1
      LIMIT $16) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($8) AS subject(value)
    CROSS JOIN unnest($10) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $11 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $12 AND resources.id > $13 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $16) AS found) AS merged
  ORDER BY id
  LIMIT $14 OFFSET $15)
UNION ALL
SELECT $42 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($18) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $19 AND grants.resource_id > $38
      ORDER BY 1
      LIMIT $41) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($18) AS subject(value)
    CROSS JOIN unnest($22) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND grants.class = $23 AND grants.resource_id > $38
      ORDER BY 1
      LIMIT $41) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($18) AS subject(value)
      CROSS JOIN unnest($24) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $25 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $26 AND resources.id > $38
      ORDER BY 1
      LIMIT $41) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($18) AS subject(value)
      CROSS JOIN unnest($27) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $28 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $29 AND resources.id > $38
      ORDER BY 1
      LIMIT $41) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($18) AS subject(value)
    CROSS JOIN unnest($32) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $30 OR (forms.allowed_actions & $31) <> 0) AND grants.class = $33 AND grants.resource_id > $38
      ORDER BY 1
      LIMIT $41) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($18) AS subject(value)
    CROSS JOIN unnest($36) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $34 OR (forms.allowed_actions & $35) <> 0) AND grants.class = $37 AND grants.resource_id > $38
      ORDER BY 1
      LIMIT $41) AS found) AS merged
  ORDER BY id
  LIMIT $39 OFFSET $40)
UNION ALL
SELECT $52 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($43) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $44 AND grants.resource_id > $48
      ORDER BY 1
      LIMIT $51) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($43) AS subject(value)
    CROSS JOIN unnest($45) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $46 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $47 AND resources.id > $48 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $51) AS found) AS merged
  ORDER BY id
  LIMIT $49 OFFSET $50)
UNION ALL
SELECT $59 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($53) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $54 AND grants.resource_id > $55
      ORDER BY 1
      LIMIT $58) AS found) AS merged
  ORDER BY id
  LIMIT $56 OFFSET $57);
EXPLAIN EXECUTE statement_162 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list classes as a manager of collections; list classes as an administrator
PREPARE statement_163 (TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], TEXT, TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], TEXT, TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, TEXT) AS
SELECT $8 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $4
      ORDER BY 1
      LIMIT $7) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($3) AND resources.identifier = '' AND resources.id > $4 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6)
UNION ALL
SELECT $19 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($9) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $10 AND grants.resource_id > $15
      ORDER BY 1
      LIMIT $18) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($9) AS subject(value)
    CROSS JOIN unnest($11) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $13 AND resources.id > $15 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $18) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($14) AND resources.identifier = '' AND resources.id > $15 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $18) AS found) AS merged
  ORDER BY id
  LIMIT $16 OFFSET $17)
UNION ALL
SELECT $45 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($20) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $21 AND grants.resource_id > $41
      ORDER BY 1
      LIMIT $44) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($20) AS subject(value)
    CROSS JOIN unnest($24) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $22 OR (forms.allowed_actions & $23) <> 0) AND grants.class = $25 AND grants.resource_id > $41
      ORDER BY 1
      LIMIT $44) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($20) AS subject(value)
      CROSS JOIN unnest($26) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $27 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $28 AND resources.id > $41
      ORDER BY 1
      LIMIT $44) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($20) AS subject(value)
      CROSS JOIN unnest($29) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $30 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $31 AND resources.id > $41
      ORDER BY 1
      LIMIT $44) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($20) AS subject(value)
    CROSS JOIN unnest($34) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $32 OR (forms.allowed_actions & $33) <> 0) AND grants.class = $35 AND grants.resource_id > $41
      ORDER BY 1
      LIMIT $44) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($20) AS subject(value)
    CROSS JOIN unnest($38) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $36 OR (forms.allowed_actions & $37) <> 0) AND grants.class = $39 AND grants.resource_id > $41
      ORDER BY 1
      LIMIT $44) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($40) AND resources.identifier = '' AND resources.id > $41 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $44) AS found) AS merged
  ORDER BY id
  LIMIT $42 OFFSET $43)
UNION ALL
SELECT $56 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($46) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $47 AND grants.resource_id > $52
      ORDER BY 1
      LIMIT $55) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($46) AS subject(value)
    CROSS JOIN unnest($48) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $49 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $50 AND resources.id > $52 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $55) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($51) AND resources.identifier = '' AND resources.id > $52 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $55) AS found) AS merged
  ORDER BY id
  LIMIT $53 OFFSET $54)
UNION ALL
SELECT $64 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($57) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $58 AND grants.resource_id > $60
      ORDER BY 1
      LIMIT $63) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($59) AND resources.identifier = '' AND resources.id > $60 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $63) AS found) AS merged
  ORDER BY id
  LIMIT $61 OFFSET $62);
EXPLAIN EXECUTE statement_163 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list classes as a manager of everything
PREPARE statement_164 (TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT, TEXT, TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT, TEXT, TEXT[], BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT, TEXT, TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT, TEXT, TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT, TEXT) AS
SELECT $7 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $3 AND (resources.form_id IS NULL OR (
      SELECT forms.grant_based AND submissions.state = $2
      FROM formalize_submissions AS submissions
      JOIN formalize_forms AS forms ON forms.id = submissions.form_id
      WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)))) AND resources.id > $4
  ORDER BY 1
  LIMIT $5 OFFSET $6)
UNION ALL
SELECT $14 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $10 AND (resources.form_id IS NULL OR (
      SELECT forms.grant_based AND submissions.state = $9
      FROM formalize_submissions AS submissions
      JOIN formalize_forms AS forms ON forms.id = submissions.form_id
      WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)))) AND resources.id > $11
  ORDER BY 1
  LIMIT $12 OFFSET $13)
UNION ALL
SELECT $34 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($15) AS subject(value)
    CROSS JOIN unnest($18) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $16 OR (forms.allowed_actions & $17) <> 0) AND grants.class = $19 AND grants.resource_id > $30
      ORDER BY 1
      LIMIT $33) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($15) AS subject(value)
    CROSS JOIN unnest($22) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND grants.class = $23 AND grants.resource_id > $30
      ORDER BY 1
      LIMIT $33) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($15) AS subject(value)
    CROSS JOIN unnest($26) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $24 OR (forms.allowed_actions & $25) <> 0) AND grants.class = $27 AND grants.resource_id > $30
      ORDER BY 1
      LIMIT $33) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = $29 AND (resources.form_id IS NULL OR (
          SELECT forms.grant_based AND submissions.state = $28
          FROM formalize_submissions AS submissions
          JOIN formalize_forms AS forms ON forms.id = submissions.form_id
          WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)))) AND resources.id > $30
      ORDER BY 1
      LIMIT $33) AS found) AS merged
  ORDER BY id
  LIMIT $31 OFFSET $32)
UNION ALL
SELECT $41 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $37 AND (resources.form_id IS NULL OR (
      SELECT forms.grant_based AND submissions.state = $36
      FROM formalize_submissions AS submissions
      JOIN formalize_forms AS forms ON forms.id = submissions.form_id
      WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)))) AND resources.id > $38
  ORDER BY 1
  LIMIT $39 OFFSET $40)
UNION ALL
SELECT $48 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $44 AND (resources.form_id IS NULL OR (
      SELECT forms.grant_based AND submissions.state = $43
      FROM formalize_submissions AS submissions
      JOIN formalize_forms AS forms ON forms.id = submissions.form_id
      WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)))) AND resources.id > $45
  ORDER BY 1
  LIMIT $46 OFFSET $47);
EXPLAIN EXECUTE statement_164 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list classes as the system
PREPARE statement_165 (TEXT, UUID, BIGINT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, TEXT) AS
SELECT $5 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $1 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4)
UNION ALL
SELECT $10 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $6 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $7
  ORDER BY 1
  LIMIT $8 OFFSET $9)
UNION ALL
SELECT $15 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $11 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $12
  ORDER BY 1
  LIMIT $13 OFFSET $14)
UNION ALL
SELECT $20 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $16 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $17
  ORDER BY 1
  LIMIT $18 OFFSET $19)
UNION ALL
SELECT $25 AS class
WHERE EXISTS (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $21 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $22
  ORDER BY 1
  LIMIT $23 OFFSET $24);
EXPLAIN EXECUTE statement_165 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms; list forms as a manager of collections; list forms as a member of nested groups, ...
PREPARE statement_166 (TEXT[], TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $4) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $7) AS found) AS merged
    ORDER BY id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_166 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms as a manager of everything; list forms as the system; list forms to fill in as a manager of everything, ...
PREPARE statement_167 (UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT forms.id AS id
    FROM formalize_forms AS forms
    WHERE (forms.id IS NULL OR forms.id NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND forms.id > $1
    ORDER BY 1
    LIMIT $2 OFFSET $3) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $4 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_167 (NULL, NULL, NULL, NULL);

-- list forms by key and without one as a manager of collections; list forms by key and without one as a member of nested groups; list forms by key and without one as a stranger, ...
PREPARE statement_168 (TEXT[], TEXT[], TEXT, TEXT[], TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (
          SELECT keyed.frontend_key = ANY ($4) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($5))
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $6) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_168 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms by key and without one as a manager of everything; list forms by key and without one as the system; list forms with submissions by key and without one as a manager of everything, ...
PREPARE statement_169 (TEXT[], TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($2) AS frontend(value)
      CROSS JOIN LATERAL (
        SELECT forms.id AS id
        FROM formalize_forms AS forms
        WHERE (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (forms.frontend_key IS NULL OR NOT forms.frontend_key = ANY ($1)) AND forms.frontend_key IS NOT NULL AND (forms.frontend_key, forms.id) > (frontend.value, $3) AND (forms.frontend_key) <= (frontend.value)
        ORDER BY forms.frontend_key, forms.id
        LIMIT $6) AS found) AS merged
    ORDER BY id
    LIMIT $4 OFFSET $5) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $7 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_169 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms by key as a manager of collections; list forms by key as a member of nested groups; list forms by key as a stranger, ...
PREPARE statement_170 (TEXT[], TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (
          SELECT keyed.frontend_key = ANY ($4)
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $5) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_170 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms by key as a manager of everything; list forms by key as the system; list forms with submissions by key as a manager of everything, ...
PREPARE statement_171 (TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS frontend(value)
      CROSS JOIN LATERAL (
        SELECT forms.id AS id
        FROM formalize_forms AS forms
        WHERE (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND forms.frontend_key IS NOT NULL AND (forms.frontend_key, forms.id) > (frontend.value, $2) AND (forms.frontend_key) <= (frontend.value)
        ORDER BY forms.frontend_key, forms.id
        LIMIT $5) AS found) AS merged
    ORDER BY id
    LIMIT $3 OFFSET $4) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $6 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_171 (NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms to fill in; list forms to fill in as a manager of collections; list forms to fill in as a member of nested groups, ...
PREPARE statement_172 (TEXT[], TEXT[], TEXT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $6) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $9) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $5, action.value, $6) AND (grants.subject, grants.class, grants.action) <= (subject.value, $5, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_172 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms to look after; list forms to look after as a manager of collections; list forms to look after as a member of nested groups, ...
PREPARE statement_173 (TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, TEXT[], TEXT, TEXT[], TEXT[], BIGINT, BIGINT, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($21) AND (held.class = $22 AND held.action = ANY ($23)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $24) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $27) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($21) AND (held.class = $22 AND held.action = ANY ($23)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $5, action.value, $24) AND (grants.subject, grants.class, grants.action) <= (subject.value, $5, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $27) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($6) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($21) AND (held.class = $22 AND held.action = ANY ($23)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $7, action.value, $24) AND (grants.subject, grants.class, grants.action) <= (subject.value, $7, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $27) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submission_places.form_id AS id
        FROM formalize_submission_places AS submission_places
        WHERE (
          SELECT NOT forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND (EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $8 AND submissions.state = $9
              LIMIT 1 OFFSET 0) OR (forms.allowed_actions & $10) <> 0 AND EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $8
              LIMIT 1 OFFSET 0))
          FROM formalize_forms AS forms
          WHERE forms.id = submission_places.form_id) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($21) AND (held.class = $22 AND held.action = ANY ($23)) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND (submission_places.creator, submission_places.form_id) > ($8, $24) AND (submission_places.creator) <= ($8)
        ORDER BY submission_places.creator, submission_places.form_id
        LIMIT $27) AS found
      UNION ALL
      SELECT found.id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM unnest($1) AS subject(value)
          UNION ALL
          SELECT shared.subject, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = shared.subject AND grants.form_id > shared.id
            ORDER BY grants.form_id
            LIMIT 1)
          FROM shared
          WHERE shared.id IS NOT NULL)
        SELECT DISTINCT shared.id
        FROM shared
        WHERE shared.id IS NOT NULL) AS shared
      CROSS JOIN LATERAL (
        SELECT DISTINCT forms.id AS id
        FROM formalize_forms AS forms
        WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (EXISTS (
            SELECT 1
            FROM formalize_grants AS held
            WHERE held.subject = ANY ($11) AND (held.class = $12 AND held.action = ANY ($13) OR held.class = $14 AND held.action = ANY ($15) OR held.class = $16 AND held.action = ANY ($17)) AND held.anchor = forms.id
            LIMIT 1 OFFSET 0) OR EXISTS (
            SELECT 1
            FROM formalize_grants AS grants
            CROSS JOIN formalize_submissions AS submissions
            WHERE grants.form_id = forms.id AND grants.subject = ANY ($1) AND grants.action = ANY ($18) AND submissions.id = grants.anchor AND (submissions.state = $19 OR (forms.allowed_actions & $20) <> 0)
            LIMIT 1 OFFSET 0)) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($21) AND (held.class = $22 AND held.action = ANY ($23)) AND held.anchor = forms.id
          LIMIT 1 OFFSET 0) AND forms.id > $24
        ORDER BY 1
        LIMIT $27) AS found) AS merged
    ORDER BY id
    LIMIT $25 OFFSET $26) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $28 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_173 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms with submissions as a manager of collections; list forms with submissions as a member of nested groups; list forms with submissions as a stranger, ...
PREPARE statement_174 (TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, TEXT[], TEXT[], BIGINT, BIGINT, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $20) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $23) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $5, action.value, $20) AND (grants.subject, grants.class, grants.action) <= (subject.value, $5, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $23) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submission_places.form_id AS id
        FROM formalize_submission_places AS submission_places
        WHERE (
          SELECT NOT forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND (EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $6 AND submissions.state = $7
              LIMIT 1 OFFSET 0) OR (forms.allowed_actions & $8) <> 0 AND EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $6
              LIMIT 1 OFFSET 0))
          FROM formalize_forms AS forms
          WHERE forms.id = submission_places.form_id) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND (submission_places.creator, submission_places.form_id) > ($6, $20) AND (submission_places.creator) <= ($6)
        ORDER BY submission_places.creator, submission_places.form_id
        LIMIT $23) AS found
      UNION ALL
      SELECT found.id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM unnest($1) AS subject(value)
          UNION ALL
          SELECT shared.subject, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = shared.subject AND grants.form_id > shared.id
            ORDER BY grants.form_id
            LIMIT 1)
          FROM shared
          WHERE shared.id IS NOT NULL)
        SELECT DISTINCT shared.id
        FROM shared
        WHERE shared.id IS NOT NULL) AS shared
      CROSS JOIN LATERAL (
        SELECT DISTINCT forms.id AS id
        FROM formalize_forms AS forms
        WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (EXISTS (
            SELECT 1
            FROM formalize_grants AS held
            WHERE held.subject = ANY ($9) AND (held.class = $10 AND held.action = ANY ($11) OR held.class = $12 AND held.action = ANY ($13)) AND held.anchor = forms.id
            LIMIT 1 OFFSET 0) OR EXISTS (
            SELECT 1
            FROM formalize_grants AS grants
            CROSS JOIN formalize_submissions AS submissions
            WHERE grants.form_id = forms.id AND grants.subject = ANY ($1) AND grants.action = ANY ($14) AND submissions.id = grants.anchor AND (submissions.state = $15 OR (forms.allowed_actions & $16) <> 0)
            LIMIT 1 OFFSET 0)) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = forms.id
          LIMIT 1 OFFSET 0) AND forms.id > $20
        ORDER BY 1
        LIMIT $23) AS found) AS merged
    ORDER BY id
    LIMIT $21 OFFSET $22) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $24 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_174 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms with submissions by key and without one as a manager of collections; list forms with submissions by key and without one as a member of nested groups; list forms with submissions by key and without one as a stranger, ...
PREPARE statement_175 (TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, TEXT[], TEXT[], BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT[], TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key = ANY ($20) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($21))
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $22) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $25) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key = ANY ($20) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($21))
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $5, action.value, $22) AND (grants.subject, grants.class, grants.action) <= (subject.value, $5, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $25) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submission_places.form_id AS id
        FROM formalize_submission_places AS submission_places
        WHERE (
          SELECT NOT forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND (EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $6 AND submissions.state = $7
              LIMIT 1 OFFSET 0) OR (forms.allowed_actions & $8) <> 0 AND EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $6
              LIMIT 1 OFFSET 0))
          FROM formalize_forms AS forms
          WHERE forms.id = submission_places.form_id) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key = ANY ($20) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($21))
          FROM formalize_forms AS keyed
          WHERE keyed.id = submission_places.form_id) AND (submission_places.creator, submission_places.form_id) > ($6, $22) AND (submission_places.creator) <= ($6)
        ORDER BY submission_places.creator, submission_places.form_id
        LIMIT $25) AS found
      UNION ALL
      SELECT found.id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM unnest($1) AS subject(value)
          UNION ALL
          SELECT shared.subject, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = shared.subject AND grants.form_id > shared.id
            ORDER BY grants.form_id
            LIMIT 1)
          FROM shared
          WHERE shared.id IS NOT NULL)
        SELECT DISTINCT shared.id
        FROM shared
        WHERE shared.id IS NOT NULL) AS shared
      CROSS JOIN LATERAL (
        SELECT DISTINCT forms.id AS id
        FROM formalize_forms AS forms
        WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (EXISTS (
            SELECT 1
            FROM formalize_grants AS held
            WHERE held.subject = ANY ($9) AND (held.class = $10 AND held.action = ANY ($11) OR held.class = $12 AND held.action = ANY ($13)) AND held.anchor = forms.id
            LIMIT 1 OFFSET 0) OR EXISTS (
            SELECT 1
            FROM formalize_grants AS grants
            CROSS JOIN formalize_submissions AS submissions
            WHERE grants.form_id = forms.id AND grants.subject = ANY ($1) AND grants.action = ANY ($14) AND submissions.id = grants.anchor AND (submissions.state = $15 OR (forms.allowed_actions & $16) <> 0)
            LIMIT 1 OFFSET 0)) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = forms.id
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key = ANY ($20) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($21))
          FROM formalize_forms AS keyed
          WHERE keyed.id = forms.id) AND forms.id > $22
        ORDER BY 1
        LIMIT $25) AS found) AS merged
    ORDER BY id
    LIMIT $23 OFFSET $24) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $26 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_175 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms with submissions by key as a manager of collections; list forms with submissions by key as a member of nested groups; list forms with submissions by key as a stranger, ...
PREPARE statement_176 (TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, TEXT[], TEXT[], BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key = ANY ($20)
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $21) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $24) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key = ANY ($20)
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $5, action.value, $21) AND (grants.subject, grants.class, grants.action) <= (subject.value, $5, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $24) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submission_places.form_id AS id
        FROM formalize_submission_places AS submission_places
        WHERE (
          SELECT NOT forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND (EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $6 AND submissions.state = $7
              LIMIT 1 OFFSET 0) OR (forms.allowed_actions & $8) <> 0 AND EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $6
              LIMIT 1 OFFSET 0))
          FROM formalize_forms AS forms
          WHERE forms.id = submission_places.form_id) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key = ANY ($20)
          FROM formalize_forms AS keyed
          WHERE keyed.id = submission_places.form_id) AND (submission_places.creator, submission_places.form_id) > ($6, $21) AND (submission_places.creator) <= ($6)
        ORDER BY submission_places.creator, submission_places.form_id
        LIMIT $24) AS found
      UNION ALL
      SELECT found.id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM unnest($1) AS subject(value)
          UNION ALL
          SELECT shared.subject, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = shared.subject AND grants.form_id > shared.id
            ORDER BY grants.form_id
            LIMIT 1)
          FROM shared
          WHERE shared.id IS NOT NULL)
        SELECT DISTINCT shared.id
        FROM shared
        WHERE shared.id IS NOT NULL) AS shared
      CROSS JOIN LATERAL (
        SELECT DISTINCT forms.id AS id
        FROM formalize_forms AS forms
        WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (EXISTS (
            SELECT 1
            FROM formalize_grants AS held
            WHERE held.subject = ANY ($9) AND (held.class = $10 AND held.action = ANY ($11) OR held.class = $12 AND held.action = ANY ($13)) AND held.anchor = forms.id
            LIMIT 1 OFFSET 0) OR EXISTS (
            SELECT 1
            FROM formalize_grants AS grants
            CROSS JOIN formalize_submissions AS submissions
            WHERE grants.form_id = forms.id AND grants.subject = ANY ($1) AND grants.action = ANY ($14) AND submissions.id = grants.anchor AND (submissions.state = $15 OR (forms.allowed_actions & $16) <> 0)
            LIMIT 1 OFFSET 0)) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = forms.id
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key = ANY ($20)
          FROM formalize_forms AS keyed
          WHERE keyed.id = forms.id) AND forms.id > $21
        ORDER BY 1
        LIMIT $24) AS found) AS merged
    ORDER BY id
    LIMIT $22 OFFSET $23) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $25 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_176 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms with submissions without a key as a manager of collections; list forms with submissions without a key as a member of nested groups; list forms with submissions without a key as a stranger, ...
PREPARE statement_177 (TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, TEXT[], TEXT[], BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (
          SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($20))
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $21) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $24) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = grants.anchor
          LIMIT 1 OFFSET 0) AND (
          SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($20))
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $5, action.value, $21) AND (grants.subject, grants.class, grants.action) <= (subject.value, $5, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $24) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submission_places.form_id AS id
        FROM formalize_submission_places AS submission_places
        WHERE (
          SELECT NOT forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND (EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $6 AND submissions.state = $7
              LIMIT 1 OFFSET 0) OR (forms.allowed_actions & $8) <> 0 AND EXISTS (
              SELECT 1
              FROM formalize_submissions AS submissions
              WHERE submissions.form_id = forms.id AND submissions.creator = $6
              LIMIT 1 OFFSET 0))
          FROM formalize_forms AS forms
          WHERE forms.id = submission_places.form_id) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND (
          SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($20))
          FROM formalize_forms AS keyed
          WHERE keyed.id = submission_places.form_id) AND (submission_places.creator, submission_places.form_id) > ($6, $21) AND (submission_places.creator) <= ($6)
        ORDER BY submission_places.creator, submission_places.form_id
        LIMIT $24) AS found
      UNION ALL
      SELECT found.id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM unnest($1) AS subject(value)
          UNION ALL
          SELECT shared.subject, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = shared.subject AND grants.form_id > shared.id
            ORDER BY grants.form_id
            LIMIT 1)
          FROM shared
          WHERE shared.id IS NOT NULL)
        SELECT DISTINCT shared.id
        FROM shared
        WHERE shared.id IS NOT NULL) AS shared
      CROSS JOIN LATERAL (
        SELECT DISTINCT forms.id AS id
        FROM formalize_forms AS forms
        WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (EXISTS (
            SELECT 1
            FROM formalize_grants AS held
            WHERE held.subject = ANY ($9) AND (held.class = $10 AND held.action = ANY ($11) OR held.class = $12 AND held.action = ANY ($13)) AND held.anchor = forms.id
            LIMIT 1 OFFSET 0) OR EXISTS (
            SELECT 1
            FROM formalize_grants AS grants
            CROSS JOIN formalize_submissions AS submissions
            WHERE grants.form_id = forms.id AND grants.subject = ANY ($1) AND grants.action = ANY ($14) AND submissions.id = grants.anchor AND (submissions.state = $15 OR (forms.allowed_actions & $16) <> 0)
            LIMIT 1 OFFSET 0)) AND EXISTS (
          SELECT 1
          FROM formalize_grants AS held
          WHERE held.subject = ANY ($17) AND (held.class = $18 AND held.action = ANY ($19)) AND held.anchor = forms.id
          LIMIT 1 OFFSET 0) AND (
          SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($20))
          FROM formalize_forms AS keyed
          WHERE keyed.id = forms.id) AND forms.id > $21
        ORDER BY 1
        LIMIT $24) AS found) AS merged
    ORDER BY id
    LIMIT $22 OFFSET $23) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $25 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_177 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list forms with submissions without a key as a manager of everything; list forms with submissions without a key as the system; list forms without a key as a manager of everything, ...
PREPARE statement_178 (TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT forms.id AS id
    FROM formalize_forms AS forms
    WHERE (forms.id IS NULL OR forms.id NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (forms.frontend_key IS NULL OR NOT forms.frontend_key = ANY ($1)) AND forms.id > $2
    ORDER BY 1
    LIMIT $3 OFFSET $4) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $5 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_178 (NULL, NULL, NULL, NULL, NULL);

-- list forms without a key as a manager of collections; list forms without a key as a member of nested groups; list forms without a key as a stranger, ...
PREPARE statement_179 (TEXT[], TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($2) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (
          SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key = ANY ($4))
          FROM formalize_forms AS keyed
          WHERE keyed.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $5) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
        ORDER BY grants.subject, grants.class, grants.action, grants.anchor
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
    FROM formalize_forms AS forms
    WHERE forms.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
  FROM formalize_forms AS forms
  WHERE forms.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_179 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants; list grants as a member of nested groups; list grants as a stranger, ...
PREPARE statement_180 (TEXT[], TEXT[], TEXT[], TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($9) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_180 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants as a manager of collections; list grants as an administrator
PREPARE statement_181 (TEXT[], TEXT[], TEXT[], TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.id > $11
      ORDER BY 1
      LIMIT $14) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($9) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($10) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $11
      ORDER BY 1
      LIMIT $14) AS found) AS merged
  ORDER BY id
  LIMIT $12 OFFSET $13) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_181 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants as a manager of everything
PREPARE statement_182 (TEXT[], TEXT[], BIGINT, BIGINT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_182 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants as the system
PREPARE statement_183 (UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT grants.id AS id
  FROM formalize_grants AS grants
  WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_183 (NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup as a manager of collections; list grants of DbpRelayAuthorizationGroup as an administrator; list grants of DbpRelayFormalizeForm as a manager of collections, ...
PREPARE statement_184 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $7
      ORDER BY 1
      LIMIT $10) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($6) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $7
      ORDER BY 1
      LIMIT $10) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_184 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup as a manager of everything; list grants of DbpRelayFormalizeForm as a manager of everything; list grants of DbpRelayFormalizeSubmissionCollection as a manager of everything, ...
PREPARE statement_185 (TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $5
      ORDER BY 1
      LIMIT $8) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.class = $3 AND grants.id > $5
      ORDER BY 1
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_185 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup as a member of nested groups; list grants of DbpRelayAuthorizationGroup as a stranger; list grants of DbpRelayAuthorizationGroup as one in a dynamic group, ...
PREPARE statement_186 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_186 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup as the system; list grants of DbpRelayFormalizeForm as the system; list grants of DbpRelayFormalizeSubmission as the system, ...
PREPARE statement_187 (TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT grants.id AS id
  FROM formalize_grants AS grants
  WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.class = $1 AND grants.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_187 (NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup that are collections as a manager of collections; list grants of DbpRelayAuthorizationGroup that are collections as an administrator; list grants of DbpRelayFormalizeForm that are collections as a manager of collections, ...
PREPARE statement_188 (TEXT[], TEXT, TEXT, TEXT[], TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($8) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_188 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup that are collections as a manager of everything; list grants of DbpRelayAuthorizationGroup with an identifier as a manager of everything; list grants of DbpRelayFormalizeForm that are collections as a manager of everything, ...
PREPARE statement_189 (TEXT[], TEXT, TEXT, TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $7
      ORDER BY 1
      LIMIT $10) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $5) AS wanted
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.class = $4 AND grants.resource_id = wanted.id AND grants.id > $7
      ORDER BY 1
      LIMIT $10) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_189 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup that are collections as a member of nested groups; list grants of DbpRelayAuthorizationGroup that are collections as a stranger; list grants of DbpRelayAuthorizationGroup that are collections as one in a dynamic group, ...
PREPARE statement_190 (TEXT[], TEXT, TEXT, TEXT[], TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $8
      ORDER BY 1
      LIMIT $11) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $8
      ORDER BY 1
      LIMIT $11) AS found) AS merged
  ORDER BY id
  LIMIT $9 OFFSET $10) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_190 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup without collections as a manager of collections; list grants of DbpRelayAuthorizationGroup without collections as a member of nested groups; list grants of DbpRelayAuthorizationGroup without collections as a stranger, ...
PREPARE statement_191 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> '' OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_191 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup without collections as a manager of everything; list grants of DbpRelayFormalizeForm without collections as a manager of everything; list grants of DbpRelayFormalizeSubmissionCollection without collections as a manager of everything, ...
PREPARE statement_192 (TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $5
      ORDER BY 1
      LIMIT $8) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $5
      ORDER BY 1
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_192 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayAuthorizationGroup without collections as the system; list grants of DbpRelayFormalizeForm without collections as the system; list grants of DbpRelayFormalizeSubmission without collections as the system, ...
PREPARE statement_193 (TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT grants.id AS id
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.class = $1 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_193 (NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmission as a manager of collections; list grants of DbpRelayFormalizeSubmission as an administrator
PREPARE statement_194 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $11
      ORDER BY 1
      LIMIT $14) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($8) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9 OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($10) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $11
      ORDER BY 1
      LIMIT $14) AS found) AS merged
  ORDER BY id
  LIMIT $12 OFFSET $13) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_194 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmission as a manager of everything
PREPARE statement_195 (TEXT[], TEXT, TEXT, TEXT[], BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.class = $3 AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($4) AS subject(value)
      CROSS JOIN unnest($7) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND grants.class = $8 OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_195 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmission as a member of nested groups; list grants of DbpRelayFormalizeSubmission as a stranger; list grants of DbpRelayFormalizeSubmission as one in a dynamic group, ...
PREPARE statement_196 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($8) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9 OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_196 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmission that are collections as a manager of collections; list grants of DbpRelayFormalizeSubmission that are collections as an administrator
PREPARE statement_197 (TEXT[], TEXT, TEXT, TEXT[], TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $14
      ORDER BY 1
      LIMIT $17) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $12) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($10) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.class = $11 AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($13) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $14
      ORDER BY 1
      LIMIT $17) AS found) AS merged
  ORDER BY id
  LIMIT $15 OFFSET $16) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_197 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmission that are collections as a manager of everything; list grants of DbpRelayFormalizeSubmission with an identifier as a manager of everything
PREPARE statement_198 (TEXT[], TEXT, TEXT, TEXT, TEXT, TEXT[], BIGINT, BIGINT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $5) AS wanted
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.class = $4 AND grants.resource_id = wanted.id AND grants.id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $11) AS wanted
      CROSS JOIN unnest($6) AS subject(value)
      CROSS JOIN unnest($9) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) AND grants.class = $10 AND grants.resource_id = wanted.id OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $12
      ORDER BY 1
      LIMIT $15) AS found) AS merged
  ORDER BY id
  LIMIT $13 OFFSET $14) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_198 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmission that are collections as a member of nested groups; list grants of DbpRelayFormalizeSubmission that are collections as a stranger; list grants of DbpRelayFormalizeSubmission that are collections as one in a dynamic group, ...
PREPARE statement_199 (TEXT[], TEXT, TEXT, TEXT[], TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $13
      ORDER BY 1
      LIMIT $16) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $12) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($10) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.class = $11 AND grants.resource_id = wanted.id OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $13
      ORDER BY 1
      LIMIT $16) AS found) AS merged
  ORDER BY id
  LIMIT $14 OFFSET $15) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_199 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmission without collections as a manager of collections; list grants of DbpRelayFormalizeSubmission without collections as a member of nested groups; list grants of DbpRelayFormalizeSubmission without collections as a stranger, ...
PREPARE statement_200 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> '' OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($8) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        CROSS JOIN formalize_resources AS resources
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9 AND resources.id = grants.resource_id AND resources.identifier <> '' OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_200 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmission without collections as a manager of everything
PREPARE statement_201 (TEXT[], TEXT, TEXT, TEXT[], BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($4) AS subject(value)
      CROSS JOIN unnest($7) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        CROSS JOIN formalize_resources AS resources
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND grants.class = $8 AND resources.id = grants.resource_id AND resources.identifier <> '' OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_201 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmissionCollection as a manager of collections; list grants of DbpRelayFormalizeSubmissionCollection as an administrator
PREPARE statement_202 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($6) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8 OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($9) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_202 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmissionCollection as a member of nested groups; list grants of DbpRelayFormalizeSubmissionCollection as a stranger; list grants of DbpRelayFormalizeSubmissionCollection as one in a dynamic group, ...
PREPARE statement_203 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($6) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8 OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_203 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmissionCollection that are collections as a manager of collections; list grants of DbpRelayFormalizeSubmissionCollection that are collections as an administrator
PREPARE statement_204 (TEXT[], TEXT, TEXT, TEXT[], TEXT[], TEXT, TEXT, TEXT[], TEXT, TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $13
      ORDER BY 1
      LIMIT $16) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $11) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($8) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $9 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $10 AND resources.id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($12) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $13
      ORDER BY 1
      LIMIT $16) AS found) AS merged
  ORDER BY id
  LIMIT $14 OFFSET $15) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_204 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmissionCollection that are collections as a member of nested groups; list grants of DbpRelayFormalizeSubmissionCollection that are collections as a stranger; list grants of DbpRelayFormalizeSubmissionCollection that are collections as one in a dynamic group, ...
PREPARE statement_205 (TEXT[], TEXT, TEXT, TEXT[], TEXT[], TEXT, TEXT, TEXT[], TEXT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $11) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($8) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $9 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $10 AND resources.id = wanted.id OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $12
      ORDER BY 1
      LIMIT $15) AS found) AS merged
  ORDER BY id
  LIMIT $13 OFFSET $14) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_205 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of DbpRelayFormalizeSubmissionCollection without collections as a manager of collections; list grants of DbpRelayFormalizeSubmissionCollection without collections as a member of nested groups; list grants of DbpRelayFormalizeSubmissionCollection without collections as a stranger, ...
PREPARE statement_206 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> '' OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($6) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8 OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_206 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of a holder; list grants of a holder as one in a dynamic group; list grants of a holder as the holder of little, ...
PREPARE statement_207 (TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT grants.id AS id
  FROM formalize_grants AS grants
  WHERE grants.subject = $1 AND (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_207 (NULL, NULL, NULL, NULL);

-- list grants of a holder as a manager of collections; list grants of a holder as an administrator
PREPARE statement_208 (TEXT, TEXT[], TEXT[], TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($9) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($10) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.subject = $1 AND grants.id > $11
      ORDER BY 1
      LIMIT $14) AS found) AS merged
  ORDER BY id
  LIMIT $12 OFFSET $13) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_208 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of a holder as a manager of everything
PREPARE statement_209 (TEXT, TEXT[], BIGINT, BIGINT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.subject = $1 AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.subject = $1 AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_209 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants of a holder as a member of nested groups; list grants of a holder as a stranger; list grants of a holder as one in a dynamic group, ...
PREPARE statement_210 (TEXT, TEXT[], TEXT[], TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($9) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.subject = $1 AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_210 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants that are collections as a manager of collections; list grants that are collections as an administrator
PREPARE statement_211 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.resource_id = wanted.id AND grants.id > $15
      ORDER BY 1
      LIMIT $18) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $5) AS wanted
      CROSS JOIN unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $9) AS wanted
      CROSS JOIN unnest($3) AS subject(value)
      CROSS JOIN unnest($6) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8 AND resources.id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $13) AS wanted
      CROSS JOIN unnest($3) AS subject(value)
      CROSS JOIN unnest($12) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = ANY ($14) AND resources.identifier = '') AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $15
      ORDER BY 1
      LIMIT $18) AS found) AS merged
  ORDER BY id
  LIMIT $16 OFFSET $17) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_211 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants that are collections as a manager of everything; list grants with an identifier as a manager of everything
PREPARE statement_212 (TEXT[], TEXT, TEXT, TEXT[], BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.resource_id = wanted.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.resource_id = wanted.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $8) AS wanted
      CROSS JOIN unnest($4) AS subject(value)
      CROSS JOIN unnest($7) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND grants.resource_id = wanted.id OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_212 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants that are collections as a member of nested groups; list grants that are collections as a stranger; list grants that are collections as one in a dynamic group, ...
PREPARE statement_213 (TEXT[], TEXT, TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.resource_id = wanted.id AND grants.id > $14
      ORDER BY 1
      LIMIT $17) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $5) AS wanted
      CROSS JOIN unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.resource_id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $9) AS wanted
      CROSS JOIN unnest($3) AS subject(value)
      CROSS JOIN unnest($6) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8 AND resources.id = wanted.id OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $13) AS wanted
      CROSS JOIN unnest($3) AS subject(value)
      CROSS JOIN unnest($12) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.resource_id = wanted.id OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $14
      ORDER BY 1
      LIMIT $17) AS found) AS merged
  ORDER BY id
  LIMIT $15 OFFSET $16) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_213 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants that are collections as the system; list grants with an identifier as the system
PREPARE statement_214 (TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $1) AS wanted
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND grants.resource_id = wanted.id AND grants.id > $2
      ORDER BY 1
      LIMIT $5) AS found) AS merged
  ORDER BY id
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_214 (NULL, NULL, NULL, NULL, NULL);

-- list grants without collections as a manager of collections; list grants without collections as a member of nested groups; list grants without collections as a stranger, ...
PREPARE statement_215 (TEXT[], TEXT[], TEXT[], TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND resources.id = grants.resource_id AND resources.identifier <> '' OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 OFFSET 0) AS found
      UNION
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($9) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        CROSS JOIN formalize_resources AS resources
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '' OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $10
      ORDER BY 1
      LIMIT $13) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_215 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants without collections as a manager of everything
PREPARE statement_216 (TEXT[], TEXT[], BIGINT, BIGINT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.form_id IS NULL AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($5) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.resource_id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        CROSS JOIN formalize_submissions AS submissions
        CROSS JOIN formalize_resources AS resources
        WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '' OFFSET 0) AS found) AS resource
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.resource_id = resource.id AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_216 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list grants without collections as the system
PREPARE statement_217 (UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT grants.id AS id
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN LATERAL (
  SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
  FROM formalize_grants AS grants
  CROSS JOIN formalize_resources AS resources
  WHERE resources.id = grants.resource_id AND grants.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_217 (NULL, NULL, NULL);

-- list groups; list groups as a manager of collections; list groups as a member of nested groups, ...
PREPARE statement_218 (TEXT[], TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT grants.anchor AS id
      FROM formalize_grants AS grants
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $4) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
      ORDER BY grants.subject, grants.class, grants.action, grants.anchor
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN LATERAL (
  SELECT groups.id, groups.name, groups.revision, groups.date_created
  FROM formalize_groups AS groups
  WHERE groups.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_218 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list groups as a manager of everything; list groups as the system
PREPARE statement_219 (UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT groups.id AS id
  FROM formalize_groups AS groups
  WHERE TRUE AND groups.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN LATERAL (
  SELECT groups.id, groups.name, groups.revision, groups.date_created
  FROM formalize_groups AS groups
  WHERE groups.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_219 (NULL, NULL, NULL);

-- list groups by name as a manager of collections; list groups by name as a member of nested groups; list groups by name as a stranger, ...
PREPARE statement_220 (TEXT[], TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT grants.anchor AS id
      FROM formalize_grants AS grants
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (
        SELECT strpos(groups.name_folded, $4) > 0
        FROM formalize_groups AS groups
        WHERE groups.id = grants.anchor) AND (grants.subject, grants.class, grants.action, grants.anchor) > (subject.value, $3, action.value, $5) AND (grants.subject, grants.class, grants.action) <= (subject.value, $3, action.value)
      ORDER BY grants.subject, grants.class, grants.action, grants.anchor
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN LATERAL (
  SELECT groups.id, groups.name, groups.revision, groups.date_created
  FROM formalize_groups AS groups
  WHERE groups.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_220 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list groups by name as a manager of everything; list groups by name as the system
PREPARE statement_221 (TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT groups.id AS id
  FROM formalize_groups AS groups
  WHERE strpos(groups.name_folded, $1) > 0 AND groups.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT groups.id, groups.name, groups.revision, groups.date_created
  FROM formalize_groups AS groups
  WHERE groups.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_221 (NULL, NULL, NULL, NULL);

-- list memberships; list memberships as a manager of everything; list memberships as a member of nested groups, ...
PREPARE statement_222 (UUID, UUID, BIGINT, BIGINT) AS
SELECT id, group_id, user_id, child_group_id, date_created
FROM formalize_memberships AS memberships
WHERE (group_id, id) > ($1, $2) AND (group_id) <= ($1)
ORDER BY group_id, id
LIMIT $3 OFFSET $4;
EXPLAIN EXECUTE statement_222 (NULL, NULL, NULL, NULL);

-- list own tokens
PREPARE statement_223 (TEXT, UUID, BIGINT, BIGINT) AS
SELECT id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin
FROM formalize_api_tokens AS api_tokens
WHERE (user_id, id) > ($1, $2) AND (user_id) <= ($1)
ORDER BY user_id, id
LIMIT $3 OFFSET $4;
EXPLAIN EXECUTE statement_223 (NULL, NULL, NULL, NULL);

-- list resources; list resources as a member of nested groups; list resources as a stranger, ...
PREPARE statement_224 (TEXT[], TEXT[], TEXT, TEXT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, BIGINT, TEXT[], BIGINT, BIGINT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.resource_id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $4 AND resources.id > $23 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($5) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $6 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $7 AND resources.id > $23 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($10) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.resource_id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($11) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $13 AND resources.id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($14) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $15 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $16 AND resources.id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($19) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.resource_id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($22) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND grants.resource_id > $23
      ORDER BY 1
      LIMIT $26) AS found) AS merged
  ORDER BY id
  LIMIT $24 OFFSET $25) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_224 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources as a manager of collections; list resources as an administrator
PREPARE statement_225 (TEXT[], TEXT[], TEXT, TEXT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, BIGINT, TEXT[], BIGINT, BIGINT, TEXT[], TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.resource_id > $24
      ORDER BY 1
      LIMIT $27) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $4 AND resources.id > $24 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $27) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($5) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $6 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $7 AND resources.id > $24 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $27) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($10) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.resource_id > $24
      ORDER BY 1
      LIMIT $27) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($11) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $13 AND resources.id > $24
      ORDER BY 1
      LIMIT $27) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($14) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $15 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $16 AND resources.id > $24
      ORDER BY 1
      LIMIT $27) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($19) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.resource_id > $24
      ORDER BY 1
      LIMIT $27) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($22) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND grants.resource_id > $24
      ORDER BY 1
      LIMIT $27) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($23) AND resources.identifier = '' AND resources.id > $24 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $27) AS found) AS merged
  ORDER BY id
  LIMIT $25 OFFSET $26) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_225 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources as a manager of everything
PREPARE statement_226 (TEXT[], BIGINT, BIGINT, TEXT[], BIGINT, BIGINT, TEXT[], BIGINT, BIGINT, TEXT[], BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.resource_id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($7) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND grants.resource_id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($10) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.resource_id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE (resources.form_id IS NULL OR (
          SELECT forms.grant_based AND submissions.state = $11
          FROM formalize_submissions AS submissions
          JOIN formalize_forms AS forms ON forms.id = submissions.form_id
          WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)))) AND resources.id > $12
      ORDER BY 1
      LIMIT $15) AS found) AS merged
  ORDER BY id
  LIMIT $13 OFFSET $14) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_226 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources as the system
PREPARE statement_227 (UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_227 (NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup as a manager of collections; list resources of DbpRelayAuthorizationGroup as an administrator; list resources of VendorThing as a manager of collections, ...
PREPARE statement_228 (TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $4
      ORDER BY 1
      LIMIT $7) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($3) AND resources.identifier = '' AND resources.id > $4 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_228 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup as a manager of everything; list resources of DbpRelayFormalizeForm as a manager of everything; list resources of DbpRelayFormalizeSubmissionCollection as a manager of everything, ...
PREPARE statement_229 (TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $3 AND (resources.form_id IS NULL OR (
      SELECT forms.grant_based AND submissions.state = $2
      FROM formalize_submissions AS submissions
      JOIN formalize_forms AS forms ON forms.id = submissions.form_id
      WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)))) AND resources.id > $4
  ORDER BY 1
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_229 (NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup as a member of nested groups; list resources of DbpRelayAuthorizationGroup as a stranger; list resources of DbpRelayAuthorizationGroup as one in a dynamic group, ...
PREPARE statement_230 (TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $3
      ORDER BY 1
      LIMIT $6) AS found) AS merged
  ORDER BY id
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_230 (NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup as the system; list resources of DbpRelayFormalizeForm as the system; list resources of DbpRelayFormalizeSubmission as the system, ...
PREPARE statement_231 (TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $1 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_231 (NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup by action as a manager of collections; list resources of DbpRelayAuthorizationGroup by action as a member of nested groups; list resources of DbpRelayAuthorizationGroup by action as a stranger, ...
PREPARE statement_232 (TEXT[], TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $4
      ORDER BY 1
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_232 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup by action as a manager of everything; list resources of DbpRelayFormalizeForm by action as a manager of everything; list resources of DbpRelayFormalizeSubmissionCollection by action as a manager of everything, ...
PREPARE statement_233 (TEXT[], TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $2 AND resources.identifier <> '' AND resources.form_id IS NULL AND resources.id > $3
  ORDER BY 1
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_233 (NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup by action as a manager of everything; list resources of DbpRelayAuthorizationGroup without collections as a manager of everything; list resources of DbpRelayFormalizeForm by action as a manager of everything, ...
PREPARE statement_234 (TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $3 AND resources.identifier <> '' AND (resources.form_id IS NULL OR (
      SELECT forms.grant_based AND submissions.state = $2
      FROM formalize_submissions AS submissions
      JOIN formalize_forms AS forms ON forms.id = submissions.form_id
      WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)))) AND resources.id > $4
  ORDER BY 1
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_234 (NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup by action as the system; list resources of DbpRelayAuthorizationGroup without collections as the system; list resources of DbpRelayFormalizeForm by action as the system, ...
PREPARE statement_235 (TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $1 AND resources.identifier <> '' AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_235 (NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup that are collections as a manager of collections; list resources of DbpRelayAuthorizationGroup that are collections as an administrator; list resources of VendorThing that are collections as a manager of collections, ...
PREPARE statement_236 (TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $5
      ORDER BY 1
      LIMIT $8) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($4) AND resources.identifier = '' AND resources.id > $5 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_236 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup that are collections as a manager of everything; list resources of DbpRelayAuthorizationGroup with an identifier as a manager of everything; list resources of DbpRelayFormalizeForm that are collections as a manager of everything, ...
PREPARE statement_237 (TEXT[], BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $3 AND resources.identifier = $4 AND (resources.form_id IS NULL OR (
      SELECT forms.grant_based AND submissions.state = $2
      FROM formalize_submissions AS submissions
      JOIN formalize_forms AS forms ON forms.id = submissions.form_id
      WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)))) AND resources.id > $5
  ORDER BY 1
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_237 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup that are collections as a member of nested groups; list resources of DbpRelayAuthorizationGroup that are collections as a stranger; list resources of DbpRelayAuthorizationGroup that are collections as one in a dynamic group, ...
PREPARE statement_238 (TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $4
      ORDER BY 1
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_238 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup that are collections as the system; list resources of DbpRelayAuthorizationGroup with an identifier as the system; list resources of DbpRelayFormalizeForm that are collections as the system, ...
PREPARE statement_239 (TEXT, TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $1 AND resources.identifier = $2 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $3
  ORDER BY 1
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_239 (NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayAuthorizationGroup without collections as a manager of collections; list resources of DbpRelayAuthorizationGroup without collections as a member of nested groups; list resources of DbpRelayAuthorizationGroup without collections as a stranger, ...
PREPARE statement_240 (TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $3
      ORDER BY 1
      LIMIT $6) AS found) AS merged
  ORDER BY id
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_240 (NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeForm as a manager of collections; list resources of DbpRelayFormalizeForm as an administrator; list resources of DbpRelayFormalizeSubmissionCollection as a manager of collections, ...
PREPARE statement_241 (TEXT[], TEXT, TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $7
      ORDER BY 1
      LIMIT $10) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($3) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id > $7 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $10) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($6) AND resources.identifier = '' AND resources.id > $7 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $10) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_241 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeForm as a member of nested groups; list resources of DbpRelayFormalizeForm as a stranger; list resources of DbpRelayFormalizeForm as one in a dynamic group, ...
PREPARE statement_242 (TEXT[], TEXT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($3) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id > $6 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $9) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_242 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeForm by action as a manager of collections; list resources of DbpRelayFormalizeForm by action as a member of nested groups; list resources of DbpRelayFormalizeForm by action as a stranger, ...
PREPARE statement_243 (TEXT[], TEXT[], TEXT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $7
      ORDER BY 1
      LIMIT $10) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 AND resources.id > $7 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $10) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_243 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeForm that are collections as a manager of collections; list resources of DbpRelayFormalizeForm that are collections as an administrator; list resources of DbpRelayFormalizeSubmissionCollection that are collections as a manager of collections, ...
PREPARE statement_244 (TEXT[], TEXT, TEXT, TEXT[], TEXT, TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $7) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 AND resources.id = wanted.id AND resources.id > $9 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($8) AND resources.identifier = '' AND resources.id > $9 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $12) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_244 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeForm that are collections as a member of nested groups; list resources of DbpRelayFormalizeForm that are collections as a stranger; list resources of DbpRelayFormalizeForm that are collections as one in a dynamic group, ...
PREPARE statement_245 (TEXT[], TEXT, TEXT, TEXT[], TEXT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $8
      ORDER BY 1
      LIMIT $11) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $7) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 AND resources.id = wanted.id AND resources.id > $8 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $11) AS found) AS merged
  ORDER BY id
  LIMIT $9 OFFSET $10) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_245 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeForm without collections as a manager of collections; list resources of DbpRelayFormalizeForm without collections as a member of nested groups; list resources of DbpRelayFormalizeForm without collections as a stranger, ...
PREPARE statement_246 (TEXT[], TEXT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($3) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id > $6 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $9) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_246 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission as a manager of collections; list resources of DbpRelayFormalizeSubmission as an administrator
PREPARE statement_247 (TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $22
      ORDER BY 1
      LIMIT $25) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($5) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) AND grants.class = $6 AND grants.resource_id > $22
      ORDER BY 1
      LIMIT $25) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($7) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $9 AND resources.id > $22
      ORDER BY 1
      LIMIT $25) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($10) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $11 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $12 AND resources.id > $22
      ORDER BY 1
      LIMIT $25) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($15) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $13 OR (forms.allowed_actions & $14) <> 0) AND grants.class = $16 AND grants.resource_id > $22
      ORDER BY 1
      LIMIT $25) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($19) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND grants.resource_id > $22
      ORDER BY 1
      LIMIT $25) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($21) AND resources.identifier = '' AND resources.id > $22 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $25) AS found) AS merged
  ORDER BY id
  LIMIT $23 OFFSET $24) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_247 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission as a manager of everything
PREPARE statement_248 (TEXT[], BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.class = $5 AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($8) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9 AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($12) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.class = $13 AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = $15 AND (resources.form_id IS NULL OR (
          SELECT forms.grant_based AND submissions.state = $14
          FROM formalize_submissions AS submissions
          JOIN formalize_forms AS forms ON forms.id = submissions.form_id
          WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)))) AND resources.id > $16
      ORDER BY 1
      LIMIT $19) AS found) AS merged
  ORDER BY id
  LIMIT $17 OFFSET $18) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_248 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission as a member of nested groups; list resources of DbpRelayFormalizeSubmission as a stranger; list resources of DbpRelayFormalizeSubmission as one in a dynamic group, ...
PREPARE statement_249 (TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($5) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) AND grants.class = $6 AND grants.resource_id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($7) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $9 AND resources.id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($10) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $11 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $12 AND resources.id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($15) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $13 OR (forms.allowed_actions & $14) <> 0) AND grants.class = $16 AND grants.resource_id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($19) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND grants.resource_id > $21
      ORDER BY 1
      LIMIT $24) AS found) AS merged
  ORDER BY id
  LIMIT $22 OFFSET $23) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_249 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission by action as a manager of collections; list resources of DbpRelayFormalizeSubmission by action as a member of nested groups; list resources of DbpRelayFormalizeSubmission by action as a stranger, ...
PREPARE statement_250 (TEXT[], TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $14
      ORDER BY 1
      LIMIT $17) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($6) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $4 OR (forms.allowed_actions & $5) <> 0) AND grants.class = $7 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $14
      ORDER BY 1
      LIMIT $17) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($8) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $9 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $10 AND resources.id > $14
      ORDER BY 1
      LIMIT $17) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($11) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $13 AND resources.id > $14
      ORDER BY 1
      LIMIT $17) AS found) AS merged
  ORDER BY id
  LIMIT $15 OFFSET $16) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_250 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission by action as a manager of collections; list resources of DbpRelayFormalizeSubmission by action as a member of nested groups; list resources of DbpRelayFormalizeSubmission by action as a stranger, ...
PREPARE statement_251 (TEXT[], TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $8
      ORDER BY 1
      LIMIT $11) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($6) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $4 OR (forms.allowed_actions & $5) <> 0) AND grants.class = $7 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $8
      ORDER BY 1
      LIMIT $11) AS found) AS merged
  ORDER BY id
  LIMIT $9 OFFSET $10) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_251 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission by action as a manager of everything
PREPARE statement_252 (TEXT[], BIGINT, BIGINT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $7
      ORDER BY 1
      LIMIT $10) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = $6 AND resources.identifier <> '' AND resources.form_id IS NULL AND resources.id > $7
      ORDER BY 1
      LIMIT $10) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_252 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission by action as a manager of everything
PREPARE statement_253 (TEXT[], BIGINT, BIGINT, TEXT[], TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $8
      ORDER BY 1
      LIMIT $11) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = $7 AND resources.identifier <> '' AND (resources.form_id IS NULL OR (
          SELECT forms.grant_based AND submissions.state = $6
          FROM formalize_submissions AS submissions
          JOIN formalize_forms AS forms ON forms.id = submissions.form_id
          WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)))) AND resources.id > $8
      ORDER BY 1
      LIMIT $11) AS found) AS merged
  ORDER BY id
  LIMIT $9 OFFSET $10) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_253 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission that are collections as a manager of collections; list resources of DbpRelayFormalizeSubmission that are collections as an administrator
PREPARE statement_254 (TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, TEXT[], TEXT, BIGINT, TEXT, TEXT[], TEXT, BIGINT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $28
      ORDER BY 1
      LIMIT $31) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $8) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($6) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $4 OR (forms.allowed_actions & $5) <> 0) AND grants.class = $7 AND grants.resource_id = wanted.id AND grants.resource_id > $28
      ORDER BY 1
      LIMIT $31) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $12) AS wanted
    CROSS JOIN (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($9) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $10 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $11 AND resources.id = wanted.id AND resources.id > $28
      ORDER BY 1
      LIMIT $31) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $16) AS wanted
    CROSS JOIN (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($13) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $14 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $15 AND resources.id = wanted.id AND resources.id > $28
      ORDER BY 1
      LIMIT $31) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $21) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($19) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND grants.resource_id = wanted.id AND grants.resource_id > $28
      ORDER BY 1
      LIMIT $31) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $26) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($24) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $22 OR (forms.allowed_actions & $23) <> 0) AND grants.class = $25 AND grants.resource_id = wanted.id AND grants.resource_id > $28
      ORDER BY 1
      LIMIT $31) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($27) AND resources.identifier = '' AND resources.id > $28 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $31) AS found) AS merged
  ORDER BY id
  LIMIT $29 OFFSET $30) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_254 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission that are collections as a manager of everything; list resources of DbpRelayFormalizeSubmission with an identifier as a manager of everything
PREPARE statement_255 (TEXT[], BIGINT, BIGINT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $6) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.class = $5 AND grants.resource_id = wanted.id AND grants.resource_id > $20
      ORDER BY 1
      LIMIT $23) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $11) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($9) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) AND grants.class = $10 AND grants.resource_id = wanted.id AND grants.resource_id > $20
      ORDER BY 1
      LIMIT $23) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $16) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($14) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $12 OR (forms.allowed_actions & $13) <> 0) AND grants.class = $15 AND grants.resource_id = wanted.id AND grants.resource_id > $20
      ORDER BY 1
      LIMIT $23) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = $18 AND resources.identifier = $19 AND (resources.form_id IS NULL OR (
          SELECT forms.grant_based AND submissions.state = $17
          FROM formalize_submissions AS submissions
          JOIN formalize_forms AS forms ON forms.id = submissions.form_id
          WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)))) AND resources.id > $20
      ORDER BY 1
      LIMIT $23) AS found) AS merged
  ORDER BY id
  LIMIT $21 OFFSET $22) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_255 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission that are collections as a member of nested groups; list resources of DbpRelayFormalizeSubmission that are collections as a stranger; list resources of DbpRelayFormalizeSubmission that are collections as one in a dynamic group, ...
PREPARE statement_256 (TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, TEXT[], TEXT, BIGINT, TEXT, TEXT[], TEXT, BIGINT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $27
      ORDER BY 1
      LIMIT $30) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $8) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($6) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $4 OR (forms.allowed_actions & $5) <> 0) AND grants.class = $7 AND grants.resource_id = wanted.id AND grants.resource_id > $27
      ORDER BY 1
      LIMIT $30) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $12) AS wanted
    CROSS JOIN (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($9) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $10 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $11 AND resources.id = wanted.id AND resources.id > $27
      ORDER BY 1
      LIMIT $30) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $16) AS wanted
    CROSS JOIN (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($13) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $14 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $15 AND resources.id = wanted.id AND resources.id > $27
      ORDER BY 1
      LIMIT $30) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $21) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($19) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND grants.resource_id = wanted.id AND grants.resource_id > $27
      ORDER BY 1
      LIMIT $30) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $26) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($24) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $22 OR (forms.allowed_actions & $23) <> 0) AND grants.class = $25 AND grants.resource_id = wanted.id AND grants.resource_id > $27
      ORDER BY 1
      LIMIT $30) AS found) AS merged
  ORDER BY id
  LIMIT $28 OFFSET $29) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_256 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission without collections as a manager of collections; list resources of DbpRelayFormalizeSubmission without collections as a member of nested groups; list resources of DbpRelayFormalizeSubmission without collections as a stranger, ...
PREPARE statement_257 (TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($5) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) AND grants.class = $6 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($7) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $9 AND resources.id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($10) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $11 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $12 AND resources.id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($15) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $13 OR (forms.allowed_actions & $14) <> 0) AND grants.class = $16 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $21
      ORDER BY 1
      LIMIT $24) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($19) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $21
      ORDER BY 1
      LIMIT $24) AS found) AS merged
  ORDER BY id
  LIMIT $22 OFFSET $23) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_257 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources of DbpRelayFormalizeSubmission without collections as a manager of everything
PREPARE statement_258 (TEXT[], BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($8) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($12) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.class = $13 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class = $15 AND resources.identifier <> '' AND (resources.form_id IS NULL OR (
          SELECT forms.grant_based AND submissions.state = $14
          FROM formalize_submissions AS submissions
          JOIN formalize_forms AS forms ON forms.id = submissions.form_id
          WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)))) AND resources.id > $16
      ORDER BY 1
      LIMIT $19) AS found) AS merged
  ORDER BY id
  LIMIT $17 OFFSET $18) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_258 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources that are collections as a manager of collections; list resources that are collections as an administrator
PREPARE statement_259 (TEXT[], TEXT, TEXT[], TEXT, TEXT, TEXT, TEXT[], TEXT, TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, BIGINT, TEXT, TEXT[], TEXT, BIGINT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.resource_id = wanted.id AND grants.resource_id > $32
      ORDER BY 1
      LIMIT $35) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $6) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($3) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id = wanted.id AND resources.id > $32 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $35) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $10) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($7) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $9 AND resources.id = wanted.id AND resources.id > $32 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $35) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $14) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($13) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $11 OR (forms.allowed_actions & $12) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $32
      ORDER BY 1
      LIMIT $35) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $18) AS wanted
    CROSS JOIN (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($15) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $16 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $17 AND resources.id = wanted.id AND resources.id > $32
      ORDER BY 1
      LIMIT $35) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $22) AS wanted
    CROSS JOIN (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($19) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $20 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $21 AND resources.id = wanted.id AND resources.id > $32
      ORDER BY 1
      LIMIT $35) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $26) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($25) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $23 OR (forms.allowed_actions & $24) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $32
      ORDER BY 1
      LIMIT $35) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $30) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($29) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $27 OR (forms.allowed_actions & $28) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $32
      ORDER BY 1
      LIMIT $35) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class = ANY ($31) AND resources.identifier = '' AND resources.id > $32 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $35) AS found) AS merged
  ORDER BY id
  LIMIT $33 OFFSET $34) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_259 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources that are collections as a manager of everything; list resources with an identifier as a manager of everything
PREPARE statement_260 (TEXT[], BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $5) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $9) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($8) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $13) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($12) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $16
      ORDER BY 1
      LIMIT $19) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.identifier = $15 AND (resources.form_id IS NULL OR (
          SELECT forms.grant_based AND submissions.state = $14
          FROM formalize_submissions AS submissions
          JOIN formalize_forms AS forms ON forms.id = submissions.form_id
          WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)))) AND resources.id > $16
      ORDER BY 1
      LIMIT $19) AS found) AS merged
  ORDER BY id
  LIMIT $17 OFFSET $18) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_260 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources that are collections as a member of nested groups; list resources that are collections as a stranger; list resources that are collections as one in a dynamic group, ...
PREPARE statement_261 (TEXT[], TEXT, TEXT[], TEXT, TEXT, TEXT, TEXT[], TEXT, TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, TEXT[], TEXT, BIGINT, TEXT, TEXT[], TEXT, BIGINT, TEXT, BIGINT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.resource_id = wanted.id AND grants.resource_id > $31
      ORDER BY 1
      LIMIT $34) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $6) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($3) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id = wanted.id AND resources.id > $31 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $34) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $10) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($7) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        CROSS JOIN formalize_grants AS grants
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $9 AND resources.id = wanted.id AND resources.id > $31 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $34) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $14) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($13) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $11 OR (forms.allowed_actions & $12) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $31
      ORDER BY 1
      LIMIT $34) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $18) AS wanted
    CROSS JOIN (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($15) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $16 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $17 AND resources.id = wanted.id AND resources.id > $31
      ORDER BY 1
      LIMIT $34) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $22) AS wanted
    CROSS JOIN (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($19) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $20 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $21 AND resources.id = wanted.id AND resources.id > $31
      ORDER BY 1
      LIMIT $34) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $26) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($25) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $23 OR (forms.allowed_actions & $24) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $31
      ORDER BY 1
      LIMIT $34) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $30) AS wanted
    CROSS JOIN unnest($1) AS subject(value)
    CROSS JOIN unnest($29) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $27 OR (forms.allowed_actions & $28) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $31
      ORDER BY 1
      LIMIT $34) AS found) AS merged
  ORDER BY id
  LIMIT $32 OFFSET $33) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_261 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources that are collections as the system; list resources with an identifier as the system
PREPARE statement_262 (TEXT, UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.identifier = $1 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_262 (NULL, NULL, NULL, NULL);

-- list resources without collections as a manager of collections; list resources without collections as a member of nested groups; list resources without collections as a stranger, ...
PREPARE statement_263 (TEXT[], TEXT[], TEXT, TEXT, TEXT[], TEXT, TEXT, BIGINT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, TEXT[], TEXT, BIGINT, BIGINT, BIGINT, TEXT[], BIGINT, BIGINT, TEXT[], UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.form_id IS NULL AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $4 AND resources.id > $23 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($5) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_resources AS resources
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $6 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $7 AND resources.id > $23 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($10) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($11) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $13 AND resources.id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM (
      SELECT DISTINCT found.id
      FROM unnest($1) AS subject(value)
      CROSS JOIN unnest($14) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_forms AS forms
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $15 AND grants.action = action.value OFFSET 0) AS found) AS form
    CROSS JOIN LATERAL (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      CROSS JOIN formalize_submissions AS submissions
      WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $16 AND resources.id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($19) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $23
      ORDER BY 1
      LIMIT $26) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($22) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $23
      ORDER BY 1
      LIMIT $26) AS found) AS merged
  ORDER BY id
  LIMIT $24 OFFSET $25) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_263 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources without collections as a manager of everything
PREPARE statement_264 (TEXT[], BIGINT, BIGINT, TEXT[], BIGINT, BIGINT, TEXT[], BIGINT, BIGINT, TEXT[], BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($4) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($7) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($10) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT grants.resource_id AS id
      FROM formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $12
      ORDER BY 1
      LIMIT $15) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.identifier <> '' AND (resources.form_id IS NULL OR (
          SELECT forms.grant_based AND submissions.state = $11
          FROM formalize_submissions AS submissions
          JOIN formalize_forms AS forms ON forms.id = submissions.form_id
          WHERE submissions.id = resources.anchor AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)))) AND resources.id > $12
      ORDER BY 1
      LIMIT $15) AS found) AS merged
  ORDER BY id
  LIMIT $13 OFFSET $14) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_264 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list resources without collections as the system
PREPARE statement_265 (UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.identifier <> '' AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN LATERAL (
  SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
  FROM formalize_resources AS resources
  WHERE resources.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_265 (NULL, NULL, NULL);

-- list submissions; list submissions as a manager of everything; list submissions as a member of nested groups, ...
PREPARE statement_266 (UUID, BIGINT, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $5) AND (submissions.state) <= ($2)
        ORDER BY submissions.state, submissions.id
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $5) AND (submissions.state) <= ($4)
        ORDER BY submissions.state, submissions.id
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_266 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of collections; list submissions as a manager of everything; list submissions as a member of nested groups, ...
PREPARE statement_267 (UUID, TEXT[], TEXT[], BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.form_id IS NOT NULL AND (
          SELECT (submissions.state & $4) <> 0
          FROM formalize_submissions AS submissions
          WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $5) AND (grants.subject, grants.form_id, grants.action) <= (subject.value, $1, action.value)
        ORDER BY grants.subject, grants.form_id, grants.action, grants.anchor
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_267 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of collections; list submissions as a member of nested groups; list submissions as a stranger, ...
PREPARE statement_268 (UUID, TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $5) AND (submissions.state) <= ($3)
        ORDER BY submissions.state, submissions.id
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $5) AND (submissions.state) <= ($4)
        ORDER BY submissions.state, submissions.id
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_268 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of collections; list submissions as a member of nested groups; list submissions as a stranger, ...
PREPARE statement_269 (UUID, TEXT, TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state) <= ($4)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $6) AND (submissions.state) <= ($5)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_269 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of collections; list submissions as a member of nested groups; list submissions as a stranger, ...
PREPARE statement_270 (UUID, TEXT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $8) AND (submissions.state) <= ($6)
        ORDER BY submissions.state, submissions.id
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $8) AND (submissions.state) <= ($7)
        ORDER BY submissions.state, submissions.id
        LIMIT $11) AS found) AS merged
    ORDER BY id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $12 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_270 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of collections; list submissions as a manager of everything; list submissions as a member of nested groups, ...
PREPARE statement_271 (UUID, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $4) AND (submissions.state) <= ($3)
    ORDER BY submissions.state, submissions.id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $7 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_271 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of collections; list submissions as a manager of everything; list submissions as a member of nested groups, ...
PREPARE statement_272 (UUID, TEXT, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $5) AND (submissions.state) <= ($4)
    ORDER BY submissions.state, submissions.id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_272 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of collections; list submissions as a manager of everything; list submissions as a member of nested groups, ...
PREPARE statement_273 (UUID, TEXT, TEXT[], TEXT[], TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
      SELECT 1
      FROM formalize_grants AS grants
      WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
      LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $7) AND (submissions.state) <= ($6)
    ORDER BY submissions.state, submissions.id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_273 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of everything; list submissions as one in a dynamic group; list submissions as the holder of much, ...
PREPARE statement_274 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $6) AND (submissions.state) <= ($2)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.form_id IS NOT NULL AND (
          SELECT (submissions.state & $5) <> 0
          FROM formalize_submissions AS submissions
          WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $6) AND (grants.subject, grants.form_id, grants.action) <= (subject.value, $1, action.value)
        ORDER BY grants.subject, grants.form_id, grants.action, grants.anchor
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_274 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of everything; list submissions as a member of nested groups; list submissions as one in a dynamic group, ...
PREPARE statement_275 (UUID, BIGINT, TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $6) AND (submissions.state) <= ($2)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state) <= ($4)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $6) AND (submissions.state) <= ($5)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_275 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of everything; list submissions as a member of nested groups; list submissions as one in a dynamic group, ...
PREPARE statement_276 (UUID, TEXT, BIGINT, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $6) AND (submissions.state) <= ($3)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $6) AND (submissions.state) <= ($5)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_276 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of everything; list submissions as a member of nested groups; list submissions as one in a dynamic group, ...
PREPARE statement_277 (UUID, TEXT, BIGINT, TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $7) AND (submissions.state) <= ($3)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $7) AND (submissions.state) <= ($5)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $7) AND (submissions.state) <= ($6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_277 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of everything; list submissions as one in a dynamic group; list submissions as the holder of much
PREPARE statement_278 (UUID, TEXT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $8) AND (submissions.state) <= ($3)
        ORDER BY submissions.state, submissions.id
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $8) AND (submissions.state) <= ($7)
        ORDER BY submissions.state, submissions.id
        LIMIT $11) AS found) AS merged
    ORDER BY id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $12 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_278 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as a manager of everything; list submissions as one in a dynamic group; list submissions as the holder of much
PREPARE statement_279 (UUID, TEXT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $9) AND (submissions.state) <= ($3)
        ORDER BY submissions.state, submissions.id
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $9) AND (submissions.state) <= ($7)
        ORDER BY submissions.state, submissions.id
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($8, $9) AND (submissions.state) <= ($8)
        ORDER BY submissions.state, submissions.id
        LIMIT $12) AS found) AS merged
    ORDER BY id
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $13 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_279 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as the system
PREPARE statement_280 (UUID, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $4) AND (submissions.state) <= ($2)
        ORDER BY submissions.state, submissions.id
        LIMIT $7) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $4) AND (submissions.state) <= ($3)
        ORDER BY submissions.state, submissions.id
        LIMIT $7) AS found) AS merged
    ORDER BY id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_280 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions as the system
PREPARE statement_281 (UUID, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $3) AND (submissions.state) <= ($2)
    ORDER BY submissions.state, submissions.id
    LIMIT $4 OFFSET $5) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $6 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_281 (NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of collections; list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups, ...
PREPARE statement_282 (UUID, TEXT[], TEXT[], BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.form_id IS NOT NULL AND (
          SELECT (submissions.state & $4) <> 0
          FROM formalize_submissions AS submissions
          WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $6) AND (grants.subject, grants.form_id, grants.action, grants.anchor) < (subject.value, $1, action.value, $5)
        ORDER BY grants.subject, grants.form_id, grants.action, grants.anchor
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_282 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of collections; list submissions before a time as a member of nested groups; list submissions before a time as a stranger, ...
PREPARE statement_283 (UUID, TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $6) AND (submissions.state, submissions.id) < ($3, $5)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state, submissions.id) < ($4, $5)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_283 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of collections; list submissions before a time as a member of nested groups; list submissions before a time as a stranger, ...
PREPARE statement_284 (UUID, TEXT, TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $7) AND (submissions.state, submissions.id) < ($4, $6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $7) AND (submissions.state, submissions.id) < ($5, $6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_284 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of collections; list submissions before a time as a member of nested groups; list submissions before a time as a stranger, ...
PREPARE statement_285 (UUID, TEXT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $9) AND (submissions.state, submissions.id) < ($6, $8)
        ORDER BY submissions.state, submissions.id
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $9) AND (submissions.state, submissions.id) < ($7, $8)
        ORDER BY submissions.state, submissions.id
        LIMIT $12) AS found) AS merged
    ORDER BY id
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $13 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_285 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of collections; list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups, ...
PREPARE statement_286 (UUID, TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $5) AND (submissions.state, submissions.id) < ($3, $4)
    ORDER BY submissions.state, submissions.id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_286 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of collections; list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups, ...
PREPARE statement_287 (UUID, TEXT, TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state, submissions.id) < ($4, $5)
    ORDER BY submissions.state, submissions.id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_287 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of collections; list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups, ...
PREPARE statement_288 (UUID, TEXT, TEXT[], TEXT[], TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
      SELECT 1
      FROM formalize_grants AS grants
      WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
      LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $8) AND (submissions.state, submissions.id) < ($6, $7)
    ORDER BY submissions.state, submissions.id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_288 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups; list submissions before a time as one in a dynamic group, ...
PREPARE statement_289 (UUID, BIGINT, TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $6) AND (submissions.state, submissions.id) < ($2, $5)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state, submissions.id) < ($4, $5)
        ORDER BY submissions.state, submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_289 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group; list submissions before a time as the holder of much
PREPARE statement_290 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $7) AND (submissions.state, submissions.id) < ($2, $6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.form_id IS NOT NULL AND (
          SELECT (submissions.state & $5) <> 0
          FROM formalize_submissions AS submissions
          WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $7) AND (grants.subject, grants.form_id, grants.action, grants.anchor) < (subject.value, $1, action.value, $6)
        ORDER BY grants.subject, grants.form_id, grants.action, grants.anchor
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_290 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups; list submissions before a time as one in a dynamic group, ...
PREPARE statement_291 (UUID, BIGINT, TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $7) AND (submissions.state, submissions.id) < ($2, $6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $7) AND (submissions.state, submissions.id) < ($4, $6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $7) AND (submissions.state, submissions.id) < ($5, $6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_291 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group; list submissions before a time as the holder of much
PREPARE statement_292 (UUID, TEXT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $10) AND (submissions.state, submissions.id) < ($3, $9)
        ORDER BY submissions.state, submissions.id
        LIMIT $13) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $10) AND (submissions.state, submissions.id) < ($7, $9)
        ORDER BY submissions.state, submissions.id
        LIMIT $13) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($8, $10) AND (submissions.state, submissions.id) < ($8, $9)
        ORDER BY submissions.state, submissions.id
        LIMIT $13) AS found) AS merged
    ORDER BY id
    LIMIT $11 OFFSET $12) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $14 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_292 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups; list submissions before a time as one in a dynamic group, ...
PREPARE statement_293 (UUID, TEXT, BIGINT, TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $7) AND (submissions.state, submissions.id) < ($3, $6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $7) AND (submissions.state, submissions.id) < ($5, $6)
        ORDER BY submissions.state, submissions.id
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_293 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups; list submissions before a time as one in a dynamic group, ...
PREPARE statement_294 (UUID, TEXT, BIGINT, TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $8) AND (submissions.state, submissions.id) < ($3, $7)
        ORDER BY submissions.state, submissions.id
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $8) AND (submissions.state, submissions.id) < ($5, $7)
        ORDER BY submissions.state, submissions.id
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $8) AND (submissions.state, submissions.id) < ($6, $7)
        ORDER BY submissions.state, submissions.id
        LIMIT $11) AS found) AS merged
    ORDER BY id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $12 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_294 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group; list submissions before a time as the holder of much
PREPARE statement_295 (UUID, TEXT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $9) AND (submissions.state, submissions.id) < ($3, $8)
        ORDER BY submissions.state, submissions.id
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $9) AND (submissions.state, submissions.id) < ($7, $8)
        ORDER BY submissions.state, submissions.id
        LIMIT $12) AS found) AS merged
    ORDER BY id
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $13 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_295 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as the system
PREPARE statement_296 (UUID, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $5) AND (submissions.state, submissions.id) < ($2, $4)
        ORDER BY submissions.state, submissions.id
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $5) AND (submissions.state, submissions.id) < ($3, $4)
        ORDER BY submissions.state, submissions.id
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_296 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions before a time as the system
PREPARE statement_297 (UUID, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $4) AND (submissions.state, submissions.id) < ($2, $3)
    ORDER BY submissions.state, submissions.id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $7 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_297 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_298 (UUID, BIGINT, TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $6) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $5)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_298 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_299 (UUID, TEXT[], TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($2) AND grants.action = ANY ($3)
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $6) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $5)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_299 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_300 (UUID, TEXT[], TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($2) AND grants.action = ANY ($3)
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $6) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $5)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_300 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_301 (UUID, TEXT[], TEXT[], BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($2) AND grants.action = ANY ($3)
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $7) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $5, $6)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_301 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_302 (UUID, TEXT[], TEXT[], BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($2) AND grants.action = ANY ($3)
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $7) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $5, $6)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_302 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_303 (UUID, TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $4, $5) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $4)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_303 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_304 (UUID, TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $4, $5) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $4)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_304 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_305 (UUID, TEXT, BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $4, $6) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $4, $5)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_305 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_306 (UUID, TEXT, BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $4, $6) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $4, $5)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_306 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_307 (UUID, TEXT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $4 AND (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $6) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $5)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_307 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_308 (UUID, TEXT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $4 AND (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $6) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $5)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_308 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_309 (UUID, TEXT, BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $4 AND (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $7) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $5, $6)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_309 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_310 (UUID, TEXT, BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $4 AND (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $7) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $5, $6)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_310 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_311 (UUID, TEXT[], TEXT[], BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($2) AND grants.action = ANY ($3)
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $7) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $6)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_311 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_312 (UUID, TEXT[], TEXT[], BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($2) AND grants.action = ANY ($3)
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $7) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $6)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_312 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_313 (UUID, TEXT[], TEXT[], BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($2) AND grants.action = ANY ($3)
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $8) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $6, $7)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_313 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
PREPARE statement_314 (UUID, TEXT[], TEXT[], BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($2) AND grants.action = ANY ($3)
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $8) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $6, $7)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_314 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group; list submissions with a tag as the holder of much
PREPARE statement_315 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $7) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $6)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_315 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group; list submissions with a tag as the holder of much
PREPARE statement_316 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $7) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $6)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_316 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group; list submissions with a tag as the holder of much
PREPARE statement_317 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $8) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $6, $7)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_317 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group; list submissions with a tag as the holder of much
PREPARE statement_318 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $8) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $6, $7)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_318 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups; list submissions with a tag as one in a dynamic group, ...
PREPARE statement_319 (UUID, BIGINT, TEXT, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $6) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $5)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_319 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups; list submissions with a tag as one in a dynamic group, ...
PREPARE statement_320 (UUID, BIGINT, TEXT, BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $7) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $5, $6)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_320 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups; list submissions with a tag as one in a dynamic group, ...
PREPARE statement_321 (UUID, BIGINT, TEXT, BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $5, $7) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $5, $6)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_321 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups; list submissions with a tag as one in a dynamic group, ...
PREPARE statement_322 (UUID, BIGINT, TEXT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $7) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $6)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_322 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups; list submissions with a tag as one in a dynamic group, ...
PREPARE statement_323 (UUID, BIGINT, TEXT, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $7) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $6)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_323 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups; list submissions with a tag as one in a dynamic group, ...
PREPARE statement_324 (UUID, BIGINT, TEXT, BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $8) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $6, $7)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_324 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups; list submissions with a tag as one in a dynamic group, ...
PREPARE statement_325 (UUID, BIGINT, TEXT, BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $6, $8) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $6, $7)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_325 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group; list submissions with a tag as the holder of much
PREPARE statement_326 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $6 AND ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $7, $8) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $7)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_326 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group; list submissions with a tag as the holder of much
PREPARE statement_327 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $6 AND ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $7, $8) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $7)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_327 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group; list submissions with a tag as the holder of much
PREPARE statement_328 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $6 AND ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $7, $9) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $7, $8)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $12 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_328 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group; list submissions with a tag as the holder of much
PREPARE statement_329 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $6 AND ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $7, $9) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $7, $8)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $12 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_329 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as the system
PREPARE statement_330 (UUID, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $3, $4) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $3)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $7 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_330 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as the system
PREPARE statement_331 (UUID, BIGINT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $3, $4) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $3)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $7 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_331 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as the system
PREPARE statement_332 (UUID, BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $3, $5) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $3, $4)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_332 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as the system
PREPARE statement_333 (UUID, BIGINT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $3, $5) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $3, $4)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_333 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as the system
PREPARE statement_334 (UUID, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $3 AND ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $4, $5) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $4)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_334 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as the system
PREPARE statement_335 (UUID, BIGINT, TEXT, TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $3 AND ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $4, $5) AND (submission_tags.form_id, submission_tags.tag) <= ($1, $4)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_335 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as the system
PREPARE statement_336 (UUID, BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $3 AND ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $4, $6) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $4, $5)
    ORDER BY submission_tags.form_id DESC, submission_tags.tag DESC, submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_336 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions with a tag as the system
PREPARE statement_337 (UUID, BIGINT, TEXT, TEXT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $3 AND ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) > ($1, $4, $6) AND (submission_tags.form_id, submission_tags.tag, submission_tags.submission_id) < ($1, $4, $5)
    ORDER BY submission_tags.form_id, submission_tags.tag, submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_337 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of collections; list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups, ...
PREPARE statement_338 (UUID, TEXT[], TEXT[], BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.form_id IS NOT NULL AND (
          SELECT (submissions.state & $4) <> 0
          FROM formalize_submissions AS submissions
          WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $5) AND (grants.subject, grants.form_id, grants.action) <= (subject.value, $1, action.value)
        ORDER BY grants.subject DESC, grants.form_id DESC, grants.action DESC, grants.anchor DESC
        LIMIT $8) AS found) AS merged
    ORDER BY id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_338 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of collections; list submissions, newest first as a member of nested groups; list submissions, newest first as a stranger, ...
PREPARE statement_339 (UUID, TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $5) AND (submissions.state) <= ($3)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $5) AND (submissions.state) <= ($4)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $8) AS found) AS merged
    ORDER BY id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_339 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of collections; list submissions, newest first as a member of nested groups; list submissions, newest first as a stranger, ...
PREPARE statement_340 (UUID, TEXT, TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state) <= ($4)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $6) AND (submissions.state) <= ($5)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_340 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of collections; list submissions, newest first as a member of nested groups; list submissions, newest first as a stranger, ...
PREPARE statement_341 (UUID, TEXT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $8) AND (submissions.state) <= ($6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $8) AND (submissions.state) <= ($7)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $11) AS found) AS merged
    ORDER BY id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $12 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_341 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of collections; list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups, ...
PREPARE statement_342 (UUID, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $4) AND (submissions.state) <= ($3)
    ORDER BY submissions.state DESC, submissions.id DESC
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $7 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_342 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of collections; list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups, ...
PREPARE statement_343 (UUID, TEXT, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $5) AND (submissions.state) <= ($4)
    ORDER BY submissions.state DESC, submissions.id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_343 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of collections; list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups, ...
PREPARE statement_344 (UUID, TEXT, TEXT[], TEXT[], TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
      SELECT 1
      FROM formalize_grants AS grants
      WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
      LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $7) AND (submissions.state) <= ($6)
    ORDER BY submissions.state DESC, submissions.id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_344 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups; list submissions, newest first as one in a dynamic group, ...
PREPARE statement_345 (UUID, BIGINT, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $5) AND (submissions.state) <= ($2)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $5) AND (submissions.state) <= ($4)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $8) AS found) AS merged
    ORDER BY id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_345 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group; list submissions, newest first as the holder of much, ...
PREPARE statement_346 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $6) AND (submissions.state) <= ($2)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.form_id IS NOT NULL AND (
          SELECT (submissions.state & $5) <> 0
          FROM formalize_submissions AS submissions
          WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $6) AND (grants.subject, grants.form_id, grants.action) <= (subject.value, $1, action.value)
        ORDER BY grants.subject DESC, grants.form_id DESC, grants.action DESC, grants.anchor DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_346 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups; list submissions, newest first as one in a dynamic group, ...
PREPARE statement_347 (UUID, BIGINT, TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $6) AND (submissions.state) <= ($2)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state) <= ($4)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $6) AND (submissions.state) <= ($5)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_347 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups; list submissions, newest first as the holder of much, ...
PREPARE statement_348 (UUID, BIGINT, TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $6) AND (submissions.state, submissions.id) < ($2, $5)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state, submissions.id) < ($4, $5)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_348 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as the holder of much; list submissions, newest first before a time as a manager of everything, ...
PREPARE statement_349 (UUID, BIGINT, TEXT[], TEXT[], BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $7) AND (submissions.state, submissions.id) < ($2, $6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT found.id
      FROM unnest($3) AS subject(value)
      CROSS JOIN unnest($4) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.form_id IS NOT NULL AND (
          SELECT (submissions.state & $5) <> 0
          FROM formalize_submissions AS submissions
          WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $7) AND (grants.subject, grants.form_id, grants.action, grants.anchor) < (subject.value, $1, action.value, $6)
        ORDER BY grants.subject DESC, grants.form_id DESC, grants.action DESC, grants.anchor DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_349 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups; list submissions, newest first as the holder of much, ...
PREPARE statement_350 (UUID, BIGINT, TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $7) AND (submissions.state, submissions.id) < ($2, $6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $7) AND (submissions.state, submissions.id) < ($4, $6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $7) AND (submissions.state, submissions.id) < ($5, $6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_350 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as the holder of much; list submissions, newest first before a time as a manager of everything, ...
PREPARE statement_351 (UUID, TEXT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $10) AND (submissions.state, submissions.id) < ($3, $9)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $13) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $10) AND (submissions.state, submissions.id) < ($7, $9)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $13) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($8, $10) AND (submissions.state, submissions.id) < ($8, $9)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $13) AS found) AS merged
    ORDER BY id DESC
    LIMIT $11 OFFSET $12) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $14 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_351 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups; list submissions, newest first as one in a dynamic group, ...
PREPARE statement_352 (UUID, TEXT, BIGINT, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $6) AND (submissions.state) <= ($3)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $6) AND (submissions.state) <= ($5)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_352 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups; list submissions, newest first as one in a dynamic group, ...
PREPARE statement_353 (UUID, TEXT, BIGINT, TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $7) AND (submissions.state) <= ($3)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $7) AND (submissions.state) <= ($5)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $7) AND (submissions.state) <= ($6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_353 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group; list submissions, newest first as the holder of much
PREPARE statement_354 (UUID, TEXT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $8) AND (submissions.state) <= ($3)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $8) AND (submissions.state) <= ($7)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $11) AS found) AS merged
    ORDER BY id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $12 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_354 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group; list submissions, newest first as the holder of much
PREPARE statement_355 (UUID, TEXT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $9) AND (submissions.state) <= ($3)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $9) AND (submissions.state) <= ($7)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($8, $9) AND (submissions.state) <= ($8)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $12) AS found) AS merged
    ORDER BY id DESC
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $13 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_355 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a manager of everything; list submissions, newest first as the holder of much; list submissions, newest first before a time as a manager of everything, ...
PREPARE statement_356 (UUID, TEXT, BIGINT, TEXT[], TEXT[], TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $9) AND (submissions.state, submissions.id) < ($3, $8)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($4) AND grants.action = ANY ($5)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $9) AND (submissions.state, submissions.id) < ($7, $8)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $12) AS found) AS merged
    ORDER BY id DESC
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $13 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_356 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a member of nested groups; list submissions, newest first as the holder of much; list submissions, newest first before a time as a manager of collections, ...
PREPARE statement_357 (UUID, TEXT[], TEXT[], BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT found.id
      FROM unnest($2) AS subject(value)
      CROSS JOIN unnest($3) AS action(value)
      CROSS JOIN LATERAL (
        SELECT grants.anchor AS id
        FROM formalize_grants AS grants
        WHERE grants.form_id IS NOT NULL AND (
          SELECT (submissions.state & $4) <> 0
          FROM formalize_submissions AS submissions
          WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (grants.subject, grants.form_id, grants.action, grants.anchor) > (subject.value, $1, action.value, $6) AND (grants.subject, grants.form_id, grants.action, grants.anchor) < (subject.value, $1, action.value, $5)
        ORDER BY grants.subject DESC, grants.form_id DESC, grants.action DESC, grants.anchor DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_357 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a member of nested groups; list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as a member of nested groups, ...
PREPARE statement_358 (UUID, TEXT, BIGINT, TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $7) AND (submissions.state, submissions.id) < ($3, $6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $7) AND (submissions.state, submissions.id) < ($5, $6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_358 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a member of nested groups; list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as a member of nested groups, ...
PREPARE statement_359 (UUID, TEXT, BIGINT, TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $8) AND (submissions.state, submissions.id) < ($3, $7)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $8) AND (submissions.state, submissions.id) < ($5, $7)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $8) AND (submissions.state, submissions.id) < ($6, $7)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $11) AS found) AS merged
    ORDER BY id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $12 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_359 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a member of nested groups; list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a member of nested groups, ...
PREPARE statement_360 (UUID, TEXT, TEXT[], TEXT[], TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $9) AND (submissions.state, submissions.id) < ($6, $8)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($7, $9) AND (submissions.state, submissions.id) < ($7, $8)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $12) AS found) AS merged
    ORDER BY id DESC
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $13 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_360 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as a member of nested groups; list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a manager of everything, ...
PREPARE statement_361 (UUID, TEXT, TEXT[], TEXT[], TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
      SELECT 1
      FROM formalize_grants AS grants
      WHERE grants.anchor = submissions.id AND grants.subject = ANY ($3) AND grants.action = ANY ($4)
      LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($6, $8) AND (submissions.state, submissions.id) < ($6, $7)
    ORDER BY submissions.state DESC, submissions.id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_361 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as the system; summarize submissions as the system
PREPARE statement_362 (UUID, BIGINT, BIGINT, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $4) AND (submissions.state) <= ($2)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $7) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $4) AND (submissions.state) <= ($3)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $7) AS found) AS merged
    ORDER BY id DESC
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_362 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as the system; list submissions, newest first before a time as the system; summarize submissions as the system
PREPARE statement_363 (UUID, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $5) AND (submissions.state, submissions.id) < ($2, $4)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $5) AND (submissions.state, submissions.id) < ($3, $4)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $8) AS found) AS merged
    ORDER BY id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_363 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as the system; list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a member of nested groups, ...
PREPARE statement_364 (UUID, TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $6) AND (submissions.state, submissions.id) < ($3, $5)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state, submissions.id) < ($4, $5)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $10 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_364 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as the system
PREPARE statement_365 (UUID, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $3) AND (submissions.state) <= ($2)
    ORDER BY submissions.state DESC, submissions.id DESC
    LIMIT $4 OFFSET $5) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $6 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_365 (NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as the system; list submissions, newest first before a time as the system
PREPARE statement_366 (UUID, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($2, $4) AND (submissions.state, submissions.id) < ($2, $3)
    ORDER BY submissions.state DESC, submissions.id DESC
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $7 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_366 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first as the system; list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a manager of everything, ...
PREPARE statement_367 (UUID, TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($3, $5) AND (submissions.state, submissions.id) < ($3, $4)
    ORDER BY submissions.state DESC, submissions.id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $8 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_367 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a member of nested groups; list submissions, newest first before a time as a stranger, ...
PREPARE statement_368 (UUID, TEXT, TEXT, BIGINT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $7) AND (submissions.state, submissions.id) < ($4, $6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($5, $7) AND (submissions.state, submissions.id) < ($5, $6)
        ORDER BY submissions.state DESC, submissions.id DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $11 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_368 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as a member of nested groups, ...
PREPARE statement_369 (UUID, TEXT, TEXT, BIGINT, UUID, UUID, BIGINT, BIGINT, BIGINT) AS
WITH sizes AS MATERIALIZED (
  SELECT found.*
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (submissions.state, submissions.id) > ($4, $6) AND (submissions.state, submissions.id) < ($4, $5)
    ORDER BY submissions.state DESC, submissions.id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN LATERAL (
    SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
    FROM formalize_submissions AS submissions
    WHERE submissions.id = page.id OFFSET 0) AS found)
SELECT found.*
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN LATERAL (
  SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
    SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) END AS files
  FROM formalize_submissions AS submissions
  WHERE submissions.id = page.id AND page.bytes_before < $9 OFFSET 0) AS found
ORDER BY page.id DESC;
EXPLAIN EXECUTE statement_369 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- list subscriptions
PREPARE statement_370 AS
SELECT name, position, held_until, epoch, (
  SELECT epoch
  FROM formalize_event_log
  WHERE id = 1) AS current
FROM formalize_event_subscriptions
ORDER BY name;
EXPLAIN EXECUTE statement_370;

-- list the change feed
PREPARE statement_371 (UUID[], TEXT[]) AS
SELECT DISTINCT event_id
FROM formalize_event_audience AS event_audience
WHERE event_id = ANY ($1) AND subject = ANY ($2);
EXPLAIN EXECUTE statement_371 (NULL, NULL);

-- list the change feed
PREPARE statement_372 (UUID[]) AS
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM formalize_grants AS grants
JOIN formalize_resources AS resources ON resources.id = grants.resource_id
WHERE grants.id = ANY ($1) AND (grants.form_id IS NULL OR grants.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));
EXPLAIN EXECUTE statement_372 (NULL);

-- list the change feed
PREPARE statement_373 (UUID[]) AS
SELECT id, group_id, user_id, child_group_id, date_created
FROM formalize_memberships AS memberships
WHERE id = ANY ($1);
EXPLAIN EXECUTE statement_373 (NULL);

-- list tokens
PREPARE statement_374 (UUID, BIGINT, BIGINT) AS
SELECT id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin
FROM formalize_api_tokens
WHERE id > $1
ORDER BY id
LIMIT $2 OFFSET $3;
EXPLAIN EXECUTE statement_374 (NULL, NULL, NULL);

-- manage webhooks; send to webhooks
PREPARE statement_375 (TEXT, BIGINT, BIGINT) AS
INSERT INTO formalize_event_subscriptions (name, epoch, position)
VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET epoch = $2, position = $3;
EXPLAIN EXECUTE statement_375 (NULL, NULL, NULL);

-- manage webhooks
PREPARE statement_376 (UUID, UUID, TEXT, TEXT, TEXT, TEXT, TEXT, BIGINT, TEXT, TEXT, BIGINT, TEXT, UUID, BIGINT) AS
INSERT INTO formalize_webhooks (id, form_id, url, description, event_types, payload, disabled, frozen_events, secret, previous_secret, previous_until, creator, revision, date_created, failures)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0);
EXPLAIN EXECUTE statement_376 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- manage webhooks; send to webhooks
PREPARE statement_377 (UUID) AS
SELECT (
  SELECT count(*)
  FROM formalize_webhook_deliveries AS webhook_deliveries
  WHERE webhook_id = $1 AND state = 'pending') AS pending, (
  SELECT count(*)
  FROM formalize_webhook_deliveries AS webhook_deliveries
  WHERE webhook_id = $1 AND state = 'dead') AS dead;
EXPLAIN EXECUTE statement_377 (NULL);

-- manage webhooks
PREPARE statement_378 (UUID, TEXT) AS
SELECT 1
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1 AND substr(secret, 1, 10) = $2
LIMIT 1;
EXPLAIN EXECUTE statement_378 (NULL, NULL);

-- manage webhooks
PREPARE statement_379 (UUID) AS
SELECT count(*) AS counted
FROM formalize_webhooks AS webhooks
WHERE webhooks.form_id IS NULL AND $1 IS NULL AND webhooks.date_ended IS NULL;
EXPLAIN EXECUTE statement_379 (NULL);

-- manage webhooks
PREPARE statement_380 (TEXT[], TEXT[], TEXT, UUID, BIGINT, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT found.id
    FROM unnest($1) AS subject(value)
    CROSS JOIN unnest($2) AS action(value)
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM (
        SELECT webhooks.id AS id
        FROM formalize_grants AS grants
        CROSS JOIN formalize_webhooks AS webhooks
        WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND webhooks.form_id = grants.anchor AND webhooks.date_ended IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND webhooks.id > $4 OFFSET 0) AS found
      ORDER BY 1
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN LATERAL (
  SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_380 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- manage webhooks
PREPARE statement_381 (UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT webhooks.id AS id
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.date_ended IS NULL AND webhooks.form_id IS NOT NULL AND webhooks.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN LATERAL (
  SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_381 (NULL, NULL, NULL);

-- manage webhooks
PREPARE statement_382 (UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT DISTINCT webhooks.id AS id
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.date_ended IS NULL AND webhooks.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN LATERAL (
  SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_382 (NULL, NULL, NULL);

-- manage webhooks
PREPARE statement_383 (UUID, TEXT[], TEXT, TEXT[], UUID, BIGINT, BIGINT) AS
SELECT found.*
FROM (
  SELECT webhooks.id AS id
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.date_ended IS NULL AND EXISTS (
    SELECT 1
    FROM formalize_grants AS held
    WHERE held.subject = ANY ($2) AND (held.class = $3 AND held.action = ANY ($4)) AND held.anchor = $1
    LIMIT 1 OFFSET 0) AND (webhooks.form_id, webhooks.id) > ($1, $5) AND (webhooks.form_id) <= ($1)
  ORDER BY webhooks.form_id, webhooks.id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN LATERAL (
  SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.id = page.id OFFSET 0) AS found
ORDER BY page.id;
EXPLAIN EXECUTE statement_383 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- manage webhooks; send to webhooks
PREPARE statement_384 (UUID) AS
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
FROM formalize_webhooks AS webhooks
WHERE webhooks.id = $1 AND webhooks.date_ended IS NULL;
EXPLAIN EXECUTE statement_384 (NULL);

-- manage webhooks; send to webhooks
PREPARE statement_385 (UUID) AS
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes, failures, failing_since
FROM formalize_webhooks AS webhooks
WHERE id = $1 FOR NO KEY UPDATE;
EXPLAIN EXECUTE statement_385 (NULL);

-- manage webhooks; send to webhooks
PREPARE statement_386 (UUID, BIGINT) AS
UPDATE formalize_webhook_deliveries SET state = 'dead', date_next_attempt = NULL, date_done = $2, holder = NULL, held_until = NULL
WHERE webhook_id = $1 AND state = 'pending';
EXPLAIN EXECUTE statement_386 (NULL, NULL);

-- manage webhooks
PREPARE statement_387 (UUID, TEXT, TEXT, BIGINT, UUID) AS
UPDATE formalize_webhooks SET secret = $2, previous_secret = $3, previous_until = $4, revision = $5
WHERE id = $1;
EXPLAIN EXECUTE statement_387 (NULL, NULL, NULL, NULL, NULL);

-- manage webhooks; send to webhooks
PREPARE statement_388 (UUID, TEXT, TEXT, TEXT, TEXT, TEXT, BIGINT, UUID, BIGINT, BIGINT, BIGINT) AS
UPDATE formalize_webhooks SET url = $2, description = $3, event_types = $4, payload = $5, disabled = $6, frozen_events = $7, revision = $8, failures = $9, failing_since = $10, date_resumes = $11
WHERE id = $1;
EXPLAIN EXECUTE statement_388 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- read new events; send to webhooks
PREPARE statement_389 (BIGINT, BIGINT, UUID, TEXT[], BIGINT) AS
SELECT position, id, type, date, record_id, form_id, creator, author, data
FROM formalize_events AS events
WHERE position > $1 AND position <= $2 AND form_id = $3 AND type = ANY ($4)
ORDER BY position
LIMIT $5;
EXPLAIN EXECUTE statement_389 (NULL, NULL, NULL, NULL, NULL);

-- read new events of any form or type
PREPARE statement_390 (BIGINT, BIGINT, UUID, BIGINT) AS
SELECT position, id, type, date, record_id, form_id, creator, author, data
FROM formalize_events AS events
WHERE position > $1 AND position <= $2 AND form_id = $3
ORDER BY position
LIMIT $4;
EXPLAIN EXECUTE statement_390 (NULL, NULL, NULL, NULL);

-- read new events of any form or type
PREPARE statement_391 (BIGINT, BIGINT, TEXT[], BIGINT) AS
SELECT position, id, type, date, record_id, form_id, creator, author, data
FROM formalize_events AS events
WHERE position > $1 AND position <= $2 AND type = ANY ($3)
ORDER BY position
LIMIT $4;
EXPLAIN EXECUTE statement_391 (NULL, NULL, NULL, NULL);

-- read the audience of an event
PREPARE statement_392 (UUID) AS
SELECT event_id, subject
FROM formalize_event_audience
WHERE event_id = $1
ORDER BY subject;
EXPLAIN EXECUTE statement_392 (NULL);

-- remove a file
PREPARE statement_393 (UUID, UUID[]) AS
UPDATE formalize_submitted_files AS submitted_files SET submission_id = NULL
WHERE submission_id = $1 AND id = ANY ($2);
EXPLAIN EXECUTE statement_393 (NULL, NULL);

-- remove a member
PREPARE statement_394 (UUID) AS
DELETE
FROM formalize_memberships
WHERE id = $1;
EXPLAIN EXECUTE statement_394 (NULL);

-- reset the event log
PREPARE statement_395 (BIGINT) AS
UPDATE formalize_event_log SET epoch = $1
WHERE id = 1;
EXPLAIN EXECUTE statement_395 (NULL);

-- send to webhooks
PREPARE statement_396 (UUID, BIGINT) AS
DELETE
FROM formalize_webhook_attempts
WHERE delivery_id = $1 AND number <= $2;
EXPLAIN EXECUTE statement_396 (NULL, NULL);

-- send to webhooks
PREPARE statement_397 (UUID, BIGINT, BIGINT, BIGINT, TEXT, BIGINT) AS
INSERT INTO formalize_webhook_attempts (delivery_id, number, date, status, error, duration)
VALUES ($1, $2, $3, $4, $5, $6);
EXPLAIN EXECUTE statement_397 (NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_398 (UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT) AS
INSERT INTO formalize_webhook_deliveries (id, webhook_id, event_id, sequence, event_type, submission_id, lane, state, num_attempts, tries, refusals, date_created, date_next_attempt)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, 0, 0, $8, $8), ($9, $10, $11, $12, $13, $14, $15, 'pending', 0, 0, 0, $16, $16) ON CONFLICT (event_id, webhook_id) DO NOTHING;
EXPLAIN EXECUTE statement_398 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_399 (UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT) AS
INSERT INTO formalize_webhook_deliveries (id, webhook_id, event_id, sequence, event_type, submission_id, lane, state, num_attempts, tries, refusals, date_created, date_next_attempt)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, 0, 0, $8, $8), ($9, $10, $11, $12, $13, $14, $15, 'pending', 0, 0, 0, $16, $16), ($17, $18, $19, $20, $21, $22, $23, 'pending', 0, 0, 0, $24, $24), ($25, $26, $27, $28, $29, $30, $31, 'pending', 0, 0, 0, $32, $32) ON CONFLICT (event_id, webhook_id) DO NOTHING;
EXPLAIN EXECUTE statement_399 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_400 (UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT, UUID, UUID, UUID, BIGINT, TEXT, UUID, UUID, BIGINT) AS
INSERT INTO formalize_webhook_deliveries (id, webhook_id, event_id, sequence, event_type, submission_id, lane, state, num_attempts, tries, refusals, date_created, date_next_attempt)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, 0, 0, $8, $8), ($9, $10, $11, $12, $13, $14, $15, 'pending', 0, 0, 0, $16, $16), ($17, $18, $19, $20, $21, $22, $23, 'pending', 0, 0, 0, $24, $24), ($25, $26, $27, $28, $29, $30, $31, 'pending', 0, 0, 0, $32, $32), ($33, $34, $35, $36, $37, $38, $39, 'pending', 0, 0, 0, $40, $40), ($41, $42, $43, $44, $45, $46, $47, 'pending', 0, 0, 0, $48, $48) ON CONFLICT (event_id, webhook_id) DO NOTHING;
EXPLAIN EXECUTE statement_400 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_401 (UUID, BIGINT) AS
SELECT (
  SELECT count(*)
  FROM formalize_webhooks AS others
  JOIN formalize_webhook_deliveries AS held ON held.webhook_id = others.id AND held.held_until > $2
  WHERE others.form_id = $1 AND coalesce(others.date_last_failure > others.date_last_success, others.date_last_success IS NULL)) AS leased;
EXPLAIN EXECUTE statement_401 (NULL, NULL);

-- send to webhooks
PREPARE statement_402 (UUID) AS
SELECT delivery_id AS id, date, status, error, duration
FROM formalize_webhook_attempts
WHERE delivery_id = $1
ORDER BY number;
EXPLAIN EXECUTE statement_402 (NULL);

-- send to webhooks
PREPARE statement_403 (UUID) AS
SELECT event_data.event_id AS data_of, event_data.data AS frozen_data, event_data.last_modified_by AS frozen_by, event_data.date_created AS frozen_created, event_data.date_last_modified AS frozen_modified, event_data.tags_and_files
FROM formalize_event_data AS event_data
WHERE event_data.event_id = $1;
EXPLAIN EXECUTE statement_403 (NULL);

-- send to webhooks
PREPARE statement_404 (UUID) AS
SELECT id
FROM formalize_webhooks AS webhooks
WHERE id = (
  SELECT id
  FROM formalize_webhooks AS webhooks
  WHERE form_id = $1
  ORDER BY id
  LIMIT 1) FOR NO KEY UPDATE SKIP LOCKED;
EXPLAIN EXECUTE statement_404 (NULL);

-- send to webhooks
PREPARE statement_405 (UUID, UUID) AS
SELECT id, num_attempts, tries, refusals, date_next_attempt
FROM formalize_webhook_deliveries
WHERE id = $1 AND holder = $2 AND state = 'pending';
EXPLAIN EXECUTE statement_405 (NULL, NULL);

-- send to webhooks
PREPARE statement_406 (UUID[]) AS
SELECT webhook_deliveries.id AS delivery_id, events.position, events.id, events.type, events.date, events.record_id, events.form_id, events.creator, events.author, events.data, event_data.event_id AS data_of, event_data.data AS frozen_data, event_data.last_modified_by AS frozen_by, event_data.date_created AS frozen_created, event_data.date_last_modified AS frozen_modified, event_data.tags_and_files
FROM formalize_webhook_deliveries AS webhook_deliveries
JOIN formalize_events AS events ON events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id
LEFT JOIN formalize_event_data AS event_data ON event_data.event_id = webhook_deliveries.event_id
WHERE webhook_deliveries.id = ANY ($1);
EXPLAIN EXECUTE statement_406 (NULL);

-- send to webhooks
PREPARE statement_407 (UUID, BIGINT, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id
FROM formalize_webhook_deliveries AS webhook_deliveries
JOIN formalize_events AS events ON events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id
WHERE webhook_deliveries.webhook_id = $1 AND webhook_deliveries.state = 'dead' AND events.date >= $2 AND events.date <= $3
ORDER BY webhook_deliveries.sequence
LIMIT $4;
EXPLAIN EXECUTE statement_407 (NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_408 (UUID, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $2) AND (webhook_deliveries.webhook_id) <= ($1)
ORDER BY webhook_deliveries.webhook_id DESC, webhook_deliveries.id DESC
LIMIT $3 OFFSET $4;
EXPLAIN EXECUTE statement_408 (NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_409 (UUID, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $2) AND (webhook_deliveries.webhook_id) <= ($1)
ORDER BY webhook_deliveries.webhook_id, webhook_deliveries.id
LIMIT $3 OFFSET $4;
EXPLAIN EXECUTE statement_409 (NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_410 (UUID, UUID, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $2) AND (webhook_deliveries.webhook_id, webhook_deliveries.id) < ($1, $3)
ORDER BY webhook_deliveries.webhook_id DESC, webhook_deliveries.id DESC
LIMIT $4 OFFSET $5;
EXPLAIN EXECUTE statement_410 (NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_411 (UUID, UUID) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE id = $1 AND webhook_id = $2;
EXPLAIN EXECUTE statement_411 (NULL, NULL);

-- send to webhooks
PREPARE statement_412 (UUID, TEXT, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.event_type = $2 AND (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $3) AND (webhook_deliveries.webhook_id) <= ($1)
ORDER BY webhook_deliveries.webhook_id DESC, webhook_deliveries.id DESC
LIMIT $4 OFFSET $5;
EXPLAIN EXECUTE statement_412 (NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_413 (UUID, TEXT, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.event_type = $2 AND (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $3) AND (webhook_deliveries.webhook_id) <= ($1)
ORDER BY webhook_deliveries.webhook_id, webhook_deliveries.id
LIMIT $4 OFFSET $5;
EXPLAIN EXECUTE statement_413 (NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_414 (UUID, TEXT, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $3) AND (webhook_deliveries.webhook_id) <= ($1)
ORDER BY webhook_deliveries.webhook_id DESC, webhook_deliveries.id DESC
LIMIT $4 OFFSET $5;
EXPLAIN EXECUTE statement_414 (NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_415 (UUID, TEXT, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $3) AND (webhook_deliveries.webhook_id) <= ($1)
ORDER BY webhook_deliveries.webhook_id, webhook_deliveries.id
LIMIT $4 OFFSET $5;
EXPLAIN EXECUTE statement_415 (NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_416 (UUID, TEXT, UUID, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $3) AND (webhook_deliveries.webhook_id, webhook_deliveries.id) < ($1, $4)
ORDER BY webhook_deliveries.webhook_id DESC, webhook_deliveries.id DESC
LIMIT $5 OFFSET $6;
EXPLAIN EXECUTE statement_416 (NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_417 (UUID, TEXT, TEXT, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND webhook_deliveries.event_type = $3 AND (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $4) AND (webhook_deliveries.webhook_id) <= ($1)
ORDER BY webhook_deliveries.webhook_id DESC, webhook_deliveries.id DESC
LIMIT $5 OFFSET $6;
EXPLAIN EXECUTE statement_417 (NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_418 (UUID, TEXT, TEXT, UUID, BIGINT, BIGINT) AS
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND webhook_deliveries.event_type = $3 AND (webhook_deliveries.webhook_id, webhook_deliveries.id) > ($1, $4) AND (webhook_deliveries.webhook_id) <= ($1)
ORDER BY webhook_deliveries.webhook_id, webhook_deliveries.id
LIMIT $5 OFFSET $6;
EXPLAIN EXECUTE statement_418 (NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_419 (BIGINT, BIGINT, UUID) AS
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes, webhooks.secret, webhooks.previous_secret, webhooks.previous_until, failures
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $3 AND disabled IS NULL AND EXISTS (
  SELECT 1
  FROM formalize_webhook_deliveries AS due
  WHERE due.webhook_id = webhooks.id AND due.date_next_attempt <= CASE WHEN webhooks.date_resumes > $1 THEN 0 ELSE $1 END AND (due.held_until IS NULL OR due.held_until <= $1) AND NOT EXISTS (
    SELECT 1
    FROM formalize_webhook_deliveries AS earlier
    WHERE earlier.webhook_id = due.webhook_id AND earlier.state = 'pending' AND earlier.lane = due.lane AND earlier.sequence < due.sequence)
  LIMIT 1 OFFSET 0) AND (
  SELECT count(*)
  FROM formalize_webhook_deliveries AS held
  WHERE held.webhook_id = webhooks.id AND held.held_until > $1) < CASE WHEN failures >= 5 THEN 1 ELSE 4 END AND NOT coalesce(webhooks.date_last_failure > webhooks.date_last_success, webhooks.date_last_success IS NULL)
ORDER BY date_last_success, webhooks.id
LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED;
EXPLAIN EXECUTE statement_419 (NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_420 (BIGINT, BIGINT, UUID, BIGINT) AS
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes, webhooks.secret, webhooks.previous_secret, webhooks.previous_until, failures
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $3 AND disabled IS NULL AND EXISTS (
  SELECT 1
  FROM formalize_webhook_deliveries AS due
  WHERE due.webhook_id = webhooks.id AND due.date_next_attempt <= CASE WHEN webhooks.date_resumes > $1 THEN 0 ELSE $1 END AND (due.held_until IS NULL OR due.held_until <= $1) AND NOT EXISTS (
    SELECT 1
    FROM formalize_webhook_deliveries AS earlier
    WHERE earlier.webhook_id = due.webhook_id AND earlier.state = 'pending' AND earlier.lane = due.lane AND earlier.sequence < due.sequence)
  LIMIT 1 OFFSET 0) AND (
  SELECT count(*)
  FROM formalize_webhook_deliveries AS held
  WHERE held.webhook_id = webhooks.id AND held.held_until > $1) < CASE WHEN failures >= 5 THEN 1 ELSE 4 END AND coalesce(webhooks.date_last_failure > webhooks.date_last_success, webhooks.date_last_success IS NULL) AND (webhooks.form_id IS NULL OR (
    SELECT count(*)
    FROM formalize_webhooks AS others
    JOIN formalize_webhook_deliveries AS held ON held.webhook_id = others.id AND held.held_until > $1
    WHERE others.form_id = webhooks.form_id AND coalesce(others.date_last_failure > others.date_last_success, others.date_last_success IS NULL)) < $4)
ORDER BY coalesce(date_last_failure, 0), webhooks.id
LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED;
EXPLAIN EXECUTE statement_420 (NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_421 (TEXT[], BIGINT, BIGINT, BIGINT, BIGINT) AS
UPDATE formalize_event_subscriptions AS event_subscriptions SET epoch = $4, position = $5
WHERE name = ANY ($1) AND epoch = $2 AND position = $3
RETURNING name;
EXPLAIN EXECUTE statement_421 (NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_422 (UUID, UUID[], BIGINT, BIGINT) AS
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET date_next_attempt = $3
WHERE id IN (
  SELECT earlier.id
  FROM formalize_webhook_deliveries AS named
  JOIN formalize_webhook_deliveries AS earlier ON earlier.webhook_id = named.webhook_id AND earlier.state = 'pending' AND earlier.lane = named.lane AND earlier.sequence < named.sequence
  WHERE named.id = ANY ($2) AND named.webhook_id = $1 AND named.state = 'pending') AND (held_until IS NULL OR held_until <= $4) AND (date_next_attempt IS NULL OR date_next_attempt > 0);
EXPLAIN EXECUTE statement_422 (NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_423 (UUID, UUID, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT) AS
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET holder = $2, held_until = $4
WHERE id IN (
  SELECT due.id
  FROM formalize_webhook_deliveries AS due
  WHERE due.webhook_id = $1 AND due.state = 'pending' AND due.date_next_attempt <= $7 AND (due.held_until IS NULL OR due.held_until <= $3) AND NOT EXISTS (
    SELECT 1
    FROM formalize_webhook_deliveries AS earlier
    WHERE earlier.webhook_id = due.webhook_id AND earlier.state = 'pending' AND earlier.lane = due.lane AND earlier.sequence < due.sequence)
  ORDER BY due.date_next_attempt, due.sequence
  LIMIT (
    SELECT CASE WHEN count(*) >= $5 THEN 0 WHEN $5 - count(*) > $6 THEN $6 ELSE $5 - count(*) END
    FROM formalize_webhook_deliveries AS held
    WHERE held.webhook_id = $1 AND held.held_until > $3))
RETURNING id;
EXPLAIN EXECUTE statement_423 (NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_424 (UUID, BIGINT, BIGINT) AS
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = $2, date_done = NULL
WHERE webhook_id = $1 AND state = 'pending' AND (held_until IS NULL OR held_until <= $3) AND (date_next_attempt IS NULL OR date_next_attempt > 0) AND EXISTS (
  SELECT 1
  FROM formalize_events AS events
  WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id);
EXPLAIN EXECUTE statement_424 (NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_425 (UUID, BIGINT, UUID[]) AS
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = $2, date_done = NULL
WHERE webhook_id = $1 AND webhook_deliveries.event_id = ANY ($3) AND state <> 'pending' AND EXISTS (
  SELECT 1
  FROM formalize_events AS events
  WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id);
EXPLAIN EXECUTE statement_425 (NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_426 (UUID, BIGINT, UUID[], BIGINT) AS
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = $2, date_done = NULL
WHERE webhook_id = $1 AND webhook_deliveries.id = ANY ($3) AND (held_until IS NULL OR held_until <= $4) AND (date_next_attempt IS NULL OR date_next_attempt > 0) AND EXISTS (
  SELECT 1
  FROM formalize_events AS events
  WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id);
EXPLAIN EXECUTE statement_426 (NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_427 (UUID, BIGINT, UUID[]) AS
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = $2, date_done = NULL
WHERE webhook_id = $1 AND webhook_deliveries.id = ANY ($3) AND state <> 'pending' AND EXISTS (
  SELECT 1
  FROM formalize_events AS events
  WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id);
EXPLAIN EXECUTE statement_427 (NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_428 (UUID, TEXT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, TEXT) AS
UPDATE formalize_webhook_deliveries SET state = $2, num_attempts = $3, tries = $4, refusals = $5, date_next_attempt = $6, date_done = $7, last_status = $8, last_error = $9, holder = NULL, held_until = NULL
WHERE id = $1;
EXPLAIN EXECUTE statement_428 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_429 (UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
UPDATE formalize_webhooks AS webhooks SET date_last_failure = $2, failures = $3, failing_since = $4, date_resumes = $5
WHERE id = $1;
EXPLAIN EXECUTE statement_429 (NULL, NULL, NULL, NULL, NULL);

-- send to webhooks
PREPARE statement_430 (UUID, BIGINT, BIGINT, BIGINT, BIGINT) AS
UPDATE formalize_webhooks AS webhooks SET date_last_success = $2, failures = $3, failing_since = $4, date_resumes = $5
WHERE id = $1;
EXPLAIN EXECUTE statement_430 (NULL, NULL, NULL, NULL, NULL);

-- set the limit of a form
PREPARE statement_431 (UUID, TEXT, TEXT, BOOLEAN, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, UUID, TEXT, TEXT, TEXT, BIGINT, TEXT, TEXT) AS
WITH one AS (INSERT INTO formalize_form_places (form_id, taken)
  SELECT forms.id, (
    SELECT count(*)
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = forms.id AND submissions.state = 2)
  FROM formalize_forms AS forms
  WHERE forms.id = $1 AND NOT EXISTS (
    SELECT 1
    FROM formalize_form_places AS form_places
    WHERE form_places.form_id = forms.id)) UPDATE formalize_forms SET name = $2, data_feed_schema = $3, grant_based = $4, allowed_actions = $5, allowed_states = $6, available_starts = $7, availability_ends = $8, max_per_creator = $9, max_submissions = $10, revision = $11, localized_names = $12, frontend_key = $13, additional_data = $14, tag_permissions = $15, available_tags = $16, contact = $17
WHERE id = $1;
EXPLAIN EXECUTE statement_431 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- submit a draft to a form with a limit
PREPARE statement_432 (UUID) AS
SELECT form_id, taken
FROM formalize_form_places
WHERE form_id = $1;
EXPLAIN EXECUTE statement_432 (NULL);

-- submit a draft to a form with a limit
PREPARE statement_433 (UUID, BIGINT) AS
UPDATE formalize_form_places SET taken = taken + 1
WHERE form_id = $1 AND taken < $2;
EXPLAIN EXECUTE statement_433 (NULL, NULL);

-- submit and delete without an event log
PREPARE statement_434 (UUID, TEXT, BIGINT, UUID, BIGINT, TEXT, BIGINT, BIGINT, UUID, TEXT, UUID) AS
WITH step0 AS (INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken)
  SELECT forms.id, $2, 1
  FROM formalize_forms AS forms
  WHERE forms.id = $1 AND forms.revision = $11 AND NOT forms.deleted AND ($3 IS NULL OR $3 > 0) FOR SHARE ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + 1
  WHERE $3 IS NULL OR submission_places.taken < $3
  RETURNING 1) INSERT INTO formalize_submissions (form_id, creator, id, state, last_modified_by, date_created, date_last_modified, revision, data)
SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10
FROM step0;
EXPLAIN EXECUTE statement_434 (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

-- sweep a file
PREPARE statement_435 (UUID[]) AS
DELETE
FROM formalize_submitted_files AS submitted_files
WHERE id = ANY ($1) AND submission_id IS NULL AND date_expires = 0;
EXPLAIN EXECUTE statement_435 (NULL);

-- sweep a file
PREPARE statement_436 (UUID[]) AS
SELECT id
FROM formalize_submitted_files AS submitted_files
WHERE id = ANY ($1) AND submission_id IS NULL AND date_expires = 0;
EXPLAIN EXECUTE statement_436 (NULL);

-- sweep a file; sweep nothing
PREPARE statement_437 (BIGINT, BIGINT) AS
SELECT id
FROM formalize_submitted_files
WHERE submission_id IS NULL AND date_expires <= $1
ORDER BY date_expires, id
LIMIT $2;
EXPLAIN EXECUTE statement_437 (NULL, NULL);

-- sweep a file
PREPARE statement_438 (BIGINT) AS
SELECT id, date_ends
FROM formalize_file_holds
WHERE date_ends > $1
ORDER BY id;
EXPLAIN EXECUTE statement_438 (NULL);

-- sweep a file
PREPARE statement_439 (UUID[]) AS
UPDATE formalize_submitted_files AS submitted_files SET date_expires = 0
WHERE id = ANY ($1) AND submission_id IS NULL AND date_expires > 0;
EXPLAIN EXECUTE statement_439 (NULL);

-- verify
PREPARE statement_440 AS
-- What other programs must not change in the schema of the database, without what belongs to extensions. PostgreSQL -- reports definitions in a form of its own.
WITH tables AS (
  SELECT pg_class.oid, relname, relkind, relpersistence, relrowsecurity, nspname
  FROM pg_class
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT EXISTS (
    SELECT 1
    FROM pg_depend
    WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e' ) )
SELECT CASE WHEN relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind, relname::text AS owner, relname::text AS name, concat_ws(' ', CASE relpersistence WHEN 'p' THEN 'LOGGED' ELSE 'UNLOGGED' END, CASE WHEN relrowsecurity THEN 'ROW LEVEL SECURITY' END) AS definition
FROM tables
UNION ALL
SELECT 'column', relname::text, attname::text, format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
FROM tables
JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
UNION ALL
SELECT 'constraint', relname::text, conname::text, pg_get_constraintdef(pg_constraint.oid)
FROM tables
JOIN pg_constraint ON conrelid = tables.oid
WHERE contype IN ('c', 'f', 'p', 'u', 'x')
UNION ALL -- The others belong to constraints.
SELECT 'index', tables.relname::text, indexes.relname::text, replace(pg_get_indexdef(indexrelid), ' ON ' || quote_ident(nspname) || '.', ' ON ')
FROM tables
JOIN pg_index ON indrelid = tables.oid
JOIN pg_class AS indexes ON indexes.oid = indexrelid
WHERE NOT EXISTS (
  SELECT 1
  FROM pg_constraint
  WHERE conrelid = indrelid AND conindid = indexrelid)
UNION ALL
SELECT 'trigger', relname::text, tgname::text, pg_get_triggerdef(pg_trigger.oid)
FROM tables
JOIN pg_trigger ON tgrelid = tables.oid
WHERE NOT tgisinternal
UNION ALL
SELECT 'rule', relname::text, rulename::text, pg_get_ruledef(pg_rewrite.oid)
FROM tables
JOIN pg_rewrite ON ev_class = tables.oid
WHERE rulename <> '_RETURN';
EXPLAIN EXECUTE statement_440;

-- verify
PREPARE statement_441 AS
SELECT '' AS found
WHERE FALSE;
EXPLAIN EXECUTE statement_441;

-- verify
PREPARE statement_442 AS
SELECT 'index ' || relname || ' is invalid' AS found
FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
WHERE NOT indisvalid;
EXPLAIN EXECUTE statement_442;

-- verify
PREPARE statement_443 AS
SELECT 1
FROM (
  SELECT count(*) AS number
  FROM formalize_event_log) AS counted
WHERE number <> 1;
EXPLAIN EXECUTE statement_443;

-- verify
PREPARE statement_444 AS
SELECT 1
FROM (
  SELECT max(date) - min(date) AS age
  FROM formalize_event_arrivals) AS waiting
WHERE age > 3600000;
EXPLAIN EXECUTE statement_444;

-- verify
PREPARE statement_445 AS
SELECT 1
FROM formalize_event_log
WHERE last - purged_to <> (
  SELECT count(*)
  FROM formalize_events) OR EXISTS (
  SELECT 1
  FROM formalize_events
  WHERE position <= purged_to OR position > last);
EXPLAIN EXECUTE statement_445;

-- verify
PREPARE statement_446 AS
SELECT 1
FROM formalize_events
GROUP BY id HAVING count(*) > 1
LIMIT 1;
EXPLAIN EXECUTE statement_446;

-- verify
PREPARE statement_447 (UUID, BIGINT) AS
SELECT DISTINCT form_links.id AS id
FROM formalize_form_links AS form_links
WHERE form_links.id > $1 AND (EXISTS (
    SELECT 1
    FROM formalize_grants AS grants
    WHERE grants.id = form_links.grant_id AND (grants.class <> 'DbpRelayFormalizeForm' OR grants.anchor <> form_links.form_id OR grants.action <> 'create_submissions' OR grants.subject <> 'user:link:' || form_links.id::text)))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_447 (NULL, NULL);

-- verify
PREPARE statement_448 (UUID, BIGINT) AS
SELECT DISTINCT form_links.id AS id
FROM formalize_form_links AS form_links
WHERE form_links.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_grants AS grants
    WHERE grants.id = form_links.grant_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_448 (NULL, NULL);

-- verify
PREPARE statement_449 (UUID, BIGINT) AS
SELECT DISTINCT form_places.form_id AS id
FROM formalize_form_places AS form_places
WHERE form_places.form_id > $1 AND (EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = form_places.form_id AND forms.max_submissions IS NULL))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_449 (NULL, NULL);

-- verify
PREPARE statement_450 (UUID, BIGINT) AS
SELECT DISTINCT form_places.form_id AS id
FROM formalize_form_places AS form_places
WHERE form_places.form_id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = form_places.form_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_450 (NULL, NULL);

-- verify
PREPARE statement_451 (UUID, BIGINT) AS
SELECT DISTINCT form_places.form_id AS id
FROM formalize_form_places AS form_places
WHERE form_places.form_id > $1 AND (form_places.taken <> (
    SELECT count(*)
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = form_places.form_id AND submissions.state = 2))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_451 (NULL, NULL);

-- verify
PREPARE statement_452 (UUID, BIGINT) AS
SELECT DISTINCT forms.id AS id
FROM formalize_forms AS forms
WHERE forms.id > $1 AND (NOT forms.deleted AND NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.anchor = forms.id AND resources.class = 'DbpRelayFormalizeForm'))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_452 (NULL, NULL);

-- verify
PREPARE statement_453 (UUID, BIGINT) AS
SELECT DISTINCT forms.id AS id
FROM formalize_forms AS forms
WHERE forms.id > $1 AND (NOT forms.deleted AND NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.anchor = forms.id AND resources.class = 'DbpRelayFormalizeSubmissionCollection'))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_453 (NULL, NULL);

-- verify
PREPARE statement_454 (UUID, BIGINT) AS
SELECT DISTINCT forms.id AS id
FROM formalize_forms AS forms
WHERE forms.id > $1 AND (forms.max_submissions IS NOT NULL AND NOT forms.deleted AND NOT EXISTS (
    SELECT 1
    FROM formalize_form_places AS form_places
    WHERE form_places.form_id = forms.id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_454 (NULL, NULL);

-- verify
PREPARE statement_455 (UUID, BIGINT) AS
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (CASE WHEN substr(grants.subject, 1, 6) = 'group:' THEN grants.group_id IS NULL OR grants.subject <> 'group:' || grants.group_id::text ELSE grants.group_id IS NOT NULL END)
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_455 (NULL, NULL);

-- verify
PREPARE statement_456 (UUID, BIGINT) AS
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.id = grants.resource_id AND (resources.class <> grants.class OR resources.anchor <> grants.anchor OR resources.form_id IS DISTINCT
      FROM grants.form_id)))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_456 (NULL, NULL);

-- verify
PREPARE statement_457 (UUID, BIGINT) AS
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.id = grants.resource_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_457 (NULL, NULL);

-- verify
PREPARE statement_458 (UUID, BIGINT) AS
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (grants.group_id IS NOT NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_groups AS groups
    WHERE groups.id = grants.group_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_458 (NULL, NULL);

-- verify
PREPARE statement_459 (UUID, BIGINT) AS
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (substr(grants.subject, 1, 10) = 'user:link:' AND NOT EXISTS (
    SELECT 1
    FROM formalize_form_links AS form_links
    WHERE form_links.grant_id = grants.id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_459 (NULL, NULL);

-- verify
PREPARE statement_460 (UUID, BIGINT) AS
SELECT DISTINCT groups.id AS id
FROM formalize_groups AS groups
WHERE groups.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.anchor = groups.id AND resources.class = 'DbpRelayAuthorizationGroup'))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_460 (NULL, NULL);

-- verify
PREPARE statement_461 (UUID, BIGINT) AS
SELECT DISTINCT memberships.id AS id
FROM formalize_memberships AS memberships
WHERE memberships.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_groups AS groups
    WHERE groups.id = memberships.group_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_461 (NULL, NULL);

-- verify
PREPARE statement_462 (UUID, BIGINT) AS
SELECT DISTINCT memberships.id AS id
FROM formalize_memberships AS memberships
WHERE memberships.id > $1 AND (memberships.child_group_id IS NOT NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_groups AS groups
    WHERE groups.id = memberships.child_group_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_462 (NULL, NULL);

-- verify
PREPARE statement_463 (UUID, BIGINT) AS
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (CASE WHEN resources.class = 'DbpRelayFormalizeSubmission' AND resources.identifier <> '' THEN EXISTS (
    SELECT 1
    FROM formalize_submissions AS submissions
    WHERE submissions.id = resources.anchor AND submissions.form_id IS DISTINCT
    FROM resources.form_id) ELSE resources.form_id IS NOT NULL END)
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_463 (NULL, NULL);

-- verify
PREPARE statement_464 (UUID, BIGINT) AS
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (CASE WHEN resources.identifier <> '' AND resources.class IN ('DbpRelayAuthorizationGroup', 'DbpRelayFormalizeForm', 'DbpRelayFormalizeSubmissionCollection', 'DbpRelayFormalizeSubmission') THEN resources.identifier <> resources.anchor::text ELSE resources.anchor <> resources.id END)
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_464 (NULL, NULL);

-- verify
PREPARE statement_465 (UUID, BIGINT) AS
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (resources.class = 'DbpRelayAuthorizationGroup' AND resources.identifier <> '' AND NOT EXISTS (
    SELECT 1
    FROM formalize_groups AS groups
    WHERE groups.id = resources.anchor))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_465 (NULL, NULL);

-- verify
PREPARE statement_466 (UUID, BIGINT) AS
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (resources.class = 'DbpRelayFormalizeForm' AND resources.identifier <> '' AND NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = resources.anchor))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_466 (NULL, NULL);

-- verify
PREPARE statement_467 (UUID, BIGINT) AS
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (resources.class = 'DbpRelayFormalizeSubmission' AND resources.identifier <> '' AND NOT EXISTS (
    SELECT 1
    FROM formalize_submissions AS submissions
    WHERE submissions.id = resources.anchor))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_467 (NULL, NULL);

-- verify
PREPARE statement_468 (UUID, BIGINT) AS
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (resources.class = 'DbpRelayFormalizeSubmissionCollection' AND resources.identifier <> '' AND NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = resources.anchor))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_468 (NULL, NULL);

-- verify
PREPARE statement_469 (UUID, BIGINT) AS
SELECT DISTINCT submission_places.form_id AS id
FROM formalize_submission_places AS submission_places
WHERE submission_places.form_id > $1 AND ((submission_places.form_id IS NULL OR submission_places.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND submission_places.file_bytes <> (
    SELECT coalesce(sum(submissions.file_bytes), 0)
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = submission_places.form_id AND submissions.creator = submission_places.creator AND submissions.num_files > 0))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_469 (NULL, NULL);

-- verify
PREPARE statement_470 (UUID, BIGINT) AS
SELECT DISTINCT submission_places.form_id AS id
FROM formalize_submission_places AS submission_places
WHERE submission_places.form_id > $1 AND ((submission_places.form_id IS NULL OR submission_places.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND submission_places.taken <> (
    SELECT count(*)
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = submission_places.form_id AND submissions.creator = submission_places.creator))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_470 (NULL, NULL);

-- verify
PREPARE statement_471 (UUID, BIGINT) AS
SELECT DISTINCT submission_places.form_id AS id
FROM formalize_submission_places AS submission_places
WHERE submission_places.form_id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = submission_places.form_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_471 (NULL, NULL);

-- verify
PREPARE statement_472 (UUID, BIGINT) AS
SELECT DISTINCT submissions.id AS id
FROM formalize_submissions AS submissions
WHERE submissions.id > $1 AND (EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = submissions.form_id AND NOT forms.deleted) AND NOT EXISTS (
    SELECT 1
    FROM formalize_submission_places AS submission_places
    WHERE submission_places.form_id = submissions.form_id AND submission_places.creator = submissions.creator))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_472 (NULL, NULL);

-- verify
PREPARE statement_473 (UUID, BIGINT) AS
SELECT DISTINCT submissions.id AS id
FROM formalize_submissions AS submissions
WHERE submissions.id > $1 AND (EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = submissions.form_id AND forms.grant_based AND NOT forms.deleted) AND NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.anchor = submissions.id AND resources.class = 'DbpRelayFormalizeSubmission'))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_473 (NULL, NULL);

-- verify
PREPARE statement_474 (UUID, BIGINT) AS
SELECT DISTINCT submissions.id AS id
FROM formalize_submissions AS submissions
WHERE submissions.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = submissions.form_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_474 (NULL, NULL);

-- verify
PREPARE statement_475 (UUID, BIGINT) AS
SELECT DISTINCT submissions.id AS id
FROM formalize_submissions AS submissions
WHERE submissions.id > $1 AND (submissions.num_files <> (
    SELECT count(*)
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id) OR submissions.file_bytes <> (
    SELECT coalesce(sum(submitted_files.size), 0)
    FROM formalize_submitted_files AS submitted_files
    WHERE submitted_files.submission_id = submissions.id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_475 (NULL, NULL);

-- verify
PREPARE statement_476 (UUID, BIGINT) AS
SELECT DISTINCT submitted_files.id AS id
FROM formalize_submitted_files AS submitted_files
WHERE submitted_files.id > $1 AND (submitted_files.submission_id IS NOT NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_submissions AS submissions
    WHERE submissions.id = submitted_files.submission_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_476 (NULL, NULL);

-- verify
PREPARE statement_477 (UUID, BIGINT) AS
SELECT DISTINCT webhook_deliveries.id AS id
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.id > $1 AND ((webhook_deliveries.state = 'pending') <> (webhook_deliveries.date_next_attempt IS NOT NULL) OR webhook_deliveries.state = 'pending' AND NOT EXISTS (
    SELECT 1
    FROM formalize_events AS events
    WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_477 (NULL, NULL);

-- verify
PREPARE statement_478 (UUID, BIGINT) AS
SELECT DISTINCT webhooks.id AS id
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1 AND (webhooks.disabled IS NOT NULL AND NOT (NOT EXISTS (
      SELECT 1
      FROM formalize_event_subscriptions AS event_subscriptions
      WHERE event_subscriptions.name = 'webhook:' || webhooks.id::text)))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_478 (NULL, NULL);

-- verify
PREPARE statement_479 (UUID, BIGINT) AS
SELECT DISTINCT webhooks.id AS id
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1 AND (webhooks.disabled IS NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_event_subscriptions AS event_subscriptions
    WHERE event_subscriptions.name = 'webhook:' || webhooks.id::text))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_479 (NULL, NULL);

-- verify
PREPARE statement_480 (UUID, BIGINT) AS
SELECT DISTINCT webhooks.id AS id
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1 AND (webhooks.form_id IS NOT NULL AND webhooks.date_ended IS NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = webhooks.form_id))
ORDER BY 1
LIMIT $2;
EXPLAIN EXECUTE statement_480 (NULL, NULL);

-- verify
PREPARE statement_481 (UUID, BIGINT) AS
SELECT api_tokens.*
FROM formalize_api_tokens AS api_tokens
WHERE api_tokens.id > $1
ORDER BY api_tokens.id
LIMIT $2;
EXPLAIN EXECUTE statement_481 (NULL, NULL);

-- verify
PREPARE statement_482 AS
SELECT event_id
FROM formalize_event_audience
EXCEPT
SELECT id
FROM formalize_events
EXCEPT
SELECT id
FROM formalize_event_arrivals
LIMIT 1;
EXPLAIN EXECUTE statement_482;

-- verify
PREPARE statement_483 AS
SELECT event_id
FROM formalize_event_data
EXCEPT
SELECT id
FROM formalize_events
EXCEPT
SELECT id
FROM formalize_event_arrivals
LIMIT 1;
EXPLAIN EXECUTE statement_483;

-- verify
PREPARE statement_484 (UUID, BIGINT) AS
SELECT form_links.*
FROM formalize_form_links AS form_links
WHERE form_links.id > $1
ORDER BY form_links.id
LIMIT $2;
EXPLAIN EXECUTE statement_484 (NULL, NULL);

-- verify
PREPARE statement_485 (UUID[]) AS
SELECT forms.*
FROM formalize_forms AS forms
WHERE forms.id = ANY ($1);
EXPLAIN EXECUTE statement_485 (NULL);

-- verify
PREPARE statement_486 (UUID, BIGINT) AS
SELECT forms.*
FROM formalize_forms AS forms
WHERE forms.id > $1
ORDER BY forms.id
LIMIT $2;
EXPLAIN EXECUTE statement_486 (NULL, NULL);

-- verify
PREPARE statement_487 (UUID, BIGINT) AS
SELECT grants.*
FROM formalize_grants AS grants
WHERE grants.id > $1
ORDER BY grants.id
LIMIT $2;
EXPLAIN EXECUTE statement_487 (NULL, NULL);

-- verify
PREPARE statement_488 (UUID, BIGINT) AS
SELECT groups.*
FROM formalize_groups AS groups
WHERE groups.id > $1
ORDER BY groups.id
LIMIT $2;
EXPLAIN EXECUTE statement_488 (NULL, NULL);

-- verify
PREPARE statement_489 AS
SELECT id
FROM formalize_resources
LIMIT 1;
EXPLAIN EXECUTE statement_489;

-- verify
PREPARE statement_490 (UUID) AS
SELECT id
FROM formalize_submitted_files
WHERE id = $1 AND submission_id IS NOT NULL;
EXPLAIN EXECUTE statement_490 (NULL);

-- verify
PREPARE statement_491 (UUID, BIGINT) AS
SELECT id, group_id, child_group_id
FROM formalize_memberships
WHERE child_group_id IS NOT NULL AND id > $1
ORDER BY id
LIMIT $2;
EXPLAIN EXECUTE statement_491 (NULL, NULL);

-- verify
PREPARE statement_492 (UUID, BIGINT) AS
SELECT memberships.*
FROM formalize_memberships AS memberships
WHERE memberships.id > $1
ORDER BY memberships.id
LIMIT $2;
EXPLAIN EXECUTE statement_492 (NULL, NULL);

-- verify
PREPARE statement_493 (UUID, BIGINT) AS
SELECT resources.*
FROM formalize_resources AS resources
WHERE resources.id > $1
ORDER BY resources.id
LIMIT $2;
EXPLAIN EXECUTE statement_493 (NULL, NULL);

-- verify
PREPARE statement_494 (UUID, BIGINT) AS
SELECT submissions.*, CASE WHEN submissions.num_files > 0 THEN (
  SELECT coalesce(json_agg(json_build_array(submitted_files.id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))::text, '[]')
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files, (
  SELECT coalesce(json_agg(json_build_array(submission_tags.form_id, submission_tags.tag))::text, '[]')
  FROM formalize_submission_tags AS submission_tags
  WHERE submission_tags.submission_id = submissions.id) AS found_by
FROM formalize_submissions AS submissions
WHERE submissions.id > $1
ORDER BY submissions.id
LIMIT $2;
EXPLAIN EXECUTE statement_494 (NULL, NULL);

-- verify
PREPARE statement_495 (UUID, BIGINT) AS
SELECT submitted_files.*
FROM formalize_submitted_files AS submitted_files
WHERE submission_id IS NOT NULL AND id > $1
ORDER BY id
LIMIT $2;
EXPLAIN EXECUTE statement_495 (NULL, NULL);

-- verify
PREPARE statement_496 (UUID, BIGINT) AS
SELECT submitted_files.*
FROM formalize_submitted_files AS submitted_files
WHERE submitted_files.id > $1
ORDER BY submitted_files.id
LIMIT $2;
EXPLAIN EXECUTE statement_496 (NULL, NULL);

-- verify
PREPARE statement_497 (UUID, BIGINT) AS
SELECT webhook_deliveries.*
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.id > $1
ORDER BY webhook_deliveries.id
LIMIT $2;
EXPLAIN EXECUTE statement_497 (NULL, NULL);

-- verify
PREPARE statement_498 (UUID, BIGINT) AS
SELECT webhooks.*
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1
ORDER BY webhooks.id
LIMIT $2;
EXPLAIN EXECUTE statement_498 (NULL, NULL);
