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
 * Figures are of a window of cycles. `sim.open()` begins one at this cycle (packets created before do not count), and
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
import { breaking, type Broken } from "./broken";
import { runCycles } from "./cycles";
import { Window } from "./figures";
import { Image } from "./image";
import { feeders, flitsHeld, flitsInside, flitsSent, ringOf } from "./inside";
import { setLength, setLoad } from "./load";
import { Kernels } from "./kernels";
import { Machine } from "./machine";
import { Measurement } from "./measurement";
import { Relation } from "./relation";
import type { Runs, Which } from "./runs";
import { tabled } from "./tables";
import { type About, type Channel, ChannelsError, type Figures, type Flit, type Movement, type Phases, RunError } from "./types";

export { ChannelsError, Image, Kernels, Relation, RunError };
export { Offered, WORST } from "./offered";
export { Trees } from "./trees";
export type { Broken } from "./broken";
export type { Which } from "./runs";
export type { Tree } from "./trees";
export type { About, Bytes, Candidate, Channel, Figures, Flit, Header, Movement, Phases, Place } from "./types";

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
    this.feeder = feeders(machine, this.neighbor, this.farPort);
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
    const { machine, about } = this;
    const { seed, load, packet_flits } = about.settings;
    if (!Number.isSafeInteger(seed) || (seed as number) < 0) throw new RunError(`seed ${seed} found, a whole number expected`);
    this.cycle = 0;
    setLength(machine, String(packet_flits));
    setLoad(machine, about, load as number, 0);
    machine.setSize("seed", seed as number);
    machine.call("give_keys", machine.record);
    machine.call("sleep_all", machine.record);
    return new Window(machine);
  }

  /** Change the load, at any time; the seed or the length of packets (one number) at cycle 0. */
  set(name: "load" | "seed" | "packet_flits", value: number): void {
    if (name !== "load" && this.cycle > 0) throw new RunError(`${name} set at cycle ${this.cycle}, cycle 0 expected`);
    const { settings } = this.about;
    const before = settings[name]!;
    settings[name] = name === "packet_flits" ? String(value) : value;
    try {
      if (this.cycle === 0) this.restart();
      else {
        setLoad(this.machine, this.about, value, this.cycle);
        this.machine.call("draw_again", this.machine.record, this.cycle - 1);
      }
    } catch (error) {
      settings[name] = before;
      throw error;
    }
  }

  /** So many cycles more; returns the cycle reached. */
  run(cycles: number): number {
    runCycles(this.machine, this.about, this.cycle, this.cycle + cycles, (cycle) => (this.cycle = cycle));
    return this.cycle;
  }

  /** A window begins at this cycle: packets created before do not count. */
  open(): void {
    this.machine.setWord("window", 1, this.machine.layout.never);
    this.window = new Window(this.machine);
    this.window.open(this.cycle, true);
  }

  /** It ends at this cycle: packets created from now on do not count. */
  close(): void {
    this.window.close(this.cycle);
  }

  /** Warm-up, window and drain from cycle 0 on; gives the cycle after each piece. */
  *measure(phases: Phases): Generator<number, void> {
    const { machine } = this;
    if (this.cycle > 0) this.restart();
    for (const word of [0, 1]) machine.setWord("window", word, machine.layout.never);
    this.window = new Window(machine);
    yield* new Measurement(this, machine, this.window).steps(phases);
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
    return flitsSent(this.machine);
  }

  /** (R, P) flits now in the input buffers at the far end of each link, those on the link included. */
  linkHeld(): Int32Array {
    return flitsHeld(this.machine);
  }

  /** All flits in the network: for small ones. */
  flits(): Flit[] {
    return flitsInside(this.machine, this.feeder);
  }

  /** Channels whose packets wait for each other in a ring, null where there is no deadlock. */
  ring(): Channel[] | null {
    return ringOf(this.machine, this.cycle);
  }

  movement(): Movement {
    const moved = this.machine.counter("moved");
    const inside = this.machine.counter("entered") - this.machine.counter("ejected");
    const still = inside > 0 && this.cycle - moved > (this.about.settings.deadlock_cycles as number);
    return { moved, inside, still };
  }
}
