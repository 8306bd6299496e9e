-- Every statement that is sent to SQLite, with operations that send it. A test writes this file.

-- add a child group; add a file; add a member, ...
INSERT INTO formalize_events (position, id, type, date, record_id, form_id, creator, author, data)
SELECT (
  SELECT last + 1
  FROM formalize_event_log
  WHERE id = 1), $1, $2, $3, $4, $5, $6, $7, $8 ; UPDATE formalize_event_log SET last = last + 1;

-- add a child group; add a member; build the scene, ...
INSERT INTO formalize_memberships (id, group_id, user_id, child_group_id, date_created)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING;

-- add a child group; add a member; build the scene, ...
SELECT 1;

-- add a child group; add a file; add a member, ...
SELECT CASE WHEN EXISTS (
  SELECT 1
  FROM formalize_memberships AS memberships
  WHERE user_id = $3) THEN (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    WITH RECURSIVE reached (id) AS (
      SELECT group_id
      FROM formalize_memberships AS memberships
      WHERE user_id = $3
      UNION
      SELECT memberships.group_id
      FROM reached
      JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
    SELECT own.value
    FROM json_each($2) AS own
    UNION ALL
    SELECT 'group:' || substr(lower(hex(reached.id)), 1, 8) || '-' || substr(lower(hex(reached.id)), 9, 4) || '-' || substr(lower(hex(reached.id)), 13, 4) || '-' || substr(lower(hex(reached.id)), 17, 4) || '-' || substr(lower(hex(reached.id)), 21, 12)
    FROM reached) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor IN (
    SELECT unhex(value)
    FROM json_each($1)) AND (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.subject = subjects.value) ELSE (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    SELECT own.value
    FROM json_each($2) AS own) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor IN (
    SELECT unhex(value)
    FROM json_each($1)) AND (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.subject = subjects.value) END AS held;

-- add a child group; add a member; build the scene, ...
SELECT groups.id, groups.name, groups.revision, groups.date_created
FROM formalize_groups AS groups
WHERE groups.id = $1 AND TRUE;

-- add a child group; create a group
WITH RECURSIVE reached (id) AS (
  SELECT $1
  UNION
  SELECT memberships.group_id
  FROM reached
  JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
SELECT 1
FROM reached
WHERE id = $2;

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
DELETE
FROM formalize_grants
WHERE id = $1;

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
INSERT INTO formalize_forms (id, name, data_feed_schema, grant_based, allowed_actions, allowed_states, available_starts, availability_ends, max_per_creator, max_submissions, revision, localized_names, frontend_key, additional_data, tag_permissions, available_tags, contact, date_created)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) ON CONFLICT (id) DO NOTHING;

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
INSERT INTO formalize_grants (id, resource_id, class, anchor, form_id, action, subject, group_id, date_created)
SELECT $1, id, class, anchor, form_id, $3, $4, $5, $6
FROM formalize_resources
WHERE id = $2 ON CONFLICT (resource_id, subject, action) DO NOTHING;

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
INSERT INTO formalize_resources (id, class, identifier, anchor, form_id, date_created)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (identifier, class) DO NOTHING;

-- add a file; build the scene; create a batch, ...
INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken)
SELECT forms.id, $2, 1
FROM formalize_forms AS forms
WHERE forms.id = $1 AND forms.revision = $11 AND NOT forms.deleted AND ($3 IS NULL OR $3 > 0) ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + 1
WHERE $3 IS NULL OR submission_places.taken < $3; INSERT INTO formalize_submissions (form_id, creator, id, state, last_modified_by, date_created, date_last_modified, revision, data)
SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10
WHERE changes() > 0; INSERT INTO formalize_events (position, id, type, date, record_id, form_id, creator, author)
SELECT (
  SELECT last + 1
  FROM formalize_event_log
  WHERE id = 1), $12, $13, $7, $4, $1, $2, $6
WHERE changes() > 0; UPDATE formalize_event_log SET last = last + 1
WHERE changes() > 0; INSERT INTO formalize_event_data (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)
SELECT $12, $4, $10, $6, $7, $8, $15
WHERE changes() > 0 AND (EXISTS (
    SELECT 1
    FROM formalize_webhooks AS webhooks
    WHERE webhooks.form_id = $1 AND (webhooks.frozen_events & $14) <> 0) OR EXISTS (
    SELECT 1
    FROM formalize_webhooks AS webhooks
    WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & $14) <> 0));

-- add a file; submit with a file
INSERT INTO formalize_submitted_files (id, date_expires)
VALUES ($1, $2);

-- add a file; submit with a file
SELECT form_id, file_bytes
FROM formalize_submission_places
WHERE form_id = $1 AND creator = $2;

-- add a file; change a form; change a submission, ...
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM formalize_forms AS forms
WHERE forms.id = $1 AND NOT forms.deleted;

-- add a file; ask the questions of a form by a link; build the scene, ...
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact, CASE WHEN EXISTS (
  SELECT 1
  FROM formalize_memberships AS memberships
  WHERE user_id = $4) THEN (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    WITH RECURSIVE reached (id) AS (
      SELECT group_id
      FROM formalize_memberships AS memberships
      WHERE user_id = $4
      UNION
      SELECT memberships.group_id
      FROM reached
      JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
    SELECT own.value
    FROM json_each($3) AS own
    UNION ALL
    SELECT 'group:' || substr(lower(hex(reached.id)), 1, 8) || '-' || substr(lower(hex(reached.id)), 9, 4) || '-' || substr(lower(hex(reached.id)), 13, 4) || '-' || substr(lower(hex(reached.id)), 17, 4) || '-' || substr(lower(hex(reached.id)), 21, 12)
    FROM reached) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor = forms.id AND grants.subject = subjects.value) ELSE (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    SELECT own.value
    FROM json_each($3) AS own) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor = forms.id AND grants.subject = subjects.value) END AS held, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE form_id = forms.id AND creator = $2), 0) AS taken, (
  SELECT taken
  FROM formalize_form_places AS form_places
  WHERE form_id = forms.id) AS form_taken
FROM formalize_forms AS forms
WHERE forms.id = $1 AND NOT forms.deleted;

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM formalize_grants AS grants
JOIN formalize_resources AS resources ON resources.id = grants.resource_id
WHERE grants.id = $1 AND (grants.form_id IS NULL OR grants.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE class = $1 AND identifier = $2 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- add a file; change a submission; change a submission with a file, ...
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM formalize_submissions AS submissions
WHERE submissions.id = $1 AND (submissions.form_id IS NULL OR submissions.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- add a file; check a submission that is no resource; get a file, ...
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.tag_permissions, CASE WHEN EXISTS (
  SELECT 1
  FROM formalize_memberships AS memberships
  WHERE user_id = $3) THEN (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    WITH RECURSIVE reached (id) AS (
      SELECT group_id
      FROM formalize_memberships AS memberships
      WHERE user_id = $3
      UNION
      SELECT memberships.group_id
      FROM reached
      JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
    SELECT own.value
    FROM json_each($2) AS own
    UNION ALL
    SELECT 'group:' || substr(lower(hex(reached.id)), 1, 8) || '-' || substr(lower(hex(reached.id)), 9, 4) || '-' || substr(lower(hex(reached.id)), 13, 4) || '-' || substr(lower(hex(reached.id)), 17, 4) || '-' || substr(lower(hex(reached.id)), 21, 12)
    FROM reached) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor IN (submissions.id, submissions.form_id) AND grants.subject = subjects.value) ELSE (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    SELECT own.value
    FROM json_each($2) AS own) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor IN (submissions.id, submissions.form_id) AND grants.subject = subjects.value) END AS held
FROM formalize_submissions AS submissions
JOIN formalize_forms AS forms ON forms.id = submissions.form_id
WHERE submissions.id = $1 AND NOT forms.deleted;

-- add a file; change a submission; change a submission with a file, ...
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, submissions.num_files
FROM formalize_submissions AS submissions
WHERE submissions.id = $1 AND (submissions.form_id IS NULL OR submissions.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- add a file; remove a file; submit with a file
UPDATE formalize_submission_places SET file_bytes = file_bytes + $3
WHERE form_id = $1 AND creator = $2 AND ($4 IS NULL OR $3 <= 0 OR file_bytes + $3 <= $4);

-- add a file; remove a file; submit with a file
UPDATE formalize_submissions SET num_files = $2, file_bytes = $3
WHERE id = $1;

-- add a file; change a submission; change a submission with a file, ...
UPDATE formalize_submissions SET state = $2, last_modified_by = $3, date_last_modified = $4, revision = $5, data = $6
WHERE id = $1;

-- add a file; submit with a file
UPDATE formalize_submitted_files SET submission_id = $2, date_expires = 0, attribute = $3, name = $4, size = $5, mime_type = $6, sha256 = $7, creator = $8, date_created = $9
WHERE id = $1 AND submission_id IS NULL AND date_expires > $10;

-- add a file; build the scene; change whose submissions a form's are, delete a managing grant, ...
WITH form AS (
  SELECT forms.id
  FROM formalize_forms AS forms
  WHERE forms.id = (
    SELECT resources.form_id
    FROM formalize_resources AS resources
    WHERE resources.id = $1) AND NOT forms.deleted)
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE resources.id = $1 AND (resources.form_id IS NULL OR EXISTS (
    SELECT 1
    FROM form));

-- add a member; build the scene; count new submissions, ...
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

-- ask the store
SELECT 1
FROM sqlite_master
WHERE type = 'table' AND name = $1;

-- ask the store
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($3) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $4
          ORDER BY 1
          LIMIT $7))) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- ask the store
SELECT version, description
FROM formalize_migrations
ORDER BY version;

-- authenticate a link
SELECT form_links.id, form_links.form_id, form_links.label, form_links.creator, form_links.max_submissions, form_links.once_per_browser, form_links.embed_origins, form_links.revision, form_links.date_created, form_links.date_expires, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE submission_places.form_id = form_links.form_id AND submission_places.creator = 'link:' || substr(lower(hex(form_links.id)), 1, 8) || '-' || substr(lower(hex(form_links.id)), 9, 4) || '-' || substr(lower(hex(form_links.id)), 13, 4) || '-' || substr(lower(hex(form_links.id)), 17, 4) || '-' || substr(lower(hex(form_links.id)), 21, 12)), 0) AS taken
FROM formalize_form_links AS form_links
WHERE form_links.secret_hash = $1;

-- authenticate a session; authenticate a token; begin a session with a token, ...
SELECT id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin
FROM formalize_api_tokens
WHERE secret_hash = $1;

-- authenticate a token; begin a session with a token
UPDATE formalize_api_tokens SET date_last_used = $2
WHERE id = $1;

-- begin a session; begin a session with a token; delete ended sessions, ...
DELETE
FROM formalize_api_tokens
WHERE id IN (
  SELECT id
  FROM formalize_api_tokens
  WHERE user_id = $1 AND kind = 2
  ORDER BY date_last_used DESC, id DESC
  LIMIT $2 OFFSET $3);

-- begin a session; begin a session with a token; delete ended sessions, ...
INSERT INTO formalize_api_tokens (id, user_id, attributes, secret_hash, date_created, date_expires, date_last_used, kind, idle, label, origin)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- begin a session with a token
SELECT id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin
FROM formalize_api_tokens AS api_tokens
WHERE id = $1;

-- build the scene; create a group; ensure a group, ...
INSERT INTO formalize_groups (id, name, name_folded, revision, date_created)
VALUES ($1, $2, $3, $4, $5);

-- build the scene
INSERT INTO formalize_settings (name, value)
VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;

-- build the scene; encrypt the secrets of webhooks; start without an event log, ...
SELECT name, value
FROM formalize_settings
WHERE name = $1;

-- build the scene; check a submission that is no resource; check an item, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created, CASE WHEN EXISTS (
  SELECT 1
  FROM formalize_memberships AS memberships
  WHERE user_id = $4) THEN (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    WITH RECURSIVE reached (id) AS (
      SELECT group_id
      FROM formalize_memberships AS memberships
      WHERE user_id = $4
      UNION
      SELECT memberships.group_id
      FROM reached
      JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
    SELECT own.value
    FROM json_each($3) AS own
    UNION ALL
    SELECT 'group:' || substr(lower(hex(reached.id)), 1, 8) || '-' || substr(lower(hex(reached.id)), 9, 4) || '-' || substr(lower(hex(reached.id)), 13, 4) || '-' || substr(lower(hex(reached.id)), 17, 4) || '-' || substr(lower(hex(reached.id)), 21, 12)
    FROM reached) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor = resources.anchor AND grants.subject = subjects.value) ELSE (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    SELECT own.value
    FROM json_each($3) AS own) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor = resources.anchor AND grants.subject = subjects.value) END AS held
FROM formalize_resources AS resources
WHERE resources.class = $1 AND resources.identifier = $2 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- change a form; change whose submissions a form's are, delete a managing grant
DELETE
FROM formalize_form_places
WHERE form_id = $1; UPDATE formalize_forms SET name = $2, data_feed_schema = $3, grant_based = $4, allowed_actions = $5, allowed_states = $6, available_starts = $7, availability_ends = $8, max_per_creator = $9, max_submissions = $10, revision = $11, localized_names = $12, frontend_key = $13, additional_data = $14, tag_permissions = $15, available_tags = $16, contact = $17
WHERE id = $1;

-- change a form; change whose submissions a form's are, delete a managing grant; set the limit of a form
SELECT form_id, taken
FROM formalize_submission_places AS submission_places
WHERE form_id = $1 AND creator = $2 AND (form_id IS NULL OR form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- change a group
UPDATE formalize_groups SET name = $2, name_folded = $3, revision = $4
WHERE id = $1;

-- change a link; delete a link; get a link
SELECT form_links.id, form_links.form_id, form_links.label, form_links.creator, form_links.max_submissions, form_links.once_per_browser, form_links.embed_origins, form_links.revision, form_links.date_created, form_links.date_expires, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE submission_places.form_id = form_links.form_id AND submission_places.creator = 'link:' || substr(lower(hex(form_links.id)), 1, 8) || '-' || substr(lower(hex(form_links.id)), 9, 4) || '-' || substr(lower(hex(form_links.id)), 13, 4) || '-' || substr(lower(hex(form_links.id)), 17, 4) || '-' || substr(lower(hex(form_links.id)), 21, 12)), 0) AS taken
FROM formalize_form_links AS form_links
WHERE form_links.id = $1;

-- change a link
UPDATE formalize_form_links SET label = $2, max_submissions = $3, once_per_browser = $4, embed_origins = $5, date_expires = $6, revision = $7
WHERE id = $1;

-- change a submission; change the tags of a submission; remove the tags of a submission, ...
INSERT INTO formalize_event_data (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)
SELECT $1, $2, $3, $4, $5, $6, $7
WHERE (EXISTS (
    SELECT 1
    FROM formalize_webhooks AS webhooks
    WHERE webhooks.form_id = $8 AND (webhooks.frozen_events & $9) <> 0) OR EXISTS (
    SELECT 1
    FROM formalize_webhooks AS webhooks
    WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & $9) <> 0));

-- change a submission with a file; remove a file
SELECT submitted_files.id, submitted_files.submission_id, submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created
FROM formalize_submitted_files AS submitted_files
WHERE submitted_files.submission_id = $1
ORDER BY submitted_files.id;

-- change the tags of a submission; remove the tags of a submission; submit with tags
DELETE
FROM formalize_submission_tags
WHERE submission_id = $1;

-- change the tags of a submission; submit with tags
INSERT INTO formalize_submission_tags (submission_id, tag, form_id)
SELECT $1, wanted.value, $2
FROM json_each($3) AS wanted;

-- change the tags of a submission; remove the tags of a submission; submit with tags
UPDATE formalize_submissions SET tags = $2
WHERE id = $1;

-- change whose submissions a form's are, delete a managing grant
SELECT 1
FROM formalize_grants
WHERE resource_id = $1 AND id <> $2 AND action = $3
LIMIT 1;

-- change whose submissions a form's are, delete a managing grant
SELECT 1
FROM formalize_submissions AS submissions
WHERE form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted))
LIMIT 1;

-- check a batch; create a batch with many keys; create a batch with two keys
SELECT owner, key_text, fingerprint, response, date_expires
FROM formalize_kept_responses AS kept_responses
WHERE owner = $1 AND key_text IN (
  SELECT value
  FROM json_each($2));

-- check many permissions; check many permissions of others; list the change feed, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE resources.identifier IN (
  SELECT value
  FROM json_each($1)) AND resources.class IN (
  SELECT value
  FROM json_each($2)) AND (resources.form_id IS NULL OR resources.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- check many permissions; check many permissions of others; list grants, ...
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.tag_permissions
FROM formalize_submissions AS submissions
JOIN formalize_forms AS forms ON forms.id = submissions.form_id
WHERE submissions.id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND NOT forms.deleted;

-- consume events
INSERT INTO formalize_event_subscriptions AS event_subscriptions (name, epoch, position, holder, held_until)
SELECT $1, epoch, purged_to, $2, $4
FROM formalize_event_log
WHERE id = 1 ON CONFLICT (name) DO UPDATE SET holder = $2, held_until = $4
WHERE event_subscriptions.holder IS NULL OR event_subscriptions.holder = $2 OR event_subscriptions.held_until <= $3
RETURNING epoch, position;

-- consume events; delete ended sessions; delete ended sessions, webhooks and what is old, ...
SELECT count(*) AS arrivals
FROM (
  SELECT 1
  FROM formalize_event_arrivals
  WHERE ordinal > 0
  ORDER BY ordinal
  LIMIT $1) AS waiting;

-- consume events; delete ended sessions; delete ended sessions, webhooks and what is old, ...
SELECT epoch, last, purged_to
FROM formalize_event_log
WHERE id = 1;

-- consume events; delete ended sessions, webhooks and what is old; list the change feed, ...
SELECT position, id, type, date, record_id, form_id, creator, author, data
FROM formalize_events AS events
WHERE position > $1 AND position <= $2
ORDER BY position
LIMIT $3;

-- consume events
UPDATE formalize_event_subscriptions SET epoch = $3, position = $4
WHERE name = $1 AND holder = $2;

-- consume events
UPDATE formalize_event_subscriptions SET holder = NULL, held_until = NULL
WHERE name = $1 AND holder = $2;

-- count new submissions
SELECT count(*) AS counted
FROM (
  SELECT submissions.id AS id
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $4
  ORDER BY submissions.id
  LIMIT $5 OFFSET $6) AS page;

-- count new submissions; count new submissions as a manager of collections; count new submissions as a manager of everything, ...
SELECT grants.id, grants.anchor, grants.class, grants.action
FROM formalize_grants AS grants
WHERE grants.anchor IN (
  SELECT unhex(value)
  FROM json_each($1)) AND grants.subject IN (
  SELECT value
  FROM json_each($2)) AND (grants.form_id IS NULL OR grants.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- count new submissions as a manager of collections; count new submissions as a member of nested groups; count new submissions as a stranger, ...
SELECT count(*) AS counted
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($2) AS subject
    CROSS JOIN json_each($3) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT grants.anchor AS id
          FROM formalize_grants AS grants
          WHERE grants.form_id IS NOT NULL AND (
            SELECT (submissions.state & $4) <> 0
            FROM formalize_submissions AS submissions
            WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $5
          ORDER BY grants.anchor
          LIMIT $8))) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page;

-- count new submissions as a manager of collections; count new submissions as a member of nested groups; count new submissions as a stranger, ...
SELECT count(*) AS counted
FROM (
  SELECT submissions.id AS id
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $4
  ORDER BY submissions.id
  LIMIT $5 OFFSET $6) AS page;

-- count new submissions as a manager of everything; count new submissions as one in a dynamic group
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
          WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $5
      ORDER BY submissions.id
      LIMIT $8) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT submissions.id AS id
      FROM formalize_submissions AS submissions
      WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $5
      ORDER BY submissions.id
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page;

-- count new submissions as a manager of everything; count new submissions as one in a dynamic group
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
          WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $6
      ORDER BY submissions.id
      LIMIT $9) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($3) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT grants.anchor AS id
          FROM formalize_grants AS grants
          WHERE grants.form_id IS NOT NULL AND (
            SELECT (submissions.state & $5) <> 0
            FROM formalize_submissions AS submissions
            WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $6
          ORDER BY grants.anchor
          LIMIT $9))) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page;

-- count new submissions as the system
SELECT count(*) AS counted
FROM (
  SELECT submissions.id AS id
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $3
  ORDER BY submissions.id
  LIMIT $4 OFFSET $5) AS page;

-- count what goes with a form
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

-- count what goes with a form; manage webhooks
SELECT count(*) AS counted
FROM formalize_webhooks AS webhooks
WHERE webhooks.form_id = $1 AND webhooks.date_ended IS NULL;

-- count what goes with a group
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

-- count what goes with a group; get a group; list memberships, ...
SELECT groups.id, groups.name, groups.revision, groups.date_created, CASE WHEN EXISTS (
  SELECT 1
  FROM formalize_memberships AS memberships
  WHERE user_id = $3) THEN (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    WITH RECURSIVE reached (id) AS (
      SELECT group_id
      FROM formalize_memberships AS memberships
      WHERE user_id = $3
      UNION
      SELECT memberships.group_id
      FROM reached
      JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)
    SELECT own.value
    FROM json_each($2) AS own
    UNION ALL
    SELECT 'group:' || substr(lower(hex(reached.id)), 1, 8) || '-' || substr(lower(hex(reached.id)), 9, 4) || '-' || substr(lower(hex(reached.id)), 13, 4) || '-' || substr(lower(hex(reached.id)), 17, 4) || '-' || substr(lower(hex(reached.id)), 21, 12)
    FROM reached) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor = groups.id AND grants.subject = subjects.value) ELSE (
  SELECT json_group_array(json_array(hex(grants.anchor), grants.class, grants.action))
  FROM (
    SELECT own.value
    FROM json_each($2) AS own) AS subjects
  CROSS JOIN formalize_grants AS grants ON grants.anchor = groups.id AND grants.subject = subjects.value) END AS held
FROM formalize_groups AS groups
WHERE groups.id = $1;

-- count what was submitted
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

-- create a batch; submit with a key; submit with the same key
SELECT owner, key_text, fingerprint, response, date_expires
FROM formalize_kept_responses AS kept_responses
WHERE owner = $1 AND key_text = $2;

-- create a batch with many keys; create a batch with two keys; submit with a key
INSERT INTO formalize_kept_responses AS kept_responses (owner, key_text, fingerprint, response, date_expires)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT (owner, key_text) DO UPDATE SET fingerprint = excluded.fingerprint, response = excluded.response, date_expires = excluded.date_expires
WHERE kept_responses.date_expires <= $6;

-- create a link
INSERT INTO formalize_form_links (id, label, max_submissions, once_per_browser, embed_origins, date_expires, revision, form_id, grant_id, creator, secret_hash, date_created)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- create many submissions; submit several times at once; submit to a form with a limit
INSERT INTO formalize_form_places (form_id, taken)
VALUES ($1, 0);

-- create many submissions; submit several times at once; submit to a form with a limit
INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken)
SELECT forms.id, $2, 1
FROM formalize_forms AS forms
JOIN formalize_form_places AS form_places ON form_places.form_id = forms.id AND form_places.taken < $12
WHERE forms.id = $1 AND forms.revision = $11 AND NOT forms.deleted AND ($3 IS NULL OR $3 > 0) ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + 1
WHERE $3 IS NULL OR submission_places.taken < $3; INSERT INTO formalize_form_places AS form_places (form_id, taken)
SELECT $1, 1
WHERE changes() > 0 ON CONFLICT (form_id) DO UPDATE SET taken = form_places.taken + 1; INSERT INTO formalize_submissions (form_id, creator, id, state, last_modified_by, date_created, date_last_modified, revision, data)
SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10
WHERE changes() > 0; INSERT INTO formalize_events (position, id, type, date, record_id, form_id, creator, author)
SELECT (
  SELECT last + 1
  FROM formalize_event_log
  WHERE id = 1), $13, $14, $7, $4, $1, $2, $6
WHERE changes() > 0; UPDATE formalize_event_log SET last = last + 1
WHERE changes() > 0; INSERT INTO formalize_event_data (event_id, submission_id, data, last_modified_by, date_created, date_last_modified, tags_and_files)
SELECT $13, $4, $10, $6, $7, $8, $16
WHERE changes() > 0 AND (EXISTS (
    SELECT 1
    FROM formalize_webhooks AS webhooks
    WHERE webhooks.form_id = $1 AND (webhooks.frozen_events & $15) <> 0) OR EXISTS (
    SELECT 1
    FROM formalize_webhooks AS webhooks
    WHERE webhooks.form_id IS NULL AND (webhooks.frozen_events & $15) <> 0));

-- delete a form; delete a form with submissions that others may read; delete a large form, ...
DELETE
FROM formalize_forms
WHERE id = $1;

-- delete a form; delete a form with submissions that others may read; delete a large form, ...
DELETE
FROM formalize_resources
WHERE anchor = $1;

-- delete a form; delete a form with submissions that others may read; delete ended sessions, webhooks and what is old, ...
DELETE
FROM formalize_resources
WHERE form_id = $1;

-- delete a form; delete a form with submissions that others may read; delete ended sessions, webhooks and what is old
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $2 AND class = $3 AND action IN (
    SELECT value
    FROM json_each($4))
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $5 AND class = $6 AND action IN (
    SELECT value
    FROM json_each($7))
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $8 AND class = $9 AND action IN (
    SELECT value
    FROM json_each($10))
  UNION
  SELECT 'user:' || creator
  FROM formalize_submissions AS submissions
  WHERE form_id = $11 AND creator <> '' AND (state & $12) <> 0) AS subjects;

-- delete a form; delete a form with submissions that others may read; delete a large form, ...
UPDATE formalize_forms SET deleted = TRUE
WHERE id = $1 AND (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM formalize_submissions
    WHERE form_id = $1
    LIMIT $2) AS found) = $2;

-- delete a form; delete a form with submissions that others may read; delete a large form, ...
UPDATE formalize_webhooks AS webhooks SET date_ended = $2
WHERE form_id = $1 AND webhooks.date_ended IS NULL;

-- delete a form with submissions that others may read; delete a large form
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $2 AND class = $3 AND action IN (
    SELECT value
    FROM json_each($4))
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $5 AND class = $6 AND action IN (
    SELECT value
    FROM json_each($7))
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $8 AND class = $9 AND action IN (
    SELECT value
    FROM json_each($10))
  UNION
  SELECT grants.subject
  FROM formalize_submissions AS submissions
  JOIN formalize_grants AS grants ON grants.anchor = submissions.id
  WHERE submissions.form_id = $11 AND (submissions.state & $12) <> 0 AND grants.action IN (
    SELECT value
    FROM json_each($13))) AS subjects;

-- delete a group
DELETE
FROM formalize_groups
WHERE id = $1;

-- delete a group
DELETE
FROM formalize_resources
WHERE anchor = $1 AND class = $2;

-- delete a group; delete a submission that its creator may read
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $2 AND class = $3 AND action IN (
    SELECT value
    FROM json_each($4))) AS subjects;

-- delete a large form
DELETE
FROM formalize_form_places
WHERE form_id = $1;

-- delete a large form
DELETE
FROM formalize_resources
WHERE id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- delete a large form
DELETE
FROM formalize_submission_places AS submission_places
WHERE form_id = $1 AND creator IN (
  SELECT value
  FROM json_each($2));

-- delete a large form
DELETE
FROM formalize_submissions
WHERE id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- delete a large form
SELECT creator
FROM formalize_submission_places
WHERE form_id = $1
LIMIT $2;

-- delete a large form; delete ended sessions; delete ended sessions, webhooks and what is old
SELECT forms.id
FROM formalize_forms AS forms
WHERE forms.deleted
ORDER BY forms.id
LIMIT 1;

-- delete a large form
SELECT id
FROM formalize_resources
WHERE form_id = $1
LIMIT $2;

-- delete a large form
SELECT id
FROM formalize_submissions
WHERE form_id = $1
LIMIT $2;

-- delete a link
DELETE
FROM formalize_grants
WHERE id = (
  SELECT grant_id
  FROM formalize_form_links
  WHERE id = $1);

-- delete a submission; delete a submission of a form with a limit; delete a submission that its creator may read, ...
DELETE
FROM formalize_submission_places
WHERE form_id = $1 AND creator = $2 AND taken <= 0;

-- delete a submission; delete a submission of a form with a limit; delete a submission that its creator may read, ...
DELETE
FROM formalize_submissions
WHERE id = $1;

-- delete a submission; delete a submission of a form with a limit; delete a submission that its creator may read, ...
UPDATE formalize_submission_places SET taken = taken - 1, file_bytes = file_bytes - $3
WHERE form_id = $1 AND creator = $2; UPDATE formalize_form_places SET taken = taken - 1
WHERE form_id = $1;

-- delete a submission that its creator may read
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT $2 AS subject) AS subjects;

-- delete a submission that its creator may read
UPDATE formalize_submission_places SET taken = taken - 1, file_bytes = file_bytes - $3
WHERE form_id = $1 AND creator = $2;

-- delete a subscription; delete ended sessions, webhooks and what is old; manage webhooks, ...
DELETE
FROM formalize_event_subscriptions
WHERE name = $1;

-- delete all submissions; delete all submissions of a form with a limit; submit and delete without an event log
DELETE
FROM formalize_resources
WHERE anchor IN (
  SELECT id
  FROM formalize_submissions
  WHERE form_id = $1 AND state = $2);

-- delete all submissions; delete all submissions of a form with a limit; submit and delete without an event log
DELETE
FROM formalize_submission_places
WHERE form_id = $1 AND taken <= 0;

-- delete all submissions; delete all submissions of a form with a limit; submit and delete without an event log
DELETE
FROM formalize_submissions
WHERE form_id = $1 AND state = $2;

-- delete all submissions
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT 'user:' || creator
  FROM formalize_submissions AS submissions
  WHERE form_id = $2 AND creator <> '' AND (state & $3) <> 0) AS subjects;

-- delete all submissions
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT grants.subject
  FROM formalize_submissions AS submissions
  JOIN formalize_grants AS grants ON grants.anchor = submissions.id
  WHERE submissions.form_id = $2 AND (submissions.state & $3) <> 0 AND grants.action IN (
    SELECT value
    FROM json_each($4))) AS subjects;

-- delete all submissions; delete all submissions of a form with a limit; submit and delete without an event log
UPDATE formalize_submission_places AS submission_places SET taken = taken - (
  SELECT count(*)
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = $1 AND submissions.creator = submission_places.creator AND submissions.state = $2), file_bytes = file_bytes - (
  SELECT CAST(coalesce(sum(submissions.file_bytes), 0) AS BIGINT)
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = $1 AND submissions.creator = submission_places.creator AND submissions.state = $2 AND submissions.num_files > 0)
WHERE form_id = $1; UPDATE formalize_form_places SET taken = 0
WHERE form_id = $1;

-- delete ended sessions; delete ended sessions, webhooks and what is old
DELETE
FROM formalize_api_tokens AS api_tokens
WHERE id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND kind = 2 AND CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END <= $2;

-- delete ended sessions; delete ended sessions, webhooks and what is old
DELETE
FROM formalize_kept_responses
WHERE (owner, key_text) IN (
  SELECT owner, key_text
  FROM formalize_kept_responses
  WHERE date_expires <= $1
  ORDER BY date_expires
  LIMIT $2) AND date_expires <= $1;

-- delete ended sessions; delete ended sessions, webhooks and what is old
DELETE
FROM formalize_webhook_attempts
WHERE (delivery_id, number) IN (
  SELECT delivery_id, number
  FROM formalize_webhook_attempts
  WHERE date < $1
  ORDER BY date
  LIMIT $2) AND date < $1;

-- delete ended sessions; delete ended sessions, webhooks and what is old
DELETE
FROM formalize_webhook_deliveries
WHERE id IN (
  SELECT id
  FROM formalize_webhook_deliveries
  WHERE state = 'delivered' AND date_done < $1
  ORDER BY date_done
  LIMIT $2) AND state = 'delivered' AND date_done < $1;

-- delete ended sessions; delete ended sessions, webhooks and what is old
SELECT count(*) AS counted, min(date_created) AS oldest
FROM formalize_webhook_deliveries
WHERE webhook_id > $1 AND date_next_attempt IS NOT NULL;

-- delete ended sessions; delete ended sessions, webhooks and what is old
SELECT event_data.event_id AS id, event_data.submission_id
FROM formalize_event_data AS event_data
WHERE event_data.event_id > $1
ORDER BY event_data.event_id
LIMIT $2;

-- delete ended sessions; delete ended sessions, webhooks and what is old
SELECT id
FROM formalize_api_tokens AS api_tokens
WHERE kind = 2 AND CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END <= $1
ORDER BY CASE WHEN date_expires < date_last_used + idle THEN date_expires ELSE date_last_used + idle END
LIMIT $2;

-- delete ended sessions; delete ended sessions, webhooks and what is old
SELECT id
FROM formalize_webhooks
WHERE date_ended <= $1;

-- delete ended sessions; delete ended sessions, webhooks and what is old; delete old events
SELECT min(position) AS position
FROM formalize_events
WHERE position > $1 AND position <= $2 AND date >= $3;

-- delete ended sessions, webhooks and what is old; delete old events
DELETE
FROM formalize_event_audience
WHERE event_id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- delete ended sessions, webhooks and what is old
DELETE
FROM formalize_event_data AS event_data
WHERE event_data.event_id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND NOT EXISTS (
  SELECT 1
  FROM formalize_webhook_deliveries AS webhook_deliveries
  WHERE webhook_deliveries.event_id = event_data.event_id AND webhook_deliveries.state = 'pending');

-- delete ended sessions, webhooks and what is old; delete old events
DELETE
FROM formalize_event_data
WHERE event_id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- delete ended sessions, webhooks and what is old; delete old events
DELETE
FROM formalize_events
WHERE position > $1 AND position <= $2;

-- delete ended sessions, webhooks and what is old; delete old events
DELETE
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE event_id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND state <> 'delivered';

-- delete ended sessions, webhooks and what is old
DELETE
FROM formalize_webhooks
WHERE id = $1;

-- delete ended sessions, webhooks and what is old; delete old events
SELECT id
FROM formalize_events
WHERE position > $1 AND position <= $2;

-- delete ended sessions, webhooks and what is old
SELECT submissions.id AS id
FROM formalize_submissions AS submissions
WHERE submissions.id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- delete ended sessions, webhooks and what is old
SELECT webhook_deliveries.event_id AS id
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.event_id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND webhook_deliveries.state = 'pending';

-- delete ended sessions, webhooks and what is old; manage webhooks; send to webhooks
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
FROM formalize_webhooks AS webhooks
WHERE webhooks.id = $1 AND webhooks.date_ended IS NULL;

-- delete ended sessions, webhooks and what is old; send to webhooks
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes, event_subscriptions.epoch, event_subscriptions.position, (
  SELECT count(*)
  FROM formalize_webhook_deliveries AS webhook_deliveries
  WHERE webhook_deliveries.webhook_id = webhooks.id AND webhook_deliveries.state = 'pending') AS pending
FROM formalize_webhooks AS webhooks
JOIN formalize_event_subscriptions AS event_subscriptions ON event_subscriptions.name = 'webhook:' || substr(lower(hex(webhooks.id)), 1, 8) || '-' || substr(lower(hex(webhooks.id)), 9, 4) || '-' || substr(lower(hex(webhooks.id)), 13, 4) || '-' || substr(lower(hex(webhooks.id)), 17, 4) || '-' || substr(lower(hex(webhooks.id)), 21, 12)
WHERE webhooks.id > $1 AND webhooks.disabled IS NULL;

-- delete ended sessions, webhooks and what is old; delete old events
UPDATE formalize_event_log SET purged_to = $1
WHERE id = 1;

-- deregister an item
DELETE
FROM formalize_resources
WHERE id = $1;

-- deregister an item
INSERT INTO formalize_event_audience (event_id, subject)
SELECT $1, subject
FROM (
  SELECT '' AS subject
  WHERE FALSE
  UNION
  SELECT subject
  FROM formalize_grants AS grants
  WHERE anchor = $2 AND class = $3) AS subjects;

-- dismiss a manager; list links
SELECT form_links.id, form_links.form_id, form_links.label, form_links.creator, form_links.max_submissions, form_links.once_per_browser, form_links.embed_origins, form_links.revision, form_links.date_created, form_links.date_expires, coalesce((
    SELECT taken
    FROM formalize_submission_places AS submission_places
    WHERE submission_places.form_id = form_links.form_id AND submission_places.creator = 'link:' || substr(lower(hex(form_links.id)), 1, 8) || '-' || substr(lower(hex(form_links.id)), 9, 4) || '-' || substr(lower(hex(form_links.id)), 13, 4) || '-' || substr(lower(hex(form_links.id)), 17, 4) || '-' || substr(lower(hex(form_links.id)), 21, 12)), 0) AS taken
FROM formalize_form_links AS form_links
WHERE form_links.form_id = $1 AND form_links.id > $2
ORDER BY form_links.id
LIMIT $3 OFFSET $4;

-- dismiss a manager; list grants of DbpRelayAuthorizationGroup that are collections as the system; list grants of DbpRelayAuthorizationGroup with an identifier as the system, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $1 AND grants.resource_id = wanted.id AND grants.id > $3
          ORDER BY 1
          LIMIT $6))) AS found) AS merged
  ORDER BY id
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- dismiss a manager; manage webhooks
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
FROM (
  SELECT webhooks.id AS id
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.date_ended IS NULL AND webhooks.form_id = $1 AND webhooks.id > $2
  ORDER BY webhooks.id
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN formalize_webhooks AS webhooks
WHERE webhooks.id = page.id
ORDER BY page.id;

-- encrypt the secrets of webhooks; manage webhooks
SELECT webhooks.id, webhooks.secret, webhooks.previous_secret, webhooks.previous_until
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1
ORDER BY webhooks.id
LIMIT $2;

-- encrypt the secrets of webhooks
UPDATE formalize_webhooks SET secret = $3, previous_secret = $4
WHERE id = $1 AND secret = $2;

-- end a session; revoke a token; revoke an own token
DELETE
FROM formalize_api_tokens AS api_tokens
WHERE id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- end a session; end all sessions of a user; revoke a token, ...
SELECT 'formalize_token_revoked';

-- end a session; revoke a token; revoke an own token
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

-- end all sessions of a user
DELETE
FROM formalize_api_tokens
WHERE user_id = $1 AND kind = 2;

-- explain permissions; explain permissions as a manager of everything; explain permissions as the system
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $5
          ORDER BY 1
          LIMIT $8))) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- explain permissions; explain permissions as a manager of everything; explain permissions as the system
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

-- get a membership; read and check items as a manager of collections; read and check items as a manager of everything, ...
SELECT id, group_id, user_id, child_group_id, date_created
FROM formalize_memberships
WHERE id = $1;

-- get a resource; read and check items as a manager of everything; read and check items as one in a dynamic group, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM formalize_resources AS resources
WHERE resources.id = $1 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- give up uploads
UPDATE formalize_submitted_files SET date_expires = 0
WHERE submission_id IS NULL AND date_expires > 0;

-- hold files
DELETE
FROM formalize_file_holds
WHERE date_ends <= $1;

-- hold files
DELETE
FROM formalize_file_holds
WHERE id = $1 AND date_ends > $2;

-- hold files
INSERT INTO formalize_file_holds (id, date_ends)
VALUES ($1, $2);

-- hold files
SELECT id, submission_id
FROM formalize_submitted_files
WHERE id > $1
ORDER BY id
LIMIT $2;

-- hold files
SELECT submitted_files.*
FROM formalize_submitted_files AS submitted_files
WHERE id = $1 AND submission_id IS NOT NULL;

-- hold files
UPDATE formalize_file_holds SET date_ends = $2
WHERE id = $1 AND date_ends > $3;

-- list classes; list classes as a member of nested groups; list classes as a stranger, ...
SELECT $7 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $3
          ORDER BY 1
          LIMIT $6))) AS found) AS merged
  ORDER BY id
  LIMIT $4 OFFSET $5)
UNION ALL
SELECT $17 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($8) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $9 AND grants.resource_id > $13
          ORDER BY 1
          LIMIT $16))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($8) AS subject
    CROSS JOIN json_each($10) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $11 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $12 AND resources.id > $13) AS found
          ORDER BY 1
          LIMIT $16))) AS found) AS merged
  ORDER BY id
  LIMIT $14 OFFSET $15)
UNION ALL
SELECT $42 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($18) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $19 AND grants.resource_id > $38
          ORDER BY 1
          LIMIT $41))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($18) AS subject
    CROSS JOIN json_each($22) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND grants.class = $23 AND grants.resource_id > $38
          ORDER BY 1
          LIMIT $41))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($18) AS subject
      CROSS JOIN json_each($24) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $25 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $26 AND resources.id > $38
          ORDER BY 1
          LIMIT $41))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($18) AS subject
      CROSS JOIN json_each($27) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $28 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $29 AND resources.id > $38
          ORDER BY 1
          LIMIT $41))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($18) AS subject
    CROSS JOIN json_each($32) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $30 OR (forms.allowed_actions & $31) <> 0) AND grants.class = $33 AND grants.resource_id > $38
          ORDER BY 1
          LIMIT $41))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($18) AS subject
    CROSS JOIN json_each($36) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $34 OR (forms.allowed_actions & $35) <> 0) AND grants.class = $37 AND grants.resource_id > $38
          ORDER BY 1
          LIMIT $41))) AS found) AS merged
  ORDER BY id
  LIMIT $39 OFFSET $40)
UNION ALL
SELECT $52 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($43) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $44 AND grants.resource_id > $48
          ORDER BY 1
          LIMIT $51))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($43) AS subject
    CROSS JOIN json_each($45) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $46 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $47 AND resources.id > $48) AS found
          ORDER BY 1
          LIMIT $51))) AS found) AS merged
  ORDER BY id
  LIMIT $49 OFFSET $50)
UNION ALL
SELECT $59 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($53) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $54 AND grants.resource_id > $55
          ORDER BY 1
          LIMIT $58))) AS found) AS merged
  ORDER BY id
  LIMIT $56 OFFSET $57);

-- list classes as a manager of collections; list classes as an administrator
SELECT $8 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $4
          ORDER BY 1
          LIMIT $7))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($3)) AND resources.identifier = '' AND resources.id > $4) AS found
      ORDER BY 1
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6)
UNION ALL
SELECT $19 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($9) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $10 AND grants.resource_id > $15
          ORDER BY 1
          LIMIT $18))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($9) AS subject
    CROSS JOIN json_each($11) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $13 AND resources.id > $15) AS found
          ORDER BY 1
          LIMIT $18))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($14)) AND resources.identifier = '' AND resources.id > $15) AS found
      ORDER BY 1
      LIMIT $18) AS found) AS merged
  ORDER BY id
  LIMIT $16 OFFSET $17)
UNION ALL
SELECT $45 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($20) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $21 AND grants.resource_id > $41
          ORDER BY 1
          LIMIT $44))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($20) AS subject
    CROSS JOIN json_each($24) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $22 OR (forms.allowed_actions & $23) <> 0) AND grants.class = $25 AND grants.resource_id > $41
          ORDER BY 1
          LIMIT $44))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($20) AS subject
      CROSS JOIN json_each($26) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $27 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $28 AND resources.id > $41
          ORDER BY 1
          LIMIT $44))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($20) AS subject
      CROSS JOIN json_each($29) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $30 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $31 AND resources.id > $41
          ORDER BY 1
          LIMIT $44))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($20) AS subject
    CROSS JOIN json_each($34) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $32 OR (forms.allowed_actions & $33) <> 0) AND grants.class = $35 AND grants.resource_id > $41
          ORDER BY 1
          LIMIT $44))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($20) AS subject
    CROSS JOIN json_each($38) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $36 OR (forms.allowed_actions & $37) <> 0) AND grants.class = $39 AND grants.resource_id > $41
          ORDER BY 1
          LIMIT $44))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($40)) AND resources.identifier = '' AND resources.id > $41) AS found
      ORDER BY 1
      LIMIT $44) AS found) AS merged
  ORDER BY id
  LIMIT $42 OFFSET $43)
UNION ALL
SELECT $56 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($46) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $47 AND grants.resource_id > $52
          ORDER BY 1
          LIMIT $55))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($46) AS subject
    CROSS JOIN json_each($48) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $49 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $50 AND resources.id > $52) AS found
          ORDER BY 1
          LIMIT $55))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($51)) AND resources.identifier = '' AND resources.id > $52) AS found
      ORDER BY 1
      LIMIT $55) AS found) AS merged
  ORDER BY id
  LIMIT $53 OFFSET $54)
UNION ALL
SELECT $64 AS class
WHERE EXISTS (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($57) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $58 AND grants.resource_id > $60
          ORDER BY 1
          LIMIT $63))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($59)) AND resources.identifier = '' AND resources.id > $60) AS found
      ORDER BY 1
      LIMIT $63) AS found) AS merged
  ORDER BY id
  LIMIT $61 OFFSET $62);

-- list classes as a manager of everything
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
    SELECT unhex(found.value) AS id
    FROM json_each($15) AS subject
    CROSS JOIN json_each($18) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $16 OR (forms.allowed_actions & $17) <> 0) AND grants.class = $19 AND grants.resource_id > $30
          ORDER BY 1
          LIMIT $33))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($15) AS subject
    CROSS JOIN json_each($22) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND grants.class = $23 AND grants.resource_id > $30
          ORDER BY 1
          LIMIT $33))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($15) AS subject
    CROSS JOIN json_each($26) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $24 OR (forms.allowed_actions & $25) <> 0) AND grants.class = $27 AND grants.resource_id > $30
          ORDER BY 1
          LIMIT $33))) AS found
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

-- list classes as the system
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

-- list forms; list forms as a manager of collections; list forms as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $4
            ORDER BY grants.anchor
            LIMIT $7))) AS found) AS merged
    ORDER BY id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $8
ORDER BY page.id;

-- list forms as a manager of everything; list forms as the system; list forms to fill in as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT forms.id AS id
    FROM formalize_forms AS forms
    WHERE (forms.id IS NULL OR forms.id NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND forms.id > $1
    ORDER BY 1
    LIMIT $2 OFFSET $3) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $4
ORDER BY page.id;

-- list forms by key and without one as a manager of collections; list forms by key and without one as a member of nested groups; list forms by key and without one as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (
              SELECT keyed.frontend_key IN (
                SELECT value
                FROM json_each($4)) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
                  SELECT value
                  FROM json_each($5)))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $6
            ORDER BY grants.anchor
            LIMIT $9))) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list forms by key and without one as a manager of everything; list forms by key and without one as the system; list forms with submissions by key and without one as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($2) AS frontend
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT forms.id AS id
            FROM formalize_forms AS forms
            WHERE (forms.id IS NULL OR forms.id NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND (forms.frontend_key IS NULL OR NOT forms.frontend_key IN (
                SELECT value
                FROM json_each($1))) AND forms.frontend_key IS NOT NULL AND forms.frontend_key = frontend.value AND forms.id > $3
            ORDER BY forms.id
            LIMIT $6))) AS found) AS merged
    ORDER BY id
    LIMIT $4 OFFSET $5) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $7
ORDER BY page.id;

-- list forms by key as a manager of collections; list forms by key as a member of nested groups; list forms by key as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (
              SELECT keyed.frontend_key IN (
                SELECT value
                FROM json_each($4))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $5
            ORDER BY grants.anchor
            LIMIT $8))) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list forms by key as a manager of everything; list forms by key as the system; list forms with submissions by key as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS frontend
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT forms.id AS id
            FROM formalize_forms AS forms
            WHERE (forms.id IS NULL OR forms.id NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND forms.frontend_key IS NOT NULL AND forms.frontend_key = frontend.value AND forms.id > $2
            ORDER BY forms.id
            LIMIT $5))) AS found) AS merged
    ORDER BY id
    LIMIT $3 OFFSET $4) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $6
ORDER BY page.id;

-- list forms to fill in; list forms to fill in as a manager of collections; list forms to fill in as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $6
            ORDER BY grants.anchor
            LIMIT $9))) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND grants.anchor > $6
            ORDER BY grants.anchor
            LIMIT $9))) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list forms to look after; list forms to look after as a manager of collections; list forms to look after as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($21)) AND (held.class = $22 AND held.action IN (
                  SELECT value
                  FROM json_each($23))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $24
            ORDER BY grants.anchor
            LIMIT $27))) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($21)) AND (held.class = $22 AND held.action IN (
                  SELECT value
                  FROM json_each($23))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND grants.anchor > $24
            ORDER BY grants.anchor
            LIMIT $27))) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($6) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($21)) AND (held.class = $22 AND held.action IN (
                  SELECT value
                  FROM json_each($23))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND grants.anchor > $24
            ORDER BY grants.anchor
            LIMIT $27))) AS found
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
          WHERE held.subject IN (
            SELECT value
            FROM json_each($21)) AND (held.class = $22 AND held.action IN (
              SELECT value
              FROM json_each($23))) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND submission_places.creator = $8 AND submission_places.form_id > $24
        ORDER BY submission_places.form_id
        LIMIT $27) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM json_each($1) AS subject
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
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT DISTINCT forms.id AS id
            FROM formalize_forms AS forms
            WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND (EXISTS (
                SELECT 1
                FROM formalize_grants AS held
                WHERE held.subject IN (
                  SELECT value
                  FROM json_each($11)) AND (held.class = $12 AND held.action IN (
                    SELECT value
                    FROM json_each($13)) OR held.class = $14 AND held.action IN (
                    SELECT value
                    FROM json_each($15)) OR held.class = $16 AND held.action IN (
                    SELECT value
                    FROM json_each($17))) AND held.anchor = forms.id
                LIMIT 1 OFFSET 0) OR EXISTS (
                SELECT 1
                FROM formalize_grants AS grants
                CROSS JOIN formalize_submissions AS submissions
                WHERE grants.form_id = forms.id AND grants.subject IN (
                  SELECT value
                  FROM json_each($1)) AND grants.action IN (
                  SELECT value
                  FROM json_each($18)) AND submissions.id = grants.anchor AND (submissions.state = $19 OR (forms.allowed_actions & $20) <> 0)
                LIMIT 1 OFFSET 0)) AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($21)) AND (held.class = $22 AND held.action IN (
                  SELECT value
                  FROM json_each($23))) AND held.anchor = forms.id
              LIMIT 1 OFFSET 0) AND forms.id > $24
            ORDER BY 1
            LIMIT $27))) AS found) AS merged
    ORDER BY id
    LIMIT $25 OFFSET $26) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $28
ORDER BY page.id;

-- list forms with submissions as a manager of collections; list forms with submissions as a member of nested groups; list forms with submissions as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $20
            ORDER BY grants.anchor
            LIMIT $23))) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND grants.anchor > $20
            ORDER BY grants.anchor
            LIMIT $23))) AS found
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
          WHERE held.subject IN (
            SELECT value
            FROM json_each($17)) AND (held.class = $18 AND held.action IN (
              SELECT value
              FROM json_each($19))) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND submission_places.creator = $6 AND submission_places.form_id > $20
        ORDER BY submission_places.form_id
        LIMIT $23) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM json_each($1) AS subject
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
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT DISTINCT forms.id AS id
            FROM formalize_forms AS forms
            WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND (EXISTS (
                SELECT 1
                FROM formalize_grants AS held
                WHERE held.subject IN (
                  SELECT value
                  FROM json_each($9)) AND (held.class = $10 AND held.action IN (
                    SELECT value
                    FROM json_each($11)) OR held.class = $12 AND held.action IN (
                    SELECT value
                    FROM json_each($13))) AND held.anchor = forms.id
                LIMIT 1 OFFSET 0) OR EXISTS (
                SELECT 1
                FROM formalize_grants AS grants
                CROSS JOIN formalize_submissions AS submissions
                WHERE grants.form_id = forms.id AND grants.subject IN (
                  SELECT value
                  FROM json_each($1)) AND grants.action IN (
                  SELECT value
                  FROM json_each($14)) AND submissions.id = grants.anchor AND (submissions.state = $15 OR (forms.allowed_actions & $16) <> 0)
                LIMIT 1 OFFSET 0)) AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = forms.id
              LIMIT 1 OFFSET 0) AND forms.id > $20
            ORDER BY 1
            LIMIT $23))) AS found) AS merged
    ORDER BY id
    LIMIT $21 OFFSET $22) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $24
ORDER BY page.id;

-- list forms with submissions by key and without one as a manager of collections; list forms with submissions by key and without one as a member of nested groups; list forms with submissions by key and without one as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND (
              SELECT keyed.frontend_key IN (
                SELECT value
                FROM json_each($20)) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
                  SELECT value
                  FROM json_each($21)))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $22
            ORDER BY grants.anchor
            LIMIT $25))) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND (
              SELECT keyed.frontend_key IN (
                SELECT value
                FROM json_each($20)) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
                  SELECT value
                  FROM json_each($21)))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND grants.anchor > $22
            ORDER BY grants.anchor
            LIMIT $25))) AS found
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
          WHERE held.subject IN (
            SELECT value
            FROM json_each($17)) AND (held.class = $18 AND held.action IN (
              SELECT value
              FROM json_each($19))) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key IN (
            SELECT value
            FROM json_each($20)) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
              SELECT value
              FROM json_each($21)))
          FROM formalize_forms AS keyed
          WHERE keyed.id = submission_places.form_id) AND submission_places.creator = $6 AND submission_places.form_id > $22
        ORDER BY submission_places.form_id
        LIMIT $25) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM json_each($1) AS subject
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
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT DISTINCT forms.id AS id
            FROM formalize_forms AS forms
            WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND (EXISTS (
                SELECT 1
                FROM formalize_grants AS held
                WHERE held.subject IN (
                  SELECT value
                  FROM json_each($9)) AND (held.class = $10 AND held.action IN (
                    SELECT value
                    FROM json_each($11)) OR held.class = $12 AND held.action IN (
                    SELECT value
                    FROM json_each($13))) AND held.anchor = forms.id
                LIMIT 1 OFFSET 0) OR EXISTS (
                SELECT 1
                FROM formalize_grants AS grants
                CROSS JOIN formalize_submissions AS submissions
                WHERE grants.form_id = forms.id AND grants.subject IN (
                  SELECT value
                  FROM json_each($1)) AND grants.action IN (
                  SELECT value
                  FROM json_each($14)) AND submissions.id = grants.anchor AND (submissions.state = $15 OR (forms.allowed_actions & $16) <> 0)
                LIMIT 1 OFFSET 0)) AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = forms.id
              LIMIT 1 OFFSET 0) AND (
              SELECT keyed.frontend_key IN (
                SELECT value
                FROM json_each($20)) AND (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
                  SELECT value
                  FROM json_each($21)))
              FROM formalize_forms AS keyed
              WHERE keyed.id = forms.id) AND forms.id > $22
            ORDER BY 1
            LIMIT $25))) AS found) AS merged
    ORDER BY id
    LIMIT $23 OFFSET $24) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $26
ORDER BY page.id;

-- list forms with submissions by key as a manager of collections; list forms with submissions by key as a member of nested groups; list forms with submissions by key as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND (
              SELECT keyed.frontend_key IN (
                SELECT value
                FROM json_each($20))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $21
            ORDER BY grants.anchor
            LIMIT $24))) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND (
              SELECT keyed.frontend_key IN (
                SELECT value
                FROM json_each($20))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND grants.anchor > $21
            ORDER BY grants.anchor
            LIMIT $24))) AS found
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
          WHERE held.subject IN (
            SELECT value
            FROM json_each($17)) AND (held.class = $18 AND held.action IN (
              SELECT value
              FROM json_each($19))) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND (
          SELECT keyed.frontend_key IN (
            SELECT value
            FROM json_each($20))
          FROM formalize_forms AS keyed
          WHERE keyed.id = submission_places.form_id) AND submission_places.creator = $6 AND submission_places.form_id > $21
        ORDER BY submission_places.form_id
        LIMIT $24) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM json_each($1) AS subject
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
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT DISTINCT forms.id AS id
            FROM formalize_forms AS forms
            WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND (EXISTS (
                SELECT 1
                FROM formalize_grants AS held
                WHERE held.subject IN (
                  SELECT value
                  FROM json_each($9)) AND (held.class = $10 AND held.action IN (
                    SELECT value
                    FROM json_each($11)) OR held.class = $12 AND held.action IN (
                    SELECT value
                    FROM json_each($13))) AND held.anchor = forms.id
                LIMIT 1 OFFSET 0) OR EXISTS (
                SELECT 1
                FROM formalize_grants AS grants
                CROSS JOIN formalize_submissions AS submissions
                WHERE grants.form_id = forms.id AND grants.subject IN (
                  SELECT value
                  FROM json_each($1)) AND grants.action IN (
                  SELECT value
                  FROM json_each($14)) AND submissions.id = grants.anchor AND (submissions.state = $15 OR (forms.allowed_actions & $16) <> 0)
                LIMIT 1 OFFSET 0)) AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = forms.id
              LIMIT 1 OFFSET 0) AND (
              SELECT keyed.frontend_key IN (
                SELECT value
                FROM json_each($20))
              FROM formalize_forms AS keyed
              WHERE keyed.id = forms.id) AND forms.id > $21
            ORDER BY 1
            LIMIT $24))) AS found) AS merged
    ORDER BY id
    LIMIT $22 OFFSET $23) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $25
ORDER BY page.id;

-- list forms with submissions without a key as a manager of collections; list forms with submissions without a key as a member of nested groups; list forms with submissions without a key as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND (
              SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
                  SELECT value
                  FROM json_each($20)))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $21
            ORDER BY grants.anchor
            LIMIT $24))) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = grants.anchor
              LIMIT 1 OFFSET 0) AND (
              SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
                  SELECT value
                  FROM json_each($20)))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND grants.anchor > $21
            ORDER BY grants.anchor
            LIMIT $24))) AS found
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
          WHERE held.subject IN (
            SELECT value
            FROM json_each($17)) AND (held.class = $18 AND held.action IN (
              SELECT value
              FROM json_each($19))) AND held.anchor = submission_places.form_id
          LIMIT 1 OFFSET 0) AND (
          SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
              SELECT value
              FROM json_each($20)))
          FROM formalize_forms AS keyed
          WHERE keyed.id = submission_places.form_id) AND submission_places.creator = $6 AND submission_places.form_id > $21
        ORDER BY submission_places.form_id
        LIMIT $24) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM (
        WITH RECURSIVE shared (subject, id) AS (
          SELECT subject.value, (
            SELECT grants.form_id
            FROM formalize_grants AS grants
            WHERE grants.subject = subject.value AND grants.form_id IS NOT NULL
            ORDER BY grants.form_id
            LIMIT 1)
          FROM json_each($1) AS subject
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
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT DISTINCT forms.id AS id
            FROM formalize_forms AS forms
            WHERE forms.id = shared.id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND (EXISTS (
                SELECT 1
                FROM formalize_grants AS held
                WHERE held.subject IN (
                  SELECT value
                  FROM json_each($9)) AND (held.class = $10 AND held.action IN (
                    SELECT value
                    FROM json_each($11)) OR held.class = $12 AND held.action IN (
                    SELECT value
                    FROM json_each($13))) AND held.anchor = forms.id
                LIMIT 1 OFFSET 0) OR EXISTS (
                SELECT 1
                FROM formalize_grants AS grants
                CROSS JOIN formalize_submissions AS submissions
                WHERE grants.form_id = forms.id AND grants.subject IN (
                  SELECT value
                  FROM json_each($1)) AND grants.action IN (
                  SELECT value
                  FROM json_each($14)) AND submissions.id = grants.anchor AND (submissions.state = $15 OR (forms.allowed_actions & $16) <> 0)
                LIMIT 1 OFFSET 0)) AND EXISTS (
              SELECT 1
              FROM formalize_grants AS held
              WHERE held.subject IN (
                SELECT value
                FROM json_each($17)) AND (held.class = $18 AND held.action IN (
                  SELECT value
                  FROM json_each($19))) AND held.anchor = forms.id
              LIMIT 1 OFFSET 0) AND (
              SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
                  SELECT value
                  FROM json_each($20)))
              FROM formalize_forms AS keyed
              WHERE keyed.id = forms.id) AND forms.id > $21
            ORDER BY 1
            LIMIT $24))) AS found) AS merged
    ORDER BY id
    LIMIT $22 OFFSET $23) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $25
ORDER BY page.id;

-- list forms with submissions without a key as a manager of everything; list forms with submissions without a key as the system; list forms without a key as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT forms.id AS id
    FROM formalize_forms AS forms
    WHERE (forms.id IS NULL OR forms.id NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND (forms.frontend_key IS NULL OR NOT forms.frontend_key IN (
        SELECT value
        FROM json_each($1))) AND forms.id > $2
    ORDER BY 1
    LIMIT $3 OFFSET $4) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $5
ORDER BY page.id;

-- list forms without a key as a manager of collections; list forms without a key as a member of nested groups; list forms without a key as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(forms.data_feed_schema), 0) + coalesce(octet_length(forms.localized_names), 0) + coalesce(octet_length(forms.additional_data), 0) + coalesce(octet_length(forms.available_tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($2) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (
              SELECT (keyed.frontend_key IS NULL OR NOT keyed.frontend_key IN (
                  SELECT value
                  FROM json_each($4)))
              FROM formalize_forms AS keyed
              WHERE keyed.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $5
            ORDER BY grants.anchor
            LIMIT $8))) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_forms AS forms
  WHERE forms.id = page.id)
SELECT forms.id, forms.name, forms.grant_based, forms.allowed_actions, forms.allowed_states, forms.available_starts, forms.availability_ends, forms.max_per_creator, forms.max_submissions, forms.revision, forms.date_created, forms.data_feed_schema, forms.localized_names, forms.frontend_key, forms.additional_data, forms.tag_permissions, forms.available_tags, forms.contact
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_forms AS forms
WHERE forms.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list grants; list grants as a member of nested groups; list grants as a stranger, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL
      UNION
      SELECT DISTINCT resources.id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($9) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0)) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants as a manager of collections; list grants as an administrator
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.id > $11
          ORDER BY 1
          LIMIT $14))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL
      UNION
      SELECT DISTINCT resources.id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($9) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0)
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($10)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $11
          ORDER BY 1
          LIMIT $14))) AS found) AS merged
  ORDER BY id
  LIMIT $12 OFFSET $13) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants as a manager of everything
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.id > $6
      ORDER BY 1
      LIMIT $9) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0)) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants as the system
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT grants.id AS id
  FROM formalize_grants AS grants
  WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup as a manager of collections; list grants of DbpRelayAuthorizationGroup as an administrator; list grants of DbpRelayFormalizeForm as a manager of collections, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $7
          ORDER BY 1
          LIMIT $10))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($6)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $7
          ORDER BY 1
          LIMIT $10))) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup as a manager of everything; list grants of DbpRelayFormalizeForm as a manager of everything; list grants of DbpRelayFormalizeSubmissionCollection as a manager of everything, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $5
          ORDER BY 1
          LIMIT $8))) AS found
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
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup as a member of nested groups; list grants of DbpRelayAuthorizationGroup as a stranger; list grants of DbpRelayAuthorizationGroup as one in a dynamic group, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup as the system; list grants of DbpRelayFormalizeForm as the system; list grants of DbpRelayFormalizeSubmission as the system, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT grants.id AS id
  FROM formalize_grants AS grants
  WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.class = $1 AND grants.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup that are collections as a manager of collections; list grants of DbpRelayAuthorizationGroup that are collections as an administrator; list grants of DbpRelayFormalizeForm that are collections as a manager of collections, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($8)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup that are collections as a manager of everything; list grants of DbpRelayAuthorizationGroup with an identifier as a manager of everything; list grants of DbpRelayFormalizeForm that are collections as a manager of everything, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $7
          ORDER BY 1
          LIMIT $10))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $5) AS wanted
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.form_id IS NULL AND grants.class = $4 AND grants.resource_id = wanted.id AND grants.id > $7
          ORDER BY 1
          LIMIT $10))) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup that are collections as a member of nested groups; list grants of DbpRelayAuthorizationGroup that are collections as a stranger; list grants of DbpRelayAuthorizationGroup that are collections as one in a dynamic group, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $8
          ORDER BY 1
          LIMIT $11))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $8
          ORDER BY 1
          LIMIT $11))) AS found) AS merged
  ORDER BY id
  LIMIT $9 OFFSET $10) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup without collections as a manager of collections; list grants of DbpRelayAuthorizationGroup without collections as a member of nested groups; list grants of DbpRelayAuthorizationGroup without collections as a stranger, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup without collections as a manager of everything; list grants of DbpRelayFormalizeForm without collections as a manager of everything; list grants of DbpRelayFormalizeSubmissionCollection without collections as a manager of everything, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $5
          ORDER BY 1
          LIMIT $8))) AS found
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
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayAuthorizationGroup without collections as the system; list grants of DbpRelayFormalizeForm without collections as the system; list grants of DbpRelayFormalizeSubmission without collections as the system, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
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
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmission as a manager of collections; list grants of DbpRelayFormalizeSubmission as an administrator
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $11
          ORDER BY 1
          LIMIT $14))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($8) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($10)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $11
          ORDER BY 1
          LIMIT $14))) AS found) AS merged
  ORDER BY id
  LIMIT $12 OFFSET $13) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmission as a manager of everything
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT grants.id AS id
      FROM formalize_grants AS grants
      WHERE grants.form_id IS NULL AND grants.class = $3 AND grants.id > $9
      ORDER BY 1
      LIMIT $12) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($4) AS subject
      CROSS JOIN json_each($7) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND grants.class = $8) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmission as a member of nested groups; list grants of DbpRelayFormalizeSubmission as a stranger; list grants of DbpRelayFormalizeSubmission as one in a dynamic group, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($8) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmission that are collections as a manager of collections; list grants of DbpRelayFormalizeSubmission that are collections as an administrator
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $14
          ORDER BY 1
          LIMIT $17))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $12) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($10) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.class = $11 AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($13)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $14
          ORDER BY 1
          LIMIT $17))) AS found) AS merged
  ORDER BY id
  LIMIT $15 OFFSET $16) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmission that are collections as a manager of everything; list grants of DbpRelayFormalizeSubmission with an identifier as a manager of everything
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $12
          ORDER BY 1
          LIMIT $15))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $5) AS wanted
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.form_id IS NULL AND grants.class = $4 AND grants.resource_id = wanted.id AND grants.id > $12
          ORDER BY 1
          LIMIT $15))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $11) AS wanted
      CROSS JOIN json_each($6) AS subject
      CROSS JOIN json_each($9) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) AND grants.class = $10 AND grants.resource_id = wanted.id) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $12
          ORDER BY 1
          LIMIT $15))) AS found) AS merged
  ORDER BY id
  LIMIT $13 OFFSET $14) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmission that are collections as a member of nested groups; list grants of DbpRelayFormalizeSubmission that are collections as a stranger; list grants of DbpRelayFormalizeSubmission that are collections as one in a dynamic group, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $13
          ORDER BY 1
          LIMIT $16))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $12) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($10) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.class = $11 AND grants.resource_id = wanted.id) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $13
          ORDER BY 1
          LIMIT $16))) AS found) AS merged
  ORDER BY id
  LIMIT $14 OFFSET $15) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmission without collections as a manager of collections; list grants of DbpRelayFormalizeSubmission without collections as a member of nested groups; list grants of DbpRelayFormalizeSubmission without collections as a stranger, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> ''
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($8) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9 AND resources.id = grants.resource_id AND resources.identifier <> '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmission without collections as a manager of everything
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found
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
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($4) AS subject
      CROSS JOIN json_each($7) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND grants.class = $8 AND resources.id = grants.resource_id AND resources.identifier <> '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmissionCollection as a manager of collections; list grants of DbpRelayFormalizeSubmissionCollection as an administrator
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5
      UNION
      SELECT DISTINCT resources.id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($6) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($9)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmissionCollection as a member of nested groups; list grants of DbpRelayFormalizeSubmissionCollection as a stranger; list grants of DbpRelayFormalizeSubmissionCollection as one in a dynamic group, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5
      UNION
      SELECT DISTINCT resources.id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($6) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmissionCollection that are collections as a manager of collections; list grants of DbpRelayFormalizeSubmissionCollection that are collections as an administrator
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $13
          ORDER BY 1
          LIMIT $16))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT resources.id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $11) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($8) AS action
      CROSS JOIN formalize_resources AS resources
      CROSS JOIN formalize_grants AS grants
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $9 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $10 AND resources.id = wanted.id
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($12)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $13
          ORDER BY 1
          LIMIT $16))) AS found) AS merged
  ORDER BY id
  LIMIT $14 OFFSET $15) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmissionCollection that are collections as a member of nested groups; list grants of DbpRelayFormalizeSubmissionCollection that are collections as a stranger; list grants of DbpRelayFormalizeSubmissionCollection that are collections as one in a dynamic group, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.id > $12
          ORDER BY 1
          LIMIT $15))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $7) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $6 AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT resources.id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $11) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($8) AS action
      CROSS JOIN formalize_resources AS resources
      CROSS JOIN formalize_grants AS grants
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $9 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $10 AND resources.id = wanted.id) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $12
          ORDER BY 1
          LIMIT $15))) AS found) AS merged
  ORDER BY id
  LIMIT $13 OFFSET $14) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of DbpRelayFormalizeSubmissionCollection without collections as a manager of collections; list grants of DbpRelayFormalizeSubmissionCollection without collections as a member of nested groups; list grants of DbpRelayFormalizeSubmissionCollection without collections as a stranger, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $5 AND resources.id = grants.resource_id AND resources.identifier <> ''
      UNION
      SELECT DISTINCT resources.id AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($6) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of a holder; list grants of a holder as one in a dynamic group; list grants of a holder as the holder of little, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT grants.id AS id
  FROM formalize_grants AS grants
  WHERE grants.subject = $1 AND (grants.form_id IS NULL OR grants.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND grants.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of a holder as a manager of collections; list grants of a holder as an administrator
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL
      UNION
      SELECT DISTINCT resources.id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($9) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0)
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($10)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.subject = $1 AND grants.id > $11
          ORDER BY 1
          LIMIT $14))) AS found) AS merged
  ORDER BY id
  LIMIT $12 OFFSET $13) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of a holder as a manager of everything
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
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
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0)) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.subject = $1 AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants of a holder as a member of nested groups; list grants of a holder as a stranger; list grants of a holder as one in a dynamic group, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL
      UNION
      SELECT DISTINCT resources.id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($9) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0)) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.subject = $1 AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants that are collections as a manager of collections; list grants that are collections as an administrator
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.resource_id = wanted.id AND grants.id > $15
          ORDER BY 1
          LIMIT $18))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $5) AS wanted
      CROSS JOIN json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT resources.id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $9) AS wanted
      CROSS JOIN json_each($3) AS subject
      CROSS JOIN json_each($6) AS action
      CROSS JOIN formalize_resources AS resources
      CROSS JOIN formalize_grants AS grants
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8 AND resources.id = wanted.id
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $13) AS wanted
      CROSS JOIN json_each($3) AS subject
      CROSS JOIN json_each($12) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT resources.id AS id
      FROM formalize_resources AS resources
      WHERE resources.class IN (
        SELECT value
        FROM json_each($14)) AND resources.identifier = '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $15
          ORDER BY 1
          LIMIT $18))) AS found) AS merged
  ORDER BY id
  LIMIT $16 OFFSET $17) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants that are collections as a manager of everything; list grants with an identifier as a manager of everything
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.resource_id = wanted.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.form_id IS NULL AND grants.resource_id = wanted.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $8) AS wanted
      CROSS JOIN json_each($4) AS subject
      CROSS JOIN json_each($7) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND grants.resource_id = wanted.id) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $9
          ORDER BY 1
          LIMIT $12))) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants that are collections as a member of nested groups; list grants that are collections as a stranger; list grants that are collections as one in a dynamic group, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.resource_id = wanted.id AND grants.id > $14
          ORDER BY 1
          LIMIT $17))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $5) AS wanted
      CROSS JOIN json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.resource_id = wanted.id
      UNION
      SELECT DISTINCT resources.id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $9) AS wanted
      CROSS JOIN json_each($3) AS subject
      CROSS JOIN json_each($6) AS action
      CROSS JOIN formalize_resources AS resources
      CROSS JOIN formalize_grants AS grants
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $7 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $8 AND resources.id = wanted.id
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM (
        SELECT id
        FROM formalize_resources
        WHERE identifier = $13) AS wanted
      CROSS JOIN json_each($3) AS subject
      CROSS JOIN json_each($12) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.resource_id = wanted.id) AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $14
          ORDER BY 1
          LIMIT $17))) AS found) AS merged
  ORDER BY id
  LIMIT $15 OFFSET $16) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants that are collections as the system; list grants with an identifier as the system
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $1) AS wanted
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND grants.resource_id = wanted.id AND grants.id > $2
          ORDER BY 1
          LIMIT $5))) AS found) AS merged
  ORDER BY id
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants without collections as a manager of collections; list grants without collections as a member of nested groups; list grants without collections as a stranger, ...
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND resources.id = grants.resource_id AND resources.identifier <> ''
      UNION
      SELECT DISTINCT resources.id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_resources AS resources
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6
      UNION
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($9) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $10
          ORDER BY 1
          LIMIT $13))) AS found) AS merged
  ORDER BY id
  LIMIT $11 OFFSET $12) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants without collections as a manager of everything
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND (grants.form_id IS NULL OR grants.form_id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found
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
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.resource_id AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($5) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      CROSS JOIN formalize_submissions AS submissions
      CROSS JOIN formalize_resources AS resources
      WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
          SELECT forms.id
          FROM formalize_forms AS forms
          WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) AND resources.id = grants.resource_id AND resources.identifier <> '') AS resource
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.id AS id
          FROM formalize_grants AS grants
          WHERE grants.resource_id = resource.id AND grants.id > $6
          ORDER BY 1
          LIMIT $9))) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list grants without collections as the system
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
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
CROSS JOIN formalize_grants AS grants
CROSS JOIN formalize_resources AS resources
WHERE resources.id = grants.resource_id AND grants.id = page.id
ORDER BY page.id;

-- list groups; list groups as a manager of collections; list groups as a member of nested groups, ...
SELECT groups.id, groups.name, groups.revision, groups.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT grants.anchor AS id
          FROM formalize_grants AS grants
          WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $4
          ORDER BY grants.anchor
          LIMIT $7))) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN formalize_groups AS groups
WHERE groups.id = page.id
ORDER BY page.id;

-- list groups as a manager of everything; list groups as the system
SELECT groups.id, groups.name, groups.revision, groups.date_created
FROM (
  SELECT DISTINCT groups.id AS id
  FROM formalize_groups AS groups
  WHERE TRUE AND groups.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN formalize_groups AS groups
WHERE groups.id = page.id
ORDER BY page.id;

-- list groups by name as a manager of collections; list groups by name as a member of nested groups; list groups by name as a stranger, ...
SELECT groups.id, groups.name, groups.revision, groups.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT grants.anchor AS id
          FROM formalize_grants AS grants
          WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND (
            SELECT instr(groups.name_folded, $4) > 0
            FROM formalize_groups AS groups
            WHERE groups.id = grants.anchor) AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND grants.anchor > $5
          ORDER BY grants.anchor
          LIMIT $8))) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN formalize_groups AS groups
WHERE groups.id = page.id
ORDER BY page.id;

-- list groups by name as a manager of everything; list groups by name as the system
SELECT groups.id, groups.name, groups.revision, groups.date_created
FROM (
  SELECT DISTINCT groups.id AS id
  FROM formalize_groups AS groups
  WHERE instr(groups.name_folded, $1) > 0 AND groups.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN formalize_groups AS groups
WHERE groups.id = page.id
ORDER BY page.id;

-- list memberships; list memberships as a manager of everything; list memberships as one in a dynamic group, ...
SELECT id, group_id, user_id, child_group_id, date_created
FROM formalize_memberships AS memberships
WHERE group_id = $1 AND id > $2
ORDER BY id
LIMIT $3 OFFSET $4;

-- list own tokens
SELECT id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin
FROM formalize_api_tokens AS api_tokens
WHERE user_id = $1 AND id > $2
ORDER BY id
LIMIT $3 OFFSET $4;

-- list resources; list resources as a member of nested groups; list resources as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.resource_id > $23
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $4 AND resources.id > $23) AS found
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($5) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $6 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $7 AND resources.id > $23) AS found
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($10) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.resource_id > $23
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($11) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $13 AND resources.id > $23
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($14) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $15 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $16 AND resources.id > $23
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($19) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.resource_id > $23
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($22) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND grants.resource_id > $23
          ORDER BY 1
          LIMIT $26))) AS found) AS merged
  ORDER BY id
  LIMIT $24 OFFSET $25) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources as a manager of collections; list resources as an administrator
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.resource_id > $24
          ORDER BY 1
          LIMIT $27))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $4 AND resources.id > $24) AS found
          ORDER BY 1
          LIMIT $27))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($5) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $6 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $7 AND resources.id > $24) AS found
          ORDER BY 1
          LIMIT $27))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($10) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.resource_id > $24
          ORDER BY 1
          LIMIT $27))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($11) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $13 AND resources.id > $24
          ORDER BY 1
          LIMIT $27))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($14) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $15 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $16 AND resources.id > $24
          ORDER BY 1
          LIMIT $27))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($19) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.resource_id > $24
          ORDER BY 1
          LIMIT $27))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($22) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $20 OR (forms.allowed_actions & $21) <> 0) AND grants.resource_id > $24
          ORDER BY 1
          LIMIT $27))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($23)) AND resources.identifier = '' AND resources.id > $24) AS found
      ORDER BY 1
      LIMIT $27) AS found) AS merged
  ORDER BY id
  LIMIT $25 OFFSET $26) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources as a manager of everything
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.resource_id > $12
          ORDER BY 1
          LIMIT $15))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($7) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $5 OR (forms.allowed_actions & $6) <> 0) AND grants.resource_id > $12
          ORDER BY 1
          LIMIT $15))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($10) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $8 OR (forms.allowed_actions & $9) <> 0) AND grants.resource_id > $12
          ORDER BY 1
          LIMIT $15))) AS found
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources as the system
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup as a manager of collections; list resources of DbpRelayAuthorizationGroup as an administrator; list resources of VendorThing as a manager of collections, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $4
          ORDER BY 1
          LIMIT $7))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($3)) AND resources.identifier = '' AND resources.id > $4) AS found
      ORDER BY 1
      LIMIT $7) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup as a manager of everything; list resources of DbpRelayFormalizeForm as a manager of everything; list resources of DbpRelayFormalizeSubmissionCollection as a manager of everything, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup as a member of nested groups; list resources of DbpRelayAuthorizationGroup as a stranger; list resources of DbpRelayAuthorizationGroup as one in a dynamic group, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $3
          ORDER BY 1
          LIMIT $6))) AS found) AS merged
  ORDER BY id
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup as the system; list resources of DbpRelayFormalizeForm as the system; list resources of DbpRelayFormalizeSubmission as the system, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $1 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup by action as a manager of collections; list resources of DbpRelayAuthorizationGroup by action as a member of nested groups; list resources of DbpRelayAuthorizationGroup by action as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $4
          ORDER BY 1
          LIMIT $7))) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup by action as a manager of everything; list resources of DbpRelayFormalizeForm by action as a manager of everything; list resources of DbpRelayFormalizeSubmissionCollection by action as a manager of everything, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $2 AND resources.identifier <> '' AND resources.form_id IS NULL AND resources.id > $3
  ORDER BY 1
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup by action as a manager of everything; list resources of DbpRelayAuthorizationGroup without collections as a manager of everything; list resources of DbpRelayFormalizeForm by action as a manager of everything, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup by action as the system; list resources of DbpRelayAuthorizationGroup without collections as the system; list resources of DbpRelayFormalizeForm by action as the system, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $1 AND resources.identifier <> '' AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup that are collections as a manager of collections; list resources of DbpRelayAuthorizationGroup that are collections as an administrator; list resources of VendorThing that are collections as a manager of collections, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $5
          ORDER BY 1
          LIMIT $8))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($4)) AND resources.identifier = '' AND resources.id > $5) AS found
      ORDER BY 1
      LIMIT $8) AS found) AS merged
  ORDER BY id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup that are collections as a manager of everything; list resources of DbpRelayAuthorizationGroup with an identifier as a manager of everything; list resources of DbpRelayFormalizeForm that are collections as a manager of everything, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup that are collections as a member of nested groups; list resources of DbpRelayAuthorizationGroup that are collections as a stranger; list resources of DbpRelayAuthorizationGroup that are collections as one in a dynamic group, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $4
          ORDER BY 1
          LIMIT $7))) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup that are collections as the system; list resources of DbpRelayAuthorizationGroup with an identifier as the system; list resources of DbpRelayFormalizeForm that are collections as the system, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.class = $1 AND resources.identifier = $2 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $3
  ORDER BY 1
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayAuthorizationGroup without collections as a manager of collections; list resources of DbpRelayAuthorizationGroup without collections as a member of nested groups; list resources of DbpRelayAuthorizationGroup without collections as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $3
          ORDER BY 1
          LIMIT $6))) AS found) AS merged
  ORDER BY id
  LIMIT $4 OFFSET $5) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeForm as a manager of collections; list resources of DbpRelayFormalizeForm as an administrator; list resources of DbpRelayFormalizeSubmissionCollection as a manager of collections, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $7
          ORDER BY 1
          LIMIT $10))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($3) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id > $7) AS found
          ORDER BY 1
          LIMIT $10))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($6)) AND resources.identifier = '' AND resources.id > $7) AS found
      ORDER BY 1
      LIMIT $10) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeForm as a member of nested groups; list resources of DbpRelayFormalizeForm as a stranger; list resources of DbpRelayFormalizeForm as one in a dynamic group, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $6
          ORDER BY 1
          LIMIT $9))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($3) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id > $6) AS found
          ORDER BY 1
          LIMIT $9))) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeForm by action as a manager of collections; list resources of DbpRelayFormalizeForm by action as a member of nested groups; list resources of DbpRelayFormalizeForm by action as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $7
          ORDER BY 1
          LIMIT $10))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 AND resources.id > $7) AS found
          ORDER BY 1
          LIMIT $10))) AS found) AS merged
  ORDER BY id
  LIMIT $8 OFFSET $9) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeForm that are collections as a manager of collections; list resources of DbpRelayFormalizeForm that are collections as an administrator; list resources of DbpRelayFormalizeSubmissionCollection that are collections as a manager of collections, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $9
          ORDER BY 1
          LIMIT $12))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $7) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_resources AS resources
            CROSS JOIN formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 AND resources.id = wanted.id AND resources.id > $9) AS found
          ORDER BY 1
          LIMIT $12))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($8)) AND resources.identifier = '' AND resources.id > $9) AS found
      ORDER BY 1
      LIMIT $12) AS found) AS merged
  ORDER BY id
  LIMIT $10 OFFSET $11) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeForm that are collections as a member of nested groups; list resources of DbpRelayFormalizeForm that are collections as a stranger; list resources of DbpRelayFormalizeForm that are collections as one in a dynamic group, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $8
          ORDER BY 1
          LIMIT $11))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $7) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_resources AS resources
            CROSS JOIN formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $5 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $6 AND resources.id = wanted.id AND resources.id > $8) AS found
          ORDER BY 1
          LIMIT $11))) AS found) AS merged
  ORDER BY id
  LIMIT $9 OFFSET $10) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeForm without collections as a manager of collections; list resources of DbpRelayFormalizeForm without collections as a member of nested groups; list resources of DbpRelayFormalizeForm without collections as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $6
          ORDER BY 1
          LIMIT $9))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($3) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id > $6) AS found
          ORDER BY 1
          LIMIT $9))) AS found) AS merged
  ORDER BY id
  LIMIT $7 OFFSET $8) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission as a manager of collections; list resources of DbpRelayFormalizeSubmission as an administrator
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $22
          ORDER BY 1
          LIMIT $25))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($5) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) AND grants.class = $6 AND grants.resource_id > $22
          ORDER BY 1
          LIMIT $25))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($7) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $9 AND resources.id > $22
          ORDER BY 1
          LIMIT $25))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($10) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $11 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $12 AND resources.id > $22
          ORDER BY 1
          LIMIT $25))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($15) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $13 OR (forms.allowed_actions & $14) <> 0) AND grants.class = $16 AND grants.resource_id > $22
          ORDER BY 1
          LIMIT $25))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($19) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND grants.resource_id > $22
          ORDER BY 1
          LIMIT $25))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($21)) AND resources.identifier = '' AND resources.id > $22) AS found
      ORDER BY 1
      LIMIT $25) AS found) AS merged
  ORDER BY id
  LIMIT $23 OFFSET $24) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission as a manager of everything
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.class = $5 AND grants.resource_id > $16
          ORDER BY 1
          LIMIT $19))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($8) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.class = $9 AND grants.resource_id > $16
          ORDER BY 1
          LIMIT $19))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($12) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.class = $13 AND grants.resource_id > $16
          ORDER BY 1
          LIMIT $19))) AS found
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission as a member of nested groups; list resources of DbpRelayFormalizeSubmission as a stranger; list resources of DbpRelayFormalizeSubmission as one in a dynamic group, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id > $21
          ORDER BY 1
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($5) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $3 OR (forms.allowed_actions & $4) <> 0) AND grants.class = $6 AND grants.resource_id > $21
          ORDER BY 1
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($7) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $9 AND resources.id > $21
          ORDER BY 1
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($10) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $11 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $12 AND resources.id > $21
          ORDER BY 1
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($15) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $13 OR (forms.allowed_actions & $14) <> 0) AND grants.class = $16 AND grants.resource_id > $21
          ORDER BY 1
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($19) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND grants.resource_id > $21
          ORDER BY 1
          LIMIT $24))) AS found) AS merged
  ORDER BY id
  LIMIT $22 OFFSET $23) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission by action as a manager of collections; list resources of DbpRelayFormalizeSubmission by action as a member of nested groups; list resources of DbpRelayFormalizeSubmission by action as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $14
          ORDER BY 1
          LIMIT $17))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($6) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $17))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($8) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $9 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $10 AND resources.id > $14
          ORDER BY 1
          LIMIT $17))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($11) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $13 AND resources.id > $14
          ORDER BY 1
          LIMIT $17))) AS found) AS merged
  ORDER BY id
  LIMIT $15 OFFSET $16) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission by action as a manager of collections; list resources of DbpRelayFormalizeSubmission by action as a member of nested groups; list resources of DbpRelayFormalizeSubmission by action as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NULL AND grants.class = $3 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $8
          ORDER BY 1
          LIMIT $11))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($6) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $11))) AS found) AS merged
  ORDER BY id
  LIMIT $9 OFFSET $10) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission by action as a manager of everything
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $10))) AS found
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission by action as a manager of everything
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $11))) AS found
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission that are collections as a manager of collections; list resources of DbpRelayFormalizeSubmission that are collections as an administrator
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $28
          ORDER BY 1
          LIMIT $31))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $8) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($6) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $4 OR (forms.allowed_actions & $5) <> 0) AND grants.class = $7 AND grants.resource_id = wanted.id AND grants.resource_id > $28
          ORDER BY 1
          LIMIT $31))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $12) AS wanted
    CROSS JOIN (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($9) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $10 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $11 AND resources.id = wanted.id AND resources.id > $28
          ORDER BY 1
          LIMIT $31))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $16) AS wanted
    CROSS JOIN (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($13) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $14 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $15 AND resources.id = wanted.id AND resources.id > $28
          ORDER BY 1
          LIMIT $31))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $21) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($19) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND grants.resource_id = wanted.id AND grants.resource_id > $28
          ORDER BY 1
          LIMIT $31))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $26) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($24) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $22 OR (forms.allowed_actions & $23) <> 0) AND grants.class = $25 AND grants.resource_id = wanted.id AND grants.resource_id > $28
          ORDER BY 1
          LIMIT $31))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($27)) AND resources.identifier = '' AND resources.id > $28) AS found
      ORDER BY 1
      LIMIT $31) AS found) AS merged
  ORDER BY id
  LIMIT $29 OFFSET $30) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission that are collections as a manager of everything; list resources of DbpRelayFormalizeSubmission with an identifier as a manager of everything
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $6) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.class = $5 AND grants.resource_id = wanted.id AND grants.resource_id > $20
          ORDER BY 1
          LIMIT $23))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $11) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($9) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $7 OR (forms.allowed_actions & $8) <> 0) AND grants.class = $10 AND grants.resource_id = wanted.id AND grants.resource_id > $20
          ORDER BY 1
          LIMIT $23))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $16) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($14) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $12 OR (forms.allowed_actions & $13) <> 0) AND grants.class = $15 AND grants.resource_id = wanted.id AND grants.resource_id > $20
          ORDER BY 1
          LIMIT $23))) AS found
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission that are collections as a member of nested groups; list resources of DbpRelayFormalizeSubmission that are collections as a stranger; list resources of DbpRelayFormalizeSubmission that are collections as one in a dynamic group, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $3) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND grants.resource_id = wanted.id AND grants.resource_id > $27
          ORDER BY 1
          LIMIT $30))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $8) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($6) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $4 OR (forms.allowed_actions & $5) <> 0) AND grants.class = $7 AND grants.resource_id = wanted.id AND grants.resource_id > $27
          ORDER BY 1
          LIMIT $30))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $12) AS wanted
    CROSS JOIN (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($9) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $10 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $11 AND resources.id = wanted.id AND resources.id > $27
          ORDER BY 1
          LIMIT $30))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $16) AS wanted
    CROSS JOIN (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($13) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $14 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $15 AND resources.id = wanted.id AND resources.id > $27
          ORDER BY 1
          LIMIT $30))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $21) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($19) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $17 OR (forms.allowed_actions & $18) <> 0) AND grants.class = $20 AND grants.resource_id = wanted.id AND grants.resource_id > $27
          ORDER BY 1
          LIMIT $30))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $26) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($24) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $22 OR (forms.allowed_actions & $23) <> 0) AND grants.class = $25 AND grants.resource_id = wanted.id AND grants.resource_id > $27
          ORDER BY 1
          LIMIT $30))) AS found) AS merged
  ORDER BY id
  LIMIT $28 OFFSET $29) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission without collections as a manager of collections; list resources of DbpRelayFormalizeSubmission without collections as a member of nested groups; list resources of DbpRelayFormalizeSubmission without collections as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.class = $2 AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $21
          ORDER BY 1
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($5) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($7) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $9 AND resources.id > $21
          ORDER BY 1
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($10) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $11 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $12 AND resources.id > $21
          ORDER BY 1
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($15) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $24))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($19) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $24))) AS found) AS merged
  ORDER BY id
  LIMIT $22 OFFSET $23) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources of DbpRelayFormalizeSubmission without collections as a manager of everything
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $19))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($8) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $19))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($12) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $19))) AS found
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources that are collections as a manager of collections; list resources that are collections as an administrator
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.resource_id = wanted.id AND grants.resource_id > $32
          ORDER BY 1
          LIMIT $35))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $6) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($3) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_resources AS resources
            CROSS JOIN formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id = wanted.id AND resources.id > $32) AS found
          ORDER BY 1
          LIMIT $35))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $10) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($7) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_resources AS resources
            CROSS JOIN formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $9 AND resources.id = wanted.id AND resources.id > $32) AS found
          ORDER BY 1
          LIMIT $35))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $14) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($13) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $11 OR (forms.allowed_actions & $12) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $32
          ORDER BY 1
          LIMIT $35))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $18) AS wanted
    CROSS JOIN (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($15) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $16 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $17 AND resources.id = wanted.id AND resources.id > $32
          ORDER BY 1
          LIMIT $35))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $22) AS wanted
    CROSS JOIN (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($19) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $20 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $21 AND resources.id = wanted.id AND resources.id > $32
          ORDER BY 1
          LIMIT $35))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $26) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($25) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $23 OR (forms.allowed_actions & $24) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $32
          ORDER BY 1
          LIMIT $35))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $30) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($29) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $27 OR (forms.allowed_actions & $28) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $32
          ORDER BY 1
          LIMIT $35))) AS found
    UNION ALL
    SELECT id
    FROM (
      SELECT DISTINCT id
      FROM (
        SELECT resources.id AS id
        FROM formalize_resources AS resources
        WHERE resources.class IN (
          SELECT value
          FROM json_each($31)) AND resources.identifier = '' AND resources.id > $32) AS found
      ORDER BY 1
      LIMIT $35) AS found) AS merged
  ORDER BY id
  LIMIT $33 OFFSET $34) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources that are collections as a manager of everything; list resources with an identifier as a manager of everything
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $5) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $2 OR (forms.allowed_actions & $3) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $16
          ORDER BY 1
          LIMIT $19))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $9) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($8) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $6 OR (forms.allowed_actions & $7) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $16
          ORDER BY 1
          LIMIT $19))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $13) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($12) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $10 OR (forms.allowed_actions & $11) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $16
          ORDER BY 1
          LIMIT $19))) AS found
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources that are collections as a member of nested groups; list resources that are collections as a stranger; list resources that are collections as one in a dynamic group, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $2) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND grants.resource_id = wanted.id AND grants.resource_id > $31
          ORDER BY 1
          LIMIT $34))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $6) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($3) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_resources AS resources
            CROSS JOIN formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $4 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $5 AND resources.id = wanted.id AND resources.id > $31) AS found
          ORDER BY 1
          LIMIT $34))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $10) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($7) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_resources AS resources
            CROSS JOIN formalize_grants AS grants
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $8 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $9 AND resources.id = wanted.id AND resources.id > $31) AS found
          ORDER BY 1
          LIMIT $34))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $14) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($13) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $11 OR (forms.allowed_actions & $12) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $31
          ORDER BY 1
          LIMIT $34))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $18) AS wanted
    CROSS JOIN (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($15) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $16 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $17 AND resources.id = wanted.id AND resources.id > $31
          ORDER BY 1
          LIMIT $34))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $22) AS wanted
    CROSS JOIN (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($19) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $20 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $21 AND resources.id = wanted.id AND resources.id > $31
          ORDER BY 1
          LIMIT $34))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $26) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($25) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $23 OR (forms.allowed_actions & $24) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $31
          ORDER BY 1
          LIMIT $34))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT id
      FROM formalize_resources
      WHERE identifier = $30) AS wanted
    CROSS JOIN json_each($1) AS subject
    CROSS JOIN json_each($29) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_forms AS forms
          CROSS JOIN formalize_submissions AS submissions
          WHERE grants.subject = subject.value AND grants.action = action.value AND grants.form_id IS NOT NULL AND forms.id = grants.form_id AND forms.grant_based AND (forms.id IS NULL OR forms.id NOT IN (
              SELECT forms.id
              FROM formalize_forms AS forms
              WHERE forms.deleted)) AND submissions.id = grants.anchor AND (submissions.state = $27 OR (forms.allowed_actions & $28) <> 0) AND grants.resource_id = wanted.id AND grants.resource_id > $31
          ORDER BY 1
          LIMIT $34))) AS found) AS merged
  ORDER BY id
  LIMIT $32 OFFSET $33) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources that are collections as the system; list resources with an identifier as the system
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.identifier = $1 AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $2
  ORDER BY 1
  LIMIT $3 OFFSET $4) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources without collections as a manager of collections; list resources without collections as a member of nested groups; list resources without collections as a stranger, ...
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT grants.resource_id AS id
          FROM formalize_grants AS grants
          CROSS JOIN formalize_resources AS resources
          WHERE grants.subject = subject.value AND grants.form_id IS NULL AND resources.id = grants.resource_id AND resources.identifier <> '' AND grants.resource_id > $23
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $4 AND resources.id > $23) AS found
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($5) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT resources.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_resources AS resources
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND grants.subject = subject.value AND grants.class = $6 AND grants.action = action.value AND resources.anchor = grants.anchor AND resources.class = $7 AND resources.id > $23) AS found
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($10) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($11) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $12 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $13 AND resources.id > $23
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM (
      SELECT DISTINCT grants.anchor AS id
      FROM json_each($1) AS subject
      CROSS JOIN json_each($14) AS action
      CROSS JOIN formalize_grants AS grants
      CROSS JOIN formalize_forms AS forms
      WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND forms.id = grants.anchor AND forms.grant_based AND grants.subject = subject.value AND grants.class = $15 AND grants.action = action.value) AS form
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT resources.id AS id
          FROM formalize_resources AS resources
          CROSS JOIN formalize_submissions AS submissions
          WHERE resources.form_id = form.id AND submissions.id = resources.anchor AND submissions.state = $16 AND resources.id > $23
          ORDER BY 1
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($19) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $26))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($22) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $26))) AS found) AS merged
  ORDER BY id
  LIMIT $24 OFFSET $25) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources without collections as a manager of everything
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($4) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $15))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($7) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $15))) AS found
    UNION ALL
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($10) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
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
          LIMIT $15))) AS found
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
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list resources without collections as the system
SELECT resources.id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created
FROM (
  SELECT DISTINCT resources.id AS id
  FROM formalize_resources AS resources
  WHERE resources.identifier <> '' AND (resources.form_id IS NULL OR resources.form_id NOT IN (
      SELECT forms.id
      FROM formalize_forms AS forms
      WHERE forms.deleted)) AND resources.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN formalize_resources AS resources
WHERE resources.id = page.id
ORDER BY page.id;

-- list submissions; list submissions as a manager of everything; list submissions as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $5
        ORDER BY submissions.id
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $5
        ORDER BY submissions.id
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions as a manager of collections; list submissions as a member of nested groups; list submissions as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $5
        ORDER BY submissions.id
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $5
        ORDER BY submissions.id
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions as a manager of collections; list submissions as a member of nested groups; list submissions as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6
        ORDER BY submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $6
        ORDER BY submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions as a manager of collections; list submissions as a member of nested groups; list submissions as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $8
        ORDER BY submissions.id
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $8
        ORDER BY submissions.id
        LIMIT $11) AS found) AS merged
    ORDER BY id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $12
ORDER BY page.id;

-- list submissions as a manager of collections; list submissions as a manager of everything; list submissions as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.form_id IS NOT NULL AND (
              SELECT (submissions.state & $4) <> 0
              FROM formalize_submissions AS submissions
              WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $5
            ORDER BY grants.anchor
            LIMIT $8))) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions as a manager of collections; list submissions as a manager of everything; list submissions as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $4
    ORDER BY submissions.id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $7
ORDER BY page.id;

-- list submissions as a manager of collections; list submissions as a manager of everything; list submissions as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $5
    ORDER BY submissions.id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id;

-- list submissions as a manager of collections; list submissions as a manager of everything; list submissions as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
      SELECT 1
      FROM formalize_grants AS grants
      WHERE grants.anchor = submissions.id AND grants.subject IN (
        SELECT value
        FROM json_each($3)) AND grants.action IN (
        SELECT value
        FROM json_each($4))
      LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $7
    ORDER BY submissions.id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions as a manager of everything; list submissions as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $6
        ORDER BY submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6
        ORDER BY submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $6
        ORDER BY submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions as a manager of everything; list submissions as one in a dynamic group; list submissions of a grant-based form
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $6
        ORDER BY submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.form_id IS NOT NULL AND (
              SELECT (submissions.state & $5) <> 0
              FROM formalize_submissions AS submissions
              WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $6
            ORDER BY grants.anchor
            LIMIT $9))) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions as a manager of everything; list submissions as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $6
        ORDER BY submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $6
        ORDER BY submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions as a manager of everything; list submissions as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $7
        ORDER BY submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $7
        ORDER BY submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $7
        ORDER BY submissions.id
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions as a manager of everything; list submissions as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $8
        ORDER BY submissions.id
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $8
        ORDER BY submissions.id
        LIMIT $11) AS found) AS merged
    ORDER BY id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $12
ORDER BY page.id;

-- list submissions as a manager of everything; list submissions as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $9
        ORDER BY submissions.id
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $9
        ORDER BY submissions.id
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $8 AND submissions.id > $9
        ORDER BY submissions.id
        LIMIT $12) AS found) AS merged
    ORDER BY id
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $13
ORDER BY page.id;

-- list submissions as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $4
        ORDER BY submissions.id
        LIMIT $7) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $4
        ORDER BY submissions.id
        LIMIT $7) AS found) AS merged
    ORDER BY id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id;

-- list submissions as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $3
    ORDER BY submissions.id
    LIMIT $4 OFFSET $5) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $6
ORDER BY page.id;

-- list submissions before a time as a manager of collections; list submissions before a time as a member of nested groups; list submissions before a time as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $6 AND submissions.id < $5
        ORDER BY submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6 AND submissions.id < $5
        ORDER BY submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions before a time as a manager of collections; list submissions before a time as a member of nested groups; list submissions before a time as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions before a time as a manager of collections; list submissions before a time as a member of nested groups; list submissions before a time as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $9 AND submissions.id < $8
        ORDER BY submissions.id
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $9 AND submissions.id < $8
        ORDER BY submissions.id
        LIMIT $12) AS found) AS merged
    ORDER BY id
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $13
ORDER BY page.id;

-- list submissions before a time as a manager of collections; list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.form_id IS NOT NULL AND (
              SELECT (submissions.state & $4) <> 0
              FROM formalize_submissions AS submissions
              WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $6 AND grants.anchor < $5
            ORDER BY grants.anchor
            LIMIT $9))) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions before a time as a manager of collections; list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $5 AND submissions.id < $4
    ORDER BY submissions.id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id;

-- list submissions before a time as a manager of collections; list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6 AND submissions.id < $5
    ORDER BY submissions.id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions before a time as a manager of collections; list submissions before a time as a manager of everything; list submissions before a time as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
      SELECT 1
      FROM formalize_grants AS grants
      WHERE grants.anchor = submissions.id AND grants.subject IN (
        SELECT value
        FROM json_each($3)) AND grants.action IN (
        SELECT value
        FROM json_each($4))
      LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $8 AND submissions.id < $7
    ORDER BY submissions.id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $6 AND submissions.id < $5
        ORDER BY submissions.id
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6 AND submissions.id < $5
        ORDER BY submissions.id
        LIMIT $9) AS found) AS merged
    ORDER BY id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.form_id IS NOT NULL AND (
              SELECT (submissions.state & $5) <> 0
              FROM formalize_submissions AS submissions
              WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $7 AND grants.anchor < $6
            ORDER BY grants.anchor
            LIMIT $10))) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $10 AND submissions.id < $9
        ORDER BY submissions.id
        LIMIT $13) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $10 AND submissions.id < $9
        ORDER BY submissions.id
        LIMIT $13) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $8 AND submissions.id > $10 AND submissions.id < $9
        ORDER BY submissions.id
        LIMIT $13) AS found) AS merged
    ORDER BY id
    LIMIT $11 OFFSET $12) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $14
ORDER BY page.id;

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id
        LIMIT $10) AS found) AS merged
    ORDER BY id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $8 AND submissions.id < $7
        ORDER BY submissions.id
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $8 AND submissions.id < $7
        ORDER BY submissions.id
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $8 AND submissions.id < $7
        ORDER BY submissions.id
        LIMIT $11) AS found) AS merged
    ORDER BY id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $12
ORDER BY page.id;

-- list submissions before a time as a manager of everything; list submissions before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $9 AND submissions.id < $8
        ORDER BY submissions.id
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $9 AND submissions.id < $8
        ORDER BY submissions.id
        LIMIT $12) AS found) AS merged
    ORDER BY id
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $13
ORDER BY page.id;

-- list submissions before a time as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $5 AND submissions.id < $4
        ORDER BY submissions.id
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $5 AND submissions.id < $4
        ORDER BY submissions.id
        LIMIT $8) AS found) AS merged
    ORDER BY id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions before a time as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $4 AND submissions.id < $3
    ORDER BY submissions.id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $7
ORDER BY page.id;

-- list submissions with a tag; list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $6
    ORDER BY submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($2)) AND grants.action IN (
            SELECT value
            FROM json_each($3))
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $6
    ORDER BY submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($2)) AND grants.action IN (
            SELECT value
            FROM json_each($3))
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $6
    ORDER BY submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($2)) AND grants.action IN (
            SELECT value
            FROM json_each($3))
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $7 AND submission_tags.submission_id < $6
    ORDER BY submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($2)) AND grants.action IN (
            SELECT value
            FROM json_each($3))
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $7 AND submission_tags.submission_id < $6
    ORDER BY submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $4 AND submission_tags.submission_id > $5
    ORDER BY submission_tags.submission_id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $4 AND submission_tags.submission_id > $5
    ORDER BY submission_tags.submission_id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $4 AND submission_tags.submission_id > $6 AND submission_tags.submission_id < $5
    ORDER BY submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $4 AND submission_tags.submission_id > $6 AND submission_tags.submission_id < $5
    ORDER BY submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $4 AND (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $6
    ORDER BY submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $4 AND (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $6
    ORDER BY submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $4 AND (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $7 AND submission_tags.submission_id < $6
    ORDER BY submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $4 AND (submissions.creator = $2 AND (submissions.state & $3) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $7 AND submission_tags.submission_id < $6
    ORDER BY submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($2)) AND grants.action IN (
            SELECT value
            FROM json_each($3))
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $7
    ORDER BY submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($2)) AND grants.action IN (
            SELECT value
            FROM json_each($3))
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $7
    ORDER BY submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($2)) AND grants.action IN (
            SELECT value
            FROM json_each($3))
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $8 AND submission_tags.submission_id < $7
    ORDER BY submission_tags.submission_id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of collections; list submissions with a tag as a manager of everything; list submissions with a tag as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND (EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($2)) AND grants.action IN (
            SELECT value
            FROM json_each($3))
          LIMIT 1 OFFSET 0) AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $8 AND submission_tags.submission_id < $7
    ORDER BY submission_tags.submission_id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $7
    ORDER BY submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $7
    ORDER BY submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $8 AND submission_tags.submission_id < $7
    ORDER BY submission_tags.submission_id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $8 AND submission_tags.submission_id < $7
    ORDER BY submission_tags.submission_id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $6
    ORDER BY submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $7 AND submission_tags.submission_id < $6
    ORDER BY submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $5 AND submission_tags.submission_id > $7 AND submission_tags.submission_id < $6
    ORDER BY submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $7
    ORDER BY submission_tags.submission_id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $7
    ORDER BY submission_tags.submission_id
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $8 AND submission_tags.submission_id < $7
    ORDER BY submission_tags.submission_id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $5 AND ((submissions.state & $2) <> 0 OR submissions.creator = $3 AND (submissions.state & $4) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $6 AND submission_tags.submission_id > $8 AND submission_tags.submission_id < $7
    ORDER BY submission_tags.submission_id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $6 AND ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $7 AND submission_tags.submission_id > $8
    ORDER BY submission_tags.submission_id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $6 AND ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $7 AND submission_tags.submission_id > $8
    ORDER BY submission_tags.submission_id
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $6 AND ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $7 AND submission_tags.submission_id > $9 AND submission_tags.submission_id < $8
    ORDER BY submission_tags.submission_id DESC
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $12
ORDER BY page.id DESC;

-- list submissions with a tag as a manager of everything; list submissions with a tag as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $6 AND ((submissions.state & $2) <> 0 OR EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND (submissions.state & $5) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $7 AND submission_tags.submission_id > $9 AND submission_tags.submission_id < $8
    ORDER BY submission_tags.submission_id
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $12
ORDER BY page.id;

-- list submissions with a tag as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $3 AND submission_tags.submission_id > $4
    ORDER BY submission_tags.submission_id DESC
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $7
ORDER BY page.id DESC;

-- list submissions with a tag as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $3 AND submission_tags.submission_id > $4
    ORDER BY submission_tags.submission_id
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $7
ORDER BY page.id;

-- list submissions with a tag as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $3 AND submission_tags.submission_id > $5 AND submission_tags.submission_id < $4
    ORDER BY submission_tags.submission_id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id DESC;

-- list submissions with a tag as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $3 AND submission_tags.submission_id > $5 AND submission_tags.submission_id < $4
    ORDER BY submission_tags.submission_id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id;

-- list submissions with a tag as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $3 AND ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $4 AND submission_tags.submission_id > $5
    ORDER BY submission_tags.submission_id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id DESC;

-- list submissions with a tag as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $3 AND ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $4 AND submission_tags.submission_id > $5
    ORDER BY submission_tags.submission_id
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id;

-- list submissions with a tag as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $3 AND ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $4 AND submission_tags.submission_id > $6 AND submission_tags.submission_id < $5
    ORDER BY submission_tags.submission_id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions with a tag as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submission_tags.submission_id AS id
    FROM formalize_submission_tags AS submission_tags
    WHERE (
      SELECT submissions.creator = $3 AND ((submissions.state & $2) <> 0)
      FROM formalize_submissions AS submissions
      WHERE submissions.id = submission_tags.submission_id AND submissions.form_id = $1) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submission_tags.form_id = $1 AND submission_tags.tag = $4 AND submission_tags.submission_id > $6 AND submission_tags.submission_id < $5
    ORDER BY submission_tags.submission_id
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id;

-- list submissions, newest first as a manager of collections; list submissions, newest first as a member of nested groups; list submissions, newest first as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $5
        ORDER BY submissions.id DESC
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $5
        ORDER BY submissions.id DESC
        LIMIT $8) AS found) AS merged
    ORDER BY id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of collections; list submissions, newest first as a member of nested groups; list submissions, newest first as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6
        ORDER BY submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $6
        ORDER BY submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of collections; list submissions, newest first as a member of nested groups; list submissions, newest first as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $8
        ORDER BY submissions.id DESC
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $8
        ORDER BY submissions.id DESC
        LIMIT $11) AS found) AS merged
    ORDER BY id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $12
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of collections; list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.form_id IS NOT NULL AND (
              SELECT (submissions.state & $4) <> 0
              FROM formalize_submissions AS submissions
              WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $5
            ORDER BY grants.anchor DESC
            LIMIT $8))) AS found) AS merged
    ORDER BY id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of collections; list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $4
    ORDER BY submissions.id DESC
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $7
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of collections; list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $5
    ORDER BY submissions.id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of collections; list submissions, newest first as a manager of everything; list submissions, newest first as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
      SELECT 1
      FROM formalize_grants AS grants
      WHERE grants.anchor = submissions.id AND grants.subject IN (
        SELECT value
        FROM json_each($3)) AND grants.action IN (
        SELECT value
        FROM json_each($4))
      LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $7
    ORDER BY submissions.id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group; summarize submissions
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $5
        ORDER BY submissions.id DESC
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $5
        ORDER BY submissions.id DESC
        LIMIT $8) AS found) AS merged
    ORDER BY id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group; summarize submissions as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $6
        ORDER BY submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6
        ORDER BY submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $6
        ORDER BY submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group; summarize submissions as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $6
        ORDER BY submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.form_id IS NOT NULL AND (
              SELECT (submissions.state & $5) <> 0
              FROM formalize_submissions AS submissions
              WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $6
            ORDER BY grants.anchor DESC
            LIMIT $9))) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $6
        ORDER BY submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $6
        ORDER BY submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $7
        ORDER BY submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $7
        ORDER BY submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $7
        ORDER BY submissions.id DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $8
        ORDER BY submissions.id DESC
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $8
        ORDER BY submissions.id DESC
        LIMIT $11) AS found) AS merged
    ORDER BY id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $12
ORDER BY page.id DESC;

-- list submissions, newest first as a manager of everything; list submissions, newest first as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $9
        ORDER BY submissions.id DESC
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $9
        ORDER BY submissions.id DESC
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $8 AND submissions.id > $9
        ORDER BY submissions.id DESC
        LIMIT $12) AS found) AS merged
    ORDER BY id DESC
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $13
ORDER BY page.id DESC;

-- list submissions, newest first as the system; summarize submissions as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $4
        ORDER BY submissions.id DESC
        LIMIT $7) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $4
        ORDER BY submissions.id DESC
        LIMIT $7) AS found) AS merged
    ORDER BY id DESC
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id DESC;

-- list submissions, newest first as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $3
    ORDER BY submissions.id DESC
    LIMIT $4 OFFSET $5) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $6
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a member of nested groups; list submissions, newest first before a time as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $6 AND submissions.id < $5
        ORDER BY submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6 AND submissions.id < $5
        ORDER BY submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a member of nested groups; list submissions, newest first before a time as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a member of nested groups; list submissions, newest first before a time as a stranger, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $9 AND submissions.id < $8
        ORDER BY submissions.id DESC
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($3)) AND grants.action IN (
            SELECT value
            FROM json_each($4))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $9 AND submissions.id < $8
        ORDER BY submissions.id DESC
        LIMIT $12) AS found) AS merged
    ORDER BY id DESC
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $13
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT DISTINCT id
    FROM (
      SELECT unhex(found.value) AS id
      FROM json_each($2) AS subject
      CROSS JOIN json_each($3) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.form_id IS NOT NULL AND (
              SELECT (submissions.state & $4) <> 0
              FROM formalize_submissions AS submissions
              WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $6 AND grants.anchor < $5
            ORDER BY grants.anchor DESC
            LIMIT $9))) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $2 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $5 AND submissions.id < $4
    ORDER BY submissions.id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $8
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6 AND submissions.id < $5
    ORDER BY submissions.id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of collections; list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as a member of nested groups, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND submissions.creator = $5 AND EXISTS (
      SELECT 1
      FROM formalize_grants AS grants
      WHERE grants.anchor = submissions.id AND grants.subject IN (
        SELECT value
        FROM json_each($3)) AND grants.action IN (
        SELECT value
        FROM json_each($4))
      LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $8 AND submissions.id < $7
    ORDER BY submissions.id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as one in a dynamic group; summarize submissions
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $6 AND submissions.id < $5
        ORDER BY submissions.id DESC
        LIMIT $9) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $6 AND submissions.id < $5
        ORDER BY submissions.id DESC
        LIMIT $9) AS found) AS merged
    ORDER BY id DESC
    LIMIT $7 OFFSET $8) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $10
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as one in a dynamic group; summarize submissions as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $4 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $3 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as one in a dynamic group; summarize submissions as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT unhex(found.value) AS id
      FROM json_each($3) AS subject
      CROSS JOIN json_each($4) AS action
      CROSS JOIN json_each((
          SELECT json_group_array(hex(id))
          FROM (
            SELECT grants.anchor AS id
            FROM formalize_grants AS grants
            WHERE grants.form_id IS NOT NULL AND (
              SELECT (submissions.state & $5) <> 0
              FROM formalize_submissions AS submissions
              WHERE submissions.id = grants.anchor) AND ($1 IS NULL OR $1 NOT IN (
                SELECT forms.id
                FROM formalize_forms AS forms
                WHERE forms.deleted)) AND grants.subject = subject.value AND grants.form_id = $1 AND grants.action = action.value AND grants.anchor > $7 AND grants.anchor < $6
            ORDER BY grants.anchor DESC
            LIMIT $10))) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as one in a dynamic group; summarize submissions as a manager of everything, ...
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $10 AND submissions.id < $9
        ORDER BY submissions.id DESC
        LIMIT $13) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $10 AND submissions.id < $9
        ORDER BY submissions.id DESC
        LIMIT $13) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $8 AND submissions.id > $10 AND submissions.id < $9
        ORDER BY submissions.id DESC
        LIMIT $13) AS found) AS merged
    ORDER BY id DESC
    LIMIT $11 OFFSET $12) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $14
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id DESC
        LIMIT $10) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $7 AND submissions.id < $6
        ORDER BY submissions.id DESC
        LIMIT $10) AS found) AS merged
    ORDER BY id DESC
    LIMIT $8 OFFSET $9) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $11
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $8 AND submissions.id < $7
        ORDER BY submissions.id DESC
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $5 AND submissions.id > $8 AND submissions.id < $7
        ORDER BY submissions.id DESC
        LIMIT $11) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $4 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $6 AND submissions.id > $8 AND submissions.id < $7
        ORDER BY submissions.id DESC
        LIMIT $11) AS found) AS merged
    ORDER BY id DESC
    LIMIT $9 OFFSET $10) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $12
ORDER BY page.id DESC;

-- list submissions, newest first before a time as a manager of everything; list submissions, newest first before a time as one in a dynamic group
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $9 AND submissions.id < $8
        ORDER BY submissions.id DESC
        LIMIT $12) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND submissions.creator = $6 AND EXISTS (
          SELECT 1
          FROM formalize_grants AS grants
          WHERE grants.anchor = submissions.id AND grants.subject IN (
            SELECT value
            FROM json_each($4)) AND grants.action IN (
            SELECT value
            FROM json_each($5))
          LIMIT 1 OFFSET 0) AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $7 AND submissions.id > $9 AND submissions.id < $8
        ORDER BY submissions.id DESC
        LIMIT $12) AS found) AS merged
    ORDER BY id DESC
    LIMIT $10 OFFSET $11) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $13
ORDER BY page.id DESC;

-- list submissions, newest first before a time as the system; summarize submissions as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
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
            WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $5 AND submissions.id < $4
        ORDER BY submissions.id DESC
        LIMIT $8) AS found
      UNION ALL
      SELECT id
      FROM (
        SELECT submissions.id AS id
        FROM formalize_submissions AS submissions
        WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
            SELECT forms.id
            FROM formalize_forms AS forms
            WHERE forms.deleted)) AND submissions.state = $3 AND submissions.id > $5 AND submissions.id < $4
        ORDER BY submissions.id DESC
        LIMIT $8) AS found) AS merged
    ORDER BY id DESC
    LIMIT $6 OFFSET $7) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $9
ORDER BY page.id DESC;

-- list submissions, newest first before a time as the system
WITH sizes AS MATERIALIZED (
  SELECT page.id AS id, 512 + coalesce(octet_length(submissions.data), 0) + coalesce(octet_length(submissions.tags), 0) AS size
  FROM (
    SELECT submissions.id AS id
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = $1 AND ($1 IS NULL OR $1 NOT IN (
        SELECT forms.id
        FROM formalize_forms AS forms
        WHERE forms.deleted)) AND submissions.state = $2 AND submissions.id > $4 AND submissions.id < $3
    ORDER BY submissions.id DESC
    LIMIT $5 OFFSET $6) AS page
  CROSS JOIN formalize_submissions AS submissions
  WHERE submissions.id = page.id)
SELECT submissions.id, submissions.form_id, submissions.creator, submissions.state, submissions.last_modified_by, submissions.date_created, submissions.date_last_modified, submissions.revision, submissions.data, submissions.tags, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files
FROM (
  SELECT sizes.id, sum(sizes.size) OVER (
    ORDER BY sizes.id DESC) - sizes.size AS bytes_before
  FROM sizes) AS page
CROSS JOIN formalize_submissions AS submissions
WHERE submissions.id = page.id AND page.bytes_before < $7
ORDER BY page.id DESC;

-- list subscriptions
SELECT name, position, held_until, epoch, (
  SELECT epoch
  FROM formalize_event_log
  WHERE id = 1) AS current
FROM formalize_event_subscriptions
ORDER BY name;

-- list the change feed
SELECT DISTINCT event_id
FROM formalize_event_audience AS event_audience
WHERE event_id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND subject IN (
  SELECT value
  FROM json_each($2));

-- list the change feed
SELECT grants.id, grants.subject, grants.action, grants.date_created, resources.id AS resource_id, resources.class, resources.identifier, resources.anchor, resources.form_id, resources.date_created AS resource_date_created
FROM formalize_grants AS grants
JOIN formalize_resources AS resources ON resources.id = grants.resource_id
WHERE grants.id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND (grants.form_id IS NULL OR grants.form_id NOT IN (
    SELECT forms.id
    FROM formalize_forms AS forms
    WHERE forms.deleted));

-- list the change feed
SELECT id, group_id, user_id, child_group_id, date_created
FROM formalize_memberships AS memberships
WHERE id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- list tokens
SELECT id, kind, user_id, attributes, date_created, date_expires, date_last_used, idle, label, origin
FROM formalize_api_tokens
WHERE id > $1
ORDER BY id
LIMIT $2 OFFSET $3;

-- manage webhooks; send to webhooks
INSERT INTO formalize_event_subscriptions (name, epoch, position)
VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET epoch = $2, position = $3;

-- manage webhooks
INSERT INTO formalize_webhooks (id, form_id, url, description, event_types, payload, disabled, frozen_events, secret, previous_secret, previous_until, creator, revision, date_created, failures)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0);

-- manage webhooks; send to webhooks
SELECT (
  SELECT count(*)
  FROM formalize_webhook_deliveries AS webhook_deliveries
  WHERE webhook_id = $1 AND state = 'pending') AS pending, (
  SELECT count(*)
  FROM formalize_webhook_deliveries AS webhook_deliveries
  WHERE webhook_id = $1 AND state = 'dead') AS dead;

-- manage webhooks
SELECT 1
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1 AND substr(secret, 1, 10) = $2
LIMIT 1;

-- manage webhooks
SELECT count(*) AS counted
FROM formalize_webhooks AS webhooks
WHERE webhooks.form_id IS NULL AND $1 IS NULL AND webhooks.date_ended IS NULL;

-- manage webhooks
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
FROM (
  SELECT DISTINCT id
  FROM (
    SELECT unhex(found.value) AS id
    FROM json_each($1) AS subject
    CROSS JOIN json_each($2) AS action
    CROSS JOIN json_each((
        SELECT json_group_array(hex(id))
        FROM (
          SELECT DISTINCT id
          FROM (
            SELECT webhooks.id AS id
            FROM formalize_grants AS grants
            CROSS JOIN formalize_webhooks AS webhooks
            WHERE grants.anchor <> grants.resource_id AND grants.form_id IS NULL AND webhooks.form_id = grants.anchor AND webhooks.date_ended IS NULL AND grants.subject = subject.value AND grants.class = $3 AND grants.action = action.value AND webhooks.id > $4) AS found
          ORDER BY 1
          LIMIT $7))) AS found) AS merged
  ORDER BY id
  LIMIT $5 OFFSET $6) AS page
CROSS JOIN formalize_webhooks AS webhooks
WHERE webhooks.id = page.id
ORDER BY page.id;

-- manage webhooks
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
FROM (
  SELECT DISTINCT webhooks.id AS id
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.date_ended IS NULL AND webhooks.form_id IS NOT NULL AND webhooks.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN formalize_webhooks AS webhooks
WHERE webhooks.id = page.id
ORDER BY page.id;

-- manage webhooks
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
FROM (
  SELECT DISTINCT webhooks.id AS id
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.date_ended IS NULL AND webhooks.id > $1
  ORDER BY 1
  LIMIT $2 OFFSET $3) AS page
CROSS JOIN formalize_webhooks AS webhooks
WHERE webhooks.id = page.id
ORDER BY page.id;

-- manage webhooks
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes
FROM (
  SELECT webhooks.id AS id
  FROM formalize_webhooks AS webhooks
  WHERE webhooks.date_ended IS NULL AND EXISTS (
    SELECT 1
    FROM formalize_grants AS held
    WHERE held.subject IN (
      SELECT value
      FROM json_each($2)) AND (held.class = $3 AND held.action IN (
        SELECT value
        FROM json_each($4))) AND held.anchor = $1
    LIMIT 1 OFFSET 0) AND webhooks.form_id = $1 AND webhooks.id > $5
  ORDER BY webhooks.id
  LIMIT $6 OFFSET $7) AS page
CROSS JOIN formalize_webhooks AS webhooks
WHERE webhooks.id = page.id
ORDER BY page.id;

-- manage webhooks; send to webhooks
SELECT webhooks.id, webhooks.form_id, webhooks.url, webhooks.description, webhooks.event_types, webhooks.payload, webhooks.disabled, webhooks.creator, webhooks.revision, webhooks.date_created, webhooks.date_last_success, webhooks.date_last_failure, webhooks.date_resumes, failures, failing_since
FROM formalize_webhooks AS webhooks
WHERE id = $1;

-- manage webhooks; send to webhooks
UPDATE formalize_webhook_deliveries SET state = 'dead', date_next_attempt = NULL, date_done = $2, holder = NULL, held_until = NULL
WHERE webhook_id = $1 AND state = 'pending';

-- manage webhooks
UPDATE formalize_webhooks SET secret = $2, previous_secret = $3, previous_until = $4, revision = $5
WHERE id = $1;

-- manage webhooks; send to webhooks
UPDATE formalize_webhooks SET url = $2, description = $3, event_types = $4, payload = $5, disabled = $6, frozen_events = $7, revision = $8, failures = $9, failing_since = $10, date_resumes = $11
WHERE id = $1;

-- read new events; send to webhooks
SELECT position, id, type, date, record_id, form_id, creator, author, data
FROM formalize_events AS events
WHERE position > $1 AND position <= $2 AND form_id = $3 AND type IN (
  SELECT value
  FROM json_each($4))
ORDER BY position
LIMIT $5;

-- read new events of any form or type
SELECT position, id, type, date, record_id, form_id, creator, author, data
FROM formalize_events AS events
WHERE position > $1 AND position <= $2 AND form_id = $3
ORDER BY position
LIMIT $4;

-- read new events of any form or type
SELECT position, id, type, date, record_id, form_id, creator, author, data
FROM formalize_events AS events
WHERE position > $1 AND position <= $2 AND type IN (
  SELECT value
  FROM json_each($3))
ORDER BY position
LIMIT $4;

-- read the audience of an event
SELECT event_id, subject
FROM formalize_event_audience
WHERE event_id = $1
ORDER BY subject;

-- remove a file
UPDATE formalize_submitted_files AS submitted_files SET submission_id = NULL
WHERE submission_id = $1 AND id IN (
  SELECT unhex(value)
  FROM json_each($2));

-- remove a member
DELETE
FROM formalize_memberships
WHERE id = $1;

-- reset the event log
UPDATE formalize_event_log SET epoch = $1
WHERE id = 1;

-- send to webhooks
DELETE
FROM formalize_webhook_attempts
WHERE delivery_id = $1 AND number <= $2;

-- send to webhooks
INSERT INTO formalize_webhook_attempts (delivery_id, number, date, status, error, duration)
VALUES ($1, $2, $3, $4, $5, $6);

-- send to webhooks
INSERT INTO formalize_webhook_deliveries (id, webhook_id, event_id, sequence, event_type, submission_id, lane, state, num_attempts, tries, refusals, date_created, date_next_attempt)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, 0, 0, $8, $8), ($9, $10, $11, $12, $13, $14, $15, 'pending', 0, 0, 0, $16, $16) ON CONFLICT (event_id, webhook_id) DO NOTHING;

-- send to webhooks
INSERT INTO formalize_webhook_deliveries (id, webhook_id, event_id, sequence, event_type, submission_id, lane, state, num_attempts, tries, refusals, date_created, date_next_attempt)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, 0, 0, $8, $8), ($9, $10, $11, $12, $13, $14, $15, 'pending', 0, 0, 0, $16, $16), ($17, $18, $19, $20, $21, $22, $23, 'pending', 0, 0, 0, $24, $24), ($25, $26, $27, $28, $29, $30, $31, 'pending', 0, 0, 0, $32, $32) ON CONFLICT (event_id, webhook_id) DO NOTHING;

-- send to webhooks
INSERT INTO formalize_webhook_deliveries (id, webhook_id, event_id, sequence, event_type, submission_id, lane, state, num_attempts, tries, refusals, date_created, date_next_attempt)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, 0, 0, $8, $8), ($9, $10, $11, $12, $13, $14, $15, 'pending', 0, 0, 0, $16, $16), ($17, $18, $19, $20, $21, $22, $23, 'pending', 0, 0, 0, $24, $24), ($25, $26, $27, $28, $29, $30, $31, 'pending', 0, 0, 0, $32, $32), ($33, $34, $35, $36, $37, $38, $39, 'pending', 0, 0, 0, $40, $40), ($41, $42, $43, $44, $45, $46, $47, 'pending', 0, 0, 0, $48, $48) ON CONFLICT (event_id, webhook_id) DO NOTHING;

-- send to webhooks
SELECT (
  SELECT count(*)
  FROM formalize_webhooks AS others
  JOIN formalize_webhook_deliveries AS held ON held.webhook_id = others.id AND held.held_until > $2
  WHERE others.form_id = $1 AND coalesce(others.date_last_failure > others.date_last_success, others.date_last_success IS NULL)) AS leased;

-- send to webhooks
SELECT delivery_id AS id, date, status, error, duration
FROM formalize_webhook_attempts
WHERE delivery_id = $1
ORDER BY number;

-- send to webhooks
SELECT event_data.event_id AS data_of, event_data.data AS frozen_data, event_data.last_modified_by AS frozen_by, event_data.date_created AS frozen_created, event_data.date_last_modified AS frozen_modified, event_data.tags_and_files
FROM formalize_event_data AS event_data
WHERE event_data.event_id = $1;

-- send to webhooks
SELECT id
FROM formalize_webhooks AS webhooks
WHERE id = (
  SELECT id
  FROM formalize_webhooks AS webhooks
  WHERE form_id = $1
  ORDER BY id
  LIMIT 1);

-- send to webhooks
SELECT id, num_attempts, tries, refusals, date_next_attempt
FROM formalize_webhook_deliveries
WHERE id = $1 AND holder = $2 AND state = 'pending';

-- send to webhooks
SELECT webhook_deliveries.id AS delivery_id, events.position, events.id, events.type, events.date, events.record_id, events.form_id, events.creator, events.author, events.data, event_data.event_id AS data_of, event_data.data AS frozen_data, event_data.last_modified_by AS frozen_by, event_data.date_created AS frozen_created, event_data.date_last_modified AS frozen_modified, event_data.tags_and_files
FROM formalize_webhook_deliveries AS webhook_deliveries
JOIN formalize_events AS events ON events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id
LEFT JOIN formalize_event_data AS event_data ON event_data.event_id = webhook_deliveries.event_id
WHERE webhook_deliveries.id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- send to webhooks
SELECT webhook_deliveries.id
FROM formalize_webhook_deliveries AS webhook_deliveries
JOIN formalize_events AS events ON events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id
WHERE webhook_deliveries.webhook_id = $1 AND webhook_deliveries.state = 'dead' AND events.date >= $2 AND events.date <= $3
ORDER BY webhook_deliveries.sequence
LIMIT $4;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE id = $1 AND webhook_id = $2;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.event_type = $2 AND webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $3
ORDER BY webhook_deliveries.id DESC
LIMIT $4 OFFSET $5;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.event_type = $2 AND webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $3
ORDER BY webhook_deliveries.id
LIMIT $4 OFFSET $5;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND webhook_deliveries.event_type = $3 AND webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $4
ORDER BY webhook_deliveries.id DESC
LIMIT $5 OFFSET $6;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND webhook_deliveries.event_type = $3 AND webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $4
ORDER BY webhook_deliveries.id
LIMIT $5 OFFSET $6;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $3 AND webhook_deliveries.id < $4
ORDER BY webhook_deliveries.id DESC
LIMIT $5 OFFSET $6;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $3
ORDER BY webhook_deliveries.id DESC
LIMIT $4 OFFSET $5;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.state = $2 AND webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $3
ORDER BY webhook_deliveries.id
LIMIT $4 OFFSET $5;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $2 AND webhook_deliveries.id < $3
ORDER BY webhook_deliveries.id DESC
LIMIT $4 OFFSET $5;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $2
ORDER BY webhook_deliveries.id DESC
LIMIT $3 OFFSET $4;

-- send to webhooks
SELECT webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.sequence, webhook_deliveries.event_type, webhook_deliveries.submission_id, webhook_deliveries.state, webhook_deliveries.num_attempts, webhook_deliveries.date_created, webhook_deliveries.date_next_attempt, webhook_deliveries.date_done, webhook_deliveries.last_status, webhook_deliveries.last_error
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.webhook_id = $1 AND webhook_deliveries.id > $2
ORDER BY webhook_deliveries.id
LIMIT $3 OFFSET $4;

-- send to webhooks
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
LIMIT $2;

-- send to webhooks
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
LIMIT $2;

-- send to webhooks
UPDATE formalize_event_subscriptions AS event_subscriptions SET epoch = $4, position = $5
WHERE name IN (
  SELECT value
  FROM json_each($1)) AND epoch = $2 AND position = $3
RETURNING name;

-- send to webhooks
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET date_next_attempt = $3
WHERE id IN (
  SELECT earlier.id
  FROM formalize_webhook_deliveries AS named
  JOIN formalize_webhook_deliveries AS earlier ON earlier.webhook_id = named.webhook_id AND earlier.state = 'pending' AND earlier.lane = named.lane AND earlier.sequence < named.sequence
  WHERE named.id IN (
    SELECT unhex(value)
    FROM json_each($2)) AND named.webhook_id = $1 AND named.state = 'pending') AND (held_until IS NULL OR held_until <= $4) AND (date_next_attempt IS NULL OR date_next_attempt > 0);

-- send to webhooks
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

-- send to webhooks
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = $2, date_done = NULL
WHERE webhook_id = $1 AND state = 'pending' AND (held_until IS NULL OR held_until <= $3) AND (date_next_attempt IS NULL OR date_next_attempt > 0) AND EXISTS (
  SELECT 1
  FROM formalize_events AS events
  WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id);

-- send to webhooks
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = $2, date_done = NULL
WHERE webhook_id = $1 AND webhook_deliveries.event_id IN (
  SELECT unhex(value)
  FROM json_each($3)) AND state <> 'pending' AND EXISTS (
  SELECT 1
  FROM formalize_events AS events
  WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id);

-- send to webhooks
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = $2, date_done = NULL
WHERE webhook_id = $1 AND webhook_deliveries.id IN (
  SELECT unhex(value)
  FROM json_each($3)) AND (held_until IS NULL OR held_until <= $4) AND (date_next_attempt IS NULL OR date_next_attempt > 0) AND EXISTS (
  SELECT 1
  FROM formalize_events AS events
  WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id);

-- send to webhooks
UPDATE formalize_webhook_deliveries AS webhook_deliveries SET state = 'pending', tries = 0, refusals = 0, date_next_attempt = $2, date_done = NULL
WHERE webhook_id = $1 AND webhook_deliveries.id IN (
  SELECT unhex(value)
  FROM json_each($3)) AND state <> 'pending' AND EXISTS (
  SELECT 1
  FROM formalize_events AS events
  WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id);

-- send to webhooks
UPDATE formalize_webhook_deliveries SET state = $2, num_attempts = $3, tries = $4, refusals = $5, date_next_attempt = $6, date_done = $7, last_status = $8, last_error = $9, holder = NULL, held_until = NULL
WHERE id = $1;

-- send to webhooks
UPDATE formalize_webhooks AS webhooks SET date_last_failure = $2, failures = $3, failing_since = $4, date_resumes = $5
WHERE id = $1;

-- send to webhooks
UPDATE formalize_webhooks AS webhooks SET date_last_success = $2, failures = $3, failing_since = $4, date_resumes = $5
WHERE id = $1;

-- set the limit of a form
INSERT INTO formalize_form_places (form_id, taken)
SELECT forms.id, (
  SELECT count(*)
  FROM formalize_submissions AS submissions
  WHERE submissions.form_id = forms.id AND submissions.state = 2)
FROM formalize_forms AS forms
WHERE forms.id = $1 AND NOT EXISTS (
  SELECT 1
  FROM formalize_form_places AS form_places
  WHERE form_places.form_id = forms.id); UPDATE formalize_forms SET name = $2, data_feed_schema = $3, grant_based = $4, allowed_actions = $5, allowed_states = $6, available_starts = $7, availability_ends = $8, max_per_creator = $9, max_submissions = $10, revision = $11, localized_names = $12, frontend_key = $13, additional_data = $14, tag_permissions = $15, available_tags = $16, contact = $17
WHERE id = $1;

-- submit a draft to a form with a limit
SELECT form_id, taken
FROM formalize_form_places
WHERE form_id = $1;

-- submit a draft to a form with a limit
UPDATE formalize_form_places SET taken = taken + 1
WHERE form_id = $1 AND taken < $2;

-- submit and delete without an event log
INSERT INTO formalize_submission_places AS submission_places (form_id, creator, taken)
SELECT forms.id, $2, 1
FROM formalize_forms AS forms
WHERE forms.id = $1 AND forms.revision = $11 AND NOT forms.deleted AND ($3 IS NULL OR $3 > 0) ON CONFLICT (form_id, creator) DO UPDATE SET taken = submission_places.taken + 1
WHERE $3 IS NULL OR submission_places.taken < $3; INSERT INTO formalize_submissions (form_id, creator, id, state, last_modified_by, date_created, date_last_modified, revision, data)
SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10
WHERE changes() > 0;

-- sweep a file
DELETE
FROM formalize_submitted_files AS submitted_files
WHERE id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND submission_id IS NULL AND date_expires = 0;

-- sweep a file
SELECT id
FROM formalize_submitted_files AS submitted_files
WHERE id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND submission_id IS NULL AND date_expires = 0;

-- sweep a file; sweep nothing
SELECT id
FROM formalize_submitted_files
WHERE submission_id IS NULL AND date_expires <= $1
ORDER BY date_expires, id
LIMIT $2;

-- sweep a file
SELECT id, date_ends
FROM formalize_file_holds
WHERE date_ends > $1
ORDER BY id;

-- sweep a file
UPDATE formalize_submitted_files AS submitted_files SET date_expires = 0
WHERE id IN (
  SELECT unhex(value)
  FROM json_each($1)) AND submission_id IS NULL AND date_expires > 0;

-- verify
-- What other programs must not change in the schema of the database. A table's own text has its constraints. Litestream -- keeps tables of its own in a database that it copies. SELECT type AS kind, tbl_name AS owner, name, sql AS definition FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' AND tbl_name NOT IN ('_litestream_lock', '_litestream_seq') UNION ALL SELECT 'column', tables.name, columns.name, columns.type || CASE columns."notnull" WHEN 1 THEN ' NOT NULL' ELSE '' END || coalesce(' DEFAULT ' || columns.dflt_value, '') FROM sqlite_master AS tables CROSS JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' AND tables.sql LIKE 'CREATE TABLE %' AND tables.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND tables.name NOT IN ('_litestream_lock', '_litestream_seq');

-- verify
SELECT 1
FROM (
  SELECT count(*) AS number
  FROM formalize_event_log) AS counted
WHERE number <> 1;

-- verify
SELECT 1
FROM (
  SELECT max(date) - min(date) AS age
  FROM formalize_event_arrivals) AS waiting
WHERE age > 3600000;

-- verify
SELECT 1
FROM formalize_event_log
WHERE last - purged_to <> (
  SELECT count(*)
  FROM formalize_events) OR EXISTS (
  SELECT 1
  FROM formalize_events
  WHERE position <= purged_to OR position > last);

-- verify
SELECT 1
FROM formalize_events
GROUP BY id HAVING count(*) > 1
LIMIT 1;

-- verify
SELECT DISTINCT form_links.id AS id
FROM formalize_form_links AS form_links
WHERE form_links.id > $1 AND (EXISTS (
    SELECT 1
    FROM formalize_grants AS grants
    WHERE grants.id = form_links.grant_id AND (grants.class <> 'DbpRelayFormalizeForm' OR grants.anchor <> form_links.form_id OR grants.action <> 'create_submissions' OR grants.subject <> 'user:link:' || substr(lower(hex(form_links.id)), 1, 8) || '-' || substr(lower(hex(form_links.id)), 9, 4) || '-' || substr(lower(hex(form_links.id)), 13, 4) || '-' || substr(lower(hex(form_links.id)), 17, 4) || '-' || substr(lower(hex(form_links.id)), 21, 12))))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT form_links.id AS id
FROM formalize_form_links AS form_links
WHERE form_links.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_grants AS grants
    WHERE grants.id = form_links.grant_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT form_places.form_id AS id
FROM formalize_form_places AS form_places
WHERE form_places.form_id > $1 AND (EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = form_places.form_id AND forms.max_submissions IS NULL))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT form_places.form_id AS id
FROM formalize_form_places AS form_places
WHERE form_places.form_id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = form_places.form_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT form_places.form_id AS id
FROM formalize_form_places AS form_places
WHERE form_places.form_id > $1 AND (form_places.taken <> (
    SELECT count(*)
    FROM formalize_submissions AS submissions
    WHERE submissions.form_id = form_places.form_id AND submissions.state = 2))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT forms.id AS id
FROM formalize_forms AS forms
WHERE forms.id > $1 AND (NOT forms.deleted AND NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.anchor = forms.id AND resources.class = 'DbpRelayFormalizeForm'))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT forms.id AS id
FROM formalize_forms AS forms
WHERE forms.id > $1 AND (NOT forms.deleted AND NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.anchor = forms.id AND resources.class = 'DbpRelayFormalizeSubmissionCollection'))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT forms.id AS id
FROM formalize_forms AS forms
WHERE forms.id > $1 AND (forms.max_submissions IS NOT NULL AND NOT forms.deleted AND NOT EXISTS (
    SELECT 1
    FROM formalize_form_places AS form_places
    WHERE form_places.form_id = forms.id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (CASE WHEN substr(grants.subject, 1, 6) = 'group:' THEN grants.group_id IS NULL OR grants.subject <> 'group:' || substr(lower(hex(grants.group_id)), 1, 8) || '-' || substr(lower(hex(grants.group_id)), 9, 4) || '-' || substr(lower(hex(grants.group_id)), 13, 4) || '-' || substr(lower(hex(grants.group_id)), 17, 4) || '-' || substr(lower(hex(grants.group_id)), 21, 12) ELSE grants.group_id IS NOT NULL END)
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.id = grants.resource_id AND (resources.class <> grants.class OR resources.anchor <> grants.anchor OR resources.form_id IS DISTINCT
      FROM grants.form_id)))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.id = grants.resource_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (grants.group_id IS NOT NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_groups AS groups
    WHERE groups.id = grants.group_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT grants.id AS id
FROM formalize_grants AS grants
WHERE grants.id > $1 AND (substr(grants.subject, 1, 10) = 'user:link:' AND NOT EXISTS (
    SELECT 1
    FROM formalize_form_links AS form_links
    WHERE form_links.grant_id = grants.id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT groups.id AS id
FROM formalize_groups AS groups
WHERE groups.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_resources AS resources
    WHERE resources.anchor = groups.id AND resources.class = 'DbpRelayAuthorizationGroup'))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT memberships.id AS id
FROM formalize_memberships AS memberships
WHERE memberships.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_groups AS groups
    WHERE groups.id = memberships.group_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT memberships.id AS id
FROM formalize_memberships AS memberships
WHERE memberships.id > $1 AND (memberships.child_group_id IS NOT NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_groups AS groups
    WHERE groups.id = memberships.child_group_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (CASE WHEN resources.class = 'DbpRelayFormalizeSubmission' AND resources.identifier <> '' THEN EXISTS (
    SELECT 1
    FROM formalize_submissions AS submissions
    WHERE submissions.id = resources.anchor AND submissions.form_id IS DISTINCT
    FROM resources.form_id) ELSE resources.form_id IS NOT NULL END)
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (CASE WHEN resources.identifier <> '' AND resources.class IN ('DbpRelayAuthorizationGroup', 'DbpRelayFormalizeForm', 'DbpRelayFormalizeSubmissionCollection', 'DbpRelayFormalizeSubmission') THEN resources.identifier <> substr(lower(hex(resources.anchor)), 1, 8) || '-' || substr(lower(hex(resources.anchor)), 9, 4) || '-' || substr(lower(hex(resources.anchor)), 13, 4) || '-' || substr(lower(hex(resources.anchor)), 17, 4) || '-' || substr(lower(hex(resources.anchor)), 21, 12) ELSE resources.anchor <> resources.id END)
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (resources.class = 'DbpRelayAuthorizationGroup' AND resources.identifier <> '' AND NOT EXISTS (
    SELECT 1
    FROM formalize_groups AS groups
    WHERE groups.id = resources.anchor))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (resources.class = 'DbpRelayFormalizeForm' AND resources.identifier <> '' AND NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = resources.anchor))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (resources.class = 'DbpRelayFormalizeSubmission' AND resources.identifier <> '' AND NOT EXISTS (
    SELECT 1
    FROM formalize_submissions AS submissions
    WHERE submissions.id = resources.anchor))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT resources.id AS id
FROM formalize_resources AS resources
WHERE resources.id > $1 AND (resources.class = 'DbpRelayFormalizeSubmissionCollection' AND resources.identifier <> '' AND NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = resources.anchor))
ORDER BY 1
LIMIT $2;

-- verify
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

-- verify
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

-- verify
SELECT DISTINCT submission_places.form_id AS id
FROM formalize_submission_places AS submission_places
WHERE submission_places.form_id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = submission_places.form_id))
ORDER BY 1
LIMIT $2;

-- verify
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

-- verify
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

-- verify
SELECT DISTINCT submissions.id AS id
FROM formalize_submissions AS submissions
WHERE submissions.id > $1 AND (NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = submissions.form_id))
ORDER BY 1
LIMIT $2;

-- verify
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

-- verify
SELECT DISTINCT submitted_files.id AS id
FROM formalize_submitted_files AS submitted_files
WHERE submitted_files.id > $1 AND (submitted_files.submission_id IS NOT NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_submissions AS submissions
    WHERE submissions.id = submitted_files.submission_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT webhook_deliveries.id AS id
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.id > $1 AND ((webhook_deliveries.state = 'pending') <> (webhook_deliveries.date_next_attempt IS NOT NULL) OR webhook_deliveries.state = 'pending' AND NOT EXISTS (
    SELECT 1
    FROM formalize_events AS events
    WHERE events.position = webhook_deliveries.sequence AND events.id = webhook_deliveries.event_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT webhooks.id AS id
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1 AND (webhooks.disabled IS NOT NULL AND NOT (NOT EXISTS (
      SELECT 1
      FROM formalize_event_subscriptions AS event_subscriptions
      WHERE event_subscriptions.name = 'webhook:' || substr(lower(hex(webhooks.id)), 1, 8) || '-' || substr(lower(hex(webhooks.id)), 9, 4) || '-' || substr(lower(hex(webhooks.id)), 13, 4) || '-' || substr(lower(hex(webhooks.id)), 17, 4) || '-' || substr(lower(hex(webhooks.id)), 21, 12))))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT webhooks.id AS id
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1 AND (webhooks.disabled IS NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_event_subscriptions AS event_subscriptions
    WHERE event_subscriptions.name = 'webhook:' || substr(lower(hex(webhooks.id)), 1, 8) || '-' || substr(lower(hex(webhooks.id)), 9, 4) || '-' || substr(lower(hex(webhooks.id)), 13, 4) || '-' || substr(lower(hex(webhooks.id)), 17, 4) || '-' || substr(lower(hex(webhooks.id)), 21, 12)))
ORDER BY 1
LIMIT $2;

-- verify
SELECT DISTINCT webhooks.id AS id
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1 AND (webhooks.form_id IS NOT NULL AND webhooks.date_ended IS NULL AND NOT EXISTS (
    SELECT 1
    FROM formalize_forms AS forms
    WHERE forms.id = webhooks.form_id))
ORDER BY 1
LIMIT $2;

-- verify
SELECT api_tokens.*
FROM formalize_api_tokens AS api_tokens
WHERE api_tokens.id > $1
ORDER BY api_tokens.id
LIMIT $2;

-- verify
SELECT count(*) || ' rows of table formalize_groups have no identifier' AS found
FROM formalize_groups
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_memberships have no identifier' AS found
FROM formalize_memberships
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_resources have no identifier' AS found
FROM formalize_resources
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_grants have no identifier' AS found
FROM formalize_grants
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_forms have no identifier' AS found
FROM formalize_forms
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_submissions have no identifier' AS found
FROM formalize_submissions
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_submitted_files have no identifier' AS found
FROM formalize_submitted_files
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_submission_places have no identifier' AS found
FROM formalize_submission_places
WHERE typeof(form_id) <> 'blob' OR length(form_id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_form_places have no identifier' AS found
FROM formalize_form_places
WHERE typeof(form_id) <> 'blob' OR length(form_id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_form_links have no identifier' AS found
FROM formalize_form_links
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_api_tokens have no identifier' AS found
FROM formalize_api_tokens
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_events have no identifier' AS found
FROM formalize_events
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_event_arrivals have no identifier' AS found
FROM formalize_event_arrivals
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_event_audience have no identifier' AS found
FROM formalize_event_audience
WHERE typeof(event_id) <> 'blob' OR length(event_id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_event_data have no identifier' AS found
FROM formalize_event_data
WHERE typeof(event_id) <> 'blob' OR length(event_id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_webhooks have no identifier' AS found
FROM formalize_webhooks
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_webhook_deliveries have no identifier' AS found
FROM formalize_webhook_deliveries
WHERE typeof(id) <> 'blob' OR length(id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table formalize_webhook_attempts have no identifier' AS found
FROM formalize_webhook_attempts
WHERE typeof(delivery_id) <> 'blob' OR length(delivery_id) <> 16 HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' rows of table ' || "table" || ' refer to rows of ' || parent || ' that do not exist' AS found
FROM pragma_foreign_key_check
WHERE "table" NOT IN ('formalize_groups', 'formalize_memberships', 'formalize_resources', 'formalize_grants', 'formalize_forms', 'formalize_submissions', 'formalize_submitted_files', 'formalize_submission_places', 'formalize_form_places', 'formalize_form_links', 'formalize_api_tokens', 'formalize_events', 'formalize_event_arrivals', 'formalize_event_audience', 'formalize_event_data', 'formalize_webhooks', 'formalize_webhook_deliveries', 'formalize_webhook_attempts')
GROUP BY "table", parent;

-- verify
SELECT event_id
FROM formalize_event_audience
EXCEPT
SELECT id
FROM formalize_events
EXCEPT
SELECT id
FROM formalize_event_arrivals
LIMIT 1;

-- verify
SELECT event_id
FROM formalize_event_data
EXCEPT
SELECT id
FROM formalize_events
EXCEPT
SELECT id
FROM formalize_event_arrivals
LIMIT 1;

-- verify
SELECT form_links.*
FROM formalize_form_links AS form_links
WHERE form_links.id > $1
ORDER BY form_links.id
LIMIT $2;

-- verify
SELECT forms.*
FROM formalize_forms AS forms
WHERE forms.id > $1
ORDER BY forms.id
LIMIT $2;

-- verify
SELECT forms.*
FROM formalize_forms AS forms
WHERE forms.id IN (
  SELECT unhex(value)
  FROM json_each($1));

-- verify
SELECT grants.*
FROM formalize_grants AS grants
WHERE grants.id > $1
ORDER BY grants.id
LIMIT $2;

-- verify
SELECT groups.*
FROM formalize_groups AS groups
WHERE groups.id > $1
ORDER BY groups.id
LIMIT $2;

-- verify
SELECT id
FROM formalize_resources
LIMIT 1;

-- verify
SELECT id
FROM formalize_submitted_files
WHERE id = $1 AND submission_id IS NOT NULL;

-- verify
SELECT id, group_id, child_group_id
FROM formalize_memberships
WHERE child_group_id IS NOT NULL AND id > $1
ORDER BY id
LIMIT $2;

-- verify
SELECT integrity_check AS found
FROM pragma_integrity_check
WHERE integrity_check <> 'ok';

-- verify
SELECT memberships.*
FROM formalize_memberships AS memberships
WHERE memberships.id > $1
ORDER BY memberships.id
LIMIT $2;

-- verify
SELECT resources.*
FROM formalize_resources AS resources
WHERE resources.id > $1
ORDER BY resources.id
LIMIT $2;

-- verify
SELECT submissions.*, CASE WHEN submissions.num_files > 0 THEN (
  SELECT json_group_array(json_array(hex(submitted_files.id), submitted_files.attribute, submitted_files.name, submitted_files.size, submitted_files.mime_type, submitted_files.sha256, submitted_files.creator, submitted_files.date_created))
  FROM formalize_submitted_files AS submitted_files
  WHERE submitted_files.submission_id = submissions.id) END AS files, (
  SELECT json_group_array(json_array(hex(submission_tags.form_id), submission_tags.tag))
  FROM formalize_submission_tags AS submission_tags
  WHERE submission_tags.submission_id = submissions.id) AS found_by
FROM formalize_submissions AS submissions
WHERE submissions.id > $1
ORDER BY submissions.id
LIMIT $2;

-- verify
SELECT submitted_files.*
FROM formalize_submitted_files AS submitted_files
WHERE submission_id IS NOT NULL AND id > $1
ORDER BY id
LIMIT $2;

-- verify
SELECT submitted_files.*
FROM formalize_submitted_files AS submitted_files
WHERE submitted_files.id > $1
ORDER BY submitted_files.id
LIMIT $2;

-- verify
SELECT webhook_deliveries.*
FROM formalize_webhook_deliveries AS webhook_deliveries
WHERE webhook_deliveries.id > $1
ORDER BY webhook_deliveries.id
LIMIT $2;

-- verify
SELECT webhooks.*
FROM formalize_webhooks AS webhooks
WHERE webhooks.id > $1
ORDER BY webhooks.id
LIMIT $2;
