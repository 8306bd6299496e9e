"""A scenario with the Python client that openapi-python-client generates: create a form, submit invalid and valid data,
send and read a file, list page by page, share and read. See tests/clients/run.
"""

import hashlib
import io
import json
import os

from formalize_client import AuthenticatedClient
from formalize_client.api.forms import create_form, get_form, update_form
from formalize_client.api.grants import create_resource_action_grant, get_resource_action_grant
from formalize_client.api.submissions import create_submission, list_submissions
from formalize_client.api.submitted_files import add_submitted_file, get_submitted_file_content
from formalize_client.models import (
    Form,
    FormChange,
    ListSubmissionsOrder,
    NewForm,
    NewResourceActionGrant,
    NewSubmission,
    Problem,
    ResourceActionGrant,
    Submission,
    SubmissionPage,
    SubmissionState,
    SubmittedFile,
)
from formalize_client.types import UNSET, File

SCHEMA = {
    "type": "object",
    "required": ["name", "email"],
    "properties": {"name": {"type": "string"}, "email": {"type": "string", "format": "email"}},
    "files": {"cv": {"minNumber": 0, "allowedMimeTypes": ["text/*"]}},
}

client = AuthenticatedClient(base_url=os.environ["FORMALIZE_URL"], token=os.environ["FORMALIZE_TOKEN"])

new = NewForm(name="Workshop registration", data_feed_schema=json.dumps(SCHEMA), availability_ends=None)
form = create_form.sync(client=client, body=new)
assert isinstance(form, Form), form
assert form.availability_ends is None
assert form.granted_actions == ["manage"]

mistaken = NewSubmission(form_identifier=form.identifier, data_feed_element=json.dumps({"email": "ada"}))
problem = create_submission.sync(client=client, body=mistaken)
assert isinstance(problem, Problem), problem
assert problem.relayerror_id == "formalize:submission-invalid-json"
places = sorted((violation.keyword, violation.instance_path) for violation in problem.violations)
assert places == [("format", "/email"), ("required", "")], places

data = json.dumps({"name": "Ada", "email": "ada@example.org"})
submission = create_submission.sync(
    client=client, body=NewSubmission(form_identifier=form.identifier, data_feed_element=data)
)
assert isinstance(submission, Submission), submission
assert submission.data_feed_element == data
assert submission.submission_state is SubmissionState.SUBMITTED

content = "Ada, 1815 – 1852".encode()
added = add_submitted_file.sync(
    str(submission.identifier),
    client=client,
    body=File(payload=io.BytesIO(content)),
    file_attribute_name="cv",
    file_name="cv.txt",
)
assert isinstance(added, SubmittedFile), added
assert added.file_name == "cv.txt" and added.mime_type == "text/plain"
assert added.sha256 == hashlib.sha256(content).hexdigest()
read = get_submitted_file_content.sync(str(submission.identifier), str(added.identifier), client=client)
assert isinstance(read, File), read
assert read.payload.read() == content

page = list_submissions.sync(client=client, form_identifier=str(form.identifier), per_page=10)
assert isinstance(page, SubmissionPage), page
assert [item.identifier for item in page.items] == [submission.identifier]
assert page.next_cursor is None

# Page by page, with the defaults of the document.
created = [submission.identifier]
for _ in range(2):
    another = create_submission.sync(
        client=client, body=NewSubmission(form_identifier=form.identifier, data_feed_element=data)
    )
    assert isinstance(another, Submission), another
    created.append(another.identifier)
for order, expected in [(ListSubmissionsOrder.OLDEST, created), (ListSubmissionsOrder.NEWEST, created[::-1])]:
    walked, cursor = [], UNSET
    while cursor is not None:
        page = list_submissions.sync(
            client=client, form_identifier=str(form.identifier), per_page=1, cursor=cursor, order=order
        )
        assert isinstance(page, SubmissionPage), page
        walked.extend(item.identifier for item in page.items)
        cursor = page.next_cursor
    assert walked == expected, walked

grant = create_resource_action_grant.sync(
    client=client,
    body=NewResourceActionGrant(
        resource_class="DbpRelayFormalizeForm",
        resource_identifier=str(form.identifier),
        action="read",
        dynamic_group_identifier="everybody",
    ),
)
assert isinstance(grant, ResourceActionGrant), grant
assert get_resource_action_grant.sync(str(grant.identifier), client=client) == grant

found = get_form.sync(str(form.identifier), client=client)
assert isinstance(found, Form), found
assert found.identifier == form.identifier and found.num_submissions_by_current_user == 3
changed = update_form.sync(
    str(form.identifier), client=client, body=FormChange(max_num_submissions_per_creator=2), if_match="*"
)
assert isinstance(changed, Form), changed
assert changed.max_num_submissions_per_creator == 2

print("Python: passed")
