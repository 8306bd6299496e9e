#!/usr/bin/env bash
# A first form on a running server: creates it, submits to it, first with mistakes, shares it, and lists what has come in.
#
#   FORMALIZE_TOKEN=… examples/first_form.sh
#
# FORMALIZE_URL    the server, by default http://127.0.0.1:8080
# FORMALIZE_TOKEN  an API token of somebody who may create forms: the server prints one when it first starts
set -euo pipefail

url=${FORMALIZE_URL:-http://127.0.0.1:8080}
token=${FORMALIZE_TOKEN:?set FORMALIZE_TOKEN to an API token}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() { printf '\n== %s\n' "$*"; }

# Sends standard input to a path, or only asks where there is none; shows the answer, which must have this status.
#   request STATUS METHOD PATH
request() {
  local body=()
  [ "$2" = GET ] || body=(-H 'Content-Type: application/json' --data-binary @-)
  local status
  status=$(curl -sS -o "$work/answer" -w '%{http_code}' -X "$2" "$url$3" -H "Authorization: Bearer $token" "${body[@]}")
  printf '%s %s: %s\n' "$2" "$3" "$status"
  cat "$work/answer"
  echo
  [ "$status" = "$1" ] || { echo "expected $1" >&2; exit 1; }
}

# Writes standard input as a JSON string.
json_string() {
  printf '"'
  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' | awk '{ printf "%s\\n", $0 }'
  printf '"'
}

step "Create a form; its schema is a string that holds JSON, and is kept exactly as it is"
schema=$(json_string <<'JSON'
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "required": ["name", "email"],
  "properties": {
    "name": {"type": "string", "minLength": 1, "localizedName": {"en": "Name", "de": "Name"}},
    "email": {"type": "string", "format": "email"},
    "seats": {"type": "integer", "minimum": 1, "maximum": 4}
  },
  "additionalProperties": false
}
JSON
)
request 201 POST /formalize/forms <<JSON
{"name": "Workshop registration", "dataFeedSchema": $schema, "maxNumSubmissionsPerCreator": 2}
JSON
form=$(sed -n 's/.*"identifier": *"\([^"]*\)".*/\1/p' "$work/answer" | head -n 1)

step "Submit to it, with mistakes: every one of them is named"
data=$(json_string <<<'{"email": "grace", "seats": 9}')
request 400 POST /formalize/submissions <<<"{\"formIdentifier\": \"$form\", \"dataFeedElement\": $data}"

step "Submit to it"
data=$(json_string <<<'{"name": "Grace", "email": "grace@example.org", "seats": 2}')
request 201 POST /formalize/submissions <<<"{\"formIdentifier\": \"$form\", \"dataFeedElement\": $data}"

step "Let everybody who has a token submit"
request 201 POST /authorization/resource-action-grants <<JSON
{"resourceClass": "DbpRelayFormalizeForm", "resourceIdentifier": "$form", "action": "create_submissions", "dynamicGroupIdentifier": "everybody"}
JSON

step "See what has come in"
request 200 GET "/formalize/submissions?formIdentifier=$form"
