/**
 * The permutation that loads a channel of a routing most: a second writing of `jumpnet.traffic.worst`, whose routes are those of
 * the compiled relation. `tests/web/simulator/test_worst.py` holds it against the first.
 */
import { heaviest, largest } from "./matching";
import { followed, type Followed, type Routed } from "./followed";
import { type Instance, RunError } from "./types";

const MOST_ROUTES = 1 << 24; // as Python's
const MOST_CROSSINGS = 1 << 24; // pairs that cross channels, some 800 MB

/** A routing, and where its network has terminals. */
export interface Loaded {
  readonly routed: Routed;
  readonly terminals: Int32Array;
  readonly sinks: Int32Array;
}

export const worst = (instance: Instance, { routed, terminals, sinks }: Loaded): number[] => worstCase(followed(instance, routed), terminals, sinks);

/** Who is matched: routers, where all have as many terminals, else terminals. */
interface Ends {
  readonly senders: readonly number[]; // routers
  readonly receivers: readonly number[];
  readonly out: readonly number[]; // entries matched at each
  readonly into: readonly number[];
  readonly each: number; // terminals that an entry stands for
}

/** Pairs (places among those matched) that cross a channel, ascending, and how many draws of each do. */
interface Graph {
  readonly source: number[];
  readonly sink: number[];
  readonly draws: number[];
}

function endsOf(terminals: Int32Array, sinks: Int32Array): Ends {
  const [senders, receivers] = [terminals, sinks].map((ends) => [...ends.keys()].filter((r) => ends[r]! > 0)) as [number[], number[]];
  const [out, into] = [senders.map((r) => terminals[r]!), receivers.map((r) => sinks[r]!)];
  const alike = new Set([...out, ...into]).size === 1;
  return alike ? { senders, receivers, out: out.map(() => 1), into: into.map(() => 1), each: out[0]! } : { senders, receivers, out, into, each: 1 };
}

const total = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);

/** (T,) the destination of each terminal, -1 where it sends nothing; throws a RunError for too many routes, or ones that do not arrive. */
function worstCase(followed: Followed, terminals: Int32Array, sinks: Int32Array): number[] {
  const ends = endsOf(terminals, sinks);
  const size = [total(ends.out), total(ends.into)] as const;
  const routes = Math.max(ends.senders.length * ends.receivers.length * followed.draws, size[0] * size[1]);
  if (routes > MOST_ROUTES) throw new RunError(`${followed.what}: ${routes.toLocaleString("en")} routes found, at most ${MOST_ROUTES.toLocaleString("en")} expected in a page`);
  const graphs = crossings(followed, ends).map((graph) => graph && (ends.each > 1 || same(ends) ? graph : ofTerminals(graph, ends)));
  const most = graphs.map((graph) => (graph ? bound(graph, size) : 0));
  const used = [...graphs.keys()].filter((c) => graphs[c]);
  let best = 0;
  let matched: [number, number][] = [];
  for (const c of used.sort((a, b) => most[b]! - most[a]!)) {
    if (most[c]! <= best) break;
    const chosen = matching(graphs[c]!, size, followed.draws);
    const weight = total(chosen.map(([, , draws]) => draws));
    if (weight > best) [best, matched] = [weight, chosen.map(([s, t]) => [s, t])];
  }
  return ofRouters(completed(matched, ends), ends, terminals, sinks);
}

const same = ({ out, into }: Ends): boolean => [...out, ...into].every((count) => count === 1);

/** By channel, the pairs of senders and receivers that cross it. */
function crossings(followed: Followed, { senders, receivers }: Ends): (Graph | undefined)[] {
  const graphs: (Graph | undefined)[] = new Array(followed.channels).fill(undefined);
  let held = 0;
  senders.forEach((from, source) => receivers.forEach((to, sink) => {
    if (from === to) return;
    for (let draw = 0; draw < followed.draws; draw++) {
      followed.route(from, to, draw, (channel) => {
        const graph = (graphs[channel] ??= { source: [], sink: [], draws: [] });
        const last = graph.source.length - 1;
        if (graph.source[last] === source && graph.sink[last] === sink) graph.draws[last]!++;
        else {
          graph.source.push(source);
          graph.sink.push(sink);
          graph.draws.push(1);
          held++;
        }
      });
    }
    if (held > MOST_CROSSINGS) throw new RunError(`${followed.what}: more than ${MOST_CROSSINGS.toLocaleString("en")} pairs on channels found, which a page does not hold`);
  }));
  return graphs;
}

/** Pairs of terminals for pairs of routers; ascending. */
function ofTerminals({ source, sink, draws }: Graph, { out, into }: Ends): Graph {
  const [first, firstSink] = [firsts(out), firsts(into)];
  const rows: [number, number, number][] = [];
  source.forEach((s, k) => {
    for (let a = 0; a < out[s]!; a++) for (let b = 0; b < into[sink[k]!]!; b++) rows.push([first[s]! + a, firstSink[sink[k]!]! + b, draws[k]!]);
  });
  rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return { source: rows.map((row) => row[0]), sink: rows.map((row) => row[1]), draws: rows.map((row) => row[2]) };
}

/** Where each begins when they stand one after the other. */
function firsts(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count) - count);
}

/** What no matching weighs more than: the heaviest pair of each source, of each sink. */
function bound({ source, sink, draws }: Graph, [sources, sinks]: readonly [number, number]): number {
  const [bySource, bySink] = [new Int32Array(sources), new Int32Array(sinks)];
  draws.forEach((count, k) => {
    bySource[source[k]!] = Math.max(bySource[source[k]!]!, count);
    bySink[sink[k]!] = Math.max(bySink[sink[k]!]!, count);
  });
  return Math.min(total(bySource), total(bySink));
}

/** Pairs of a heaviest matching, and their draws. */
function matching({ source, sink, draws }: Graph, [sources, sinks]: readonly [number, number], all: number): [number, number, number][] {
  if (draws.every((count) => count === all)) {
    const first = new Int32Array(sources + 1);
    for (const s of source) first[s + 1]!++;
    for (let s = 0; s < sources; s++) first[s + 1]! += first[s]!;
    const to = largest({ first, to: Int32Array.from(sink) }, sinks);
    return [...to].flatMap((column, s): [number, number, number][] => (column < 0 ? [] : [[s, column, all]]));
  }
  const [rows, columns] = [source, sink].map((places) => [...new Set(places)].sort((a, b) => a - b)) as [number[], number[]];
  const [rowOf, columnOf] = [rows, columns].map((places) => new Map(places.map((place, k) => [place, k])));
  const weight = new Float64Array(rows.length * columns.length);
  draws.forEach((count, k) => (weight[rowOf!.get(source[k]!)! * columns.length + columnOf!.get(sink[k]!)!] = count));
  return [...heaviest(weight, rows.length, columns.length)].flatMap((column, row): [number, number, number][] => {
    const count = column < 0 ? 0 : weight[row * columns.length + column]!;
    return count > 0 ? [[rows[row]!, columns[column]!, count]] : [];
  });
}

/** Where each sender sends: the others in order, moved on by one where one would stay where it is. */
function completed(matched: readonly (readonly [number, number])[], { senders, receivers, out, into }: Ends): number[] {
  const [at, to] = [[senders, out], [receivers, into]].map(([routers, counts]) => routers!.flatMap((r, k) => new Array<number>(counts![k]!).fill(r))) as [number[], number[]];
  const way = new Array<number>(at.length).fill(-1);
  for (const [s, t] of matched) way[s] = t;
  const taken = new Set(matched.map(([, t]) => t));
  const sinks = [...to.keys()].filter((t) => !taken.has(t));
  [...way.keys()].filter((s) => way[s]! < 0).forEach((s, k) => (way[s] = sinks[k] ?? -1));
  const stay = [...way.keys()].filter((s) => way[s] === s && at[s] === to[s]);
  const before = stay.map((_, k) => way[stay.at(k - 1)!]!);
  stay.forEach((s, k) => (way[s] = before[k]!));
  return way;
}

/** (T,) destinations of terminals from those of what was matched. */
function ofRouters(way: readonly number[], { senders, receivers, each }: Ends, terminals: Int32Array, sinks: Int32Array): number[] {
  if (each === 1) return [...way];
  const [first, firstSink] = [firsts([...terminals]), firsts([...sinks])];
  const to = new Array<number>(total(terminals)).fill(-1);
  way.forEach((sink, s) => {
    for (let j = 0; sink >= 0 && j < each; j++) to[first[senders[s]!]! + j] = firstSink[receivers[sink]!]! + j;
  });
  return to;
}
