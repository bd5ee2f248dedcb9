/**
 * Run images as Python packed them (`src/jumpnet/explore/kernels/image.py`), of any settings: for tests and measurements.
 * The page makes runs itself (`offered.ts`).
 */
import { unpack } from "../data/decode";
import type { Block, Link, Numbers, Packed, Runs, Which } from "./runs";
import { RunError } from "./types";

type Zeros = { zeros: number; of: "i2" | "i4" | "i8" };
/** Traffic that any run of the image can have instead of its own. */
interface Traffic {
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

const SIZE = { i2: 2, i4: 4, i8: 8 };

/** An image unpacked. */
export class Image implements Runs {
  readonly mark: string;
  readonly network: string;
  readonly channels: number;
  readonly runs: Packed[];
  /** Traffic besides that of the runs. */
  private readonly traffic: readonly Traffic[];
  /** Words that are addresses: (block, word, block that it is the address of). */
  readonly links: readonly Link[];
  private readonly blocks: (Numbers | Zeros)[];

  private constructor(given: Given) {
    ({ mark: this.mark, network: this.network, channels: this.channels, links: this.links, blocks: this.blocks, traffic: this.traffic } = given);
    const blockOf = (number: number): Block => this.block(number);
    this.runs = Array.from(given.told_of, (told, k) => packed(given, given.told[told]!, k, blockOf));
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
    if (found[0] && other) return withTraffic(found[0], other, this.block(other.own));
    throw new RunError(`${this.network} has no run of ${Object.entries(which).map(([name, value]) => `${name} ${value}`).join(", ")}`);
  }

  private block(number: number): Block {
    const block = this.blocks[number]!;
    return "zeros" in block ? { bytes: block.zeros * SIZE[block.of], contents: null } : { bytes: block.byteLength, contents: block };
  }
}

/** Run k of an image. */
function packed(given: Given, told: Told, k: number, blockOf: (number: number) => Block): Packed {
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
    blocks: Object.fromEntries(given.names.map((name, n) => [name, blockOf(blocks[n]!)])),
    record: row(given.records, given.records.length / given.told_of.length),
    calls: calls.filter((call) => call.name !== ""),
  };
}

/** A run with other traffic: what its pattern reads, and the words that say so. */
function withTraffic(run: Packed, { traffic, destination, size, draws }: Traffic, own: Block): Packed {
  const calls = run.calls.map((call) => (call.what === "destination" ? { ...call, name: destination } : call));
  return { ...run, calls, pattern: { size, draws }, settings: { ...run.settings, traffic }, blocks: { ...run.blocks, pattern_own: own } };
}
