/**
 * Improves the console: buttons copy addresses. In the editor of a form, buttons do their work without loading the page
 * again, cards move with the keyboard, and the browser asks before changes are lost.
 *
 * The server makes every edit. This script posts the page as one of its buttons would, and shows the answer.
 */

/** How long to wait for the server, in milliseconds. */
const TIMEOUT = 20_000;

/** What a person enters something into. */
const CONTROLS = "input:not([type=hidden]), select, textarea";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
/** @typedef {{ createHTML(html: string): string }} Policy */

// The server has escaped all texts of people, so its pages can be parsed as they are.
const { trustedTypes } =
  /** @type {{ trustedTypes?: { createPolicy(name: string, policy: Policy): Policy } }} */ (window);
/** @type {Policy} */
const unchanged = { createHTML: (html) => html };
const policy = trustedTypes?.createPolicy("page", unchanged) ?? unchanged;

/** Whether there are changes that are not saved. */
let isChanged = false;

/** Requests are made one after another, because each begins with what the one before has answered. */
let turn = Promise.resolve();

const editor = () => /** @type {HTMLFormElement | null} */ (document.querySelector("form.editor"));

/**
 * The controls of the editor that have a name, in their order.
 *
 * @param {ParentNode} root
 */
const controls = (root) => /** @type {Control[]} */ ([...root.querySelectorAll(CONTROLS)]).filter(({ name }) => name !== "");

/** @param {Control} control */
const stateOf = (control) =>
  control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type) ? control.checked : control.value;

/**
 * What tells a control from the others.
 *
 * @param {Control} control
 */
const keyOf = (control) => (control.type === "radio" ? `${control.name} ${control.value}` : control.name);

/**
 * Posts the editor as a button would, and returns the content of the answer.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
async function load(form, button) {
  const entries = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => entries.append(name, String(value)));
  const response = await fetch(form.action, {
    method: "POST",
    headers: { "X-Page-Part": "1" },
    body: entries,
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(await response.text());
  if (template.content.querySelector("form.editor") === null) {
    throw new Error(`the server answered with status ${response.status}`);
  }
  return template.content;
}

/**
 * Shows an answer of the server. What a person has entered since the request was sent stays.
 *
 * @param {HTMLFormElement} form
 * @param {DocumentFragment} answer
 * @param {Map<string, string | boolean>} sent
 */
function takeOver(form, answer, sent) {
  const entered = controls(form).filter((control) => sent.get(keyOf(control)) !== stateOf(control));
  const focused = document.activeElement;
  const typing = focused instanceof HTMLElement && entered.includes(/** @type {Control} */ (focused)) ? focused.id : "";
  const { scrollX, scrollY } = window;
  document.querySelector("main")?.replaceChildren(answer);
  const next = editor();
  for (const control of entered) {
    const same = next && controls(next).find((other) => keyOf(other) === keyOf(control));
    if (same instanceof HTMLInputElement && control instanceof HTMLInputElement) {
      [same.value, same.checked] = [control.value, control.checked];
    } else if (same) {
      same.value = control.value;
    }
  }
  window.scrollTo(scrollX, scrollY);
  const target = document.getElementById(typing) ?? document.querySelector("main [autofocus]");
  if (target instanceof HTMLElement) {
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest" });
  } else if (focused instanceof HTMLElement) {
    // The same button, where the page still has it.
    const { id, value } = /** @type {HTMLButtonElement} */ (focused);
    const same = (id && document.getElementById(id)) || document.querySelector(`main button[value="${CSS.escape(value ?? "")}"]`);
    if (same instanceof HTMLElement) {
      same.focus({ preventScroll: true });
    }
  }
  isChanged = next?.dataset.changed !== undefined || entered.some((control) => control.closest(".work"));
}

/**
 * Does what a button is for.
 *
 * @param {string} value
 * @param {HTMLButtonElement} pressed
 */
async function update(value, pressed) {
  const form = editor();
  const button = pressed.isConnected
    ? pressed
    : /** @type {HTMLButtonElement | null} */ (form?.querySelector(`button[value="${CSS.escape(value)}"]`));
  if (form === null || button === null || button === undefined) {
    return;
  }
  const sent = new Map(controls(form).map((control) => [keyOf(control), stateOf(control)]));
  form.setAttribute("aria-busy", "true");
  try {
    takeOver(form, await load(form, button), sent);
  } catch (error) {
    console.error(error);
    form.removeAttribute("aria-busy");
    form.querySelector(".failure")?.removeAttribute("hidden");
  }
}

/** @param {HTMLButtonElement} button */
function request(button) {
  const { value } = button;
  turn = turn.then(() => update(value, button));
}

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.target !== editor()) {
    return;
  }
  if (!(button instanceof HTMLButtonElement) || button.value.startsWith("save")) {
    // The answer is another page, or this one with what is wrong.
    isChanged = false;
    return;
  }
  event.preventDefault();
  request(button);
});

document.addEventListener("change", ({ target }) => {
  const form = editor();
  if (!(target instanceof Element) || form === null) {
    return;
  }
  // A question that others depend on is followed by the button that shows them.
  const shows = target.closest(":has(+ .show)")?.nextElementSibling;
  const applies = target.matches("[data-apply]") ? form.querySelector("button[value=apply]") : null;
  const button = shows ?? applies;
  if (button instanceof HTMLButtonElement) {
    request(button);
  }
});

document.addEventListener("input", ({ target }) => {
  if (target instanceof Element && target.closest("form.editor .work")) {
    isChanged = true;
  }
});

document.addEventListener("keydown", (event) => {
  const { target, altKey, ctrlKey, metaKey, key } = event;
  const tool = { ArrowUp: ".up", ArrowDown: ".down" }[key];
  if (!altKey || ctrlKey || metaKey || tool === undefined || !(target instanceof Element)) {
    return;
  }
  const card = target.matches("textarea, select") ? null : target.closest(".question");
  const button = card?.querySelector(`:scope > .line ${tool}`);
  if (button instanceof HTMLButtonElement) {
    event.preventDefault();
    if (!button.disabled) {
      request(button);
    }
  }
});

window.addEventListener("beforeunload", (event) => {
  if (isChanged) {
    event.preventDefault();
  }
});

/**
 * Copies the text beside a button, and says so for a moment.
 *
 * @param {HTMLButtonElement} button
 */
async function copy(button) {
  const text = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (button.previousElementSibling);
  const said = /** @type {HTMLElement} */ (button.nextElementSibling);
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    // Browsers have no clipboard for pages without TLS, but copy what is selected.
    if (!document.execCommand("copy")) {
      return;
    }
  }
  const label = button.dataset.label ?? button.textContent ?? "";
  button.dataset.label = label;
  [button.textContent, said.textContent] = [button.dataset.done ?? "", button.dataset.done ?? ""];
  setTimeout(() => ([button.textContent, said.textContent] = [label, ""]), 2000);
}

for (const button of document.querySelectorAll("button[data-done]")) {
  if (button instanceof HTMLButtonElement) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
}

isChanged = editor()?.dataset.changed !== undefined;
document.documentElement.classList.add("scripted");
