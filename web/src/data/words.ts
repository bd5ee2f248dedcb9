/** Texts that are too long for where they stand, names that are nearly right, and what has a name. */

/** What stands under each name and nothing else: not what every object has, as `constructor`. */
export const byName = <T>(...all: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> => Object.assign(Object.create(null), ...all);

/** "1 hop", "2 hops". */
export const quantity = (n: number, what: string): string => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

/** A number with so many decimals. What lies in the middle of two goes to the even one, as in the figures of the commands:
 * only a multiple of a power of two can, and multiplying by one is exact. */
export function fixed(value: number, decimals: number): string {
  const up = value.toFixed(decimals); // away from 0 there
  const middle = Math.abs((value * 2 ** (decimals + 1)) % 2) === 1;
  if (!middle || Number(up.at(-1)) % 2 === 0) return up;
  return (Number(up) - Math.sign(value) * 10 ** -decimals).toFixed(decimals);
}

/** A text of at most so many characters: its beginning and its end, with … for what is left out between. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor((most - 1) / 3);
  return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`;
}

/** The nearest of some names, "" where more than a third of its letters would be wrong. */
export function alike(name: string, among: readonly string[]): string {
  const [near] = [...among].sort((a, b) => steps(name, a) - steps(name, b));
  return near && steps(name, near) <= near.length / 3 ? near : "";
}

/** Letters to put in, take out, change, or exchange with the next one until one name is the other. */
export function steps(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, k) => k)];
  for (let i = 0; i < one.length; i++) {
    const [before, row, next] = [rows[i - 1], rows[i]!, [i + 1]];
    for (let k = 0; k < other.length; k++) {
      const exchanged = before && k && one[i] === other[k - 1] && one[i - 1] === other[k] ? before[k - 1]! + 1 : Infinity;
      next.push(Math.min(row[k + 1]! + 1, next[k]! + 1, row[k]! + Number(one[i] !== other[k]), exchanged));
    }
    rows.push(next);
  }
  return rows.at(-1)!.at(-1)!;
}
