/** The third panel: the simulator running, flits on their way or loads as heat, and the curve of latency over load. */
import type { Network } from "../data/network";
import { button, choice, el, facts, heading, note, row, segments, slider, table, toggle } from "../shell/controls";
import { Curve } from "../shell/curve";
import type { App, Mounted, Overlay, Panel } from "../shell/panel";
import { RunError, Simulation, type Image } from "../sim/simulation";
import type { State } from "../state/state";
import { image, kernels, noRuns, routingsOf, runs } from "./held";
import { Live } from "./live";
import { measured, type Point } from "./measured";

const LOADS = Array.from({ length: 19 }, (_, k) => Math.round(50 * (k + 1)) / 1000);
const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000];
const FLITS_SHOWN = 300; // routers up to which single flits are drawn

/** The settings of a run as the command has them; what is at its default is left out. */
function words(state: State, vcs: number): Record<string, string | number> {
  return {
    load: state.load,
    ...(state.traffic === "uniform" ? {} : { traffic: state.traffic }),
    packet_flits: state.packet,
    ...(vcs ? { vcs } : {}),
    ...(state.seed === 1 ? {} : { seed: state.seed }),
    warmup_cycles: 1000,
    measure_cycles: 3000,
  };
}

class SimulateView implements Mounted {
  private readonly routing;
  private readonly traffic;
  private readonly vcs;
  private readonly load;
  private readonly packet;
  private readonly speed;
  private readonly heat;
  private readonly start;
  private readonly told = el("div", { class: "figures" });
  private readonly failed = note("");
  private readonly curve = new Curve({ x: "offered load, flits per terminal and cycle", y: "packet latency, cycles", series: ["latency"] });
  private readonly points: Point[] = [];
  private readonly rows = el("div");
  private held: Image | null = null;
  private live: Live | null = null;
  private wanted = "";
  private curveOf = "";
  private running = false;
  private stop: (() => void) | null = null;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const set = (key: string) => (value: string | number | boolean) => app.set({ [key]: value });
    this.routing = choice({ label: "Routing", options: [], value: "", change: (routing) => app.set({ routing, vcs: 0 }) });
    this.traffic = choice({ label: "Traffic", options: [], value: "", change: set("traffic") });
    this.vcs = segments("Virtual channels", [], "", (vcs) => app.set({ vcs: Number(vcs) }));
    this.load = slider({ label: "Load", least: 0.01, most: 1, step: 0.01, value: 0.1, show: (v) => v.toFixed(2), change: set("load") });
    this.packet = slider({ label: "Packet", least: 1, most: 16, step: 1, value: 4, show: (v) => `${v} flit${v === 1 ? "" : "s"}`, change: set("packet") });
    this.speed = slider({ label: "Speed", least: 0, most: SPEEDS.length - 1, step: 1, value: 3, show: (k) => `${SPEEDS[k]} c/s`, change: set("simulate.speed") });
    this.heat = toggle("Loads as heat", false, set("simulate.heat"));
    this.start = button("Run", () => (this.running ? this.pause() : this.run()), { kind: "main" });
    host.append(
      row(this.start, button("One cycle", () => this.one()), button("Start again", () => this.again())),
      this.failed, this.load.element, this.speed.element, this.routing.element, this.traffic.element,
      el("div", { class: "control choice" }, el("span", {}, "Channels"), this.vcs.element),
      this.packet.element, this.heat.element, this.told,
      heading("Latency over load"),
      row(button("Measure the curve", () => this.measure(LOADS)), button("This load alone", () => this.measure([app.state.load])), button("Stop", () => this.halt())),
      this.curve.element, this.rows,
    );
  }

  update(state: State, net: Network): void {
    void this.show(state, net);
  }

  private async show(state: State, net: Network): Promise<void> {
    const key = `${net.spec} ${state.routing} ${state.traffic} ${state.vcs} ${state.packet} ${state.seed}`;
    if (this.wanted !== key) {
      this.wanted = key;
      this.halt();
      this.live = null;
      try {
        const [held, compiled] = await Promise.all([image(net.spec), kernels()]);
        if (this.wanted !== key) return;
        this.held = held;
        const sim = await Simulation.from(held, compiled, this.choices(held, state));
        if (this.wanted !== key) return;
        if (sim.about.settings.flow_control !== "cut_through") sim.set("packet_flits", state.packet);
        sim.set("seed", state.seed);
        this.live = new Live(sim, net);
        this.say("");
        if (this.running) this.run();
      } catch (error) {
        this.say(error instanceof Error ? error.message : String(error));
        return;
      }
    }
    this.settle(this.app.state, net);
  }

  /** What there is to choose, and what is chosen: the state's where the image has it. */
  private choices(held: Image, state: State): { routing: string; vcs: number; traffic: string } {
    const names = routingsOf(held);
    const routing = names.includes(state.routing) ? state.routing : names[0]!;
    const own = held.runs.filter((run) => run.routing === routing);
    const counts = [...new Set(own.map((run) => run.vcs))];
    const vcs = counts.includes(state.vcs) ? state.vcs : counts[0]!;
    const patterns = [...new Set(own.map((run) => String(run.settings.traffic)))];
    const traffic = patterns.includes(state.traffic) ? state.traffic : patterns[0]!;
    this.routing.options(names.map((value) => ({ value })), routing);
    this.traffic.options(patterns.map((value) => ({ value })), traffic);
    this.vcs.options(counts.map((count) => ({ value: String(count) })), String(vcs));
    return { routing, vcs, traffic };
  }

  private settle(state: State, net: Network): void {
    if (!this.live) return;
    const heat = state["simulate.heat"] === true || net.routers > FLITS_SHOWN;
    this.load.set(state.load);
    this.packet.set(state.packet);
    this.speed.set(state["simulate.speed"] as number);
    this.heat.set(heat);
    this.heat.disable(net.routers > FLITS_SHOWN ? `Single flits are drawn on up to ${FLITS_SHOWN} routers.` : "");
    this.packet.disable(this.live.sim.about.settings.flow_control === "cut_through" ? "Bubbles take packets of one length." : "");
    this.try(() => this.live!.setLoad(state.load));
    const of = `${this.wanted} `;
    if (this.curveOf !== of) {
      this.curveOf = of;
      this.points.length = 0;
      this.plot();
    }
    this.draw();
  }

  private say(words: string): void {
    this.failed.textContent = words;
    this.failed.hidden = words === "";
  }

  private try(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      this.pause();
      this.say(error.message);
    }
  }

  private run(): void {
    this.running = true;
    this.start.textContent = "Pause";
    let owed = 0;
    if (!this.live) return; // it begins once the simulator is there
    if (!this.app.motion) {
      this.say("Motion is off: each step shows a hundred cycles more.");
      this.running = false;
      this.start.textContent = "Run";
      this.try(() => this.live!.run(100));
      this.draw();
      return;
    }
    this.app.onFrame((elapsed) => {
      if (!this.live) return;
      const speed = SPEEDS[this.app.state["simulate.speed"] as number] ?? 10;
      owed += (elapsed * speed) / 1000;
      const whole = Math.floor(owed);
      owed -= whole;
      if (whole) this.try(() => this.live!.runFor(whole, 24));
      this.live.between(speed <= 60 ? owed : 0);
      this.draw();
      if (this.live.still) {
        this.pause();
        this.say("Nothing moves any more, with flits inside: a deadlock.");
      }
    });
  }

  private pause(): void {
    this.running = false;
    this.start.textContent = "Run";
    this.app.onFrame(null);
  }

  private one(): void {
    this.pause();
    this.try(() => this.live?.run(1));
    this.draw();
  }

  private again(): void {
    this.live?.restart();
    this.say("");
    this.draw();
  }

  private draw(): void {
    const { live } = this;
    if (!live) return;
    const { state, net } = this.app;
    const heat = state["simulate.heat"] === true || net.routers > FLITS_SHOWN;
    const overlay: Overlay = heat ? { heat: live.heat() } : { dots: live.dots() };
    this.app.overlay(overlay);
    const figures = live.figures();
    const number = (name: string, digits: number): string => {
      const value = figures[name];
      return typeof value === "number" && Number.isFinite(value) ? value.toFixed(digits) : "none yet";
    };
    this.told.replaceChildren(
      facts([
        ["Cycle", live.sim.cycle], ["Flits inside", live.sim.movement().inside],
        ["Accepted load", number("accepted_load", 3)], ["Packet latency, cycles", number("packet_latency_mean_cycles", 1)],
      ]),
      note(`Of the packets since cycle ${live.since.toLocaleString("en")}.`),
    );
  }

  /** Points by full measurements, one load after another, until the network is saturated. */
  private measure(loads: readonly number[]): void {
    const { held, app } = this;
    if (!held) return;
    this.halt();
    this.stop = measured(app, held, this.choices(held, app.state), app.state, loads, (point) => {
      if (typeof point === "string") this.say(point);
      else {
        const at = this.points.findIndex((each) => each.load === point.load);
        if (at >= 0) this.points.splice(at, 1);
        this.points.push(point);
        this.points.sort((a, b) => a.load - b.load);
        this.plot();
      }
    });
  }

  private plot(): void {
    this.curve.show(this.points.map((p) => p.load), [this.points.map((p) => (p.saturated ? null : p.latency))]);
    this.curve.element.hidden = this.points.every((point) => point.saturated);
    const cells = this.points.map((p) => [p.load.toFixed(3), p.accepted.toFixed(4), p.saturated ? "saturated" : p.latency.toFixed(2)]);
    this.rows.replaceChildren(...(cells.length ? [table(["Load", "Accepted", "Latency"], cells)] : [note("Each point is 1000 cycles of warm-up and 3000 measured, as the command below has them.")]));
  }

  private halt(): void {
    this.stop?.();
    this.stop = null;
  }

  destroy(): void {
    this.wanted = "";
    this.pause();
    this.halt();
  }
}

const flag = (key: string, value: string | number): string =>
  key === "load" ? `--load ${value}` : key === "traffic" ? `--traffic ${value}` : key === "packet_flits" ? `--packet-flits ${value}`
    : key === "seed" ? `--seed ${value}` : `--set ${key}=${value}`;

export const panel: Panel = {
  id: "simulate",
  title: "Simulate",
  summary: "The flit-level simulator, running here: the same compiled functions, the same figures.",
  keys: { "simulate.speed": { initial: 3, least: 0, most: SPEEDS.length - 1 }, "simulate.heat": { initial: false } },
  misfit: (net) => (runs(net.spec) ? null : noRuns(net.spec)),
  mount: (host, app) => new SimulateView(host, app),
  command(state, net) {
    const settings = Object.entries(words(state, state.vcs)).map(([key, value]) => flag(key, value));
    return ["jumpnet simulate", net.spec, ...(state.routing ? [`--routing ${state.routing}`] : []), ...settings].join(" ");
  },
  python(state, net) {
    const settings = Object.entries(words(state, state.vcs)).map(([key, value]) => `${key}=${typeof value === "string" ? `"${value}"` : value}`);
    return `jumpnet.simulate(${[`"${net.spec}"`, ...(state.routing ? [`"${state.routing}"`] : []), ...settings].join(", ")})`;
  },
};
