/**
 * Improves the page on which a form is filled in: the questions that depend on an answer appear, and items of lists are
 * added and removed, without loading the page again.
 *
 * The server decides which questions there are. This script posts the form as one of its buttons would, and changes the
 * page only where the answer differs. The browser sends and saves the form.
 */

/** How long to wait for the server, in milliseconds. */
const TIMEOUT = 20_000;

/** What a person enters answers into. */
const CONTROLS = "input:not([type=hidden]), select, textarea";

/** @typedef {{ createHTML(html: string): string }} Policy */

// The server has escaped all texts of people, so its pages can be parsed as they are.
const { trustedTypes } =
  /** @type {{ trustedTypes?: { createPolicy(name: string, policy: Policy): Policy } }} */ (window);
/** @type {Policy} */
const unchanged = { createHTML: (html) => html };
const policy = trustedTypes?.createPolicy("page", unchanged) ?? unchanged;

/**
 * The form in a page.
 *
 * @param {string} html
 */
function formIn(html) {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  return template.content.querySelector("form");
}

/**
 * What a browser would send.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} [button]
 */
function entriesOf(form, button) {
  const entries = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => {
    // The server needs no files to show a page again, and those that were chosen stay in their inputs.
    if (typeof value === "string") {
      entries.append(name, value);
    }
  });
  return entries;
}

/**
 * Posts the form as a button would, and returns the form of the answer.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 * @param {AbortSignal} signal
 */
async function load(form, button, signal) {
  const response = await fetch(form.action, {
    method: "POST",
    headers: { "X-Page-Part": "1" },
    body: entriesOf(form, button),
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
  });
  const answer = formIn(await response.text());
  if (!response.ok || answer === null) {
    throw new Error(`the server answered with status ${response.status}`);
  }
  return answer;
}

/**
 * What tells a node from its siblings. It stays the same when an item of a list moves to another position.
 *
 * @param {Node} node
 */
function keyOf(node) {
  if (!(node instanceof Element)) {
    return node.nodeName;
  }
  // What an item of a list contains has its position as key, which changes.
  const isInItem = node.parentElement?.matches(".item");
  const key = isInItem ? "" : node.getAttribute(node.localName === "option" ? "value" : "data-key");
  return [node.localName, node.classList[0], node.getAttribute("type"), key].join(" ");
}

/**
 * Makes an element like another one. Returns the questions that were added.
 *
 * A control that a person has used ignores changes of its attributes and content, so what was entered stays.
 *
 * @param {Element} old
 * @param {Element} wanted
 * @returns {Element[]}
 */
function merge(old, wanted) {
  keepProblem(old, wanted);
  for (const name of new Set([...old.getAttributeNames(), ...wanted.getAttributeNames()])) {
    const value = wanted.getAttribute(name);
    // Browsers set the style of a text area when a person resizes it.
    if (value === null && name !== "style") {
      old.removeAttribute(name);
    } else if (value !== null && value !== old.getAttribute(name)) {
      old.setAttribute(name, value);
    }
  }
  return mergeChildren(old, wanted);
}

/**
 * @param {Element} old
 * @param {Element} wanted
 * @returns {Element[]}
 */
function mergeChildren(old, wanted) {
  /** @type {Map<string, ChildNode[]>} */
  const known = new Map();
  for (const child of old.childNodes) {
    const key = keyOf(child);
    known.set(key, [...(known.get(key) ?? []), child]);
  }
  const pairs = Array.from(wanted.childNodes, (child) => ({ child, same: known.get(keyOf(child))?.shift() }));
  // Nodes that stay are not moved if possible: an element that is moved loses the focus.
  [...known.values()].flat().forEach((child) => child.remove());
  const added = [];
  let next = old.firstChild;
  for (const { child, same } of pairs) {
    if (same === next) {
      next = next?.nextSibling ?? null;
    } else {
      old.insertBefore(same ?? child, next);
    }
    if (same instanceof Element && child instanceof Element) {
      added.push(...merge(same, child));
    } else if (same !== undefined) {
      same.nodeValue = child.nodeValue;
    } else if (child instanceof Element && child.matches(".field")) {
      added.push(child);
    }
  }
  return added;
}

/**
 * Copies the problem of a question to the answer of the server, which shows problems only when the form is sent. So
 * they stay until it is sent again.
 *
 * @param {Element} old
 * @param {Element} wanted
 */
function keepProblem(old, wanted) {
  const problem = old.querySelector(":scope > .problem");
  if (problem === null || wanted.querySelector(":scope > .problem") !== null) {
    return;
  }
  const described = wanted.matches("[tabindex]") ? wanted : wanted.querySelector(`${CONTROLS}, .label`);
  const kept = /** @type {Element} */ (problem.cloneNode(true));
  kept.id = `${described?.id}.problem`;
  const notes = wanted.querySelectorAll(":scope > :is(label, legend, .help, .hint)");
  const last = notes[notes.length - 1];
  if (last === undefined) {
    wanted.prepend(kept);
  } else {
    last.after(kept);
  }
  wanted.classList.toggle("wrong", old.classList.contains("wrong"));
  const descriptions = described?.getAttribute("aria-describedby") ?? "";
  described?.setAttribute("aria-describedby", `${descriptions} ${kept.id}`.trim());
  if (described?.matches(CONTROLS)) {
    described.setAttribute("aria-invalid", "true");
  }
}

/** @param {Element | null | undefined} list */
const itemsOf = (list) => [...(list?.querySelectorAll(":scope > .item") ?? [])];

/**
 * Moves the focus to the first of these elements that is there. If it is no control, the first one in it is meant.
 *
 * @param {(Element | null | undefined)[]} elements
 */
function focusFirst(...elements) {
  const found = elements.find((element) => element?.isConnected);
  const control = found?.matches("fieldset, .field, .item") ? found.querySelector(CONTROLS) : found;
  if (control instanceof HTMLElement) {
    control.focus();
  }
}

/** How long before the end of the session people are warned, in seconds. */
const WARNING = 300;

/** The longest time that a browser can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let warning;

/** @param {HTMLFormElement} form */
function warnBeforeSessionEnds(form) {
  clearTimeout(warning);
  const note = form.querySelector("[data-seconds-left]");
  if (note instanceof HTMLElement) {
    const time = (Number(note.dataset.secondsLeft) - WARNING) * 1000;
    warning = setTimeout(() => note.removeAttribute("hidden"), Math.min(time, LONGEST));
  }
}

/** @param {HTMLFormElement} form */
function improve(form) {
  /** The last request for the questions that depend on answers. */
  let showing = new AbortController();
  /** The number of requests that change lists and have not ended. */
  let changing = 0;
  /** Ends with the last of them. */
  let turn = Promise.resolve();
  /** @type {Element | null} What had the focus when a request failed. */
  let left = null;

  /**
   * Does what a button is for. A request for questions replaces the one before it. Those that change lists are made one
   * after another, because each begins with the items that are on the page.
   *
   * @param {HTMLButtonElement} button
   */
  function request(button) {
    showing.abort();
    showing = new AbortController();
    if (button.value === "show" && changing === 0) {
      void update(button, showing.signal);
      return;
    }
    changing += 1;
    turn = turn
      .then(() => update(button, new AbortController().signal))
      .finally(() => {
        changing -= 1;
      });
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {AbortSignal} signal
   */
  async function update(button, signal) {
    if (!button.isConnected) {
      return;
    }
    try {
      takeOver(button, await load(form, button, signal));
    } catch (error) {
      if (!signal.aborted) {
        console.error(error);
        left = document.activeElement;
        form.querySelector(".failure")?.removeAttribute("hidden");
      }
    }
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {HTMLFormElement} answer
   */
  function takeOver(button, answer) {
    const focused = document.activeElement;
    const links = [...document.querySelectorAll(".summary a")].map((link) => {
      const { hash } = /** @type {HTMLAnchorElement} */ (link);
      return { link, question: document.getElementById(hash.slice(1)) };
    });
    const isRemoved = button.value.startsWith("remove:");
    const item = isRemoved ? button.closest(".item") : null;
    const list = item?.parentElement ?? button.parentElement;
    const field = button.closest(".field");
    const position = item === null ? -1 : itemsOf(list).indexOf(item);
    // Otherwise the person has gone on to another question, and stays there.
    const mayMove = focused === button || focused === document.body || item?.contains(focused);
    item?.remove();

    const added = merge(form, answer);
    warnBeforeSessionEnds(form);
    for (const { link, question } of links) {
      if (question?.isConnected) {
        link.setAttribute("href", `#${question.id}`);
      } else {
        link.closest("li")?.remove();
      }
    }
    document.querySelector(".summary:not(:has(li))")?.remove();

    const items = itemsOf(list);
    if (/^(remove|keep)-file:/.test(button.value) && mayMove) {
      focusFirst(field);
    } else if (isRemoved && mayMove) {
      focusFirst(items[position], items.at(-1), list?.querySelector(":scope > button"));
    } else if (button.value.startsWith("add:") && mayMove) {
      focusFirst(items.at(-1));
    } else if (focused === button) {
      // The button to try again has disappeared.
      focusFirst(left);
    } else if (document.activeElement !== focused) {
      focusFirst(focused, button.previousElementSibling);
    }
    say(isRemoved ? "removed" : "added", added);
  }

  /**
   * Tells users of screen readers what has changed.
   *
   * @param {"added" | "removed"} change
   * @param {Element[]} added
   */
  function say(change, added) {
    const status = /** @type {HTMLElement | null} */ (form.querySelector(".status"));
    const names = added.map((question) => question.querySelector("label, legend, .label")?.textContent);
    if (status !== null && (change === "removed" || names.length > 0)) {
      status.textContent = (status.dataset[change] ?? "").replace("{questions}", () => names.join(", "));
    }
  }

  form.addEventListener("change", ({ target }) => {
    // A question that others depend on is followed by the button that shows them.
    const question = target instanceof Element ? target.closest(":has(+ .show)") : null;
    const button = question?.nextElementSibling;
    if (button instanceof HTMLButtonElement) {
      request(button);
    }
  });
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button instanceof HTMLButtonElement && /^(show$|add:|remove:|(remove|keep)-file:)/.test(button.value)) {
      event.preventDefault();
      request(button);
    } else {
      showing.abort();
    }
  });
  document.documentElement.classList.add("scripted");
  warnBeforeSessionEnds(form);

  // A person may have answered before this script began, or the browser may have restored answers.
  const asServed = formIn(form.outerHTML);
  const button = form.querySelector(".show");
  if (asServed && button instanceof HTMLButtonElement && `${entriesOf(asServed)}` !== `${entriesOf(form)}`) {
    request(button);
  }
}

const form = document.querySelector("main form");
if (form instanceof HTMLFormElement) {
  improve(form);
}
