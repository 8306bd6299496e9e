-- What other programs must not change in the schema of the database, without what belongs to extensions. PostgreSQL
-- reports definitions in a form of its own.
WITH tables AS (
    SELECT pg_class.oid, relname, relkind, relpersistence, relrowsecurity, nspname
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'f', 'v', 'm')
        AND NOT EXISTS (
            SELECT 1 FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
        )
)
SELECT CASE WHEN relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind,
    relname::text AS owner,
    relname::text AS name,
    concat_ws(' ',
        CASE relpersistence WHEN 'p' THEN 'LOGGED' ELSE 'UNLOGGED' END,
        CASE WHEN relrowsecurity THEN 'ROW LEVEL SECURITY' END) AS definition
FROM tables
UNION ALL
SELECT 'column', relname::text, attname::text,
    format_type(atttypid, atttypmod)
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
UNION ALL
SELECT 'constraint', relname::text, conname::text, pg_get_constraintdef(pg_constraint.oid)
FROM tables JOIN pg_constraint ON conrelid = tables.oid
WHERE contype IN ('c', 'f', 'p', 'u', 'x')
UNION ALL
-- The others belong to constraints.
SELECT 'index', tables.relname::text, indexes.relname::text,
    replace(pg_get_indexdef(indexrelid), ' ON ' || quote_ident(nspname) || '.', ' ON ')
FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class AS indexes ON indexes.oid = indexrelid
WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = indrelid AND conindid = indexrelid)
UNION ALL
SELECT 'trigger', relname::text, tgname::text, pg_get_triggerdef(pg_trigger.oid)
FROM tables JOIN pg_trigger ON tgrelid = tables.oid
WHERE NOT tgisinternal
UNION ALL
SELECT 'rule', relname::text, rulename::text, pg_get_ruledef(pg_rewrite.oid)
FROM tables JOIN pg_rewrite ON ev_class = tables.oid
WHERE rulename <> '_RETURN'
