/** The networks of this page: their elements in the document, unpacked when they are first asked for. */
import { network } from "./decode";
import type { Network } from "./network";

export interface Entry {
  readonly spec: string;
  readonly family: string;
  readonly routers: number;
}

const SELECTOR = 'script[type="application/x-jumpnet"]';
const unpacked = new Map<string, Promise<Network>>();

/** What the page holds, in its order; of two of one name the first counts. */
export function entries(): Entry[] {
  const found = new Map<string, Entry>();
  for (const { dataset } of document.querySelectorAll<HTMLElement>(SELECTOR)) {
    const { spec = "", family = "", routers } = dataset;
    if (!found.has(spec)) found.set(spec, { spec, family, routers: Number(routers) });
  }
  return [...found.values()];
}

/** A network by its spec; rejects with a sentence when the page has none of that name. */
export function load(spec: string): Promise<Network> {
  const known = unpacked.get(spec);
  if (known) return known;
  const all = [...document.querySelectorAll<HTMLElement>(SELECTOR)];
  const element = all.find((each) => each.dataset.spec === spec);
  const made = element
    ? network(element.textContent ?? "")
    : Promise.reject(new Error(`${spec} is not in this page; jumpnet explore ${spec} writes one that has it.`));
  if (element) unpacked.set(spec, made);
  return made;
}
