# Creates records of every kind for the examples of the command line, and writes their identifiers into the file
# `identifiers`.
mkdir -p var/lib/formalize var/backups backup etc/formalize usr/local
cat > formalize.toml <<'END'
[policies]
create_forms = '"staff" in user.attributes.roles'

[dynamic_groups]
staff = '"staff" in user.attributes.roles'

[resource_classes.VendorThing]
item_actions = { write = { en = "Write" } }
END
echo '{"type": "object", "required": ["email"], "properties": {"email": {"type": "string", "format": "email"}}}' > newsletter.schema.json
printf '{"email": "carol@example.org"}\n{"email": "dave@example.org"}\n' > old.ndjson

remember() {
  printf '%s=%s\n' "$1" "$(sed -n 's/^identifier *//p')" >> identifiers
}
formalize migrate up
formalize forms create --name Workshop --allowed-submission-states draft,submitted | remember FORM
. ./identifiers
for user in alice bob; do
  formalize grants create --action create_submissions --resource "DbpRelayFormalizeForm/$FORM" --user "$user" > /dev/null
done
formalize grants create --action read --resource "DbpRelayFormalizeForm/$FORM" --dynamic-group staff | remember GRANT
echo '{"email": "alice@example.org"}' | formalize submissions create --form "$FORM" --data - --state draft --as alice | remember SUBMISSION
echo '{"email": "bob@example.org"}' | formalize submissions create --form "$FORM" --data - --as bob > /dev/null
formalize links create --form "$FORM" > /dev/null
formalize links list --form "$FORM" -o csv | sed -n '2s/^\([^,]*\),.*/identifier \1/p' | remember LINK
formalize webhooks create --form "$FORM" --url https://example.org/hook | remember WEBHOOK
formalize groups create "Registrar's office" | remember GROUP
. ./identifiers
formalize members add "$GROUP" --user heidi | remember MEMBERSHIP
formalize tokens create --user grace > /dev/null
formalize tokens list -o csv | sed -n '2s/^\([^,]*\),.*/identifier \1/p' | remember TOKEN_ID
if [ -e formalize.db ]; then
  formalize forms create --name Application --allowed-submission-states draft > /dev/null
  echo '{}' | formalize submissions create --form Application --data - --state draft | remember APPLICATION
  . ./identifiers
  echo text > notes.txt
  formalize files add "$APPLICATION" --file-attribute notes notes.txt | remember FILE
  cp -R formalize.db formalize.db.files var/lib/formalize/
fi
