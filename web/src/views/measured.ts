/** Figures of a run, and points of a latency curve: full measurements, as `jumpnet simulate` makes them, in small pieces of time. */
import { facts, note, table } from "../shell/controls";
import type { Curve } from "../shell/curve";
import type { App } from "../shell/panel";
import { Simulation, type Offered } from "../sim/simulation";
import type { Broken, Which } from "../sim/simulation";
import type { State } from "../state/state";
import { MEASURED, WARMUP } from "./chosen";
import { kernels } from "../sim/held";
import type { Live } from "./live";

export interface Point {
  readonly load: number;
  readonly latency: number;
  readonly accepted: number;
  readonly saturated: boolean;
  readonly deadlocked: boolean;
}

/** Measures loads until one is saturated; `each` is told every point, or a sentence when a run fails, `done` the end. Returns a way to stop. */
export function measured(
  app: App, held: Offered, which: Which, broken: Broken | null, state: State,
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

/** The curve of the points so far, and a table of them. */
export function plotted(curve: Curve, rows: HTMLElement, points: readonly Point[]): void {
  const shown = (point: Point): boolean => !point.saturated && Number.isFinite(point.latency);
  curve.show(points.map((p) => p.load), [points.map((p) => (shown(p) ? p.latency : null))]);
  curve.element.hidden = !points.some(shown);
  const latency = (p: Point): string => (p.deadlocked ? "deadlocked" : p.saturated ? "saturated" : Number.isFinite(p.latency) ? p.latency.toFixed(2) : "none");
  const cells = points.map((p) => [p.load.toFixed(3), p.accepted.toFixed(4), latency(p)]);
  rows.replaceChildren(cells.length ? table(["Offered load", "Accepted load", "Latency, cycles"], cells) : note("Each point is 1000 cycles of warm-up and 3000 measured, as the command below has them."));
}

/** What has been counted since figures began. */
export function figuresOf(live: Live): HTMLElement[] {
  const figures = live.figures();
  const number = (name: string, digits: number): string => {
    const value = figures[name];
    return typeof value === "number" && Number.isFinite(value) ? value.toFixed(digits) : "none yet";
  };
  const latency = number("packet_latency_mean_cycles", 1);
  return [
    facts([
      ["Cycle", live.sim.cycle], ["Flits in the network", live.sim.movement().inside],
      ["Accepted load", number("accepted_load", 3)], ["Mean packet latency", latency === "none yet" ? latency : `${latency} cycles`],
    ]),
    note(`Of the packets since cycle ${live.since.toLocaleString("en")}. Loads are flits per terminal and cycle.`),
  ];
}
