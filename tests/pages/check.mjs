// Runs axe-core on every page in a folder, in a browser without a window, light and dark, and checks that the page does
// not scroll sideways on a screen of 320 pixels.
//
//   node check.mjs BROWSER AXE FOLDER

import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const [browser, axe, folder] = process.argv.slice(2);
const source = readFileSync(axe, "utf8").replaceAll("</script", "<\\/script");

// The sandbox needs privileges that containers lack; the pages are ours.
const flags = [
  "--headless", "--window-size=1100,900", "--hide-scrollbars", "--no-sandbox", "--disable-gpu", "--disable-quic",
  "--no-first-run", "--disable-sync", "--disable-background-networking", "--disable-component-update",
  "--virtual-time-budget=20000", "--dump-dom",
];
const schemes = {
  light: "--blink-settings=preferredColorScheme=1",
  dark: "--blink-settings=preferredColorScheme=0",
};

// These write their result into the document, which the browser prints when the scripts have ended.
const report = (result) => `
  document.documentElement.textContent = "RESULT" + encodeURIComponent(JSON.stringify(${result})) + "END";`;
const accessibility = `
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  axe.run(document, { runOnly: tags }).then((found) => {
    const problems = [...found.violations, ...found.incomplete];
    const rules = problems.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html).join(" ")).sort();
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    ${report("{ rules, passed: found.passes.length, dark }")}
  });`;
// A window cannot be this narrow, but a frame can.
const width = `
  onload = () => {
    const frame = document.querySelector("iframe").contentDocument.documentElement;
    ${report("{ width: frame.clientWidth, content: frame.scrollWidth }")}
  };`;

/** Opens a document in the browser, and returns what it reports. */
function open(html, scheme) {
  const page = join(folder, "examined");
  writeFileSync(`${page}.html`, html);
  const profile = mkdtempSync(join(folder, "profile-"));
  const arguments_ = [...flags, `--user-data-dir=${profile}`, schemes[scheme], `file://${page}.html`];
  const run = spawnSync(browser, arguments_, { encoding: "utf8", timeout: 60_000 });
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  rmSync(`${page}.html`);
  const result = /RESULT(.*)END/.exec(run.stdout);
  if (result === null) {
    throw new Error(`the page reported nothing: ${run.error ?? run.stderr}`);
  }
  return JSON.parse(decodeURIComponent(result[1]));
}

/** What axe finds on a page. */
function examine(html, scheme) {
  const scripts = `<script>${source}</script><script>${accessibility}</script>`;
  const found = open(html.replace("</body>", () => `${scripts}</body>`), scheme);
  if (found.passed < 20 || found.dark !== (scheme === "dark")) {
    throw new Error(`the page was not examined as intended: ${JSON.stringify(found)}`);
  }
  return found.rules;
}

/** Whether a page is wider than a screen of 320 pixels. */
function scrollsSideways(html) {
  const inside = html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const frame = `<iframe srcdoc="${inside}" style="border: 0; width: 320px; height: 40000px"></iframe>`;
  const found = open(`<!doctype html><title>A frame</title>${frame}<script>${width}</script>`, "light");
  if (found.width !== 320) {
    throw new Error(`the frame has another width: ${JSON.stringify(found)}`);
  }
  return found.content > found.width;
}

let failures = 0;
const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));
for (const name of pages) {
  const html = readFileSync(join(folder, name), "utf8");
  const problems = Object.keys(schemes).flatMap((scheme) => examine(html, scheme).map((rule) => `${scheme}: ${rule}`));
  if (scrollsSideways(html)) {
    problems.push("it scrolls sideways on a screen of 320 pixels");
  }
  failures += problems.length;
  problems.forEach((problem) => console.log(`${name}: ${problem}`));
}

// A message that only the script shows. axe cannot measure the contrast of what it covers.
const message = '<div class="failure" style="position: static"';
const first = readFileSync(join(folder, pages[0]), "utf8");
for (const scheme of Object.keys(schemes)) {
  const problems = examine(first.replace(/<div class="failure" (.*?) hidden/, `${message} $1`), scheme);
  failures += problems.length;
  problems.forEach((problem) => console.log(`with the message of the script: ${scheme}: ${problem}`));
}

// A label that is missing, a text nearly as light as its background, and a wide image must be found.
const broken = first.replace(/<label .*?<\/label>/, "").replace("<h1 ", '<h1 style="color: #eee; background: #fff" ');
const planted = examine(broken, "light").map((rule) => rule.split(":")[0]);
const isWide = scrollsSideways(first.replace("<form ", '<div style="width: 400px">wide</div><form '));
if (!planted.includes("label") || !planted.includes("color-contrast") || !isWide) {
  failures += 1;
  console.log(`planted violations were not found: ${planted}, ${isWide}`);
}
console.log(`${pages.length} pages, ${failures} problems`);
process.exit(failures === 0 && pages.length >= 3 ? 0 : 1);
