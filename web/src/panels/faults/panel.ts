/** Break links and routers by clicking, and see what is left; at random ones, what routings make of it. */
import { bothWays, brokenOf, counted, figuresInPython, goneMarks, MENDED, namedFaults, type Broken } from "../../data/faults";
import { called, routerName, type Network } from "../../data/network";
import { button, choice, el, facts, heading, note, row, segments, slider, table, type Child } from "../../shell/controls";
import type { App, Mark, Meaning, Mounted, Overlay, Panel, Pick } from "../../shell/panel";
import type { State, Value } from "../../state/state";
import { offered, opened, roundOf, runs } from "../../sim/held";
import { word } from "../../shell/elsewhere";
import { chart, type Curve } from "../chart";
import { held } from "../data";
import { survey, type Survey } from "./survey";

type Point = readonly (number | string | null)[];
type Kind = "nodes" | "links";

interface Known {
  readonly spec: string;
  readonly order: Readonly<Record<Kind, readonly Int32Array[]>>; // by seed: routers, or channels of links
  readonly routings: readonly { readonly name: string; readonly points: Readonly<Record<Kind, readonly (readonly Point[])[]>> }[];
}

interface Data {
  readonly counts: readonly number[];
  readonly seeds: readonly number[];
  readonly fields: readonly string[];
  readonly networks: readonly Known[];
}

const ID = "faults";
const KINDS: Readonly<Record<Kind, string>> = { nodes: "routers", links: "links" };

const knownOf = (net: Network): Known | null => held<Data>(ID)?.networks.find((each) => each.spec === net.spec) ?? null;
const seedOf = (state: State): number => state["faults.seed"] as number;
const kindOf = (state: State): Kind => state["faults.kind"] as Kind;

/** The number of random faults that is shown: one of those that were computed. */
function countOf(state: State): number {
  const counts = held<Data>(ID)?.counts ?? [0];
  return counts.filter((each) => each <= (state["faults.count"] as number)).at(-1) ?? 0;
}

/** What is broken: by hand, or the first ones of a seed. */
function brokenBy(state: State, net: Network): Broken {
  const order = seedOf(state) > 0 ? knownOf(net)?.order[kindOf(state)][seedOf(state) - 1] : undefined;
  if (!order) return brokenOf(state, net) ?? { routers: [], links: [] };
  const first = [...order.subarray(0, countOf(state))];
  return kindOf(state) === "nodes" ? { routers: first, links: [] } : { routers: [], links: first };
}

const toggled = (list: readonly number[], one: number): number[] =>
  list.includes(one) ? list.filter((each) => each !== one) : [...list, one].sort((a, b) => a - b);

const NONE = "none"; // where no pair is left
const percent = (share: number): string => Number.isNaN(share) ? NONE : `${(100 * share).toFixed(share < 1 && share > 0.9995 ? 3 : 1)} %`;

class View {
  private readonly tool;
  private readonly seed;
  private readonly kind;
  private readonly count;
  private readonly random = el("div");
  private readonly links = el("div");
  private readonly left = el("div", { "aria-live": "polite" });
  private readonly routed = el("div");
  private readonly rounds = el("div");
  private readonly mend: HTMLButtonElement;
  private stop: (() => void) | null = null;
  private before = "";
  private whole: { spec: string; survey: Survey } | null = null;
  private counts: readonly number[] = [0];

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.tool = segments("What a click on a router does", [{ value: "break", text: "Break routers" }, { value: "links", text: "Show their links" }], "break",
      (value) => app.set({ "faults.tool": value }));
    this.mend = button("Mend all", () => app.set(MENDED));
    this.kind = segments("What fails", [{ value: "nodes", text: "Routers" }, { value: "links", text: "Links" }], "nodes",
      (value) => app.set({ "faults.kind": value, "faults.seed": Math.max(1, seedOf(app.state)) }));
    this.seed = choice({ label: "Seed", options: [], value: "1", change: (value) => app.set({ "faults.seed": Number(value) }) });
    this.count = slider({
      label: "How many", least: 0, most: 1, step: 1, value: 0, show: (k) => String(this.counts[k] ?? 0),
      change: (k) => app.set({ "faults.count": this.counts[k]!, "faults.seed": Math.max(1, seedOf(app.state)) }),
    });
    host.append(
      note("Click a link or a router to break it, and again to mend it. By keyboard: arrow keys and Enter on the drawing."),
      row(this.tool.element, this.mend), this.links, this.left, this.rounds, this.random, this.routed,
    );
    app.onPick((pick) => this.pick(pick));
  }

  destroy(): void {
    this.stop?.();
  }

  /** A click breaks or mends; from random faults on, they are the reader's own. */
  private pick(pick: Pick): void {
    const { state, net } = this.app;
    if (net.directed) return;
    const { routers, links } = brokenBy(state, net);
    if (pick.router >= 0 && state["faults.tool"] === "links") this.app.set({ picked: [pick.router] });
    else this.own(pick.router >= 0 ? toggled(routers, pick.router) : routers, pick.router >= 0 ? links : toggled(links, bothWays(net, pick.channel)[0]));
  }

  private own(routers: readonly number[], links: readonly number[]): void {
    this.app.set({ "faults.routers": routers, "faults.links": links, "faults.seed": 0, "faults.count": 0 });
  }

  update(state: State, net: Network): void {
    const data = held<Data>(ID, this.app);
    const known = knownOf(net);
    const broken = brokenBy(state, net);
    this.tool.set(String(state["faults.tool"]));
    this.mend.disabled = broken.routers.length + broken.links.length === 0;
    this.showLinks(state, net, broken);
    this.showRandom(state, data, known);
    this.showRounds(net, broken);
    const now = `${net.spec} ${broken.routers.join(",")} ${broken.links.join(",")}`;
    if (now === this.before) return;
    this.before = now;
    this.stop?.();
    this.measure(net, broken);
  }

  /** Searches in the spaces between frames; the whole network first, to compare with. */
  private measure(net: Network, broken: Broken): void {
    const damaged = survey(net, broken.routers, broken.links);
    const whole = this.whole?.spec === net.spec ? null : survey(net, [], []);
    if (whole) this.left.replaceChildren(heading("What is left"), note("Searching from every router …"));
    this.left.setAttribute("aria-busy", "true");
    this.app.overlay(this.overlay(net, broken, damaged));
    this.stop = this.app.later(() => {
      if (whole && !whole.step()) return false;
      if (whole) this.whole = { spec: net.spec, survey: whole };
      if (!damaged.step()) return false;
      this.left.removeAttribute("aria-busy");
      this.tell(net, broken, damaged, this.whole!.survey);
      return true;
    });
  }

  private overlay(net: Network, broken: Broken, found: Survey): Overlay {
    const gone = goneMarks(net, broken);
    const [links, routers] = gone.map((marks) => new Map<number, Mark>(marks)) as [Map<number, Mark>, Map<number, Mark>];
    const legend: Meaning[] = links.size + routers.size ? [["bad", "broken"]] : [];
    for (let r = 0; r < net.routers; r++) {
      if (found.part[r]! >= 0 && found.part[r] !== found.largest) routers.set(r, { colour: "hue-4", size: 4 });
    }
    if (routers.size > broken.routers.length) legend.push(["hue-4", "cut off", "ring"]);
    return { links, routers, legend };
  }

  private tell(net: Network, broken: Broken, found: Survey, whole: Survey): void {
    const beside = (now: string, before: string): string => (now === before ? now : `${now} (was ${before})`);
    const size = found.sizes[found.largest] ?? 0;
    const lost = found.working - size;
    const paired = !Number.isNaN(found.average);
    this.left.replaceChildren(
      heading("What is left"),
      facts([
        ["Broken", counted(broken)],
        ["Pieces", found.sizes.length],
        ["Largest piece", lost ? `${size.toLocaleString("en")} (${lost} cut off)` : size],
        ["Pairs joined", percent(found.joined)],
        ["Diameter", beside(paired ? String(found.diameter) : NONE, String(whole.diameter))],
        ["Average distance", beside(paired ? found.average.toFixed(4) : NONE, whole.average.toFixed(4))],
      ]),
      ...(net.terminals.includes(0) ? [note("Pairs and distances are those of routers with terminals.")] : []),
      ...(found.sampled ? [note(`Distances from ${found.sampled.toLocaleString("en")} routers: the diameter may be larger.`)] : []),
    );
    this.app.announce(`${found.sizes.length} pieces, ${percent(found.joined)} of pairs joined, diameter ${paired ? found.diameter : NONE}`);
  }

  /** Ways to what is left, where a routing goes round it. */
  private showRounds(net: Network, broken: Broken): void {
    const whole = broken.routers.length + broken.links.length === 0;
    const held = opened(net.spec);
    if (!whole && !held && runs(net.spec)) void offered(net.spec).then(() => this.app.set({}));
    const names = held ? roundOf(held) : [];
    const go = (panel: string) => (): void =>
      this.app.set({ ...MENDED, "faults.routers": broken.routers, "faults.links": broken.links, panel, routing: names[0] ?? "", traffic: "uniform", vcs: 0 });
    if (whole || (!held && runs(net.spec))) this.rounds.replaceChildren();
    else if (!names.length) this.rounds.replaceChildren(note("No routing of this network in this page goes round faults."));
    else {
      const words = names.join(", ").replace(/, ([^,]*)$/, " or $1");
      this.rounds.replaceChildren(
        heading("Go round them"),
        note(`By ${words}, whose tables are made here for what is left${names.includes("rdt.fault_tolerant") ? "; rdt.fault_tolerant with layers is in Python alone" : ""}.`),
        row(button("Follow a route", go("route"), { kind: "main" }), button("Simulate", go("simulate"))),
      );
    }
  }

  /** A router's links as buttons: what a click on a link does, by keyboard. */
  private showLinks(state: State, net: Network, broken: Broken): void {
    const router = state["faults.tool"] === "links" ? (state.picked.at(-1) ?? -1) : -1;
    if (router < 0) {
      this.links.replaceChildren(...(state["faults.tool"] === "links" ? [note("Pick a router to see its links.")] : []));
      return;
    }
    const rows: Child[][] = [];
    for (let p = 0; p < net.ports; p++) {
      const channel = router * net.ports + p;
      if (net.neighbor[channel]! < 0) continue;
      const own = bothWays(net, channel)[0];
      const words = broken.links.includes(own) ? "Mend" : "Break";
      const act = button(words, () => this.own(broken.routers, toggled(broken.links, own)), { title: `${words} the link to ${routerName(net, net.neighbor[channel]!)}` });
      rows.push([called(net, net.neighbor[channel]!), net.classNames[net.linkClass[channel]!] ?? "", act]);
    }
    this.links.replaceChildren(table(["To", "Link", ""], rows, `Links of router ${called(net, router)}`));
  }

  private showRandom(state: State, data: Data | null, known: Known | null): void {
    if (!data || !known) {
      const specs = data?.networks.map((each) => each.spec).join(", ");
      this.random.replaceChildren(...(specs ? [heading("At random"), note(`What routings make of random faults is in this page for ${specs}.`)] : []));
      this.routed.replaceChildren();
      return;
    }
    if (!this.random.contains(this.count.element)) {
      this.counts = data.counts;
      this.count.bounds(0, data.counts.length - 1);
      this.random.replaceChildren(heading("At random"), this.kind.element, this.seed.element, this.count.element);
      this.seed.options(data.seeds.map((seed) => ({ value: String(seed) })), "1");
    }
    const seed = Math.max(1, seedOf(state));
    this.kind.set(kindOf(state));
    this.seed.set(String(seed));
    this.count.set(data.counts.indexOf(countOf(state)));
    this.routed.replaceChildren(...this.routings(state, data, known));
  }

  /** What each routing makes of the faults that are shown. */
  private routings(state: State, data: Data, known: Known): HTMLElement[] {
    const { routers, links } = brokenBy(state, this.app.net);
    if (seedOf(state) === 0 && routers.length + links.length > 0) {
      return [note("What routings make of faults is known of random ones: choose how many.")];
    }
    const at = data.counts.indexOf(countOf(state));
    const field = (point: Point, name: string): number | string | null => point[data.fields.indexOf(name)] ?? null;
    const rows = known.routings.map(({ name, points }): (Child | number)[] => {
      const point = points[kindOf(state)][Math.max(1, seedOf(state)) - 1]![at]!;
      const [mean, longest, vcs] = ["average_route", "longest_route", "vcs"].map((each) => field(point, each));
      const verdict = String(field(point, "verdict"));
      return [name.replace(".", ".\u200b"), (100 * Number(field(point, "reachable"))).toFixed(1), mean === null ? "–" : Number(mean).toFixed(3), longest ?? "–", vcs ?? "–",
        el("span", { class: verdict === "free" ? "good" : "bad" }, verdict)];
    });
    const curves = known.routings.map(({ name, points }, k): Curve => ({
      name: name.replace(/^.*\./, ""), colour: `hue-${k}`,
      points: data.counts.map((_, place) => points[kindOf(state)].map((seed) => {
        const [mean, verdict] = ["average_route", "verdict"].map((each) => field(seed[place]!, each));
        return mean === null || verdict === "undelivered" ? null : Number(mean);
      })),
    }));
    const what = `Mean route in hops, by the number of broken ${KINDS[kindOf(state)]}`;
    return [
      el("p", { class: "note" }, `${what}: a dot for each seed, a line for their mean.`),
      el("div", {}, chart(curves, data.counts, countOf(state), what, `broken ${KINDS[kindOf(state)]}`)),
      table(["Routing", "Joins, %", "Mean", "Longest", "VCs", "Proof"], rows, "Routes round the faults: pairs they join, hops, and whether they can deadlock"),
    ];
  }
}

function mount(host: HTMLElement, app: App): Mounted {
  const view = new View(host, app);
  return { update: (state, net) => view.update(state, net), destroy: () => view.destroy() };
}

/** Whether faults of a seed are shown. */
const drawn = (state: State, net: Network): boolean => seedOf(state) > 0 && knownOf(net) !== null;

/** The keys of what was broken by hand and is there. */
function shownByHand(state: State, net: Network): Readonly<Record<string, Value>> {
  const { routers, links } = brokenOf(state, net) ?? { routers: [], links: [] };
  return { "faults.routers": routers, "faults.links": links };
}

export const panel: Panel = {
  id: ID,
  title: "Faults",
  summary: "Break links and routers, and see what is left.",
  keys: {
    "faults.routers": { initial: [], of: "routers" },
    "faults.links": { initial: [], of: "links" },
    "faults.tool": { initial: "break", choices: ["break", "links"] },
    "faults.kind": { initial: "nodes", choices: Object.keys(KINDS) },
    "faults.seed": { initial: 0, least: 0, most: 3 },
    "faults.count": { initial: 0, least: 0, most: 16 },
  },
  misfit: (net) => (net.directed ? "Links are broken both ways, and those of this network are one-way." : null),
  mount,
  settled: (state, net): Readonly<Record<string, Value>> =>
    drawn(state, net) ? { ...MENDED, "faults.seed": seedOf(state), "faults.count": countOf(state) }
      : { ...shownByHand(state, net), ...(held<Data>(ID) ? { "faults.seed": 0, "faults.count": 0 } : {}) },
  command(state, net) {
    if (drawn(state, net)) {
      return `jumpnet degrade ${word(net.spec)} --kind ${kindOf(state)} --faults ${countOf(state)} --seeds 1 --seed ${seedOf(state)} --no-simulate`;
    }
    const broken = brokenOf(state, net);
    if (!broken) return `jumpnet metrics ${word(net.spec)}`;
    const named = namedFaults(net, broken);
    return named && `jumpnet degrade ${word(net.spec)} --fault ${named}`;
  },
  python(state, net) {
    const routed = `, jumpnet.network(${JSON.stringify(net.spec)}).degrade([${countOf(state)}], kind="${kindOf(state)}", seeds=[${seedOf(state)}])`;
    const figures = figuresInPython(net, brokenBy(state, net));
    return `from jumpnet.analysis.what_is_left import what_is_left\n${figures}${drawn(state, net) ? routed : ""}`;
  },
};
