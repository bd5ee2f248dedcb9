/** The networks of this page: their elements in the document, unpacked when they are first asked for. */
import { network } from "./decode";
import { grown } from "./grown";
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

/** A network by its spec, from the page or by its family's rule; rejects with a sentence where neither has it. */
export function load(spec: string): Promise<Network> {
  const known = unpacked.get(spec);
  if (known) return known;
  const all = [...document.querySelectorAll<HTMLElement>(SELECTOR)];
  const element = all.find((each) => each.dataset.spec === spec);
  if (!element) return byRule(spec);
  const made = network(element.textContent ?? "");
  unpacked.set(spec, made);
  return made;
}

async function byRule(spec: string): Promise<Network> {
  const made = grown(spec);
  if (!made) throw new Error(`${spec} is not in this page; jumpnet explore ${spec} writes one that has it.`);
  return made.spec === spec ? made : load(made.spec); // 09x9 is 9x9, which may be here
}
