/** A multicast under each bit-map scheme: territories, who receives, and what is delivered in vain. */
import { routerName, type Network } from "../data/network";
import { button, choice, el, facts, heading, note, segments, slider, table, toggle, type Child } from "../shell/controls";
import type { App, Mark, Mounted, Overlay, Panel } from "../shell/panel";
import type { State, Value } from "../state/state";
import { elsewhere, held, waiting } from "./data";
import { dotsOf, Player } from "./player";

interface Tree {
  readonly top: number;
  readonly root: number;
  readonly bits: number;
  readonly steps: number;
  readonly unnecessary: number;
  readonly remade: Int32Array;
  readonly receivers: Int32Array;
  readonly step: Int32Array;
  readonly channel: Int32Array;
}

interface Directory {
  readonly name: string;
  readonly destinations: Int32Array;
  readonly trees: readonly (readonly Tree[])[]; // by count, then by scheme
}

interface Sent {
  readonly spec: string;
  readonly source: number;
  readonly top: number;
  readonly territory: Int32Array; // least top rank that reaches each router
  readonly directories: readonly Directory[];
}

interface Data {
  readonly schemes: readonly { readonly name: string; readonly summary: string }[];
  readonly counts: readonly number[];
  readonly networks: readonly Sent[];
}

const ID = "multicast";
const PACE = 650; // ms a step
const DIRECTORIES: Readonly<Record<string, string>> = { near: "Near the source", row: "In its row", anywhere: "Anywhere" };

interface Shown {
  readonly data: Data;
  readonly sent: Sent;
  readonly directory: Directory;
  readonly count: number;
  readonly scheme: number;
  readonly trees: readonly Tree[];
  readonly tree: Tree;
  readonly destinations: readonly number[];
}

/** What a state asks for, null where the page has no such multicast. */
function shownBy(state: State, net: Network): Shown | null {
  const data = held<Data>(ID);
  const sent = data?.networks.find((each) => each.spec === net.spec);
  if (!data || !sent) return null;
  const directory = sent.directories.find((each) => each.name === state["multicast.to"]) ?? sent.directories[0]!;
  const count = state["multicast.count"] as number;
  const at = Math.max(0, data.counts.filter((each) => each <= count).length - 1);
  const scheme = Math.max(0, data.schemes.findIndex((each) => each.name === state["multicast.scheme"]));
  const trees = directory.trees[at]!;
  return {
    data, sent, directory, count: data.counts[at]!, scheme, trees, tree: trees[scheme]!,
    destinations: [...directory.destinations.subarray(0, data.counts[at]!)],
  };
}

/** Receivers, destinations and hops of the tree after so many steps; `going`: the next one has begun. */
function overlayOf(net: Network, shown: Shown, step: number, going: boolean, territory: boolean): Overlay {
  const { tree, sent } = shown;
  const links = new Map<number, Mark>();
  const routers = new Map<number, Mark>();
  const reached = new Set<number>([sent.source]);
  for (let k = 0; k < tree.step.length; k++) {
    if (tree.step[k]! >= (going ? step + 1 : step)) break;
    const now = tree.step[k] === (going ? step : step - 1) && step < tree.steps;
    links.set(tree.channel[k]!, { colour: now ? "accent" : "hue-0", size: now ? 3.5 : 2.5, arrow: net.routers <= 300 });
    if (tree.step[k]! < step) reached.add(net.neighbor[tree.channel[k]!]!);
  }
  const wanted = new Set(shown.destinations);
  const size = net.routers > 500 ? 2 : 4;
  for (const router of tree.receivers) if (reached.has(router) && !wanted.has(router)) routers.set(router, { colour: "hue-4", size });
  for (const router of wanted) routers.set(router, { colour: reached.has(router) ? "good" : "quiet", size: size + 1.5 });
  for (const router of tree.remade) if (reached.has(router) && !routers.has(router)) routers.set(router, { colour: "hue-3", size });
  routers.set(sent.source, { colour: "ink", size: 5 });
  const labels = new Map<number, string>([[sent.source, "source"]]);
  const shade = (rank: number): number => (territory && rank >= 0 ? (sent.top + 1 - rank) / (sent.top + 1.5) : 0);
  return { links, routers, labels, fadeOthers: true, routerHeat: Float32Array.from(sent.territory, shade) };
}

/** How many routers a multicast of each top rank can reach. */
function territories(sent: Sent): string {
  const sizes = Array.from({ length: sent.top + 1 }, (_, rank) => sent.territory.filter((each) => each >= 0 && each <= rank).length);
  return sizes.map((size, rank) => `rank ${rank} reaches ${size.toLocaleString("en")}`).join(", ");
}

const KEY: readonly (readonly [string, string])[] = [
  ["good", "asked for, and reached"], ["hue-4", "reached in vain"], ["quiet", "asked for, not yet reached"], ["hue-3", "its processor makes the map anew"],
];

class View {
  private readonly content = el("div");
  private readonly nets;
  private readonly to;
  private readonly count;
  private readonly scheme;
  private readonly territory;
  private readonly player: Player;
  private readonly figures = el("div");
  private readonly about = el("p", { class: "note" });
  private counts: readonly number[] = [];
  private drawn = "";
  private seen: { readonly key: string; readonly overlay: Overlay } | null = null;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.nets = segments("Size", [], "", (net) => app.set({ net, ...this.kept() }));
    this.to = choice({
      label: "Destinations", value: "near", options: Object.entries(DIRECTORIES).map(([value, text]) => ({ value, text })),
      change: (value) => app.set({ "multicast.to": value, "multicast.step": -1 }),
    });
    this.count = slider({
      label: "How many", least: 0, most: 1, step: 1, value: 0, show: (k) => String(this.counts[k] ?? ""),
      change: (k) => app.set({ "multicast.count": this.counts[k]!, "multicast.step": -1 }),
    });
    this.scheme = choice({ label: "Scheme", options: [], value: "SM", change: (value) => app.set({ "multicast.scheme": value, "multicast.step": -1 }) });
    this.territory = toggle("Shade the territories, rank by rank", false, (on) => app.set({ "multicast.territory": on }));
    this.player = new Player({ app, key: "multicast.step", label: "Step", pace: PACE, draw: (time) => this.draw(time) });
    host.append(this.content);
  }

  /** What stays when the size changes. */
  private kept(): Record<string, string | number | boolean> {
    const { state } = this.app;
    return Object.fromEntries(["scheme", "to", "count", "territory"].map((name) => [`multicast.${name}`, state[`multicast.${name}`] as string]));
  }

  destroy(): void {
    this.player.stop();
  }

  update(state: State, net: Network): void {
    const data = held<Data>(ID, this.app);
    const shown = shownBy(state, net);
    if (!data || !shown) {
      this.player.stop();
      this.app.overlay(null);
      this.drawn = "";
      const sentence = `Bit-map multicasts go over recursive diagonal tori. In this page, with their trees:`;
      this.content.replaceChildren(data ? elsewhere(this.app, sentence, data.networks.map((each) => each.spec)) : waiting(ID));
      return;
    }
    this.fill(data, shown, net);
    this.to.set(shown.directory.name);
    this.count.set(data.counts.indexOf(shown.count));
    this.scheme.set(data.schemes[shown.scheme]!.name);
    this.territory.set(state["multicast.territory"] === true);
    this.about.textContent = `${capital(data.schemes[shown.scheme]!.summary)}.`;
    this.tell(shown, net);
    const step = state["multicast.step"] as number;
    this.player.show(step < 0 ? shown.tree.steps : Math.min(step, shown.tree.steps), shown.tree.steps);
  }

  private fill(data: Data, shown: Shown, net: Network): void {
    if (this.content.contains(this.player.element)) {
      this.nets.set(net.spec);
      return;
    }
    this.counts = data.counts;
    this.count.bounds(0, data.counts.length - 1);
    this.scheme.options(data.schemes.map(({ name }) => ({ value: name })), data.schemes[shown.scheme]!.name);
    this.nets.options(data.networks.map(({ spec, territory }) => ({ value: spec, text: `${territory.length} routers` })), net.spec);
    const key = el("ul", { class: "key" }, ...KEY.map(([colour, words]) => el("li", {}, el("i", { style: `border-color:var(--${colour})` }), words)));
    this.content.replaceChildren(
      this.nets.element, this.to.element, this.count.element, this.scheme.element, this.about, key, this.player.element,
      this.territory.element, this.figures,
    );
  }

  private tell(shown: Shown, net: Network): void {
    const key = `${net.spec} ${shown.directory.name} ${shown.count} ${shown.scheme}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const { tree, data, sent } = shown;
    const share = tree.receivers.length ? tree.unnecessary / tree.receivers.length : 0;
    const rows = data.schemes.map(({ name }, k): (Child | number)[] => {
      const each = shown.trees[k]!;
      const own = k === shown.scheme ? el("strong", {}, name) : button(name, () => this.app.set({ "multicast.scheme": name, "multicast.step": -1 }));
      return [own, each.receivers.length, each.unnecessary, each.bits, each.step.length, each.steps];
    });
    this.figures.replaceChildren(
      heading("Delivered"),
      facts([
        ["Routers that receive", tree.receivers.length], ["Asked for", shown.count],
        ["In vain", `${tree.unnecessary.toLocaleString("en")} (${(100 * share).toFixed(0)} %)`],
        ["Bits of maps in the header", tree.bits], ["Hops over links", tree.step.length], ["Steps", tree.steps],
        ["Starts at", `${routerName(net, tree.root)}, rank ${tree.top}`],
      ]),
      heading("The same under every scheme"),
      table(["Scheme", "Receive", "In vain", "Bits", "Hops", "Steps"], rows),
      note(`Source ${routerName(net, sent.source)}. Destinations: ${shown.destinations.map((router) => routerName(net, router)).join(" · ")}.`),
      note(`Territories: ${territories(sent)}.`),
    );
  }

  private draw(time: number): void {
    const { state, net } = this.app;
    const shown = shownBy(state, net);
    if (!shown) return;
    const [step, share] = [Math.floor(time), time - Math.floor(time)];
    const territory = state["multicast.territory"] === true;
    const key = JSON.stringify([net.spec, shown.directory.name, shown.count, shown.scheme, step, share > 0, territory]);
    if (this.seen?.key !== key) this.seen = { key, overlay: overlayOf(net, shown, step, share > 0, territory) };
    this.app.overlay({ ...this.seen.overlay, dots: share > 0 ? dotsOf(shown.tree, step, share, 7) : new Float32Array(0) });
  }
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

function mount(host: HTMLElement, app: App): Mounted {
  const view = new View(host, app);
  return { update: (state, net) => view.update(state, net), destroy: () => view.destroy() };
}

export const panel: Panel = {
  id: ID,
  title: "Multicast",
  summary: "One message to several routers: which others receive it too, under each bit-map scheme.",
  keys: {
    "multicast.scheme": { initial: "SM" },
    "multicast.to": { initial: "near", choices: Object.keys(DIRECTORIES) },
    "multicast.count": { initial: 4, least: 1, most: 16 },
    "multicast.step": { initial: -1, least: -1, most: 999 },
    "multicast.territory": { initial: false },
  },
  misfit: () => null,
  mount,
  settled(state, net): Readonly<Record<string, Value>> {
    const shown = shownBy(state, net);
    if (!shown) return {};
    const step = state["multicast.step"] as number;
    const scheme = shown.data.schemes[shown.scheme]!.name;
    return { "multicast.scheme": scheme, "multicast.count": shown.count, "multicast.step": step >= shown.tree.steps ? -1 : step };
  },
  command(state, net) {
    const shown = shownBy(state, net);
    if (!shown) return null;
    const to = shown.destinations.map((router) => `--to ${router}`).join(" ");
    return `jumpnet multicast ${net.spec} --scheme ${shown.data.schemes[shown.scheme]!.name} --source ${shown.sent.source} ${to} --tree`;
  },
  python(state, net) {
    const shown = shownBy(state, net);
    if (!shown) return null;
    const [name, source, to] = [shown.data.schemes[shown.scheme]!.name, shown.sent.source, shown.destinations.join(", ")];
    return [
      "from jumpnet.multicast import scheme", "from jumpnet.multicast.territory import territories",
      "from jumpnet.multicast.tree import multicast_tree",
      `multicast_tree(territories("${net.spec}"), scheme("${name}"), ${source}, [${to}])`,
    ].join("\n");
  },
};
