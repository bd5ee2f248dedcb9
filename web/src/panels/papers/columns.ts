/** The figures by which networks are compared: what each column shows, and how rows are sorted by it. */
import { fixed } from "../../data/words";
import type { Group, Row } from "./data";

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly value: (row: Row) => number; // what is sorted by
  readonly show: (row: Row, least: number) => string; // least: links of the network that has fewest
  readonly best: "least" | "most" | null;
}

/** A count for people. */
export const count = (value: number): string => value.toLocaleString("en");
const range = ([least, most]: readonly [number, number]): string => (least === most ? count(most) : `${count(least)} to ${count(most)}`);

export const COLUMNS: readonly Column[] = [
  { id: "links", title: "Links", value: (row) => row.links, show: (row) => count(row.links), best: null },
  { id: "degree", title: "Links of a router", value: (row) => row.degree[1], show: (row) => range(row.degree), best: null },
  { id: "diameter", title: "Diameter, hops", value: (row) => row.diameter, show: (row) => count(row.diameter), best: "least" },
  { id: "average", title: "Average distance, hops", value: (row) => row.average, show: (row) => fixed(row.average, 4), best: "least" },
  { id: "bisection", title: "Bisection, links", value: (row) => row.bisection[0], show: (row) => range(row.bisection), best: null },
  { id: "cost", title: "Links, times the fewest", value: (row) => row.links, show: (row, least) => fixed(row.links / least, 2), best: null },
  { id: "capacity", title: "Bound on uniform load", value: (row) => row.capacity, show: (row) => fixed(row.capacity, 3), best: "most" },
  { id: "equal", title: "Bound at equal cost", value: (row) => row.capacity / row.links, show: (row, least) => fixed((row.capacity * least) / row.links, 3), best: "most" },
];

/** Rows in the order of a column, the best first (the fewest links, the widest bisection); as they come where there is no such column. */
export function sorted(group: Group, by: string): Row[] {
  const column = COLUMNS.find((each) => each.id === by);
  if (!column) return [...group.rows];
  const turn = column.best === "most" || column.id === "bisection" ? -1 : 1;
  return [...group.rows].sort((a, b) => turn * (column.value(a) - column.value(b)));
}
