/** A network with its places and strokes in one view: what renderers and painters read. */
import type { Network } from "../data/network";
import { gridSides, spacePlaces } from "./space";
import { linksOf, type Links } from "./links";
import { planeStrokes, spaceStrokes, spacingOf, type Strokes } from "./shapes";
import { rankColour } from "./colours";

export interface Drawing {
  readonly net: Network;
  readonly view: string;
  readonly links: Links;
  readonly strokes: Strokes;
  readonly strokesOf: Int32Array; // (L + 1,) strokes of link k: strokesOf[k] to strokesOf[k + 1]
  readonly place: Float32Array; // (R, 3)
  readonly spacing: number; // least distance of routers
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly ink: number; // length of all strokes for each unit of the area of the plane that they lie in
  readonly radius: number; // of the ball about the middle of low and high that holds all routers
  readonly ranks: readonly number[]; // that links have, ascending
  readonly routerColour: readonly string[] | null; // by highest rank, in recursive networks
}

const MOST_RIM = 0.4; // part of a link that a router at its end covers

/** The views in which a network can be drawn: folded only where wrap-around links would leave the frame. */
export function viewsOf(net: Network): string[] {
  return net.place.sides ? ["plane", "folded", "space"] : ["plane", "space"];
}

export function drawing(net: Network, view: string): Drawing {
  const links = linksOf(net);
  const plane = view !== "space";
  const position = view === "folded" ? folded(net) : net.place.position;
  const place = plane ? flat(position) : spacePlaces(net, links);
  const strokes = plane
    ? planeStrokes(net, links, { ...net.place, position }, view === "plane")
    : inSpace(net, links, place);
  const ranks = [...new Set(links.rank)].sort((a, b) => a - b);
  const strokesOf = new Int32Array(links.count + 1);
  for (const link of strokes.link) strokesOf[link + 1]!++;
  for (let k = 0; k < links.count; k++) strokesOf[k + 1]! += strokesOf[k]!;
  const spacing = plane ? spacingOf(position, net.routers) : 0.8;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const points of [place, strokes.points]) {
    for (let k = 0; k < points.length; k++) {
      low[k % 3] = Math.min(low[k % 3]!, points[k]!);
      high[k % 3] = Math.max(high[k % 3]!, points[k]!);
    }
  }
  const room = plane ? 0.35 * spacing : 0; // for the routers themselves
  for (const axis of [0, 1]) [low[axis]!, high[axis]!] = [low[axis]! - room, high[axis]! + room];
  let radius = 0.5;
  for (let k = 0; k < place.length; k += 3) {
    radius = Math.max(radius, Math.hypot(...[0, 1, 2].map((i) => place[k + i]! - (low[i]! + high[i]!) / 2)));
  }
  return {
    net, view, links, strokes, strokesOf, place, low, high, radius, ranks,
    ink: strokesLength(strokes) / Math.max(1e-9, (high[0]! - low[0]!) * (high[1]! - low[1]!)),
    spacing,
    routerColour: routerColours(net, links, ranks),
  };
}

const flat = (position: Float32Array): Float32Array =>
  Float32Array.from({ length: (position.length / 2) * 3 }, (_, k) => (k % 3 === 2 ? 0 : position[Math.floor(k / 3) * 2 + (k % 3)]!));

/** Places of a torus folded: from either end inwards in turns, so that wrap-around links become as short as others. */
function folded(net: Network): Float32Array {
  const { sides, basis } = net.place;
  const out = new Float32Array(2 * net.routers);
  for (let r = 0; r < net.routers; r++) {
    sides?.forEach((side, d) => {
      const c = net.coord[r * net.dims + d]!;
      const at = c < Math.ceil(side / 2) ? 2 * c : 2 * (side - c) - 1;
      out[2 * r]! += at * basis![2 * d]!;
      out[2 * r + 1]! += at * basis![2 * d + 1]!;
    });
  }
  return out;
}

/** In a box, wrap-around links are two stubs; elsewhere all links are straight. */
function inSpace(net: Network, links: Links, place: Float32Array): Strokes {
  const sides = net.place.sides && net.place.sides.length > 2 ? gridSides(net, links) : null;
  if (!sides) return spaceStrokes(links, place);
  const points: number[] = [];
  const [link, stub, end, first]: [number[], number[], number[], number[]] = [[], [], [], [0]];
  const add = (a: number, way: readonly number[], k: number, half: boolean, which: number): void => {
    points.push(...place.subarray(3 * a, 3 * a + 3), ...[0, 1, 2].map((i) => place[3 * a + i]! + way[i]!));
    link.push(k);
    stub.push(half ? 1 : 0);
    end.push(which);
    first.push(points.length / 3);
  };
  for (let k = 0; k < links.count; k++) {
    const [a, b] = [links.from[k]!, links.to[k]!];
    const way = [0, 1, 2].map((i) => place[3 * b + i]! - place[3 * a + i]!);
    const wraps = sides.some((side, d) => side > 2 && Math.abs(net.coord[a * net.dims + d]! - net.coord[b * net.dims + d]!) > side / 2);
    if (!wraps) {
      add(a, way, k, false, 0);
      continue;
    }
    const length = Math.hypot(...way) || 1;
    add(a, way.map((v) => (-0.55 * v) / length), k, true, 0);
    add(b, way.map((v) => (0.55 * v) / length), k, true, 1);
  }
  return {
    points: Float32Array.from(points), first: Int32Array.from(first), link: Int32Array.from(link),
    stub: Uint8Array.from(stub), end: Uint8Array.from(end), low: [0, 0], high: [0, 0],
  };
}

/** Routers of a recursive network by the highest rank of their links, where they differ in it. */
function routerColours(net: Network, links: Links, ranks: readonly number[]): readonly string[] | null {
  if (net.baseRank < 0) return null;
  const highest = new Int32Array(net.routers).fill(-1);
  for (let k = 0; k < links.count; k++) {
    for (const r of [links.from[k]!, links.to[k]!]) highest[r] = Math.max(highest[r]!, links.rank[k]!);
  }
  if (new Set(highest).size < 2) return null;
  return Array.from(highest, (rank) => (rank < 0 ? "base" : rankColour(rank, ranks, net.baseRank)));
}

/** A point of a channel from 0 (the rim of its router) to 1 (that of the next): where a flit is drawn. `rim`: a router's radius, in places. */
export function alongChannel(drawn: Drawing, channel: number, share: number, rim: number, out: Float32Array): boolean {
  const link = drawn.links.of[channel]!;
  if (link < 0) return false;
  const { strokes, strokesOf } = drawn;
  const backward = drawn.links.channel[link] !== channel;
  const first = strokesOf[link]!;
  const two = strokesOf[link + 1]! - first > 1;
  if (!two) {
    const cut = Math.min(MOST_RIM, rim / lengthOf(strokes, first));
    const at = cut + share * (1 - 2 * cut);
    alongStroke(strokes, first, backward ? 1 - at : at, out);
    return true;
  }
  const leaving = share < 0.5;
  const stroke = first + (leaving === backward ? 1 : 0);
  const cut = Math.min(MOST_RIM, rim / lengthOf(strokes, stroke));
  alongStroke(strokes, stroke, cut + (leaving ? 2 * share : 2 - 2 * share) * (1 - cut), out);
  return true;
}

/** Of all strokes, each as if straight. */
function strokesLength(strokes: Strokes): number {
  let total = 0;
  for (let k = 0; k < strokes.link.length; k++) total += lengthOf(strokes, k);
  return total;
}

/** From the first point of a stroke to its last, as if straight. */
function lengthOf({ points, first }: Strokes, stroke: number): number {
  const [a, b] = [3 * first[stroke]!, 3 * (first[stroke + 1]! - 1)];
  return Math.hypot(points[a]! - points[b]!, points[a + 1]! - points[b + 1]!, points[a + 2]! - points[b + 2]!) || 1;
}

function alongStroke(strokes: Strokes, stroke: number, share: number, out: Float32Array): void {
  const pieces = strokes.first[stroke + 1]! - strokes.first[stroke]! - 1;
  const at = Math.min(pieces - 1e-6, Math.max(0, share * pieces));
  const k = 3 * (strokes.first[stroke]! + Math.floor(at));
  const t = at - Math.floor(at);
  for (let i = 0; i < 3; i++) out[i] = strokes.points[k + i]! * (1 - t) + strokes.points[k + 3 + i]! * t;
}
