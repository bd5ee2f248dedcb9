/** A multicast as it is drawn: the ways of its tree, step by step, whom it reaches, and the territories under it. */
import type { Network } from "../../data/network";
import type { Mark, Meaning, Overlay } from "../../shell/panel";
import { shaded, type Around } from "./territory";
import type { Multicast } from "./tree";

/** Receivers, destinations and hops of the tree after so many steps; `going`: the next one has begun. */
export function overlayOf(net: Network, multicast: Multicast, step: number, going: boolean, around: Around | null): Overlay {
  const { tree, source, step: steps, channels } = multicast;
  const links = new Map<number, Mark>();
  const routers = new Map<number, Mark>();
  const reached = new Set<number>([source]);
  channels.forEach((channel, k) => {
    if (steps[k]! >= (going ? step + 1 : step)) return;
    const now = steps[k] === (going ? step : step - 1) && step < tree.steps;
    links.set(channel, { colour: now ? "accent" : "hue-0", size: now ? 3.5 : 2.5, arrow: net.routers <= 300 });
    if (steps[k]! < step) reached.add(net.neighbor[channel]!);
  });
  const wanted = new Set(multicast.destinations);
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

/** No multicast: its source, and the territories around it. */
export function overlayWithout(source: number, around: Around | null): Overlay {
  return {
    routers: new Map([[source, { colour: "ink", size: 5 }]]), labels: new Map([[source, "source"]]),
    ...(around ? { ...shaded(around), fadeOthers: true } : {}),
  };
}
