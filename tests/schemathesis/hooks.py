"""What schemathesis cannot know of a request that its schema allows.

Its check `positive_data_acceptance` demands that every request which the OpenAPI document allows is accepted. Some rules
cannot be written into a schema; the check here is the same one, but for refusals by exactly these rules.
"""

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

BEYOND_SCHEMAS = {
    # Whether a tag is that of the item's state.
    "precondition-failed",
    # Exactly one of several members is given.
    "group-member-invalid",
    "resource-action-grant-invalid-holder",
    "resource-action-grant-invalid-resource",
    # Words that the configuration defines.
    "dynamic-group-undefined",
    "resource-action-grant-invalid-action-undefined",
    # The text of a string is JSON, and that a JSON Schema or what one demands.
    "form-invalid-data-feed-schema",
    "submission-invalid-json",
    # The form decides.
    "submission-state-not-allowed",
    "submission-form-currently-not-available",
}

MEMBERS_BEYOND_SCHEMAS = {
    # Not blank, no control characters.
    "group-invalid": {"name"},
    # The same; a date or an instant, and the start is not after the end.
    "form-invalid": {"name", "availableStarts", "availabilityEnds"},
    # A cursor is one that was handed out, and does not go with a page.
    "invalid-parameter": {"page", "cursor"},
}


def is_beyond_schemas(response) -> bool:
    if response.status_code not in (400, 412):
        return False
    problem = response.json()
    error = problem["relay:errorId"].split(":", 1)[1]
    details = problem["relay:errorDetails"]
    members = MEMBERS_BEYOND_SCHEMAS.get(error, set())
    return error in BEYOND_SCHEMAS or (bool(details) and set(details) <= members)


def is_no_valid_request(case) -> bool:
    # schemathesis takes an empty header for a valid one, whatever the pattern and the least length of its schema.
    return any(value == "" for value in (case.headers or {}).values())


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    if is_beyond_schemas(response) or is_no_valid_request(case):
        return None
    return positive_data_acceptance(ctx, response, case)
