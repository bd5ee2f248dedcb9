/** What a run is to the machine that lays it out, whoever made it: Python (`image.ts`) or the page (`offered.ts`). */
import type { Fields } from "./fixed";

export type Numbers = Uint8Array | Int16Array | Int32Array | BigInt64Array;

/** Words that are addresses: (block, word, block that it is the address of). */
export type Link = readonly [block: string, word: number, to: string];

/** Arrays of what a routing sees, in the order of its record. */
export const VIEW = ["neighbor", "far_port", "link_class", "coord", "params", "own", "table"];

/** A piece of a run's memory: zeros, but for its contents. */
export interface Block {
  readonly bytes: number;
  readonly contents: Numbers | null;
}

/** Runs of one network. */
export interface Runs {
  readonly mark: string;
  readonly network: string;
  readonly channels: number;
  readonly links: readonly Link[];
  run(which?: number | Which): Packed;
}

/** A run: what is said of it, its blocks by name, and what stands at which words of them. */
export interface Packed {
  routing: string;
  preset: string;
  vcs: number;
  draws: number;
  settings: Record<string, number | string | boolean | null>;
  /** What simulates cycles: with routers as rows, as sets, and as sets while all packets are single flits. */
  entries: { rows: string; sets?: string; single?: string | undefined };
  routers: number;
  terminals: number;
  link_outputs: number;
  link_inputs: number;
  inputs: number;
  outputs: number;
  port_vcs: number;
  lanes: number;
  buffer: number;
  lookahead: number;
  packets_a_cycle: number;
  mean_packet_flits: number;
  longest_flits: number;
  /** Its memory by name, without the record. */
  blocks: Record<string, Block>;
  /** What the page begins its memory with: cycles of links, flits of the longest packets. */
  begun?: { readonly cycles: number; readonly longest: number };
  /** Whether the page fills its routing's tables. */
  filled?: boolean;
  /** What its pattern reads and draws, where that is not the run's own. */
  pattern?: { readonly size: number; readonly draws: number };
  /** The record, its addresses zero. */
  record: BigInt64Array;
  /** Words that are places of functions in the module's table. */
  calls: { block: string; word: number; what: string; name: string }[];
}

/** Which run of an image is meant; what is left out is that of the first one that fits the rest. */
export interface Which {
  readonly routing?: string;
  readonly vcs?: number;
  readonly traffic?: string;
  readonly preset?: string;
  readonly buffer?: number;
}

/** The names table: see `layout.py`. */
export interface Layout {
  mark: string;
  record: string[];
  counter: string[];
  batch: string[];
  batch_fields: number;
  packet_fields: number;
  /** Number of a packet's row that says what kind it is, + `measured` when it counts in the figures. */
  packet_kind: number;
  measured: number;
  flit_columns: string[];
  header: Record<string, number>;
  header_fields: number;
  candidates: number;
  kinds: { escape: number; enters: number };
  last_cycle: number;
  never: number;
  /** By entry that keeps routers as sets: flits and packets for each lane from which on it pays. */
  busy: Record<string, number>;
  /** Of memory, to begin with. */
  pages: number;
  /** Functions whose calls become constants. */
  fixed: Fields;
  first_call: number;
  longest_call: number;
  errors: Record<string, number>;
  student: number[];
  /** Entries that fill the tables of routings anew, by routing. */
  routed: Record<string, string>;
  /** Layers that such a routing has at most. */
  layers: Record<string, number>;
  /** The relation of routings as tables, and numbers before the tables of one. */
  tabled: { relation: string; head: number };
  tree_schemes: string[];
  tree_told: number;
  lag_limit: number;
  drain_step: number;
  drain_cycles: number;
  groups: number;
  /** By name, what a run of a preset has whatever its network: see `presets.py`. */
  presets: Record<string, Preset>;
  buffers: number[];
  longest: number;
  /** Names of what `fit_sizes` is given, and of the arrays whose bytes it says. */
  given: string[];
  state: string[];
  /** By field of a record, what it is in runs that `run_plain` runs. */
  plain: Record<string, number>;
  /** Members of sets up to which an entry keeps them, and the entry; by such an entry that for single flits. */
  sets_entries: [number, string][];
  single_entries: Record<string, string>;
  call_fields: number;
  no_step: number;
  process_numbers: number;
}

/** A preset of the router. */
export interface Preset {
  readonly record: readonly number[];
  readonly settings: Packed["settings"];
  readonly link_cycles: number;
  /** The function of its injection process. */
  readonly advance: string;
}
