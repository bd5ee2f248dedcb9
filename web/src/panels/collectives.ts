/** Broadcasts, gathers and all-reduces, step by step: schedules that were played and checked before. */
import { routerName, type Network } from "../data/network";
import { choice, el, facts, heading, note, segments } from "../shell/controls";
import type { App, Mark, Mounted, Overlay, Panel } from "../shell/panel";
import type { State } from "../state/state";
import { absent, held } from "./data";
import { dotsOf, Player } from "./player";

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

/** What the command does not say. */
const OTHER: Readonly<Record<What, string>> = {
  broadcast: "", gather: "  # the broadcast that the gather is backwards", "all-reduce": "  # the second half; the first is its gather, by the Python",
};

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

/** What routers hold after so many steps: how many of the parts, while they are gathered, or whether the message is there. */
function holding(net: Network, shown: Shown, done: number): Float32Array {
  const { moves, one, what, turn } = shown;
  const parts = new Float32Array(net.routers).fill(1);
  const has = new Uint8Array(net.routers);
  has[one.root] = 1;
  for (let k = 0; k < moves.step.length; k++) {
    if (moves.step[k]! >= done) break;
    const [from, to] = [Math.floor(moves.channel[k]! / net.ports), net.neighbor[moves.channel[k]!]!];
    if (what === "gather" || moves.step[k]! < turn) {
      parts[to]! += parts[from]!;
      parts[from] = 0;
    } else has[to] = 1;
  }
  return gathering(shown, done) ? parts : Float32Array.from(has);
}

/** Whether parts are still on their way to the root. */
const gathering = ({ what, turn }: Shown, done: number): boolean => what === "gather" || (what === "all-reduce" && done <= turn);

/** What is drawn after so many steps; `going`: the next one has begun. */
function overlayOf(net: Network, shown: Shown, done: number, going: boolean): Overlay {
  const { moves, one, turn } = shown;
  const links = new Map<number, Mark>();
  const whole = gathering(shown, done) ? net.routers : 1;
  const shade = (each: number): number => (each > 0 ? 0.55 * Math.max(0.06, each / whole) : 0);
  for (let k = 0; k < moves.step.length; k++) {
    const [step, channel] = [moves.step[k]!, moves.channel[k]!];
    if (step < turn && done > turn) continue; // what was gathered is over
    if (step > done || (step === done && !going)) break;
    if (step === (going ? done : done - 1)) links.set(channel, { colour: "accent", size: 3.5, arrow: true });
    else if (!links.has(channel)) links.set(channel, { colour: "hue-0", size: 2 });
  }
  return {
    links, routers: new Map([[one.root, { colour: "ink", size: 4 }]]), labels: new Map([[one.root, "root"]]),
    routerHeat: holding(net, shown, done).map(shade), fadeOthers: true,
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
      const sentence = `No schedule was computed here for ${net.spec}; the command below makes one by a search tree. In this page:`;
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
    this.about.textContent = `${summary.replace(/^./, (first) => first.toUpperCase())}${source ? ` (${source})` : ""}.`;
    this.tell(net, shown);
    this.player.show(Math.min(state["collectives.step"] as number, shown.steps), shown.steps);
  }

  private tell(net: Network, shown: Shown): void {
    const { schedule, what } = shown;
    const least = what === "all-reduce" ? [] : ([["No schedule takes fewer than", `${schedule.least} steps`]] as const);
    this.figures.replaceChildren(
      heading("The schedule"),
      facts([
        ["Steps", shown.steps], ...least, ["Transfers", shown.moves.step.length], ["Root", routerName(net, shown.one.root)],
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
  mend(state, net): Record<string, string | number> {
    const shown = shownBy(state, net);
    return shown ? { "collectives.step": Math.min(state["collectives.step"] as number, shown.steps) } : {};
  },
  mount,
  command(state, net) {
    const shown = shownBy(state, net);
    const [name, root] = shown ? [shown.algorithm.name, shown.one.root] : ["bfs", 0];
    return `jumpnet multicast ${net.spec} --broadcast ${name} --source ${root} --model ${state["collectives.model"]} --tree${OTHER[state["collectives.what"] as What]}`;
  },
  python(state, net) {
    const shown = shownBy(state, net);
    const [name, root] = shown ? [shown.algorithm.name, shown.one.root] : ["bfs", 0];
    const made = `broadcast("${name}")(jumpnet.network("${net.spec}").net, ${root}, "${state["collectives.model"]}")`;
    return `from jumpnet.multicast import broadcast\n${made}${state["collectives.what"] === "broadcast" ? "" : ".backwards()"}`;
  },
};
