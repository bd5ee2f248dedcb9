/** The distances in a network as bars. */
import { fixed, quantity } from "../../data/words";
import { svg } from "../svg";
import type { Row } from "./data";

const [BARS, AXIS] = [30, 30.2]; // height of the longest bar, and where the axis is; the width is 100

/** What the bars of all networks of a group share: the largest distance, and the largest part of the pairs at one. */
export interface Scale {
  readonly furthest: number;
  readonly most: number;
}

export const scaleOf = (rows: readonly Row[]): Scale => ({
  furthest: Math.max(...rows.map((row) => row.diameter)),
  most: Math.max(...rows.flatMap((row) => row.pairs.slice(1).map((pairs) => pairs / (row.routers * (row.routers - 1))))),
});

/** The ends of the axis of the bars, for below it. */
export const endsOf = ({ furthest }: Scale): readonly [string, string] => ["1 hop", quantity(furthest, "hop")];

/** Part of the pairs at each distance, and the average distance as a line. */
export function distances(row: Row, { furthest, most }: Scale): SVGElement {
  const all = row.pairs.slice(1).reduce((a, b) => a + b, 0);
  const wide = 100 / furthest;
  const bars = row.pairs.slice(1).map((pairs, k) => {
    const share = pairs / all;
    const tall = (BARS * share) / most;
    const words = `${quantity(k + 1, "hop")}: ${fixed(100 * share, 1)} % of the pairs`;
    return svg("rect", { x: k * wide + 0.1 * wide, y: BARS - tall, width: 0.8 * wide, height: tall, style: "fill:var(--hue-0)" }, svg("title", {}, words));
  });
  const at = (row.average - 0.5) * wide;
  const mean = svg("path", { d: `M${at} 0V31`, style: "stroke:var(--accent)", "stroke-width": 0.8 });
  const axis = svg("path", { d: `M0 ${AXIS}H100`, style: "stroke:var(--quiet)", "stroke-width": 0.4 });
  const words = `Distances in ${row.spec}: average ${fixed(row.average, 2)}, largest ${row.diameter}`;
  return svg("svg", { viewBox: "0 0 100 32", role: "img", "aria-label": words, class: "spread", preserveAspectRatio: "none" }, ...bars, axis, mean);
}
