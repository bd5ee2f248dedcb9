/** The papers' networks side by side with others of their size: drawings, distances, figures. */
import { Camera } from "../../draw/camera";
import { css, forgetColours, rgb } from "../../draw/colours";
import { drawing } from "../../draw/drawing";
import { paint } from "../../draw/paint";
import { CanvasPainter, SvgPainter, type Painter } from "../../draw/painter";
import type { Network } from "../../data/network";
import { ruleOf } from "../../data/rules";
import { button, choice, el, facts, note, segments } from "../../shell/controls";
import type { App, Mounted, Panel } from "../../shell/panel";
import { word } from "../../shell/elsewhere";
import type { State, Value } from "../../state/state";
import { held, waiting, ready } from "../data";
import { fileName, keepText, svg } from "../picture";

interface Row {
  readonly spec: string;
  readonly routers: number;
  readonly links: number;
  readonly degree: readonly [number, number];
  readonly diameter: number;
  readonly average: number;
  readonly pairs: readonly number[]; // ordered pairs of routers by distance, from 0
  readonly bisection: readonly [number, number];
  readonly how: string;
  readonly capacity: number;
}

interface Group {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

interface Data {
  readonly groups: readonly Group[];
}

interface Column {
  readonly id: string;
  readonly title: string;
  readonly value: (row: Row) => number; // what is sorted by
  readonly show: (row: Row, least: number) => string; // least: links of the network that has fewest
  readonly best: "least" | "most" | null;
}

const ID = "papers";
const USUAL = "256"; // routers of the group that is shown first
const [WIDE, HIGH] = [250, 216]; // pixels of a drawing
const EDGE = 8;
const count = (value: number): string => value.toLocaleString("en");
const range = ([least, most]: readonly [number, number]): string => (least === most ? count(most) : `${count(least)} to ${count(most)}`);

const COLUMNS: readonly Column[] = [
  { id: "links", title: "Links", value: (row) => row.links, show: (row) => count(row.links), best: null },
  { id: "degree", title: "Links of a router", value: (row) => row.degree[1], show: (row) => range(row.degree), best: null },
  { id: "diameter", title: "Diameter", value: (row) => row.diameter, show: (row) => count(row.diameter), best: "least" },
  { id: "average", title: "Average distance", value: (row) => row.average, show: (row) => row.average.toFixed(4), best: "least" },
  { id: "bisection", title: "Bisection, links", value: (row) => row.bisection[0], show: (row) => range(row.bisection), best: null },
  { id: "cost", title: "Links, times the fewest", value: (row) => row.links, show: (row, least) => (row.links / least).toFixed(2), best: null },
  { id: "capacity", title: "Bound on uniform load", value: (row) => row.capacity, show: (row) => row.capacity.toFixed(3), best: "most" },
  { id: "equal", title: "Bound at equal cost", value: (row) => row.capacity / row.links, show: (row, least) => ((row.capacity * least) / row.links).toFixed(3), best: "most" },
];

function groupOf(state: State): Group | null {
  const groups = held<Data>(ID)?.groups;
  return groups?.find((each) => each.name === state["papers.group"]) ?? groups?.find((each) => each.name === USUAL) ?? groups?.[0] ?? null;
}

function sorted(group: Group, by: string): Row[] {
  const column = COLUMNS.find((each) => each.id === by);
  if (!column) return [...group.rows];
  const turn = column.best === "most" || column.id === "bisection" ? -1 : 1;
  return [...group.rows].sort((a, b) => turn * (column.value(a) - column.value(b)));
}

/** A network as the page draws it, on a small canvas or in a file. */
function sketch(net: Network, painter: Painter): void {
  const drawn = drawing(net, "plane");
  const camera = new Camera();
  [camera.width, camera.height] = [WIDE, HIGH];
  camera.fit(drawn.low, drawn.high, 0);
  const [across, up] = [0, 1].map((k) => Math.max(0.5, drawn.high[k]! - drawn.low[k]!)) as [number, number];
  camera.scale = Math.min((WIDE - 2 * EDGE) / across, (HIGH - 2 * EDGE) / up);
  camera.shift = [0, 0];
  paint({ drawn, overlay: null, camera, cursor: -1, picked: [] }, painter, true);
}

function onCanvas(net: Network, canvas: HTMLCanvasElement): void {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  [canvas.width, canvas.height] = [WIDE * ratio, HIGH * ratio];
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.scale(ratio, ratio);
  sketch(net, new CanvasPainter(context));
}

async function keepSketch(app: App, spec: string, kind: "svg" | "png"): Promise<void> {
  const painter = new SvgPainter();
  sketch(await app.load(spec), painter);
  await keepText(painter.file(WIDE, HIGH, spec, css(rgb("ground"))), WIDE, HIGH, fileName(spec), kind);
}

/** Part of the pairs at each distance, on one scale for all networks of a group. */
function distances(row: Row, furthest: number, most: number): SVGElement {
  const all = row.pairs.slice(1).reduce((a, b) => a + b, 0);
  const wide = 100 / furthest;
  const bars = row.pairs.slice(1).map((pairs, k) => {
    const share = pairs / all;
    const tall = (30 * share) / most;
    const words = `${k + 1} ${k ? "hops" : "hop"}: ${(100 * share).toFixed(1)} % of the pairs`;
    return svg("rect", { x: k * wide + 0.1 * wide, y: 30 - tall, width: 0.8 * wide, height: tall, style: "fill:var(--hue-0)" }, svg("title", {}, words));
  });
  const at = (row.average - 0.5) * wide;
  const mean = svg("path", { d: `M${at} 0V31`, style: "stroke:var(--accent)", "stroke-width": 0.8 });
  const axis = svg("path", { d: "M0 30.2H100", style: "stroke:var(--quiet)", "stroke-width": 0.4 });
  const words = `Distances in ${row.spec}: average ${row.average.toFixed(2)}, largest ${row.diameter}`;
  return svg("svg", { viewBox: "0 0 100 32", role: "img", "aria-label": words, class: "spread", preserveAspectRatio: "none" }, ...bars, axis, mean);
}

class View {
  private readonly content = el("div");
  private readonly groups;
  private readonly sort;
  private before = "";
  private readonly themed = (): void => {
    forgetColours();
    this.before = "";
    this.update(this.app.state);
  };
  private readonly watch = new MutationObserver(this.themed);
  private readonly system = matchMedia("(prefers-color-scheme: dark)");

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.groups = segments("Routers of the networks", [], "", (value) => app.set({ "papers.group": value }));
    this.sort = choice({
      label: "Order by", value: "", options: [{ value: "", text: "Papers' networks first" }, ...COLUMNS.map(({ id, title }) => ({ value: id, text: title }))],
      change: (value) => app.set({ "papers.sort": value }),
    });
    host.append(this.content);
    this.watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.system.addEventListener("change", this.themed);
  }

  destroy(): void {
    this.watch.disconnect();
    this.system.removeEventListener("change", this.themed);
    this.app.stage(null);
  }

  update(state: State): void {
    const data = held<Data>(ID, this.app);
    const group = groupOf(state);
    if (!data || !group) {
      this.content.replaceChildren(waiting(ID));
      return;
    }
    if (!this.content.contains(this.groups.element)) {
      this.groups.options(data.groups.map(({ name }) => ({ value: name, text: count(Number(name)) })), group.name);
      this.content.replaceChildren(
        el("div", { class: "control choice" }, el("span", {}, "Routers"), this.groups.element), this.sort.element,
        el("details", { class: "about" }, el("summary", {}, "What the columns and bars say"),
          note("Every figure is exact, by searches from all routers; a bisection is given as the bounds that are proved where they do not meet. Networks of a group have about as many links as their families allow, but not the same number."),
          note("Bound at equal cost: the bound if all had as many wires as the network with the fewest links, shared among their links; so links of the others are narrower."),
          note("Bars: pairs of routers by their distance, on one scale. The line marks the average."),
          note("Bound on uniform load: flits a terminal could inject each cycle if every channel were busy all the time on shortest paths; no routing passes it."),
        ),
      );
    }
    this.groups.set(group.name);
    this.sort.set(String(state["papers.sort"]));
    const now = `${group.name} ${state["papers.sort"]}`;
    if (now === this.before) return;
    this.before = now;
    this.show(group, sorted(group, String(state["papers.sort"])));
  }

  private show(group: Group, rows: readonly Row[]): void {
    const furthest = Math.max(...rows.map((row) => row.diameter));
    const most = Math.max(...rows.flatMap((row) => row.pairs.slice(1).map((pairs) => pairs / (row.routers * (row.routers - 1)))));
    this.app.stage(el(
      "div", { class: "compared" }, el("h2", {}, group.title), this.figures(rows),
      el("div", { class: "multiples" }, ...rows.map((row) => this.multiple(row, rows, furthest, most))),
    ));
    this.app.announce(`${rows.length} networks of ${group.title}`);
  }

  private figures(rows: readonly Row[]): HTMLElement {
    const best = COLUMNS.map(({ best, value }) => (best === null ? null : Math[best === "least" ? "min" : "max"](...rows.map(value))));
    const least = Math.min(...rows.map((row) => row.links));
    const cell = (row: Row, column: Column, k: number): HTMLElement =>
      el("td", { class: best[k] !== null && column.value(row) === best[k] ? "number best" : "number", title: column.id === "bisection" ? row.how : null }, column.show(row, least));
    return el("div", { class: "figures" }, el(
      "table", {},
      el("thead", {}, el("tr", {}, ...["Network", ...COLUMNS.map(({ title }) => title)].map((title, k) => el("th", { scope: "col", class: k ? "number" : null }, title)))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.spec), ...COLUMNS.map((column, k) => cell(row, column, k))))),
    ));
  }

  /** Its figures below its drawing, where the table would be wider than the page. */
  private own(row: Row, rows: readonly Row[]): HTMLElement {
    const least = Math.min(...rows.map(({ links }) => links));
    return facts(COLUMNS.map((column) => [column.title, column.show(row, least)]));
  }

  private multiple(row: Row, rows: readonly Row[], furthest: number, most: number): HTMLElement {
    const canvas = el("canvas", { role: "img", "aria-label": `Drawing of ${row.spec}`, style: `width:${WIDE}px;height:${HIGH}px` });
    const here = this.app.specs.includes(row.spec) || drawable(row.spec);
    if (here) void this.app.load(row.spec).then((net) => onCanvas(net, canvas));
    const name = here ? button(row.spec, () => this.app.set({ net: row.spec, panel: "network" }), { title: `Open ${row.spec}` }) : el("span", { class: "quiet" }, row.spec);
    const keep = (["svg", "png"] as const).map((kind) =>
      button(kind.toUpperCase(), () => void keepSketch(this.app, row.spec, kind), { title: `Save the drawing of ${row.spec} as ${kind.toUpperCase()}`, kind: "icon" }));
    return el("figure", {}, here ? canvas : el("div", { class: "none" }, "not drawn in this page"), distances(row, furthest, most), el("figcaption", { class: "row" }, name, ...(here ? keep : [])), this.own(row, rows));
  }
}

/** Whether the page can draw a network that it does not hold. */
function drawable(spec: string): boolean {
  try {
    return ruleOf(spec) !== null;
  } catch {
    return false;
  }
}

function mount(host: HTMLElement, app: App): Mounted {
  const view = new View(host, app);
  return { update: (state) => view.update(state), destroy: () => view.destroy() };
}

const specsOf = (state: State, net: Network): string[] => groupOf(state)?.rows.map(({ spec }) => spec) ?? [net.spec];

export const panel: Panel = {
  id: ID,
  title: "Compare",
  summary: "The papers' networks and others of their size, side by side.",
  keys: {
    "papers.group": { initial: USUAL },
    "papers.sort": { initial: "", choices: ["", ...COLUMNS.map(({ id }) => id)] },
  },
  misfit: () => null,
  mount,
  ready: ready(ID),
  settled: (state): Readonly<Record<string, Value>> => {
    const [all, group] = [held<Data>(ID), groupOf(state)];
    return all && group ? { "papers.group": group.name } : {};
  },
  command: (state, net) => `jumpnet metrics --structure ${specsOf(state, net).map(word).join(" ")}`,
  python: (state, net) => `from jumpnet.explore.panels.papers import compared\ncompared(${JSON.stringify(specsOf(state, net))})`,
};
