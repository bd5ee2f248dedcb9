/** What Python computed for a panel: its element in the page, unpacked when the panel first asks. */
import { unpack } from "../data/decode";
import type { Network } from "../data/network";
import type { App } from "../shell/panel";

const SELECTOR = 'script[type="application/x-jumpnet-panel"]';
const contents = new Map<string, unknown>();
const openings = new Map<string, Promise<void>>();
const awaited = new Set<string>(); // what somebody is told of once it is unpacked

const element = (id: string, spec: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(SELECTOR)].find(({ dataset }) => dataset.panel === id && (dataset.spec ?? "") === spec);

/**
 * The data of a panel, null as long as it is being unpacked; `app` is then told its state again. With a spec what the
 * page has of that network besides, where Python wrote one into it.
 */
export function unpacked<T>(id: string, app?: App, spec = ""): T | null {
  const key = keyOf(id, spec);
  if (contents.has(key)) return contents.get(key) as T;
  if (app && !awaited.has(key) && inPage(id, spec)) {
    awaited.add(key);
    void opened(id, spec).then(() => app.set({}));
  }
  return null;
}

const keyOf = (id: string, spec: string): string => `${id} ${spec}`;

/** Unpacks what the page has under that name, if anything. */
function opened(id: string, spec: string): Promise<void> {
  const key = keyOf(id, spec);
  const text = element(id, spec)?.textContent ?? "";
  const opening = openings.get(key) ?? (text ? unpack(text).then((data) => void contents.set(key, data)) : Promise.resolve());
  openings.set(key, opening);
  return opening;
}

/** All that a panel must have before it can say what of a link it shows on a network. */
export const ready = (id: string) => async (net: Network): Promise<void> => {
  await Promise.all([opened(id, ""), opened(id, net.spec)]);
};

/** Whether the page has it at all. */
export const inPage = (id: string, spec = ""): boolean => element(id, spec) !== undefined;
