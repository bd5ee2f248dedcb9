/** The papers' networks side by side with others of their size: drawings, distances, figures. */
import { forgetColours } from "../../draw/colours";
import { ruleOf } from "../../data/rules";
import { button, choice, el, note, segments } from "../../shell/controls";
import { word } from "../../shell/commands";
import type { App, Mounted, Panel } from "../../shell/panel";
import type { State } from "../../state/state";
import { waiting } from "../absent";
import { ready, unpacked } from "../unpacked";
import { COLUMNS, count, sorted } from "./columns";
import { groupOf, ID, settled, specsOf, USUAL, type Data, type Group, type Row } from "./data";
import { distances, endsOf, scaleOf } from "./distances";
import { HIGH, saveSketch, sketchOn, WIDE } from "./sketch";
import { figuresOf, figuresTable } from "./table";

class View implements Mounted {
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
    const data = unpacked<Data>(ID, this.app);
    const group = groupOf(state);
    if (!data || !group) {
      this.content.replaceChildren(waiting(ID));
      return;
    }
    if (!this.content.contains(this.groups.element)) {
      this.groups.options(data.groups.map(({ name }) => ({ value: name, text: count(Number(name)) })), group.name);
      this.content.replaceChildren(
        el("div", { class: "control choice" }, el("span", {}, "Routers"), this.groups.element), this.sort.element,
        explanation(),
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
    const scale = scaleOf(rows);
    const ends = (): HTMLElement => el("p", { class: "ends" }, ...endsOf(scale).map((each) => el("span", {}, each)));
    const multiples = rows.map((row) => el(
      "figure", {}, this.drawing(row.spec), el("div", {}, distances(row, scale), ends()), el("figcaption", { class: "row" }, ...this.caption(row.spec)), figuresOf(row, rows),
    ));
    this.app.stage(el(
      "div", { class: "compared" }, el("h2", {}, group.title), figuresTable(rows), el("div", { class: "multiples" }, ...multiples),
    ));
    this.app.announce(`${rows.length} networks of ${group.title}`);
  }

  private drawing(spec: string): HTMLElement {
    if (!this.drawable(spec)) return el("div", { class: "none" }, "not drawn in this page");
    const canvas = el("canvas", { role: "img", "aria-label": `Drawing of ${spec}`, style: `width:${WIDE}px;height:${HIGH}px` });
    void this.app.load(spec).then((net) => sketchOn(canvas, net));
    return canvas;
  }

  /** Its name, and ways to open it and to save its drawing. */
  private caption(spec: string): HTMLElement[] {
    if (!this.drawable(spec)) return [el("span", { class: "quiet" }, spec)];
    const files = (["svg", "png"] as const).map((kind) => {
      const save = async (): Promise<void> => saveSketch(await this.app.load(spec), kind);
      return button(kind.toUpperCase(), () => void save(), { title: `Save the drawing of ${spec} as ${kind.toUpperCase()}`, kind: "icon" });
    });
    return [button(spec, () => this.app.set({ net: spec, panel: "network" }), { title: `Open ${spec}` }), ...files];
  }

  /** Whether the page holds a network, or can make it by its rule. */
  private drawable(spec: string): boolean {
    if (this.app.specs.includes(spec)) return true;
    try {
      return ruleOf(spec) !== null;
    } catch {
      return false;
    }
  }
}

/** What the columns and bars say. */
function explanation(): HTMLElement {
  return el(
    "details", { class: "about" }, el("summary", {}, "What the columns and bars say"),
    note("Every figure is exact, by searches from all routers; a bisection is given as the bounds that are proved where they do not meet. Networks of a group have about as many links as their families allow, but not the same number."),
    note("Bound at equal cost: the bound if all had as many wires as the network with the fewest links, shared among their links; so links of the others are narrower."),
    note("Bars: pairs of routers by their distance, on one scale. The line marks the average."),
    note("Bound on uniform load: flits a terminal could inject each cycle if every channel were busy all the time on shortest paths; no routing passes it."),
  );
}

export const panel: Panel = {
  id: ID,
  title: "Compare",
  summary: "The papers' networks and others of their size, side by side.",
  keys: {
    "papers.group": { initial: USUAL },
    "papers.sort": { initial: "", choices: ["", ...COLUMNS.map(({ id }) => id)] },
  },
  misfit: () => null,
  mount: (host, app) => new View(host, app),
  ready: ready(ID),
  settled,
  command: (state, net) => `jumpnet metrics --structure ${specsOf(state, net).map(word).join(" ")}`,
  python: (state, net) => `from jumpnet.explore.panels.papers import compared\ncompared(${JSON.stringify(specsOf(state, net))})`,
};
