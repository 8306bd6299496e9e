// A scenario with a TypeScript client and the types that openapi-typescript generates: create a form, submit invalid and
// valid data, send and read a file, list page by page, share and read. See tests/clients/run.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Form = components["schemas"]["Form"];
type Page = components["schemas"]["SubmissionPage"];
type Problem = components["schemas"]["Problem"];

const schema = {
  type: "object",
  required: ["name", "email"],
  properties: { name: { type: "string" }, email: { type: "string", format: "email" } },
  files: { cv: { minNumber: 0, allowedMimeTypes: ["text/*"] } },
};

const [url, token] = [process.env["FORMALIZE_URL"], process.env["FORMALIZE_TOKEN"]];
assert(url && token, "FORMALIZE_URL and FORMALIZE_TOKEN are set by tests/clients/run");
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });

/** What was asked for; a problem ends the scenario. */
function expect<T>(answer: { data?: T; error?: Problem; response: Response }, status: number): NonNullable<T> {
  assert.equal(answer.response.status, status, answer.error?.detail);
  assert(answer.data !== undefined && answer.data !== null);
  return answer.data;
}

async function createForm(): Promise<Form> {
  const body = { name: "Workshop registration", dataFeedSchema: JSON.stringify(schema), availabilityEnds: null };
  const form = expect(await client.POST("/formalize/forms", { body }), 201);
  assert.equal(form.availabilityEnds, null);
  assert.deepEqual(form.grantedActions, ["manage"]);
  return form;
}

async function submitWithMistakes(form: Form): Promise<void> {
  const body = { formIdentifier: form.identifier, dataFeedElement: JSON.stringify({ email: "ada" }) };
  const { error, response } = await client.POST("/formalize/submissions", { body });
  assert.equal(response.status, 400);
  assert(error);
  assert.equal(error["relay:errorId"], "formalize:submission-invalid-json");
  const places = error.violations?.map((violation) => `${violation.keyword} ${violation.instancePath}`);
  assert.deepEqual(places?.sort(), ["format /email", "required "]);
}

async function submit(form: Form): Promise<string> {
  const data = JSON.stringify({ name: "Ada", email: "ada@example.org" });
  const body = { formIdentifier: form.identifier, dataFeedElement: data };
  const submission = expect(await client.POST("/formalize/submissions", { body }), 201);
  assert.equal(submission.dataFeedElement, data);
  assert.equal(submission.submissionState, "submitted");
  return submission.identifier;
}

async function sendFile(submission: string): Promise<void> {
  const content = "Ada, 1815 – 1852";
  const added = await client.POST("/formalize/submissions/{identifier}/files", {
    params: { path: { identifier: submission }, query: { fileAttributeName: "cv", fileName: "cv.txt" } },
    body: content,
    bodySerializer: (body) => new Blob([body]),
    headers: { "Content-Type": "application/octet-stream" },
  });
  const file = expect(added, 201);
  assert.equal(file.fileName, "cv.txt");
  assert.equal(file.sha256, createHash("sha256").update(content).digest("hex"));
  const path = { identifier: submission, fileIdentifier: file.identifier };
  const route = "/formalize/submissions/{identifier}/files/{fileIdentifier}/content";
  const read = await client.GET(route, { params: { path }, parseAs: "text" });
  assert.equal(expect(read, 200), content);
}

async function list(form: Form): Promise<string[]> {
  const query = { formIdentifier: form.identifier, perPage: 10 };
  const page = expect(await client.GET("/formalize/submissions", { params: { query } }), 200);
  assert.equal(page.nextCursor, null);
  return page.items.map((submission) => submission.identifier);
}

/** All submissions, one on each page, with the defaults of the document. */
async function walk(form: Form, order: "oldest" | "newest"): Promise<string[]> {
  const walked: string[] = [];
  let cursor: string | null = null;
  do {
    const query = { formIdentifier: form.identifier, perPage: 1, order, ...(cursor === null ? {} : { cursor }) };
    const page: Page = expect(await client.GET("/formalize/submissions", { params: { query } }), 200);
    walked.push(...page.items.map((submission) => submission.identifier));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return walked;
}

async function share(form: Form): Promise<void> {
  const body = {
    resourceClass: "DbpRelayFormalizeForm",
    resourceIdentifier: form.identifier,
    action: "read",
    dynamicGroupIdentifier: "everybody",
  };
  const made = expect(await client.POST("/authorization/resource-action-grants", { body }), 201);
  const path = { identifier: made.identifier };
  const read = await client.GET("/authorization/resource-action-grants/{identifier}", { params: { path } });
  assert.deepEqual(expect(read, 200), made);
}

async function read(form: Form): Promise<void> {
  const path = { identifier: form.identifier };
  const found = expect(await client.GET("/formalize/forms/{identifier}", { params: { path } }), 200);
  assert.deepEqual({ ...found, numSubmissionsByCurrentUser: 0, availableTags: [] }, { ...form, numSubmissionsByCurrentUser: 0 });
  const changed = await client.PATCH("/formalize/forms/{identifier}", {
    params: { path, header: { "If-Match": "*" } },
    body: { maxNumSubmissionsPerCreator: 2 },
  });
  assert.equal(expect(changed, 200).maxNumSubmissionsPerCreator, 2);
}

const form = await createForm();
await submitWithMistakes(form);
const submission = await submit(form);
await sendFile(submission);
assert.deepEqual(await list(form), [submission]);
const created = [submission, await submit(form), await submit(form)];
assert.deepEqual(await walk(form, "oldest"), created);
assert.deepEqual(await walk(form, "newest"), [...created].reverse());
await share(form);
await read(form);
console.log("TypeScript: passed");
