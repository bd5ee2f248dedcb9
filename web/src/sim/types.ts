/** What the simulator answers with, as plain objects; `simulation.ts` says how they are come by. */

export type Bytes = Uint8Array<ArrayBuffer> | ArrayBuffer;

/** An instance, and the memory that it was given. */
export interface Instance {
  readonly exports: Record<string, unknown>;
  readonly memory: WebAssembly.Memory;
}

/** A run that fails (no route, livelock), or a name that is unknown, in one plain sentence. */
export class RunError extends Error {}

/** One that more virtual channels would help. */
export class ChannelsError extends RunError {
  constructor(words: string, readonly needed: number) {
    super(words);
  }
}

/** One run of an image, as it was told in Python. */
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
  /** Links of the network, one for each direction. */
  channels: number;
  terminals: number;
  /** Slots of an input buffer. */
  buffer: number;
  /** Settings of the run by their names in `SimConfig`, those that are not as by default and the usual ones. */
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

/** A virtual channel of a router's output. */
export interface Channel {
  router: number;
  port: number;
  vc: number;
}

/** What a packet carries that its routing reads. */
export interface Header {
  source: number;
  destination: number;
  /** The routing's own 64 bits. */
  state: bigint;
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
  state: bigint;
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
