/** A measurement as `jumpnet simulate` makes it: warm-up, window and drain from cycle 0 on, in pieces that take little time. */
import type { Window } from "./figures";
import type { Machine } from "./machine";
import type { About, Channel, Movement, Phases } from "./types";

const LEAST_PIECE = 8; // cycles at once, at least: each piece has its price
const MOMENT = 24; // ms that cycles may take at once

/** What is measured: a run, cycle by cycle. */
export interface Measured {
  readonly about: About;
  readonly cycle: number;
  run(cycles: number): number;
  movement(): Movement;
  ring(): Channel[] | null;
}

export class Measurement {
  private some = 64; // cycles at once

  constructor(
    private readonly sim: Measured,
    private readonly machine: Machine,
    private readonly window: Window,
  ) {}

  /** All of it; gives the cycle after each piece. */
  *steps(phases: Phases): Generator<number, void> {
    const { sim, window } = this;
    window.warm = yield* this.batches(phases.warmup_cycles, () => undefined);
    window.open(sim.cycle, false);
    if (window.warm) yield* this.batches(phases.measure_cycles, () => window.sample());
    window.close(sim.cycle);
    window.deadlock ??= sim.ring();
    window.saturated = window.lag > this.machine.layout.lag_limit || window.deadlock !== null;
    if (window.saturated || phases.drain === false) return;
    yield* this.drain();
    window.saturated = !window.drained;
  }

  /** So many cycles in batches, `after` each of which something is done; false once nothing moves any more. */
  private *batches(cycles: number, after: () => void): Generator<number, boolean> {
    const batch = this.sim.about.settings.batch_cycles as number;
    let moves = true;
    for (let left = cycles; moves && left > 0; left -= batch) {
      moves = yield* this.advance(Math.min(batch, left));
      after();
      yield this.sim.cycle;
    }
    return moves;
  }

  /** Cycles until all packets of the window have arrived, or too many have passed. */
  private *drain(): Generator<number, void> {
    const { sim, window, machine } = this;
    const { layout } = machine;
    const limit = window.end + Math.max(layout.drain_cycles, 4 * (window.end - window.start));
    for (;;) {
      window.drained = this.allArrived();
      if (window.drained || sim.cycle >= limit || !(yield* this.advance(layout.drain_step))) return;
      yield sim.cycle;
    }
  }

  private allArrived(): boolean {
    const { machine } = this;
    const created = machine.call("first_creation", machine.record) >= this.window.end;
    return created && machine.counter("created_measured") === machine.counter("done_measured");
  }

  /** So many cycles, with a look for deadlocks now and then; false once there is one. */
  private *advance(cycles: number): Generator<number, boolean> {
    const { sim, window } = this;
    const { check_every_cycles: every, deadlock_cycles: patience } = sim.about.settings as Record<string, number>;
    const last = sim.cycle + cycles;
    while (sim.cycle < last && window.deadlock === null) {
      const check = (Math.floor(sim.cycle / every!) + 1) * every!;
      const until = Math.min(last, check, sim.cycle + patience!);
      for (this.piece(until); sim.cycle < until; this.piece(until)) yield sim.cycle;
      if (this.stands(sim.cycle === check, patience!)) window.deadlock = sim.ring();
    }
    return window.deadlock === null;
  }

  /** Whether flits inside do not move, or, where waiting is looked at, one has waited too long. */
  private stands(look: boolean, patience: number): boolean {
    const { sim, machine, window } = this;
    const { still, inside } = sim.movement();
    if (!look) return still && inside > 0;
    const wait = machine.call("longest_wait", machine.record, sim.cycle);
    window.longestWait = Math.max(window.longestWait, wait);
    return (still || wait > patience) && inside > 0;
  }

  /** Some cycles, as many as lately took a moment. */
  private piece(until: number): void {
    const { sim } = this;
    const before = performance.now();
    const whole = until - sim.cycle > this.some;
    sim.run(Math.min(until - sim.cycle, this.some));
    const took = performance.now() - before;
    if (took > MOMENT) this.some = Math.max(LEAST_PIECE, this.some >> 1);
    else if (whole && took < MOMENT / 4) this.some *= 2;
  }
}
