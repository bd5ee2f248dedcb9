/** Breadth-first searches of a network, one after the other in the same room. */
import type { Network } from "./network";

export class Search {
  /** (R,) hops from where the last search began; -1 where there is no way. */
  readonly hops: Int32Array;
  /** Routers that it found, in the order of their distance. */
  readonly found: Int32Array;

  /** `neighbor`: as that of the network, whose links may be out of service. */
  constructor(
    private readonly net: Network,
    private readonly neighbor: Int32Array = net.neighbor,
  ) {
    this.hops = new Int32Array(net.routers);
    this.found = new Int32Array(net.routers);
  }

  /** Searches from a router; returns how many it found, itself among them. */
  from(router: number): number {
    const { hops, found, neighbor } = this;
    const { ports } = this.net;
    hops.fill(-1);
    hops[router] = 0;
    found[0] = router;
    let tail = 1;
    for (let head = 0; head < tail; head++) {
      const r = found[head]!;
      for (let p = 0; p < ports; p++) {
        const s = neighbor[r * ports + p]!;
        if (s < 0 || hops[s]! >= 0) continue;
        hops[s] = hops[r]! + 1;
        found[tail++] = s;
      }
    }
    return tail;
  }
}
