/** The picture of a wafer: elements, compensation paths, traced wires, and the links of an element that is picked. */
import type { Network } from "../../data/network";
import { svg } from "../picture";

export interface Lines {
  readonly points: Int32Array; // (points, 2)
  readonly end: Int32Array; // where each line ends
}

export interface Made {
  readonly repaired: boolean;
  readonly defects: number;
  readonly faults: number;
  readonly unrepaired: number;
  readonly longest: number | null;
  readonly added: readonly [number, number] | null;
  readonly why: string | null;
  readonly kind: Int32Array;
  readonly owner: Int32Array;
  readonly paths: Lines; // in elements
  readonly wires: { readonly straight: Lines; readonly bent: Lines }; // in hundredths
  readonly through: Lines;
  readonly turned: Int32Array;
  readonly segments: Int32Array | null; // of each link, in the order of `links`
}

export interface Wafers {
  readonly spec: string;
  readonly shape: readonly [number, number];
  readonly core: readonly [number, number, number, number]; // first row, first column, rows, columns
  readonly area: number;
  readonly links: Int32Array; // a channel of each link
  readonly made: readonly (readonly (readonly Made[])[])[]; // by density, seed, method
  readonly yields: readonly (readonly (readonly [number, number, number])[])[]; // by density, method
}

export interface Data {
  readonly kinds: readonly string[];
  readonly densities: readonly number[];
  readonly seeds: readonly number[];
  readonly methods: readonly { readonly name: string; readonly summary: string }[];
  readonly wafers: number;
  readonly networks: readonly Wafers[];
  readonly papers: { readonly spec: string; readonly made: readonly (Made & { readonly figure: string; readonly bad: readonly (readonly [number, number])[] })[] };
  readonly curves: { readonly spec: string; readonly wafers: number; readonly densities: readonly number[]; readonly names: readonly string[]; readonly parts: readonly (readonly number[])[] };
}

const HALF = 0.29; // half the side of an element, which lie 1 apart
const ASIDE = 0.38; // from the middle of an element to the path beside it
const BEND = 0.16; // of a link's length, by which its arc leaves the straight line
const STEPS = Array.from({ length: 65 }, (_, k) => k / 64); // of a line that is drawn for an arc
const BESIDE = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65]; // parts of an arc at which the length of its wire may stand
export const LOOKS: readonly (readonly [string, number])[] = [
  ["hue-0", 0.16], ["hue-0", 0.55], ["hue-2", 0.6], ["base", 0.18], ["ink", 0.78], ["bad", 1],
]; // colour and strength of each kind
export const LINES: readonly (readonly [string, string])[] = [["hue-1", "compensation path"], ["hue-0", "bent wire, turned switch"]];

export interface Shown {
  readonly data: Data;
  readonly wafers: Wafers;
  readonly made: Made;
  readonly at: { readonly density: number; readonly seed: number; readonly method: number };
  readonly paper: { readonly figure: string; readonly bad: readonly (readonly [number, number])[] } | null; // of the SRT report
}

/** Lines as the data of one path; `parts` of them are the distance between elements. */
function pathOf({ points, end }: Lines, parts: number): string {
  const words: string[] = [];
  for (let line = 0, k = 0; line < end.length; line++) {
    for (let first = k; k < end[line]!; k++) words.push(`${k === first ? "M" : "L"}${points[2 * k]! / parts} ${points[2 * k + 1]! / parts}`);
  }
  return words.join("");
}

const line = (d: string, colour: string, width: number, more: Readonly<Record<string, string>> = {}): SVGElement =>
  svg("path", { d, fill: "none", style: `stroke:var(--${colour})`, "stroke-width": width, "stroke-linejoin": "round", ...more });

/** The array from above, an element a square. */
export function map(shown: Shown, net: Network, wires: boolean, picked: number): SVGElement {
  const { wafers, made, data } = shown;
  const [height, width] = wafers.shape;
  const [top, left, rows, columns] = wafers.core;
  const parts: SVGElement[] = [
    svg("rect", { x: left - 0.5, y: top - 0.5, width: columns, height: rows, style: "fill:var(--hue-4)", "fill-opacity": 0.1 }),
  ];
  if (wires) {
    parts.push(line(pathOf(made.wires.straight, 100), "quiet", 0.025), line(pathOf(made.wires.bent, 100), "hue-0", 0.05));
  }
  const names: SVGElement[] = [];
  for (let x = 0; x < height; x++) {
    for (let y = 0; y < width; y++) {
      const [kind, owner] = [made.kind[x * width + y]!, made.owner[x * width + y]!];
      const [colour, strength] = LOOKS[kind]!;
      const about = `row ${x}, column ${y}: ${data.kinds[kind]}${owner >= 0 ? `, element ${Math.floor(owner / columns)},${owner % columns} of the network` : ""}`;
      const side = { x: y - HALF, y: x - HALF, width: 2 * HALF, height: 2 * HALF };
      parts.push(svg("rect", { ...side, style: "fill:var(--ground)" }));
      parts.push(svg("rect", {
        ...side, style: `fill:var(--${colour});stroke:var(--ink)`, "fill-opacity": strength, "stroke-width": 0.012, "data-router": owner,
      }, svg("title", {}, about)));
      if (kind >= 4) names.push(line(`M${y - 0.15} ${x - 0.15}l.3 .3m0 -.3l-.3 .3`, "ground", 0.05));
      else if (owner >= 0) {
        const halo = picked >= 0 ? ";paint-order:stroke;stroke:var(--ground);stroke-width:.05" : ""; // arcs go behind it
        names.push(svg("text", { x: y, y: x + 0.06, "font-size": 0.19, "text-anchor": "middle", style: `fill:var(--ink)${halo}`, "pointer-events": "none" },
          `${Math.floor(owner / columns)},${owner % columns}`));
      }
    }
  }
  if (wires) parts.push(line(pathOf(made.through, 100), "quiet", 0.025, { "stroke-dasharray": ".05 .06" }));
  const [wiresOf, lengths] = arcs(shown, net, picked);
  parts.push(...arrows(made), ...wiresOf, ...names, ...lengths);
  if (wires) {
    for (let k = 0; k < made.turned.length; k += 2) {
      parts.push(svg("circle", { cx: made.turned[k]! / 100, cy: made.turned[k + 1]! / 100, r: 0.05, style: "fill:var(--ground);stroke:var(--hue-0)", "stroke-width": 0.03 }));
    }
  }
  const about = { viewBox: `-0.7 -0.7 ${width + 0.4} ${height + 0.4}`, role: "img", class: "picture", tabindex: 0, "aria-label": sentence(shown) };
  return svg("svg", about, ...parts);
}

/** Compensation paths, beside the elements, so that none crosses a name; bent wires lie further out. */
function arrows(made: Made): SVGElement[] {
  const { points, end } = made.paths;
  return Array.from(end, (last, k) => {
    const first = k ? end[k - 1]! : 0;
    const [x0, y0, x1, y1] = [points[2 * first]!, points[2 * first + 1]!, points[2 * last - 2]!, points[2 * last - 1]!];
    const [ux, uy] = [Math.sign(x1 - x0), Math.sign(y1 - y0)];
    const [dx, dy] = ux ? [0, ASIDE] : [ASIDE, 0];
    const d = `M${x0 + dx} ${y0 + dy}L${x1 + dx} ${y1 + dy}m${-0.16 * ux - 0.09 * uy} ${-0.16 * uy - 0.09 * ux}l${0.16 * ux + 0.09 * uy} ${0.16 * uy + 0.09 * ux}l${-0.16 * ux + 0.09 * uy} ${-0.16 * uy + 0.09 * ux}`;
    return line(d, "hue-1", 0.055);
  });
}

/** Segments of the links of a router, by neighbor. */
export function linksOf({ wafers, made }: Shown, net: Network, router: number): Map<number, number> {
  const found = new Map<number, number>();
  wafers.links.forEach((channel, k) => {
    const ends = [Math.floor(channel / net.ports), net.neighbor[channel]!];
    if (ends.includes(router)) found.set(ends[0] === router ? ends[1]! : ends[0]!, made.segments?.[k] ?? 0);
  });
  return found;
}

/** Where each router of the network is: column and row of its element. */
function placesOf({ wafers, made }: Shown): Map<number, readonly [number, number]> {
  const width = wafers.shape[1];
  const found = new Map<number, readonly [number, number]>();
  made.owner.forEach((router, at) => router >= 0 && found.set(router, [at % width, Math.floor(at / width)]));
  return found;
}

/** The links of one router as arcs, and the segments of the wire of each, to be drawn above all else. */
function arcs(shown: Shown, net: Network, router: number): readonly [SVGElement[], SVGElement[]] {
  const places = placesOf(shown);
  const here = places.get(router);
  if (!here || !shown.made.segments) return [[], []];
  const [x, y] = here;
  const lengths: SVGElement[] = [];
  const lines: SVGElement[] = [svg("rect", {
    x: x - HALF, y: y - HALF, width: 2 * HALF, height: 2 * HALF, fill: "none", style: "stroke:var(--accent)", "stroke-width": 0.09,
  })];
  for (const [other, segments] of linksOf(shown, net, router)) {
    const [u, v] = places.get(other)!;
    const [mx, my] = [(x + u) / 2 + (v - y) * BEND, (y + v) / 2 - (u - x) * BEND];
    const along = (t: number): [number, number] =>
      [(1 - t) ** 2 * x + 2 * t * (1 - t) * mx + t * t * u, (1 - t) ** 2 * y + 2 * t * (1 - t) * my + t * t * v];
    const [tx, ty] = BESIDE.map(along).reduce((a, b) => (free(b) > free(a) + 0.02 ? b : a));
    const outside = ([px, py]: readonly [number, number]): boolean =>
      [[x, y], [u, v]].every(([cx, cy]) => Math.max(Math.abs(px - cx!), Math.abs(py - cy!)) > HALF);
    const seen = STEPS.map(along).filter(outside).map((point) => point.map((each) => each.toFixed(3)).join(" "));
    lines.push(line(`M${seen.join("L")}`, "accent", 0.06));
    lengths.push(
      svg("circle", { cx: tx, cy: ty, r: 0.15, style: "fill:var(--ground);stroke:var(--accent)", "stroke-width": 0.025 }),
      svg("text", { x: tx, y: ty + 0.07, "font-size": 0.2, "text-anchor": "middle", style: "fill:var(--ink)" }, String(segments)),
    );
  }
  return [lines, lengths];
}

/** How far a point is from the middle of the nearest element. */
const free = ([x, y]: readonly [number, number]): number => Math.hypot(x - Math.round(x), y - Math.round(y));

export function sentence({ made }: Shown): string {
  const found = `${made.faults} ${made.faults === 1 ? "fault" : "faults"} in the core`;
  if (made.faults === 0) return "No fault in the core.";
  return made.repaired ? `${found}: repaired, every wire traced.` : `${found}: not repaired.`;
}
