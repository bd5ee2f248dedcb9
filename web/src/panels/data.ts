/** What Python computed for a panel: its element in the page, unpacked when the panel first asks. */
import { unpack } from "../data/decode";
import type { Network } from "../data/network";
import { el, note } from "../shell/controls";
import type { App } from "../shell/panel";

const SELECTOR = 'script[type="application/x-jumpnet-panel"]';
const unpacked = new Map<string, unknown>();
const openings = new Map<string, Promise<void>>();
const told = new Set<string>(); // what the state is told again of once it is unpacked

const element = (id: string, spec: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(SELECTOR)].find(({ dataset }) => dataset.panel === id && (dataset.spec ?? "") === spec);

/**
 * The data of a panel, null as long as it is being unpacked; the state is then told to all again. With a spec what the
 * page has of that network besides, where Python wrote one into it.
 */
export function held<T>(id: string, app?: App, spec = ""): T | null {
  const key = keyOf(id, spec);
  if (unpacked.has(key)) return unpacked.get(key) as T;
  if (app && !told.has(key) && inPage(id, spec)) {
    told.add(key);
    void opened(id, spec).then(() => app.set({}));
  }
  return null;
}

const keyOf = (id: string, spec: string): string => `${id} ${spec}`;

/** Unpacks what the page has under that name, if anything. */
function opened(id: string, spec: string): Promise<void> {
  const key = keyOf(id, spec);
  const text = element(id, spec)?.textContent ?? "";
  const opening = openings.get(key) ?? (text ? unpack(text).then((data) => void unpacked.set(key, data)) : Promise.resolve());
  openings.set(key, opening);
  return opening;
}

/** All that a panel must have before it can say what of a link it shows on a network. */
export const ready = (id: string) => async (net: Network): Promise<void> => {
  await Promise.all([opened(id, ""), opened(id, net.spec)]);
};

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
