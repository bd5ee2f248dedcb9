/** The ring of a proof, drawn over the network, and a run into it: flits fill its channels, cycle by cycle. */
import type { Network } from "../../data/network";
import { quantity } from "../../data/words";
import { button, choice, el, heading, row, segments, table, toggle } from "../../shell/controls";
import type { App, Mounted, Overlay, Panel } from "../../shell/panel";
import type { State } from "../../state/state";
import { networksToOpen, waiting } from "../absent";
import { Player } from "../player";
import { ready, unpacked } from "../unpacked";
import { commandOf, pythonOf } from "./commands";
import { caseName, caseOf, freeOf, ID, lastCycle, settled, showsCure, type Case, type Data, type Free, type Replay } from "./data";
import { orderOverlay, replayOverlay } from "./overlay";
import { snapshotAt } from "./snapshot";
import { evidenceOf, freeTexts, packetRows, verdictOf } from "./texts";

const PACE = 700; // ms a cycle

class View implements Mounted {
  private readonly top = el("div");
  private readonly below = el("div");
  private readonly cases;
  private readonly shown;
  private readonly ring;
  private readonly vc;
  private readonly player: Player;
  private readonly packets = el("div");
  private readonly evidence = el("div");
  private readonly verdict = el("p", { class: "verdict" });
  private readonly still = el("p", { class: "still" });
  private toPlay = false; // as soon as there is something to play
  private marks: { step: number; key: string; overlay: Overlay } | null = null;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    this.cases = choice({ label: "Network and routing", options: [], value: "", change: (value) => {
      const [net, routing] = value.split(" ");
      app.set({ net: net!, "deadlock.routing": routing!, "deadlock.cycle": 0 });
    } });
    this.shown = segments("What to see", [{ value: "ring", text: "The deadlock" }, { value: "cure", text: "A routing without" }], "ring",
      (value) => app.set({ "deadlock.show": value }));
    this.ring = toggle("Show the ring of the proof", true, (on) => app.set({ "deadlock.ring": on }));
    this.vc = segments("Virtual channel", [], "0", (value) => app.set({ "deadlock.vc": Number(value) }));
    this.player = new Player({
      app, key: "deadlock.cycle", label: "Cycle", pace: PACE, draw: (time) => this.draw(time),
    });
    this.cases.element.classList.add("wide");
    host.append(this.top, this.below);
  }

  start(): void {
    this.toPlay = true;
    this.app.set({});
  }

  destroy(): void {
    this.player.stop();
  }

  update(state: State, net: Network): void {
    const data = unpacked<Data>(ID, this.app);
    const one = caseOf(state, net);
    const plays = this.toPlay && data !== null;
    if (data) this.toPlay = false;
    if (!data || !one) {
      this.player.stop();
      this.without(state, net, data);
      return;
    }
    this.cases.options(data.cases.map((each) => ({ value: caseName(each), text: `${each.spec}: ${each.routing}` })), caseName(one));
    this.shown.set(showsCure(state) ? "cure" : "ring");
    if (this.top.firstChild !== this.cases.element) this.top.replaceChildren(this.cases.element, this.shown.element);
    if (!showsCure(state)) {
      this.deadlock(state, one);
      if (plays) this.player.begin();
      return;
    }
    this.player.stop();
    this.below.replaceChildren(...this.free(state, net, one.cure), row(button("Back to the deadlock", () => this.app.set({ "deadlock.show": "ring" }))));
  }

  /** A network on which no routing deadlocks in this page: why its own does not, where that was computed. */
  private without(state: State, net: Network, data: Data | null): void {
    const free = freeOf(net);
    if (!free) this.app.overlay(null);
    const sentence = `${free ? "" : `No proof was computed here for ${net.spec}: jumpnet prove ${net.spec} makes one. `}Deadlocks are in this page on:`;
    this.top.replaceChildren(...(free ? this.free(state, net, free) : []));
    this.below.replaceChildren(data ? networksToOpen(this.app, sentence, [...new Set(data.cases.map((each) => each.spec))]) : waiting(ID));
  }

  private deadlock(state: State, one: Case): void {
    const last = lastCycle(one);
    if (!this.below.contains(this.player.element)) {
      this.below.replaceChildren(
        this.verdict, this.player.element, this.still, this.ring.element, heading("Its packets"), this.packets, this.evidence,
      );
    }
    this.ring.set(state["deadlock.ring"] === true);
    this.verdict.replaceChildren(...verdictOf(one));
    this.evidence.replaceChildren(evidenceOf(one));
    this.player.show(Math.min(last, state["deadlock.cycle"] as number), last);
  }

  /** The run at a time; marks are made anew only when a cycle has passed. */
  private draw(time: number): void {
    const { state, net } = this.app;
    const one = caseOf(state, net);
    if (!one || showsCure(state)) return;
    const now = snapshotAt(one.replay, one.vcs, time);
    const step = Math.floor(time);
    const key = `${caseName(one)} ${state["deadlock.ring"]}`;
    if (!this.marks || this.marks.step !== step || this.marks.key !== key) {
      const overlay = replayOverlay(net, one, now, state["deadlock.ring"] === true, step >= one.replay.moved);
      this.marks = { step, key, overlay };
      this.tellStill(one.replay, step);
      this.packets.replaceChildren(table(["Packet", "Now"], packetRows(net, one, now, step >= one.replay.moved)));
    }
    this.app.overlay({ ...this.marks.overlay, dots: Float32Array.from(now.dots) });
  }

  private tellStill({ moved, seen, inside }: Replay, step: number): void {
    const begins = step === 0 ? "Packets enter." : "Packets take channels, one after the other.";
    const ended = `No flit goes on after cycle ${moved}: ${quantity(inside, "flit")} stay${inside === 1 ? "s" : ""} for ever. The simulator had noticed by cycle ${seen}.`;
    const words = step < moved ? begins : ended;
    if (step >= moved && this.still.textContent !== words) this.app.announce(words);
    this.still.textContent = words;
  }

  /** Why a routing is free of deadlock, with the order of its channels in colours. */
  private free(state: State, net: Network, free: Free): HTMLElement[] {
    const vc = Math.min(free.vcs - 1, state["deadlock.vc"] as number);
    this.vc.options(Array.from({ length: free.vcs }, (_, v) => ({ value: String(v), text: String(v) })), String(vc));
    this.app.overlay(orderOverlay(net, free, vc));
    return freeTexts(free, row(el("span", { class: "quiet" }, "Virtual channel"), this.vc.element));
  }
}

export const panel: Panel = {
  id: ID,
  title: "Deadlock",
  summary: "A ring of channels that wait for each other, as the proof finds it, and a run into it.",
  keys: {
    "deadlock.routing": { initial: "" },
    "deadlock.show": { initial: "ring", choices: ["ring", "cure"] },
    "deadlock.cycle": { initial: 0, least: 0, most: 9999 },
    "deadlock.ring": { initial: true },
    "deadlock.vc": { initial: 0, least: 0, most: 63 },
  },
  misfit: () => null,
  mount: (host, app) => new View(host, app),
  ready: ready(ID),
  settled,
  command: commandOf,
  python: pythonOf,
};
