/** The run of a state in the side column: its controls, what it does, its figures and its curve. */
import { brokenOf } from "../../data/faults";
import type { Network } from "../../data/network";
import { button, heading, note, row } from "../../shell/controls";
import type { App, Mounted } from "../../shell/panel";
import { ChannelsError, type Offered } from "../../sim/simulation";
import type { State } from "../../state/state";
import { choices } from "./choices";
import { LatencyCurve, type Points } from "./curve/view";
import type { Setup } from "./curve/points";
import { Driver, type Doing, type Watched } from "./driver";
import { asHeat, Controls } from "./controls";
import { Live } from "./live";
import { make, runOf } from "./making";
import { FROM_START, goalOf, reached, tooMany } from "./reached";
import { RunDrawing } from "./drawing";
import type { Seen } from "./commands";
import { Searching } from "../searching";

const NOTHING_SEEN: Seen = { deadlocked: false, loadsLeftOut: false };
const START: Readonly<Record<Doing, string>> = { stands: "Run", runs: "Pause", goes: "Stop" };
const AT_START = goalOf(FROM_START as unknown as State);

/** A run that was left, for whoever comes back to the panel. */
interface Left {
  readonly wanted: string;
  readonly held: Offered;
  readonly live: Live;
  readonly points: Points;
  readonly goal: string;
}

let left: Left | null = null;
/** Of the run that is shown, for what is said below the drawing. */
export let seen = NOTHING_SEEN;

export class RunView implements Mounted, Watched {
  private readonly controls;
  private readonly main;
  private readonly acts: readonly HTMLButtonElement[]; // what there must be a run for
  private readonly words = note("");
  private readonly searching = new Searching();
  private readonly drawing;
  private readonly curve;
  private readonly driver;
  private held: Offered | null = null;
  private live: Live | null = null;
  private wanted = ""; // the run that the state means
  private goal = AT_START; // what the link says of how far it has come
  private why = ""; // something is another than was asked for

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const controls = (this.controls = new Controls(app));
    this.driver = new Driver(app, this);
    this.drawing = new RunDrawing(app);
    this.curve = new LatencyCurve(app, (state) => this.setup(state), (words) => this.say(words), () => this.searching.needless());
    this.main = button(START.stands, () => this.driver.press(), { kind: "main" });
    const [one, again] = [button("One cycle", () => this.driver.one()), button("Start again", () => this.driver.again())];
    this.acts = [this.main, one, again, ...this.curve.acts];
    host.append(
      row(this.main, one, again),
      this.searching.element, this.words, this.drawing.stuck, controls.faults, controls.load.element, controls.speed.element, controls.routing.element, controls.vcs.element, controls.traffic.element, this.drawing.figures,
      heading("Latency over load"), this.curve.element,
      heading("Routers and packets"), controls.preset.element, controls.presetIs, controls.buffer.element, controls.packet.element, controls.heat.element,
    );
  }

  update(state: State, net: Network): void {
    const wanted = runOf(state, net);
    if (wanted === this.wanted) return this.follow(state, net);
    this.wanted = wanted;
    this.live = null;
    this.driver.take(null);
    this.curve.of(new Map());
    if (left?.wanted === wanted) this.resume(left, state, net);
    else void this.begin(state, net, wanted);
  }

  /** The run as it was left. */
  private resume(run: Left, state: State, net: Network): void {
    left = null;
    this.goal = run.goal;
    this.curve.of(run.points);
    this.say("");
    this.controls.offer(run.held, choices(run.held, state, net), state, net);
    this.take(run.held, run.live);
    this.follow(this.app.state, net);
  }

  /** A run from cycle 0, once it is made. */
  private async begin(state: State, net: Network, wanted: string): Promise<void> {
    const current = (): boolean => this.wanted === wanted;
    this.drawing.blank(state, net); // nothing of another run stays
    this.say("");
    seen = NOTHING_SEEN;
    this.controls.show(state, net);
    try {
      const made = await make(state, net, { wanted: current, offer: (held, found) => this.controls.offer(held, found, state, net) });
      if (!made) return;
      this.why = made.choices.why || this.why;
      if (!made.sim) return this.app.set(made.choices.mended); // and then with that
      this.goal = AT_START;
      this.say(this.why);
      this.why = "";
      this.take(made.held, new Live(made.sim, net));
      this.app.set({}); // the foot of the page knows the run now
    } catch (error) {
      if (!current()) return;
      this.refused(error, state, net);
    }
    this.searching.needless();
  }

  private take(held: Offered, live: Live): void {
    [this.held, this.live] = [held, live];
    for (const act of this.acts) act.disabled = false;
    this.driver.take(live);
  }

  /** There is no run of what is asked for; with more virtual channels perhaps there is. */
  private refused(error: unknown, state: State, net: Network): void {
    const enough = error instanceof ChannelsError && !state.vcs ? this.controls.enough(error.needed) : 0;
    if (enough) return this.app.set({ vcs: enough });
    this.driver.pause();
    this.say(error instanceof Error ? error.message : String(error));
    for (const act of this.acts) act.disabled = true;
    this.drawing.figures.replaceChildren();
    this.controls.show(state, net);
    this.drawing.blank(state, net);
    this.app.set({}); // the foot of the page names the routing that was refused
  }

  /** The same run, of which the state says something else. */
  private follow(state: State, net: Network): void {
    const { live, driver } = this;
    if (!live) return;
    if (driver.does === "runs" && !this.app.motion) driver.pause();
    this.controls.show(state, net);
    if (goalOf(state) !== this.goal) {
      this.goal = goalOf(state);
      driver.go(state);
    }
    this.curve.update(state);
    if (driver.does === "goes") {
      seen = { ...seen, loadsLeftOut: tooMany(live) };
      return;
    }
    seen = { deadlocked: live.deadlocked, loadsLeftOut: tooMany(live) };
    let other = false;
    driver.try(() => (other = live.setLoad(state.load)));
    if (other) return this.reached(); // until which cycle it had the load before; what is shown is drawn with that
    this.draw();
  }

  /** What a point of the curve needs but its load. */
  private setup(state: State): Setup | null {
    const { net } = this.app;
    if (!this.held || !this.live) return null;
    return { held: this.held, which: choices(this.held, state, net).which, broken: brokenOf(state, net), packet: state.packet, seed: state.seed };
  }

  does(doing: Doing): void {
    this.main.textContent = START[doing];
    if (doing === "goes") this.drawing.stuck.hidden = true; // what it will be like there is not known yet
  }

  say(words: string): void {
    this.words.textContent = words;
    this.words.hidden = words === "";
  }

  passed(whole: number): void {
    if (whole || !asHeat(this.app.state, this.app.net)) this.draw(); // heat stands as long as no cycle has passed
  }

  /** The link says how far the run has come. */
  reached(): void {
    if (!this.live) return;
    const changes = reached(this.live);
    this.goal = JSON.stringify(Object.values(changes));
    this.app.set(changes);
  }

  private draw(): void {
    if (this.live) this.drawing.draw(this.live, this.driver.does === "runs");
  }

  start(): void {
    if (this.driver.does === "stands") this.driver.press();
  }

  destroy(): void {
    if (this.held && this.live) left = { wanted: this.wanted, held: this.held, live: this.live, points: this.curve.points, goal: this.goal };
    this.wanted = "";
    this.searching.leave();
    this.driver.leave();
    this.curve.halt();
  }
}
