/** The networks of this page: their elements in the document, unpacked when they are first asked for. */
import { network } from "./decode";
import { grown } from "./grown";
import type { Network } from "./network";
import { nearest, split, type Listed } from "./nearest";
import { SizeError, SIZES } from "./rules";
import { shortened } from "./words";

export interface Entry extends Listed {
  readonly routers: number;
}

/** A network that is not here: why, and the spec of the nearest that is, "" for none. */
export class AbsentError extends Error {
  constructor(
    why: string,
    readonly nearest: string,
  ) {
    super(why);
  }
}

const LONGEST = 60; // characters of a spec in a sentence

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

/** A network by its spec, from the page or by its family's rule; rejects with an AbsentError where neither has it. */
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
  const made = ruled(spec);
  return made.spec === spec ? made : load(made.spec); // 09x9 is 9x9, which may be here
}

function ruled(spec: string): Network {
  try {
    const made = grown(spec);
    if (made) return made;
  } catch (error) {
    if (error instanceof SizeError) throw new AbsentError(error.message, nearest(spec, entries()));
    throw error;
  }
  throw absent(spec);
}

/** Why there is no such network: what was found, what was expected, the nearest that there is. */
function absent(spec: string): AbsentError {
  const [name, size] = split(spec);
  const families = [...new Set(entries().map((entry) => entry.family))];
  const [near, found] = [nearest(spec, entries()), shortened(spec, LONGEST)];
  const known = families.includes(name);
  const usual = SIZES[name];
  if (!known && near) return new AbsentError(`${found} found, a family of the list expected.`, near);
  if (!known) return new AbsentError(`${found} found, a family of the list expected, none of which has a like name.`, "");
  if (usual && !size.includes("=")) return new AbsentError(`${found} found, a size as in ${name}:${usual} expected.`, near);
  const written = size ? ` jumpnet explore ${found} writes one that has it, if there is such a network.` : "";
  return new AbsentError(`${found} found, a network that this page has expected.${written}`, near);
}
