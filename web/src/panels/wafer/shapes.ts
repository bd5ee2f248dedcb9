/** What pictures of wafers are drawn with: elements lie 1 apart, columns to the right, rows downward. */
import { svg } from "../svg";
import type { Lines } from "./data";

/** Half the side of an element. */
export const HALF = 0.29;

export const line = (d: string, colour: string, width: number, more: Readonly<Record<string, string>> = {}): SVGElement =>
  svg("path", { d, fill: "none", style: `stroke:var(--${colour})`, "stroke-width": width, "stroke-linejoin": "round", ...more });

/** Lines as the data of one path; `parts` of them are the distance between elements. */
export function pathOf({ points, end }: Lines, parts: number): string {
  const words: string[] = [];
  for (let line = 0, k = 0; line < end.length; line++) {
    for (let first = k; k < end[line]!; k++) words.push(`${k === first ? "M" : "L"}${points[2 * k]! / parts} ${points[2 * k + 1]! / parts}`);
  }
  return words.join("");
}
