/** Work beside the page, in a thread of its own: one at a time, which can be stopped and takes no longer than a bound. */
import { RunError } from "./types";
import type { Answer, Work } from "./worker";

declare const WORKER: string; // what `worker.ts` is bundled to: `build.mjs`

export const MOST_SECONDS = 120;
const LATE = 400; // ms after which it is told of
const TOLD_EVERY = 500; // ms

/** What is worked at, and for how many seconds. */
export interface Told {
  readonly what: string;
  readonly seconds: number;
}

let stopNow: ((why: string) => void) | null = null;
let told: (now: Told | null) => void = () => undefined;

/** From now on this is told what is worked at, and null when that is over. */
export function listen(to: (now: Told | null) => void): void {
  told = to;
}

/** Ends what is worked at; whoever waits for it gets a RunError. */
export function stop(why = "stopped; choose something else, and this again, to begin anew"): void {
  stopNow?.(why);
}

/** Has work done; what was worked at before is stopped. */
export function beside<T>(what: string, work: Work): Promise<T> {
  stop();
  return new Promise<T>((done, fail) => {
    const address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    const thread = new Worker(address);
    const began = performance.now();
    const seconds = (): number => (performance.now() - began) / 1000;
    const tell = (): void => (seconds() > MOST_SECONDS ? end(`not done within ${MOST_SECONDS} seconds; Python has no such bound`) : told({ what, seconds: seconds() }));
    let clock = window.setTimeout(() => {
      tell();
      if (stopNow === end) clock = window.setInterval(tell, TOLD_EVERY);
    }, LATE);
    const over = (): void => {
      window.clearTimeout(clock);
      window.clearInterval(clock);
      thread.terminate();
      URL.revokeObjectURL(address);
      if (stopNow === end) stopNow = null;
      told(null);
    };
    const end = (why: string): void => {
      over();
      fail(new RunError(`${what}: ${why}`));
    };
    stopNow = end;
    thread.onerror = (event) => end(event.message || "no thread beside the page found");
    thread.onmessage = ({ data }: MessageEvent<Answer>) => {
      over();
      if ("done" in data) done(data.done as T);
      else fail(data.foreseen ? new RunError(data.wrong) : new Error(data.wrong));
    };
    thread.postMessage(work);
  });
}
