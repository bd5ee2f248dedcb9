/** Tables of a routing, filled by the compiled Python (`routings.refilled`): in this thread, or in one beside it. */
import type { Instance } from "./machine";
import type { Block, Numbers } from "./runs";
import { RunError } from "./types";

const PAGE = 1 << 16;
const MOST_BYTES = 1 << 30; // of tables and work space
const HEAD = 7; // words of a view that are addresses: of its arrays, the last two of them own and table

/** What a routing sees, as a memory is to have it. */
export interface Seen {
  readonly what: string; // whose it is, in words
  /** Arrays of the view, in its order, and its record. */
  readonly arrays: readonly Block[];
  readonly view: BigInt64Array;
}

/** What an entry that fills tables is given. */
export interface Filling extends Seen {
  readonly entry: string;
  /** Terminals of each router. */
  readonly ends: Int32Array;
  /** 32-bit numbers of work space. */
  readonly numbers: number;
}

export interface Filled {
  /** What the entry says: layers, 1, or 0 where there are no such tables. */
  readonly found: number;
  readonly own: BigInt64Array;
  readonly table: Int16Array;
}

/** Writes what a routing sees into a memory of its own: addresses of the arrays, then of the record and of so many bytes more each. */
export function placed({ exports, memory }: Instance, { what, arrays, view }: Seen, rooms: readonly number[]): { readonly places: number[]; readonly more: number[] } {
  const heap = (exports.__heap_base as WebAssembly.Global).value as number;
  let end = heap;
  const places = [...arrays.map(({ bytes }) => bytes), view.byteLength, ...rooms].map((bytes) => {
    const at = Math.ceil(end / 8) * 8;
    end = at + bytes;
    return at;
  });
  if (end - heap > MOST_BYTES) throw new RunError(`${what}: ${mega(end - heap)} of tables and work space found, at most ${mega(MOST_BYTES)} expected in a page`);
  const short = Math.ceil((end - memory.buffer.byteLength) / PAGE);
  if (short > 0 && memory.grow(short) < 0) throw new RunError(`${what}: the browser gives no more memory`);
  arrays.forEach(({ contents }, k) => contents && write(memory, places[k]!, contents));
  write(memory, places[HEAD]!, BigInt64Array.from(view, (word, k) => (k < HEAD ? BigInt(places[k]!) : word)));
  return { places: places.slice(0, HEAD), more: places.slice(HEAD) };
}

const write = (memory: WebAssembly.Memory, at: number, from: Numbers): void => new Uint8Array(memory.buffer, at).set(new Uint8Array(from.buffer, from.byteOffset, from.byteLength));

/** Fills tables; throws a RunError where they would be too large. */
export function fill(instance: Instance, filling: Filling): Filled {
  const { arrays, ends, entry, numbers } = filling;
  const { places, more } = placed(instance, filling, [ends.byteLength, 4 * numbers]);
  const { exports, memory } = instance;
  const [record, sent, scratch] = more as [number, number, number];
  write(memory, sent, ends);
  const found = (exports[entry] as (...at: number[]) => number)(record, sent, scratch);
  return {
    found,
    own: new BigInt64Array(memory.buffer, places[HEAD - 2], arrays[HEAD - 2]!.bytes / 8).slice(),
    table: new Int16Array(memory.buffer, places[HEAD - 1], arrays[HEAD - 1]!.bytes / 2).slice(),
  };
}

const mega = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString("en")} MB`;
