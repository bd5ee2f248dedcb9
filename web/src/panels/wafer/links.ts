/** The links of an element that is picked: arcs to its neighbors, with the segments of the wire of each. */
import type { Network } from "../../data/network";
import { svg } from "../svg";
import type { Shown } from "./data";
import { HALF, line } from "./shapes";

const BEND = 0.16; // of a link's length, by which its arc leaves the straight line
const STEPS = Array.from({ length: 65 }, (_, k) => k / 64); // of a line that is drawn for an arc
const BESIDE = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65]; // parts of an arc at which the length of its wire may stand

type Point = readonly [number, number];

/** Segments of the links of a router, by neighbor. */
export function linksOf({ wafers, made }: Shown, net: Network, router: number): Map<number, number> {
  const found = new Map<number, number>();
  wafers.links.forEach((channel, k) => {
    const ends = [Math.floor(channel / net.ports), net.neighbor[channel]!];
    if (ends.includes(router)) found.set(ends[0] === router ? ends[1]! : ends[0]!, made.segments?.[k] ?? 0);
  });
  return found;
}

/** The column and row of each router's element. */
function placesOf({ wafers, made }: Shown): Map<number, Point> {
  const width = wafers.shape[1];
  const found = new Map<number, Point>();
  made.owner.forEach((router, at) => router >= 0 && found.set(router, [at % width, Math.floor(at / width)]));
  return found;
}

/** A mark around a router's element with its links, and the segments of the wire of each, to be drawn above all else. */
export function pickedLinks(shown: Shown, net: Network, router: number): { readonly lines: SVGElement[]; readonly lengths: SVGElement[] } {
  const places = placesOf(shown);
  const here = places.get(router);
  if (!here || !shown.made.segments) return { lines: [], lengths: [] };
  const side = { x: here[0] - HALF, y: here[1] - HALF, width: 2 * HALF, height: 2 * HALF };
  const lines: SVGElement[] = [svg("rect", { ...side, fill: "none", style: "stroke:var(--accent)", "stroke-width": 0.09 })];
  const lengths: SVGElement[] = [];
  for (const [other, segments] of linksOf(shown, net, router)) {
    const there = places.get(other)!;
    const along = arc(here, there);
    const inside = ([x, y]: Point, [column, row]: Point): boolean => Math.max(Math.abs(x - column), Math.abs(y - row)) <= HALF;
    const seen = STEPS.map(along).filter((point) => !inside(point, here) && !inside(point, there));
    lines.push(line(`M${seen.map((point) => point.map((each) => each.toFixed(3)).join(" ")).join("L")}`, "accent", 0.06));
    const [x, y] = BESIDE.map(along).reduce((a, b) => (clearance(b) > clearance(a) + 0.02 ? b : a));
    lengths.push(
      svg("circle", { cx: x, cy: y, r: 0.15, style: "fill:var(--ground);stroke:var(--accent)", "stroke-width": 0.025 }),
      svg("text", { x, y: y + 0.07, "font-size": 0.2, "text-anchor": "middle", style: "fill:var(--ink)" }, String(segments)),
    );
  }
  return { lines, lengths };
}

/** The quadratic Bezier curve between two elements, from 0 to 1; bent, so that links in one row do not cover each other. */
function arc([x, y]: Point, [u, v]: Point): (part: number) => Point {
  const [mx, my] = [(x + u) / 2 + (v - y) * BEND, (y + v) / 2 - (u - x) * BEND];
  return (t) => [(1 - t) ** 2 * x + 2 * t * (1 - t) * mx + t * t * u, (1 - t) ** 2 * y + 2 * t * (1 - t) * my + t * t * v];
}

/** How far a point is from the middle of the nearest element. */
const clearance = ([x, y]: Point): number => Math.hypot(x - Math.round(x), y - Math.round(y));
