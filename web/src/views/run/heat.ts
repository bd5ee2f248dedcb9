/** Loads of a run's channels as heat: a function of the cycles that were simulated, however often and fast it is looked at. */
import type { Network } from "../../data/network";
import type { Simulation } from "../../sim/simulation";

/** Loads are those of the last cycles: this many at least (all that there are, before), and less than twice as many. */
export const HEAT_OF = 100;
const SCALES = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

export class Heat {
  private from = 0; // the cycle before which flits do not count
  private sentBefore: Int32Array; // until then, by channel
  private next = 0; // the last multiple of `HEAT_OF`, which takes its place at the coming one
  private sentNext: Int32Array;

  /** Of a run at cycle 0. */
  constructor(
    private readonly sim: Simulation,
    private readonly net: Network,
  ) {
    this.sentBefore = this.sentNext = sim.linkFlits();
  }

  /** Cycles that may be simulated before it must be told. */
  get left(): number {
    return HEAT_OF - (this.sim.cycle % HEAT_OF);
  }

  /** That cycles have been simulated, no more than were `left`. */
  passed(): void {
    const { cycle } = this.sim;
    if (cycle % HEAT_OF !== 0) return;
    [this.from, this.sentBefore] = [this.next, this.sentNext];
    [this.next, this.sentNext] = [cycle, this.sim.linkFlits()];
  }

  /** Loads as parts of a round number of flits a cycle; NaN where there is no link. */
  seen(): { readonly heat: Float32Array; readonly heatEnds: readonly [string, string] } {
    const [now, cycles] = [this.sim.linkFlits(), Math.max(1, this.sim.cycle - this.from)];
    const heat = new Float32Array(now.length);
    let most = 0;
    for (let c = 0; c < now.length; c++) {
      heat[c] = this.net.neighbor[c]! < 0 ? NaN : (now[c]! - this.sentBefore[c]!) / cycles;
      if (heat[c]! > most) most = heat[c]!;
    }
    const scale = SCALES.find((each) => most <= each) ?? 1;
    for (let c = 0; c < heat.length; c++) heat[c]! /= scale;
    return { heat, heatEnds: ["0", `${scale} flit${scale === 1 ? "" : "s"} a cycle`] };
  }
}
