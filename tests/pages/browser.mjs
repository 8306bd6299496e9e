// A browser without a window, driven over its DevTools protocol.

import { mkdtempSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The sandbox needs privileges that containers lack; the pages are ours.
const flags = [
  "--headless", "--remote-debugging-pipe", "--window-size=1100,900", "--no-sandbox", "--disable-gpu", "--disable-quic",
  "--no-first-run", "--disable-sync", "--disable-background-networking", "--disable-component-update",
];

/** How long to wait for anything, in milliseconds. */
const PATIENCE = 10_000;

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Browser {
  #answers = new Map();
  #number = 0;

  /** Starts a browser with one page. */
  static async start(program) {
    const browser = new Browser();
    await browser.#start(program);
    return browser;
  }

  async #start(program) {
    this.profile = mkdtempSync(join(tmpdir(), "formalize-browser-"));
    const options = { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] };
    this.process = spawn(program, [...flags, `--user-data-dir=${this.profile}`], options);
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    let received = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (received + text).split("\0");
      received = messages.pop();
      messages.map((message) => JSON.parse(message)).forEach((message) => this.#receive(message));
    });
    const { targetInfos } = await this.send("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    this.session = (await this.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    await this.send("Page.enable");
  }

  #receive({ id, error, result }) {
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    if (error) {
      answer?.reject(new Error(error.message));
    } else {
      answer?.resolve(result);
    }
  }

  send(method, params = {}) {
    const id = ++this.#number;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject }));
  }

  async open(url) {
    await this.send("Page.navigate", { url });
    await this.until(`location.href === ${JSON.stringify(url)} && document.readyState === "complete"`);
  }

  /** The value of an expression in the page. */
  async evaluate(expression) {
    const answer = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails) {
      throw new Error(`${expression}: ${answer.exceptionDetails.exception?.description}`);
    }
    return answer.result.value;
  }

  /** Waits until an expression in the page is true. */
  async until(expression) {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(20)) {
      // While a page is replaced by another one, there is none.
      if (await this.evaluate(expression).catch(() => false)) {
        return;
      }
    }
    throw new Error(`this did not become true: ${expression}`);
  }

  /** Types a text into the control that has the focus. */
  async type(text) {
    await this.send("Input.insertText", { text });
  }

  async press(key) {
    const codes = { Enter: 13, Tab: 9, ArrowLeft: 37, " ": 32 };
    const text = { Enter: "\r", " ": " " }[key];
    const event = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: codes[key] };
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", text, ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  async stop() {
    this.send("Browser.close").catch(() => {});
    await Promise.race([this.ended, pause(5_000).then(() => this.process.kill("SIGKILL"))]);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
