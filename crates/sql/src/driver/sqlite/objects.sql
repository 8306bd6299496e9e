-- What other programs must not change in the schema of the database. A table's own text has its constraints. Litestream
-- keeps tables of its own in a database that it copies.
SELECT type AS kind, tbl_name AS owner, name, sql AS definition
FROM sqlite_master
WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' AND tbl_name NOT IN ('_litestream_lock', '_litestream_seq')
UNION ALL
SELECT 'column', tables.name, columns.name,
    columns.type
        || CASE columns."notnull" WHEN 1 THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || columns.dflt_value, '')
FROM sqlite_master AS tables CROSS JOIN pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' AND tables.sql LIKE 'CREATE TABLE %' AND tables.name NOT LIKE 'sqlite!_%' ESCAPE '!'
    AND tables.name NOT IN ('_litestream_lock', '_litestream_seq')
