/** What Python computed for a panel: its element in the page, unpacked when the panel first asks. */
import { unpack } from "../data/decode";
import { el, note } from "../shell/controls";
import type { App } from "../shell/panel";

const SELECTOR = 'script[type="application/x-jumpnet-panel"]';
const unpacked = new Map<string, unknown>();
const asked = new Set<string>();

const element = (id: string, spec: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(SELECTOR)].find(({ dataset }) => dataset.panel === id && (dataset.spec ?? "") === spec);

/**
 * The data of a panel, null as long as it is being unpacked; the state is then told to all again. With a spec what the
 * page has of that network besides, where Python wrote one into it.
 */
export function held<T>(id: string, app?: App, spec = ""): T | null {
  const key = `${id} ${spec}`;
  if (unpacked.has(key)) return unpacked.get(key) as T;
  const found = asked.has(key) || !app ? undefined : element(id, spec);
  if (found && app) {
    asked.add(key);
    void unpack(found.textContent ?? "").then((data) => {
      unpacked.set(key, data);
      app.set({});
    });
  }
  return null;
}

/** Whether the page has it at all. */
export const inPage = (id: string, spec = ""): boolean => element(id, spec) !== undefined;

/** What a panel says while it has no data. */
export function waiting(id: string): HTMLElement {
  return note(inPage(id) ? "One moment …" : "This page was made without what this panel shows.");
}

/** What a panel shows that has nothing of the network: where it has, or that it waits for its data. */
export function absent(app: App, id: string, content: HTMLElement, sentence: string, specs: readonly string[] | undefined): void {
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
