/** Sums and statistics of doubles, to the last bit as NumPy and `jumpnet.sim.measure.statistics` have them. */

const BLOCK = 128;

/** NumPy's pairwise sum of numbers first..first+n-1. */
export function sum(x: ArrayLike<number>, first = 0, n = x.length): number {
  if (n < 8) {
    let total = n ? x[first]! : 0;
    for (let k = 1; k < n; k++) total += x[first + k]!;
    return total;
  }
  if (n <= BLOCK) {
    const r = Array.from({ length: 8 }, (_, k) => x[first + k]!);
    const whole = n - (n % 8);
    for (let k = 8; k < whole; k += 8) for (let j = 0; j < 8; j++) r[j]! += x[first + k + j]!;
    let total = r[0]! + r[1]! + (r[2]! + r[3]!) + (r[4]! + r[5]! + (r[6]! + r[7]!));
    for (let k = whole; k < n; k++) total += x[first + k]!;
    return total;
  }
  let half = Math.floor(n / 2);
  half -= half % 8;
  return sum(x, first, half) + sum(x, first + half, n - half);
}

export function mean(x: ArrayLike<number>): number {
  return x.length ? sum(x) / x.length : NaN;
}

/** Half width of the 95% confidence interval of the mean; `student` are quantiles by degrees of freedom, from 1. */
export function halfWidth(x: number[], student: number[]): number {
  if (x.length < 2) return Infinity;
  const middle = mean(x);
  const squares = x.map((value) => (value - middle) * (value - middle));
  const quantile = student[Math.min(x.length - 1, student.length) - 1]!;
  return (quantile * Math.sqrt(sum(squares) / (x.length - 1))) / Math.sqrt(x.length);
}

/** Means of about so many equal groups of neighbouring batches, empty groups left out. */
export function mergeBatches(sums: number[], counts: number[], batches: number): number[] {
  const size = Math.max(1, Math.floor(sums.length / batches));
  const means: number[] = [];
  for (let first = 0; first + size <= sums.length; first += size) {
    let total = 0;
    let count = 0;
    for (let k = first; k < first + size; k++) {
      total += sums[k]!;
      count += counts[k]!;
    }
    if (count > 0) means.push(total / count);
  }
  return means;
}

/** Smallest value with at least q (0..1) of the counts at or below it. */
export function percentile(histogram: ArrayLike<number>, q: number): number {
  let total = 0;
  for (let k = 0; k < histogram.length; k++) total += histogram[k]!;
  if (total === 0) return NaN;
  const least = Math.ceil(q * total);
  for (let k = 0, below = 0; k < histogram.length; k++) {
    below += histogram[k]!;
    if (below >= least) return k;
  }
  return histogram.length;
}

/** The largest value that a histogram counts. */
export function longest(histogram: ArrayLike<number>): number {
  for (let k = histogram.length - 1; k >= 0; k--) if (histogram[k]!) return k;
  return NaN;
}

/** Jain's index of fairness. */
export function jain(values: number[]): number {
  const square = sum(values.map((x) => x * x));
  const total = sum(values);
  return square > 0 ? (total * total) / (values.length * square) : NaN;
}
