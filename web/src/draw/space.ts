/** Places of routers in space: on a torus, in a box, or, where coordinates say nothing, by distances in the network. */
import type { Network } from "../data/network";
import type { Links } from "./links";

const PIVOTS = 40;
const MOST_SETTLED = 700;
const ROUNDS = 60;

/** (R, 3) places whose links are about one long. */
export function spacePlaces(net: Network, links: Links): Float32Array {
  const sides = gridSides(net, links);
  const place = net.place;
  if (place.sides && sides && sides.length === 2 && Math.min(...sides) > 3) return donut(net, sides);
  if (sides && sides.length >= 2) return box(net, sides);
  return byDistances(net, links);
}

/** Sides of the box that the coordinates fill, where links lead along its edges; else null. */
export function gridSides(net: Network, links: Links): number[] | null {
  const { dims, coord, routers } = net;
  const sides = new Array<number>(dims).fill(1);
  for (let k = 0; k < coord.length; k++) sides[k % dims] = Math.max(sides[k % dims]!, coord[k]! + 1);
  if (sides.reduce((a, b) => a * b, 1) !== routers || dims < 2) return null;
  let along = 0;
  for (let k = 0; k < links.count; k++) {
    let differ = 0;
    for (let d = 0; d < dims; d++) {
      if (coord[links.from[k]! * dims + d] !== coord[links.to[k]! * dims + d]) differ++;
    }
    along += differ === 1 ? 1 : 0;
  }
  return along === links.count || net.place.sides ? sides : null;
}

function donut(net: Network, sides: readonly number[]): Float32Array {
  const long = sides[0]! >= sides[1]! ? 0 : 1;
  const [n, m] = [sides[long]!, sides[1 - long]!];
  const radius = Math.max(n / (2 * Math.PI), 1.2);
  const inner = Math.min(m / (2 * Math.PI), 0.45 * radius);
  const out = new Float32Array(3 * net.routers);
  for (let r = 0; r < net.routers; r++) {
    const a = (2 * Math.PI * net.coord[2 * r + long]!) / n;
    const b = (2 * Math.PI * net.coord[2 * r + 1 - long]!) / m;
    const ring = radius + inner * Math.cos(b);
    out.set([ring * Math.cos(a), ring * Math.sin(a), inner * Math.sin(b)], 3 * r);
  }
  return out;
}

/** Dimensions 0, 1, 2 along the axes, the rows of 1 downward; further ones repeat the box along them. */
function box(net: Network, sides: readonly number[]): Float32Array {
  const extent = [1, 1, 1];
  const steps = sides.map((side, d) => {
    const axis = d % 3;
    const step = d < 3 ? 1 : 1.35 * extent[axis]!;
    extent[axis] = step * (side - 1) + extent[axis]!;
    return step;
  });
  const out = new Float32Array(3 * net.routers);
  for (let r = 0; r < net.routers; r++) {
    for (let d = 0; d < sides.length; d++) out[3 * r + (d % 3)]! += (d % 3 === 1 ? -1 : 1) * steps[d]! * net.coord[r * net.dims + d]!;
  }
  return out;
}

interface Lists {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

function adjacency(net: Network, links: Links): Lists {
  const first = new Int32Array(net.routers + 1);
  for (let k = 0; k < links.count; k++) {
    first[links.from[k]! + 1]!++;
    first[links.to[k]! + 1]!++;
  }
  for (let r = 0; r < net.routers; r++) first[r + 1]! += first[r]!;
  const fill = first.slice();
  const next = new Int32Array(2 * links.count);
  for (let k = 0; k < links.count; k++) {
    next[fill[links.from[k]!]!++] = links.to[k]!;
    next[fill[links.to[k]!]!++] = links.from[k]!;
  }
  return { first, next };
}

/** Links to each router from one, by any direction of links; -1 where there is no way. */
function distances(lists: Lists, from: number): Int32Array {
  const routers = lists.first.length - 1;
  const found = new Int32Array(routers).fill(-1);
  const queue = new Int32Array(routers);
  found[from] = 0;
  queue[0] = from;
  for (let head = 0, tail = 1; head < tail; head++) {
    const r = queue[head]!;
    for (let k = lists.first[r]!; k < lists.first[r + 1]!; k++) {
      const s = lists.next[k]!;
      if (found[s]! >= 0) continue;
      found[s] = found[r]! + 1;
      queue[tail++] = s;
    }
  }
  return found;
}

/** Pivot MDS (Brandes and Pich 2007): the three main directions of distances to a few routers far apart. */
function byDistances(net: Network, links: Links): Float32Array {
  const n = net.routers;
  const lists = adjacency(net, links);
  const count = Math.min(PIVOTS, n);
  const nearest = new Float64Array(n).fill(Infinity);
  const table: Float64Array[] = [];
  for (let k = 0, pivot = 0; k < count; k++) {
    const way = distances(lists, pivot);
    const column = Float64Array.from(way, (d) => (d < 0 ? n : d));
    for (let r = 0; r < n; r++) nearest[r] = Math.min(nearest[r]!, column[r]!);
    table.push(column.map((d) => d * d));
    pivot = nearest.reduce((best, d, r) => (d > nearest[best]! ? r : best), 0);
  }
  centre(table, n);
  const out = new Float32Array(3 * n);
  const found: Float64Array[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const vector = mainDirection(table, found, n);
    found.push(vector);
    for (let r = 0; r < n; r++) for (let k = 0; k < count; k++) out[3 * r + axis]! += table[k]![r]! * vector[k]!;
  }
  apart(out, links);
  if (n <= MOST_SETTLED) settle(out, links, n);
  return out;
}

function centre(table: Float64Array[], n: number): void {
  const rows = new Float64Array(n);
  let all = 0;
  for (const column of table) for (let r = 0; r < n; r++) rows[r]! += column[r]! / table.length;
  for (let r = 0; r < n; r++) all += rows[r]! / n;
  for (const column of table) {
    const mean = column.reduce((a, b) => a + b, 0) / n;
    for (let r = 0; r < n; r++) column[r] = -0.5 * (column[r]! - rows[r]! - mean + all);
  }
}

/** The main direction of the columns across those found already, by the power method. */
function mainDirection(table: Float64Array[], found: readonly Float64Array[], n: number): Float64Array {
  const k = table.length;
  let vector = Float64Array.from({ length: k }, (_, i) => 1 + 0.37 * Math.sin(1 + 2.3 * i * (found.length + 1)));
  for (let round = 0; round < 60; round++) {
    for (const other of found) {
      const share = vector.reduce((sum, v, i) => sum + v * other[i]!, 0);
      vector = vector.map((v, i) => v - share * other[i]!);
    }
    const image = new Float64Array(n);
    for (let i = 0; i < k; i++) for (let r = 0; r < n; r++) image[r]! += table[i]![r]! * vector[i]!;
    const next = Float64Array.from(table, (column) => column.reduce((sum, v, r) => sum + v * image[r]!, 0));
    const length = Math.hypot(...next) || 1;
    vector = next.map((v) => v / length);
  }
  return vector;
}

/** Scales to links of length one on average, and moves routers that lie on one another a little. */
function apart(place: Float32Array, links: Links): void {
  let length = 0;
  for (let k = 0; k < links.count; k++) {
    const [a, b] = [3 * links.from[k]!, 3 * links.to[k]!];
    length += Math.hypot(place[a]! - place[b]!, place[a + 1]! - place[b + 1]!, place[a + 2]! - place[b + 2]!);
  }
  const scale = length > 1e-9 ? links.count / length : 1;
  for (let i = 0; i < place.length; i++) place[i] = place[i]! * scale + 0.12 * Math.sin(12.9898 * i + 4.1);
}

/** Some rounds of springs along links and repulsion between all routers (Fruchterman and Reingold 1991). */
function settle(place: Float32Array, links: Links, n: number): void {
  for (let round = 0; round < ROUNDS; round++) {
    const force = new Float32Array(3 * n);
    for (let r = 0; r < n; r++) {
      for (let s = 0; s < r; s++) push(place, force, 3 * r, 3 * s, (d) => 0.35 / (d * d));
    }
    for (let k = 0; k < links.count; k++) {
      push(place, force, 3 * links.from[k]!, 3 * links.to[k]!, (d) => -0.55 * d);
    }
    const most = 0.35 * (1 - round / ROUNDS);
    for (let r = 0; r < 3 * n; r += 3) {
      const length = Math.hypot(force[r]!, force[r + 1]!, force[r + 2]!) || 1;
      const step = Math.min(most, length) / length;
      for (let k = 0; k < 3; k++) place[r + k]! += step * force[r + k]!;
    }
  }
}

function push(place: Float32Array, force: Float32Array, a: number, b: number, by: (distance: number) => number): void {
  const [x, y, z] = [place[a]! - place[b]!, place[a + 1]! - place[b + 1]!, place[a + 2]! - place[b + 2]!];
  const distance = Math.max(0.05, Math.sqrt(x * x + y * y + z * z));
  const strength = by(distance) / distance;
  force[a]! += strength * x;
  force[a + 1]! += strength * y;
  force[a + 2]! += strength * z;
  force[b]! -= strength * x;
  force[b + 1]! -= strength * y;
  force[b + 2]! -= strength * z;
}
