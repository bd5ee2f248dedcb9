/** The compared networks as a table, the best figure of each column marked. */
import { el, facts } from "../../shell/controls";
import { COLUMNS, type Column } from "./columns";
import type { Row } from "./data";

const fewest = (rows: readonly Row[]): number => Math.min(...rows.map(({ links }) => links));

/** The best value of a column, null where none is better than another. */
function bestOf({ best, value }: Column, rows: readonly Row[]): number | null {
  if (best === null) return null;
  return (best === "least" ? Math.min : Math.max)(...rows.map(value));
}

export function figuresTable(rows: readonly Row[]): HTMLElement {
  const least = fewest(rows);
  const best = COLUMNS.map((column) => bestOf(column, rows));
  const cell = (row: Row, column: Column, k: number): HTMLElement => {
    const looks = column.value(row) === best[k] ? "number best" : "number";
    return el("td", { class: looks, title: column.id === "bisection" ? row.how : null }, column.show(row, least));
  };
  const heads = ["Network", ...COLUMNS.map(({ title }) => title)].map((title, k) => el("th", { scope: "col", class: k ? "number" : null }, title));
  const lines = rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.spec), ...COLUMNS.map((column, k) => cell(row, column, k))));
  return el("div", { class: "figures" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...lines)));
}

/** Figures of one network alone, for below its drawing where the table would be wider than the page. */
export function figuresOf(row: Row, rows: readonly Row[]): HTMLElement {
  const least = fewest(rows);
  return facts(COLUMNS.map((column) => [column.title, column.show(row, least)]));
}
