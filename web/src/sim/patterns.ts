/**
 * Traffic patterns with parameters: what `jumpnet.traffic` makes of `hotspot:nodes=3-17,weights=2-1` on a network. A second
 * writing of their `prepare`, so that parameters can be chosen here; `tests/web/simulator/test_patterns.py` holds it against the first.
 */
import type { Network } from "../data/network";
import { alike, byName } from "../data/words";
import { RunError } from "./types";

/** What a run needs of a pattern. */
export interface Traffic {
  readonly traffic: string;
  readonly destination: string;
  readonly own: BigInt64Array;
  readonly draws: number;
}

/** A parameter: how it is asked for, what it means, and its value when it is left out. */
export interface Parameter {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly initial: string;
  readonly kind: "number" | "list" | "choice" | "area";
  readonly choices?: readonly string[];
}

const parameter = (key: string, label: string, kind: Parameter["kind"], initial: string, hint: string, choices?: readonly string[]): Parameter =>
  ({ key, label, kind, initial, hint, ...(choices ? { choices } : {}) });

export const PARAMETERS = byName<readonly Parameter[]>({
  uniform: [parameter("self", "To itself", "choice", "0", "1: the source may be the destination too.", ["0", "1"])],
  hotspot: [
    parameter("nodes", "Terminals", "list", "", "The hot spots, as 3 17 40; empty: drawn."),
    parameter("weights", "Weights", "list", "", "One for each, as 2 1 1; the last is for all that follow."),
    parameter("count", "How many", "number", "1", "Terminals that are drawn, where none is named."),
    parameter("seed", "Drawn by seed", "number", "1", "Which terminals are drawn."),
  ],
  local: [parameter("sigma", "Spread", "number", "4.0", "Standard deviation of the distance, in routers.")],
  random_permutation: [parameter("seed", "Seed", "number", "1", "Which permutation is drawn.")],
  transpose: [parameter("by", "Of", "choice", "bits", "Halves of the address, or the coordinates of a square grid, change places.", ["bits", "coordinates"])],
  permutation: [parameter("to", "Destinations", "area", "", "Destination of terminal 0, 1, 2, … in order; x: sends nothing.")],
  matrix: [parameter("rows", "Weights", "area", "", "A row for each source, a weight for each destination. The heaviest row has the load, lighter ones less in proportion.")],
});

const MOST_CHARACTERS = 16384; // of a spec, as `jumpnet.spec` has it
const MOST_WEIGHT = 1_000_000;
const SCALE = 2 ** 24;
const COUNT = /^\d{1,15}$/;
const NUMBER = /^(\d{1,15}(\.\d{0,15})?|\.\d{1,15})(e[+-]?\d{1,2})?$/i;
const NEAR_TIE = 1e-6; // a weight so near a half might be rounded another way elsewhere

type Options = Readonly<Record<string, string>>;

/** The name and the options of a spec, those that are left out at their defaults; throws a RunError. */
export function parsed(spec: string): { readonly name: string; readonly options: Options } {
  if (spec.length > MOST_CHARACTERS) throw new RunError(`traffic of ${spec.length.toLocaleString("en")} characters found, at most ${MOST_CHARACTERS.toLocaleString("en")} expected`);
  const at = spec.indexOf(":");
  const name = at < 0 ? spec : spec.slice(0, at);
  const known = PARAMETERS[name] ?? [];
  const options: Record<string, string> = Object.fromEntries(known.map(({ key, initial }) => [key, initial]));
  const given = new Set<string>();
  for (const word of at < 0 ? [] : spec.slice(at + 1).split(",").filter(Boolean)) {
    const [key, value] = word.split("=") as [string, string?];
    if (given.has(key)) throw new RunError(`${name}: ${key}= found twice, once expected`);
    given.add(key);
    if (!known.some((each) => each.key === key) || value === undefined) throw new RunError(`${name}: ${word} found, ${known.map((each) => `${each.key}=`).join(", ") || "no setting"} expected`);
    options[key] = value;
  }
  for (const { key, kind, choices, initial } of known) {
    if (kind === "number" && !(initial.includes(".") ? NUMBER : COUNT).test(options[key]!)) throw new RunError(`${name}: ${key}=${options[key]} found, a number expected`);
    if (choices && !choices.includes(options[key]!)) throw new RunError(`${name}: ${key}=${options[key]} found, ${choices.join(" or ")} expected`);
  }
  return { name, options };
}

/** The spec of a pattern; what is at its default is left out. */
export function spelled(name: string, options: Options): string {
  const words = (PARAMETERS[name] ?? []).filter(({ key, initial }) => (options[key] ?? initial) !== initial).map(({ key }) => `${key}=${options[key]}`);
  return words.length ? `${name}:${words.join(",")}` : name;
}

/** Names of the patterns that suit a network: those that Python has prepared, and those that are made here. */
export function names(net: Network, rows: readonly Traffic[]): string[] {
  const fits = (name: string): boolean => started(name, net, rows) !== null;
  const all = new Set([...rows.map((row) => row.traffic), ...Object.keys(PARAMETERS)]);
  const own = ["permutation", "matrix"];
  return [...["uniform"].filter(fits), ...[...all].filter((name) => name !== "uniform" && !own.includes(name) && fits(name)).sort(), ...own.filter(fits)];
}

/** A spec to begin with where a pattern is chosen by its name, null where it does not suit the network. */
export function started(name: string, net: Network, rows: readonly Traffic[]): string | null {
  const [sources, sinks] = [total(net.terminals), total(net.sinks)];
  const specs: Readonly<Record<string, () => string[]>> = {
    transpose: () => ["transpose", "transpose:by=coordinates"],
    permutation: () => [`permutation:to=${Array.from({ length: sources }, (_, t) => (sinks - 1 - (t % sinks) === t ? "x" : sinks - 1 - (t % sinks))).join("-")}`],
    matrix: () => (sources * sinks * 2 > MOST_CHARACTERS ? [] : [`matrix:rows=${Array.from({ length: sources }, (_, s) => Array.from({ length: sinks }, (_, t) => Number(s !== t)).join("-")).join("/")}`]),
  };
  for (const spec of (specs[name] ?? (() => [name]))()) {
    try {
      prepared(spec, net, rows);
      return spec;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
    }
  }
  return null;
}

/** What a run needs of a pattern on a network; throws a RunError that says what does not suit. */
export function prepared(spec: string, net: Network, rows: readonly Traffic[]): Traffic {
  const known = rows.find((row) => row.traffic === spec);
  if (known) return known;
  const { name, options } = parsed(spec);
  if (spelled(name, options) === name) {
    const plain = rows.find((row) => row.traffic === name);
    if (plain) return { ...plain, traffic: spec };
  }
  const make = MAKERS[name];
  if (!make) {
    const near = alike(name, [...Object.keys(MAKERS), ...rows.map(({ traffic }) => traffic)]);
    throw new RunError(`traffic ${name} found, which does not suit ${net.spec}${near && near !== name ? `, perhaps ${near} is meant` : ""}`);
  }
  return { traffic: spec, ...make(options, net) };
}

type Made = Omit<Traffic, "traffic">;
type Maker = (options: Options, net: Network) => Made;

const whole = (values: Iterable<number>): BigInt64Array => BigInt64Array.from(values, BigInt);
const total = (numbers: Int32Array): number => numbers.reduce((a, b) => a + b, 0);
const fixed = (to: readonly number[]): Made => ({ destination: "traffic._permutation.destination", own: whole(to), draws: 1 });

const MAKERS = byName<Maker>({
  uniform(options, net) {
    const self = natural("uniform", "self", options.self!);
    if (self > 1) throw new RunError(`uniform: self=${self} found, 0 or 1 expected`);
    const draws = total(net.terminals) - 1 + self;
    if (draws < 1) throw new RunError("uniform: 1 terminal found, at least 2 expected");
    return { destination: "traffic.uniform.destination", own: whole([self]), draws };
  },
  hotspot(options, net) {
    const terminals = total(net.terminals);
    let nodes = list("hotspot", "nodes", options.nodes!);
    if (!nodes.length) {
      const [count, seed] = [natural("hotspot", "count", options.count!), natural("hotspot", "seed", options.seed!)];
      if (count < 1 || count > terminals) throw new RunError(`hotspot: ${count} terminals found, 1 to ${terminals} expected`);
      nodes = shuffled(seed, terminals).slice(0, count).sort((a, b) => a - b);
    }
    const far = nodes.find((node) => node >= terminals);
    if (far !== undefined) throw new RunError(`hotspot: terminal ${far} found, 0 to ${terminals - 1} expected`);
    const again = twice(nodes);
    if (again !== undefined) throw new RunError(`hotspot: terminal ${again} found twice, each once expected; weights= says how much goes to each`);
    const given = list("hotspot", "weights", options.weights!);
    const weights = given.length ? given : [1];
    if (weights.length > nodes.length || weights.some((weight) => weight < 1)) throw new RunError(`hotspot: weights ${weights.join(" ")} found, at most ${nodes.length} positive numbers expected`);
    const totals = sums(nodes.map((_, k) => weights[Math.min(k, weights.length - 1)]!));
    return { destination: "traffic.hotspot.destination", own: whole([nodes.length, ...totals, ...nodes]), draws: totals.at(-1)! };
  },
  local(options, net) {
    const sigma = Number(options.sigma);
    if (!(sigma > 0 && sigma < 1e6)) throw new RunError(`local: spread ${options.sigma} found, a number above 0 expected`);
    const sides = gridOf("local", net);
    if (total(net.terminals) !== net.routers || net.routers < 2) throw new RunError("local: one terminal at each of several routers expected");
    const squared = Array.from({ length: net.routers - 1 }, (_, r) =>
      sides.reduce((sum, side, d) => {
        const off = net.coord[(r + 1) * net.dims + d]!;
        return sum + Math.min(off, side - off) ** 2;
      }, 0));
    const least = squared.reduce((a, b) => Math.min(a, b), Infinity);
    const weights = squared.map((each) => rounded(SCALE * Math.exp(-(each - least) / (2 * sigma * sigma))));
    const kept = weights.flatMap((weight, r) => (weight > 0 ? [r + 1] : []));
    const totals = sums(kept.map((r) => weights[r - 1]!));
    const offsets = kept.flatMap((r) => [...net.coord.subarray(r * net.dims, (r + 1) * net.dims)]);
    return { destination: "traffic.local.destination", own: whole([sides.length, kept.length, ...sides, ...totals, ...offsets]), draws: totals.at(-1)! };
  },
  random_permutation: (options, net) => fixed(shuffled(natural("random_permutation", "seed", options.seed!), total(net.terminals))),
  transpose(options, net) {
    const terminals = total(net.terminals);
    if (options.by === "coordinates") {
      const [side, other, ...more] = gridOf("transpose", net);
      if (side !== other || more.length) throw new RunError("transpose: a square grid of two dimensions expected");
      const each = net.terminals[0]!;
      return fixed(Array.from({ length: terminals }, (_, t) => {
        const router = Math.floor(t / each);
        return ((router % side!) * side! + Math.floor(router / side!)) * each + (t % each);
      }));
    }
    const half = Math.log2(terminals) / 2;
    if (options.by !== "bits" || !Number.isInteger(half)) throw new RunError(`transpose: ${terminals} terminals found, an even power of two expected`);
    return fixed(Array.from({ length: terminals }, (_, a) => (a >> half) | ((a & (2 ** half - 1)) << half)));
  },
  permutation(options, net) {
    const words = options.to ? options.to.split("-") : [];
    const [sources, sinks] = [total(net.terminals), total(net.sinks)];
    const to = words.map((word) => (word === "x" ? -1 : natural("permutation", "a destination", word)));
    if (to.length !== sources) throw new RunError(`permutation: ${to.length} destinations found, ${sources} expected, one for each terminal`);
    const far = to.find((each) => each >= sinks);
    if (far !== undefined) throw new RunError(`permutation: terminal ${far} found, 0 to ${sinks - 1} expected`);
    if (to.every((each) => each < 0)) throw new RunError("permutation: no terminal sends, at least one expected");
    return fixed(to);
  },
  matrix(options, net) {
    const rows = options.rows ? options.rows.split("/").map((row) => row.split("-").map((word) => natural("matrix", "a weight", word))) : [];
    const [sources, sinks] = [total(net.terminals), total(net.sinks)];
    if (rows.length !== sources) throw new RunError(`matrix: ${rows.length} rows found, ${sources} expected, one for each terminal`);
    rows.forEach((row, k) => {
      if (row.length !== sinks) throw new RunError(`matrix: ${row.length} numbers found in row ${k}, ${sinks} expected`);
      const heavy = row.find((weight) => weight > MOST_WEIGHT);
      if (heavy !== undefined) throw new RunError(`matrix: weight ${heavy} found, at most ${MOST_WEIGHT} expected`);
    });
    const totals = rows.map(sums);
    const draws = Math.max(...totals.map((row) => row.at(-1)!));
    if (!draws) throw new RunError("matrix: nothing but zeros found, at least one weight expected");
    return { destination: "traffic.matrix.destination", own: whole([sinks, ...totals.flat()]), draws };
  },
});

function natural(name: string, what: string, word: string): number {
  if (!COUNT.test(word)) throw new RunError(`${name}: ${what} ${word ? `“${word}”` : "left empty"} found, a whole number expected`);
  return Number(word);
}

function list(name: string, key: string, text: string): number[] {
  return text ? text.split("-").map((word) => natural(name, key, word)) : [];
}

/** The first number that is there for a second time. */
function twice(numbers: readonly number[]): number | undefined {
  const seen = new Set<number>();
  return numbers.find((each) => seen.size === seen.add(each).size);
}

function sums(numbers: readonly number[]): number[] {
  let sum = 0;
  return numbers.map((each) => (sum += each));
}

function rounded(value: number): number {
  if (Math.abs(value - Math.floor(value) - 0.5) < NEAR_TIE) throw new RunError("local: a spread found at which a weight is a tie, another one expected");
  return Math.round(value);
}

/** Sides of a full grid of routers, dimension 0 fastest, with as many terminals at each. */
function gridOf(name: string, net: Network): number[] {
  const sides = new Array<number>(net.dims).fill(1);
  net.coord.forEach((c, k) => (sides[k % net.dims] = Math.max(sides[k % net.dims]!, c + 1)));
  const number = (r: number): number => sides.reduceRight((at, side, d) => at * side + net.coord[r * net.dims + d]!, 0);
  const full = sides.reduce((a, b) => a * b, 1) === net.routers && Array.from({ length: net.routers }, (_, r) => number(r) === r).every(Boolean);
  if (!full || !net.terminals[0] || net.terminals.some((each) => each !== net.terminals[0])) throw new RunError(`${name}: ${net.spec} is no full grid of routers with equal terminals`);
  return sides;
}

const WORD = (1n << 64n) - 1n;

/** Numbers 0 to count - 1 in the order of SplitMix64 of (seed, index). */
function shuffled(seed: number, count: number): number[] {
  const keys = Array.from({ length: count }, (_, k) => {
    let z = (BigInt(k + 1) * 0x9e3779b97f4a7c15n + BigInt(seed) * 0xd1342543de82ef95n) & WORD;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
    return z ^ (z >> 31n);
  });
  return [...keys.keys()].sort((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : a - b));
}
