/** Messages on their way in a step, as dots over the drawing. */

/** Transfers over channels, those of a step together. */
export interface Transfers {
  readonly step: Int32Array; // ascending
  readonly channel: Int32Array;
}

/** Dots of the messages that cross channels in a step, so far along them. */
export function dotsOf(moves: Transfers, step: number, share: number, colour: number): Float32Array {
  const dots: number[] = [];
  for (let k = 0; k < moves.step.length && moves.step[k]! <= step; k++) if (moves.step[k] === step) dots.push(moves.channel[k]!, share, colour);
  return Float32Array.from(dots);
}
