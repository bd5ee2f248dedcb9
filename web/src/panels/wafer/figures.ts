/** A wafer in words and figures: what became of it, and how often methods repair one. */
import { fixed } from "../../data/words";
import { el, facts, heading, note, table, type Child } from "../../shell/controls";
import { chart, type Line } from "../chart";
import type { Data, Shown, Yields } from "./data";

const TITLES: Readonly<Record<string, string>> = {
  "9": "Figure 9: all elements of the core are good", "10": "Figure 10: a reconfigured mesh torus",
  "11": "Figures 11 and 12: the level of a defective element is shifted to the right",
};
const WHY_NOT: Readonly<Record<string, string>> = {
  cut: "too few good places for some elements",
  conflict: "no straight paths serve these faults together",
  lines: "no straight paths serve these lines together",
  severed: "a break beside a spare",
  blocked: "no tracks get all wires over a gap",
};

/** Faults and whether they are repaired, for screen readers. */
export function sentence({ made }: Shown): string {
  const found = `${made.faults} ${made.faults === 1 ? "fault" : "faults"} in the core`;
  if (made.faults === 0) return "No fault in the core.";
  return made.repaired ? `${found}: repaired, every wire traced.` : `${found}: not repaired.`;
}

/** The same where the verdict stands before it. */
export function verdictOf(shown: Shown): (Node | string)[] {
  const { repaired } = shown.made;
  const words = sentence(shown).replace(": repaired, ", ", ").replace(": not repaired", "");
  return [el("strong", { class: repaired ? "good" : "bad" }, repaired ? "Repaired." : "Not repaired."), ` ${words}`];
}

/** Which figure of the report it is, or what its method does. */
export const aboutOf = ({ data, paper, at }: Shown): string =>
  paper ? `${TITLES[paper.figure]}. The printed figures are lost; this is computed as section 5 describes.`
    : `${data.methods[at.method]!.summary}.`.replace(/^./, (first) => first.toUpperCase());

export function figuresOf({ data, wafers, made, at, paper }: Shown): HTMLElement[] {
  const repair = made.repaired
    ? ([["Longest wire, segments", made.longest!], ["Segments added to a link, mean", fixed(made.added![1], 3)], ["Segments added to a link, most", made.added![0]]] as const)
    : ([["Faults without a path", made.unrepaired]] as const);
  return [
    facts([
      ["Defective elements", `${made.defects} of ${wafers.shape[0] * wafers.shape[1]}`],
      ["Elements for each one needed", fixed(wafers.area, 4)],
      ...repair,
    ]),
    ...(made.why ? [note(`Proved: ${WHY_NOT[made.why] ?? made.why}.`)] : []),
    ...(paper ? [] : yieldTable(data, wafers.yields[at.density]!, data.densities[at.density]!)),
    ...yieldCurves(data.curves, paper ? -1 : data.densities[at.density]!),
  ];
}

/** How often each method repairs wafers of a density of defects. */
function yieldTable({ methods, wafers }: Data, yields: readonly (readonly [number, number, number])[], density: number): HTMLElement[] {
  const rows = methods.map(({ name }, k): (Child | number)[] => {
    const [repaired, low, high] = yields[k]!;
    return [name, repaired, `${fixed(100 * low, 1)} to ${fixed(100 * high, 1)} %`];
  });
  const caption = `Of ${wafers} wafers with ${Math.round(100 * density)} % of their elements defective`;
  return [heading("How often that works"), table(["Method", "Repaired", "95 % band"], rows, caption), note("The same wafers for every method.")];
}

/** The report's curves of yields; `density`: the one that is marked, below 0 for none. */
function yieldCurves({ spec, wafers, densities, names, parts }: Yields, density: number): HTMLElement[] {
  const words = `Repaired of ${wafers} wafers of ${spec}, %`;
  const lines = names.map((name, k): Line => ({ name, colour: `hue-${k}`, points: parts[k]!.map((part) => [100 * part]) }));
  const places = densities.map((each) => 100 * each);
  return [
    heading("Yield by defects"), note(`${words}, as in the report on this network.`),
    chart({ lines, places, now: 100 * density, words, unit: "% defective", measured: "repaired, %", ends: [0, 100] }),
  ];
}
