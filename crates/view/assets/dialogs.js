// Questions that must be answered before something is lost.
import { element } from "./board.js";

/** Asks a question; resolves to whether it was answered with the button `yes`. */
export function confirmed(question, yes) {
  const dialog = element("dialog", { class: "question", "aria-label": question },
    element("form", { method: "dialog" }, element("p", {}, question),
      element("p", { class: "row" }, element("button", { class: "main", value: "yes" }, yes),
        element("button", { value: "no" }, "Cancel"))));
  document.body.append(dialog);
  dialog.showModal();
  // A question about a view that was left, by the back button for example, would block the next one.
  addEventListener("hashchange", () => dialog.close(), { once: true });
  return new Promise((resolve) => dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue === "yes");
  }));
}
