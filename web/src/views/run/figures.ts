/** The figures of a run that is looked at: what has been counted since they began. */
import { fixed } from "../../data/words";
import { facts, note } from "../../shell/controls";
import type { Live } from "./live";

const NONE = "none yet";

export function figuresOf(live: Live): HTMLElement[] {
  const figures = live.figures();
  const number = (name: string, digits: number): string => {
    const value = figures[name];
    return typeof value === "number" && Number.isFinite(value) ? fixed(value, digits) : NONE;
  };
  const latency = number("packet_latency_mean_cycles", 1);
  return [
    facts([
      ["Cycle", live.sim.cycle], ["Flits in the network", live.sim.movement().inside],
      ["Accepted load", live.sim.cycle > live.since ? number("accepted_load", 3) : NONE], ["Mean packet latency", latency === NONE ? NONE : `${latency} cycles`],
    ]),
    note(`Of the packets since cycle ${live.since.toLocaleString("en")}. Loads are flits per terminal and cycle.`),
  ];
}
