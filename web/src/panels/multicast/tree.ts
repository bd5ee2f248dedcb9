/** A multicast grown under every scheme: the kernel of a network's trees, and the tree that a state means. */
import type { Network } from "../../data/network";
import { kernels } from "../../sim/held";
import { Trees, type Tree } from "../../sim/simulation";
import type { NetworkData, MulticastRequest } from "./request";

/** A multicast under every scheme, with the hops of the chosen one. */
export interface Multicast extends MulticastRequest {
  readonly trees: readonly Tree[]; // by scheme, of those that have one
  readonly tree: Tree;
  readonly channels: readonly number[]; // of its hops
  readonly step: Int32Array; // of its hops, ascending
}

/** The multicast under each scheme, null where the chosen one has none. */
function grown(trees: Trees, request: MulticastRequest, net: Network): Multicast | null {
  const { data, source, destinations } = request;
  if (!destinations.length) return null;
  const all = data.schemes.map(({ name }) => trees.grow(name, source, destinations)).filter((tree) => tree !== null);
  const tree = all[request.scheme];
  return tree ? { ...request, trees: all, tree, channels: channelsOf(net, tree), step: Int32Array.from(tree.hops, ([step]) => step) } : null;
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

/** Grows the multicasts of one network at a time, and keeps the last one: it is asked for with every step. */
export class Grower {
  private spec = "";
  private trees: Trees | null = null; // null as long as the kernel is being made
  private last: { readonly key: string; readonly multicast: Multicast | null } = { key: "", multicast: null };
  private around: { readonly key: string; readonly least: Int32Array } = { key: "", least: new Int32Array(0) };

  get ready(): boolean {
    return this.trees !== null;
  }

  /** Makes the kernel of a network; `done` once it is there, unless another network has been asked for. */
  async open({ spec, tables, rows }: NetworkData, done: () => void): Promise<void> {
    if (spec === this.spec) return;
    this.spec = spec;
    this.trees = null;
    const made = await Trees.of(await kernels(), tables, rows);
    if (this.spec !== spec) return;
    this.trees = made;
    done();
  }

  /** What was asked for last, with a text that is another one for each other multicast. */
  of(request: MulticastRequest, net: Network): { readonly key: string; readonly multicast: Multicast | null } {
    const key = JSON.stringify([net.spec, request.source, request.destinations, request.scheme, this.ready]);
    if (this.last.key !== key) this.last = { key, multicast: this.trees && grown(this.trees, request, net) };
    return this.last;
  }

  /** By router the least top rank whose territory around the source holds it. */
  leastRanks({ source }: MulticastRequest, net: Network): Int32Array {
    const key = `${net.spec} ${source}`;
    if (this.around.key !== key) this.around = { key, least: this.trees!.territory(source, net.routers) };
    return this.around.least;
  }
}
