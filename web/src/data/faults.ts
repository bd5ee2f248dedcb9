/** Links and routers that the reader has broken: the same for all panels, by the keys of *Faults*. */
import type { State } from "../state/state";
import type { Network } from "./network";
import { quantity } from "./words";

export interface Broken {
  readonly routers: readonly number[];
  readonly links: readonly number[]; // one channel of each
}

/** The two channels of a link, the one from the lower router first. */
export function bothWays(net: Network, channel: number): readonly [number, number] {
  const back = net.neighbor[channel]! * net.ports + net.farPort[channel]!;
  return channel <= back ? [channel, back] : [back, channel];
}

/** What was broken by hand and is there; null for nothing. */
export function brokenOf(state: State, net: Network): Broken | null {
  if (net.directed) return null;
  const there = (c: number): boolean => c < net.routers * net.ports && net.neighbor[c]! >= 0;
  const links = (state["faults.links"] as readonly number[]).filter(there).map((c) => bothWays(net, c)[0]);
  const routers = (state["faults.routers"] as readonly number[]).filter((r) => r < net.routers);
  const each = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);
  return links.length + routers.length ? { routers: each(routers), links: each(links) } : null;
}

/** Nothing broken. */
export const MENDED = { "faults.routers": [], "faults.links": [], "faults.seed": 0, "faults.count": 0 } as const;

/** "1 router and 2 links". */
export function counted({ routers, links }: Broken): string {
  const some = (n: number, what: string): string[] => (n ? [quantity(n, what)] : []);
  return [...some(routers.length, "router"), ...some(links.length, "link")].join(" and ") || "nothing";
}

/** What is broken as commands name it: `router=3,link=5-6`, and by its port, `link=5@2`, a link beside which others join the same two. */
export function namedFaults(net: Network, { routers, links }: Broken): string {
  const named = (link: number): string => {
    const [from, to] = [Math.floor(link / net.ports), net.neighbor[link]!];
    const beside = net.neighbor.subarray(from * net.ports, (from + 1) * net.ports).filter((each) => each === to);
    return beside.length > 1 ? `link=${from}@${link % net.ports}` : `link=${from}-${to}`;
  };
  return [...routers.map((router) => `router=${router}`), ...links.map(named)].join(",");
}

/** The option of commands that run on what is left; empty where nothing is broken. */
export const withoutOption = (net: Network, broken: Broken | null): string => (broken ? ` --without ${namedFaults(net, broken)}` : "");

/** Routers and links as Python's functions take them. */
function faultsInPython(net: Network, { routers, links }: Broken): string {
  const pairs = links.map((c) => `(${Math.floor(c / net.ports)}, ${c % net.ports})`).join(", ");
  const some = [routers.length ? `routers=[${routers.join(", ")}]` : "", links.length ? `links=[${pairs}]` : ""];
  return some.filter(Boolean).map((each) => `, ${each}`).join("");
}

/** A line of Python that gives the figures of what is left. */
export const figuresInPython = (net: Network, broken: Broken): string =>
  `what_is_left(jumpnet.network(${JSON.stringify(net.spec)}).net${faultsInPython(net, broken)})`;

/** Lines of Python that make `left`, the network without what is broken. */
export function leftInPython(net: Network, broken: Broken): string[] {
  return [
    "from jumpnet.fault.degraded import degraded",
    `left = degraded(jumpnet.network(${JSON.stringify(net.spec)}).net${faultsInPython(net, broken)})`,
  ];
}

/** What a legend says of it: colour and words. */
export const GONE = ["bad", "broken"] as const;

/** What is broken, as a drawing shows it: links by channel, routers by number. */
export function goneMarks(net: Network, { routers, links }: Broken): [Map<number, GoneMark>, Map<number, GoneMark>] {
  const [channels, nodes] = [new Map<number, GoneMark>(), new Map<number, GoneMark>()];
  for (const router of routers) {
    nodes.set(router, { colour: "bad", size: 3, gone: true });
    for (let p = 0; p < net.ports; p++) {
      const channel = router * net.ports + p;
      if (net.neighbor[channel]! >= 0) channels.set(bothWays(net, channel)[0], { colour: "quiet", size: 1, gone: true });
    }
  }
  for (const link of links) channels.set(link, { colour: "bad", size: 2.5, gone: true });
  return [channels, nodes];
}

export interface GoneMark {
  readonly colour: string;
  readonly size: number;
  readonly gone: true;
}

