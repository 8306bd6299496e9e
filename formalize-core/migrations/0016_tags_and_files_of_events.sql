-- The tags and files of submissions as they were at an event, for webhooks.

ALTER TABLE event_data ADD COLUMN tags_and_files TEXT; -- JSON: an object; null: kept by an earlier version, without them
