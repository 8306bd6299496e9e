// Runs axe-core on every page in a folder, in a browser without a window, light and dark, and checks that the page does
// not scroll sideways on a screen of 320 pixels.
//
//   node check.mjs BROWSER AXE FOLDER

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [program, axe, folder] = process.argv.slice(2);
const source = readFileSync(axe, "utf8");
const browser = await Browser.start(program);

const show = (page) => browser.open(pathToFileURL(join(folder, page)).href);

/** What axe finds on the page that is shown. */
async function examine(scheme) {
  await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  await browser.evaluate(`${source}; 0`);
  const found = await browser.evaluate(`
    axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then((found) => {
      const problems = [...found.violations, ...found.incomplete];
      const rules = problems.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html).join(" ")).sort();
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      return { rules, passed: found.passes.length, dark };
    })`);
  if (found.passed < 15 || found.dark !== (scheme === "dark")) {
    throw new Error(`the page was not examined as intended: ${JSON.stringify(found)}`);
  }
  return found.rules.map((rule) => `${scheme}: ${rule}`);
}

/** Whether the page that is shown is wider than a screen of 320 pixels. */
async function scrollsSideways() {
  await browser.send("Emulation.setDeviceMetricsOverride", { width: 320, height: 640, deviceScaleFactor: 1, mobile: false });
  const found = await browser.evaluate(`
    ({ width: document.documentElement.clientWidth, content: document.documentElement.scrollWidth })`);
  await browser.send("Emulation.clearDeviceMetricsOverride");
  if (found.width !== 320) {
    throw new Error(`the screen has another width: ${JSON.stringify(found)}`);
  }
  return found.content > found.width;
}

let failures = 0;
function note(page, problems) {
  failures += problems.length;
  problems.forEach((problem) => console.log(`${page}: ${problem}`));
}

async function check(pages) {
  await browser.send("Emulation.setScrollbarsHidden", { hidden: true });
  for (const page of pages) {
    await show(page);
    const problems = [...(await examine("light")), ...(await examine("dark"))];
    const wide = (await scrollsSideways()) ? ["it scrolls sideways on a screen of 320 pixels"] : [];
    note(page, [...problems, ...wide]);
  }

  // A message that only the script shows. axe cannot measure the contrast of what it covers.
  const form = "form.en.html";
  await show(form);
  await browser.evaluate(`
    document.querySelector(".failure").hidden = false;
    document.querySelector(".failure").style.position = "static";`);
  note("with the message of the script", [...(await examine("light")), ...(await examine("dark"))]);

  // A label that is missing, a text nearly as light as its background, and a wide element must be found.
  await show(form);
  await browser.evaluate(`
    document.querySelector("label").remove();
    document.querySelector("h1").style = "color: #eee; background: #fff";
    document.querySelector("main form").insertAdjacentHTML("beforebegin", '<div style="width: 400px">wide</div>');`);
  const planted = await examine("light");
  const finds = (rule) => planted.some((problem) => problem.startsWith(`light: ${rule}:`));
  if (!finds("label") || !finds("color-contrast") || !(await scrollsSideways())) {
    note("planted violations were not found", planted.length > 0 ? planted : ["none"]);
  }
}

const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));
try {
  await check(pages);
} finally {
  await browser.stop();
}
console.log(`${pages.length} pages, ${failures} problems`);
process.exit(failures === 0 && pages.length >= 60 ? 0 : 1);
