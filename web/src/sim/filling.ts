/** Tables of a routing, filled by the compiled Python (`routings.refilled`): in this thread, or in one beside it. */
import type { Block, Numbers } from "./runs";
import { type Instance, RunError } from "./types";

const PAGE = 1 << 16;
const MOST_BYTES = 1 << 30; // of tables and work space

/** What a routing sees, as a memory is to have it. */
export interface Seen {
  readonly what: string; // whose it is, in words
  /** Arrays of the view, in its order, the last two of them own and table; and its record, which begins with their addresses. */
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

/** Addresses of what is written into a memory. */
export interface Places {
  /** Of the arrays of the view, in its order. */
  readonly arrays: readonly number[];
  /** Of the view's record. */
  readonly view: number;
  /** Of work space, as many as were asked for. */
  readonly rooms: readonly number[];
}

/** Writes what a routing sees into a memory of its own, and makes rooms of so many bytes behind it. */
export function placed(instance: Instance, { what, arrays, view }: Seen, rooms: readonly number[]): Places {
  const { memory } = instance;
  const sizes = [...arrays.map(({ bytes }) => bytes), view.byteLength, ...rooms];
  const heap = (instance.exports.__heap_base as WebAssembly.Global).value as number;
  const { addresses, end } = inTurn(heap, sizes);
  if (end - heap > MOST_BYTES) throw new RunError(`${what}: ${mega(end - heap)} of tables and work space found, at most ${mega(MOST_BYTES)} expected in a page`);
  if (!holds(memory, end)) throw new RunError(`${what}: the browser gives no more memory`);
  arrays.forEach(({ contents }, k) => contents && write(memory, addresses[k]!, contents));
  const places = { arrays: addresses.slice(0, arrays.length), view: addresses[arrays.length]!, rooms: addresses.slice(arrays.length + 1) };
  write(memory, places.view, BigInt64Array.from(view, (word, k) => BigInt(places.arrays[k] ?? word))); // it begins with their addresses
  return places;
}

/** Addresses of blocks of so many bytes, one after the other, each a multiple of eight; and where the last one ends. */
function inTurn(start: number, sizes: readonly number[]): { readonly addresses: number[]; readonly end: number } {
  let end = start;
  const addresses = sizes.map((bytes) => {
    const at = Math.ceil(end / 8) * 8;
    end = at + bytes;
    return at;
  });
  return { addresses, end };
}

/** Whether a memory has so many bytes, grown where it had fewer. */
function holds(memory: WebAssembly.Memory, bytes: number): boolean {
  const short = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  return short <= 0 || memory.grow(short) >= 0;
}

const write = (memory: WebAssembly.Memory, at: number, from: Numbers): void => new Uint8Array(memory.buffer, at).set(new Uint8Array(from.buffer, from.byteOffset, from.byteLength));

/** Fills tables; throws a RunError where they would be too large. */
export function fill(instance: Instance, filling: Filling): Filled {
  const { arrays, ends, entry, numbers } = filling;
  const places = placed(instance, filling, [ends.byteLength, 4 * numbers]);
  const { exports, memory } = instance;
  const [sent, scratch] = places.rooms as [number, number];
  write(memory, sent, ends);
  const found = (exports[entry] as (...at: number[]) => number)(places.view, sent, scratch);
  const [own, table] = [arrays.at(-2)!, arrays.at(-1)!]; // which the entry has written
  return {
    found,
    own: new BigInt64Array(memory.buffer, places.arrays.at(-2), own.bytes / 8).slice(),
    table: new Int16Array(memory.buffer, places.arrays.at(-1), table.bytes / 2).slice(),
  };
}

const mega = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString("en")} MB`;
