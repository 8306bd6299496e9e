#!/usr/bin/env bash
# Tries a running server with real schemas and documents.
#
#   examples/try_schemas.sh FOLDER
#
# FOLDER holds one folder for each schema: NAME/schema.json, NAME/valid/*.json, NAME/invalid/*.json. For each the script
# creates a form, submits every document, and checks that the valid ones are accepted and the invalid ones refused with
# `formalize:submission-invalid-json` and at least one violation. It prints what it saw and exits with 1 if anything was
# not as it should be.
#
# FORMALIZE_URL    the server, by default http://127.0.0.1:8080
# FORMALIZE_TOKEN  an API token of somebody who may create forms
set -euo pipefail

folder=${1:?usage: examples/try_schemas.sh FOLDER}
url=${FORMALIZE_URL:-http://127.0.0.1:8080}
token=${FORMALIZE_TOKEN:?set FORMALIZE_TOKEN to an API token}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Writes a file as a JSON string.
json_string() {
  printf '"'
  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/\\t/g' -e 's/\r/\\r/g' "$1" | awk '{ printf "%s\\n", $0 }'
  printf '"'
}

# Posts $work/body to a path; leaves the answer in $work/answer and prints the status.
post() {
  curl -sS -o "$work/answer" -w '%{http_code}' "$url$1" -X POST \
    -H "Authorization: Bearer $token" -H 'Content-Type: application/json' --data-binary "@$work/body"
}

member() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$work/answer" | head -n 1; }

accepted=0 refused=0 wrong=0
complain() {
  wrong=$((wrong + 1))
  printf 'WRONG  %s: %s\n' "$1" "$2"
  sed 's/^/       /' "$work/answer"
  echo
}

for schema in "$folder"/*/schema.json; do
  name=$(basename "$(dirname "$schema")")
  { printf '{"name":"%s","dataFeedSchema":' "$name"; json_string "$schema"; printf '}'; } >"$work/body"
  status=$(post /formalize/forms)
  if [ "$status" != 201 ]; then
    complain "$schema" "the form was not created ($status)"
    continue
  fi
  form=$(member identifier)
  for document in "$folder/$name"/valid/*.json "$folder/$name"/invalid/*.json; do
    [ -e "$document" ] || continue
    { printf '{"formIdentifier":"%s","dataFeedElement":' "$form"; json_string "$document"; printf '}'; } >"$work/body"
    status=$(post /formalize/submissions)
    case "$document $status" in
      */valid/*" 201") accepted=$((accepted + 1)) ;;
      */invalid/*" 400")
        if [ "$(member relay:errorId)" != formalize:submission-invalid-json ]; then
          complain "$document" "refused, but not as invalid data"
        elif ! grep -q '"instancePath"' "$work/answer"; then
          complain "$document" "refused without saying why"
        else
          refused=$((refused + 1))
          printf '%s\n' "$document" "$(sed 's/.*"relay:errorDetails": *\[\([^]]*\)\].*/    \1/' "$work/answer")"
        fi
        ;;
      *) complain "$document" "answered with $status" ;;
    esac
  done
done

printf '%s accepted, %s refused, %s wrong\n' "$accepted" "$refused" "$wrong"
[ "$wrong" = 0 ] && [ $((accepted + refused)) -gt 0 ]
