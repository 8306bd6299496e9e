"""Rules that the OpenAPI document cannot express.

The check `positive_data_acceptance` requires that every request which matches the document is accepted. Some rules cannot
be expressed in a schema. The check defined here allows rejections by exactly these rules.
"""

import re

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

BEYOND_SCHEMAS = {
    # Whether the entity tag is current depends on the state of the item.
    "precondition-failed",
    # Exactly one of several members must be present.
    "group-member-invalid",
    "resource-action-grant-invalid-holder",
    "resource-action-grant-invalid-resource",
    # Names that the configuration defines.
    "dynamic-group-undefined",
    "resource-action-grant-invalid-action-undefined",
    # A string must contain JSON, a JSON Schema, or data that matches a schema.
    "form-invalid-data-feed-schema",
    "submission-invalid-json",
    # Whether the key was used before depends on other requests.
    "idempotency-key-reused",
    "idempotency-key-in-use",
    # The form decides this.
    "submission-state-not-allowed",
    "submission-form-currently-not-available",
    "submission-tags-invalid",
}

MEMBERS_BEYOND_SCHEMAS = {
    # Must not be blank or contain control characters.
    "group-invalid": {"name"},
    # Likewise, also the contact. Dates must be a date or a timestamp, and the start must not be after the end. Localized names
    # need language tags, and additional data are limited in size. Identifiers of tags must be unique and without control
    # characters, and permissions for tags must be one of four sets.
    "form-invalid": {
        "name", "contact", "availableStarts", "availabilityEnds", "localizedNames", "additionalData", "availableTags",
        "tagPermissionsForSubmitters",
    },
    # A check must have these members unless they are beside `checks`. The identifier of a user and a key must not contain
    # control characters, and the former must not be reserved. Additional data must be an object or an array.
    "invalid-request-body": {
        "resourceClass", "action", "checks/*/resourceClass", "checks/*/action", "userIdentifier", "submissions/*/key",
        "additionalData",
    },
    # A label must not be blank or contain control characters, and a text must be an origin.
    "form-link-invalid": {"label", "embedOrigins"},
    # A URL must be one that webhooks may send to. Exactly one of `deliveries` and `since` must be present.
    "webhook-invalid": {
        "url", "description", "eventTypes", "secret", "deliveries", "since", "until",
    },
    # A cursor must be one that the server issued, and cannot be combined with a page. An option of a document must apply to
    # its format.
    "invalid-parameter": {
        "page", "cursor", "from", "headers", "labels", "language", "formulaGuard", "bom", "separator", "endMarker",
    },
}


def is_beyond_schemas(response) -> bool:
    if response.status_code not in (400, 412, 422):
        return False
    problem = response.json()
    error = problem["relay:errorId"].split(":", 1)[1]
    details = [re.sub(r"/\d+/", "/*/", detail) for detail in problem["relay:errorDetails"]]
    members = MEMBERS_BEYOND_SCHEMAS.get(error, set())
    return error in BEYOND_SCHEMAS or (bool(details) and set(details) <= members)


def has_empty_header(case) -> bool:
    # schemathesis treats an empty header as valid, regardless of the pattern and minimum length in its schema.
    return any(value == "" for value in (case.headers or {}).values())


def is_form(case) -> bool:
    # The order of parts, and what their names begin with.
    return (case.media_type or "").startswith("multipart/")


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    if is_beyond_schemas(response) or has_empty_header(case) or is_form(case) and response.status_code == 400:
        return None
    return positive_data_acceptance(ctx, response, case)
