/** Run images as Python packed them (`src/jumpnet/explore/kernels/image.py`), and the names table of the module. */
import { unpack } from "../data/decode";
import type { Fields } from "./fixed";
import { RunError } from "./types";

export type Numbers = Uint8Array | Int16Array | Int32Array | BigInt64Array;
type Zeros = { zeros: number; of: "i2" | "i4" | "i8" };

/** A run: what is said of it, its blocks by name, and what stands at which words of them. */
export interface Packed {
  routing: string;
  preset: string;
  vcs: number;
  draws: number;
  settings: Record<string, number | string | boolean | null>;
  /** What simulates cycles: with routers as rows, as sets, and as sets while all packets are single flits. */
  entries: { rows: string; sets?: string; single?: string };
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
  /** Number of each block, by its name; the record is none. */
  blocks: Record<string, number>;
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

/** Traffic that any run of the image can have instead of its own. */
export interface Traffic {
  readonly traffic: string;
  readonly destination: string;
  readonly own: number; // block of what the pattern reads
  readonly size: number;
  readonly draws: number;
}

interface Told {
  readonly routing: string;
  readonly preset: string;
  readonly settings: Packed["settings"];
  readonly entries: Packed["entries"];
  readonly mean_packet_flits: number;
  readonly calls: readonly number[];
}

interface Given {
  mark: string;
  network: string;
  channels: number;
  names: string[];
  links: [string, number, string][];
  calls: [string, number, string][];
  functions: string[];
  traffic: Traffic[];
  told: Told[];
  /** (runs,) which of `told` each run is. */
  told_of: Int32Array;
  sizes: (keyof Packed)[];
  /** (runs, sizes) whole numbers of each run. */
  sizes_of: Int32Array;
  /** (runs, words) the record of each run, its addresses zero. */
  records: BigInt64Array;
  /** (runs, names) number of each block. */
  blocks_of: Int32Array;
  blocks: (Numbers | Zeros)[];
}

/** The names table: see `layout.py`. */
export interface Layout {
  mark: string;
  record: string[];
  counter: string[];
  batch: string[];
  batch_fields: number;
  packet_fields: number;
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
}

const SIZE = { i2: 2, i4: 4, i8: 8 };

/** An image unpacked. */
export class Image {
  readonly mark: string;
  readonly network: string;
  readonly channels: number;
  readonly runs: Packed[];
  /** Traffic besides that of the runs. */
  readonly traffic: readonly Traffic[];
  /** Words that are addresses: (block, word, block that it is the address of). */
  readonly links: [string, number, string][];
  private readonly blocks: (Numbers | Zeros)[];

  private constructor(given: Given) {
    ({ mark: this.mark, network: this.network, channels: this.channels, links: this.links, blocks: this.blocks, traffic: this.traffic } = given);
    this.runs = Array.from(given.told_of, (told, k) => packed(given, given.told[told]!, k));
  }

  /** From its text, as it stands in the page. */
  static async open(text: string): Promise<Image> {
    return new Image((await unpack(text)) as unknown as Given);
  }

  /** Traffic that its runs can have, that of the first run first. */
  get patterns(): string[] {
    return [...new Set([...this.runs.map((run) => String(run.settings.traffic)), ...this.traffic.map((each) => each.traffic)])];
  }

  /** The first run that is so. */
  run(which: number | Which = 0): Packed {
    if (typeof which === "number") {
      const run = this.runs[which];
      if (run) return run;
      throw new RunError(`run ${which} found, below ${this.runs.length} expected`);
    }
    const { traffic, ...rest } = which;
    const fits = (run: Packed): boolean =>
      (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === undefined || run[name] === rest[name]);
    const found = this.runs.filter(fits);
    const own = found.find((run) => traffic === undefined || run.settings.traffic === traffic);
    if (own) return own;
    const other = this.traffic.find((each) => each.traffic === traffic);
    if (found[0] && other) return withTraffic(found[0], other);
    throw new RunError(`${this.network} has no run of ${Object.entries(which).map(([name, value]) => `${name} ${value}`).join(", ")}`);
  }

  /** Bytes of a block. */
  bytes(number: number): number {
    const block = this.blocks[number]!;
    return "zeros" in block ? block.zeros * SIZE[block.of] : block.byteLength;
  }

  /** Its contents, null where all are zero. */
  contents(number: number): Numbers | null {
    const block = this.blocks[number]!;
    return "zeros" in block ? null : block;
  }
}

/** Run k of an image. */
function packed(given: Given, told: Told, k: number): Packed {
  const row = <T extends Int32Array | BigInt64Array>(table: T, wide: number): T => table.subarray(k * wide, (k + 1) * wide) as T;
  const sizes = row(given.sizes_of, given.sizes.length);
  const blocks = row(given.blocks_of, given.names.length);
  const counted = Object.fromEntries(given.sizes.map((name, n) => [name, sizes[n]!])) as unknown as Packed;
  const calls = told.calls.map((number, c) => {
    const [block, word, what] = given.calls[c]!;
    return { block, word, what, name: given.functions[number]! };
  });
  return {
    ...counted, routing: told.routing, preset: told.preset, entries: told.entries, mean_packet_flits: told.mean_packet_flits,
    settings: { ...told.settings, vcs: counted.vcs, buffer_flits: counted.buffer },
    blocks: Object.fromEntries(given.names.map((name, n) => [name, blocks[n]!])),
    record: row(given.records, given.records.length / given.told_of.length),
    calls: calls.filter((call) => call.name !== ""),
  };
}

/** A run with other traffic: what its pattern reads, and the words that say so. */
function withTraffic(run: Packed, { traffic, destination, own, size, draws }: Traffic): Packed {
  const calls = run.calls.map((call) => (call.what === "destination" ? { ...call, name: destination } : call));
  return { ...run, calls, pattern: { size, draws }, settings: { ...run.settings, traffic }, blocks: { ...run.blocks, pattern_own: own } };
}
