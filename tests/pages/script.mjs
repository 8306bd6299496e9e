// Tests the script of form pages in a browser, with a server that plays the part of ours: it has the same pages and the
// same policy, and can be slow or fail.
//
//   node script.mjs BROWSER REPLIES

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Browser, pause } from "./browser.mjs";

const [program, replies] = process.argv.slice(2);

const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
  "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
  "trusted-types page", "report-uri /report",
].join("; ");

// The pages come from the program `replies`, which answers one line at a time.
const renderer = spawn(replies, { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: renderer.stdout })[Symbol.asyncIterator]();
let rendered = Promise.resolve();
const render = (entries) =>
  (rendered = rendered.then(async () => {
    renderer.stdin.write(`${JSON.stringify(entries)}\n`);
    return JSON.parse((await lines.next()).value);
  }));

/** What the server does, and what it has seen. */
const server = { direction: "ltr", secondsLeft: 7200, delays: [], scriptDelay: 0, fault: null, requests: [], reports: [] };

/** What may go wrong when the form is posted. */
const faults = {
  network: (response) => response.destroy(),
  redirect: (response, send) => send(303, "text/plain", "", response.setHeader("Location", "/f/form")),
  refusal: (_, send) => send(403, "text/html", '<h1>Not now</h1><form method="post"></form>'),
  silence: () => {},
};

async function answer(request, response) {
  const path = new URL(request.url, "http://localhost").pathname;
  let text = "";
  for await (const part of request.setEncoding("utf8")) {
    text += part;
  }
  const send = (status, type, body) => {
    response.writeHead(status, { "Content-Type": `${type}; charset=utf-8`, "Content-Security-Policy": policy });
    response.end(body);
  };
  if (path === "/report") {
    server.reports.push(text);
    return send(204, "text/plain");
  }
  const asset = { js: ["form.js", "text/javascript"], css: ["page.css", "text/css"] }[path.split(".").at(-1)];
  if (asset) {
    await pause(asset[0] === "form.js" ? server.scriptDelay : 0);
    return send(200, asset[1], readFileSync(`formalize-web/assets/${asset[0]}`));
  }
  if (path !== "/f/form") {
    return send(404, "text/plain");
  }
  const entries = [...new URLSearchParams(text)];
  const isPart = request.headers["x-page-part"] === "1";
  if (request.method === "POST") {
    server.requests.push({ isPart, entries: Object.fromEntries(entries), type: request.headers["content-type"] });
    const fault = faults[server.fault];
    await pause(server.delays.shift() ?? 0);
    if (fault) {
      return fault(response, send);
    }
  }
  const page = (await render(entries))
    .replace("<html ", `<html dir="${server.direction}" `)
    .replace('data-seconds-left="7200"', `data-seconds-left="${server.secondsLeft}"`);
  const part = /<main id="content">(.*)<\/main>/s.exec(page)[1];
  return send(page.includes('class="summary"') ? 422 : 200, "text/html", isPart ? part : page);
}

const listener = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
await new Promise((resolve) => listener.once("listening", resolve));
const url = `http://127.0.0.1:${listener.address().port}/f/form`;
const browser = await Browser.start(program);

const quoted = (text) => JSON.stringify(text);
const find = (selector) => `document.querySelector(${quoted(selector)})`;
const control = (name) => find(`[name="${name}"]:not([type=hidden])`);
const option = (name, value) => find(`[name="${name}"][value="${value}"]`);
const button = (value) => find(`button[value="${value}"]:not(.show)`);
const click = (element) => browser.evaluate(`${element}.focus(), ${element}.click()`);
const focused = () => browser.evaluate("document.activeElement.name || document.activeElement.id");
const status = () => browser.evaluate(`${find(".status")}.textContent`);
const value = (name) => browser.evaluate(`${control(name)}?.value`);
const exists = (name) => browser.evaluate(`${control(name)} !== null`);
const appears = (name) => browser.until(`${control(name)} !== null`);
const enter = async (name, text) => {
  await browser.evaluate(`${control(name)}.focus()`);
  await browser.type(text);
};
const addGuests = async (...names) => {
  for (const [at, name] of names.entries()) {
    await click(button("add:/guests"));
    await appears(`/guests/${at}/name`);
    await browser.type(name);
  }
};
const parts = () => server.requests.filter(({ isPart }) => isPart);
const requested = async (count) => {
  for (let left = 200; parts().length < count && left > 0; left -= 1) {
    await pause(20);
  }
  assert.equal(parts().length, count);
};

const tests = {
  "a question appears, and only the buttons that show it are hidden": async () => {
    assert.equal(await browser.evaluate(`getComputedStyle(${find(".show")}).display`), "none");
    assert.notEqual(await browser.evaluate(`getComputedStyle(${button("add:/guests")}).display`), "none");
    const kept = "[...document.querySelectorAll('[name=\"/name\"], [name=\"/category\"], [name=\"/email\"]')]";
    await browser.evaluate(`window.kept = ${kept}`);
    await browser.evaluate(`${option("/category", "team")}.scrollIntoView({ block: "center" })`);
    const top = `${option("/category", "team")}.getBoundingClientRect().top`;
    const before = await browser.evaluate(top);
    await click(option("/category", "team"));
    await appears("/team");
    assert.equal(await browser.evaluate(top), before);
    assert.equal(await focused(), "/category");
    assert.ok(await browser.evaluate(`window.kept.every((one, at) => one === ${kept}[at])`), "elements were replaced");
    assert.equal(await status(), "Also asked now: Name of the team");
    // The hint applies to everybody but teams.
    assert.equal(await browser.evaluate(`document.getElementById("q/tasks.hint")`), null);
    assert.equal(await browser.evaluate(`${find('[id="q/tasks"]')}.getAttribute("aria-describedby")`), null);
    const [{ entries, type }] = parts();
    assert.match(type, /^application\/x-www-form-urlencoded/);
    assert.deepEqual([entries.do, entries["/category"]], ["show", "team"]);
    await click(option("/category", "runner"));
    await browser.until(`${control("/team")} === null`);
    assert.equal(await browser.evaluate(`document.getElementById("q/tasks.hint").textContent`), "At least 1.");
  },

  "answers from before the script began are noticed": async () => {
    await requested(0);
    server.scriptDelay = 300;
    await browser.send("Page.reload");
    await browser.until(`document.readyState === "interactive" && ${option("/category", "team")} !== null`);
    await click(option("/category", "team"));
    assert.equal(await browser.evaluate("document.documentElement.matches('.scripted')"), false);
    await appears("/team");
  },

  "focus, caret and what was entered meanwhile survive": async () => {
    await enter("/remarks", "before");
    server.delays = [400];
    await click(option("/category", "team"));
    await click(option("/tasks", "Track"));
    await browser.evaluate(`${control("/distance")}.value = "Marathon"`);
    await enter("/remarks", " and later");
    await enter("/name", "Ada Lovelace");
    await browser.evaluate(`${control("/name")}.setSelectionRange(3, 3)`);
    assert.equal(await exists("/team"), false);
    await appears("/team");
    assert.equal(await focused(), "/name");
    await browser.type(" King");
    assert.equal(await value("/name"), "Ada King Lovelace");
    assert.equal(await value("/remarks"), "before and later");
    assert.equal(await value("/distance"), "Marathon");
    assert.equal(await browser.evaluate(`${option("/tasks", "Track")}.checked`), true);
    assert.equal(await browser.evaluate(`${option("/category", "team")}.checked`), true);
  },

  "the size of a text area stays": async () => {
    await browser.evaluate(`${control("/remarks")}.style.height = "300px"`);
    await click(option("/category", "team"));
    await appears("/team");
    assert.equal(await browser.evaluate(`${control("/remarks")}.style.height`), "300px");
  },

  "the focus stays near when its question disappears": async () => {
    await click(option("/category", "team"));
    await appears("/team");
    server.delays = [300];
    await click(option("/category", "helper"));
    await enter("/team", "Grace");
    await browser.until(`${control("/team")} === null`);
    assert.equal(await focused(), "/category");
  },

  "a late answer is dropped": async () => {
    server.delays = [600, 200];
    await click(option("/category", "team"));
    await requested(1);
    await click(option("/category", "runner"));
    await requested(2);
    assert.equal(await browser.evaluate(`${find(".failure")}.hidden`), true);
    await pause(1_000);
    assert.equal(await exists("/team"), false);
    assert.equal(await browser.evaluate(`${find(".failure")}.hidden`), true);
    await click(option("/category", "team"));
    await appears("/team");
  },

  "the page says that the network or the server fails, and loses nothing": async () => {
    for (const fault of Object.keys(faults)) {
      await browser.open(url);
      await enter("/name", "Ada");
      // The real time is too long for a test.
      await browser.evaluate("AbortSignal.timeout = AbortSignal.timeout.bind(AbortSignal, 500)");
      server.fault = fault;
      await click(option("/category", "team"));
      await browser.until(`${find(".failure")}.checkVisibility()`);
      const box = await browser.evaluate(`${find(".failure")}.getBoundingClientRect().toJSON()`);
      const [width, height] = await browser.evaluate("[innerWidth, innerHeight]");
      assert.ok(box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height, "it is out of sight");
      await browser.evaluate(`${control("/remarks")}.scrollIntoView({ block: "end" })`);
      const bottom = await browser.evaluate(`${control("/remarks")}.getBoundingClientRect().bottom`);
      const top = await browser.evaluate(`${find(".failure")}.getBoundingClientRect().top`);
      assert.ok(bottom < top, "it covers what is scrolled into view");
      assert.match(await browser.evaluate(`${find("[role=alert]")}.innerText`), /could not be updated/);
      assert.equal(await exists("/team"), false);
      assert.equal(await value("/name"), "Ada");
      assert.equal(await browser.evaluate(`${option("/category", "team")}.checked`), true);
      assert.equal(await focused(), "/category");
      server.fault = null;
      await click(find(".failure button"));
      await appears("/team");
      assert.equal(await browser.evaluate(`${find(".failure")}.checkVisibility()`), false);
      assert.equal(await focused(), "/category");
      assert.equal(await value("/name"), "Ada");
    }
  },

  "items are added": async () => {
    await browser.evaluate("window.stayed = true");
    server.delays = [200];
    // Both are wanted.
    await click(button("add:/guests"));
    await click(button("add:/guests"));
    await appears("/guests/1/name");
    assert.equal(await focused(), "/guests/0/name");
    await enter("/guests/1/name", "Grace");
    server.delays = [300];
    await click(button("add:/guests/1/notes"));
    await enter("/name", "Ada");
    await appears("/guests/1/notes/0");
    assert.equal(await focused(), "/name");
    // A question shown meanwhile does not take the item away.
    server.delays = [300];
    await click(button("add:/guests"));
    await click(option("/category", "team"));
    await appears("/guests/2/name");
    await appears("/team");
    assert.equal(await value("/guests/1/name"), "Grace");
    assert.equal(await exists("/guests/2/name"), true);
    await click(button("add:/guests/1/notes"));
    await appears("/guests/1/notes/1");
    assert.equal(await focused(), "/guests/1/notes/1");
    await click(button("add:/guests"));
    await appears("/guests/3/name");
    await click(button("add:/guests"));
    await browser.until(`${button("add:/guests")} === null`);
    assert.equal(await focused(), "/guests/4/name");
    assert.equal(await browser.evaluate("window.stayed"), true);
  },

  "items are removed, and the others keep what was entered": async () => {
    await addGuests("Ada", "Grace", "Barbara");
    await click(option("/guests/2/shirt", "M"));
    server.delays = [300];
    await click(button("remove:/guests/0"));
    await click(button("remove:/guests/0"));
    await enter("/guests/2/name", " Liskov");
    await browser.until(`${control("/guests/2/name")} === null`);
    assert.deepEqual([await value("/guests/0/name"), await value("/guests/1/name")], ["Grace", "Barbara Liskov"]);
    assert.equal(await browser.evaluate(`${find(".failure")}.hidden`), true);
    assert.equal(await browser.evaluate(`${option("/guests/1/shirt", "M")}.checked`), true);
    assert.equal(await browser.evaluate(`${control("/guests/1/name")}.labels[0].textContent`), "Name of the guest");
    assert.equal(await browser.evaluate(`${button("remove:/guests/1")}.textContent`), "Remove Guests 2");
    assert.equal(await focused(), "/guests/1/name");
    assert.equal(await status(), "The item was removed.");
    await click(button("remove:/guests/1"));
    await browser.until(`${control("/guests/1/name")} === null`);
    assert.equal(await focused(), "/guests/0/name");
    await click(button("remove:/guests/0"));
    await browser.until(`${control("/guests/0/name")} === null`);
    assert.equal(await browser.evaluate("document.activeElement.value"), "add:/guests");
    await click(option("/category", "runner"));
    await browser.until(`${find(".status")}.textContent === ""`);
  },

  "another variant has other questions": async () => {
    await click(option("variant:/pay", "1"));
    await appears("/pay/account");
    assert.equal(await exists("/pay/card"), false);
    await enter("/pay/account", "AT61");
    await click(option("variant:/pay", "0"));
    await appears("/pay/card");
    assert.equal(await exists("/pay/account"), false);
  },

  "the browser sends the form, and problems stay until it does so again": async () => {
    await browser.evaluate("window.old = true");
    await addGuests("", "", "Barbara");
    await enter("/email", "ada");
    await browser.press("Enter");
    await browser.until("!window.old && document.querySelector('.scripted .summary')");
    const { isPart, entries } = server.requests.at(-1);
    assert.deepEqual([isPart, entries.do, entries["/guests/2/name"]], [false, "send", "Barbara"]);
    const messages = "[...document.querySelectorAll('.summary li, .problem')].map((one) => one.textContent)";
    const before = await browser.evaluate(messages);
    assert.equal(before.length, 8, before);
    await click(option("/category", "team"));
    await appears("/team");
    assert.deepEqual(await browser.evaluate(messages), before);
    const email = await browser.evaluate(`${control("/email")}.parentElement.outerHTML`);
    for (const mark of ['class="field wrong"', 'aria-invalid="true"', 'aria-describedby="q/email.problem"']) {
      assert.ok(email.includes(mark), `${mark}: ${email}`);
    }
    await click(button("remove:/guests/0"));
    await browser.until(`${control("/guests/2/name")} === null`);
    assert.equal((await browser.evaluate(messages)).length, 6);
    const targets = "[...document.querySelectorAll('.summary a')].map((one) => one.hash)";
    assert.ok((await browser.evaluate(targets)).includes("#q/guests/0/name"), await browser.evaluate(targets));
    assert.equal(await browser.evaluate(`document.getElementById("q/guests/0/name.problem") !== null`), true);
    const descriptions = await browser.evaluate(`[...document.querySelectorAll("[aria-describedby]")].map((one) =>
      one.getAttribute("aria-describedby").split(" ").every((id) => document.getElementById(id) !== null))`);
    assert.ok(descriptions.length > 3 && descriptions.every((exist) => exist), descriptions);
  },

  "people are warned before their session ends": async () => {
    const warning = find("[data-seconds-left]");
    assert.equal(await browser.evaluate(`${warning}.checkVisibility()`), false);
    server.secondsLeft = 301;
    await browser.open(url);
    await browser.until(`${warning}?.checkVisibility()`);
    // The request for questions prolongs the session.
    server.secondsLeft = 7200;
    await click(option("/category", "team"));
    await appears("/team");
    assert.equal(await browser.evaluate(`${warning}.checkVisibility()`), false);
  },

  "problems disappear with their questions": async () => {
    await enter("/name", "Ada");
    await enter("/email", "ada@example.org");
    await click(option("/category", "team"));
    await appears("/team");
    await click(button("send"));
    await browser.until("document.querySelectorAll('.scripted .summary li').length === 1");
    await click(option("/category", "runner"));
    await browser.until(`${control("/team")} === null`);
    assert.equal(await browser.evaluate(find(".summary")), null);
  },

  "nothing changes any more when the form is sent": async () => {
    server.delays = [200, 800];
    await browser.evaluate(`sessionStorage.clear(), new MutationObserver(() => (sessionStorage.changed = true))
      .observe(${find("main form")}, { attributes: true, childList: true, subtree: true })`);
    await click(option("/category", "team"));
    await requested(1);
    await click(button("send"));
    await browser.until("document.querySelector('.scripted .summary')");
    assert.equal(await exists("/team"), true);
    assert.equal(await browser.evaluate("sessionStorage.changed"), undefined);
  },
};

let failures = 0;
for (const direction of ["ltr", "rtl"]) {
  for (const [name, test] of Object.entries(tests)) {
    Object.assign(server, { direction, secondsLeft: 7200, delays: [], scriptDelay: 0, fault: null, requests: [], reports: [] });
    try {
      await browser.open("about:blank");
      await browser.open(url);
      await test();
      const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      assert.equal(await browser.evaluate(overflow), 0, "the page scrolls sideways");
      assert.equal(await browser.evaluate("document.documentElement.dir"), direction);
      assert.deepEqual(server.reports, [], "the browser reported a violation of the policy");
    } catch (error) {
      failures += 1;
      console.log(`${name} (${direction}): ${error.stack}`);
    }
  }
}

// A violation of the policy must be reported.
await browser.evaluate("try { document.body.innerHTML = '<b>' } catch {}");
for (let left = 100; server.reports.length === 0 && left > 0; left -= 1) {
  await pause(50);
}
if (server.reports.length === 0) {
  failures += 1;
  console.log("a planted violation of the policy was not reported");
}

await browser.stop();
listener.close();
listener.closeAllConnections();
renderer.stdin.end();
console.log(`${Object.keys(tests).length} tests of the script in both directions, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
