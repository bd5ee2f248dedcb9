/** The thread beside the page: gets the compiled module and work, answers with what it gives (`beside.ts`). */
import { fill, type Filling } from "./filling";
import { RunError } from "./types";
import { worst, type Loaded } from "./worst";

export interface Work {
  readonly module: WebAssembly.Module;
  readonly pages: number;
  readonly filling?: Filling;
  readonly loaded?: Loaded;
}

export type Answer = { readonly done: unknown } | { readonly wrong: string; readonly foreseen: boolean };

const here = self as unknown as Worker; // types know a window alone

here.onmessage = async ({ data }: MessageEvent<Work>): Promise<void> => {
  try {
    const memory = new WebAssembly.Memory({ initial: data.pages });
    const { exports } = await WebAssembly.instantiate(data.module, { env: { memory } });
    if (data.loaded) here.postMessage({ done: worst({ memory, exports }, data.loaded) } satisfies Answer);
    if (!data.filling) return;
    const done = fill({ memory, exports }, data.filling);
    here.postMessage({ done } satisfies Answer, [done.own.buffer, done.table.buffer]);
  } catch (error) {
    here.postMessage({ wrong: error instanceof Error ? error.message : String(error), foreseen: error instanceof RunError } satisfies Answer);
  }
};
