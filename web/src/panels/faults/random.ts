/** Faults at random: how many of which seed, and what each routing makes of them. */
import type { Network } from "../../data/network";
import { fixed } from "../../data/words";
import { choice, el, heading, note, segments, slider, table, type Child } from "../../shell/controls";
import type { App } from "../../shell/panel";
import type { State } from "../../state/state";
import { chart, type Line } from "../chart";
import { countOf, dataOf, faultsOf, kindOf, KINDS, seedOf, type Data, type NetworkData, type Point } from "./data";

export class RandomFaults {
  /** The controls, then what routings make of it. */
  readonly elements: readonly HTMLElement[];
  private readonly controls = el("div");
  private readonly routed = el("div");
  private readonly seed;
  private readonly kind;
  private readonly count;
  private counts: readonly number[] = [0];

  constructor(app: App) {
    const seed = (): number => Math.max(1, seedOf(app.state)); // from the first choice on, they are those of a seed
    this.kind = segments("What fails", [{ value: "nodes", text: "Routers" }, { value: "links", text: "Links" }], "nodes",
      (value) => app.set({ "faults.kind": value, "faults.seed": seed() }));
    this.seed = choice({ label: "Seed", options: [], value: "1", change: (value) => app.set({ "faults.seed": Number(value) }) });
    this.count = slider({
      label: "How many", least: 0, most: 1, step: 1, value: 0, show: (k) => String(this.counts[k] ?? 0),
      change: (k) => app.set({ "faults.count": this.counts[k]!, "faults.seed": seed() }),
    });
    this.elements = [this.controls, this.routed];
  }

  show(state: State, net: Network, data: Data | null): void {
    const known = dataOf(net);
    if (!data || !known) {
      const specs = data?.networks.map((each) => each.spec).join(", ");
      this.controls.replaceChildren(...(specs ? [heading("At random"), note(`What routings make of random faults is in this page for ${specs}.`)] : []));
      this.routed.replaceChildren();
      return;
    }
    if (!this.controls.contains(this.count.element)) this.fill(data);
    this.kind.set(kindOf(state));
    this.seed.set(String(Math.max(1, seedOf(state))));
    this.count.set(data.counts.indexOf(countOf(state)));
    const { routers, links } = faultsOf(state, net);
    const byHand = seedOf(state) === 0 && routers.length + links.length > 0;
    const figures = byHand ? [note("What routings make of faults is known of random ones: choose how many.")] : routingFigures(state, data, known);
    this.routed.replaceChildren(...figures);
  }

  private fill(data: Data): void {
    this.counts = data.counts;
    this.count.bounds(0, data.counts.length - 1);
    this.seed.options(data.seeds.map((seed) => ({ value: String(seed) })), "1");
    this.controls.replaceChildren(heading("At random"), this.kind.element, this.seed.element, this.count.element);
  }
}

/** What each routing makes of the faults that are shown, and of fewer and more of them. */
function routingFigures(state: State, data: Data, { routings }: NetworkData): HTMLElement[] {
  const kind = kindOf(state);
  const at = data.counts.indexOf(countOf(state));
  const field = (point: Point, name: string): number | string | null => point[data.fields.indexOf(name)] ?? null;
  const rows = routings.map(({ name, points }): (Child | number)[] => {
    const point = points[kind][Math.max(1, seedOf(state)) - 1]![at]!;
    const [mean, longest, vcs] = ["average_route", "longest_route", "vcs"].map((each) => field(point, each));
    const joined = fixed(100 * Number(field(point, "reachable")), 1);
    const verdict = String(field(point, "verdict"));
    return [
      name.replace(".", ".\u200b"), joined, mean === null ? "–" : fixed(Number(mean), 3), longest ?? "–", vcs ?? "–",
      el("span", { class: verdict === "free" ? "good" : "bad" }, verdict),
    ];
  });
  const lines = routings.map(({ name, points }, k): Line => ({
    name: name.replace(/^.*\./, ""), colour: `hue-${k}`,
    points: data.counts.map((_, place) => points[kind].map((seed) => {
      const [mean, verdict] = ["average_route", "verdict"].map((each) => field(seed[place]!, each));
      return mean === null || verdict === "undelivered" ? null : Number(mean);
    })),
  }));
  const words = `Mean route in hops, by the number of broken ${KINDS[kind]}`;
  const caption = "Routes round the faults: pairs they join, hops, and whether they can deadlock";
  return [
    note(`${words}: a dot for each seed, a line for their mean.`),
    el("div", {}, chart({ lines, places: data.counts, now: countOf(state), words, unit: `broken ${KINDS[kind]}`, measured: "mean route, hops" })),
    table(["Routing", "Joins, %", "Mean", "Longest", "VCs", "Proof"], rows, caption),
  ];
}
