/** What a panel shows in place of its own: that its data is being unpacked, or the networks that it has something of. */
import { el, note } from "../shell/controls";
import type { App } from "../shell/panel";
import { inPage } from "./unpacked";

/** What a panel says while it has no data. */
export function waiting(id: string): HTMLElement {
  return note(inPage(id) ? "One moment …" : "This page was made without what this panel shows.");
}

/** Fills a panel that has nothing of the network: with those that it has, or that it waits for its data. */
export function showAbsent(app: App, id: string, content: HTMLElement, sentence: string, specs: readonly string[] | undefined): void {
  app.overlay(null);
  content.replaceChildren(specs ? networksToOpen(app, sentence, specs) : waiting(id));
}

/** Networks to go to where the one that is open has nothing here. */
export function networksToOpen(app: App, sentence: string, specs: readonly string[]): HTMLElement {
  const links = specs.map((spec) => {
    const made = el("button", { type: "button", class: "button plain" }, spec);
    made.addEventListener("click", () => app.set({ net: spec }));
    return made;
  });
  return el("div", {}, note(sentence), el("div", { class: "row" }, ...links));
}
