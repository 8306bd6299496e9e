#!/usr/bin/env bash
# The form for media of the Relay web client, which the client knows by its identifier. It is administered from the command
# line, in the folder of the server's configuration file:
#
#   examples/media_form.sh [MANAGER]
#
# The user MANAGER manages the form, and everybody may submit to it. Each submission is shared by itself: submitters manage
# theirs, and can have up to two PDF files of 10 MiB with it.
#
# The properties are those that the client sends. It decides by itself which of them are required, and leaves out what was
# not asked, so that the schema requires none.
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
  "properties": {
    "category": { "type": "string", "localizedName": { "en": "Category", "de": "Kategorie" } },
    "advertisementSubcategory": { "type": "string", "localizedName": { "en": "Subcategory", "de": "Unterkategorie" } },
    "mediaName": { "type": "string", "localizedName": { "en": "Medium", "de": "Medium" } },
    "mediumOwnersName": { "type": "string", "localizedName": { "en": "Media owner", "de": "Medieninhaber" } },
    "otherMediumName": { "type": "string", "localizedName": { "en": "Other medium", "de": "Anderes Medium" } },
    "otherMediumOwnersName": { "type": "string", "localizedName": { "en": "Other media owner", "de": "Anderer Medieninhaber" } },
    "amountInEuro": { "type": "string", "localizedName": { "en": "Amount in euros", "de": "Betrag in Euro" } },
    "campaignTitle": { "type": "string", "localizedName": { "en": "Campaign", "de": "Kampagne" } },
    "sujetNotes": { "type": "string", "localizedName": { "en": "Notes on the subject", "de": "Anmerkungen zum Sujet" } },
    "notes": { "type": "string", "localizedName": { "en": "Notes", "de": "Anmerkungen" } },
    "atFrom": { "type": "string", "localizedName": { "en": "From", "de": "Von" } },
    "to": { "type": "string", "localizedName": { "en": "To", "de": "Bis" } },
    "sapOrderNumber": { "type": "string", "localizedName": { "en": "SAP order number", "de": "SAP-Bestellnummer" } },
    "reportingDeadline": { "type": "string", "localizedName": { "en": "Reporting deadline", "de": "Meldefrist" } },
    "identifier": { "type": "string", "localizedName": { "en": "Person", "de": "Person" } }
  },
  "files": {
    "attachments": { "allowedMimeTypes": ["application/pdf"], "minNumber": 0, "maxNumber": 2, "maxSizeMb": 10 }
  }
}
JSON
fi

formalize forms share "$form" --with everybody --to fill
[ $# = 0 ] || formalize forms share "$form" --with "user:$1" --to manage
