/**
 * jumpnet's flit-level simulator in the browser: the compiled Python itself, as WebAssembly.
 *
 *     const kernels = await Kernels.load(bytesOfKernelsWasm);          // once a page
 *     const sim = await Simulation.from(bytesOfRunImage, kernels);     // a network, a routing, settings; cycle 0
 *     sim.set("load", 0.3);                                            // any time; "seed" at cycle 0 only
 *     sim.run(1000);                                                   // cycles; returns the cycle reached
 *     sim.flits();                                                     // where each flit is now
 *     sim.linkFlits();                                                 // flits sent by each link so far, (R, P)
 *     sim.figures();                                                   // names as in Python's Result
 *
 * Figures are of a window of cycles. `sim.open()` begins one at this cycle (what was counted before does not count), and
 * `sim.close()` ends it; without them all cycles count. `sim.measure({warmup_cycles, measure_cycles, drain})` does all
 * of it as `jumpnet simulate` does, and gives the same bits; it is a generator, so that a page can draw in between:
 *
 *     for (const cycle of sim.measure({ warmup_cycles: 1000, measure_cycles: 5000 })) await nextFrame();
 *     sim.figures().packet_latency_mean_cycles;
 *
 * A run image comes from Python: `jumpnet.explore.kernels.run_image("torus:8x8", "torus.duato", vcs=3, load=0.1)`, some
 * kB. Nothing here knows where the simulator keeps what: the image brings the names and places along.
 *
 * A route is followed by the very relation that Python runs, from the same image:
 *
 *     const relation = await Relation.from(bytesOfRunImage, kernels);
 *     let packet = relation.start(source, destination);                // routers; a third argument is the draw
 *     for (;;) {
 *       const next = relation.candidates(packet);                      // [] once it has arrived
 *       if (next.length === 0) break;
 *       packet = relation.take(packet, next[0]);                       // over a link: packet.here, packet.header
 *     }
 *
 * Throws `RunError` with one plain sentence where a run fails (no route, livelock) or a name is unknown.
 */

export type Bytes = Uint8Array | ArrayBuffer;

/** What an image is of, as it was told in Python. */
export interface About {
  /** Spec of the network, `torus:8x8`. */
  network: string;
  /** Routing with its options, `torus.duato`. */
  routing: string;
  /** Virtual channels of a port (of the routing). */
  vcs: number;
  routers: number;
  /** Link ports of a router; `linkFlits()` and `neighbor` have so many columns. */
  ports: number;
  terminals: number;
  /** Slots of an input buffer. */
  buffer: number;
  /** Every setting of the run, by its name in `SimConfig`. */
  settings: Record<string, number | string | boolean | null>;
}

/** One flit in the network now. */
export interface Flit {
  /** Router whose input buffer it is in, or on its way to. */
  router: number;
  /** Input port there; `about.ports` and more for those of terminals. */
  port: number;
  vc: number;
  /** Place in the buffer: 0 for the next to go. */
  place: number;
  /** Router that sent it over a link, -1 from a terminal. */
  from: number;
  /** Output port of `from`, -1 from a terminal. */
  fromPort: number;
  /** Cycle from which it can be read there: above `sim.cycle` it is still under way. */
  ready: number;
  /** Number of its packet, the same for all its flits, used again once that has arrived. */
  packet: number;
  head: boolean;
  /** Routers of the packet's source and destination. */
  source: number;
  destination: number;
}

/** A deadlock's sign: cycles since something last moved. */
export interface Movement {
  /** Last cycle in which a flit moved. */
  moved: number;
  /** Flits inside the network. */
  inside: number;
  /** Whether nothing has moved for `settings.deadlock_cycles` with flits inside. */
  still: boolean;
}

/** What a packet carries that its routing reads. */
export interface Header {
  source: number;
  destination: number;
  state: number;
  in_port: number;
  in_vc: number;
  intermediate: number;
}

/** A packet at a router. */
export interface Place {
  here: number;
  header: Header;
}

/** One way that a relation offers. */
export interface Candidate {
  port: number;
  vc: number;
  /** The header's state after it. */
  state: number;
  /** Taken only where no other candidate is free (Duato). */
  escape: boolean;
  /** By it the packet enters a ring of channels (bubble flow control). */
  enters: boolean;
  /** Router at the far end of the port. */
  to: number;
}

/** What `measure` is told; as the settings of the same names in Python. */
export interface Phases {
  warmup_cycles: number;
  measure_cycles: number;
  drain?: boolean;
}

/** A figure by its name in Python's `Result`; NaN where there is none. */
export type Figures = Record<string, number | boolean>;

export class RunError extends Error {}

/** The compiled functions: one WebAssembly module. */
export class Kernels {
  private constructor(readonly module: WebAssembly.Module) {}

  static async load(bytes: Bytes): Promise<Kernels> {
    return new Kernels(await WebAssembly.compile(bytes as BufferSource));
  }

  /** Names of the functions that it has: entries, and what images call (relations, patterns, processes). */
  get names(): string[] {
    return WebAssembly.Module.exports(this.module).map((one) => one.name);
  }
}

function later(): never {
  throw new RunError("not built yet");
}

/** One run. */
export class Simulation {
  readonly about!: About;
  /** (R, P) router at the far end of each link port, -1 where there is none; row by row. */
  readonly neighbor!: Int32Array;
  /** (R, P) input port there. */
  readonly farPort!: Int32Array;
  /** The next cycle to come. */
  cycle = 0;

  static async from(_image: Bytes, _kernels: Kernels): Promise<Simulation> {
    return later();
  }
  /** So many cycles more; returns the cycle reached. */
  run(_cycles: number): number {
    return later();
  }
  /** Change `load` (any time), `seed` or `packet_flits` (at cycle 0). */
  set(_name: "load" | "seed" | "packet_flits", _value: number | string): void {
    later();
  }
  open(): void {
    later();
  }
  close(): void {
    later();
  }
  measure(_phases: Phases): Generator<number, void> {
    return later();
  }
  figures(): Figures {
    return later();
  }
  /** Packets by latency in cycles, of the window: entry k counts those of k cycles; `kind` as in Python. */
  histogram(_kind: "packet" | "network" | "flit"): Float64Array {
    return later();
  }
  /** (R, P) flits sent by each link since cycle 0; row by row. */
  linkFlits(): Int32Array {
    return later();
  }
  /** (R, P) flits now in the input buffers at the far end of each link, those on the link included. */
  linkHeld(): Int32Array {
    return later();
  }
  /** All flits in the network: for small ones. */
  flits(): Flit[] {
    return later();
  }
  movement(): Movement {
    return later();
  }
}

/** One routing on one network. */
export class Relation {
  readonly about!: About;

  static async from(_image: Bytes, _kernels: Kernels): Promise<Relation> {
    return later();
  }
  /** A packet about to enter; `draw` is below `draws`. */
  start(_source: number, _destination: number, _draw = 0): Place {
    return later();
  }
  /** Draws that the start hook tells apart (intermediate routers of Valiant, say). */
  readonly draws: number = 1;
  /** What the relation offers, in its order; empty once arrived. */
  candidates(_packet: Place): Candidate[] {
    return later();
  }
  /** The packet after one hop. */
  take(_packet: Place, _by: Candidate): Place {
    return later();
  }
}
