/** A small chart: a line for each name over shared places, with the single points that its means are of. */
import { el } from "../shell/controls";
import { fileName } from "../shell/save";
import { saveButtons } from "./picture";
import { svg } from "./svg";

export interface Line {
  readonly name: string;
  readonly colour: string; // custom property
  readonly points: readonly (readonly (number | null)[])[]; // by place, one value for each seed
}

export interface ChartOptions {
  readonly lines: readonly Line[];
  readonly places: readonly number[]; // ascending, from 0
  readonly now: number; // the place that is marked, below 0 for none
  readonly words: string; // what it shows: for screen readers, and the name of its file
  readonly unit: string; // of places
  readonly measured: string; // what the values are, with their unit: at their axis
  readonly ends?: readonly [number, number]; // of the values' axis, else by the values
}

/** Where places and values are, in pixels. */
interface Scales {
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
}

const [WIDE, HIGH, LEFT, RIGHT, TOP, BELOW] = [330, 164, 42, 92, 24, 26];
const NAME_ROW = 13; // pixels from a name to the next one

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const there = (values: readonly (number | null)[]): number[] => values.filter((each): each is number => each !== null);

const text = (x: number, y: number, anchor: string, words: string): SVGElement =>
  svg("text", { x, y, "text-anchor": anchor, "font-size": 12.5, style: "fill:var(--quiet)" }, words);

export function chart({ lines, places, now, words, unit, measured, ends }: ChartOptions): HTMLElement {
  const all = lines.flatMap(({ points }) => points.flatMap(there));
  const [low, high] = ends ?? [Math.floor(2 * Math.min(...all)) / 2, Math.ceil(2 * Math.max(...all)) / 2];
  const last = places.at(-1) || 1;
  const x = (place: number): number => LEFT + ((WIDE - LEFT - RIGHT) * place) / last;
  const y = (value: number): number => TOP + (HIGH - TOP - BELOW) * (1 - (value - low) / (high - low || 1));
  const parts: SVGElement[] = [text(0, 11, "start", measured)];
  for (const value of [low, high]) {
    parts.push(svg("path", { d: `M${LEFT} ${y(value)}H${WIDE - RIGHT}`, style: "stroke:var(--rule)" }));
    parts.push(text(LEFT - 6, y(value) + 4, "end", value.toFixed(1)));
  }
  for (const place of [0, last]) parts.push(text(x(place), HIGH - 10, "middle", String(place)));
  parts.push(text((x(0) + x(last)) / 2, HIGH - 10, "middle", unit));
  if (now >= 0) parts.push(svg("path", { d: `M${x(now)} ${TOP}V${HIGH - BELOW}`, style: "stroke:var(--quiet)", "stroke-dasharray": "2 3" }));
  const taken: number[] = [];
  for (const line of lines) parts.push(...drawnLine(line, places, { x, y }, taken));
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": words }, ...parts);
  return el("div", { class: "charted" }, picture, el("div", { class: "tools" }, ...saveButtons(picture, fileName(words))));
}

/** A line through the means, its points, and its name beside its end; `taken`: heights of names so far, to which its own is added. */
function drawnLine({ name, colour, points }: Line, places: readonly number[], { x, y }: Scales, taken: number[]): SVGElement[] {
  const means = places.flatMap((place, k) => (there(points[k]!).length ? [[x(place), y(mean(there(points[k]!)))] as const] : []));
  const path = `M${means.map((point) => point.join(" ")).join("L")}`;
  const dots = places.flatMap((place, k) => there(points[k]!).map((value) =>
    svg("circle", { cx: x(place), cy: y(value), r: 2, style: `fill:var(--${colour})`, "fill-opacity": 0.6 })));
  const at = freeHeight(Math.min(HIGH - BELOW, (means.at(-1)?.[1] ?? TOP) + 4), taken);
  taken.push(at);
  return [
    svg("path", { d: path, fill: "none", style: `stroke:var(--${colour})`, "stroke-width": 2, "stroke-linejoin": "round" }),
    ...dots,
    svg("path", { d: `M${WIDE - RIGHT + 4} ${at - 4}h8`, style: `stroke:var(--${colour})`, "stroke-width": 3 }),
    text(WIDE - RIGHT + 16, at, "start", name),
  ];
}

/** The height nearest to the one wanted at which a name covers no other; the one wanted where there is none. */
function freeHeight(wanted: number, taken: readonly number[]): number {
  const near = [0, 1, -1, 2, -2, 3, -3, 4, -4].map((k) => wanted + NAME_ROW * k).filter((y) => y >= TOP && y <= HIGH - BELOW);
  return near.find((y) => taken.every((other) => Math.abs(other - y) >= NAME_ROW)) ?? wanted;
}
