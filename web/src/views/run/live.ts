/** A run as it is looked at: its flits as dots on their channels, its loads as heat, its figures since the last change. */
import type { Network } from "../../data/network";
import type { Mark } from "../../draw/overlay";
import type { Figures, Flit, Simulation } from "../../sim/simulation";
import { Heat } from "./heat";

/** Cycles after which figures begin anew, so that they follow a change. */
const FIGURES_OF = 16_000;

/** The cycle since which figures count at a cycle, where the load has not changed. */
export const countedSince = (cycle: number): number => Math.floor(Math.max(0, cycle - 1) / FIGURES_OF) * FIGURES_OF;

const RING: Mark = { colour: "bad", size: 4, arrow: true };
const [LEAST_CYCLES, MOST_CYCLES] = [10, 1600]; // of one call: each has its price, and none may hold up the page
const PIECES = 5; // calls in the time that there is, or more

export class Live {
  since = 0;
  private before: [until: number, load: number][] = [];
  private loadsSeen: Heat;
  private load: number; // from the next cycle on
  private share = 0;
  private piece = 50; // cycles of the next call

  constructor(
    readonly sim: Simulation,
    private readonly net: Network,
  ) {
    this.load = sim.about.settings.load as number;
    this.loadsSeen = new Heat(sim, net);
    sim.open();
  }

  /** Loads before the one of the cycles to come, each until a cycle. */
  get loads(): readonly (readonly [until: number, load: number])[] {
    const { about, cycle } = this.sim;
    const was = about.settings.load as number;
    return was === this.load ? this.before : [...this.before, [cycle, was]];
  }

  /** The load of the cycles to come: of changes between two cycles the last one counts. Returns whether the run has begun and it is another. */
  setLoad(load: number): boolean {
    if (load === this.load) return false;
    this.load = load;
    if (this.sim.cycle === 0) this.change();
    return this.sim.cycle > 0;
  }

  private change(): void {
    const { about, cycle } = this.sim;
    const was = about.settings.load as number;
    if (was === this.load) return;
    this.sim.set("load", this.load);
    if (cycle > 0) this.before.push([cycle, was]);
    this.fresh();
  }

  private fresh(): void {
    this.sim.open();
    this.since = this.sim.cycle;
  }

  /** Back to cycle 0, with another load if there is one. */
  restart(load?: number): void {
    this.sim.restart();
    this.load = load ?? this.load;
    this.sim.set("load", this.load);
    this.before = [];
    this.since = 0;
    this.loadsSeen = new Heat(this.sim, this.net);
    this.sim.open();
  }

  /** So many cycles; figures and heat begin anew at the same cycles however often it is called. */
  run(cycles: number): void {
    if (cycles > 0) this.change();
    for (let left = cycles; left > 0; ) {
      if (this.sim.cycle === this.since + FIGURES_OF) this.fresh();
      const some = Math.min(left, this.since + FIGURES_OF - this.sim.cycle, this.loadsSeen.left);
      this.sim.run(some);
      left -= some;
      this.loadsSeen.passed();
    }
  }

  /** So many cycles, or as many as fit into some milliseconds: no call is begun that would likely end after them. */
  runFor(cycles: number, most: number): void {
    const end = performance.now() + most;
    let [now, took] = [performance.now(), 0];
    for (let left = cycles; left > 0 && now + took <= end; ) {
      const some = Math.min(this.piece, left);
      this.run(some);
      left -= some;
      const before = now;
      now = performance.now();
      took = now - before;
      if (some === this.piece) this.piece = took < most / PIECES ? Math.min(MOST_CYCLES, 2 * some) : Math.max(LEAST_CYCLES, Math.ceil(some / 2));
    }
  }

  /** How much of the next cycle has passed, for flits on links. */
  between(share: number): void {
    this.share = share;
  }

  /** Channels whose packets wait for each other, none where nothing stands. */
  ring(): ReadonlyMap<number, Mark> {
    const marks = new Map<number, Mark>();
    if (this.still) for (const { router, port } of this.sim.ring() ?? []) marks.set(router * this.net.ports + port, RING);
    return marks;
  }

  get still(): boolean {
    return this.sim.movement().still;
  }

  /** Whether packets wait for each other in a ring: a measurement ends once it has seen that, this run goes on. */
  get deadlocked(): boolean {
    return this.sim.ring() !== null;
  }

  figures(): Figures {
    return this.sim.figures();
  }

  /** Loads of channels over the last cycles, for an overlay. */
  heat(): ReturnType<Heat["seen"]> {
    return this.loadsSeen.seen();
  }

  /** Dots for an overlay: flits on links move, those that wait in a buffer stand in a row before their router. */
  dots(): Float32Array {
    const flits = this.sim.flits().filter((flit) => flit.from >= 0);
    const queues = new Map<number, number>();
    const out = new Float32Array(3 * flits.length);
    flits.sort((a, b) => a.ready - b.ready).forEach((flit, k) => {
      const channel = flit.from * this.net.ports + flit.fromPort;
      out.set([channel, this.place(flit, channel, queues), flit.packet % 8], 3 * k);
    });
    return out;
  }

  private place(flit: Flit, channel: number, queues: Map<number, number>): number {
    const ahead = flit.ready - this.sim.cycle - this.share;
    if (ahead > 0) return Math.max(0, 0.95 - 0.6 * ahead);
    const waiting = queues.get(channel) ?? 0;
    queues.set(channel, waiting + 1);
    return Math.max(0.2, 1 - 0.1 * waiting);
  }
}
