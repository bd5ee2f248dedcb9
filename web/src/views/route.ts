/** The second panel: a packet's way from one router to another, hop by hop, by the very relation that Python runs. */
import { brokenOf, counted, GONE, goneMarks, leftInPython, MENDED, withoutOption, type Broken } from "../data/faults";
import { called, type Network } from "../data/network";
import { button, capital, choice, el, facts, heading, note, row, slider, table } from "../shell/controls";
import type { App, Mark, Meaning, Mounted, Panel } from "../shell/panel";
import { ChannelsError, Relation, RunError, type Candidate, type Place } from "../sim/simulation";
import { command, loading, word } from "../shell/commands";
import type { State } from "../state/state";
import type { Kernels, Offered } from "../sim/simulation";
import { choices, settled } from "./run/choices";
import { Searching } from "./searching";
import { modelOf } from "../sim/anywhere";
import { kernels, noRuns, offered, opened, runs } from "../sim/held";

const MOST_HOPS = 2000;
const NONE: Broken = { routers: [], links: [] };
const TAKEN: Mark = { colour: "accent", size: 4, arrow: true };
const OFFERED: Mark = { colour: "hue-0", size: 2.5, arrow: true };
const ESCAPE: Mark = { colour: "hue-4", size: 2.5, arrow: true };

/** A packet that has come some hops: where it was, what was offered there, and which of it was taken. */
interface Hop {
  readonly at: Place;
  readonly offered: readonly Candidate[];
  readonly taken: Candidate;
}

interface Way {
  readonly hops: readonly Hop[];
  readonly now: Place;
  readonly next: readonly Candidate[];
}

/** The way that these choices make; it ends where the packet arrives, whatever more is chosen. */
function follow(relation: Relation, source: number, destination: number, draw: number, chosen: readonly number[]): Way {
  let now = relation.start(source, destination, draw);
  let next = relation.candidates(now);
  const hops: Hop[] = [];
  for (const k of chosen) {
    const taken = next[Math.min(k, next.length - 1)];
    if (!taken) break;
    hops.push({ at: now, offered: next, taken });
    now = relation.take(now, taken);
    next = relation.candidates(now);
  }
  return { hops, now, next };
}

/** The relation on what is left: with the fewest virtual channels that do. */
async function relationOf(held: Offered, compiled: Kernels, routing: string, broken: Broken | null): Promise<Relation> {
  const counts = held.counts(routing);
  for (const vcs of counts) {
    try {
      return await Relation.from(held, compiled, { routing, vcs }, broken);
    } catch (error) {
      if (!(error instanceof ChannelsError) || vcs === counts.at(-1)) throw error;
    }
  }
  throw new RunError(`this page has no run of ${routing}`);
}

const picks = (state: State): readonly number[] => state["route.taken"] as readonly number[];

class RouteView implements Mounted {
  private readonly routing;
  private readonly draw;
  private readonly failed = note("");
  private readonly about = note("");
  private readonly faults = el("div");
  private readonly body = el("div");
  private readonly searching = new Searching();
  private relation: Relation | null = null;
  private wanted = "";
  private why = ""; // something is another than was asked for

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.routing = choice({ label: "Routing", options: [], value: "", change: (routing) => app.set({ routing, "route.taken": [], "route.draw": 0 }) });
    this.draw = slider({ label: "Draw", least: 0, most: 1, step: 1, value: 0, change: (draw) => app.set({ "route.draw": draw, "route.taken": [] }) });
    host.append(this.faults, this.failed, this.routing.element, this.about, this.searching.element, this.draw.element, this.body);
    app.onPick((pick) => this.picked(pick.router));
  }

  private picked(router: number): void {
    if (router < 0) return;
    const before = this.app.state.picked;
    this.app.set({ picked: before.length === 1 && before[0] !== router ? [before[0]!, router] : [router], "route.taken": [] });
  }

  update(state: State, net: Network): void {
    const broken = brokenOf(state, net);
    const wanted = JSON.stringify([net.spec, state.routing, broken]);
    if (this.wanted === wanted) {
      if (this.relation) this.fill(this.app.state, net, this.relation);
      return;
    }
    this.wanted = wanted;
    this.relation = null;
    this.say(this.why);
    this.why = "";
    this.find(state, net, broken, wanted).catch((error) => {
      if (this.wanted !== wanted) return; // another one has been asked for since
      this.searching.needless();
      this.body.replaceChildren(note(error instanceof Error ? error.message : String(error)));
      if (!this.relation) this.app.set({}); // the foot of the page names the routing that was refused
    });
  }

  private say(words: string): void {
    this.failed.textContent = words;
    this.failed.hidden = words === "";
  }

  /** The relation of the routing that is chosen, once what must be searched for it is found. */
  private async find(state: State, net: Network, broken: Broken | null, wanted: string): Promise<void> {
    const [held, compiled] = await Promise.all([offered(net.spec), kernels()]);
    if (this.wanted !== wanted) return;
    this.faults.replaceChildren(...(broken ? [row(note(`Without ${counted(broken)}.`), button("Mend all", () => this.app.set(MENDED)))] : []));
    const { which: { routing }, routings, mended, said } = choices(held, state, net);
    this.routing.options(routings.map((value) => ({ value })), routing);
    if (mended.routing !== undefined) {
      this.why = said.routing ?? "";
      this.app.set({ routing: mended.routing, ...(state.routing ? { "route.taken": [] } : {}) }); // the page has no such run
      return;
    }
    this.body.replaceChildren(); // nothing of another routing stays
    await settled(held, compiled, this.app.state, net);
    const relation = await relationOf(held, compiled, routing, broken);
    const { routings: told } = net.grown ? await this.app.load(modelOf(net.spec)) : net; // of another size of its family
    if (this.wanted !== wanted) return;
    this.searching.needless();
    this.relation = relation;
    const summary = told.find((each) => each.name === routing)?.summary ?? "";
    this.about.textContent = summary && `${capital(summary)}.`;
    this.draw.bounds(0, Math.max(1, relation.draws - 1));
    this.draw.element.hidden = relation.draws < 2;
    this.body.replaceChildren();
    this.app.set({}); // the foot of the page knows the run now
  }

  /** What is shown goes into the link where the link asks for what there is not; after this update, not within it. */
  private mend(changes: Readonly<Record<string, string | number | readonly number[]>>): void {
    queueMicrotask(() => this.app.set(changes));
  }

  private fill(state: State, net: Network, relation: Relation): void {
    this.draw.set(state["route.draw"] as number);
    const [source = -1, destination = -1] = state.picked;
    const wrong = source >= 0 && !net.terminals[source] ? source : destination >= 0 && !net.sinks[destination] ? destination : -1;
    if (destination < 0 || wrong >= 0) {
      const words = wrong >= 0
        ? `Router ${called(net, wrong)} has no terminal: packets start and end at others.`
        : source < 0 ? "Pick two routers, by a click or by arrow keys and Enter: where a packet starts, and where it ends."
          : `From router ${called(net, source)}: pick the router where the packet ends.`;
      const broken = brokenOf(state, net);
      const [links, routers] = goneMarks(net, broken ?? NONE);
      this.app.overlay({ links, routers, ...(broken ? { legend: [GONE] } : {}), ...(source >= 0 ? { labels: new Map([[source, `from ${called(net, source)}`]]) } : {}) });
      this.body.replaceChildren(note(words), row(button("Two far apart", () => this.far(net))));
      return;
    }
    try {
      const draw = Math.min(state["route.draw"] as number, relation.draws - 1);
      const way = follow(relation, source, destination, draw, picks(state));
      const taken = way.hops.map((hop) => hop.offered.indexOf(hop.taken));
      if (draw !== state["route.draw"] || taken.join() !== picks(state).join()) this.mend({ "route.draw": draw, "route.taken": taken });
      this.told(net, state, relation, way);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      this.body.replaceChildren(note(error.message));
    }
  }

  /** A pair to begin with: the first router with a terminal, and the one in the middle of the others. */
  private far(net: Network): void {
    const [senders, sinks] = [net.terminals, net.sinks].map((ends) => [...ends.keys()].filter((r) => ends[r]! > 0)) as [number[], number[]];
    const to = sinks[Math.floor((sinks.length * 5) / 8)]!;
    this.app.set({ picked: [senders.find((r) => r !== to) ?? 0, to], "route.taken": [] });
  }

  private told(net: Network, state: State, relation: Relation, way: Way): void {
    const { app } = this;
    const taken = way.hops.map((hop) => hop.offered.indexOf(hop.taken));
    if (taken.join() !== picks(state).join()) {
      app.set({ "route.taken": taken }); // what was asked for is not offered, or the packet has arrived before
      return;
    }
    const go = (choices: readonly number[]): void => app.set({ "route.taken": choices });
    const arrived = way.next.length === 0;
    const all = (): void => {
      let now = way.now;
      const more = [...taken];
      for (let next = way.next; next.length && more.length < MOST_HOPS; next = relation.candidates(now)) {
        now = relation.take(now, next[0]!);
        more.push(0);
      }
      go(more);
    };
    const step = button("Step", () => go([...taken, 0]), { kind: "main", title: "Take the first candidate" });
    const end = button("All", all, { title: "Take first candidates to the end" });
    const back = button("Back", () => go(taken.slice(0, -1)), { title: "Take the last hop back" });
    const start = button("Start again", () => go([]));
    step.disabled = end.disabled = arrived;
    back.disabled = start.disabled = taken.length === 0;
    const focused = document.activeElement?.textContent ?? "";
    const inside = this.body.contains(document.activeElement);
    const rows = this.candidates(net, way, (k) => go([...taken, k]));
    const several = state.picked.length > 2
      ? [note(`${state.picked.length.toLocaleString("en")} routers are picked; the packet goes from the first, ${state.picked[0]}, to the second, ${state.picked[1]}.`)] : [];
    this.body.replaceChildren(
      ...several, row(step, end, back, start),
      heading(arrived ? `Arrived after ${taken.length} ${taken.length === 1 ? "hop" : "hops"}` : `At router ${called(net, way.now.here)}, hop ${taken.length}`),
      ...(arrived ? [] : [rows]),
      heading("The packet's header"), header(net, relation, way.now),
      ...(way.hops.length ? [heading("So far"), sofar(net, way)] : []),
    );
    const usable = [step, end, back, start].filter((each) => !each.disabled);
    if (inside) (usable.find((each) => each.textContent === focused) ?? usable[0])?.focus();
    this.draw_(net, state, way);
    if (inside) app.announce(arrived ? `arrived after ${taken.length} hops` : `at router ${way.now.here}, ${way.next.length} candidates`);
  }

  private candidates(net: Network, way: Way, take: (k: number) => void): HTMLElement {
    const rows = way.next.slice(0, 40).map((each, k) => {
      const title = `Take port ${each.port} to router ${each.to}`;
      const kind = net.classNames[net.linkClass[way.now.here * net.ports + each.port]!] ?? "";
      const more = each.escape ? ", escape" : each.enters ? ", enters a ring" : "";
      return [button(called(net, each.to), () => take(k), { title }), each.port, each.vc, kind + more];
    });
    return table(["Take", "Port", "VC", "Link"], rows, way.next.length === 1 ? "One candidate" : `${way.next.length} candidates, in order of preference`);
  }

  private draw_(net: Network, state: State, way: Way): void {
    const broken = brokenOf(state, net);
    const gone = goneMarks(net, broken ?? NONE);
    const [links, routers] = gone.map((marks) => new Map<number, Mark>(marks)) as [Map<number, Mark>, Map<number, Mark>];
    for (const each of way.next) links.set(way.now.here * net.ports + each.port, each.escape ? ESCAPE : OFFERED);
    for (const hop of way.hops) {
      links.set(hop.at.here * net.ports + hop.taken.port, TAKEN);
      routers.set(hop.at.here, { colour: "accent", size: 2 });
    }
    routers.set(way.now.here, { colour: "ink", size: 3 });
    const [source, destination] = state.picked as [number, number];
    const labels = new Map([[source, `from ${called(net, source)}`], [destination, `to ${called(net, destination)}`]]);
    const legend: Meaning[] = [...(broken ? [GONE] : []), ...(way.hops.length ? [["accent", "taken"] as const] : [])];
    if (way.next.some((each) => !each.escape)) legend.push(["hue-0", "offered next"]);
    if (way.next.some((each) => each.escape)) legend.push(["hue-4", "offered next, to escape"]);
    this.app.overlay({ links, routers, labels, legend, fadeOthers: true });
  }

  destroy(): void {
    this.wanted = "";
    this.searching.leave();
  }
}

/** A small state as a number, fields packed into one as hexadecimal digits. */
const stateOf = (state: bigint): string => (state >= 0n && state < 65536n ? String(state) : `0x${BigInt.asUintN(64, state).toString(16)}`);

function header(net: Network, relation: Relation, place: Place): HTMLElement {
  const { header } = place;
  const via = header.intermediate < 0 ? "none" : called(net, header.intermediate);
  const came = header.in_port < 0 ? "from its terminal" : `port ${header.in_port}, channel ${header.in_vc}`;
  return facts([
    ["Source", called(net, header.source)], ["Destination", called(net, header.destination)],
    ["Came by", came], ["Intermediate", via], ["State", stateOf(relation.told(header))],
  ]);
}

function sofar(net: Network, way: Way): HTMLElement {
  const rows = way.hops.map((hop, k) => {
    const { here } = hop.at;
    return [k, called(net, here), hop.taken.port, hop.taken.vc, net.classNames[net.linkClass[here * net.ports + hop.taken.port]!] ?? ""];
  });
  return table(["Hop", "Router", "Port", "VC", "Link"], rows);
}

/** The routing, where it is not the network's default, and the virtual channels of its run. */
function named(state: State, net: Network): { readonly routing: string; readonly vcs: number } {
  const [held, broken] = [opened(net.spec), brokenOf(state, net)];
  if (!held || !broken) return { routing: state.routing, vcs: 0 };
  try {
    const { which } = choices(held, state, net);
    return which;
  } catch {
    return { routing: state.routing || "up_down", vcs: 0 };
  }
}

/** Whether packets may start and end there. */
const ends = (net: Network, source: number, destination: number): boolean => Boolean(net.terminals[source] && net.sinks[destination]);

/** Choices that differ from the first candidates: what comes after the last of them follows by itself. */
function led(state: State): readonly number[] {
  let last = picks(state).length;
  while (last > 0 && picks(state)[last - 1] === 0) last--;
  return picks(state).slice(0, last);
}

export const panel: Panel = {
  id: "route",
  title: "Route",
  summary: "Follow a packet: at each router the candidates that its routing offers, and what its header says.",
  keys: { "route.taken": { initial: [] }, "route.draw": { initial: 0, least: 0, most: 2 ** 31 - 1 } },
  misfit: (net) => (runs(net.spec) ? null : noRuns(net.spec)),
  mount: (host, app) => new RouteView(host, app),
  command(state, net) {
    const [source, destination] = state.picked;
    if (source === undefined || destination === undefined || !ends(net, source, destination)) return null;
    const { routing } = named(state, net);
    const draw = state["route.draw"] ? ` --draw ${state["route.draw"]}` : "";
    const take = led(state).length ? ` --take ${word(led(state).join(" "))}` : "";
    const without = withoutOption(net, brokenOf(state, net));
    return `${command("route", net, routing)} ${source} ${destination}${routing ? ` --routing ${word(routing)}` : ""}${without}${draw}${take}`;
  },
  python(state, net) {
    const [source, destination] = state.picked;
    if (source === undefined || destination === undefined || !ends(net, source, destination)) return null;
    const broken = brokenOf(state, net);
    const { routing } = named(state, net);
    const what = routing ? `, "${routing}"` : "";
    const draw = state["route.draw"] ? `, draw=${state["route.draw"]}` : "";
    const take = led(state).length ? `, take=[${led(state).join(", ")}]` : "";
    const on = broken ? "left" : JSON.stringify(net.spec);
    return [...loading(net, routing), ...(broken ? leftInPython(net, broken) : []), `jumpnet.network(${on}).route(${source}, ${destination}${what}${draw}${take})`].join("\n");
  },
};
