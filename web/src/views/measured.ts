/** Figures of a run, and points of a latency curve: full measurements, as `jumpnet simulate` makes them, in small pieces of time. */
import { button, el, facts, note, row, table } from "../shell/controls";
import { Curve } from "../shell/curve";
import type { App } from "../shell/panel";
import { Simulation, type Offered } from "../sim/simulation";
import type { Broken, Which } from "../sim/simulation";
import type { State } from "../state/state";
import { brokenOf } from "../data/faults";
import { choices } from "./chosen";
import { MEASURED, WARMUP } from "./run_settings";
import { kernels, opened } from "../sim/held";
import type { Live } from "./live";

const LOADS = Array.from({ length: 19 }, (_, k) => Math.round(50 * (k + 1)) / 1000);

export interface Point {
  readonly load: number;
  readonly latency: number;
  readonly accepted: number;
  readonly saturated: boolean;
  readonly deadlocked: boolean;
}

/** Measures loads until one is saturated; `each` is told every point, or a sentence when a run fails, `done` the end. Returns a way to stop. */
function measured(
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
      ["Accepted load", live.sim.cycle > live.since ? number("accepted_load", 3) : "none yet"], ["Mean packet latency", latency === "none yet" ? latency : `${latency} cycles`],
    ]),
    note(`Of the packets since cycle ${live.since.toLocaleString("en")}. Loads are flits per terminal and cycle.`),
  ];
}

/** The latency curve of a run: its buttons, its picture, and a table of its points. */
export class Curves {
  readonly element = el("div");
  readonly acts: readonly HTMLButtonElement[];
  readonly points: Point[] = [];
  private readonly enough = button("Stop", () => this.halt());
  private readonly curve = new Curve({ x: "offered load, flits per terminal and cycle", y: "packet latency, cycles", series: ["latency"] });
  private readonly rows = el("div");
  private run = ""; // whose points these are
  private stop: (() => void) | null = null;

  constructor(
    private readonly app: App,
    private readonly say: (words: string) => void,
    private readonly left: () => void, // nobody waits any more for what it has searched
  ) {
    this.enough.hidden = true;
    this.acts = [button("Measure the curve", () => this.measure(LOADS)), button("This load alone", () => this.measure([app.state.load]))];
    this.element.append(row(...this.acts, this.enough), this.curve.element, this.rows);
  }

  /** From now on the curve of this run, without points of another one. */
  of(run: string): void {
    if (this.run !== run) this.resume(run, []);
  }

  /** The curve of a run, with points that it has already. */
  resume(run: string, points: readonly Point[]): void {
    this.run = run;
    this.points.splice(0, Infinity, ...points);
    this.plot();
  }

  halt(): void {
    this.enough.hidden = true;
    if (!this.stop) return;
    this.stop();
    this.stop = null;
    this.left();
  }

  /** Points by full measurements, one load after another, until the network is saturated. */
  private measure(loads: readonly number[]): void {
    const { app } = this;
    const { state, net } = app;
    const held = opened(net.spec);
    if (!held) return;
    this.halt();
    this.enough.hidden = false;
    this.stop = measured(app, held, choices(held, state, net).which, brokenOf(state, net), state, loads, (point) => {
      if (typeof point === "string") this.say(point);
      else this.add(point);
    }, () => this.halt());
  }

  private add(point: Point): void {
    const at = this.points.findIndex((each) => each.load === point.load);
    if (at >= 0) this.points.splice(at, 1);
    this.points.push(point);
    this.points.sort((a, b) => a.load - b.load);
    this.plot();
    if (at < 0 && this.points.length <= 2) requestAnimationFrame(() => this.curve.element.scrollIntoView({ block: "nearest" })); // drawn by then
  }

  private plot(): void {
    const { points, curve } = this;
    const shown = (point: Point): boolean => !point.saturated && Number.isFinite(point.latency);
    curve.show(points.map((p) => p.load), [points.map((p) => (shown(p) ? p.latency : null))]);
    curve.element.hidden = !points.some(shown);
    const latency = (p: Point): string => (p.deadlocked ? "deadlocked" : p.saturated ? "saturated" : Number.isFinite(p.latency) ? p.latency.toFixed(2) : "none");
    const cells = points.map((p) => [p.load.toFixed(3), p.accepted.toFixed(4), latency(p)]);
    this.rows.replaceChildren(cells.length ? table(["Offered load", "Accepted load", "Latency, cycles"], cells) : note("Each point is 1000 cycles of warm-up and 3000 measured, as the command below has them where the run is at cycle 0."));
  }
}
