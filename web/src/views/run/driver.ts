/** What a run does: it stands, runs on with the frames of the page, or is on its way to the cycle that a link names. */
import type { App } from "../../shell/panel";
import { RunError } from "../../sim/simulation";
import type { State } from "../../state/state";
import { SPEEDS } from "./controls";
import type { Live } from "./live";
import { goThere } from "./reached";

const LINK_EVERY = 1000; // ms between cycles that the link is told while it runs
const SMOOTH = SPEEDS.indexOf(50); // up to which flits are drawn between two routers
const BUDGET = 8; // ms of a frame that the simulator may take, of 16.7 at 60 a second
const STRIDE = 100; // cycles at once where motion is off

export type Doing = "stands" | "runs" | "goes";

/** Who is told of it. */
export interface Watched {
  does(doing: Doing): void;
  say(words: string): void;
  /** Some cycles have passed, and a share of the next one. */
  passed(whole: number): void;
  /** It has come to a cycle that the link should say. */
  reached(): void;
}

export class Driver {
  private doing: Doing = "stands";
  private live: Live | null = null;
  private toldAt = 0; // ms
  private leaveWay = (): void => undefined; // stops what goes to a link's cycle

  constructor(
    private readonly app: App,
    private readonly watched: Watched,
  ) {}

  get does(): Doing {
    return this.doing;
  }

  private now(doing: Doing): void {
    this.doing = doing;
    if (doing !== "runs") this.app.onFrame(null);
    if (doing !== "goes") this.leaveWay();
    this.watched.does(doing);
  }

  /** The run from now on, null as long as there is none; one that was to run does so once it is there. */
  take(live: Live | null): void {
    this.live = live;
    if (this.doing === "goes") this.now("stands");
    if (live && this.doing === "runs") this.run();
  }

  /** The main button. */
  press(): void {
    if (this.doing === "stands") this.run();
    else if (this.doing === "runs") this.pause();
    else this.arrive();
  }

  private run(): void {
    this.now("runs");
    if (!this.live) return;
    if (!this.app.motion) return this.stride();
    let owed = 0;
    this.app.onFrame((elapsed) => {
      owed += (elapsed * (SPEEDS[this.app.state["simulate.speed"] as number] ?? 10)) / 1000;
      if (this.live && performance.now() - this.toldAt > LINK_EVERY) return this.tell(); // all of the page is told, which takes a frame
      const whole = Math.floor(owed);
      owed -= whole;
      this.frame(whole, owed);
    });
  }

  /** Without motion: some cycles at once. */
  private stride(): void {
    this.now("stands");
    this.watched.say(`Motion is off: each step shows ${STRIDE} cycles more.`);
    this.try((live) => live.run(STRIDE));
    this.tell();
  }

  /** So many cycles more, as many as a frame has time for, and a share of the next one. */
  private frame(whole: number, share: number): void {
    const { live } = this;
    if (!live) return;
    if (whole) this.try(() => live.runFor(whole, BUDGET));
    live.between((this.app.state["simulate.speed"] as number) <= SMOOTH ? share : 0);
    this.watched.passed(whole);
    if (live.still) this.pause();
  }

  /** It stands where it is. */
  pause(): void {
    const ran = this.doing === "runs";
    this.now("stands");
    if (ran && this.live) this.tell();
  }

  /** One cycle more. */
  one(): void {
    this.now("stands");
    this.try((live) => live.run(1));
    this.tell();
  }

  /** From cycle 0. */
  again(): void {
    if (this.doing === "goes") this.now("stands");
    this.live?.restart();
    this.watched.say("");
    this.tell();
  }

  /** A link has led to a cycle of this run: there it goes, and stops. */
  go(state: State): void {
    const { live } = this;
    if (!live) return;
    this.leaveWay();
    this.now("goes");
    const goal = (state["simulate.cycle"] as number).toLocaleString("en");
    this.watched.say(`On its way to cycle ${goal}.`);
    this.leaveWay = goThere(this.app, live, state, (cycle) => this.watched.say(`On its way to cycle ${goal}: ${cycle.toLocaleString("en")}.`),
      (error) => this.arrive(error instanceof Error ? error.message : ""));
  }

  private arrive(words = ""): void {
    this.now("stands");
    this.watched.say(words);
    this.tell();
  }

  /** Nobody looks at it any more. */
  leave(): void {
    this.now("stands");
    this.live = null;
  }

  private tell(): void {
    this.toldAt = performance.now();
    this.watched.reached();
  }

  /** What a run refuses is said, and it stands. */
  try(act: (live: Live) => void): void {
    try {
      if (this.live) act(this.live);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      this.pause();
      this.watched.say(error.message);
    }
  }
}
