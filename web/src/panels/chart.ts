/** A small chart: a line for each name over shared places, with the single points that its means are of. */
import { el } from "../shell/controls";
import { fileName, keepButtons, svg } from "./picture";

export interface Curve {
  readonly name: string;
  readonly colour: string; // custom property
  readonly points: readonly (readonly (number | null)[])[]; // by place, one value for each seed
}

const [WIDE, HIGH, LEFT, RIGHT, TOP, BELOW] = [330, 150, 42, 92, 10, 26];

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const there = (values: readonly (number | null)[]): number[] => values.filter((each): each is number => each !== null);

const text = (x: number, y: number, anchor: string, words: string): SVGElement =>
  svg("text", { x, y, "text-anchor": anchor, "font-size": 12.5, style: "fill:var(--quiet)" }, words);

export function chart(
  curves: readonly Curve[], places: readonly number[], now: number, words: string, unit: string, ends?: readonly [number, number],
): HTMLElement {
  const all = curves.flatMap((curve) => curve.points.flatMap(there));
  const [low, high] = ends ?? [Math.floor(2 * Math.min(...all)) / 2, Math.ceil(2 * Math.max(...all)) / 2];
  const last = places.at(-1) || 1;
  const x = (place: number): number => LEFT + ((WIDE - LEFT - RIGHT) * place) / last;
  const y = (value: number): number => TOP + (HIGH - TOP - BELOW) * (1 - (value - low) / (high - low || 1));
  const parts: SVGElement[] = [];
  for (const value of [low, high]) {
    parts.push(svg("path", { d: `M${LEFT} ${y(value)}H${WIDE - RIGHT}`, style: "stroke:var(--rule)" }));
    parts.push(text(LEFT - 6, y(value) + 4, "end", value.toFixed(1)));
  }
  for (const place of [0, last]) parts.push(text(x(place), HIGH - 10, "middle", String(place)));
  parts.push(text((x(0) + x(last)) / 2, HIGH - 10, "middle", unit));
  if (now >= 0) parts.push(svg("path", { d: `M${x(now)} ${TOP}V${HIGH - BELOW}`, style: "stroke:var(--quiet)", "stroke-dasharray": "2 3" }));
  const taken: number[] = [];
  for (const { name, colour, points } of curves) {
    const line = places.flatMap((place, k) => (there(points[k]!).length ? [`${x(place)} ${y(mean(there(points[k]!)))}`] : []));
    parts.push(svg("path", { d: `M${line.join("L")}`, fill: "none", style: `stroke:var(--${colour})`, "stroke-width": 2, "stroke-linejoin": "round" }));
    places.forEach((place, k) => {
      for (const value of there(points[k]!)) parts.push(svg("circle", { cx: x(place), cy: y(value), r: 2, style: `fill:var(--${colour})`, "fill-opacity": 0.6 }));
    });
    const beside = Math.min(HIGH - BELOW, Number(line.at(-1)?.split(" ")[1] ?? TOP) + 4);
    const near = [0, 1, -1, 2, -2, 3, -3, 4, -4].map((k) => beside + 13 * k).filter((y) => y >= TOP && y <= HIGH - BELOW);
    const at = near.find((y) => taken.every((other) => Math.abs(other - y) >= 13)) ?? beside;
    taken.push(at);
    parts.push(
      svg("path", { d: `M${WIDE - RIGHT + 4} ${at - 4}h8`, style: `stroke:var(--${colour})`, "stroke-width": 3 }),
      text(WIDE - RIGHT + 16, at, "start", name),
    );
  }
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": words }, ...parts);
  return el("div", { class: "charted" }, picture, el("div", { class: "tools" }, ...keepButtons(picture, fileName(words))));
}
