/** What stays as it is during a run, written into the code as constants: a browser's compiler makes more of that. */
import { RunError } from "./types";

const CONST = 0x42; // i64.const, as long as the call that stands there: six bytes
const MOST = 2 ** 34; // of five bytes of seven bits

/** `places` of the names table: for each call its distance from the one before and the number of its field; see `web/kernels/fixed.py`. */
export function fixed(bytes: Uint8Array, places: readonly number[], record: BigInt64Array): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(bytes);
  for (let k = 0, at = 0; k < places.length; k += 2) {
    at += places[k]!;
    let value = Number(record[places[k + 1]!]!);
    if (value >= MOST || value < -MOST) throw new RunError(`${value} found in a run's record, below ${MOST} expected`);
    made[at] = CONST;
    for (let byte = 1; byte < 6; byte++) {
      const low = ((value % 128) + 128) % 128;
      made[at + byte] = byte < 5 ? low | 128 : low;
      value = Math.floor(value / 128);
    }
  }
  return made;
}
