/** Pieces, distances and pairs of a network with some routers and links out of service, by plain searches. */
import type { Broken } from "../../data/faults";
import type { Network } from "../../data/network";
import { Search } from "../../data/search";

const MOST_SEARCHES = 4096; // from that many routers at most; more networks' distances are a sample

/** The connected pieces of what is left. */
interface Pieces {
  readonly part: Int32Array; // (R,) number of each router's piece, -1 where it is broken
  readonly sizes: readonly number[]; // routers of each piece
  readonly largest: number; // the piece with most terminals, then routers
  readonly joined: number; // part of the pairs of terminals at different working routers that a path joins, NaN where there is no pair
}

export interface Survey extends Pieces {
  readonly working: number; // routers that work
  readonly sampled: number; // searches that distances rest on, 0 where it is all of them
  diameter: number;
  average: number; // over ordered pairs of terminals at different routers of one piece, NaN where there is none
  /** One more search; true when all are done, and diameter and average known. */
  step(): boolean;
}

export function survey(net: Network, broken: Broken): Survey {
  const out = new Uint8Array(net.routers);
  for (const router of broken.routers) out[router] = 1;
  const search = new Search(net, neighborsLeft(net, broken.links, out));
  const sources: number[] = [];
  for (let r = 0; r < net.routers; r++) if (!out[r] && net.terminals[r]! > 0) sources.push(r);
  const stride = Math.ceil(sources.length / MOST_SEARCHES) || 1;
  const searched = sources.filter((_, k) => k % stride === 0);
  let [next, sum, pairs] = [0, 0, 0];
  const made: Survey = {
    ...piecesOf(net, out, search),
    working: net.routers - broken.routers.length, sampled: stride > 1 ? searched.length : 0, diameter: 0, average: 0,
    step() {
      if (next < searched.length) {
        const from = searched[next++]!;
        const count = search.from(from);
        for (let k = 1; k < count; k++) {
          const [to, hops] = [search.found[k]!, search.hops[search.found[k]!]!];
          const weight = net.terminals[to]! * net.terminals[from]!;
          if (weight === 0) continue;
          made.diameter = Math.max(made.diameter, hops);
          sum += hops * weight;
          pairs += weight;
        }
      }
      made.average = sum / pairs;
      return next >= searched.length;
    },
  };
  return made;
}

/** The table of neighbors, -1 where a link or a router at its end is out of service. */
function neighborsLeft(net: Network, links: readonly number[], out: Uint8Array): Int32Array {
  const neighbor = net.neighbor.slice();
  for (const channel of links) {
    neighbor[net.neighbor[channel]! * net.ports + net.farPort[channel]!] = -1;
    neighbor[channel] = -1;
  }
  for (let c = 0; c < neighbor.length; c++) {
    if (neighbor[c]! >= 0 && (out[neighbor[c]!] || out[Math.floor(c / net.ports)])) neighbor[c] = -1;
  }
  return neighbor;
}

function piecesOf(net: Network, out: Uint8Array, search: Search): Pieces {
  const part = new Int32Array(net.routers).fill(-1);
  const sizes: number[] = [];
  const terminals: number[] = []; // of each piece
  const same: number[] = []; // pairs of terminals at one router, of each piece
  for (let r = 0; r < net.routers; r++) {
    if (out[r] || part[r]! >= 0) continue;
    const count = search.from(r);
    const routers = search.found.slice(0, count);
    const ends = Array.from(routers, (router) => net.terminals[router]!);
    for (const router of routers) part[router] = sizes.length;
    sizes.push(routers.length);
    terminals.push(total(ends));
    same.push(total(ends.map((each) => each ** 2)));
  }
  const larger = (a: number, b: number): boolean => terminals[a]! > terminals[b]! || (terminals[a] === terminals[b] && sizes[a]! > sizes[b]!);
  const largest = sizes.reduce((best, _, k) => (larger(k, best) ? k : best), 0);
  const joined = total(terminals.map((each, k) => each ** 2 - same[k]!));
  return { part, sizes, largest, joined: joined / (total(terminals) ** 2 - total(same)) };
}

const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
