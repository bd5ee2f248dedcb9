/** A wafer with defects and its repair: elements, compensation paths, traced wires; and how often methods mend one. */
import type { Network } from "../../data/network";
import { el, facts, heading, note, segments, table, toggle, type Child } from "../../shell/controls";
import type { App, Mounted, Panel } from "../../shell/panel";
import { word } from "../../shell/elsewhere";
import type { State, Value } from "../../state/state";
import { chart, type Curve } from "../chart";
import { absent, held, ready } from "../data";
import { fileName, keepButtons, type KeyRow } from "../picture";
import { LINES, linksOf, LOOKS, map, sentence, type Data, type Shown } from "./map";

const ID = "wafer";
const NO_PAPER = "none";
const TITLES: Readonly<Record<string, string>> = {
  "9": "Figure 9: all elements of the core are good", "10": "Figure 10: a reconfigured mesh torus",
  "11": "Figures 11 and 12: the level of a defective element is shifted to the right",
};

function shownBy(state: State, net: Network): Shown | null {
  const data = held<Data>(ID);
  const wafers = data?.networks.find((each) => each.spec === net.spec);
  if (!data || !wafers) return null;
  const nearest = data.densities.map((each) => Math.abs(each - (state["wafer.density"] as number)));
  const at = {
    density: nearest.indexOf(Math.min(...nearest)),
    seed: Math.max(0, data.seeds.indexOf(state["wafer.seed"] as number)),
    method: Math.max(0, data.methods.findIndex((each) => each.name === state["wafer.method"])),
  };
  const paper = data.papers.spec === net.spec ? data.papers.made.find((each) => each.figure === state["wafer.paper"]) : undefined;
  if (paper) return { data, wafers, made: paper, at, paper };
  return { data, wafers, paper: null, made: wafers.made[at.density]![at.seed]![at.method]!, at };
}

/** Colours of a wafer's picture, for its file. */
function keyOf(data: Data): KeyRow[] {
  const kinds = data.kinds.map((words, k): KeyRow => ({ colour: LOOKS[k]![0], strength: LOOKS[k]![1], words, square: true }));
  return [...kinds, ...LINES.map(([colour, words]): KeyRow => ({ colour, strength: 1, words, square: false }))];
}

class View {
  private readonly content = el("div");
  private readonly nets;
  private readonly paper;
  private readonly rows: HTMLElement[] = [];
  private readonly papers = el("div");
  private readonly density;
  private readonly seed;
  private readonly method;
  private readonly wires;
  private readonly onNetwork;
  private readonly about = el("p", { class: "note" });
  private readonly verdict = el("p", { class: "verdict" });
  private readonly click = note("");
  private readonly told = el("div");
  private before = "";

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const set = (name: string) => (value: string): void => app.set({ [`wafer.${name}`]: name === "method" ? value : Number(value) });
    this.nets = segments("Network", [], "", (net) => app.set({ net }));
    this.paper = segments("Figure of the SRT report", [], "", (paper) => app.set({ "wafer.paper": paper }));
    this.density = segments("Defective elements", [], "", set("density"));
    this.seed = segments("Wafer", [], "", set("seed"));
    this.method = segments("Method", [], "", set("method"));
    this.wires = toggle("Wires and switches", true, (on) => app.set({ "wafer.wires": on }));
    this.onNetwork = toggle("The network instead, links by length of wire", false, (on) => app.set({ "wafer.links": on }));
    host.append(this.content);
  }

  update(state: State, net: Network): void {
    const data = held<Data>(ID, this.app);
    const shown = shownBy(state, net);
    if (!data || !shown) {
      this.before = "";
      this.app.stage(null);
      const sentence = "Wafers carry tori and shifted recursive tori of two dimensions. In this page:";
      absent(this.app, ID, this.content, sentence, data?.networks.map((each) => each.spec));
      return;
    }
    if (!this.content.contains(this.nets.element)) this.fill(data);
    this.nets.set(net.spec);
    const papers = data.papers.spec === net.spec;
    this.papers.hidden = !papers;
    for (const each of this.rows) each.hidden = shown.paper !== null;
    this.paper.set(shown.paper?.figure ?? NO_PAPER);
    this.density.set(String(data.densities[shown.at.density]));
    this.seed.set(String(data.seeds[shown.at.seed]));
    this.method.set(data.methods[shown.at.method]!.name);
    this.wires.set(state["wafer.wires"] === true);
    this.onNetwork.set(state["wafer.links"] === true);
    this.onNetwork.disable(shown.made.repaired ? "" : "this wafer is not repaired");
    const now = JSON.stringify([net.spec, shown.at, shown.paper?.figure, state["wafer.wires"], state["wafer.links"], state.picked]);
    if (now === this.before) return;
    this.before = now;
    this.draw(state, net, shown);
    this.tell(shown);
    this.app.announce(sentence(shown));
  }

  private fill(data: Data): void {
    this.nets.options(data.networks.map(({ spec }) => ({ value: spec })), "");
    this.density.options(data.densities.map((value) => ({ value: String(value), text: `${Math.round(100 * value)} %` })), "");
    this.seed.options(data.seeds.map((value) => ({ value: String(value) })), "");
    this.method.options(data.methods.map(({ name }) => ({ value: name })), "");
    this.paper.options([{ value: NO_PAPER }, ...data.papers.made.map(({ figure }) => ({ value: figure, text: figure === "11" ? "11, 12" : figure }))], NO_PAPER);
    const named = (words: string, control: HTMLElement): HTMLElement => el("div", { class: "control choice" }, el("span", {}, words), control);
    const key = data.kinds.map((words, k) =>
      el("li", {}, el("i", { style: `background:color-mix(in srgb, var(--${LOOKS[k]![0]}) ${100 * LOOKS[k]![1]}%, var(--ground));border-color:var(--ink)` }), words));
    const lines = LINES.map(([colour, words]) => el("li", {}, el("i", { class: "stroke", style: `background:var(--${colour})` }), words));
    this.rows.splice(0, 3, named("Defective", this.density.element), named("Wafer", this.seed.element), named("Method", this.method.element));
    this.papers.replaceChildren(named("As in Figure", this.paper.element));
    this.content.replaceChildren(
      named("Network", this.nets.element), this.papers, ...this.rows,
      this.about, this.verdict, el("ul", { class: "key", "aria-label": "Colours" }, ...key, ...lines), this.click,
      this.wires.element, this.onNetwork.element, this.told,
    );
  }

  private draw(state: State, net: Network, shown: Shown): void {
    const { made, wafers } = shown;
    if (state["wafer.links"] === true && made.segments) {
      const longest = made.segments.reduce((a, b) => Math.max(a, b), 1);
      const heat = new Float32Array(net.routers * net.ports).fill(NaN);
      wafers.links.forEach((channel, k) => (heat[channel] = made.segments![k]! / longest));
      this.app.stage(null);
      this.app.overlay({ heat, heatEnds: ["0", `${longest} segments`] });
      return;
    }
    this.app.overlay(null);
    const picked = state.picked.at(-1) ?? -1;
    const picture = map(shown, net, state["wafer.wires"] === true, picked);
    picture.addEventListener("click", (event) => {
      const router = Number((event.target as Element).closest<SVGElement>("[data-router]")?.dataset.router ?? -1);
      this.app.set({ picked: router >= 0 && router !== picked ? [router] : [] });
    });
    picture.addEventListener("keydown", (event) => this.key(event, shown, net, picked));
    const focused = document.activeElement?.classList.contains("picture");
    const [density, seed, method] = asked(shown);
    const which = shown.paper ? `figure-${shown.paper.figure}` : `${100 * density}-${seed}-${method}`;
    const save = keepButtons(picture, fileName(`${net.spec}-wafer-${which}`), keyOf(shown.data));
    this.app.stage(el("div", { class: "staged" }, el("div", { class: "tools" }, ...save), picture));
    if (focused) picture.focus();
  }

  /** Arrow keys go from element to element of the network, Escape lets go. */
  private key(event: KeyboardEvent, shown: Shown, net: Network, picked: number): void {
    const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!way && event.key !== "Escape") return;
    event.preventDefault();
    const [rows, columns] = shown.wafers.core.slice(2) as [number, number];
    const [i, j] = [Math.floor(picked / columns), picked % columns];
    if (!way) return this.app.set({ picked: [] });
    const next = picked < 0 ? 0 : ((i + way[0]! + rows) % rows) * columns + ((j + way[1]! + columns) % columns);
    this.app.set({ picked: [next] });
    const wires = [...linksOf(shown, net, next)].map(([other, segments]) => `${Math.floor(other / columns)},${other % columns} by ${segments}`);
    this.app.announce(`element ${Math.floor(next / columns)},${next % columns}; segments to ${wires.join("; ")}`);
  }

  private tell(shown: Shown): void {
    const { data, wafers, made, at } = shown;
    this.click.textContent = made.repaired ? "Click an element, or go by arrow keys, to see its links and the segments of their wires." : "Wires have lengths once a wafer is repaired.";
    this.about.textContent = shown.paper ? `${TITLES[shown.paper.figure]}. The printed figures are lost; this is computed as section 5 describes.` : `${data.methods[at.method]!.summary}.`.replace(/^./, (first) => first.toUpperCase());
    this.verdict.replaceChildren(el("strong", { class: made.repaired ? "good" : "bad" }, made.repaired ? "Repaired." : "Not repaired."), ` ${sentence(shown).replace(": repaired, ", ", ").replace(": not repaired", "")}`);
    const rows = data.methods.map(({ name }, k): (Child | number)[] => {
      const [mended, low, high] = wafers.yields[at.density]![k]!;
      return [name, mended, `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`];
    });
    this.told.replaceChildren(
      facts([
        ["Defective elements", `${made.defects} of ${wafers.shape[0] * wafers.shape[1]}`],
        ["Elements for each one needed", wafers.area.toFixed(3)],
        ...(made.repaired ? ([
          ["Longest wire, segments", made.longest!], ["Segments added to a link", `${made.added![1].toFixed(3)} (at most ${made.added![0]})`],
        ] as const) : ([["Faults without a path", made.unrepaired]] as const)),
      ]),
      ...(made.why ? [note(`Proved: ${WHY[made.why] ?? made.why}.`)] : []),
      ...(shown.paper ? [] : [
        heading("How often that works"),
        table(["Method", "Repaired", "95 % band"], rows, `Of ${data.wafers} wafers with ${Math.round(100 * data.densities[at.density]!)} % of their elements defective`),
        note("The same wafers for every method."),
      ]),
      ...yields(data, shown.paper ? -1 : data.densities[at.density]!),
    );
  }

  destroy(): void {
    this.app.stage(null);
  }
}

/** The report's curves of yields. */
function yields({ curves: { spec, wafers, densities, names, parts } }: Data, now: number): HTMLElement[] {
  const words = `Repaired of ${wafers} wafers of ${spec}, %`;
  const lines = names.map((name, k): Curve => ({ name, colour: `hue-${k}`, points: parts[k]!.map((part) => [100 * part]) }));
  return [heading("Yield by defects"), el("p", { class: "note" }, `${words}, as in the report on this network.`), chart(lines, densities.map((d) => 100 * d), 100 * now, words, "% defective", [0, 100])];
}

const WHY: Readonly<Record<string, string>> = {
  cut: "too few good places for some elements",
  conflict: "no straight paths serve these faults together",
  lines: "no straight paths serve these lines together",
  severed: "a break beside a spare",
  blocked: "no tracks get all wires over a gap",
};

function mount(host: HTMLElement, app: App): Mounted {
  const view = new View(host, app);
  return { update: (state, net) => view.update(state, net), destroy: () => view.destroy() };
}

const asked = ({ data, at }: Shown): [number, number, string] => [data.densities[at.density]!, data.seeds[at.seed]!, data.methods[at.method]!.name];

export const panel: Panel = {
  id: ID,
  title: "Wafer",
  summary: "An array of elements with spares on all sides, some defective, and what repairs it.",
  keys: {
    "wafer.density": { initial: 0.05, least: 0, most: 1 },
    "wafer.seed": { initial: 1, least: 1, most: 4 },
    "wafer.method": { initial: "local", choices: ["local", "graph", "exact"] },
    "wafer.paper": { initial: NO_PAPER },
    "wafer.wires": { initial: true },
    "wafer.links": { initial: false },
  },
  misfit: () => null,
  mount,
  ready: ready(ID),
  settled(state, net): Readonly<Record<string, Value>> {
    const shown = shownBy(state, net);
    if (!shown) return {};
    const [density, seed, method] = asked(shown);
    const links = state["wafer.links"] === true && shown.made.repaired;
    return { "wafer.paper": shown.paper?.figure ?? NO_PAPER, "wafer.density": density, "wafer.seed": seed, "wafer.method": method, "wafer.links": links };
  },
  command(state, net) {
    const shown = shownBy(state, net);
    if (!shown || shown.paper) return null; // defects of one's own come from a file: the page at this link gives the same
    const [density, seed, method] = asked(shown);
    return `jumpnet reconfigure ${word(net.spec)} --density ${density} --seed ${seed} --method ${method} --draw wafer.svg`;
  },
  python(state, net) {
    const shown = shownBy(state, net);
    if (!shown) return null;
    if (shown.paper) return `from jumpnet.analysis.paper_wafers import paper_wafers\npaper_wafers()["${shown.paper.figure}"]`;
    const [density, seed, method] = asked(shown);
    return `from jumpnet.analysis.reconfigure import reconfigure\nreconfigure(${JSON.stringify(net.spec)}, density=${density}, seed=${seed}, method="${method}")`;
  },
};
