/** The multicast that a state asks for: from where, to whom, under which scheme, of what the page has on a network. */
import type { Network } from "../../data/network";
import type { State, Value } from "../../state/state";
import { held } from "../data";
import { upToOf } from "./territory";

export interface Sent {
  readonly spec: string;
  readonly source: number;
  readonly top: number;
  readonly tables: Int32Array;
  readonly rows: number;
  readonly bits: readonly (readonly number[])[]; // by scheme, then by top rank
  readonly directories: readonly { readonly name: string; readonly destinations: Int32Array }[];
}

export interface Data {
  readonly schemes: readonly { readonly name: string; readonly summary: string }[];
  readonly counts: readonly number[];
  readonly networks: readonly Sent[];
}

export const ID = "multicast";
export const OWN = "own";
/** Whom it may go to: directories of the page, or routers of the reader's own choice. */
export const TO: Readonly<Record<string, string>> = { near: "Near the source", row: "In its row", anywhere: "Anywhere", [OWN]: "My own choice" };

/** What a state asks for; what it names and there is not is the first that there is. */
export interface Asked {
  readonly data: Data;
  readonly sent: Sent;
  readonly to: string;
  readonly count: number;
  readonly scheme: number;
  readonly source: number;
  readonly destinations: readonly number[];
}

/** Null where the page has no multicasts on the network. */
export function askedBy(state: State, net: Network): Asked | null {
  const data = held<Data>(ID);
  const sent = data?.networks.find((each) => each.spec === net.spec) ?? held<Sent>(ID, undefined, net.spec);
  if (!data || !sent) return null;
  const to = String(state["multicast.to"]);
  const count = data.counts.filter((each) => each <= (state["multicast.count"] as number)).at(-1) ?? 1;
  const scheme = Math.max(0, data.schemes.findIndex((each) => each.name === state["multicast.scheme"]));
  const named = state["multicast.source"] as number;
  const source = named >= 0 && named < net.routers ? named : sent.source;
  const directory = sent.directories.find((each) => each.name === to);
  const listed = directory ? [...directory.destinations] : (state["multicast.receivers"] as readonly number[]);
  const others = [...new Set(listed)].filter((router) => router < net.routers && router !== source);
  return { data, sent, to, count, scheme, source, destinations: directory ? others.slice(0, count) : others };
}

/** Keys of a state that ask for what there is not, as they are instead. */
export function settledBy(state: State, net: Network): Readonly<Record<string, Value>> {
  const asked = askedBy(state, net);
  if (!asked) return {};
  return {
    "multicast.scheme": asked.data.schemes[asked.scheme]!.name, "multicast.count": asked.count,
    "multicast.receivers": asked.to === OWN ? asked.destinations : state["multicast.receivers"]!,
    "multicast.ranks": (state["multicast.ranks"] as number) >= asked.sent.top ? -1 : state["multicast.ranks"]!,
    "multicast.source": asked.source === state["multicast.source"] ? asked.source : -1,
  };
}

/** Names of the schemes that the page has. */
export const schemes = (): readonly string[] => held<Data>(ID)?.schemes.map(({ name }) => name) ?? [];

/** The highest rank whose territories are shaded where no multicast is shown; null where they are not, or one is. */
export function territoryAlone(state: State, { destinations, sent }: Asked): number | null {
  return destinations.length ? null : upToOf(state, sent.top);
}
