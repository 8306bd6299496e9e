/**
 * Shows a public link in a page of another site, in place of the element that loads this script:
 *
 *   <script src="https://forms.example.org/embed.js" data-link="https://forms.example.org/l/…"></script>
 *
 * The link must name the origin of that page. The frame sends the event `formalize:sent` when answers were sent.
 */
{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const link = new URL(script.dataset.link ?? "", script.src);
  if (link.origin === new URL(script.src).origin) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-forms allow-scripts allow-same-origin");
    frame.title = script.dataset.title ?? "Form";
    frame.src = link.href;
    frame.style.border = "0";
    frame.style.height = "40rem";
    frame.style.width = "100%";
    frame.addEventListener("load", () => {
      frame.contentWindow?.postMessage("formalize:hello", link.origin);
    });
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== link.origin) {
        return;
      }
      if (data.type === "formalize:height") {
        frame.style.height = `${Number(data.height)}px`;
      } else if (data.type === "formalize:sent") {
        frame.dispatchEvent(new CustomEvent("formalize:sent", { bubbles: true }));
      }
    });
    script.replaceWith(frame);
  }
}
