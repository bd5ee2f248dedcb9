/** A wafer with defects and its repair: elements, compensation paths, traced wires; and how often methods mend one. */
import type { Network } from "../data/network";
import { el, facts, heading, note, segments, table, toggle, type Child } from "../shell/controls";
import type { App, Mounted, Panel } from "../shell/panel";
import { word } from "../shell/elsewhere";
import type { State, Value } from "../state/state";
import { absent, held } from "./data";
import { fileName, keepButtons, svg, type KeyRow } from "./picture";

interface Lines {
  readonly points: Int32Array; // (points, 2)
  readonly end: Int32Array; // where each line ends
}

interface Made {
  readonly repaired: boolean;
  readonly defects: number;
  readonly faults: number;
  readonly unrepaired: number;
  readonly longest: number | null;
  readonly added: readonly [number, number] | null;
  readonly why: string | null;
  readonly kind: Int32Array;
  readonly owner: Int32Array;
  readonly paths: Lines; // in elements
  readonly wires: { readonly straight: Lines; readonly bent: Lines }; // in hundredths
  readonly through: Lines;
  readonly turned: Int32Array;
  readonly segments: Int32Array | null; // of each link, in the order of `links`
}

interface Wafers {
  readonly spec: string;
  readonly shape: readonly [number, number];
  readonly core: readonly [number, number, number, number]; // first row, first column, rows, columns
  readonly area: number;
  readonly links: Int32Array; // a channel of each link
  readonly made: readonly (readonly (readonly Made[])[])[]; // by density, seed, method
  readonly yields: readonly (readonly (readonly [number, number, number])[])[]; // by density, method
}

interface Data {
  readonly kinds: readonly string[];
  readonly densities: readonly number[];
  readonly seeds: readonly number[];
  readonly methods: readonly { readonly name: string; readonly summary: string }[];
  readonly wafers: number;
  readonly networks: readonly Wafers[];
}

const ID = "wafer";
const HALF = 0.29; // half the side of an element, which lie 1 apart
const BEND = 0.16; // of a link's length, by which its arc leaves the straight line
const LOOKS: readonly (readonly [string, number])[] = [
  ["hue-0", 0.16], ["hue-0", 0.55], ["hue-2", 0.6], ["base", 0.18], ["ink", 0.78], ["bad", 1],
]; // colour and strength of each kind
const LINES: readonly (readonly [string, string])[] = [["hue-1", "compensation path"], ["hue-0", "bent wire, turned switch"]];

interface Shown {
  readonly data: Data;
  readonly wafers: Wafers;
  readonly made: Made;
  readonly at: { readonly density: number; readonly seed: number; readonly method: number };
}

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
  return { data, wafers, made: wafers.made[at.density]![at.seed]![at.method]!, at };
}

/** Lines as the data of one path; `parts` of them are the distance between elements. */
function pathOf({ points, end }: Lines, parts: number): string {
  const words: string[] = [];
  for (let line = 0, k = 0; line < end.length; line++) {
    for (let first = k; k < end[line]!; k++) words.push(`${k === first ? "M" : "L"}${points[2 * k]! / parts} ${points[2 * k + 1]! / parts}`);
  }
  return words.join("");
}

const line = (d: string, colour: string, width: number, more: Readonly<Record<string, string>> = {}): SVGElement =>
  svg("path", { d, fill: "none", style: `stroke:var(--${colour})`, "stroke-width": width, "stroke-linejoin": "round", ...more });

/** The array from above, an element a square. */
function map(shown: Shown, net: Network, wires: boolean, picked: number): SVGElement {
  const { wafers, made, data } = shown;
  const [height, width] = wafers.shape;
  const [top, left, rows, columns] = wafers.core;
  const parts: SVGElement[] = [
    svg("rect", { x: left - 0.5, y: top - 0.5, width: columns, height: rows, style: "fill:var(--hue-4)", "fill-opacity": 0.1 }),
  ];
  if (wires) {
    parts.push(line(pathOf(made.wires.straight, 100), "quiet", 0.025), line(pathOf(made.wires.bent, 100), "hue-0", 0.05));
  }
  const names: SVGElement[] = [];
  for (let x = 0; x < height; x++) {
    for (let y = 0; y < width; y++) {
      const [kind, owner] = [made.kind[x * width + y]!, made.owner[x * width + y]!];
      const [colour, strength] = LOOKS[kind]!;
      const about = `row ${x}, column ${y}: ${data.kinds[kind]}${owner >= 0 ? `, element ${Math.floor(owner / columns)},${owner % columns} of the network` : ""}`;
      const side = { x: y - HALF, y: x - HALF, width: 2 * HALF, height: 2 * HALF };
      parts.push(svg("rect", { ...side, style: "fill:var(--ground)" }));
      parts.push(svg("rect", {
        ...side, style: `fill:var(--${colour});stroke:var(--ink)`, "fill-opacity": strength, "stroke-width": 0.012, "data-router": owner,
      }, svg("title", {}, about)));
      if (kind >= 4) names.push(line(`M${y - 0.15} ${x - 0.15}l.3 .3m0 -.3l-.3 .3`, "ground", 0.05));
      else if (owner >= 0) {
        names.push(svg("text", { x: y, y: x + 0.06, "font-size": 0.19, "text-anchor": "middle", style: "fill:var(--ink)", "pointer-events": "none" },
          `${Math.floor(owner / columns)},${owner % columns}`));
      }
    }
  }
  if (wires) parts.push(line(pathOf(made.through, 100), "quiet", 0.025, { "stroke-dasharray": ".05 .06" }));
  parts.push(...names, ...arrows(made));
  if (wires) {
    for (let k = 0; k < made.turned.length; k += 2) {
      parts.push(svg("circle", { cx: made.turned[k]! / 100, cy: made.turned[k + 1]! / 100, r: 0.05, style: "fill:var(--ground);stroke:var(--hue-0)", "stroke-width": 0.03 }));
    }
  }
  parts.push(...arcs(shown, net, picked));
  const about = { viewBox: `-0.7 -0.7 ${width + 0.4} ${height + 0.4}`, role: "img", class: "picture", tabindex: 0, "aria-label": sentence(shown) };
  return svg("svg", about, ...parts);
}

/** Compensation paths, beside the middle of the elements so that names stay readable. */
function arrows(made: Made): SVGElement[] {
  const { points, end } = made.paths;
  return Array.from(end, (last, k) => {
    const first = k ? end[k - 1]! : 0;
    const [x0, y0, x1, y1] = [points[2 * first]!, points[2 * first + 1]!, points[2 * last - 2]!, points[2 * last - 1]!];
    const [ux, uy] = [Math.sign(x1 - x0), Math.sign(y1 - y0)];
    const [dx, dy] = ux ? [0, 0.21] : [0.21, 0];
    const d = `M${x0 + dx} ${y0 + dy}L${x1 + dx} ${y1 + dy}m${-0.16 * ux - 0.09 * uy} ${-0.16 * uy - 0.09 * ux}l${0.16 * ux + 0.09 * uy} ${0.16 * uy + 0.09 * ux}l${-0.16 * ux + 0.09 * uy} ${-0.16 * uy + 0.09 * ux}`;
    return line(d, "hue-1", 0.055);
  });
}

/** Segments of the links of a router, by neighbor. */
function linksOf({ wafers, made }: Shown, net: Network, router: number): Map<number, number> {
  const found = new Map<number, number>();
  wafers.links.forEach((channel, k) => {
    const ends = [Math.floor(channel / net.ports), net.neighbor[channel]!];
    if (ends.includes(router)) found.set(ends[0] === router ? ends[1]! : ends[0]!, made.segments?.[k] ?? 0);
  });
  return found;
}

/** Where each router of the network is: column and row of its element. */
function placesOf({ wafers, made }: Shown): Map<number, readonly [number, number]> {
  const width = wafers.shape[1];
  const found = new Map<number, readonly [number, number]>();
  made.owner.forEach((router, at) => router >= 0 && found.set(router, [at % width, Math.floor(at / width)]));
  return found;
}

/** The links of one router as arcs, each with the segments of its wire. */
function arcs(shown: Shown, net: Network, router: number): SVGElement[] {
  const places = placesOf(shown);
  const here = places.get(router);
  if (!here || !shown.made.segments) return [];
  const [x, y] = here;
  const parts: SVGElement[] = [svg("rect", {
    x: x - HALF, y: y - HALF, width: 2 * HALF, height: 2 * HALF, fill: "none", style: "stroke:var(--accent)", "stroke-width": 0.09,
  })];
  for (const [other, segments] of linksOf(shown, net, router)) {
    const [u, v] = places.get(other)!;
    const [mx, my] = [(x + u) / 2 + (v - y) * BEND, (y + v) / 2 - (u - x) * BEND];
    const [tx, ty] = [(x + u) / 4 + mx / 2, (y + v) / 4 + my / 2];
    parts.push(
      line(`M${x} ${y}Q${mx} ${my} ${u} ${v}`, "accent", 0.06),
      svg("circle", { cx: tx, cy: ty, r: 0.15, style: "fill:var(--ground);stroke:var(--accent)", "stroke-width": 0.025 }),
      svg("text", { x: tx, y: ty + 0.07, "font-size": 0.2, "text-anchor": "middle", style: "fill:var(--ink)" }, String(segments)),
    );
  }
  return parts;
}

function sentence({ made }: Shown): string {
  const found = `${made.faults} ${made.faults === 1 ? "fault" : "faults"} in the core`;
  if (made.faults === 0) return "No fault in the core.";
  return made.repaired ? `${found}: repaired, every wire traced.` : `${found}: not repaired.`;
}

/** Colours of a wafer's picture, for its file. */
function keyOf(data: Data): KeyRow[] {
  const kinds = data.kinds.map((words, k): KeyRow => ({ colour: LOOKS[k]![0], strength: LOOKS[k]![1], words, square: true }));
  return [...kinds, ...LINES.map(([colour, words]): KeyRow => ({ colour, strength: 1, words, square: false }))];
}

class View {
  private readonly content = el("div");
  private readonly nets;
  private readonly density;
  private readonly seed;
  private readonly method;
  private readonly wires;
  private readonly onNetwork;
  private readonly about = el("p", { class: "note" });
  private readonly verdict = el("p", { class: "verdict" });
  private readonly told = el("div");
  private before = "";

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const set = (name: string) => (value: string): void => app.set({ [`wafer.${name}`]: name === "method" ? value : Number(value) });
    this.nets = segments("Network", [], "", (net) => app.set({ net }));
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
    this.density.set(String(data.densities[shown.at.density]));
    this.seed.set(String(data.seeds[shown.at.seed]));
    this.method.set(data.methods[shown.at.method]!.name);
    this.wires.set(state["wafer.wires"] === true);
    this.onNetwork.set(state["wafer.links"] === true);
    this.onNetwork.disable(shown.made.repaired ? "" : "this wafer is not repaired");
    const now = JSON.stringify([net.spec, shown.at, state["wafer.wires"], state["wafer.links"], state.picked]);
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
    const named = (words: string, control: HTMLElement): HTMLElement => el("div", { class: "control choice" }, el("span", {}, words), control);
    const key = data.kinds.map((words, k) =>
      el("li", {}, el("i", { class: "square", style: `background:color-mix(in srgb, var(--${LOOKS[k]![0]}) ${100 * LOOKS[k]![1]}%, var(--ground));border-color:var(--ink)` }), words));
    const lines = LINES.map(([colour, words]) => el("li", {}, el("i", { class: "stroke", style: `background:var(--${colour})` }), words));
    this.content.replaceChildren(
      named("Network", this.nets.element), named("Defective", this.density.element), named("Wafer", this.seed.element), named("Method", this.method.element),
      this.about, this.verdict, this.told, note("Click an element, or go by arrow keys, to see its links and the segments of their wires."),
      this.wires.element, this.onNetwork.element, el("ul", { class: "key" }, ...key, ...lines),
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
    const save = keepButtons(picture, fileName(`${net.spec}-wafer-${100 * density}-${seed}-${method}`), keyOf(shown.data));
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
    const next = picked < 0 ? 0 : ((i + way![0]! + rows) % rows) * columns + ((j + way![1]! + columns) % columns);
    this.app.set({ picked: way ? [next] : [] });
    if (!way) return;
    const wires = [...linksOf(shown, net, next)].map(([other, segments]) => `${Math.floor(other / columns)},${other % columns} by ${segments}`);
    this.app.announce(`element ${Math.floor(next / columns)},${next % columns}; segments to ${wires.join("; ")}`);
  }

  private tell(shown: Shown): void {
    const { data, wafers, made, at } = shown;
    this.about.textContent = `${data.methods[at.method]!.summary}.`.replace(/^./, (first) => first.toUpperCase());
    this.verdict.replaceChildren(el("strong", { class: made.repaired ? "good" : "bad" }, made.repaired ? "Repaired." : "Not repaired."), ` ${sentence(shown).replace(": repaired, ", ", ").replace(": not repaired", "")}`);
    const rows = data.methods.map(({ name }, k): (Child | number)[] => {
      const [mended, low, high] = wafers.yields[at.density]![k]!;
      return [name, mended, `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`];
    });
    this.told.replaceChildren(
      facts([
        ["Defective elements", `${made.defects} of ${wafers.shape[0] * wafers.shape[1]}`],
        ["Elements for each of the core", wafers.area.toFixed(3)],
        ...(made.repaired ? ([
          ["Longest wire, segments", made.longest!], ["Added to a link, mean", made.added![1].toFixed(3)], ["Added at most", made.added![0]],
        ] as const) : ([["Faults without a path", made.unrepaired]] as const)),
      ]),
      ...(made.why ? [note(`Proved: ${WHY[made.why] ?? made.why}.`)] : []),
      heading("How often that works"),
      table(["Method", "Repaired", "95 % band"], rows, `Of ${data.wafers} wafers with ${Math.round(100 * data.densities[at.density]!)} % of their elements defective`),
      note("The same wafers for every method."),
    );
  }

  destroy(): void {
    this.app.stage(null);
  }
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
    "wafer.wires": { initial: true },
    "wafer.links": { initial: false },
  },
  misfit: () => null,
  mount,
  settled(state, net): Readonly<Record<string, Value>> {
    const shown = shownBy(state, net);
    if (!shown) return {};
    const [density, seed, method] = asked(shown);
    const links = state["wafer.links"] === true && shown.made.repaired;
    return { "wafer.density": density, "wafer.seed": seed, "wafer.method": method, "wafer.links": links };
  },
  command(state, net) {
    const shown = shownBy(state, net);
    if (!shown) return null;
    const [density, seed, method] = asked(shown);
    return `jumpnet reconfigure ${word(net.spec)} --density ${density} --seed ${seed} --method ${method} --draw wafer.svg`;
  },
  python(state, net) {
    const shown = shownBy(state, net);
    if (!shown) return null;
    const [density, seed, method] = asked(shown);
    return `from jumpnet.analysis.reconfigure import reconfigure\nreconfigure("${net.spec}", density=${density}, seed=${seed}, method="${method}")`;
  },
};
