/**
 * The latency curve of a run: the state names its loads, and those that have not been measured are, one after another,
 * until one is saturated. The curve ends there, as that of `jumpnet simulate` with several loads does.
 */
import { fixed } from "../../../data/words";
import { button, el, note, row, table } from "../../../shell/controls";
import { Curve } from "../../../shell/curve";
import type { App } from "../../../shell/panel";
import type { State } from "../../../state/state";
import { asText, loadsOf, measure, NO_CURVE, type Point, type Setup } from "./points";

const LOADS = Array.from({ length: 19 }, (_, k) => Math.round(50 * (k + 1)) / 1000);
const NO_POINTS = "Each point is 1000 cycles of warm-up and 3000 measured, up to the first load that saturates; the command below gives the same.";

/** Points by their load. */
export type Points = Map<number, Point>;

export class LatencyCurve {
  readonly element = el("div");
  readonly acts: readonly HTMLButtonElement[];
  /** What has been measured of this run, whether the state names it or not. */
  points: Points = new Map();
  private readonly clear = button("Clear", () => this.app.set(NO_CURVE), { title: "Take all points away" });
  private readonly load = note("");
  private readonly working = row(this.load, button("Stop", () => this.stop(), { title: "Stop measuring" })); // where something is measured
  private readonly curve = new Curve({ x: "offered load, flits per terminal and cycle", y: "packet latency, cycles", series: ["latency"] });
  private readonly rows = el("div");
  private now: { readonly load: number; readonly halt: () => void } | null = null; // what is being measured
  private shown = "";
  private byHand = false; // asked for by a button, not by a link: only then is it brought into view

  constructor(
    private readonly app: App,
    private readonly setup: (state: State) => Setup | null, // null as long as there is no run
    private readonly say: (words: string) => void,
    private readonly left: () => void, // nobody waits any more for what it has searched
  ) {
    this.acts = [button("Measure the curve", () => this.add(LOADS)), button("This load alone", () => this.add([app.state.load]))];
    this.element.append(row(...this.acts, this.clear), this.working, this.curve.element, this.rows);
  }

  /** More loads for the state to name. */
  private add(loads: readonly number[]): void {
    this.byHand = true;
    const before = loadsOf(this.app.state);
    const last = this.ended(before);
    this.say(told(loads));
    if (asText(loads) === "") return;
    if (last && loads.every((load) => load > last.load)) this.say(`The curve ends at ${last.load}, where the network is saturated: a load of ${loads[0]} is beyond.`);
    else this.app.set({ "simulate.curve": asText([...before, ...loads]) });
  }

  /** The first of these loads that was seen to saturate. */
  private ended(loads: readonly number[]): Point | undefined {
    return loads.map((load) => this.points.get(load)).find((point) => point?.saturated);
  }

  /** Shows what the state names, and measures what of it is missing. */
  update(state: State): void {
    const loads = loadsOf(state);
    const last = this.ended(loads);
    const named = last ? loads.filter((load) => load <= last.load) : loads;
    const missing = named.find((load) => !this.points.has(load));
    this.clear.hidden = loads.length === 0;
    this.plot(named.flatMap((load) => this.points.get(load) ?? []));
    if (missing === undefined) {
      this.halt();
      if (named.length < loads.length) queueMicrotask(() => this.app.set({ "simulate.curve": asText(named) })); // it ends here
    } else if (this.now?.load !== missing) this.begin(state, missing);
  }

  private begin(state: State, load: number): void {
    this.halt();
    const setup = this.setup(state);
    if (!setup) return;
    this.working.hidden = false;
    this.load.textContent = `Measuring load ${load}.`;
    this.now = { load, halt: measure(this.app, setup, load, (found) => this.found(load, found)) };
  }

  private found(load: number, found: Point | Error): void {
    this.now = null;
    if (found instanceof Error) {
      this.stop();
      this.say(found.message);
      return;
    }
    this.points.set(load, found);
    this.update(this.app.state);
    if (this.byHand && this.points.size <= 2) requestAnimationFrame(() => this.curve.element.scrollIntoView({ block: "nearest" })); // drawn by then
  }

  /** The curve is what has been measured of it. */
  private stop(): void {
    this.halt();
    this.app.set({ "simulate.curve": asText(loadsOf(this.app.state).filter((load) => this.points.has(load))) });
  }

  /** Nothing is measured any more, until the next update. */
  halt(): void {
    this.working.hidden = true;
    if (!this.now) return;
    this.now.halt();
    this.now = null;
    this.left();
  }

  /** Another run: its points, as far as they are known. */
  of(points: Points): void {
    this.halt();
    this.points = points;
    this.clear.hidden = true;
    this.plot([]);
  }

  private plot(points: readonly Point[]): void {
    const key = JSON.stringify(points);
    if (key === this.shown) return;
    this.shown = key;
    const drawn = (point: Point): boolean => !point.saturated && Number.isFinite(point.latency);
    this.curve.show(points.map((p) => p.load), [points.map((p) => (drawn(p) ? p.latency : null))]);
    this.curve.element.hidden = !points.some(drawn);
    const cells = points.map((p) => [String(p.load), fixed(p.accepted, 4), latencyOf(p)]);
    this.rows.replaceChildren(cells.length ? table(["Offered load", "Accepted load", "Latency, cycles"], cells) : note(NO_POINTS));
  }
}

/** What is to be said of loads that are to be measured, "" where they are as they are asked for. */
function told(loads: readonly number[]): string {
  const measured = asText(loads);
  const asked = loads.join(",");
  if (measured === asked) return "";
  return measured === "" ? `A curve has loads above 0. They are whole millionths: ${asked} is none.` : `Loads of a curve are whole millionths: ${measured} is measured for ${asked}.`;
}

function latencyOf({ deadlocked, saturated, latency }: Point): string {
  if (deadlocked) return "deadlocked";
  if (saturated) return "saturated";
  return Number.isFinite(latency) ? fixed(latency, 2) : "none";
}
