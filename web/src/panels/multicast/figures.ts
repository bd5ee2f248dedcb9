/** The figures of a multicast: whom it reaches, at what cost, and the same under every scheme. */
import { called, type Network } from "../../data/network";
import { fixed } from "../../data/words";
import { button, el, facts, heading, note, table, type Child } from "../../shell/controls";
import type { Tree } from "../../sim/simulation";
import { sizes } from "./territory";
import type { Multicast } from "./tree";

/** `choose`: what a click on another scheme does. `least`: by router the least rank whose territory around the source holds it. */
export function figuresOf(multicast: Multicast, net: Network, least: Int32Array, choose: (scheme: string) => void): HTMLElement[] {
  const { tree, data, network, destinations, scheme } = multicast;
  const vain = (each: Tree): number => each.receivers.length - destinations.length;
  const bits = (each: Tree, k: number): number => network.bits[k]![each.top]!;
  const share = tree.receivers.length ? vain(tree) / tree.receivers.length : 0;
  const rows = data.schemes.map(({ name }, k): (Child | number)[] => {
    const each = multicast.trees[k]!;
    const named = k === scheme ? el("strong", {}, name) : button(name, () => choose(name));
    return [named, each.receivers.length, vain(each), bits(each, k), each.hops.length, each.steps];
  });
  return [
    heading("Delivered"),
    facts([
      ["Routers that receive", tree.receivers.length], ["Asked for", destinations.length],
      ["In vain", `${vain(tree).toLocaleString("en")} (${fixed(100 * share, 0)} %)`],
      ["Bits of maps in the header", bits(tree, scheme)], ["Hops over links", tree.hops.length], ["Steps", tree.steps],
      ["Starts at", `${called(net, tree.root)}, rank\u00a0${tree.top}`],
    ]),
    heading("The same under every scheme"),
    table(["Scheme", "Receive", "In vain", "Bits", "Hops", "Steps"], rows),
    note(`Source ${called(net, multicast.source)}. Destinations: ${destinations.join(", ")}.`),
    note(`Territories: ${sizes(network.top, least)}.`),
  ];
}
