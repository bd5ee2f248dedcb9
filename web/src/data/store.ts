/** The networks of this page: their elements in the document, unpacked when they are first asked for. */
import { network } from "./decode";
import { grown } from "./grown";
import type { Network } from "./network";
import { SIZES } from "./rules";

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
  if (!made) throw new Error(notHere(spec));
  return made.spec === spec ? made : load(made.spec); // 09x9 is 9x9, which may be here
}

/** Why there is no such network, in one sentence. */
function notHere(spec: string): string {
  const [, family = "", size = ""] = /^([^:]*):?(.*)$/.exec(spec)!;
  const families = [...new Set(entries().map((entry) => entry.family))];
  const near = [...families].sort((a, b) => steps(family, a) - steps(family, b))[0];
  if (near && family.length > 2 && !families.includes(family) && steps(family, near) <= 2)
    return `No family ${family} is in this page; is ${near}${size ? `:${size}` : ""} meant?`;
  const usual = SIZES[family];
  if (usual && !/[,=]/.test(size)) return `${spec} found, a size as in ${family}:${usual} expected.`;
  return `${spec} is not in this page; jumpnet explore ${spec} writes one that has it, if there is such a network.`;
}

/** Letters to put in, take out or change until one name is the other. */
function steps(one: string, other: string): number {
  let row = [...other, ""].map((_, k) => k);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let k = 0; k < other.length; k++) next.push(Math.min(row[k + 1]! + 1, next[k]! + 1, row[k]! + Number(letter !== other[k])));
    row = next;
  }
  return row.at(-1)!;
}
