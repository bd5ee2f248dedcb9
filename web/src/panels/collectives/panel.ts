/** Broadcasts, gathers and all-reduces, step by step: schedules that were played and checked before. */
import { called, type Network } from "../../data/network";
import { capital, choice, el, facts, heading, note, segments } from "../../shell/controls";
import type { App, Mounted, Overlay, Panel } from "../../shell/panel";
import type { State } from "../../state/state";
import { showAbsent } from "../absent";
import { dotsOf } from "../dots";
import { Player } from "../player";
import { ready, unpacked } from "../unpacked";
import { commandOf, pythonOf } from "./commands";
import { overlayOf } from "./overlay";
import { gathering, holding, ID, KINDS, settled, shownOf, type Data, type Shown } from "./schedule";

const PACE = 800; // ms a step

class View implements Mounted {
  private readonly content = el("div");
  private readonly net;
  private readonly kind;
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
    this.kind = segments("Collective", Object.entries(KINDS).map(([value, text]) => ({ value, text })), "broadcast", set("what"));
    const models = [{ value: "one-port", text: "One port at a time" }, { value: "all-port", text: "All ports" }];
    this.model = segments("Ports", models, "one-port", set("model"));
    this.algorithm = choice({ label: "Algorithm", options: [], value: "", change: set("algorithm") });
    this.player = new Player({ app, key: "collectives.step", label: "Steps done", pace: PACE, draw: (time) => this.draw(time) });
    host.append(this.content);
  }

  destroy(): void {
    this.player.stop();
  }

  update(state: State, net: Network): void {
    const data = unpacked<Data>(ID, this.app);
    const shown = shownOf(state, net);
    if (!data || !shown) {
      this.player.stop();
      const sentence = `No schedule was computed here for ${net.spec}. In this page:`;
      showAbsent(this.app, ID, this.content, sentence, data?.cases.map((each) => each.spec));
      return;
    }
    if (!this.content.contains(this.player.element)) {
      this.net.options(data.cases.map(({ spec }) => ({ value: spec })), net.spec);
      this.content.replaceChildren(
        this.net.element, this.kind.element, this.algorithm.element, this.about, this.model.element, this.player.element, this.now, this.figures,
      );
    }
    this.net.set(net.spec);
    this.kind.set(shown.kind);
    this.model.set(String(state["collectives.model"]));
    this.algorithm.options(shown.one.algorithms.map(({ name }) => ({ value: name })), shown.algorithm.name);
    const { summary, source } = shown.algorithm;
    this.about.textContent = `${capital(summary)}${source && ` (${source})`}.`;
    this.showFigures(net, shown);
    this.player.show(Math.min(state["collectives.step"] as number, shown.steps), shown.steps);
  }

  private showFigures(net: Network, shown: Shown): void {
    const { schedule, kind } = shown;
    const least = kind === "all-reduce" ? [] : ([["No schedule takes fewer than", `${schedule.least} steps`]] as const);
    this.figures.replaceChildren(
      heading("The schedule"),
      facts([
        ["Steps", shown.steps], ...least, ["Transfers", shown.moves.step.length], ["Root", called(net, shown.one.root)],
        ...(schedule.again ? ([["Routers that receive twice", schedule.again]] as const) : []),
      ]),
      note(kind === "all-reduce" ? "A gather of all parts, and the sum sent back the same way." : "Every transfer was checked: over a link, of what its sender has, within its ports."),
    );
  }

  private draw(time: number): void {
    const { state, net } = this.app;
    const shown = shownOf(state, net);
    if (!shown) return;
    const [done, share] = [Math.floor(time), time - Math.floor(time)];
    const key = JSON.stringify([net.spec, shown.algorithm.name, shown.kind, state["collectives.model"], done, share > 0]);
    if (this.drawn?.key !== key) this.drawn = { key, overlay: overlayOf(net, shown, done, share > 0) };
    this.app.overlay({ ...this.drawn.overlay, dots: share > 0 ? dotsOf(shown.moves, done, share, 7) : new Float32Array(0) });
    const holds = holding(net, shown, done);
    const words = gathering(shown, done)
      ? `${holds[shown.one.root]!.toLocaleString("en")} of ${net.routers.toLocaleString("en")} parts are at the root`
      : `${holds.reduce((a, b) => a + b, 0).toLocaleString("en")} of ${net.routers.toLocaleString("en")} routers have it`;
    this.now.textContent = `After ${done} of ${shown.steps} steps ${words}.`;
  }
}

export const panel: Panel = {
  id: ID,
  title: "Collectives",
  summary: "Broadcast, gather and all-reduce, one step after the other.",
  keys: {
    "collectives.what": { initial: "broadcast", choices: Object.keys(KINDS) },
    "collectives.model": { initial: "one-port", choices: ["one-port", "all-port"] },
    "collectives.algorithm": { initial: "" },
    "collectives.step": { initial: 0, least: 0, most: 9999 },
  },
  misfit: () => null,
  mount: (host, app) => new View(host, app),
  ready: ready(ID),
  settled,
  command: commandOf,
  python: pythonOf,
};
