/**
 * jumpnet's flit-level simulator in the browser: the compiled Python itself, as WebAssembly.
 *
 *     const kernels = await Kernels.load(bytesOfKernelsWasm);          // once a page
 *     const image = await Image.open(textOfRunImage);                  // a network's runs, base64 as in the page
 *     const sim = await Simulation.from(image, kernels, { routing: "torus.duato", vcs: 3 });   // cycle 0
 *     sim.set("load", 0.3);                                            // any time; seed, packet_flits at cycle 0 only
 *     sim.run(1000);                                                   // cycles; returns the cycle reached
 *     sim.flits();                                                     // where each flit is now
 *     sim.linkFlits();                                                 // flits sent by each link so far, (R, P)
 *     sim.figures();                                                   // names as in Python's Result
 *
 * Figures are of a window of cycles. `sim.open()` begins one at this cycle (packets that arrived before do not count), and
 * `sim.close()` ends it; without them all cycles count. `sim.measure({warmup_cycles, measure_cycles, drain})` does all
 * of it from cycle 0 as `jumpnet simulate` does, and gives the same bits; it is a generator, a step a batch of cycles, so
 * that a page can draw in between:
 *
 *     for (const cycle of sim.measure({ warmup_cycles: 1000, measure_cycles: 5000 })) await nextFrame();
 *     sim.figures().packet_latency_mean_cycles;
 *
 * `sim.restart()` goes back to cycle 0 with what was set. A run image comes from Python, a few kB for several runs of a
 * network: `jumpnet.explore.kernels.run_image("torus:8x8", "torus.duato", "torus.dateline", vcs=3, load=0.1)`. Nothing
 * here knows where the simulator keeps what: image and module bring names and places along.
 *
 * A route is followed by the very relation that Python runs, from the same image:
 *
 *     const relation = await Relation.from(image, kernels, { routing: "torus.duato" });
 *     let packet = relation.start(source, destination);                // routers; a third argument is the draw
 *     for (;;) {
 *       const next = relation.candidates(packet);                      // [] once it has arrived
 *       if (next.length === 0) break;
 *       packet = relation.take(packet, next[0]);                       // over a link: packet.here, packet.header
 *     }
 *
 * With links or routers out of service (`Simulation.from(image, kernels, which, { routers, links })`, `Relation` likewise)
 * a run is that of Python's `fault.degraded`; `up_down` and `lash` go round them.
 *
 * `sim.ring()` is the ring of channels whose packets wait for each other, as soon as there is one: a deadlock for certain,
 * while other packets may still move.
 *
 * Throws `RunError` with one plain sentence where a run fails (no route, livelock) or a name is unknown. Figures that
 * Python has and this has not: those by rank, half widths before the window is over, `cpu_seconds`.
 */
import { Window, sentNow } from "./figures";
import { breaking, type Broken } from "./broken";
import { Image } from "./image";
import type { Runs, Which } from "./runs";
import { Kernels, Machine } from "./machine";
import { Relation } from "./relation";
import { tabled } from "./tables";
import { type About, type Channel, ChannelsError, type Figures, type Flit, type Movement, type Phases, RunError } from "./types";

export { ChannelsError, Image, Kernels, Relation, RunError };
export { Offered, WORST } from "./offered";
export { Trees } from "./trees";
export type { Broken } from "./broken";
export type { Which } from "./runs";
export type { Tree } from "./trees";
export type { About, Bytes, Candidate, Channel, Figures, Flit, Header, Movement, Phases, Place } from "./types";

const LEAST_PIECE = 8; // cycles of a measurement at once, at least: each piece has its price
const MOMENT = 24; // ms that cycles of a measurement may take at once

const FLIT = ["router", "port", "vc", "place", "ready", "packet", "head", "source", "destination"] as const;
type FlitColumns = [number, number, number, number, number, number, number, number, number];

/** One run. */
export class Simulation {
  readonly about: About;
  /** (R, P) router at the far end of each link port, -1 where there is none; row by row. */
  readonly neighbor: Int32Array;
  /** (R, P) input port there. */
  readonly farPort: Int32Array;
  /** The next cycle to come. */
  cycle = 0;
  private window: Window;
  private some = 64; // cycles of a measurement at once
  /** (R, inputs) output port, counted over all routers, that feeds each input port; -1 for a terminal's. */
  private readonly feeder: Int32Array;

  private constructor(private readonly machine: Machine) {
    const { run, image } = machine;
    this.about = {
      network: image.network,
      routing: run.routing,
      vcs: run.vcs,
      routers: run.routers,
      ports: run.link_outputs,
      channels: machine.channels,
      terminals: machine.terminals,
      buffer: run.buffer,
      settings: { ...run.settings },
    };
    this.neighbor = machine.ints("view.neighbor").slice();
    this.farPort = machine.ints("view.far_port").slice();
    this.feeder = new Int32Array(run.routers * run.inputs).fill(-1);
    for (let k = 0; k < this.neighbor.length; k++) {
      const to = this.neighbor[k]!;
      if (to >= 0) this.feeder[to * run.inputs + this.farPort[k]!] = k;
    }
    this.window = this.begin();
  }

  static async from(image: Runs, kernels: Kernels, which?: number | Which, broken: Broken | null = null): Promise<Simulation> {
    const machine = await Machine.of(image, await tabled(image, image.run(which), kernels, broken), kernels, breaking(broken));
    return new Simulation(await machine.ready());
  }

  /** Back to cycle 0, with the load, seed and packet length that were set. */
  restart(): void {
    this.machine.fill();
    this.window = this.begin();
  }

  private begin(): Window {
    const { machine } = this;
    const { seed, load, packet_flits } = this.about.settings;
    if (!Number.isSafeInteger(seed) || (seed as number) < 0) throw new RunError(`seed ${seed} found, a whole number expected`);
    this.cycle = 0;
    this.setLength(String(packet_flits));
    this.setLoad(load as number);
    machine.setSize("seed", seed as number);
    machine.call("give_keys", machine.record);
    machine.call("sleep_all", machine.record);
    return new Window(machine);
  }

  /** Change the load, at any time; the seed or the length of packets (one number) at cycle 0. */
  set(name: "load" | "seed" | "packet_flits", value: number): void {
    if (name !== "load" && this.cycle > 0) throw new RunError(`${name} set at cycle ${this.cycle}, cycle 0 expected`);
    const before = this.about.settings[name]!;
    this.about.settings[name] = name === "packet_flits" ? String(value) : value;
    try {
      if (this.cycle === 0) this.restart();
      else {
        this.setLoad(value);
        this.machine.call("draw_again", this.machine.record, this.cycle - 1);
      }
    } catch (error) {
      this.about.settings[name] = before;
      throw error;
    }
  }

  private setLength(text: string): void {
    const { machine } = this;
    if (text === machine.run.settings.packet_flits) return;
    const flits = Number(text);
    if (!Number.isInteger(flits) || flits < 1 || flits > machine.run.longest_flits || machine.longs("length").length > 1)
      throw new RunError(`packets of ${text} flits found, 1 to ${machine.run.longest_flits} expected of this image`);
    if (machine.size("bubble")) machine.setSize("bubble", flits); // the room that a packet leaves free
    machine.longs("length")[0] = BigInt(flits);
  }

  private get meanFlits(): number {
    const text = String(this.about.settings.packet_flits);
    return text === this.machine.run.settings.packet_flits ? this.machine.run.mean_packet_flits : Number(text);
  }

  private setLoad(load: number): void {
    const { machine } = this;
    const rate = load / this.meanFlits;
    if (!(load >= 0 && load <= 1 && rate <= 1)) throw new RunError(`load ${load} found, 0 to 1 expected`);
    const [process, ...options] = String(this.about.settings.injection).split(/[:,]/);
    const at = machine.address("process_own");
    let numbers: number;
    if (process === "bernoulli") {
      numbers = machine.call("rate_of_bernoulli", at, rate);
    } else {
      const given = new Map(options.map((option) => option.split("=") as [string, string]));
      const [alpha, beta, r1] = [["alpha", 0.5], ["beta", 0.5], ["r1", -1]].map(([name, usual]) =>
        Number(given.get(name as string) ?? usual),
      ) as [number, number, number];
      numbers = machine.call("rate_of_onoff", at, rate, alpha, beta, r1);
      if (!numbers) throw new RunError(`load ${load} found, one that ${process} can have expected`);
    }
    machine.setWord("class_calls", 5, numbers);
    this.about.settings.load = load;
  }

  /** So many cycles more; returns the cycle reached. */
  run(cycles: number): number {
    const { machine } = this;
    const { layout, run } = machine;
    const last = this.cycle + cycles;
    if (last >= layout.last_cycle) throw new RunError(`cycle ${last} found, below ${layout.last_cycle} expected`);
    const room = run.lookahead * run.packets_a_cycle;
    while (this.cycle < last) {
      while (Math.floor(last / (run.settings.batch_cycles as number)) + 2 > machine.size("batches_rows"))
        machine.lengthen("batches", 2);
      const sets = this.asSets();
      const most = run.entries.sets && !sets ? Math.min(layout.longest_call, layout.first_call + (this.cycle >> 2)) : layout.longest_call;
      machine.setSize("packed", sets ? 1 : 0);
      const single = this.about.settings.packet_flits === "1" ? run.entries.single : undefined;
      const entry = sets ? (single ?? run.entries.sets!) : run.entries.rows;
      const reached = machine.call(entry, machine.record, this.cycle, Math.min(last, this.cycle + most), room, 0);
      this.raise();
      if (reached === this.cycle) this.makeRoom(room);
      this.cycle = reached;
    }
    return this.cycle;
  }

  /** Whether routers are kept as sets in the next cycles; the results are the same. */
  private asSets(): boolean {
    const { machine } = this;
    const { run, layout } = machine;
    if (!run.entries.sets) return false;
    const atWork = machine.counter("entered") - machine.counter("ejected") + machine.counter("packets");
    return atWork >= layout.busy[run.entries.sets]! * run.routers * run.lanes;
  }

  private makeRoom(room: number): void {
    const { machine } = this;
    const rows = machine.size("packet_rows");
    if (rows - machine.counter("packets") >= room) throw new RunError(`the run stands still at cycle ${this.cycle}`);
    machine.lengthen("packet", 2);
    machine.lengthen("flit", 2);
    machine.call("more_packets", machine.record, rows);
  }

  private raise(): void {
    const { machine } = this;
    const why = machine.counter("error");
    if (!why) return;
    const where = `router ${machine.counter("error_router")} of ${this.about.network}`;
    const { errors } = machine.layout;
    if (why === errors.no_route) throw new RunError(`routing ${this.about.routing} has no route at ${where}`);
    if (why === errors.bad_candidate)
      throw new RunError(`routing ${this.about.routing} gives a port or vc that is not there at ${where}`);
    if (why === errors.livelock)
      throw new RunError(`livelock: a packet at ${where} has passed too many routers under ${this.about.routing}`);
    throw new RunError(`the run has failed at ${where}`);
  }

  /** A window begins at this cycle: packets that have arrived before do not count. */
  open(): void {
    this.machine.setWord("window", 1, this.machine.layout.never);
    this.window = new Window(this.machine);
    this.window.open(this.cycle, true);
  }

  /** It ends at this cycle: packets created from now on do not count. */
  close(): void {
    this.window.close(this.cycle);
  }

  /** Warm-up, window and drain from cycle 0 on; gives the cycle after each batch of cycles. */
  *measure(phases: Phases): Generator<number, void> {
    const { machine } = this;
    const { layout } = machine;
    if (this.cycle > 0) this.restart();
    const batch = this.about.settings.batch_cycles as number;
    for (const word of [0, 1]) machine.setWord("window", word, layout.never);
    const window = (this.window = new Window(machine));
    let moves = true;
    for (let left = phases.warmup_cycles; moves && left > 0; left -= batch) {
      moves = yield* this.advance(Math.min(batch, left));
      yield this.cycle;
    }
    window.warm = moves;
    window.open(this.cycle, false);
    for (let left = phases.measure_cycles; moves && left > 0; left -= batch) {
      moves = yield* this.advance(Math.min(batch, left));
      window.sample();
      yield this.cycle;
    }
    window.close(this.cycle);
    window.deadlock ??= this.ring();
    moves = window.deadlock === null;
    window.saturated = window.lag > layout.lag_limit || !moves;
    if (window.saturated || phases.drain === false) return;
    const limit = window.end + Math.max(layout.drain_cycles, 4 * (window.end - window.start));
    for (;;) {
      window.drained = this.allArrived();
      if (window.drained || this.cycle >= limit || !(yield* this.advance(layout.drain_step))) break;
      yield this.cycle;
    }
    window.saturated = !window.drained;
  }

  /** Some cycles, as many as lately took a moment. */
  private piece(until: number): void {
    const before = performance.now();
    const whole = until - this.cycle > this.some;
    this.run(Math.min(until - this.cycle, this.some));
    const took = performance.now() - before;
    if (took > MOMENT) this.some = Math.max(LEAST_PIECE, this.some >> 1);
    else if (whole && took < MOMENT / 4) this.some *= 2;
  }

  private allArrived(): boolean {
    const { machine } = this;
    const created = machine.call("first_creation", machine.record) >= this.window.end;
    return created && machine.counter("created_measured") === machine.counter("done_measured");
  }

  /** So many cycles of a measurement, in pieces that take little time; false once nothing moves any more. */
  private *advance(cycles: number): Generator<number, boolean> {
    const { window } = this;
    const settings = this.about.settings;
    const [every, patience] = [settings.check_every_cycles as number, settings.deadlock_cycles as number];
    const last = this.cycle + cycles;
    while (this.cycle < last && window.deadlock === null) {
      const check = (Math.floor(this.cycle / every) + 1) * every;
      const until = Math.min(last, check, this.cycle + patience);
      for (this.piece(until); this.cycle < until; this.piece(until)) yield this.cycle;
      const { still, inside } = this.movement();
      let stands = still;
      if (this.cycle === check) {
        const wait = this.machine.call("longest_wait", this.machine.record, this.cycle);
        window.longestWait = Math.max(window.longestWait, wait);
        stands ||= wait > patience;
      }
      if (stands && inside) window.deadlock = this.ring();
    }
    return window.deadlock === null;
  }

  figures(): Figures {
    return { ...this.window.figures(this.cycle), offered_load: this.about.settings.load as number };
  }

  /** Packets by latency in cycles, of the window: entry k counts those of k cycles; `kind` as in Python. */
  histogram(kind: "packet" | "network" | "flit"): Float64Array {
    return this.window.histogram(kind);
  }

  /** (R, P) flits sent by each link since cycle 0; row by row. */
  linkFlits(): Int32Array {
    const { routers, outputs, link_outputs } = this.machine.run;
    const all = sentNow(this.machine);
    const links = new Int32Array(routers * link_outputs);
    for (let r = 0; r < routers; r++) links.set(all.subarray(r * outputs, r * outputs + link_outputs), r * link_outputs);
    return links;
  }

  /** (R, P) flits now in the input buffers at the far end of each link, those on the link included. */
  linkHeld(): Int32Array {
    const { machine } = this;
    const { routers, link_outputs } = machine.run;
    const held = machine.answer("held", routers * link_outputs);
    machine.call("sum_held", machine.record, held.byteOffset);
    return held.slice();
  }

  /** All flits in the network: for small ones. */
  flits(): Flit[] {
    const { machine, feeder } = this;
    const { inputs, link_outputs } = machine.run;
    const columns = machine.layout.flit_columns;
    const most = Math.max(1, machine.counter("entered") - machine.counter("ejected"));
    const rows = machine.answer("flits", most * columns.length);
    const count = Math.min(most, machine.call("list_flits", machine.record, rows.byteOffset, most));
    const [router, port, vc, place, ready, packet, head, source, destination] = FLIT.map((name) => columns.indexOf(name)) as FlitColumns;
    return Array.from({ length: count }, (_, k) => {
      const row = rows.subarray(k * columns.length, (k + 1) * columns.length);
      const by = feeder[row[router]! * inputs + row[port]!]!;
      return {
        router: row[router]!, port: row[port]!, vc: row[vc]!, place: row[place]!, ready: row[ready]!, packet: row[packet]!,
        head: row[head] === 1, source: row[source]!, destination: row[destination]!,
        from: by < 0 ? -1 : Math.floor(by / link_outputs), fromPort: by < 0 ? -1 : by % link_outputs,
      };
    });
  }

  /** Channels whose packets wait for each other in a ring, null where there is no deadlock. */
  ring(): Channel[] | null {
    const { machine } = this;
    const { routers, lanes, outputs, port_vcs } = machine.run;
    const ring = machine.answer("ring", 3 * routers * lanes);
    const count = machine.call("find_ring", machine.record, this.cycle, ring.byteOffset);
    if (!count) return null;
    const found = [...ring.subarray(0, count)];
    const once = [...new Set([found[count - 1]!, ...found.slice(0, -1)])];
    const each = outputs * port_vcs;
    return once.map((o) => ({
      router: Math.floor(o / each),
      port: Math.floor((o % each) / port_vcs),
      vc: o % port_vcs,
    }));
  }

  movement(): Movement {
    const moved = this.machine.counter("moved");
    const inside = this.machine.counter("entered") - this.machine.counter("ejected");
    const still = inside > 0 && this.cycle - moved > (this.about.settings.deadlock_cycles as number);
    return { moved, inside, still };
  }
}
