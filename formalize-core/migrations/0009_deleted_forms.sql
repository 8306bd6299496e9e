-- Forms that were deleted while they had many submissions. No list and no search finds them or what belongs to them. Their
-- submissions are deleted in portions and they themselves last, because the foreign keys would delete all of it in one
-- statement.

ALTER TABLE forms ADD COLUMN deleted BOOLEAN NOT NULL DEFAULT FALSE;

CREATE INDEX forms_deleted ON forms (id) WHERE deleted;
