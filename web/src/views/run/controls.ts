/** The controls of a run: what there is to choose, and what is chosen. */
import { brokenOf, counted, MENDED } from "../../data/faults";
import type { Network } from "../../data/network";
import { button, choice, el, note, row, slider, toggle } from "../../shell/controls";
import type { App } from "../../shell/panel";
import type { Offered } from "../../sim/simulation";
import type { State } from "../../state/state";
import { worstFor, type Choices } from "./choices";
import { NO_CURVE } from "./curve/points";
import { FROM_START } from "./reached";
import { TrafficChoice } from "./traffic/choice";

export const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000];
/** What each preset is. */
const PRESETS: Readonly<Record<string, string>> = {
  booksim: "Routers with buffers at their inputs, set as in the simulator BookSim 2.",
  yang2001: "Routers as in Yang's paper of 2001, Table IV: a cycle to find a way, none to share out channels and switch.",
  jump1: "The router chip of JUMP-1: five cycles a hop.",
};
/** A load as it is: with two digits, or as many as it has. */
const loadText = (load: number): string => (Number(load.toFixed(2)) === load ? load.toFixed(2) : String(load));

/** Another run: from cycle 0, and without points of this one. */
const ANEW = { ...FROM_START, ...NO_CURVE };
const FLITS_SHOWN = 300; // routers up to which single flits are drawn

/** Whether loads are drawn as heat, and not single flits. */
export const asHeat = (state: State, net: Network): boolean => state["simulate.heat"] === true || net.routers > FLITS_SHOWN;

export class Controls {
  readonly routing;
  readonly traffic;
  readonly vcs;
  readonly preset;
  /** What the chosen preset is, in a line. */
  readonly presetIs = note("");
  readonly buffer;
  readonly load;
  readonly packet;
  readonly speed;
  readonly heat;
  /** What is broken, with a way to mend it. */
  readonly faults = el("div");
  private held: Offered | null = null;
  private counts: readonly number[] = []; // of virtual channels
  private buffers: readonly number[] = [];

  constructor(private readonly app: App) {
    const set = (key: string) => (value: string | number | boolean) => app.set({ [key]: value });
    const anew = (key: string) => (value: string | number | boolean) => app.set({ [key]: value, ...ANEW });
    this.routing = choice({ label: "Routing", options: [], value: "", change: (routing) => this.reroute(routing) });
    this.traffic = new TrafficChoice(app, anew("traffic"));
    this.vcs = slider({
      label: "Virtual channels", least: 0, most: 1, step: 1, value: 0, show: (k) => String(this.counts[k] ?? ""),
      change: (k) => app.set({ vcs: this.counts[k]!, ...ANEW }),
    });
    this.preset = choice({ label: "Preset", options: [], value: "", change: (value) => app.set({ "simulate.preset": value, "simulate.buffer": 0, ...ANEW }) });
    this.buffer = slider({
      label: "Buffer depth", least: 0, most: 1, step: 1, value: 0, show: (k) => `${this.buffers[k] ?? ""} flits`,
      change: (k) => app.set({ "simulate.buffer": this.buffers[k]!, ...ANEW }),
    });
    this.load = slider({ label: "Offered load", least: 0, most: 1, step: 0.01, value: 0.1, show: loadText, change: set("load") });
    this.packet = slider({ label: "Packet length", least: 1, most: 16, step: 1, value: 4, show: (v) => `${v} flit${v === 1 ? "" : "s"}`, change: anew("packet") });
    this.speed = slider({ label: "Cycles a second", least: 0, most: SPEEDS.length - 1, step: 1, value: 3, show: (k) => SPEEDS[k]!.toLocaleString("en"), change: set("simulate.speed") });
    this.heat = toggle("Loads as heat", false, set("simulate.heat"));
  }

  /** What there is to choose on a network, and what is chosen. */
  offer(held: Offered, { which, routings, vcs, presets, buffers, patterns }: Choices, state: State, net: Network): void {
    this.held = held;
    this.routing.options(routings.map((value) => ({ value })), which.routing);
    this.traffic.set(held, patterns, which.traffic, which.routing);
    this.preset.options(presets.map((value) => ({ value })), which.preset);
    this.presetIs.textContent = PRESETS[which.preset] ?? "";
    [this.counts, this.buffers] = [vcs, buffers];
    for (const [control, all, value] of [[this.vcs, vcs, which.vcs], [this.buffer, buffers, which.buffer]] as const) {
      control.bounds(0, Math.max(1, all.length - 1));
      control.set(all.indexOf(value));
      control.disable(all.length > 1 ? "" : "This page has no other runs of that routing.");
    }
    const broken = brokenOf(state, net);
    this.faults.replaceChildren(...(broken ? [row(note(`Without ${counted(broken)}.`), button("Mend all", () => this.app.set({ ...MENDED, ...ANEW })))] : []));
  }

  /** The controls that any network has, as the state has them. */
  show(state: State, net: Network): void {
    this.load.set(state.load);
    this.packet.set(state.packet);
    this.speed.set(state["simulate.speed"] as number);
    this.heat.set(asHeat(state, net));
    this.heat.disable(net.routers > FLITS_SHOWN ? `Single flits are drawn on up to ${FLITS_SHOWN} routers.` : "");
  }

  /** The fewest virtual channels on offer that are enough; 0 where none are. */
  enough(needed: number): number {
    return this.counts.find((count) => count >= needed) ?? 0;
  }

  /** Another routing; traffic that was the worst for the one before is that for this one, where the page has it. */
  private reroute(routing: string): void {
    const { traffic } = this.app.state;
    const worst = worstFor(routing);
    const follows = traffic.startsWith(worstFor("")) && this.held?.patterns.includes(worst);
    this.app.set({ routing, vcs: 0, ...(follows ? { traffic: worst } : {}), ...ANEW });
  }
}
