-- While there is a hold that has not ended, no content of a file is deleted: a backup is being made.
CREATE TABLE file_holds (
    id        UUID   NOT NULL PRIMARY KEY,
    date_ends BIGINT NOT NULL
);
