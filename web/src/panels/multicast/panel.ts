/** A multicast under each bit-map scheme: territories, who receives, and what is delivered in vain. */
import type { Network } from "../../data/network";
import { capital, choice, el, note, segments, slider, toggle } from "../../shell/controls";
import type { App, Mounted, Overlay, Panel } from "../../shell/panel";
import type { State } from "../../state/state";
import { kernels } from "../../sim/held";
import { Trees } from "../../sim/simulation";
import { absent, held, inPage, ready, waiting } from "../data";
import { askedBy, ID, OWN, schemes, settledBy, TO, type Asked, type Data, type Sent } from "./request";
import { grown, overlayOf, overlayWithout, type Shown } from "./overlay";
import { commandOf, pythonOf } from "./commands";
import { figuresOf } from "./figures";
import { dotsOf, Player } from "../player";
import { sizes, upToOf, type Around } from "./territory";

const PACE = 650; // ms a step
const AT_END = { "multicast.step": -1 } as const; // of whatever tree there is

class View implements Mounted {
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
  private counts: readonly number[] = []; // of receivers, to choose from
  private top = 0; // the highest rank of the network
  private trees: { readonly spec: string; readonly made: Trees | null } = { spec: "", made: null }; // null as long as they are being made
  // What is expensive is kept with what it was made of:
  private shown: { readonly key: string; readonly what: Shown | null } = { key: "", what: null };
  private told = ""; // the multicast whose figures stand there
  private around: { readonly key: string; readonly least: Int32Array } = { key: "", least: new Int32Array(0) };
  private seen: { readonly key: string; readonly overlay: Overlay } | null = null;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const anew = (name: string) => (value: string | number): void => app.set({ [`multicast.${name}`]: value, ...AT_END });
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
      this.app.set({ "multicast.source": router, ...AT_END });
      return;
    }
    if (router === asked.source) return;
    const { destinations } = asked;
    this.own(destinations.includes(router) ? destinations.filter((each) => each !== router) : [...destinations, router]);
  }

  private own(receivers: readonly number[]): void {
    this.app.set({ "multicast.to": OWN, "multicast.receivers": [...receivers].sort((a, b) => a - b), ...AT_END });
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
    if (!data || !asked) return this.nothing(data, net);
    this.fill(asked, net);
    this.show(asked, state);
    if (this.trees.spec !== net.spec) void this.open(asked.sent);
    const { made } = this.trees;
    const key = JSON.stringify([net.spec, asked.source, asked.destinations, asked.scheme, made !== null]);
    if (this.shown.key !== key) this.shown = { key, what: made && grown(made, asked, net) };
    const shown = this.shown.what;
    this.player.element.hidden = !shown;
    if (!shown) return this.without(asked, state, net);
    this.tell(shown, net);
    const { steps } = shown.tree;
    const step = state["multicast.step"] as number;
    if (step >= steps) this.app.set(AT_END);
    else this.player.show(step < 0 ? steps : step, steps);
  }

  /** The page has no multicasts on the network, or has yet to unpack them. */
  private nothing(data: Data | null, net: Network): void {
    if (data && inPage(ID, net.spec)) return this.content.replaceChildren(waiting(ID));
    this.player.stop();
    this.told = "";
    absent(this.app, ID, this.content, "Bit-map multicasts go over recursive diagonal tori. In this page:", data?.networks.map((each) => each.spec));
  }

  /** The controls, put there once, and what there is to choose on the network. */
  private fill({ data, scheme }: Asked, net: Network): void {
    if (this.content.contains(this.player.element)) return this.nets.set(net.spec);
    this.counts = data.counts;
    this.count.bounds(0, data.counts.length - 1);
    this.scheme.options(data.schemes.map(({ name }) => ({ value: name })), data.schemes[scheme]!.name);
    const specs = [...new Set([...data.networks.map(({ spec }) => spec), net.spec])];
    this.nets.options(specs.map((value) => ({ value })), net.spec);
    this.content.replaceChildren(
      this.nets.element, this.to.element, this.count.element, this.click.element, this.scheme.element, this.about, this.player.element,
      this.territory.element, this.ranks.element, this.figures,
    );
  }

  /** The controls as the state has them. */
  private show({ data, sent, to, count, scheme }: Asked, state: State): void {
    this.to.set(to);
    this.count.set(data.counts.indexOf(count));
    this.count.element.hidden = to === OWN;
    this.click.set(String(state["multicast.click"]));
    this.scheme.set(data.schemes[scheme]!.name);
    this.about.textContent = `${capital(data.schemes[scheme]!.summary)}.`;
    this.territory.set(state["multicast.territory"] === true);
    this.top = sent.top;
    const upTo = upToOf(state, sent.top);
    this.ranks.element.hidden = upTo === null;
    this.ranks.bounds(0, Math.max(1, this.top));
    this.ranks.set(upTo ?? this.top);
  }

  /** No multicast: its trees are being made, nobody is chosen, or somebody is out of reach. */
  private without(asked: Asked, state: State, net: Network): void {
    this.player.stop();
    this.told = "";
    const around = this.aroundOf(asked, state, net);
    this.app.overlay(overlayWithout(asked.source, around));
    const words = asked.destinations.length ? "One of these routers is out of reach of the source: no territory holds it." : "Click routers to send to, or go to them by arrow keys and press Enter.";
    const territories = around ? [note(`Territories: ${sizes(asked.sent.top, around.least)}.`)] : [];
    this.figures.replaceChildren(note(this.trees.made ? words : "One moment …"), ...territories);
  }

  /** The kernel that grows trees on a network. */
  private async open({ spec, tables, rows }: Sent): Promise<void> {
    this.trees = { spec, made: null };
    const made = await Trees.of(await kernels(), tables, rows);
    if (this.trees.spec !== spec) return;
    this.trees = { spec, made };
    this.app.set({});
  }

  private tell(shown: Shown, net: Network): void {
    if (this.shown.key === this.told) return;
    this.told = this.shown.key;
    this.figures.replaceChildren(...figuresOf(shown, net, this.leastOf(shown, net), (scheme) => this.app.set({ "multicast.scheme": scheme, ...AT_END })));
  }

  /** Territories around the source, null where they are not to be shaded. */
  private aroundOf(asked: Asked, state: State, net: Network): Around | null {
    const upTo = upToOf(state, asked.sent.top);
    return upTo !== null && this.trees.made ? { least: this.leastOf(asked, net), upTo } : null;
  }

  private leastOf({ source }: Asked, net: Network): Int32Array {
    const key = `${net.spec} ${source}`;
    if (this.around.key !== key) this.around = { key, least: this.trees.made!.territory(source, net.routers) };
    return this.around.least;
  }

  /** The multicast at a time, in steps. */
  private draw(time: number): void {
    const { state, net } = this.app;
    const shown = this.shown.what;
    if (!shown || shown.sent.spec !== net.spec) return;
    const [step, share] = [Math.floor(time), time - Math.floor(time)];
    const around = this.aroundOf(shown, state, net);
    const key = `${this.shown.key} ${step} ${share > 0} ${around?.upTo}`;
    if (this.seen?.key !== key) this.seen = { key, overlay: overlayOf(net, shown, step, share > 0, around) };
    const moves = { step: shown.step, channel: Int32Array.from(shown.channels) };
    this.app.overlay({ ...this.seen.overlay, dots: share > 0 ? dotsOf(moves, step, share, 7) : new Float32Array(0) });
  }
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
  mount: (host, app) => new View(host, app),
  ready: ready(ID),
  settled: settledBy,
  names: () => ({ "multicast.scheme": schemes() }),
  command: commandOf,
  python: pythonOf,
};
