/** What Python computed for a panel: its element in the page, unpacked when the panel first asks. */
import { unpack } from "../data/decode";
import { el, note } from "../shell/controls";
import type { App } from "../shell/panel";

const SELECTOR = 'script[type="application/x-jumpnet-panel"]';
const unpacked = new Map<string, unknown>();
const asked = new Set<string>();

/** The data of a panel, null as long as it is being unpacked; the state is then told to all again. */
export function held<T>(id: string, app?: App): T | null {
  if (unpacked.has(id)) return unpacked.get(id) as T;
  const element = [...document.querySelectorAll<HTMLElement>(SELECTOR)].find((each) => each.dataset.panel === id);
  if (element && app && !asked.has(id)) {
    asked.add(id);
    void unpack(element.textContent ?? "").then((data) => {
      unpacked.set(id, data);
      app.set({});
    });
  }
  return null;
}

/** Whether the page has it at all. */
export const inPage = (id: string): boolean => document.querySelector(`${SELECTOR}[data-panel="${id}"]`) !== null;

/** What a panel says while it has no data. */
export function waiting(id: string): HTMLElement {
  return note(inPage(id) ? "One moment …" : "This page was made without what this panel shows.");
}

/** What a panel shows that has nothing of the network: where it has, or that it waits for its data. */
export function absent(app: App, id: string, content: HTMLElement, sentence: string, specs: readonly string[] | undefined): void {
  app.overlay(null);
  content.replaceChildren(specs ? elsewhere(app, sentence, specs) : waiting(id));
}

/** Networks to go to where the one that is open has nothing here. */
export function elsewhere(app: App, sentence: string, specs: readonly string[]): HTMLElement {
  const links = specs.map((spec) => {
    const made = el("button", { type: "button", class: "button plain" }, spec);
    made.addEventListener("click", () => app.set({ net: spec }));
    return made;
  });
  return el("div", {}, note(sentence), el("div", { class: "row" }, ...links));
}
