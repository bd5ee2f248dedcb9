/** Run images as Python packed them (`src/jumpnet/explore/kernels/image.py`), and the names table of the module. */
import { unpack } from "../data/decode";
import { RunError } from "./types";

export type Numbers = Uint8Array | Int16Array | Int32Array | BigInt64Array;
type Zeros = { zeros: number; of: "i2" | "i4" | "i8" };

/** A run: what is said of it, its blocks by name, and what stands at which words of them. */
export interface Packed {
  routing: string;
  vcs: number;
  draws: number;
  settings: Record<string, number | string | boolean | null>;
  entries: { rows: string; sets?: string };
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
  wide: number;
  /** Number of each block, by its name. */
  blocks: Record<string, number>;
  /** Words that are places of functions in the module's table. */
  calls: { block: string; word: number; what: string; name: string }[];
}

interface Given {
  mark: string;
  network: string;
  channels: number;
  names: string[];
  links: [string, number, string][];
  calls: [string, number, string][];
  functions: string[];
  runs: (Omit<Packed, "blocks" | "calls"> & { calls: number[] })[];
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
  busy: [number, number];
  first_call: number;
  longest_call: number;
  errors: Record<string, number>;
  student: number[];
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
  /** Words that are addresses: (block, word, block that it is the address of). */
  readonly links: [string, number, string][];
  private readonly blocks: (Numbers | Zeros)[];

  private constructor(given: Given) {
    ({ mark: this.mark, network: this.network, channels: this.channels, links: this.links, blocks: this.blocks } = given);
    this.runs = given.runs.map((run, k) => ({
      ...run,
      blocks: Object.fromEntries(given.names.map((name, n) => [name, given.blocks_of[k * given.names.length + n]!])),
      calls: run.calls
        .map((number, c) => {
          const [block, word, what] = given.calls[c]!;
          return { block, word, what, name: given.functions[number]! };
        })
        .filter((call) => call.name !== ""),
    }));
  }

  /** From its text, as it stands in the page. */
  static async open(text: string): Promise<Image> {
    return new Image((await unpack(text)) as unknown as Given);
  }

  /** The run of that routing and so many virtual channels, or the first one. */
  run(which?: number | { routing?: string; vcs?: number; traffic?: string }): Packed {
    if (typeof which === "number" || which === undefined) {
      const run = this.runs[which ?? 0];
      if (run) return run;
      throw new RunError(`run ${which} found, below ${this.runs.length} expected`);
    }
    const found = this.runs.find(
      (run) =>
        (which.routing === undefined || run.routing === which.routing) &&
        (which.vcs === undefined || run.vcs === which.vcs) &&
        (which.traffic === undefined || run.settings.traffic === which.traffic),
    );
    if (found) return found;
    throw new RunError(`${this.network} has no run of ${which.routing ?? "any routing"} with ${which.vcs ?? "any"} channels`);
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
