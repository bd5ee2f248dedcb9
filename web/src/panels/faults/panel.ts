/** Break links and routers by clicking, and see what is left; at random ones, what routings make of it. */
import { bothWays, GONE, goneMarks, MENDED, type Broken } from "../../data/faults";
import { called, routerName, type Network } from "../../data/network";
import { button, el, heading, note, row, segments, table, type Child } from "../../shell/controls";
import type { App, Mark, Meaning, Mounted, Overlay, Panel, Pick } from "../../shell/panel";
import { offered, opened, roundOf, runs } from "../../sim/held";
import type { State } from "../../state/state";
import { unpacked } from "../unpacked";
import { commandOf, pythonOf } from "./commands";
import { faultsOf, ID, KINDS, settled, type Data } from "./data";
import { figuresOf, sentence } from "./figures";
import { RandomFaults } from "./random";
import { survey, type Survey } from "./survey";

const toggled = (list: readonly number[], one: number): number[] =>
  list.includes(one) ? list.filter((each) => each !== one) : [...list, one].sort((a, b) => a - b);
const nothing = ({ routers, links }: Broken): boolean => routers.length + links.length === 0;

class View implements Mounted {
  private readonly tool;
  private readonly random;
  private readonly links = el("div");
  private readonly left = el("div", { "aria-live": "polite" });
  private readonly ways = el("div");
  private readonly mend: HTMLButtonElement;
  private stop: (() => void) | null = null;
  private before = ""; // what has been measured
  private whole: { readonly spec: string; readonly survey: Survey } | null = null;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const tools = [{ value: "break", text: "Break routers" }, { value: "links", text: "Show links" }];
    this.tool = segments("What a click on a router does", tools, "break", (value) => app.set({ "faults.tool": value }));
    this.mend = button("Mend all", () => app.set(MENDED));
    this.random = new RandomFaults(app);
    host.append(
      note("Click a link or a router to break it, and again to mend it. By keyboard: arrow keys and Enter on the drawing."),
      row(this.tool.element, this.mend), this.links, this.left, this.ways, ...this.random.elements,
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
    const { routers, links } = faultsOf(state, net);
    if (pick.router < 0) this.own(routers, toggled(links, bothWays(net, pick.channel)[0]));
    else if (state["faults.tool"] === "links") this.app.set({ picked: [pick.router] });
    else this.own(toggled(routers, pick.router), links);
  }

  private own(routers: readonly number[], links: readonly number[]): void {
    this.app.set({ "faults.routers": routers, "faults.links": links, "faults.seed": 0, "faults.count": 0 });
  }

  update(state: State, net: Network): void {
    const data = unpacked<Data>(ID, this.app);
    const broken = faultsOf(state, net);
    this.tool.set(String(state["faults.tool"]));
    this.mend.disabled = nothing(broken);
    this.showLinks(state, net, broken);
    this.random.show(state, net, data);
    this.showWays(net, broken);
    const now = `${net.spec} ${broken.routers.join(",")} ${broken.links.join(",")}`;
    if (now === this.before) return;
    this.before = now;
    this.stop?.();
    this.measure(net, broken);
  }

  /** Searches in the spaces between frames; the whole network first, to compare with. */
  private measure(net: Network, broken: Broken): void {
    const damaged = survey(net, broken);
    const whole = this.whole?.spec === net.spec ? null : survey(net, { routers: [], links: [] });
    if (whole) this.left.replaceChildren(heading("What is left"), note("Searching from every router …"));
    this.left.setAttribute("aria-busy", "true");
    this.app.overlay(overlayOf(net, broken, damaged));
    this.stop = this.app.later(() => {
      if (whole && !whole.step()) return false;
      if (whole) this.whole = { spec: net.spec, survey: whole };
      if (!damaged.step()) return false;
      this.left.removeAttribute("aria-busy");
      this.left.replaceChildren(...figuresOf(net, broken, damaged, this.whole!.survey));
      this.app.announce(sentence(damaged));
      return true;
    });
  }

  /** Ways to what is left, where a routing goes round it. */
  private showWays(net: Network, broken: Broken): void {
    const held = opened(net.spec);
    const waits = !held && runs(net.spec);
    if (waits && !nothing(broken)) void offered(net.spec).then(() => this.app.set({}));
    this.ways.replaceChildren(...(waits || nothing(broken) ? [] : this.waysRound(broken, held ? roundOf(held) : [])));
  }

  private waysRound(broken: Broken, routings: readonly string[]): HTMLElement[] {
    if (!routings.length) return [note("No routing of this network in this page goes round faults.")];
    const go = (panel: string) => (): void =>
      this.app.set({ ...MENDED, "faults.routers": broken.routers, "faults.links": broken.links, panel, routing: routings[0]!, traffic: "uniform", vcs: 0 });
    const words = routings.join(", ").replace(/, ([^,]*)$/, " or $1");
    const more = routings.includes("rdt.fault_tolerant") ? "; rdt.fault_tolerant with layers is in Python alone" : "";
    return [
      heading("Go round them"), note(`By ${words}, whose tables are made here for what is left${more}.`),
      row(button("Follow a route", go("route"), { kind: "main" }), button("Simulate", go("simulate"))),
    ];
  }

  /** A router's links as buttons: what a click on a link does, by keyboard. */
  private showLinks(state: State, net: Network, broken: Broken): void {
    const shows = state["faults.tool"] === "links";
    const router = state.picked.at(-1) ?? -1;
    if (!shows || router < 0) {
      this.links.replaceChildren(...(shows ? [note("Pick a router to see its links.")] : []));
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
}

/** What is broken, and what that cuts off. */
function overlayOf(net: Network, broken: Broken, found: Survey): Overlay {
  const [links, routers] = goneMarks(net, broken) as [Map<number, Mark>, Map<number, Mark>];
  const legend: Meaning[] = links.size + routers.size ? [GONE] : [];
  for (let r = 0; r < net.routers; r++) {
    if (found.part[r]! >= 0 && found.part[r] !== found.largest) routers.set(r, { colour: "hue-4", size: 4 });
  }
  if (routers.size > broken.routers.length) legend.push(["hue-4", "cut off", "ring"]);
  return { links, routers, legend };
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
  mount: (host, app) => new View(host, app),
  settled,
  command: commandOf,
  python: pythonOf,
};
