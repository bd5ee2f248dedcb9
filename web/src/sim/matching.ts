/**
 * Heaviest matchings of bipartite graphs. Where several are alike, the one that SciPy gives, as Python's `worst` rests on it:
 * vertices and edges are looked at in the same order. `tests/web/simulator/test_worst.py` holds both against it.
 */

/** Edges by their sources: those of source s are the columns from first[s] to before first[s + 1]. */
export interface Edges {
  readonly first: Int32Array;
  readonly to: Int32Array;
}

/** A matching of most edges: the column of each source, -1 for none. Hopcroft and Karp 1973. */
export function largest({ first, to }: Edges, columns: number): Int32Array {
  const sources = first.length - 1;
  const [free, far] = [sources, Infinity]; // a source that stands for no source, at no distance
  const columnOf = new Int32Array(sources).fill(-1);
  const sourceOf = new Int32Array(columns).fill(free);
  const from = new Int32Array(sources);
  const depth = new Float64Array(sources + 1);
  for (;;) {
    const queue: number[] = [];
    depth.fill(far);
    for (let s = 0; s < sources; s++) if (columnOf[s]! < 0) depth[s] = queue.push(s) && 0;
    for (const s of queue) {
      if (depth[s]! >= depth[free]!) continue;
      for (let e = first[s]!; e < first[s + 1]!; e++) {
        const next = sourceOf[to[e]!]!;
        if (depth[next] !== far) continue;
        depth[next] = depth[s]! + 1;
        queue.push(next); // which the loop comes to
      }
    }
    if (depth[free] === far) return columnOf;
    for (let root = 0; root < sources; root++) if (columnOf[root]! < 0) augment(root);
  }

  /** Follows shortest ways from a source without a column, depth first, and changes the matching along one. */
  function augment(root: number): void {
    const stack = [root];
    for (let s = stack.pop(); s !== undefined; s = stack.pop()) {
      for (let e = first[s]!; e < first[s + 1]!; e++) {
        const column = to[e]!;
        const next = sourceOf[column]!;
        if (depth[next] !== depth[s]! + 1) continue;
        if (next === free) return turn(root, s, column);
        stack.push(next);
        from[next] = s;
      }
    }
  }

  function turn(root: number, last: number, end: number): void {
    for (let [s, column] = [last, end]; ; s = from[s]!) {
      depth[s] = far; // it is on one way alone
      const before = columnOf[s]!;
      [sourceOf[column], columnOf[s]] = [s, column];
      if (s === root) return;
      column = before;
    }
  }
}

/**
 * A matching of the most weight of a full table (rows x columns, row by row): the column of each row, -1 for none.
 * Shortest augmenting paths, Crouse 2016, for no more rows than columns; else on the table turned over.
 */
export function heaviest(weight: Float64Array, rows: number, columns: number): Int32Array {
  if (columns < rows) {
    const turned = new Float64Array(weight.length);
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) turned[c * rows + r] = weight[r * columns + c]!;
    const back = new Int32Array(rows).fill(-1);
    heaviest(turned, columns, rows).forEach((row, column) => (back[row] = column));
    return back;
  }
  const [ofRow, ofColumn] = [new Float64Array(rows), new Float64Array(columns)]; // dual variables
  const [cost, way] = [new Float64Array(columns), new Int32Array(columns)];
  const columnOf = new Int32Array(rows).fill(-1);
  const rowOf = new Int32Array(columns).fill(-1);
  for (let row = 0; row < rows; row++) {
    const [seen, taken]: [number[], number[]] = [[], []];
    const left = Int32Array.from({ length: columns }, (_, k) => columns - 1 - k);
    cost.fill(Infinity);
    let [least, at, end, count] = [0, row, -1, columns];
    while (end < 0) {
      let [lowest, index] = [Infinity, -1];
      seen.push(at);
      for (let k = 0; k < count; k++) {
        const c = left[k]!;
        const price = least - weight[at * columns + c]! - ofRow[at]! - ofColumn[c]!;
        if (price < cost[c]!) [way[c], cost[c]] = [at, price];
        if (cost[c]! < lowest || (cost[c] === lowest && rowOf[c] === -1)) [lowest, index] = [cost[c]!, k];
      }
      least = lowest;
      const c = left[index]!;
      if (rowOf[c] === -1) end = c;
      else at = rowOf[c]!;
      taken.push(c);
      left[index] = left[--count]!;
    }
    ofRow[row]! += least;
    for (const r of seen) if (r !== row) ofRow[r]! += least - cost[columnOf[r]!]!;
    for (const c of taken) ofColumn[c]! -= least - cost[c]!;
    for (let c = end; ; ) {
      const r = way[c]!;
      rowOf[c] = r;
      [columnOf[r], c] = [c, columnOf[r]!];
      if (r === row) break;
    }
  }
  return columnOf;
}
