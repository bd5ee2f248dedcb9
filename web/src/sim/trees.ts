/** Multicast trees under the bit-map schemes, grown by the compiled Python (`explore/kernels/trees.py`). */
import type { Kernels } from "./kernels";

const PAGE = 1 << 16;
const SPARE = 512; // numbers of work space beside what the routers of a rank take

/** One multicast; as Python's `MulticastTree`. */
export interface Tree {
  readonly top: number;
  readonly root: number;
  readonly steps: number;
  readonly receivers: Int32Array; // ascending
  readonly remade: Int32Array; // ascending
  /** Hops by step, sender, receiver: rows of step, sender, receiver, rank. */
  readonly hops: readonly (readonly [number, number, number, number])[];
}

export class Trees {
  private constructor(
    private readonly exports: Record<string, unknown>,
    private readonly memory: WebAssembly.Memory,
    private readonly schemes: readonly string[],
    private readonly told: number,
    private readonly tables: Int32Array,
    private readonly rows: number,
  ) {}

  /** Of a network: its tables, and the most receivers that a tree has (`tree_tables`, `tree_rows`). */
  static async of(kernels: Kernels, tables: Int32Array, rows: number): Promise<Trees> {
    const { exports, memory } = await kernels.instance();
    return new Trees(exports, memory, kernels.layout.tree_schemes, kernels.layout.tree_told, tables, rows);
  }

  /** The least top rank of a multicast from a router that reaches each router, -1 for none. */
  territory(source: number, routers: number): Int32Array {
    const [tables, out] = this.room([this.tables.length, routers + 2]) as [number, number];
    const list = this.exports.list_territory as (...args: number[]) => number;
    list(tables, source, out);
    return new Int32Array(this.memory.buffer, out, routers).slice();
  }

  /** Addresses of so many 32-bit numbers each, the tables written into the first ones. */
  private room(sizes: readonly number[]): number[] {
    const { memory } = this;
    let end = (this.exports.__heap_base as WebAssembly.Global).value as number;
    const at = sizes.map((numbers) => {
      const here = Math.ceil(end / 8) * 8;
      end = here + 4 * numbers;
      return here;
    });
    const short = Math.ceil((end - memory.buffer.byteLength) / PAGE);
    if (short > 0) memory.grow(short);
    new Int32Array(memory.buffer, at[0], this.tables.length).set(this.tables);
    return at;
  }

  /** The multicast from a router to others, null where one is out of reach. */
  grow(scheme: string, source: number, destinations: readonly number[]): Tree | null {
    const { rows, told } = this;
    const sizes = [this.tables.length, destinations.length, told + 19 * rows, destinations.length + 6 * rows + SPARE];
    const at = this.room(sizes) as [number, number, number, number];
    const { memory } = this;
    new Int32Array(memory.buffer, at[1], sizes[1]).set(destinations);
    const grow = this.exports.grow_tree as (...args: number[]) => number;
    const rule = this.schemes.indexOf(scheme);
    if (!grow(at[0], source, at[1], destinations.length, rule, at[2], rows, at[3])) return null;
    const out = new Int32Array(memory.buffer, at[2], sizes[2]);
    const [top, root, steps, hops, receivers, remade] = out as unknown as [number, number, number, number, number, number];
    const part = (first: number, count: number): Int32Array => out.slice(told + first * rows, told + first * rows + count).sort();
    return {
      top, root, steps, receivers: part(16, receivers), remade: part(17, remade),
      hops: Array.from({ length: hops }, (_, k) => [...out.subarray(told + 4 * k, told + 4 * k + 4)] as unknown as Tree["hops"][number])
        .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3]),
    };
  }
}
