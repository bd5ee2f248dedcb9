/** What faults leave of a network, in figures beside those of the whole one. */
import { counted, type Broken } from "../../data/faults";
import type { Network } from "../../data/network";
import { fixed, quantity } from "../../data/words";
import { facts, heading, note } from "../../shell/controls";
import type { Survey } from "./survey";

const NONE = "none"; // where no pair is left
/** A share in percent; one near all has digits enough to differ from it. */
export const percent = (share: number): string => Number.isNaN(share) ? NONE : `${fixed(100 * share, share < 1 && share > 0.9995 ? 3 : 1)} %`;
const diameterOf = (found: Survey): string => (Number.isNaN(found.average) ? NONE : found.diameter.toLocaleString("en"));
const averageOf = ({ average }: Survey): string => (Number.isNaN(average) ? NONE : fixed(average, 4));

export function figuresOf(net: Network, broken: Broken, found: Survey, whole: Survey): HTMLElement[] {
  const beside = (now: string, before: string): string => (now === before ? now : `${now} (was ${before})`);
  const size = found.sizes[found.largest] ?? 0;
  const lost = found.working - size;
  return [
    heading("What is left"),
    facts([
      ["Broken", counted(broken)],
      ["Pieces", found.sizes.length],
      ["Largest piece", `${quantity(size, "router")}${lost ? ` (${lost.toLocaleString("en")} cut off)` : ""}`],
      ["Pairs joined", percent(found.joined)],
      ["Diameter, hops", beside(diameterOf(found), diameterOf(whole))],
      ["Average distance, hops", beside(averageOf(found), averageOf(whole))],
    ]),
    ...(net.terminals.includes(0) ? [note("Pairs and distances are those of routers with terminals.")] : []),
    ...(found.sampled ? [note(`Distances from ${found.sampled.toLocaleString("en")} routers: the diameter may be larger.`)] : []),
  ];
}

/** The same for screen readers. */
export const sentence = (found: Survey): string =>
  `${found.sizes.length} pieces, ${percent(found.joined)} of pairs joined, diameter in hops ${diameterOf(found)}`;
