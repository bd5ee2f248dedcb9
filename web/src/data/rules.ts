/**
 * Rules of a few regular families: who is the neighbor at each port, and of which kind the link is. A second writing of what
 * Python's `build` says, for sizes that are not in the page; `tests/web/simulator/test_grown.py` holds every array against the first.
 */

import { shortened } from "./words";

/** A size that a family cannot have, in one sentence. */
export class SizeError extends Error {}

export interface Rule {
  readonly spec: string;
  readonly sides: readonly number[]; // of the coordinates, dimension 0 fastest
  readonly ports: number;
  readonly classNames: readonly string[];
  readonly classRank: readonly number[];
  readonly params: readonly number[];
  /** Router and kind of link at a port, before repeated links and links to itself are left out; null for none. */
  readonly at: (place: readonly number[], port: number) => readonly [to: number, kind: number] | null;
}

export const MOST_ROUTERS = 4096;
const MOST_EXACT = 1e12;
const MOST_WRITTEN = 16384; // of a page that Python writes
const N = 2; // cardinal number of the recursive tori here
const ALPHA = [2, 1, 4, 3, 4, 3, 2, 1]; // RDT(2,4,1)/alpha: rank of each class
const DIRECTIONS = ["x+", "x-", "y+", "y-"];

/** How a size is written, by family. */
export const SIZES: Readonly<Record<string, string>> = { torus: "9x9", mesh: "5x7", hypercube: "5", rdt: "24", prdt: "12" };

const product = (numbers: readonly number[]): number => numbers.reduce((a, b) => a * b, 1);
const mod = (a: number, b: number): number => ((a % b) + b) % b;
const index = (place: readonly number[], sides: readonly number[]): number => place.reduceRight((at, c, d) => at * sides[d]! + c, 0);

/** The rule of a spec; null where the family or its settings are written in Python alone. Throws a SizeError. */
export function ruleOf(spec: string): Rule | null {
  const found = /^(torus|mesh|hypercube|rdt|prdt):(\d{1,6}(?:x\d{1,6})*)$/.exec(spec);
  if (!found) return null;
  const [family, sides] = [found[1]!, found[2]!.split("x").map(Number)];
  const grid = family === "torus" || family === "mesh";
  if (!grid && sides.length > 1) throw new SizeError(`${spec} found, one number as in ${family}:${SIZES[family]} expected.`);
  if (sides.some((side) => side < 1)) throw new SizeError(`${spec} found, numbers from 1 expected.`);
  const routers = grid ? product(sides) : family === "hypercube" ? 2 ** sides[0]! : sides[0]! ** 2;
  if (routers < 2) throw new SizeError(`${spec} has one router, at least 2 expected.`);
  if (routers > MOST_ROUTERS) {
    const written = routers <= MOST_WRITTEN ? ` jumpnet explore ${spec} writes a page that has it.` : "";
    const many = routers < MOST_EXACT ? routers.toLocaleString("en") : "too many";
    throw new SizeError(`${shortened(spec, 60)} of ${many} routers found, at most ${MOST_ROUTERS.toLocaleString("en")} expected of what is drawn by a rule here.${written}`);
  }
  if (grid) return gridRule(family, sides);
  return family === "hypercube" ? cubeRule(sides[0]!) : recursiveRule(family, sides[0]!);
}

/** Torus and mesh: port 2d goes up and port 2d + 1 down in dimension d. */
function gridRule(family: string, sides: readonly number[]): Rule {
  const classNames = sides.flatMap((_, d) => [`dimension ${d} +`, `dimension ${d} -`]);
  return {
    spec: `${family}:${sides.join("x")}`, sides, ports: 2 * sides.length, classNames,
    classRank: classNames.map((_, k) => k >> 1), params: sides,
    at(place, port) {
      const d = port >> 1;
      const to = [...place];
      to[d] = place[d]! + (port % 2 ? -1 : 1);
      if (family === "torus") to[d] = mod(to[d]!, sides[d]!);
      else if (to[d]! < 0 || to[d]! >= sides[d]!) return null;
      return [index(to, sides), port];
    },
  };
}

/** Port d flips bit d. */
function cubeRule(n: number): Rule {
  const sides = new Array<number>(n).fill(2);
  return {
    spec: `hypercube:${n}`, sides, ports: n, classNames: sides.map((_, d) => `dimension ${d}`), classRank: sides.map((_, d) => d),
    params: [n], at: (place, port) => [index(place.map((c, d) => (d === port ? 1 - c : c)), sides), port],
  };
}

/** RDT(2,4,1)/alpha, or PRDT(2, all ranks that close): slot 0 is the base torus, slots 1 and more the upper ranks of a class. */
function recursiveRule(family: string, side: number): Rule {
  const ranks = family === "rdt" ? alphaRanks(side) : perfectRanks(side);
  const top = Math.max(0, ...ranks.flat());
  const vectors = [[[1, 0], [0, 1]]];
  for (let r = 0; r < top; r++) {
    const [x, y] = vectors[r]! as [number[], number[]];
    vectors.push([[N * (x[0]! + y[0]!), N * (x[1]! + y[1]!)], [N * (y[0]! - x[0]!), N * (y[1]! - x[1]!)]]);
  }
  const rankNumbers = vectors.map((_, r) => r);
  return {
    spec: `${family}:${side}`, sides: [side, side], ports: 4 * (1 + Math.max(...ranks.map((own) => own.length))),
    classNames: rankNumbers.flatMap((r) => DIRECTIONS.map((way) => `rank ${r} ${way}`)),
    classRank: rankNumbers.flatMap((r) => DIRECTIONS.map(() => r)),
    params: [side, N, top, ...vectors.flat(2), ...ranks.map((own) => own.reduce((mask, r) => mask + 2 ** r, 1))],
    at([x, y], port) {
      const row = Math.floor(y! / N);
      const kind = (y! - row * N) * 2 * N + mod(x! - row * N, 2 * N);
      const rank = port < 4 ? 0 : ranks[kind]![(port >> 2) - 1];
      if (rank === undefined) return null;
      const [dx, dy] = vectors[rank]![(port & 3) >> 1] as [number, number];
      const sign = port % 2 ? -1 : 1;
      return [mod(y! + sign * dy, side) * side + mod(x! + sign * dx, side), 4 * rank + (port & 3)];
    },
  };
}

/** Ranks of each class that have links at this side (Definitions 2 and 6). */
function alphaRanks(side: number): number[][] {
  if (side % (2 * N)) throw new SizeError(`rdt:${side} found, a side that is a multiple of ${2 * N} expected.`);
  return ALPHA.map((r) => {
    if (2 * (2 * N * N) ** r > side * side) return [];
    const period = (2 * N * N) ** Math.floor(r / 2) * (r % 2 ? 2 * N : 1);
    if (side % period) throw new SizeError(`rdt:${side} found, a side that is a multiple of ${period} expected, so that rank ${r} closes.`);
    return [r];
  });
}

/** All ranks whose tori close and have two routers or more. */
function perfectRanks(side: number): number[][] {
  const gcd = (a: number, b: number): number => (b ? gcd(b, a % b) : a);
  const own: number[] = [];
  for (let r = 1; ; r++) {
    const step = (2 * N * N) ** Math.floor(r / 2) * (r % 2 ? N : 1);
    const across = side / gcd(side, step);
    const down = r % 2 ? across / 2 : across;
    if (across * down < 2) break;
    if (!Number.isInteger(down)) {
      if (r === 1) throw new SizeError(`prdt:${side} found, whose rank 1 would not close: a multiple of 4 expected.`);
      break;
    }
    own.push(r);
  }
  return Array.from({ length: 2 * N * N }, () => own);
}
