// Compares the violations in refusals of a running server with the errors of Ajv for the same schemas and data: the same
// keywords at the same locations, with the same params.
//
// FORMALIZE_URL is the address of the server, and FORMALIZE_TOKEN a token that may create forms.

import { isDeepStrictEqual } from "node:util";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { FORMALIZE_URL: url, FORMALIZE_TOKEN: token, FORMALIZE_AJV: modules } = process.env;
// Ajv is installed in the target folder, not beside this file.
const load = createRequire(`${modules}/`);

const options = { allErrors: true, strict: false };
const drafts = {
  "draft-04": ["http://json-schema.org/draft-04/schema#", new (load("ajv-draft-04").default)(options)],
  "draft-06": ["http://json-schema.org/draft-06/schema#", new (load("ajv").default)(options)],
  "draft-07": ["http://json-schema.org/draft-07/schema#", new (load("ajv").default)(options)],
  "2019-09": ["https://json-schema.org/draft/2019-09/schema", new (load("ajv/dist/2019").default)(options)],
  "2020-12": ["https://json-schema.org/draft/2020-12/schema", new (load("ajv/dist/2020").default)(options)],
};
drafts["draft-06"][1].addMetaSchema(load("ajv/dist/refs/json-schema-draft-06.json"));
for (const [, ajv] of Object.values(drafts)) {
  load("ajv-formats").default(ajv);
}

async function post(path, body) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** The violations that the server reports for data. */
async function violations(schema, data) {
  const form = await post("/formalize/forms", { name: "Ajv", dataFeedSchema: JSON.stringify(schema) });
  if (form.status !== 201) {
    throw new Error(`the schema was refused: ${JSON.stringify(form.body)}`);
  }
  const submission = { formIdentifier: form.body.identifier, dataFeedElement: JSON.stringify(data) };
  const refused = await post("/formalize/submissions", submission);
  if (refused.status !== 400) {
    throw new Error(`status ${refused.status} instead of 400: ${JSON.stringify(refused.body)}`);
  }
  return refused.body.violations;
}

/** What is compared of an error. The reasons are those why the server does not say exactly what Ajv says. */
function compared({ keyword, instancePath, params }) {
  switch (keyword) {
    // Ajv counts the dependencies and lists them. Renderers look for the missing member.
    case "dependentRequired":
    case "dependencies":
      return { keyword, instancePath, params: { missingProperty: params.missingProperty } };
    // There may be several pairs. Which one is found first depends on the search.
    case "uniqueItems":
      return { keyword, instancePath, params: Object.keys(params).sort() };
    // In draft-04 these are booleans that change `minimum` and `maximum`, which Ajv names. The limit is excluded either way.
    case "minimum":
      return { keyword: params.comparison === ">" ? "exclusiveMinimum" : keyword, instancePath, params };
    case "maximum":
      return { keyword: params.comparison === "<" ? "exclusiveMaximum" : keyword, instancePath, params };
    // The validator of the server does not tell how many items were evaluated.
    case "unevaluatedItems":
      return { keyword, instancePath, params: {} };
    default:
      return { keyword, instancePath, params };
  }
}

/** Whether the server has a violation for an error of Ajv. */
function isReported({ keyword, schemaPath }) {
  // `if` only says that the errors of `then` or `else` are listed besides. Of alternatives, conditions and the like, the
  // server names the keyword that failed, and not what each of them would need.
  return keyword !== "if" && !/\/(anyOf|oneOf)\/\d+\/|\/(not|if|contains|propertyNames)\//.test(schemaPath);
}

let compares = 0;
let differences = 0;
const keywords = new Set();
for (const { drafts: names = Object.keys(drafts), schema, data } of JSON.parse(readFileSync("tests/ajv/cases.json"))) {
  for (const name of names) {
    const [uri, ajv] = drafts[name];
    const whole = { $schema: uri, properties: { p: schema } };
    const validate = ajv.compile(whole);
    if (validate({ p: data })) {
      throw new Error(`Ajv accepts ${JSON.stringify(data)} for ${JSON.stringify(schema)} (${name})`);
    }
    const order = (one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
    const expected = validate.errors.filter(isReported).map(compared).sort(order);
    const found = (await violations(whole, { p: data })).map(compared).sort(order);
    compares += 1;
    expected.forEach(({ keyword }) => keywords.add(keyword));
    if (!isDeepStrictEqual(found, expected)) {
      differences += 1;
      console.log(`${name} ${JSON.stringify(schema)} ${JSON.stringify(data)}`);
      console.log(`  Ajv     ${JSON.stringify(expected)}`);
      console.log(`  server  ${JSON.stringify(found)}`);
    }
  }
}
console.log(`${compares} comparisons, ${differences} differences; keywords: ${[...keywords].sort().join(" ")}`);
process.exit(differences === 0 && keywords.size >= 25 ? 0 : 1);
