/** A small chart: a line for each name over shared places, with the single points that its means are of. */
import { svg } from "./picture";

export interface Curve {
  readonly name: string;
  readonly colour: string; // custom property
  readonly points: readonly (readonly (number | null)[])[]; // by place, one value for each seed
}

const [WIDE, HIGH, LEFT, RIGHT, TOP, BELOW] = [330, 150, 34, 92, 10, 26];

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const there = (values: readonly (number | null)[]): number[] => values.filter((each): each is number => each !== null);

export function chart(curves: readonly Curve[], places: readonly number[], now: number, words: string, unit: string): SVGElement {
  const all = curves.flatMap((curve) => curve.points.flatMap(there));
  const [low, high] = [Math.floor(2 * Math.min(...all)) / 2, Math.ceil(2 * Math.max(...all)) / 2];
  const last = places.at(-1) || 1;
  const x = (place: number): number => LEFT + ((WIDE - LEFT - RIGHT) * place) / last;
  const y = (value: number): number => TOP + (HIGH - TOP - BELOW) * (1 - (value - low) / (high - low || 1));
  const parts: SVGElement[] = [];
  for (const value of [low, high]) {
    parts.push(svg("path", { d: `M${LEFT} ${y(value)}H${WIDE - RIGHT}`, style: "stroke:var(--rule)" }));
    parts.push(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(1)));
  }
  for (const place of [0, last]) parts.push(svg("text", { x: x(place), y: HIGH - 10, "text-anchor": "middle" }, String(place)));
  parts.push(svg("text", { x: (x(0) + x(last)) / 2, y: HIGH - 10, "text-anchor": "middle" }, unit));
  parts.push(svg("path", { d: `M${x(now)} ${TOP}V${HIGH - BELOW}`, style: "stroke:var(--quiet)", "stroke-dasharray": "2 3" }));
  const taken: number[] = [];
  for (const { name, colour, points } of curves) {
    const line = places.flatMap((place, k) => (there(points[k]!).length ? [`${x(place)} ${y(mean(there(points[k]!)))}`] : []));
    parts.push(svg("path", { d: `M${line.join("L")}`, fill: "none", style: `stroke:var(--${colour})`, "stroke-width": 2, "stroke-linejoin": "round" }));
    places.forEach((place, k) => {
      for (const value of there(points[k]!)) parts.push(svg("circle", { cx: x(place), cy: y(value), r: 2, style: `fill:var(--${colour})`, "fill-opacity": 0.6 }));
    });
    let at = Number(line.at(-1)?.split(" ")[1] ?? TOP) + 4;
    while (taken.some((other) => Math.abs(other - at) < 13)) at += 13;
    taken.push(at);
    parts.push(svg("text", { x: WIDE - RIGHT + 8, y: at, style: `fill:var(--${colour})` }, name));
  }
  return svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": words }, ...parts);
}
