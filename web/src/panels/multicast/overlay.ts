/** A multicast as it is drawn: the ways of its tree, step by step, whom it reaches, and the territories under it. */
import type { Network } from "../../data/network";
import type { Mark, Meaning, Overlay } from "../../shell/panel";
import type { Tree, Trees } from "../../sim/simulation";
import type { Asked } from "./request";
import { shaded, type Around } from "./territory";

/** A multicast as it is shown: under every scheme, and step by step under the chosen one. */
export interface Shown extends Asked {
  readonly trees: readonly Tree[]; // by scheme, of those that have one
  readonly tree: Tree;
  readonly channels: readonly number[]; // of its hops
  readonly step: Int32Array;
}

/** The channel of each hop: that of its rank, where several lead to one router. */
function channelsOf(net: Network, tree: Tree): number[] {
  return tree.hops.map(([, sender, receiver, rank]) => {
    for (let p = 0; p < net.ports; p++) {
      const channel = sender * net.ports + p;
      if (net.neighbor[channel] === receiver && net.classRank[net.linkClass[channel]!] === rank) return channel;
    }
    return -1;
  });
}

/** Receivers, destinations and hops of the tree after so many steps; `going`: the next one has begun. */
export function overlayOf(net: Network, shown: Shown, step: number, going: boolean, around: Around | null): Overlay {
  const { tree, source, step: steps, channels } = shown;
  const links = new Map<number, Mark>();
  const routers = new Map<number, Mark>();
  const reached = new Set<number>([source]);
  channels.forEach((channel, k) => {
    if (steps[k]! >= (going ? step + 1 : step)) return;
    const now = steps[k] === (going ? step : step - 1) && step < tree.steps;
    links.set(channel, { colour: now ? "accent" : "hue-0", size: now ? 3.5 : 2.5, arrow: net.routers <= 300 });
    if (steps[k]! < step) reached.add(net.neighbor[channel]!);
  });
  const wanted = new Set(shown.destinations);
  const size = net.routers > 500 ? 2 : 4;
  for (const router of tree.receivers) if (reached.has(router) && !wanted.has(router)) routers.set(router, { colour: "hue-4", size });
  for (const router of wanted) routers.set(router, { colour: reached.has(router) ? "good" : "quiet", size: size + 1.5 });
  for (const router of tree.remade) if (reached.has(router) && !routers.has(router)) routers.set(router, { colour: "hue-0", size });
  routers.set(source, { colour: "ink", size: 5 });
  const labels = new Map<number, string>([[source, "source"]]);
  const legend: Meaning[] = [["hue-0", "its way"], ["good", "asked for, and reached", "ring"]];
  if (step < tree.steps) legend.unshift(["accent", "in this step"]);
  if (step < tree.steps) legend.push(["quiet", "asked for, not yet reached", "ring"]);
  if (tree.receivers.some((router) => !wanted.has(router))) legend.push(["hue-4", "reached in vain", "ring"]);
  if (tree.remade.length) legend.push(["hue-0", "its processor makes the map anew", "ring"]);
  const under = around && shaded(around);
  const routerHeat = under?.routerHeat ?? new Float32Array(net.routers).fill(NaN);
  return { links, routers, labels, legend: [...legend, ...(under?.legend ?? [])], fadeOthers: true, routerHeat, shades: true };
}

/** The multicast under each scheme, null where the chosen one has none. */
export function grown(trees: Trees, asked: Asked, net: Network): Shown | null {
  const { data, source, destinations } = asked;
  if (!destinations.length) return null;
  const all = data.schemes.map(({ name }) => trees.grow(name, source, destinations)).filter((tree) => tree !== null);
  const tree = all[asked.scheme];
  return tree ? { ...asked, trees: all, tree, channels: channelsOf(net, tree), step: Int32Array.from(tree.hops, ([step]) => step) } : null;
}

/** No multicast: its source, and the territories around it. */
export function overlayWithout(source: number, around: Around | null): Overlay {
  return {
    routers: new Map([[source, { colour: "ink", size: 5 }]]), labels: new Map([[source, "source"]]),
    ...(around ? { ...shaded(around), fadeOthers: true } : {}),
  };
}
