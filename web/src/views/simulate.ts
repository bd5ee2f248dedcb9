/** The third panel: the simulator running, flits on their way or loads as heat, and the curve of latency over load. */
import { brokenOf, goneMarks, leftInPython } from "../data/faults";
import type { Network } from "../data/network";
import { button, el, heading, note, row } from "../shell/controls";
import { command, loading, word } from "../shell/elsewhere";
import type { App, Mounted, Overlay, Panel } from "../shell/panel";
import { ChannelsError, RunError, Simulation, type Offered } from "../sim/simulation";
import type { State } from "../state/state";
import { choices, settled } from "./chosen";
import { kernels, noRuns, offered, runs } from "../sim/held";
import { asHeat, Levers, SPEEDS } from "./levers";
import { Live } from "./live";
import { Curves, figuresOf, type Point } from "./measured";
import { FROM_START, goalOf, goThere, reached, REACHED, tooMany } from "./reached";
import { asArguments, asOptions, settingsOf, toldByCommand } from "./run_settings";
import { Searching } from "./searching";

const TOLD_EVERY = 200; // ms between figures that are told while it runs
const LINK_EVERY = 1000; // likewise of the cycle in the link
const SMOOTH = SPEEDS.indexOf(50); // up to which flits are drawn between two routers
const BUDGET = 8; // ms of a frame that the simulator may take, of 16.7 at 60 a second

/** The run that was looked at last, for whoever comes back to the panel. */
interface Left {
  readonly wanted: string;
  readonly held: Offered;
  readonly live: Live;
  readonly points: readonly Point[];
  readonly goal: string;
}

let left: Left | null = null;
// Of the run that is shown, for what is said below the drawing:
let deadlocked = false;
let untold = false; // its link says nothing of it, nor does a command

/** Which run a state wants: another one where this is another text. */
const runOf = (state: State, net: Network): string =>
  JSON.stringify([net.spec, state.routing, state.traffic, state.vcs, state.packet, state.seed, state["simulate.preset"], state["simulate.buffer"], brokenOf(state, net)]);

class SimulateView implements Mounted {
  private readonly levers;
  private readonly start;
  private readonly acts: readonly HTMLButtonElement[]; // what there must be a run for
  private readonly told = el("div", { class: "figures" });
  private readonly failed = note("");
  private readonly searching = new Searching();
  private readonly curves;
  private held: Offered | null = null;
  private why = ""; // something is another than was asked for
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
    const levers = (this.levers = new Levers(app));
    this.curves = new Curves(app, (words) => this.say(words), () => this.searching.needless());
    this.start = button("Run", () => (this.going ? this.arrive() : this.running ? this.pause() : this.run()), { kind: "main" });
    const [one, again] = [button("One cycle", () => this.one()), button("Start again", () => this.again())];
    this.acts = [this.start, one, again, ...this.curves.acts];
    host.append(
      row(this.start, one, again),
      this.searching.element, this.failed, levers.faults, levers.load.element, levers.speed.element, levers.routing.element, levers.vcs.element, levers.traffic.element, this.told,
      heading("Latency over load"), this.curves.element,
      heading("Routers and packets"), levers.preset.element, levers.buffer.element, levers.packet.element, levers.heat.element,
    );
  }

  update(state: State, net: Network): void {
    const wanted = runOf(state, net);
    if (wanted === this.wanted) return this.settle(this.app.state, net);
    this.wanted = wanted;
    this.curves.halt();
    this.leave();
    this.live = null;
    if (left?.wanted === wanted) this.resume(left, state, net);
    else void this.begin(state, net, wanted);
  }

  /** The run that was looked at last, as it was left. */
  private resume(run: Left, state: State, net: Network): void {
    left = null;
    [this.held, this.live, this.goal] = [run.held, run.live, run.goal];
    this.curves.resume(run.wanted, run.points);
    this.say("");
    this.levers.offer(run.held, choices(run.held, state, net), state, net);
    this.settle(this.app.state, net);
  }

  /** A run from cycle 0. */
  private async begin(state: State, net: Network, wanted: string): Promise<void> {
    this.app.overlay(this.gone(state, net)); // nothing of another run stays
    this.say("");
    deadlocked = untold = false;
    this.show(state, net);
    try {
      const sim = await this.made(state, net, wanted);
      if (!sim || this.wanted !== wanted) return; // another one is wanted meanwhile
      this.live = new Live(sim, net);
      this.goal = goalOf(FROM_START as unknown as State);
      for (const act of this.acts) act.disabled = false;
      this.say(this.why);
      this.why = "";
      this.app.set({}); // the foot of the page knows the run now
      if (this.running) this.run();
    } catch (error) {
      if (this.wanted !== wanted) return;
      this.refused(error, state, net);
    }
    this.searching.needless();
  }

  /** The run at cycle 0, once what must be searched for it is found; null where the state is not of it any more. */
  private async made(state: State, net: Network, wanted: string): Promise<Simulation | null> {
    const [held, compiled] = await Promise.all([offered(net.spec), kernels()]);
    if (this.wanted !== wanted) return null;
    this.held = held;
    this.levers.offer(held, choices(held, state, net), state, net);
    await settled(held, compiled, state, net);
    await held.find(choices(held, state, net).which.traffic, compiled);
    if (this.wanted !== wanted) return null;
    const made = choices(held, state, net);
    this.levers.offer(held, made, state, net);
    this.why = made.why || this.why;
    if (Object.keys(made.mended).length) {
      this.app.set(made.mended); // and then with that
      return null;
    }
    const sim = await Simulation.from(held, compiled, made.which, brokenOf(state, net));
    sim.set("packet_flits", state.packet);
    sim.set("seed", state.seed);
    return sim;
  }

  /** There is no run of what is asked for; with more virtual channels perhaps there is. */
  private refused(error: unknown, state: State, net: Network): void {
    const enough = error instanceof ChannelsError && !state.vcs ? this.levers.enough(error.needed) : 0;
    if (enough) return this.app.set({ vcs: enough });
    this.without(state, net, error instanceof Error ? error.message : String(error));
    this.app.set({}); // the foot of the page names the routing that was refused
  }

  /** Says why there is no run, and shows nothing of another one. */
  private without(state: State, net: Network, why: string): void {
    this.pause();
    this.say(why);
    for (const act of this.acts) act.disabled = true;
    this.told.replaceChildren();
    this.show(state, net);
    this.app.overlay(this.gone(state, net));
  }

  /** Controls as the state has them, and no points of another run. */
  private show(state: State, net: Network): void {
    this.levers.show(state, net);
    this.curves.of(this.wanted);
  }

  private settle(state: State, net: Network): void {
    if (!this.live) return;
    if (this.running && !this.app.motion) this.pause();
    this.show(state, net);
    if (goalOf(state) !== this.goal) this.go(state);
    untold = tooMany(this.live);
    if (this.going) return;
    deadlocked = this.live.deadlocked;
    let other = false;
    this.try(() => (other = this.live!.setLoad(state.load)));
    if (other) return this.tell(); // until which cycle it had the load before; what is shown is drawn with that
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
    if (!this.live) return; // it begins once the simulator is there
    if (!this.app.motion) return this.stride();
    let owed = 0;
    this.app.onFrame((elapsed) => {
      owed += (elapsed * (SPEEDS[this.app.state["simulate.speed"] as number] ?? 10)) / 1000;
      if (this.live && performance.now() - this.linkedAt > LINK_EVERY) return this.tell(); // all of the page is told, which takes a frame
      const whole = Math.floor(owed);
      owed -= whole;
      this.frame(whole, owed);
    });
  }

  /** Without motion: some cycles at once. */
  private stride(): void {
    this.rest();
    this.say("Motion is off: each step shows a hundred cycles more.");
    this.try(() => this.live!.run(100));
    this.tell();
  }

  /** So many cycles more, as many as a frame has time for, and a share of the next one. */
  private frame(cycles: number, share: number): void {
    const { live } = this;
    const { state, net } = this.app;
    if (!live) return;
    if (cycles) this.try(() => live.runFor(cycles, BUDGET));
    live.between((state["simulate.speed"] as number) <= SMOOTH ? share : 0);
    if (cycles || !asHeat(state, net)) this.draw(); // heat stands as long as no cycle has passed
    if (!live.still) return;
    this.pause();
    this.say("Nothing moves any more, with flits inside: a deadlock. The channels in red wait for each other.");
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
    const overlay: Overlay = asHeat(state, net) ? live.heat() : { dots: live.dots(), dotsAre: "a flit, in its packet's colour" };
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
  takes: "as traffic",
  mount: (host, app) => new SimulateView(host, app),
  command(state, net) {
    if (brokenOf(state, net) || untold || !toldByCommand(state)) return null; // no command has such faults or changes of load: the page at this link does
    const [routing, settings] = settingsOf(state, net, deadlocked);
    return [command("simulate", net, routing), ...(routing ? [`--routing ${word(routing)}`] : []), ...asOptions(settings)].join(" ");
  },
  python(state, net) {
    if (untold || !toldByCommand(state)) return null;
    const broken = brokenOf(state, net);
    const [routing, settings] = settingsOf(state, net, deadlocked);
    const what = [broken ? "left" : JSON.stringify(net.spec), ...(routing ? [`"${routing}"`] : []), ...asArguments(settings)];
    return [...loading(net, routing), ...(broken ? leftInPython(net, broken) : []), `jumpnet.simulate(${what.join(", ")})`].join("\n");
  },
};
