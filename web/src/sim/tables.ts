/** Tables that the page fills itself: of which run, by what links are left, and the last ones kept. */
import { cutLinks, type Broken } from "./broken";
import type { Filled, Filling } from "./filling";
import type { Routed } from "./followed";
import type { Kernels } from "./kernels";
import { type Block, type Numbers, type Packed, type Runs, VIEW } from "./runs";
import { ChannelsError, RunError } from "./types";

const KEPT = 3; // the last ones, as one routing is looked at in several ways
const MOST_SHOWN = 8; // virtual channels, as `runs.MOST_SHOWN_VCS`

/** The run with its routing's tables by the links that are left; itself where it has them. Throws a RunError where there are none. */
export async function tabled(image: Runs, run: Packed, kernels: Kernels, broken: Broken | null): Promise<Packed> {
  if (!broken && !run.filled) return run;
  const name = nameOf(run);
  const { found, own, table } = await filled(image, run, kernels, broken);
  if (name in kernels.layout.layers && found > run.vcs) throw new ChannelsError(`${name} needs ${found} virtual channels ${broken ? "round these faults" : `on ${image.network}`}, ${run.vcs} found`, found);
  return { ...run, blocks: { ...run.blocks, "view.own": holds(own), "view.table": holds(table) } };
}

/** Counts of virtual channels that are shown, the fewest first. */
export const countsFrom = (least: number): number[] => [least, ...Array.from({ length: Math.max(0, MOST_SHOWN - least) }, (_, k) => least + 1 + k)];

/** The layers that a routing finds on a network, which are its virtual channels; throws a RunError where they are too many. */
export async function layersOf(image: Runs, run: Packed, kernels: Kernels): Promise<number> {
  return (await filled(image, run, kernels, null)).found;
}

/** The routing of a run that has its tables, for its routes to be followed. */
export function routedOf(run: Packed, { layout }: Kernels, what: string): Routed {
  const view = run.blocks.view!.contents as BigInt64Array;
  const name = (called: string): string => run.calls.find((call) => call.what === called)?.name ?? "";
  return {
    what, arrays: VIEW.map((each) => run.blocks[`view.${each}`]!), view, relation: name("relation"), start: name("start"), draws: run.draws,
    routers: run.routers, ports: run.link_outputs, header: layout.header, fields: layout.header_fields, candidates: layout.candidates, queues: Number(view.at(-1)!),
  };
}

const nameOf = (run: Packed): string => run.routing.split(":")[0]!;

async function filled(image: Runs, run: Packed, kernels: Kernels, broken: Broken | null): Promise<Filled> {
  const { layout, made } = kernels;
  const name = nameOf(run);
  const entry = layout.routed[name];
  if (!entry) throw new RunError(`${name} is made for the whole network; ${Object.keys(layout.routed).join(" and ")} go round faults`);
  const layers = layout.layers[name];
  const key = JSON.stringify([image.network, run.routing, layers ? 0 : run.vcs, broken]);
  const promise = made.get(key) ?? kernels.fill(filling(image, run, entry, layers ?? 0, broken));
  made.delete(key);
  made.set(key, promise); // the last one
  for (const old of made.keys()) if (made.size > KEPT) made.delete(old);
  promise.catch(() => made.delete(key)); // another time it may be waited for
  const all = await promise;
  if (!all.found) throw new RunError(layers ? `${name} on ${image.network} needs more than ${layers} layers` : `${name} found a network in pieces, a connected one expected`);
  return all;
}

/** What the entry is given. */
function filling(image: Runs, run: Packed, entry: string, layers: number, broken: Broken | null): Filling {
  const gone = new Set(broken?.routers);
  const arrays = VIEW.map((name) => run.blocks[`view.${name}`]!);
  if (broken) {
    const links = arrays.slice(0, 3).map(({ contents }) => (contents as Int32Array).slice()) as [Int32Array, Int32Array, Int32Array];
    cutLinks(links, run.link_outputs, gone, broken.links);
    links.forEach((each, k) => (arrays[k] = holds(each)));
  }
  const [routers, ports] = [run.routers, run.link_outputs];
  const columns = Math.ceil(arrays.at(-1)!.bytes / routers);
  // as the entries say: of a routing in layers those of `lash`, which are more than those of `dfsssp`
  const numbers = 26 * routers + routers * ports * (18 + Math.max(2, layers) * (2 + ports)) + 4 * (columns + ports) + 256;
  return { what: `${nameOf(run)} on ${image.network}`, entry, arrays, view: run.blocks.view!.contents as BigInt64Array, ends: endsOf(run, gone), numbers };
}

/** Terminals of each router that is not broken, those that send and those that receive. */
function endsOf({ routers, blocks }: Packed, gone: ReadonlySet<number>): Int32Array {
  const ends = new Int32Array(routers);
  const [terminals, sinks] = ["net.terminals", "net.sinks"].map((name) => blocks[name]?.contents as Int32Array | undefined);
  if (terminals && sinks) terminals.forEach((count, r) => (ends[r] = gone.has(r) ? 0 : count + sinks[r]!));
  else for (const name of ["source_router", "sink_router"]) for (const r of numbersOf(blocks[name]!)) if (!gone.has(r)) ends[r]!++;
  return ends;
}

const numbersOf = ({ bytes, contents }: Block): Int32Array => (contents as Int32Array | null) ?? new Int32Array(bytes / 4);
const holds = (contents: Numbers): Block => ({ bytes: contents.byteLength, contents });
