/** A multicast under each bit-map scheme: territories, who receives, and what is delivered in vain. */
import { called, type Network } from "../data/network";
import { button, capital, choice, el, facts, heading, note, segments, slider, table, toggle, type Child } from "../shell/controls";
import type { App, Mark, Meaning, Mounted, Overlay, Panel } from "../shell/panel";
import { word } from "../shell/elsewhere";
import type { State, Value } from "../state/state";
import { kernels } from "../sim/held";
import { Trees, type Tree } from "../sim/simulation";
import { absent, held, inPage, waiting, ready } from "./data";
import { dotsOf, Player } from "./player";
import { shaded, sizes, upToOf, type Around } from "./territory";

interface Sent {
  readonly spec: string;
  readonly source: number;
  readonly top: number;
  readonly tables: Int32Array;
  readonly rows: number;
  readonly bits: readonly (readonly number[])[]; // by scheme, then by top rank
  readonly directories: readonly { readonly name: string; readonly destinations: Int32Array }[];
}

interface Data {
  readonly schemes: readonly { readonly name: string; readonly summary: string }[];
  readonly counts: readonly number[];
  readonly networks: readonly Sent[];
}

const ID = "multicast";
const PACE = 650; // ms a step
const OWN = "own";
const TO: Readonly<Record<string, string>> = { near: "Near the source", row: "In its row", anywhere: "Anywhere", [OWN]: "My own choice" };

/** What a state asks for. */
interface Asked {
  readonly data: Data;
  readonly sent: Sent;
  readonly to: string;
  readonly count: number;
  readonly scheme: number;
  readonly source: number;
  readonly destinations: readonly number[];
}

/** Null where the page has no multicasts on the network. */
function askedBy(state: State, net: Network): Asked | null {
  const data = held<Data>(ID);
  const sent = data?.networks.find((each) => each.spec === net.spec) ?? held<Sent>(ID, undefined, net.spec);
  if (!data || !sent) return null;
  const to = String(state["multicast.to"]);
  const count = data.counts.filter((each) => each <= (state["multicast.count"] as number)).at(-1) ?? 1;
  const scheme = Math.max(0, data.schemes.findIndex((each) => each.name === state["multicast.scheme"]));
  const named = state["multicast.source"] as number;
  const source = named >= 0 && named < net.routers ? named : sent.source;
  const directory = sent.directories.find((each) => each.name === to);
  const listed = directory ? [...directory.destinations] : (state["multicast.receivers"] as readonly number[]);
  const others = [...new Set(listed)].filter((router) => router < net.routers && router !== source);
  return { data, sent, to, count, scheme, source, destinations: directory ? others.slice(0, count) : others };
}

interface Shown extends Asked {
  readonly trees: readonly Tree[]; // by scheme
  readonly tree: Tree;
  readonly channels: readonly number[]; // of its hops
  readonly step: Int32Array;
}

/** The channel of each hop: that of its rank, where several lead to one router. */
function channelsOf(net: Network, tree: Tree): number[] {
  return tree.hops.map(([, sender, receiver, rank]) => {
    for (let p = 0; p < net.ports; p++) {
      const channel = sender * net.ports + p;
      if (net.neighbor[channel] === receiver && net.classRank[net.linkClass[channel]!] === rank) return channel;
    }
    return -1;
  });
}

/** Receivers, destinations and hops of the tree after so many steps; `going`: the next one has begun. */
function overlayOf(net: Network, shown: Shown, step: number, going: boolean, around: Around | null): Overlay {
  const { tree, source, step: steps, channels } = shown;
  const links = new Map<number, Mark>();
  const routers = new Map<number, Mark>();
  const reached = new Set<number>([source]);
  channels.forEach((channel, k) => {
    if (steps[k]! >= (going ? step + 1 : step)) return;
    const now = steps[k] === (going ? step : step - 1) && step < tree.steps;
    links.set(channel, { colour: now ? "accent" : "hue-0", size: now ? 3.5 : 2.5, arrow: net.routers <= 300 });
    if (steps[k]! < step) reached.add(net.neighbor[channel]!);
  });
  const wanted = new Set(shown.destinations);
  const size = net.routers > 500 ? 2 : 4;
  for (const router of tree.receivers) if (reached.has(router) && !wanted.has(router)) routers.set(router, { colour: "hue-4", size });
  for (const router of wanted) routers.set(router, { colour: reached.has(router) ? "good" : "quiet", size: size + 1.5 });
  for (const router of tree.remade) if (reached.has(router) && !routers.has(router)) routers.set(router, { colour: "hue-0", size });
  routers.set(source, { colour: "ink", size: 5 });
  const labels = new Map<number, string>([[source, "source"]]);
  const legend: Meaning[] = [["hue-0", "its way"], ["good", "asked for, and reached", "ring"], ["quiet", "asked for, not yet reached", "ring"]];
  if (step < tree.steps) legend.unshift(["accent", "in this step"]);
  if (tree.receivers.some((router) => !wanted.has(router))) legend.push(["hue-4", "reached in vain", "ring"]);
  if (tree.remade.length) legend.push(["hue-0", "its processor makes the map anew", "ring"]);
  const under = around && shaded(around);
  const routerHeat = under?.routerHeat ?? new Float32Array(net.routers).fill(NaN);
  return { links, routers, labels, legend: [...legend, ...(under?.legend ?? [])], fadeOthers: true, routerHeat, shades: true };
}

class View {
  private readonly content = el("div");
  private readonly nets;
  private readonly to;
  private readonly count;
  private readonly scheme;
  private readonly click;
  private readonly territory;
  private readonly ranks;
  private readonly player: Player;
  private readonly figures = el("div");
  private readonly about = el("p", { class: "note" });
  private counts: readonly number[] = [];
  private trees: { readonly spec: string; readonly made: Trees | null } = { spec: "", made: null };
  private shown: { readonly key: string; readonly what: Shown | null } = { key: "", what: null };
  private drawn = "";
  private top = 0;
  private around: { readonly key: string; readonly least: Int32Array } = { key: "", least: new Int32Array(0) };
  private seen: { readonly key: string; readonly overlay: Overlay } | null = null;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const anew = (name: string) => (value: string | number): void => app.set({ [`multicast.${name}`]: value, "multicast.step": -1 });
    this.nets = choice({ label: "Network", options: [], value: "", change: (net) => app.set({ net, ...this.kept() }) });
    this.to = choice({
      label: "Destinations", value: "near", options: Object.entries(TO).map(([value, text]) => ({ value, text })),
      change: (value) => (value === OWN ? this.own(this.asked()?.destinations ?? []) : anew("to")(value)),
    });
    this.count = slider({
      label: "How many", least: 0, most: 1, step: 1, value: 0, show: (k) => String(this.counts[k] ?? ""),
      change: (k) => anew("count")(this.counts[k]!),
    });
    this.scheme = choice({ label: "Scheme", options: [], value: "SM", change: anew("scheme") });
    this.click = segments("What a click on a router does", [{ value: "receivers", text: "Choose receivers" }, { value: "source", text: "Move the source" }], "receivers",
      (value) => app.set({ "multicast.click": value }));
    this.territory = toggle("Shade the territories, rank by rank", false, (on) => app.set({ "multicast.territory": on }));
    this.ranks = slider({
      label: "Up to rank", least: 0, most: 1, step: 1, value: 0,
      change: (rank) => app.set({ "multicast.ranks": rank === this.top ? -1 : rank }),
    });
    this.player = new Player({ app, key: "multicast.step", label: "Step", pace: PACE, draw: (time) => this.draw(time) });
    host.append(this.content);
    app.onPick(({ router }) => this.picked(router));
  }

  private asked(): Asked | null {
    return askedBy(this.app.state, this.app.net);
  }

  /** A click chooses a receiver or lets it go; from then on they are the reader's own. */
  private picked(router: number): void {
    const asked = this.asked();
    if (router < 0 || !asked) return;
    if (this.app.state["multicast.click"] === "source") {
      this.app.set({ "multicast.source": router, "multicast.step": -1 });
      return;
    }
    if (router === asked.source) return;
    const { destinations } = asked;
    this.own(destinations.includes(router) ? destinations.filter((each) => each !== router) : [...destinations, router]);
  }

  private own(receivers: readonly number[]): void {
    this.app.set({ "multicast.to": OWN, "multicast.receivers": [...receivers].sort((a, b) => a - b), "multicast.step": -1 });
  }

  /** What stays when the network changes. */
  private kept(): Record<string, string | number | boolean> {
    const { state } = this.app;
    const to = state["multicast.to"] === OWN ? "near" : (state["multicast.to"] as string);
    return { "multicast.to": to, ...Object.fromEntries(["scheme", "count", "territory"].map((name) => [`multicast.${name}`, state[`multicast.${name}`] as string])) };
  }

  destroy(): void {
    this.player.stop();
  }

  update(state: State, net: Network): void {
    const data = held<Data>(ID, this.app);
    held<Sent>(ID, this.app, net.spec);
    const asked = askedBy(state, net);
    if (data && !asked && inPage(ID, net.spec)) {
      this.content.replaceChildren(waiting(ID)); // it is being unpacked
      return;
    }
    if (!data || !asked) {
      this.player.stop();
      this.drawn = "";
      absent(this.app, ID, this.content, "Bit-map multicasts go over recursive diagonal tori. In this page:", data?.networks.map((each) => each.spec));
      return;
    }
    this.fill(data, asked, net);
    this.to.set(asked.to);
    this.count.set(data.counts.indexOf(asked.count));
    this.count.element.hidden = asked.to === OWN;
    this.click.set(String(state["multicast.click"]));
    this.scheme.set(data.schemes[asked.scheme]!.name);
    this.territory.set(state["multicast.territory"] === true);
    this.top = asked.sent.top;
    const upTo = upToOf(state, asked.sent.top);
    this.ranks.element.hidden = upTo === null;
    this.ranks.bounds(0, Math.max(1, this.top));
    this.ranks.set(upTo ?? this.top);
    this.about.textContent = `${capital(data.schemes[asked.scheme]!.summary)}.`;
    if (this.trees.spec !== net.spec) void this.open(asked.sent);
    const key = JSON.stringify([net.spec, asked.source, asked.destinations, asked.scheme, this.trees.made !== null]);
    if (this.shown.key !== key) this.shown = { key, what: this.grown(asked, net) };
    const shown = this.shown.what;
    this.player.element.hidden = !shown;
    if (!shown) {
      this.player.stop();
      this.drawn = "";
      const around = this.aroundOf(state, net);
      this.app.overlay({
        routers: new Map([[asked.source, { colour: "ink", size: 5 }]]), labels: new Map([[asked.source, "source"]]),
        ...(around ? { ...shaded(around), fadeOthers: true } : {}),
      });
      const words = asked.destinations.length ? "One of these routers is out of reach of the source: no territory holds it." : "Click routers to send to, or go to them by arrow keys and press Enter.";
      const told = around ? [note(`Territories: ${sizes(asked.sent.top, around.least)}.`)] : [];
      this.figures.replaceChildren(note(this.trees.made ? words : "One moment …"), ...told);
      return;
    }
    this.tell(shown, net);
    const step = state["multicast.step"] as number;
    if (step >= shown.tree.steps) this.app.set({ "multicast.step": -1 }); // the end, whatever tree there is
    else this.player.show(step < 0 ? shown.tree.steps : Math.min(step, shown.tree.steps), shown.tree.steps);
  }

  /** The kernel that grows trees on a network. */
  private async open({ spec, tables, rows }: Sent): Promise<void> {
    this.trees = { spec, made: null };
    const made = await Trees.of(await kernels(), tables, rows);
    if (this.trees.spec !== spec) return;
    this.trees = { spec, made };
    this.app.set({});
  }

  /** The multicast under each scheme, null where there is none. */
  private grown(asked: Asked, net: Network): Shown | null {
    const { made } = this.trees;
    const { data, source, destinations } = asked;
    if (!made || !destinations.length) return null;
    const trees = data.schemes.map(({ name }) => made.grow(name, source, destinations)).filter((tree) => tree !== null);
    const tree = trees[asked.scheme];
    if (!tree) return null;
    return { ...asked, trees, tree, channels: channelsOf(net, tree), step: Int32Array.from(tree.hops, ([step]) => step) };
  }

  /** Territories around the source, null where they are not to be shaded. */
  private aroundOf(state: State, net: Network): Around | null {
    const asked = this.asked();
    const upTo = asked && upToOf(state, asked.sent.top);
    return asked && upTo !== null && this.trees.made ? { least: this.leastOf(asked, net), upTo } : null;
  }

  private leastOf({ source }: Asked, net: Network): Int32Array {
    const key = `${net.spec} ${source}`;
    if (this.around.key !== key) this.around = { key, least: this.trees.made!.territory(source, net.routers) };
    return this.around.least;
  }

  private fill(data: Data, asked: Asked, net: Network): void {
    if (this.content.contains(this.player.element)) {
      this.nets.set(net.spec);
      return;
    }
    this.counts = data.counts;
    this.count.bounds(0, data.counts.length - 1);
    this.scheme.options(data.schemes.map(({ name }) => ({ value: name })), data.schemes[asked.scheme]!.name);
    const specs = [...new Set([...data.networks.map(({ spec }) => spec), net.spec])];
    this.nets.options(specs.map((value) => ({ value })), net.spec);
    this.content.replaceChildren(
      this.nets.element, this.to.element, this.count.element, this.click.element, this.scheme.element, this.about, this.player.element,
      this.territory.element, this.ranks.element, this.figures,
    );
  }

  private tell(shown: Shown, net: Network): void {
    if (this.shown.key === this.drawn) return;
    this.drawn = this.shown.key;
    const { tree, data, sent, destinations } = shown;
    const vain = (each: Tree): number => each.receivers.length - destinations.length;
    const bits = (each: Tree, k: number): number => sent.bits[k]![each.top]!;
    const share = tree.receivers.length ? vain(tree) / tree.receivers.length : 0;
    const rows = data.schemes.map(({ name }, k): (Child | number)[] => {
      const each = shown.trees[k]!;
      const own = k === shown.scheme ? el("strong", {}, name) : button(name, () => this.app.set({ "multicast.scheme": name, "multicast.step": -1 }));
      return [own, each.receivers.length, vain(each), bits(each, k), each.hops.length, each.steps];
    });
    this.figures.replaceChildren(
      heading("Delivered"),
      facts([
        ["Routers that receive", tree.receivers.length], ["Asked for", destinations.length],
        ["In vain", `${vain(tree).toLocaleString("en")} (${(100 * share).toFixed(0)} %)`],
        ["Bits of maps in the header", bits(tree, shown.scheme)], ["Hops over links", tree.hops.length], ["Steps", tree.steps],
        ["Starts at", `${called(net, tree.root)}, rank ${tree.top}`],
      ]),
      heading("The same under every scheme"),
      table(["Scheme", "Receive", "In vain", "Bits", "Hops", "Steps"], rows),
      note(`Source ${called(net, shown.source)}. Destinations: ${destinations.join(", ")}.`),
      note(`Territories: ${sizes(sent.top, this.leastOf(shown, net))}.`),
    );
  }

  private draw(time: number): void {
    const { state, net } = this.app;
    const shown = this.shown.what;
    if (!shown || shown.sent.spec !== net.spec) return;
    const [step, share] = [Math.floor(time), time - Math.floor(time)];
    const around = this.aroundOf(state, net);
    const key = `${this.shown.key} ${step} ${share > 0} ${around?.upTo}`;
    if (this.seen?.key !== key) this.seen = { key, overlay: overlayOf(net, shown, step, share > 0, around) };
    const moves = { step: shown.step, channel: Int32Array.from(shown.channels) };
    this.app.overlay({ ...this.seen.overlay, dots: share > 0 ? dotsOf(moves, step, share, 7) : new Float32Array(0) });
  }
}

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
    "multicast.to": { initial: "near", choices: Object.keys(TO) },
    "multicast.receivers": { initial: [], of: "routers" },
    "multicast.source": { initial: -1, least: -1, of: "routers" },
    "multicast.click": { initial: "receivers", choices: ["receivers", "source"] },
    "multicast.count": { initial: 4, least: 1, most: 16 },
    "multicast.step": { initial: -1, least: -1, most: 999 },
    "multicast.territory": { initial: false },
    "multicast.ranks": { initial: -1, least: -1, most: 64 },
  },
  misfit: () => null,
  mount,
  ready: ready(ID),
  settled(state, net): Readonly<Record<string, Value>> {
    const asked = askedBy(state, net);
    if (!asked) return {};
    return {
      "multicast.scheme": asked.data.schemes[asked.scheme]!.name, "multicast.count": asked.count,
      "multicast.receivers": asked.to === OWN ? asked.destinations : state["multicast.receivers"]!,
      "multicast.ranks": (state["multicast.ranks"] as number) >= asked.sent.top ? -1 : state["multicast.ranks"]!,
      "multicast.source": asked.source === state["multicast.source"] ? asked.source : -1,
    };
  },
  names: (): Readonly<Record<string, readonly string[]>> => ({ "multicast.scheme": held<Data>(ID)?.schemes.map(({ name }) => name) ?? [] }),
  command(state, net) {
    const asked = askedBy(state, net);
    const upTo = asked && upToOf(state, asked.sent.top);
    if (asked && upTo !== null && !asked.destinations.length)
      return `jumpnet multicast ${word(net.spec)} --source ${asked.source} --top-rank ${upTo} --draw territory.svg`;
    if (!asked?.destinations.length) return null;
    const to = asked.destinations.map((router) => `--to ${router}`).join(" ");
    return `jumpnet multicast ${word(net.spec)} --scheme ${asked.data.schemes[asked.scheme]!.name} --source ${asked.source} ${to} --tree`;
  },
  python(state, net) {
    const asked = askedBy(state, net);
    const upTo = asked && upToOf(state, asked.sent.top);
    if (asked && upTo !== null && !asked.destinations.length)
      return [
        "from jumpnet.multicast.territory import territories", "from jumpnet.plot.figure import render",
        "from jumpnet.plot.territory import territory_drawer",
        `render(territory_drawer(territories(${JSON.stringify(net.spec)}), ${asked.source}, ${upTo}))`,
      ].join("\n");
    if (!asked?.destinations.length) return null;
    const [name, source, to] = [asked.data.schemes[asked.scheme]!.name, asked.source, asked.destinations.join(", ")];
    return [
      "from jumpnet.multicast import scheme", "from jumpnet.multicast.territory import territories",
      "from jumpnet.multicast.tree import multicast_tree",
      `multicast_tree(territories(${JSON.stringify(net.spec)}), scheme("${name}"), ${source}, [${to}])`,
    ].join("\n");
  },
};
