/** The colours of a wafer: on the page, in its key, and in the key of its file. */
import { el } from "../../shell/controls";
import type { KeyRow } from "../picture";
import type { Data } from "./data";

/** Colour and strength of each kind of element. */
export const LOOKS: readonly (readonly [colour: string, strength: number])[] = [
  ["hue-0", 0.16], ["hue-0", 0.55], ["hue-2", 0.6], ["base", 0.18], ["ink", 0.78], ["bad", 1],
];
/** The ground of the core, where all elements of the network would lie without defects. */
export const CORE: readonly [colour: string, strength: number] = ["hue-4", 0.1];
const LINES: readonly (readonly [colour: string, words: string])[] = [["hue-1", "compensation path"], ["hue-0", "bent wire, turned switch"]];

/** The key of its file. */
export function keyRows(data: Data): KeyRow[] {
  const kinds = data.kinds.map((words, k): KeyRow => ({ colour: LOOKS[k]![0], strength: LOOKS[k]![1], words, square: true }));
  return [...kinds, { colour: CORE[0], strength: CORE[1], words: "ground of the core", square: true }, ...LINES.map(([colour, words]): KeyRow => ({ colour, strength: 1, words, square: false }))];
}

/** The key beside its controls. */
export function keyList(data: Data): HTMLElement {
  const rows = keyRows(data).map(({ colour, strength, words, square }) => {
    const filled = `background:color-mix(in srgb, var(--${colour}) ${100 * strength}%, var(--ground));border-color:var(--ink)`;
    const mark = square ? el("i", { style: filled }) : el("i", { class: "stroke", style: `background:var(--${colour})` });
    return el("li", {}, mark, words);
  });
  return el("ul", { class: "key", "aria-label": "Colours" }, ...rows);
}
