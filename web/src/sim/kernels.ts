/** The compiled simulator: one WebAssembly module, and what is made of it for a run. */
import { callsOf, fixed } from "./fixed";
import { fill, type Filled, type Filling } from "./filling";
import type { Layout } from "./runs";
import { type Bytes, type Instance, RunError } from "./types";
import { worst, type Loaded } from "./worst";

const KEPT = 4; // modules of runs: those of a curve are one, those of a page not many

/** The compiled functions: one WebAssembly module. */
export class Kernels {
  private readonly calls: readonly number[]; // that become constants
  private asked: Promise<Instance> | null = null;
  /** Tables that have been filled lately, by what they are of. */
  readonly made = new Map<string, Promise<Filled>>();
  /** Fills tables: here, unless the page has that done beside it. */
  fill: (filling: Filling) => Promise<Filled> = async (filling) => fill(await this.instance(), filling);
  /** Finds the permutation that loads a routing most, likewise. */
  worst: (loaded: Loaded) => Promise<number[]> = async (loaded) => worst(await this.instance(), loaded);
  private readonly ofRuns = new Map<string, Promise<WebAssembly.Module>>();

  private constructor(
    private readonly bytes: Uint8Array<ArrayBuffer>,
    readonly module: WebAssembly.Module,
    readonly layout: Layout,
  ) {
    this.calls = callsOf(bytes, layout.fixed);
  }

  static async load(given: Bytes): Promise<Kernels> {
    const bytes = new Uint8Array(given);
    const module = await WebAssembly.compile(bytes);
    const section = WebAssembly.Module.customSections(module, "jumpnet")[0];
    if (!section) throw new RunError("a WebAssembly module without jumpnet's names found");
    return new Kernels(bytes, module, JSON.parse(new TextDecoder().decode(section)) as Layout);
  }

  /** Names of the functions that it has: entries, and what images call (relations, patterns, processes). */
  get names(): string[] {
    return WebAssembly.Module.exports(this.module).map((one) => one.name);
  }

  /** An instance that does all but simulate cycles. */
  async instance(): Promise<Instance> {
    const memory = new WebAssembly.Memory({ initial: this.layout.pages });
    return { memory, exports: (await WebAssembly.instantiate(this.module, { env: { memory } })).exports };
  }

  /** An instance that sizes of runs are asked of. */
  desk(): Promise<Instance> {
    return (this.asked ??= this.instance());
  }

  /** What of a record stands in the code of its run, as one text. */
  told(record: BigInt64Array): string {
    return this.layout.fixed.fields.map((field) => record[field]).join();
  }

  /** An instance on the same memory, for the run with this record. */
  async instanceOf(record: BigInt64Array, memory: WebAssembly.Memory): Promise<Instance> {
    const told = this.told(record);
    const module = this.ofRuns.get(told) ?? WebAssembly.compile(fixed(this.bytes, this.calls, record));
    this.ofRuns.delete(told);
    this.ofRuns.set(told, module); // the last one
    for (const old of this.ofRuns.keys()) if (this.ofRuns.size > KEPT) this.ofRuns.delete(old);
    return { memory, exports: (await WebAssembly.instantiate(await module, { env: { memory } })).exports };
  }
}
