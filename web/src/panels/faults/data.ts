/** Random faults, and what routings make of them, as Python computed it; and what is broken in a state. */
import { brokenOf, MENDED, type Broken } from "../../data/faults";
import type { Network } from "../../data/network";
import type { State, Value } from "../../state/state";
import { unpacked } from "../unpacked";

export type Point = readonly (number | string | null)[];
type Kind = "nodes" | "links";

/** Faults of a network in the order in which they come, and what each routing makes of the first ones. */
export interface NetworkData {
  readonly spec: string;
  readonly order: Readonly<Record<Kind, readonly Int32Array[]>>; // by seed: routers, or channels of links
  readonly routings: readonly { readonly name: string; readonly points: Readonly<Record<Kind, readonly (readonly Point[])[]>> }[]; // by seed, count
}

export interface Data {
  readonly counts: readonly number[];
  readonly seeds: readonly number[];
  readonly fields: readonly string[]; // of a point
  readonly networks: readonly NetworkData[];
}

export const ID = "faults";
export const KINDS: Readonly<Record<Kind, string>> = { nodes: "routers", links: "links" };

/** The data of a network, null where there is none. */
export const dataOf = (net: Network): NetworkData | null => unpacked<Data>(ID)?.networks.find((each) => each.spec === net.spec) ?? null;
/** The seed of random faults, 0 where they are the reader's own. */
export const seedOf = (state: State): number => state["faults.seed"] as number;
export const kindOf = (state: State): Kind => state["faults.kind"] as Kind;

/** The number of random faults that is shown: one of those that were computed. */
export function countOf(state: State): number {
  const counts = unpacked<Data>(ID)?.counts ?? [0];
  return counts.filter((each) => each <= (state["faults.count"] as number)).at(-1) ?? 0;
}

/** What is broken: by hand, or the first ones of a seed. */
export function faultsOf(state: State, net: Network): Broken {
  const order = seedOf(state) > 0 ? dataOf(net)?.order[kindOf(state)][seedOf(state) - 1] : undefined;
  if (!order) return brokenOf(state, net) ?? { routers: [], links: [] };
  const first = [...order.subarray(0, countOf(state))];
  return kindOf(state) === "nodes" ? { routers: first, links: [] } : { routers: [], links: first };
}

/** Whether the faults of a seed are shown. */
export const random = (state: State, net: Network): boolean => seedOf(state) > 0 && dataOf(net) !== null;

/** Keys of a state that ask for what there is not, as they are instead. */
export function settled(state: State, net: Network): Readonly<Record<string, Value>> {
  if (random(state, net)) return { ...MENDED, "faults.seed": seedOf(state), "faults.count": countOf(state) };
  const { routers, links } = brokenOf(state, net) ?? { routers: [], links: [] };
  return { "faults.routers": routers, "faults.links": links, ...(unpacked<Data>(ID) ? { "faults.seed": 0, "faults.count": 0 } : {}) };
}
