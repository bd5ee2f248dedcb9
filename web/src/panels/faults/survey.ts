/** Pieces, distances and pairs of a network with some routers and links out of service, by plain searches. */
import type { Network } from "../../data/network";
import { Search } from "../../data/search";

const MOST_SEARCHES = 4096; // from that many routers at most; more networks' distances are a sample

export interface Survey {
  readonly part: Int32Array; // (R,) number of each router's piece, -1 where it is broken
  readonly sizes: readonly number[]; // routers of each piece
  readonly largest: number; // the piece with most terminals, then routers
  readonly working: number; // routers that work
  readonly joined: number; // part of the pairs of terminals at different working routers that a path joins, NaN where there is no pair
  readonly sampled: number; // searches that distances rest on, 0 where it is all of them
  diameter: number;
  average: number; // over ordered pairs of terminals at different routers of one piece, NaN where there is none
  /** One more search; true when all are done, and diameter and average known. */
  step(): boolean;
}

export function survey(net: Network, routers: readonly number[], links: readonly number[]): Survey {
  const R = net.routers;
  const neighbor = net.neighbor.slice();
  for (const channel of links) {
    neighbor[net.neighbor[channel]! * net.ports + net.farPort[channel]!] = -1;
    neighbor[channel] = -1;
  }
  const out = new Uint8Array(R);
  for (const router of routers) out[router] = 1;
  for (let c = 0; c < neighbor.length; c++) {
    if (neighbor[c]! >= 0 && (out[neighbor[c]!] || out[Math.floor(c / net.ports)])) neighbor[c] = -1;
  }
  const search = new Search(net, neighbor);
  const { hops, found: queue } = search;
  const part = new Int32Array(R).fill(-1);
  const sizes: number[] = [];
  const ends: number[] = []; // terminals of each piece
  const same: number[] = []; // pairs of terminals at one router, of each piece
  for (let r = 0; r < R; r++) {
    if (out[r] || part[r]! >= 0) continue;
    const count = search.from(r);
    let [all, one] = [0, 0];
    for (let k = 0; k < count; k++) {
      part[queue[k]!] = sizes.length;
      all += net.terminals[queue[k]!]!;
      one += net.terminals[queue[k]!]! ** 2;
    }
    sizes.push(count);
    ends.push(all);
    same.push(one);
  }
  const largest = sizes.reduce((best, size, k) => (ends[k]! > ends[best]! || (ends[k] === ends[best] && size > sizes[best]!) ? k : best), 0);
  const total = ends.reduce((a, b) => a + b, 0) ** 2 - same.reduce((a, b) => a + b, 0);
  const joined = ends.reduce((sum, each, k) => sum + each ** 2 - same[k]!, 0);
  const sources: number[] = [];
  for (let r = 0; r < R; r++) if (!out[r] && net.terminals[r]! > 0) sources.push(r);
  const stride = Math.ceil(sources.length / MOST_SEARCHES) || 1;
  const searched = sources.filter((_, k) => k % stride === 0);
  let [next, sum, pairs] = [0, 0, 0];
  const made: Survey = {
    part, sizes, largest, working: R - routers.length, joined: joined / total,
    sampled: stride > 1 ? searched.length : 0, diameter: 0, average: 0,
    step() {
      if (next < searched.length) {
        const from = searched[next++]!;
        const count = search.from(from);
        for (let k = 1; k < count; k++) {
          const ends = net.terminals[queue[k]!]!;
          if (ends === 0) continue;
          made.diameter = Math.max(made.diameter, hops[queue[k]!]!);
          sum += hops[queue[k]!]! * ends * net.terminals[from]!;
          pairs += ends * net.terminals[from]!;
        }
      }
      made.average = sum / pairs;
      return next >= searched.length;
    },
  };
  return made;
}
