/** The third panel: the simulator running, flits on their way or loads as heat, and the curve of latency over load. */
import { brokenOf, counted, goneMarks, leftInPython, MENDED } from "../data/faults";
import type { Network } from "../data/network";
import { button, choice, el, heading, note, row, slider, toggle } from "../shell/controls";
import { command, loading, word } from "../shell/elsewhere";
import type { App, Mounted, Overlay, Panel } from "../shell/panel";
import { ChannelsError, RunError, Simulation, type Offered } from "../sim/simulation";
import type { State } from "../state/state";
import { asArguments, asOptions, choices, settingsOf, settled, worstFor, type Choices } from "./chosen";
import { kernels, noRuns, offered, runs } from "../sim/held";
import { Live } from "./live";
import { Searching } from "./searching";
import { TrafficChoice } from "./traffic";
import { Curves, figuresOf, type Point } from "./measured";
import { FROM_START, goalOf, goThere, reached, REACHED } from "./reached";

const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000];
const FLITS_SHOWN = 300; // routers up to which single flits are drawn
const TOLD_EVERY = 200; // ms between figures that are told while it runs
const LINK_EVERY = 1000; // likewise of the cycle in the link

/** The run that was looked at last, for whoever comes back to the panel. */
let left: { readonly wanted: string; readonly held: Offered; readonly live: Live; readonly points: readonly Point[]; readonly goal: string } | null = null;

class SimulateView implements Mounted {
  private readonly routing;
  private readonly traffic;
  private readonly vcs;
  private readonly preset;
  private readonly buffer;
  private readonly load;
  private readonly packet;
  private readonly speed;
  private readonly heat;
  private readonly start;
  private readonly acts: readonly HTMLButtonElement[]; // what there must be a run for
  private readonly told = el("div", { class: "figures" });
  private readonly failed = note("");
  private readonly faults = el("div");
  private readonly searching = new Searching();
  private readonly curves;
  private held: Offered | null = null;
  private counts: readonly number[] = [];
  private why = ""; // traffic is another than was asked for
  private buffers: readonly number[] = [];
  private live: Live | null = null;
  private marks: { key: string; overlay: Pick<Overlay, "links" | "routers" | "legend"> } = { key: "", overlay: {} };
  private wanted = "";
  private running = false;
  private toldAt = 0; // ms
  private linkedAt = 0; // ms
  private goal = goalOf(FROM_START as unknown as State); // what the link says, of this run
  private going: (() => void) | null = null; // stops a run to a link's cycle

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const set = (key: string) => (value: string | number | boolean) => app.set({ [key]: value });
    const anew = (key: string) => (value: string | number | boolean) => app.set({ [key]: value, ...FROM_START });
    this.routing = choice({ label: "Routing", options: [], value: "", change: (routing) => this.reroute(routing) });
    this.traffic = new TrafficChoice(anew("traffic"));
    this.vcs = slider({
      label: "Virtual channels", least: 0, most: 1, step: 1, value: 0, show: (k) => String(this.counts[k] ?? ""),
      change: (k) => app.set({ vcs: this.counts[k]!, ...FROM_START }),
    });
    this.preset = choice({ label: "Preset", options: [], value: "", change: (value) => app.set({ "simulate.preset": value, "simulate.buffer": 0, ...FROM_START }) });
    this.buffer = slider({
      label: "Buffer depth", least: 0, most: 1, step: 1, value: 0, show: (k) => `${this.buffers[k] ?? ""} flits`,
      change: (k) => app.set({ "simulate.buffer": this.buffers[k]!, ...FROM_START }),
    });
    this.load = slider({ label: "Offered load", least: 0, most: 1, step: 0.01, value: 0.1, show: (v) => v.toFixed(2), change: set("load") });
    this.packet = slider({ label: "Packet length", least: 1, most: 16, step: 1, value: 4, show: (v) => `${v} flit${v === 1 ? "" : "s"}`, change: anew("packet") });
    this.speed = slider({ label: "Cycles / s", least: 0, most: SPEEDS.length - 1, step: 1, value: 3, show: (k) => SPEEDS[k]!.toLocaleString("en"), change: set("simulate.speed") });
    this.heat = toggle("Loads as heat", false, set("simulate.heat"));
    this.curves = new Curves(app, (words) => this.say(words));
    this.start = button("Run", () => (this.going ? this.arrive() : this.running ? this.pause() : this.run()), { kind: "main" });
    const [one, again] = [button("One cycle", () => this.one()), button("Start again", () => this.again())];
    this.acts = [this.start, one, again, ...this.curves.acts];
    host.append(
      row(this.start, one, again),
      this.searching.element, this.failed, this.faults, this.load.element, this.speed.element, this.routing.element, this.vcs.element, this.traffic.element, this.told,
      heading("Latency over load"), this.curves.element,
      heading("Routers and packets"), this.preset.element, this.buffer.element, this.packet.element, this.heat.element,
    );
  }

  update(state: State, net: Network): void {
    void this.show(state, net);
  }

  private async show(state: State, net: Network): Promise<void> {
    const broken = brokenOf(state, net);
    const parts = [net.spec, state.routing, state.traffic, state.vcs, state.packet, state.seed, state["simulate.preset"], state["simulate.buffer"], broken];
    const key = JSON.stringify(parts);
    if (this.wanted !== key) {
      this.wanted = key;
      this.curves.halt();
      this.leave();
      this.live = null;
      try {
        if (left?.wanted === key) {
          [this.held, this.live] = [left.held, left.live];
          this.curves.resume(key, left.points);
          this.goal = left.goal;
          left = null;
          this.say("");
          this.offer(choices(this.held, state, net), state);
          this.settle(this.app.state, net);
          return;
        }
        this.app.overlay(this.gone(state, net)); // nothing of another run stays
        this.levers(state, net);
        const [held, compiled] = await Promise.all([offered(net.spec), kernels()]);
        if (this.wanted !== key) return;
        this.held = held;
        this.offer(choices(held, state, net), state);
        await settled(held, compiled, state, net);
        await held.find(choices(held, state, net).which.traffic, compiled);
        if (this.wanted !== key) return;
        const made = choices(held, state, net);
        this.offer(made, state);
        this.why = made.why || this.why;
        if (Object.keys(made.mended).length) return this.app.set(made.mended); // and then with that
        const sim = await Simulation.from(held, compiled, made.which, broken);
        if (this.wanted !== key) return;
        sim.set("packet_flits", state.packet);
        sim.set("seed", state.seed);
        this.live = new Live(sim, net);
        this.goal = goalOf(FROM_START as unknown as State);
        for (const act of this.acts) act.disabled = false;
        this.say(this.why);
        this.why = "";
        this.app.set({}); // the foot of the page knows the run now
        if (this.running) this.run();
      } catch (error) {
        if (this.wanted !== key) return;
        const enough = error instanceof ChannelsError && !state.vcs ? this.counts.filter((count) => count >= error.needed) : [];
        if (enough.length) this.app.set({ vcs: Math.min(...enough) });
        else {
          this.without(state, net, error instanceof Error ? error.message : String(error));
          this.app.set({}); // the foot of the page names the routing that was refused
        }
        return;
      }
    }
    this.settle(this.app.state, net);
  }

  /** What there is to choose, and what is chosen. */
  private offer({ which, routings, vcs, presets, buffers, patterns }: Choices, state: State): void {
    this.routing.options(routings.map((value) => ({ value })), which.routing);
    this.traffic.set(this.held!, patterns, which.traffic, which.routing);
    this.preset.options(presets.map((value) => ({ value })), which.preset);
    [this.counts, this.buffers] = [vcs, buffers];
    for (const [control, all, value] of [[this.vcs, vcs, which.vcs], [this.buffer, buffers, which.buffer]] as const) {
      control.bounds(0, Math.max(1, all.length - 1));
      control.set(all.indexOf(value));
      control.disable(all.length > 1 ? "" : "This page has no other runs of that routing.");
    }
    const broken = brokenOf(state, this.app.net);
    this.faults.replaceChildren(...(broken ? [row(note(`Without ${counted(broken)}.`), button("Mend all", () => this.app.set({ ...MENDED, ...FROM_START })))] : []));
  }

  /** Another routing; traffic that was the worst for the one before is that for this one, where the page has it. */
  private reroute(routing: string): void {
    const { traffic } = this.app.state;
    const worst = worstFor(routing);
    const follows = traffic.startsWith(worstFor("")) && this.held?.patterns.includes(worst);
    this.app.set({ routing, vcs: 0, ...(follows ? { traffic: worst } : {}), ...FROM_START });
  }

  /** There is no run of what is asked for: says why, and shows nothing of another one. */
  private without(state: State, net: Network, why: string): void {
    this.pause();
    this.say(why);
    for (const act of this.acts) act.disabled = true;
    this.told.replaceChildren();
    this.levers(state, net);
    this.app.overlay(this.gone(state, net));
  }

  /** Controls as the state has them, and no points of another run. */
  private levers(state: State, net: Network): void {
    this.load.set(state.load);
    this.packet.set(state.packet);
    this.speed.set(state["simulate.speed"] as number);
    this.heat.set(state["simulate.heat"] === true || net.routers > FLITS_SHOWN);
    this.heat.disable(net.routers > FLITS_SHOWN ? `Single flits are drawn on up to ${FLITS_SHOWN} routers.` : "");
    this.curves.of(this.wanted);
  }

  private settle(state: State, net: Network): void {
    if (!this.live) return;
    if (this.running && !this.app.motion) this.pause();
    this.levers(state, net);
    if (goalOf(state) !== this.goal) this.go(state);
    if (this.going) return;
    this.try(() => this.live!.setLoad(state.load));
    this.draw();
  }

  /** A link has led to a cycle of this run: there it goes, and stops. */
  private go(state: State): void {
    this.rest();
    this.leave();
    this.goal = goalOf(state);
    const goal = (state["simulate.cycle"] as number).toLocaleString("en");
    this.start.textContent = "Stop";
    this.say(`On its way to cycle ${goal}.`);
    this.going = goThere(this.app, this.live!, state, (cycle) => this.say(`On its way to cycle ${goal}: ${cycle.toLocaleString("en")}.`), (error) => {
      this.leave();
      this.say(error instanceof Error ? error.message : "");
      this.draw();
      this.tell();
    });
  }

  /** It stays where it is. */
  private arrive(): void {
    this.leave();
    this.say("");
    this.draw();
    this.tell();
  }

  private leave(): void {
    this.going?.();
    this.going = null;
    this.start.textContent = this.running ? "Pause" : "Run";
  }

  /** The link says how far the run has come. */
  private tell(): void {
    if (!this.live || this.going) return;
    const changes = reached(this.live);
    this.goal = JSON.stringify(Object.values(changes));
    this.linkedAt = performance.now();
    this.app.set(changes);
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
      this.tell();
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
      const { state, net } = this.app;
      const heat = state["simulate.heat"] === true || net.routers > FLITS_SHOWN;
      if (whole || !heat) this.draw(); // heat stands as long as no cycle has passed
      if (performance.now() - this.linkedAt > LINK_EVERY) this.tell();
      if (this.live.still) {
        this.pause();
        this.say("Nothing moves any more, with flits inside: a deadlock. The channels in red wait for each other.");
      }
    });
  }

  private rest(): void {
    this.running = false;
    this.start.textContent = "Run";
    this.app.onFrame(null);
  }

  private pause(): void {
    const ran = this.running;
    this.rest();
    if (!ran) return;
    this.draw(); // with its last figures
    if (this.wanted) this.tell();
  }

  private one(): void {
    this.pause();
    this.leave();
    this.try(() => this.live?.run(1));
    this.tell();
  }

  private again(): void {
    this.leave();
    this.live?.restart();
    this.say("");
    this.tell();
  }

  private draw(): void {
    const { live } = this;
    if (!live) return;
    const { state, net } = this.app;
    const heat = state["simulate.heat"] === true || net.routers > FLITS_SHOWN;
    const overlay: Overlay = heat ? live.heat() : { dots: live.dots(), dotsAre: "a flit, in its packet's colour" };
    const gone = this.gone(state, net);
    if (live.still) this.app.overlay({ ...overlay, ...gone, links: new Map([...(gone.links ?? []), ...live.ring()]) });
    else this.app.overlay({ ...overlay, ...gone });
    const now = performance.now();
    if (this.running && now - this.toldAt < TOLD_EVERY) return;
    this.toldAt = now;
    this.told.replaceChildren(...figuresOf(live));
  }

  /** What is broken, the same objects as long as it is the same. */
  private gone(state: State, net: Network): Pick<Overlay, "links" | "routers" | "legend"> {
    const broken = brokenOf(state, net);
    const key = `${net.spec} ${JSON.stringify(broken)}`;
    if (this.marks.key !== key) {
      const [links, routers] = broken ? goneMarks(net, broken) : [];
      this.marks = { key, overlay: links && routers ? { links, routers, legend: [["bad", "broken"]] } : {} };
    }
    return this.marks.overlay;
  }

  destroy(): void {
    if (this.held && this.live) left = { wanted: this.wanted, held: this.held, live: this.live, points: [...this.curves.points], goal: this.goal };
    this.wanted = "";
    this.searching.leave();
    this.traffic.leave();
    this.leave();
    this.pause();
    this.curves.halt();
  }
}

export const panel: Panel = {
  id: "simulate",
  title: "Simulate",
  summary: "The flit-level simulator, running here: the same compiled functions, the same figures.",
  keys: { "simulate.preset": { initial: "booksim" }, "simulate.buffer": { initial: 0, least: 0, most: 4096 }, "simulate.speed": { initial: 3, least: 0, most: SPEEDS.length - 1 }, "simulate.heat": { initial: false }, ...REACHED },
  misfit: (net) => (runs(net.spec) ? null : noRuns(net.spec)),
  mount: (host, app) => new SimulateView(host, app),
  command(state, net) {
    if (brokenOf(state, net)) return null; // no command runs faults of one's own choice: the page at this link does
    const [routing, settings] = settingsOf(state, net);
    return [command("simulate", net, routing), ...(routing ? [`--routing ${word(routing)}`] : []), ...asOptions(settings)].join(" ");
  },
  python(state, net) {
    const broken = brokenOf(state, net);
    const [routing, settings] = settingsOf(state, net);
    const what = [broken ? "left" : JSON.stringify(net.spec), ...(routing ? [`"${routing}"`] : []), ...asArguments(settings)];
    return [...loading(net, routing), ...(broken ? leftInPython(net, broken) : []), `jumpnet.simulate(${what.join(", ")})`].join("\n");
  },
};
