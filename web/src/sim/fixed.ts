/** What stays as it is during a run, written into the code as constants: a browser's compiler makes more of that. */
import { RunError } from "./types";

const CALL = 0x10;
const CONST = 0x42; // i64.const, as long as the call that stands there: six bytes
const MOST = 2 ** 34; // of five bytes of seven bits

/** Functions that stand for fields of the record: the number of the first in the module, and each one's field; see `web/kernels/fixed.py`. */
export interface Fields {
  readonly first: number;
  readonly fields: readonly number[];
}

/** Calls of them: where each is, then its field; nothing else in the module is such words. */
export function callsOf(bytes: Uint8Array, { first, fields }: Fields): readonly number[] {
  const found = [];
  for (let at = bytes.indexOf(CALL); at >= 0; at = bytes.indexOf(CALL, at + 1)) {
    const [low, high] = [bytes[at + 1]!, bytes[at + 2]!];
    if (!(low & high & 128) || bytes[at + 3] !== 128 || bytes[at + 4] !== 128 || bytes[at + 5] !== 0) continue;
    const field = fields[((low & 127) | ((high & 127) << 7)) - first];
    if (field !== undefined) found.push(at, field);
  }
  return found;
}

/** The module with the record's numbers in place of the calls that `callsOf` has found. */
export function fixed(bytes: Uint8Array, calls: readonly number[], record: BigInt64Array): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(bytes);
  for (let k = 0; k < calls.length; k += 2) {
    const at = calls[k]!;
    let value = Number(record[calls[k + 1]!]!);
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
