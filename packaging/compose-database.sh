#!/bin/sh
# Creates the role and the database of the server. The image of PostgreSQL runs this once, on an empty volume. The role is
# not a superuser: whoever takes over the server must not be able to read files or run programs through PostgreSQL.
set -eu
# psql reads the file itself, so that the password appears in no list of processes.
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres <<'SQL'
\set password `cat /run/secrets/database_password`
CREATE ROLE formalize LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE formalize OWNER formalize ENCODING 'UTF8' TEMPLATE template0;
SQL
