/**
 * Runs in pages of public links that other sites may show in a frame: tells the page around the frame how high the frame
 * must be, and that answers were sent. It answers only pages that the link names.
 */

const allowed = document.querySelector("meta[name=formalize-embed]")?.getAttribute("content") ?? "";

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || data !== "formalize:hello" || !allowed.split(" ").includes(origin)) {
    return;
  }
  // The height of the window must not count, since it follows that of the page.
  document.body.style.minHeight = "0";
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    parent.postMessage({ type: "formalize:height", height }, origin);
  }).observe(document.body);
  if (document.querySelector("[data-sent]")) {
    parent.postMessage({ type: "formalize:sent" }, origin);
  }
});
