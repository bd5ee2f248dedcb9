/** A run as it is looked at: its flits as dots on their channels, its loads as heat, its figures since the last change. */
import type { Network } from "../data/network";
import type { Figures, Flit, Simulation } from "../sim/simulation";

const SETTLED = 2000; // cycles after which figures begin anew, so that they follow a change
const MEMORY = 0.93; // share of what was seen before in the heat, for each look

export class Live {
  since = 0;
  private sent: Int32Array;
  private seen: Float32Array;
  private lookedAt = 0;
  private share = 0;

  constructor(
    readonly sim: Simulation,
    private readonly net: Network,
  ) {
    this.sent = sim.linkFlits();
    this.seen = new Float32Array(this.sent.length);
    sim.open();
  }

  setLoad(load: number): void {
    if (this.sim.about.settings.load === load) return;
    this.sim.set("load", load);
    this.fresh();
  }

  private fresh(): void {
    this.sim.open();
    this.since = this.sim.cycle;
  }

  restart(): void {
    this.sim.restart();
    this.sent = this.sim.linkFlits();
    this.seen.fill(0);
    this.lookedAt = this.since = 0;
    this.sim.open();
  }

  run(cycles: number): void {
    this.sim.run(cycles);
    if (this.sim.cycle - this.since > 8 * SETTLED) this.fresh();
  }

  /** So many cycles, or as many as fit into some milliseconds. */
  runFor(cycles: number, most: number): void {
    const end = performance.now() + most;
    for (let left = cycles; left > 0 && performance.now() < end; left -= 50) this.run(Math.min(50, left));
  }

  /** How much of the next cycle has passed, for flits on links. */
  between(share: number): void {
    this.share = share;
  }

  get still(): boolean {
    return this.sim.movement().still;
  }

  figures(): Figures {
    return this.sim.figures();
  }

  /** Loads of channels, from 0 to 1 flit a cycle, with what was seen before fading; NaN where there is no link. */
  heat(): Float32Array {
    const cycles = this.sim.cycle - this.lookedAt;
    if (cycles > 0) {
      const now = this.sim.linkFlits();
      const keep = this.lookedAt === 0 ? 0 : MEMORY;
      for (let c = 0; c < now.length; c++) this.seen[c] = keep * this.seen[c]! + (1 - keep) * ((now[c]! - this.sent[c]!) / cycles);
      [this.sent, this.lookedAt] = [now, this.sim.cycle];
    }
    return Float32Array.from(this.seen, (load, c) => (this.net.neighbor[c]! < 0 ? NaN : load));
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
    if (ahead > 0) return Math.max(0.1, 0.8 - 0.5 * ahead);
    const waiting = queues.get(channel) ?? 0;
    queues.set(channel, waiting + 1);
    return Math.max(0.25, 0.82 - 0.055 * waiting);
  }
}
