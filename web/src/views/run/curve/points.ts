/** The loads of a latency curve, as its link names them, and one full measurement, as `jumpnet simulate` makes it. */
import type { App } from "../../../shell/panel";
import { Simulation, type Broken, type Offered, type Which } from "../../../sim/simulation";
import { kernels } from "../../../sim/held";
import type { Key, State, Value } from "../../../state/state";

export const WARMUP = 1000;
export const MEASURED = 3000;
const PARTS = 1e6; // of a load: as finely as a command has it
const MOST_LOADS = 60;
const LOAD = "(?=[0.]*[1-9])(?:0?\\.\\d{1,6}|1(?:\\.0{1,6})?)"; // above 0, at most 1

export const CURVE: Readonly<Record<string, Key>> = {
  "simulate.curve": {
    initial: "", form: new RegExp(`^${LOAD}(?:,${LOAD}){0,${MOST_LOADS - 1}}$`), plain: (text) => text && text.split(",").map(Number).join(","),
    like: `up to ${MOST_LOADS} ascending loads (above 0, at most 1) such as 0.1,0.25`,
  },
};

/** Another run has no points yet. */
export const NO_CURVE = { "simulate.curve": "" } as const;

/** The loads of the curve that a state names, rising. */
export const loadsOf = (state: State): number[] => rising(String(state["simulate.curve"]).split(",").filter(Boolean).map(Number));

/** Loads as a link and a command have them. */
export const asText = (loads: readonly number[]): string => rising(loads).slice(0, MOST_LOADS).join(",");

const rising = (loads: readonly number[]): number[] =>
  [...new Set(loads.map((load) => Math.round(load * PARTS) / PARTS))].filter((load) => load > 0 && load <= 1).sort((a, b) => a - b);

/** The keys of a curve as they are written: its loads rising, each once. */
export const settledCurve = (state: State): Readonly<Record<string, Value>> => ({ "simulate.curve": asText(loadsOf(state)) });

export interface Point {
  readonly load: number;
  readonly latency: number; // cycles, NaN where no packet was counted
  readonly accepted: number;
  readonly saturated: boolean;
  readonly deadlocked: boolean;
}

/** What is measured, but for the load. */
export interface Setup {
  readonly held: Offered;
  readonly which: Which;
  readonly broken: Broken | null;
  readonly packet: number;
  readonly seed: number;
}

/** Measures one load in small pieces of time; `done` is told the point, or the error that ended it. Returns a way to stop. */
export function measure(app: App, { held, which, broken, packet, seed }: Setup, load: number, done: (found: Point | Error) => void): () => void {
  let stopped = false;
  let halt = (): void => undefined;
  const begin = async (): Promise<void> => {
    const sim = await Simulation.from(held, await kernels(), which, broken);
    if (stopped) return;
    sim.set("packet_flits", packet);
    sim.set("seed", seed);
    sim.set("load", load);
    const steps = sim.measure({ warmup_cycles: WARMUP, measure_cycles: MEASURED, drain: sim.about.settings.drain !== false });
    halt = app.later(() => {
      try {
        if (!steps.next().done) return false;
        done(pointOf(load, sim));
      } catch (error) {
        done(asError(error));
      }
      return true;
    });
  };
  begin().catch((error) => stopped || done(asError(error)));
  return () => {
    stopped = true;
    halt();
  };
}

function pointOf(load: number, sim: Simulation): Point {
  const figures = sim.figures();
  return {
    load, saturated: figures.saturated === true, deadlocked: figures.deadlocked === true,
    latency: Number(figures.packet_latency_mean_cycles), accepted: Number(figures.accepted_load),
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
