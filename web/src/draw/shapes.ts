/**
 * Strokes of links in the plane, as `jumpnet draw` has them: straight where nothing is in the way, bent past routers,
 * stubs over the frame's edge for wrap-around links.
 */
import type { Network, Places } from "../data/network";
import type { Links } from "./links";

/** Polylines: stroke k has the points first[k] to first[k + 1] of `points`, three numbers each. */
export interface Strokes {
  readonly points: Float32Array;
  readonly first: Int32Array;
  readonly link: Int32Array; // link of each stroke
  readonly stub: Uint8Array; // 1: half of a wrap-around link, drawn from the router `end` outwards
  readonly end: Uint8Array; // router at which it starts: 0 the link's `from`, 1 its `to`
  readonly low: readonly [number, number]; // frame in which stubs end
  readonly high: readonly [number, number];
}

type Point = readonly [number, number];
const MANY = 4000;

/** Least distance between two routers (1 for a single one). Sweeps in order of x. */
export function spacingOf(position: Float32Array, routers: number): number {
  const order = Array.from({ length: routers }, (_, r) => r).sort((a, b) => position[2 * a]! - position[2 * b]!);
  let best = Infinity;
  for (let i = 0; i < routers; i++) {
    for (let j = i + 1; j < routers; j++) {
      const dx = position[2 * order[j]!]! - position[2 * order[i]!]!;
      if (dx >= best) break;
      const gap = Math.hypot(dx, position[2 * order[j]! + 1]! - position[2 * order[i]! + 1]!);
      if (gap > 1e-9 && gap < best) best = gap;
    }
  }
  return Number.isFinite(best) ? best : 1;
}

/** Routers by squares of the plane, so that those near a line are found without looking at all. */
class Squares {
  private readonly held = new Map<number, number[]>();

  constructor(
    private readonly position: Float32Array,
    private readonly side: number,
  ) {
    for (let k = 0; k < position.length; k += 2) {
      const key = this.key(this.square(position[k]!), this.square(position[k + 1]!));
      const there = this.held.get(key);
      if (there) there.push(k);
      else this.held.set(key, [k]);
    }
  }

  private square(at: number): number {
    return Math.floor(at / this.side);
  }

  private key(x: number, y: number): number {
    return x * 1048576 + y;
  }

  /** Whether a router stands on the way from a to b. */
  between(a: Point, b: Point, clearance: number): boolean {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy);
    const steps = Math.ceil(length / this.side);
    for (let step = 0; step <= steps; step++) {
      const [x, y] = [this.square(a[0] + (dx * step) / steps), this.square(a[1] + (dy * step) / steps)];
      for (let i = x - 1; i <= x + 1; i++) {
        for (let j = y - 1; j <= y + 1; j++) {
          for (const k of this.held.get(this.key(i, j)) ?? []) {
            const [px, py] = [this.position[k]! - a[0], this.position[k + 1]! - a[1]];
            const along = (px * dx + py * dy) / length;
            if (along > clearance && along < length - clearance && Math.abs(px * dy - py * dx) / length < clearance) return true;
          }
        }
      }
    }
    return false;
  }
}

function bezier(a: Point, control: Point, b: Point, samples: number): Point[] {
  return Array.from({ length: samples }, (_, k) => {
    const t = k / (samples - 1);
    const at = (axis: 0 | 1) => (1 - t) ** 2 * a[axis] + 2 * t * (1 - t) * control[axis] + t ** 2 * b[axis];
    return [at(0), at(1)] as const;
  });
}

/** A curve beside the straight line, the same one from b to a. */
function bent(a: Point, b: Point, bend: number, samples: number): Point[] {
  let dx = b[0] - a[0];
  let dy = b[1] - a[1];
  if (dx < -1e-6 || (Math.abs(dx) <= 1e-6 && dy < 0)) [dx, dy] = [-dx, -dy];
  return bezier(a, [(a[0] + b[0]) / 2 - bend * dy, (a[1] + b[1]) / 2 + bend * dx], b, samples);
}

class Shaper {
  readonly points: number[] = [];
  readonly first: number[] = [0];
  readonly link: number[] = [];
  readonly stub: number[] = [];
  readonly end: number[] = [];
  readonly spacing: number;
  readonly low: [number, number] = [Infinity, Infinity];
  readonly high: [number, number] = [-Infinity, -Infinity];
  private readonly samples: number;
  private readonly squares: Squares;
  private readonly centre: Point;

  constructor(
    readonly net: Network,
    readonly place: Places,
    links: Links,
  ) {
    const position = place.position;
    this.spacing = spacingOf(position, net.routers);
    let [x, y] = [0, 0];
    for (let r = 0; r < net.routers; r++) {
      x += position[2 * r]!;
      y += position[2 * r + 1]!;
      for (const axis of [0, 1] as const) {
        this.low[axis] = Math.min(this.low[axis], position[2 * r + axis]!);
        this.high[axis] = Math.max(this.high[axis], position[2 * r + axis]!);
      }
    }
    this.centre = [x / net.routers, y / net.routers];
    const pad = 0.6 * Math.max(this.spacing, 0.5);
    for (const axis of [0, 1] as const) {
      this.low[axis] -= pad;
      this.high[axis] += pad;
    }
    this.samples = links.count > MANY ? 4 : 17;
    this.squares = new Squares(position, this.spacing);
  }

  at(router: number): Point {
    return [this.place.position[2 * router]!, this.place.position[2 * router + 1]!];
  }

  add(points: readonly Point[], link: number, stub: boolean, end: 0 | 1): void {
    for (const [x, y] of points) this.points.push(x, y, 0);
    this.first.push(this.points.length / 3);
    this.link.push(link);
    this.stub.push(stub ? 1 : 0);
    this.end.push(end);
  }

  /** Straight, or bent when another router is in the way; long links bend less for their length. */
  route(a: Point, b: Point): readonly Point[] {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) / this.spacing;
    if (length < 1.3 || !this.squares.between(a, b, 0.2 * this.spacing)) return [a, b];
    return bent(a, b, 0.32 / Math.sqrt(Math.max(length, 1)), this.samples);
  }

  arch(a: Point, b: Point, side: number): readonly Point[] {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 1.5) return [a, b];
    return bezier(a, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + side * (0.4 + 0.45 * length)], b, this.samples);
  }

  /** A chord of the circle of routers: straight between neighbors, else bent towards the centre. */
  chord(a: Point, b: Point): readonly Point[] {
    const [x, y] = this.centre;
    const radius = Math.hypot(a[0] - x, a[1] - y);
    const half = Math.min(1, Math.hypot(b[0] - a[0], b[1] - a[1]) / (2 * radius));
    if (half <= Math.sin(Math.PI / this.net.routers) * 1.01) return [a, b];
    const pull = 0.75 - 0.45 * half;
    return bezier(a, [x + ((a[0] + b[0]) / 2 - x) * pull, y + ((a[1] + b[1]) / 2 - y) * pull], b, this.samples);
  }

  /** The part of a polyline inside the frame, ending on it, and at most `most` long. */
  clip(points: readonly Point[], most: number): Point[] {
    const kept: Point[] = [points[0]!];
    let left = most;
    for (let k = 1; k < points.length; k++) {
      const [a, b] = [points[k - 1]!, points[k]!];
      let share = 1;
      for (const axis of [0, 1] as const) {
        const step = b[axis] - a[axis];
        if (b[axis] > this.high[axis]) share = Math.min(share, (this.high[axis] - a[axis]) / step);
        if (b[axis] < this.low[axis]) share = Math.min(share, (this.low[axis] - a[axis]) / step);
      }
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) * share;
      if (length > left) share *= left / length;
      kept.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
      left -= length;
      if (share < 1 || left <= 0) break;
    }
    return kept;
  }

  /** Two stubs over the frame's edge where the short way round passes it, else nothing (false). */
  wrapped(link: number, r: number, s: number): boolean {
    const { sides, basis } = this.place;
    if (!sides || !basis) return false;
    let wraps = false;
    const step: [number, number] = [0, 0];
    sides.forEach((side, d) => {
      const raw = this.net.coord[s * this.net.dims + d]! - this.net.coord[r * this.net.dims + d]!;
      const half = Math.floor(side / 2);
      const way = 2 * Math.abs(raw) <= side ? raw : ((((raw + half) % side) + side) % side) - half;
      wraps ||= way !== raw;
      step[0] += way * basis[2 * d]!;
      step[1] += way * basis[2 * d + 1]!;
    });
    if (!wraps) return false;
    const planes = sides.length > 2; // they overlap: the way to the frame would cross others
    const most = planes ? 0.4 * Math.max(this.spacing, 0.35 * Math.hypot(...step)) : Infinity;
    for (const [here, sign, end] of [[r, 1, 0], [s, -1, 1]] as const) {
      const a = this.at(here);
      this.add(this.clip(this.route(a, [a[0] + sign * step[0], a[1] + sign * step[1]]), most), link, true, end);
    }
    return true;
  }
}

/** The strokes of every link: one for most, two stubs for a wrap-around link. `wraps`: whether such links leave the frame. */
export function planeStrokes(net: Network, links: Links, place: Places, wraps: boolean): Strokes {
  const shaper = new Shaper(net, place, links);
  for (let link = 0; link < links.count; link++) {
    const [r, s] = [links.from[link]!, links.to[link]!];
    if (wraps && shaper.wrapped(link, r, s)) continue;
    const [a, b] = [shaper.at(r), shaper.at(s)];
    let points: readonly Point[];
    if (place.arch && Math.abs(a[1] - b[1]) < 1e-6) points = shaper.arch(a, b, place.arch[r]!);
    else if (place.circle) points = shaper.chord(a, b);
    else points = shaper.route(a, b);
    shaper.add(points, link, false, 0);
  }
  return finished(shaper);
}

function finished(shaper: Shaper): Strokes {
  return {
    points: Float32Array.from(shaper.points),
    first: Int32Array.from(shaper.first),
    link: Int32Array.from(shaper.link),
    stub: Uint8Array.from(shaper.stub),
    end: Uint8Array.from(shaper.end),
    low: shaper.low,
    high: shaper.high,
  };
}

/** Straight strokes between places in space, three numbers a router. */
export function spaceStrokes(links: Links, place: Float32Array): Strokes {
  const points = new Float32Array(6 * links.count);
  for (let link = 0; link < links.count; link++) {
    points.set(place.subarray(3 * links.from[link]!, 3 * links.from[link]! + 3), 6 * link);
    points.set(place.subarray(3 * links.to[link]!, 3 * links.to[link]! + 3), 6 * link + 3);
  }
  return {
    points,
    first: Int32Array.from({ length: links.count + 1 }, (_, k) => 2 * k),
    link: Int32Array.from({ length: links.count }, (_, k) => k),
    stub: new Uint8Array(links.count),
    end: new Uint8Array(links.count),
    low: [-1, -1],
    high: [1, 1],
  };
}
