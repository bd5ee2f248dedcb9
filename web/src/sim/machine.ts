/** A run's memory in WebAssembly: the blocks of an image laid out, with the addresses and functions written in. */
import type { Kernels } from "./kernels";
import type { Layout, Packed, Runs } from "./runs";
import { type Instance, RunError } from "./types";

const PAGE = 1 << 16;
const LINE = 64;

const TABLES = ["view.own", "view.table"];

type Call = (...args: number[]) => number;

/** A change of what the image has, made whenever its blocks have been written. */
export type Alter = (machine: Machine) => void;

/** One instance of the module with one run in its memory. */
export class Machine {
  readonly layout: Layout;
  private exports: Record<string, unknown>;
  private readonly memory: WebAssembly.Memory;
  private told: string | null = null; // of the record, in the code of the run
  private readonly field: Map<string, number>;
  private readonly counters: Map<string, number>;
  private readonly places = new Map<string, { address: number; bytes: number }>();
  private readonly slots = new Map<string, number>();
  private end: number;
  /** Terminals and channels that are in service. */
  terminals = 0;
  channels = 0;
  private tabled = false; // its routing's tables stand there, and nothing writes to them

  private constructor(
    readonly image: Runs,
    readonly run: Packed,
    private readonly kernels: Kernels,
    { exports, memory }: Instance,
    private readonly altered: Alter,
  ) {
    this.layout = kernels.layout;
    [this.exports, this.memory] = [exports, memory];
    this.field = new Map(this.layout.record.map((name, k) => [name, k]));
    this.counters = new Map(this.layout.counter.map((name, k) => [name, k]));
    this.end = (this.exports.__heap_base as WebAssembly.Global).value as number;
    this.reserve("record", run.record.byteLength);
    for (const [name, { bytes }] of Object.entries(run.blocks)) this.reserve(name, bytes);
    this.fill();
  }

  static async of(image: Runs, run: Packed, kernels: Kernels, altered: Alter): Promise<Machine> {
    if (image.mark !== kernels.layout.mark)
      throw new RunError(`a run image of ${image.mark} found, ${kernels.layout.mark} expected: of another version`);
    return new Machine(image, run, kernels, await kernels.instance(), altered);
  }

  /** From now on it can simulate cycles; what its code has stands still. */
  async ready(): Promise<this> {
    const record = this.longs("record");
    const { exports } = await this.kernels.instanceOf(record, this.memory);
    [this.exports, this.told] = [exports, this.kernels.told(record)];
    const slots = [...this.slots];
    this.slots.clear();
    for (const [name, at] of slots) if (this.slot(name) !== at) throw new RunError(`${name} found at another place of the table`);
    return this;
  }

  /** Write all blocks as they are at cycle 0, and the addresses into them. */
  fill(): void {
    new BigInt64Array(this.memory.buffer, this.record, this.run.record.length).set(this.run.record);
    for (const [name, { contents }] of Object.entries(this.run.blocks)) {
      if (this.tabled && TABLES.includes(name)) continue;
      const { address, bytes } = this.places.get(name)!;
      const here = new Uint8Array(this.memory.buffer, address, bytes);
      if (contents) here.fill(0).set(new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength));
      else here.fill(0);
    }
    this.tabled = true;
    for (const [block, word, to] of this.image.links) this.setWord(block, word, this.address(to));
    for (const { block, word, name } of this.run.calls) this.setWord(block, word, this.slot(name));
    for (const rows of ["packet", "flit", "batches"]) this.setRows(rows);
    const { pattern, terminals } = this.run;
    if (pattern) {
      this.setWord("class_calls", 2, pattern.size);
      this.setWord("class_calls", 6, pattern.draws);
    }
    if (this.run.begun) this.begin(this.run.begun);
    this.call("join_links", this.record, this.address("view.neighbor"), this.address("view.far_port"));
    [this.terminals, this.channels] = [terminals, this.image.channels];
    this.altered(this);
    if (this.told !== null && this.kernels.told(this.longs("record")) !== this.told) throw new RunError("a run with other sizes than at its start found");
  }

  /** All that is not zero in a memory that the page has made room for. */
  private begin({ cycles, longest }: { readonly cycles: number; readonly longest: number }): void {
    const [ends, sinks] = ["net.terminals", "net.sinks"].map((name) => this.address(name)) as [number, number];
    const latency = this.run.blocks["net.latency"] ? this.address("net.latency") : 0;
    this.call("begin_run", this.record, ends, sinks, latency, cycles, longest);
  }

  /** Room of so many bytes at the end of the memory, under a name. */
  reserve(name: string, bytes: number): number {
    const address = Math.ceil(this.end / LINE) * LINE;
    this.end = address + bytes;
    const short = Math.ceil((this.end - this.memory.buffer.byteLength) / PAGE);
    if (short > 0 && this.memory.grow(short) < 0) throw new RunError("the browser gives no more memory");
    this.places.set(name, { address, bytes });
    return address;
  }

  /** The address of room of so many bytes under a name, made where there is none. */
  room(name: string, bytes: number): number {
    return this.places.get(name)?.address ?? this.reserve(name, bytes);
  }

  /** Make a block several times as long, its contents first and zeros after them. */
  lengthen(name: string, times: number): void {
    const { address, bytes } = this.places.get(name)!;
    const to = this.reserve(name, bytes * times);
    new Uint8Array(this.memory.buffer).copyWithin(to, address, address + bytes);
    for (const [block, word, of] of this.image.links) if (of === name) this.setWord(block, word, to);
    this.setRows(name);
  }

  private setRows(name: string): void {
    const { bytes } = this.places.get(name)!;
    if (name === "packet") this.setSize("packet_rows", bytes / (8 * this.layout.packet_fields));
    if (name === "batches") this.setSize("batches_rows", bytes / (8 * this.layout.batch_fields));
  }

  /** The place of a function in the module's table. */
  private slot(name: string): number {
    let slot = this.slots.get(name);
    if (slot !== undefined) return slot;
    const made = this.exports[name];
    if (made === undefined) throw new RunError(`${name} is not compiled for the page`);
    slot = (this.exports.__indirect_function_table as WebAssembly.Table).grow(1, made);
    this.slots.set(name, slot);
    return slot;
  }

  address(name: string): number {
    return this.places.get(name)!.address;
  }

  get record(): number {
    return this.address("record");
  }

  has(name: string): boolean {
    return name in this.exports;
  }

  /** Call an entry with plain numbers. */
  call(entry: string, ...args: number[]): number {
    return (this.exports[entry] as Call)(...args);
  }

  /** Call a function of the table's kind, of 64-bit numbers. */
  ask(name: string, ...args: number[]): number {
    return Number((this.exports[name] as (...args: bigint[]) => bigint)(...args.map(BigInt)));
  }

  setWord(block: string, word: number, value: number): void {
    new BigInt64Array(this.memory.buffer, this.address(block) + 8 * word, 1)[0] = BigInt(value);
  }

  size(name: string): number {
    return Number(new BigInt64Array(this.memory.buffer, this.record + 8 * this.field.get(name)!, 1)[0]);
  }

  setSize(name: string, value: number): void {
    this.setWord("record", this.field.get(name)!, value);
  }

  /** A counter by its name in `Counters`. */
  counter(name: string): number {
    return Number(this.longs("counter")[this.counters.get(name)!]);
  }

  setCounter(name: string, value: number): void {
    this.setWord("counter", this.counters.get(name)!, value);
  }

  /** 64-bit numbers of a block. */
  longs(name: string): BigInt64Array {
    const { address, bytes } = this.places.get(name)!;
    return new BigInt64Array(this.memory.buffer, address, bytes / 8);
  }

  /** 32-bit numbers of a block. */
  ints(name: string): Int32Array {
    const { address, bytes } = this.places.get(name)!;
    return new Int32Array(this.memory.buffer, address, bytes / 4);
  }

  /** A place to write answers to, for so many 32-bit numbers, which is none of the run's blocks; its address is its `byteOffset`. */
  answer(name: string, count: number): Int32Array {
    const own = `answer ${name}`; // a block may have that name
    const there = this.places.get(own);
    if (!there || there.bytes < 4 * count) this.reserve(own, 4 * Math.max(count, 1));
    return new Int32Array(this.memory.buffer, this.address(own), count);
  }
}
