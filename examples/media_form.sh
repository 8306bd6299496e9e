#!/usr/bin/env bash
# The form for media of the Relay web client, which the client knows by its identifier. It is administered from the command
# line, in the folder of the server's configuration file:
#
#   examples/media_form.sh [MANAGER]
#
# The user MANAGER manages the form, and everybody may submit to it. Each submission is shared by itself: submitters manage
# theirs, and can have up to two PDF files of 10 MiB with it.
#
# It can be run again, and then only shares the form.
set -euo pipefail

form=019bdb56-6fc7-760d-938a-b128a89958a8

if ! formalize forms show "$form" >/dev/null 2>&1; then
  formalize forms create --identifier "$form" --name Media --localized-name de=Medien \
    --grant-based-submission-authorization --allowed-submission-states draft,submitted \
    --allowed-actions-when-submitted manage --schema - <<'JSON'
{
  "type": "object",
  "required": ["title"],
  "properties": {
    "title": { "type": "string", "localizedName": { "en": "Title", "de": "Titel" } },
    "description": { "type": "string", "localizedName": { "en": "Description", "de": "Beschreibung" } }
  },
  "files": {
    "attachments": { "allowedMimeTypes": ["application/pdf"], "maxNumber": 2, "maxSizeMb": 10 }
  }
}
JSON
fi

formalize forms share "$form" --with everybody --to fill
[ $# = 0 ] || formalize forms share "$form" --with "user:$1" --to manage
