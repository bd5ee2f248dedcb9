/**
 * Runs of networks that the page makes by a family's rule: what Python says of the family's routings on one size holds on
 * others, but for draws and the few numbers of ROMM. `tests/web/simulator/test_anywhere.py` holds all of it against Python.
 */
import type { Network } from "../data/network";
import type { Given, Offer } from "./offered";
import { countsFrom } from "./tables";

const SEARCHED = ["lash", "dfsssp"];
const LAYERED = 300; // routers up to which their layers are searched before anybody asks, as in `runs.py`
const TABLES = 5120; // up to which there are tables that the page fills
const MOST_BASE = 64; // of ROMM's digits
const MOST_VCS = 64;

/** The network of the page whose routings are those of a size of that family, "" where there is none. */
export function modelOf(spec: string): string {
  const found = /^(torus|mesh|hypercube|rdt|prdt):(\d+(?:x\d+)*)$/.exec(spec);
  if (!found) return "";
  const flat = found[2]!.split("x").length === 2;
  return { torus: "torus:4x4", mesh: flat ? "mesh:4x4" : "mesh:4x4x4", hypercube: "hypercube:4", rdt: "rdt:8", prdt: "prdt:8" }[found[1]!]!;
}

/** What the page must know of the runs of a network, from what it knows of its model, or of the routings of that very size. */
export function anywhere(model: Given, net: Network, sized: readonly Offer[] = []): Given {
  const named = sized.length ? sized : model.routings.flatMap((offer): Offer[] => {
    const made = offer.filled ? filled(offer, net) : ruled(offer, net);
    return made ? [made] : [];
  });
  const usual = model.routings[0]!.routing;
  return { ...model, network: net.spec, default: named[0]?.routing === usual, routings: named, traffic: traffic(model, net) };
}

/** A routing whose tables the page fills: those of shortest ways, and Nue's. */
function filled(offer: Offer, net: Network): Offer | null {
  const R = net.routers;
  const shapes: Readonly<Record<string, Offer["filled"]>> = {
    minimal: { own: 1, table: [R, R] }, up_down: { own: 1 + R, table: [2 * R, R] }, nue: { own: R, table: [R, R] },
    lash: { own: 1, table: [2 * R, R] }, dfsssp: { own: 1, table: [2 * R, R] },
  };
  const shape = shapes[offer.routing];
  if (!shape || R > TABLES) return null;
  const later = R > LAYERED && SEARCHED.includes(offer.routing) ? { searched: true, vcs: countsFrom(1) } : {};
  return { ...offer, queues: net.ports, filled: shape, ...later };
}

/** A routing by addresses alone. */
function ruled(offer: Offer, net: Network): Offer | null {
  const [made, more] = offer.made!;
  const ownChannels = offer.routing === "torus.noninterfering"; // one for each router
  if (ownChannels && net.routers > MOST_VCS) return null;
  const romm = /\.romm(_booksim)?$/.test(offer.routing);
  const chosen = !romm && /(booksim|noninterfering)$/.test(offer.routing); // its first number is an option's, whatever the network
  if (more || made!.table.length || (made!.own.length && !romm && !chosen)) return null;
  const sides = sidesOf(net);
  const bases = romm ? sides.map((side) => baseOf(net.family === "mesh" ? side - 1 : side >> 1)) : [];
  const ties = sides.some((side) => side % 2 === 0) ? 2 ** sides.length : 1;
  const draws: Readonly<Record<string, number>> = {
    romm: bases.reduce((a, b) => a * b, 1), romm_booksim: bases.reduce((a, b) => a * b, 1), valiant: net.routers, ugal: net.routers, booksim: ties,
    balanced_booksim: ties * 2 ** sides.length, noninterfering: ties,
    valiant_booksim: net.routers * (net.family === "torus" ? ties ** 2 : 1), min_adapt_booksim: net.family === "torus" ? ties : 1,
  };
  const single = sides.reduce((bits, side, d) => bits + (side === 2 ? 2 ** d : 0), 0); // sides of 2, which have one link
  const own = chosen ? made!.own.map((number, k) => (k === 1 ? BigInt(single) : number)) : BigInt64Array.from(bases, BigInt);
  const vcs = ownChannels ? countsFrom(net.routers) : offer.vcs;
  return { ...offer, vcs, queues: net.ports, draws: draws[offer.routing.split(".")[1]!] ?? offer.draws, made: [{ ...made!, own }], made_of: vcs.map(() => 0) };
}

function sidesOf(net: Network): number[] {
  const sides = new Array<number>(net.dims).fill(1);
  net.coord.forEach((c, k) => (sides[k % net.dims] = Math.max(sides[k % net.dims]!, c + 1)));
  return sides;
}

/** A number that all numbers up to a way's length and one divide, at most 64: as `_romm.bases_of`. */
function baseOf(way: number): number {
  const gcd = (a: number, b: number): number => (b ? gcd(b, a % b) : a);
  let base = 1;
  for (let k = 2; k <= way + 1 && base < MOST_BASE; k++) base *= k / gcd(base, k);
  return Math.min(MOST_BASE, base);
}

/** Traffic that follows from addresses: permutations of bits where there are as many terminals as a power of two, and of digits. */
function traffic(model: Given, net: Network): Given["traffic"] {
  const T = net.routers;
  const bits = Math.log2(T);
  const sides = sidesOf(net);
  const moved = (by: (side: number) => number) => (a: number): number => {
    let [to, size] = [0, 1];
    sides.forEach((side, d) => {
      to += ((net.coord[a * net.dims + d]! + by(side)) % side) * size;
      size *= side;
    });
    return to;
  };
  const half = bits / 2;
  const ways: Record<string, (a: number) => number> = { neighbor: moved(() => 1), tornado: moved((side) => Math.ceil(side / 2) - 1) };
  if (Number.isInteger(bits)) {
    ways.bit_complement = (a) => T - 1 - a;
    ways.bit_reverse = (a) => parseInt([...a.toString(2).padStart(bits, "0")].reverse().join(""), 2);
    ways.shuffle = (a) => ((a << 1) & (T - 1)) | (a >> Math.max(bits - 1, 0));
    if (Number.isInteger(half)) ways.transpose = (a) => (a >> half) | ((a & (2 ** half - 1)) << half);
  }
  return model.traffic.flatMap((each) => {
    if (each.traffic === "uniform") return [{ ...each, draws: T - 1 }];
    const way = ways[each.traffic];
    return way ? [{ ...each, own: BigInt64Array.from({ length: T }, (_, a) => BigInt(way(a))) }] : [];
  });
}
