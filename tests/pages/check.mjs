// Runs axe-core on every English page in a folder, in a browser without a window, light and dark, and checks the layout of
// all pages on a wide and on a narrow screen: nothing overlaps, nothing is cut off, and the page does not scroll sideways.
//
//   node check.mjs BROWSER AXE FOLDER

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [program, axe, folder] = process.argv.slice(2);
const source = readFileSync(axe, "utf8");

const show = (browser, page) => browser.open(pathToFileURL(join(folder, page)).href);

/** What axe finds on the page that a browser shows, light and dark. */
async function examineBoth(browser) {
  return [...(await examine(browser, "light")), ...(await examine(browser, "dark"))];
}

/** What axe finds on the page with one of the two colour schemes. */
async function examine(browser, scheme) {
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

/** The widths of screens, in pixels. */
const WIDTHS = [1100, 320];

/** What is wrong with the layout of the page that a browser shows. */
async function layout(browser, direction = "") {
  const problems = [];
  for (const width of WIDTHS) {
    await browser.send("Emulation.setDeviceMetricsOverride", { width, height: 640, deviceScaleFactor: 1, mobile: false });
    const found = await browser.evaluate(`(${examineLayout})()`);
    if (found.width !== width || found.dir !== direction || found.boxes < 3) {
      throw new Error(`the page is not as intended: ${JSON.stringify(found)}`);
    }
    problems.push(...found.problems.map((problem) => `${width} pixels: ${problem}`));
  }
  await browser.send("Emulation.clearDeviceMetricsOverride");
  return problems;
}

/** Runs in the page: compares the boxes of lines of text, of controls and of pictures. */
function examineLayout() {
  /** By how many pixels boxes of neighbouring lines may overlap: fonts are higher than their letters. */
  const TOLERANCE = 4;
  const { clientWidth: width, scrollWidth, dir } = document.documentElement;

  /** The part of a box that is not cut off by what surrounds it on purpose; `null` if there is none. */
  const visible = (box, element) => {
    let { left, right, top, bottom } = box;
    for (let around = element; around !== document.documentElement; around = around.parentElement) {
      if (getComputedStyle(around).overflow !== "visible") {
        const outer = around.getBoundingClientRect();
        [left, right] = [Math.max(left, outer.left), Math.min(right, outer.right)];
        [top, bottom] = [Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
      }
    }
    return right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : null;
  };
  const boxes = [];
  const add = (node, element, rects, name) => {
    const isShown = element.checkVisibility() && !element.closest(".skip, .trap, .status, .hidden");
    for (const rect of isShown ? rects : []) {
      const box = visible(rect, element);
      if (box !== null) {
        boxes.push({ node, name, ...box });
      }
    }
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Text) {
      const range = document.createRange();
      range.selectNodeContents(node);
      if (node.data.trim() !== "" && !node.parentElement.closest("select, textarea, svg")) {
        add(node, node.parentElement, range.getClientRects(), JSON.stringify(node.data.trim()));
      }
    } else if (node.matches("input:not([type=hidden]), select, textarea, button, img, svg")) {
      add(node, node, [node.getBoundingClientRect()], `<${node.localName} ${node.name ?? ""}>`);
    }
  }

  const problems = boxes
    .filter(({ left, right }) => left < -1 || right > width + 1)
    .map(({ name }) => `${name} is cut off`);
  boxes.forEach((one, at) => {
    for (const other of boxes.slice(at + 1)) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const isInside = one.node.contains(other.node) || other.node.contains(one.node);
      if (Math.min(across, down) > TOLERANCE && !isInside) {
        problems.push(`${one.name} and ${other.name} overlap`);
      }
    }
  });
  // What a group consists of is as wide as the group, apart from what people type little into.
  for (const part of document.querySelectorAll(".group > *, .item > *, .item > .field > :is(textarea, select, input:not(.short, [type=hidden]))")) {
    const outer = getComputedStyle(part.parentElement);
    const inner = part.parentElement.clientWidth - parseFloat(outer.paddingLeft) - parseFloat(outer.paddingRight);
    const isWide = part.matches("button, legend, input.short") || part.getBoundingClientRect().width > 0.9 * inner;
    if (part.checkVisibility() && !isWide) {
      problems.push(`${part.outerHTML.slice(0, 100)} is narrow`);
    }
  }
  // In English, the time has seconds and AM or PM behind it. An input is never wider than its place.
  for (const input of document.querySelectorAll('input[type="datetime-local"]')) {
    const { width } = input.getBoundingClientRect();
    const [step, style] = [input.step, input.style.cssText];
    input.step = "1";
    input.style.width = "max-content";
    if (input.checkVisibility() && input.getBoundingClientRect().width > width + 1) {
      problems.push(`<${input.name}> is too narrow for a time with seconds`);
    }
    input.step = step;
    input.style.cssText = style;
  }
  if (scrollWidth > width) {
    problems.push("the page scrolls sideways");
  }
  // The console has small buttons in its tables.
  const targets = document.querySelectorAll(
    ":root:not(:has(.bar nav)) :is(button, .button, select, textarea, .option, .plain a, footer a, .field > input)");
  for (const target of targets) {
    if (target.checkVisibility() && target.getBoundingClientRect().height < 44) {
      problems.push(`${target.outerHTML} is too small for a finger`);
    }
  }
  return { width, problems, boxes: boxes.length, dir };
}

let failures = 0;
function note(page, problems) {
  failures += problems.length;
  problems.forEach((problem) => console.log(`${page}: ${problem}`));
}

/** Checks pages until none is left. */
async function check(browser, left) {
  await browser.send("Emulation.setScrollbarsHidden", { hidden: true });
  for (let page = left.pop(); page !== undefined; page = left.pop()) {
    await show(browser, page);
    note(page, await layout(browser, page.endsWith(".ar-XB.html") ? "rtl" : ""));
    // Other languages differ in the length and the direction of texts only.
    if (page.endsWith(".en.html")) {
      note(page, await examineBoth(browser));
    }
  }
}

async function checkTheChecks(browser) {
  // A message that only the script shows. axe cannot measure the contrast of what it covers.
  const form = "form.en.html";
  await show(browser, form);
  await browser.evaluate(`
    document.querySelector(".failure").hidden = false;
    document.querySelector(".failure").style.position = "static";`);
  note("with the message of the script", await examineBoth(browser));

  // A label that is missing, a text nearly as light as its background, a wide element, one above another, a small button, and
  // a narrow item of a list must be found.
  await show(browser, form);
  await browser.evaluate(`
    document.querySelector("label").remove();
    document.querySelector("h1").style = "color: #eee; background: #fff";
    document.querySelector("main form").insertAdjacentHTML("beforebegin",
      '<div style="width: 400px">wide</div><div style="margin-block-end: -16px">above</div>');
    document.querySelector(".primary").style = "align-self: start; min-height: 0; padding: 0";`);
  const planted = await examine(browser, "light");
  const finds = (rule) => planted.some((problem) => problem.startsWith(`light: ${rule}:`));
  const places = await layout(browser);
  await show(browser, "lists.en.html");
  await browser.evaluate(`document.querySelector(".item > .field > input:not(.short)").style.width = "26px";`);
  places.push(...(await layout(browser)));
  const isMisplaced = (problem) => places.some((found) => found.endsWith(problem));
  if (!finds("label") || !finds("color-contrast") || !["sideways", "overlap", "narrow", "finger"].every(isMisplaced)) {
    note("planted violations were not found", [...planted, ...places, "nothing else"]);
  }
}

const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));
// Two of them, because each one uses one processor.
const browsers = await Promise.all([Browser.start(program), Browser.start(program)]);
try {
  const left = [...pages];
  await Promise.all(browsers.map((browser) => check(browser, left)));
  await checkTheChecks(browsers[0]);
} finally {
  await Promise.all(browsers.map((browser) => browser.stop()));
}
console.log(`${pages.length} pages, ${failures} problems`);
process.exit(failures === 0 && pages.length >= 90 ? 0 : 1);
