/** Points of a latency curve: full measurements, as `jumpnet simulate` makes them, in small pieces of time. */
import type { App } from "../shell/panel";
import { Simulation, type Image } from "../sim/simulation";
import type { Broken, Which } from "../sim/simulation";
import type { State } from "../state/state";
import { MEASURED, WARMUP } from "./chosen";
import { kernels } from "../sim/held";

export interface Point {
  readonly load: number;
  readonly latency: number;
  readonly accepted: number;
  readonly saturated: boolean;
  readonly deadlocked: boolean;
}

/** Measures loads until one is saturated; `each` is told every point, or a sentence when a run fails, `done` the end. Returns a way to stop. */
export function measured(
  app: App, held: Image, which: Which, broken: Broken | null, state: State,
  loads: readonly number[], each: (point: Point | string) => void, done: () => void,
): () => void {
  let stopped = false;
  let halt: (() => void) | null = null;
  const one = async (load: number): Promise<Point> => {
    const sim = await Simulation.from(held, await kernels(), which, broken);
    sim.set("packet_flits", state.packet);
    sim.set("seed", state.seed);
    sim.set("load", load);
    const steps = sim.measure({ warmup_cycles: WARMUP, measure_cycles: MEASURED, drain: sim.about.settings.drain !== false });
    await new Promise<void>((done, fail) => {
      halt = app.later(() => {
        try {
          const over = steps.next().done === true;
          if (over) done();
          return over;
        } catch (error) {
          fail(error);
          return true;
        }
      });
    });
    const figures = sim.figures();
    return {
      load, saturated: figures.saturated === true, deadlocked: figures.deadlocked === true, latency: Number(figures.packet_latency_mean_cycles), accepted: Number(figures.accepted_load),
    };
  };
  const all = async (): Promise<void> => {
    for (const load of loads) {
      if (stopped) return;
      const point = await one(load);
      if (stopped) return;
      each(point);
      if (point.saturated) return;
    }
  };
  all().catch((error) => each(error instanceof Error ? error.message : String(error))).finally(() => stopped || done());
  return () => {
    stopped = true;
    halt?.();
  };
}
