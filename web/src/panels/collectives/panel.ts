/** Broadcasts, gathers and all-reduces, step by step: schedules that were played and checked before. */
import { called, type Network } from "../../data/network";
import { capital, choice, el, facts, heading, note, segments } from "../../shell/controls";
import type { App, Mark, Mounted, Overlay, Panel } from "../../shell/panel";
import { word } from "../../shell/elsewhere";
import type { State, Value } from "../../state/state";
import { absent, held, ready } from "../data";
import { dotsOf, Player } from "../player";

interface Transfers {
  readonly step: Int32Array; // ascending
  readonly channel: Int32Array;
}

interface Schedule extends Transfers {
  readonly steps: number;
  readonly least: number;
  readonly again: number;
  readonly gather: Transfers;
}

interface Algorithm {
  readonly name: string;
  readonly summary: string;
  readonly source: string;
  readonly "one-port": Schedule;
  readonly "all-port": Schedule;
}

interface Case {
  readonly spec: string;
  readonly root: number;
  readonly algorithms: readonly Algorithm[];
}

interface Data {
  readonly cases: readonly Case[];
}

const ID = "collectives";
const PACE = 800; // ms a step
type What = "broadcast" | "gather" | "all-reduce";
const WHAT: Readonly<Record<What, string>> = { broadcast: "Broadcast", gather: "Gather", "all-reduce": "All-reduce" };

interface Shown {
  readonly data: Data;
  readonly one: Case;
  readonly algorithm: Algorithm;
  readonly schedule: Schedule;
  readonly what: What;
  readonly moves: Transfers;
  readonly steps: number;
  readonly turn: number; // step from which a message goes out again, in an all-reduce
}

function shownBy(state: State, net: Network): Shown | null {
  const data = held<Data>(ID);
  const one = data?.cases.find((each) => each.spec === net.spec);
  if (!data || !one) return null;
  const algorithm = one.algorithms.find((each) => each.name === state["collectives.algorithm"]) ?? one.algorithms[0]!;
  const schedule = algorithm[state["collectives.model"] as "one-port" | "all-port"];
  const what = state["collectives.what"] as What;
  const both = what === "all-reduce";
  const moves = what === "broadcast" ? schedule : both ? joined(schedule) : schedule.gather;
  return { data, one, algorithm, schedule, what, moves, steps: both ? 2 * schedule.steps : schedule.steps, turn: both ? schedule.steps : 0 };
}

/** First all of it is gathered, then the sum goes out. */
function joined({ gather, step, channel, steps }: Schedule): Transfers {
  const after = step.map((each) => each + steps);
  return { step: Int32Array.from([...gather.step, ...after]), channel: Int32Array.from([...gather.channel, ...channel]) };
}

/** Whether parts are still on their way to the root, and are what is looked at. */
const gathering = ({ what, turn }: Shown, done: number): boolean => what === "gather" || (what === "all-reduce" && done <= turn);

/** How much each router holds after so many steps: parts that it has gathered, or 1 where the message is. */
function holding(net: Network, shown: Shown, done: number): Float32Array {
  const { moves, one, turn } = shown;
  const gathers = gathering(shown, done);
  const holds = new Float32Array(net.routers).fill(gathers ? 1 : 0);
  if (!gathers) holds[one.root] = 1;
  for (let first = 0, last = 0; first < moves.step.length && moves.step[first]! < done; first = last) {
    const sent: [number, number][] = []; // all transfers of a step at once: what a router gets now it sends later
    for (; moves.step[last] === moves.step[first]; last++) {
      const [from, to] = [Math.floor(moves.channel[last]! / net.ports), net.neighbor[moves.channel[last]!]!];
      if (gathers) {
        sent.push([to, holds[from]!]);
        holds[from] = 0;
      } else if (moves.step[last]! >= turn) holds[to] = 1;
    }
    for (const [to, parts] of sent) holds[to]! += parts;
  }
  return holds;
}

const LEAST_SHADE = 0.06; // of a router with few of the parts
const DARKEST = 0.5; // of the scale of heat: heat-2
/** How dark routers are: by their share of the parts, or all that have the message alike. */
function shades(net: Network, shown: Shown, done: number): Float32Array {
  const all = gathering(shown, done) ? net.routers : 1;
  return holding(net, shown, done).map((each) => (each > 0 ? DARKEST * Math.max(LEAST_SHADE, each / all) : 0));
}

/** What is drawn after so many steps; `going`: the next one has begun. */
function overlayOf(net: Network, shown: Shown, done: number, going: boolean): Overlay {
  const { moves, one, turn } = shown;
  const links = new Map<number, Mark>();
  for (let k = 0; k < moves.step.length; k++) {
    const [step, channel] = [moves.step[k]!, moves.channel[k]!];
    if (step < turn && done > turn) continue; // what was gathered is over
    if (step > done || (step === done && !going)) break;
    if (step === (going ? done : done - 1)) links.set(channel, { colour: "accent", size: 3.5, arrow: true });
    else if (!links.has(channel)) links.set(channel, { colour: "hue-0", size: 2 });
  }
  return {
    links, routers: new Map([[one.root, { colour: "ink", size: 4 }]]), labels: new Map([[one.root, "root"]]),
    routerHeat: shades(net, shown, done), fadeOthers: true,
    legend: [["accent", "in this step"], ["hue-0", "in steps before"], ["heat-2", gathering(shown, done) ? "has all parts" : "has it", "disc"], ["heat-0", gathering(shown, done) ? "has few or none" : "not yet", "disc"]],
  };
}

class View {
  private readonly content = el("div");
  private readonly net;
  private readonly what;
  private readonly model;
  private readonly algorithm;
  private readonly about = el("p", { class: "note" });
  private readonly now = el("p", { class: "verdict" });
  private readonly figures = el("div");
  private readonly player: Player;
  private drawn: { readonly key: string; readonly overlay: Overlay } | null = null;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    const set = (name: string) => (value: string): void => app.set({ [`collectives.${name}`]: value, "collectives.step": 0 });
    this.net = choice({ label: "Network", options: [], value: "", change: (net) => app.set({ net }) });
    this.what = segments("Collective", Object.entries(WHAT).map(([value, text]) => ({ value, text })), "broadcast", set("what"));
    this.model = segments("Ports", [{ value: "one-port", text: "One port at a time" }, { value: "all-port", text: "All ports" }], "one-port", set("model"));
    this.algorithm = choice({ label: "Algorithm", options: [], value: "", change: set("algorithm") });
    this.player = new Player({ app, key: "collectives.step", label: "Steps done", pace: PACE, draw: (time) => this.draw(time) });
    host.append(this.content);
  }

  destroy(): void {
    this.player.stop();
  }

  update(state: State, net: Network): void {
    const data = held<Data>(ID, this.app);
    const shown = shownBy(state, net);
    if (!data || !shown) {
      this.player.stop();
      const sentence = `No schedule was computed here for ${net.spec}. In this page:`;
      absent(this.app, ID, this.content, sentence, data?.cases.map((each) => each.spec));
      return;
    }
    if (!this.content.contains(this.player.element)) {
      this.net.options(data.cases.map(({ spec }) => ({ value: spec })), net.spec);
      this.content.replaceChildren(
        this.net.element, this.what.element, this.algorithm.element, this.about, this.model.element, this.player.element, this.now, this.figures,
      );
    }
    this.net.set(net.spec);
    this.what.set(shown.what);
    this.model.set(String(state["collectives.model"]));
    this.algorithm.options(shown.one.algorithms.map(({ name }) => ({ value: name })), shown.algorithm.name);
    const { summary, source } = shown.algorithm;
    this.about.textContent = `${capital(summary)}${source && ` (${source})`}.`;
    this.tell(net, shown);
    this.player.show(Math.min(state["collectives.step"] as number, shown.steps), shown.steps);
  }

  private tell(net: Network, shown: Shown): void {
    const { schedule, what } = shown;
    const least = what === "all-reduce" ? [] : ([["No schedule takes fewer than", `${schedule.least} steps`]] as const);
    this.figures.replaceChildren(
      heading("The schedule"),
      facts([
        ["Steps", shown.steps], ...least, ["Transfers", shown.moves.step.length], ["Root", called(net, shown.one.root)],
        ...(schedule.again ? ([["Routers that receive twice", schedule.again]] as const) : []),
      ]),
      note(what === "all-reduce" ? "A gather of all parts, and the sum sent back the same way." : "Every transfer was checked: over a link, of what its sender has, within its ports."),
    );
  }

  private draw(time: number): void {
    const { state, net } = this.app;
    const shown = shownBy(state, net);
    if (!shown) return;
    const [done, share] = [Math.floor(time), time - Math.floor(time)];
    const key = JSON.stringify([net.spec, shown.algorithm.name, shown.what, state["collectives.model"], done, share > 0]);
    if (this.drawn?.key !== key) this.drawn = { key, overlay: overlayOf(net, shown, done, share > 0) };
    this.app.overlay({ ...this.drawn.overlay, dots: share > 0 ? dotsOf(shown.moves, done, share, 7) : new Float32Array(0) });
    const held = holding(net, shown, done);
    const words = gathering(shown, done)
      ? `${held[shown.one.root]!.toLocaleString("en")} of ${net.routers.toLocaleString("en")} parts are at the root`
      : `${held.reduce((a, b) => a + b, 0).toLocaleString("en")} of ${net.routers.toLocaleString("en")} routers have it`;
    this.now.textContent = `After ${done} of ${shown.steps} steps ${words}.`;
  }
}

function mount(host: HTMLElement, app: App): Mounted {
  const view = new View(host, app);
  return { update: (state, net) => view.update(state, net), destroy: () => view.destroy() };
}

export const panel: Panel = {
  id: ID,
  title: "Collectives",
  summary: "Broadcast, gather and all-reduce, one step after the other.",
  keys: {
    "collectives.what": { initial: "broadcast", choices: Object.keys(WHAT) },
    "collectives.model": { initial: "one-port", choices: ["one-port", "all-port"] },
    "collectives.algorithm": { initial: "" },
    "collectives.step": { initial: 0, least: 0, most: 9999 },
  },
  misfit: () => null,
  mount,
  ready: ready(ID),
  settled(state, net): Readonly<Record<string, Value>> {
    const shown = shownBy(state, net);
    if (!shown) return {};
    const named = shown.algorithm.name === state["collectives.algorithm"] || state["collectives.algorithm"] === "";
    return {
      "collectives.step": Math.min(state["collectives.step"] as number, shown.steps),
      ...(named ? {} : { "collectives.algorithm": "" }),
    };
  },
  command(state, net) {
    const shown = shownBy(state, net);
    if (!shown) return null;
    const { algorithm, one, what } = shown;
    const other = what === "broadcast" ? "" : ` --collective ${what}`;
    return `jumpnet multicast ${word(net.spec)} --broadcast ${algorithm.name}${other} --source ${one.root} --model ${state["collectives.model"]} --tree`;
  },
  python(state, net) {
    const shown = shownBy(state, net);
    if (!shown) return null;
    const { algorithm, one, what } = shown;
    const made = `broadcast("${algorithm.name}")(jumpnet.network(${JSON.stringify(net.spec)}).net, ${one.root}, "${state["collectives.model"]}")`;
    const last = { broadcast: made, gather: `${made}.backwards()`, "all-reduce": `there = ${made}\n(there.backwards(), there)` }[what];
    return `from jumpnet.multicast import broadcast\n${last}`;
  },
};
