/** The multicast that a state asks for: from where, to whom, under which scheme, of what the page has on a network. */
import type { Network } from "../../data/network";
import type { State, Value } from "../../state/state";
import { unpacked } from "../unpacked";
import { upToOf } from "./territory";

/** What the page has of multicasts on a network. */
export interface NetworkData {
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
  readonly networks: readonly NetworkData[];
}

export const ID = "multicast";
export const OWN = "own";
/** The last step, of whatever tree there is. */
export const AT_END = { "multicast.step": -1 } as const;
/** Whom it may go to: directories of the page, or routers of the reader's own choice. */
export const DESTINATIONS: Readonly<Record<string, string>> = { near: "Near the source", row: "In its row", anywhere: "Anywhere", [OWN]: "My own choice" };

/** What a state asks for; what it names and there is not is the first that there is. */
export interface MulticastRequest {
  readonly data: Data;
  readonly network: NetworkData;
  readonly to: string;
  readonly count: number;
  readonly scheme: number;
  readonly source: number;
  readonly destinations: readonly number[];
}

/** Null where the page has no multicasts on the network. */
export function requestOf(state: State, net: Network): MulticastRequest | null {
  const data = unpacked<Data>(ID);
  const network = data?.networks.find((each) => each.spec === net.spec) ?? unpacked<NetworkData>(ID, undefined, net.spec);
  if (!data || !network) return null;
  const to = String(state["multicast.to"]);
  const count = data.counts.filter((each) => each <= (state["multicast.count"] as number)).at(-1) ?? 1;
  const scheme = Math.max(0, data.schemes.findIndex((each) => each.name === state["multicast.scheme"]));
  const named = state["multicast.source"] as number;
  const source = named >= 0 && named < net.routers ? named : network.source;
  const directory = network.directories.find((each) => each.name === to);
  const listed = directory ? [...directory.destinations] : (state["multicast.receivers"] as readonly number[]);
  const others = [...new Set(listed)].filter((router) => router < net.routers && router !== source);
  return { data, network, to, count, scheme, source, destinations: directory ? others.slice(0, count) : others };
}

/** Keys of a state that ask for what there is not, as they are instead. */
export function settled(state: State, net: Network): Readonly<Record<string, Value>> {
  const request = requestOf(state, net);
  if (!request) return {};
  return {
    "multicast.scheme": request.data.schemes[request.scheme]!.name, "multicast.count": request.count,
    "multicast.receivers": request.to === OWN ? request.destinations : state["multicast.receivers"]!,
    "multicast.ranks": (state["multicast.ranks"] as number) >= request.network.top ? -1 : state["multicast.ranks"]!,
    "multicast.source": request.source === state["multicast.source"] ? request.source : -1,
  };
}

/** Names of the schemes that the page has. */
export const schemes = (): readonly string[] => unpacked<Data>(ID)?.schemes.map(({ name }) => name) ?? [];

/** The highest rank whose territories are shaded where no multicast is shown; null where they are not, or one is. */
export function territoryAlone(state: State, { destinations, network }: MulticastRequest): number | null {
  return destinations.length ? null : upToOf(state, network.top);
}
