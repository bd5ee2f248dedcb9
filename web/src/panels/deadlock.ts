/** The ring of a proof, drawn over the network, and a run into it: flits fill its channels, cycle by cycle. */
import type { Network } from "../data/network";
import { button, choice, el, facts, heading, note, row, segments, table, toggle, type Child } from "../shell/controls";
import type { App, Mark, Mounted, Overlay, Panel } from "../shell/panel";
import { word } from "../shell/elsewhere";
import type { State, Value } from "../state/state";
import { held, networksToOpen, waiting, ready } from "./data";
import { Player } from "./player";

interface Proof {
  readonly spec: string;
  readonly routing: string;
  readonly vcs: number;
  readonly verdict: string;
  readonly method: string;
  readonly channels: number;
  readonly dependencies: number;
  readonly states: number;
}

interface Events {
  readonly cycle: Int32Array;
  readonly kind: Int32Array; // 0 enters, 1 takes a channel, 2 goes over it, 3 has arrived
  readonly packet: Int32Array;
  readonly flit: Int32Array;
  readonly channel: Int32Array; // (router * P + port) * V + vc, -1 at a terminal
}

interface Replay {
  readonly tries: number;
  readonly seen: number; // cycle by which the simulator had found the deadlock
  readonly moved: number; // last cycle in which a flit went on
  readonly inside: number;
  readonly buffer: number;
  readonly delay: number; // cycles of a flit from a router to the next buffer
  readonly ring: readonly number[];
  readonly packets: { readonly cycle: Int32Array; readonly source: Int32Array; readonly destination: Int32Array; readonly flits: Int32Array };
  readonly events: Events;
}

interface Free extends Proof {
  readonly escape: number | null;
  readonly order: Int32Array; // by channel, -1 for those without a number
}

interface Case extends Proof {
  readonly cycle: readonly number[];
  readonly whole: boolean;
  readonly waiting: { readonly kind: string; readonly packets: readonly { readonly holds: number; readonly wants: number }[] };
  readonly replay: Replay;
  readonly cure: Free;
}

interface Data {
  readonly cases: readonly Case[];
  readonly free: readonly Free[]; // default routings of networks without a case
}

const ID = "deadlock";
const PACE = 700; // ms a cycle
const AFTER = 2; // cycles that are shown when all stands still
const END = 1; // of a link, where its first flit waits, at the router
const QUEUE = 0.12; // of a link, between two flits that wait at its end

/** The case of a state: that of its routing, else the network's first. */
function caseOf(state: State, net: Network): Case | null {
  const own = held<Data>(ID)?.cases.filter((each) => each.spec === net.spec) ?? [];
  return own.find((each) => each.routing === state["deadlock.routing"]) ?? own[0] ?? null;
}

/** A routing that is free of deadlock on a network without a case. */
const freeOf = (net: Network): Free | null => held<Data>(ID)?.free.find((each) => each.spec === net.spec) ?? null;

/** The last cycle that is shown of a run. */
const lastOf = ({ replay }: Case): number => replay.moved + replay.delay + AFTER;

/** A case as a choice. */
const name = (one: Case): string => `${one.spec} ${one.routing}`;
const curing = (state: State): boolean => state["deadlock.show"] === "cure";

/** What each packet has done by a time: channels that it holds, flits on their way, how many have left its source. */
interface Standing {
  readonly holder: Map<number, number>; // channel to packet
  readonly dots: number[]; // channel (router * P + port), place, colour
  readonly entered: number[];
  readonly arrived: number[];
  readonly sent: number[][]; // by packet: channels taken so far, in order
}

/** The events up to a time, one after the other. */
function standing(replay: Replay, vcs: number, time: number): Standing {
  const { events, packets, delay } = replay;
  const count = packets.source.length;
  const made: Standing = {
    holder: new Map(), dots: [], entered: new Array<number>(count).fill(0), arrived: new Array<number>(count).fill(0),
    sent: Array.from({ length: count }, () => []),
  };
  const at = new Map<number, Map<number, { channel: number; since: number }>>(); // packet, flit
  for (let k = 0; k < events.cycle.length && events.cycle[k]! <= time; k++) {
    const [packet, flit, channel] = [events.packet[k]!, events.flit[k]!, events.channel[k]!];
    const own = at.get(packet) ?? new Map<number, { channel: number; since: number }>();
    at.set(packet, own);
    if (events.kind[k] === 0) made.entered[packet]!++;
    else if (events.kind[k] === 1 && channel >= 0) {
      made.holder.set(channel, packet);
      made.sent[packet]!.push(channel);
    } else if (events.kind[k] === 2) {
      const before = own.get(flit);
      if (before && flit === packets.flits[packet]! - 1) made.holder.delete(before.channel);
      if (channel >= 0) own.set(flit, { channel, since: events.cycle[k]! });
      else own.delete(flit);
    } else if (events.kind[k] === 3) {
      made.arrived[packet]!++;
      own.delete(flit);
    }
  }
  const queued = new Map<number, number>();
  for (const [packet, own] of at) {
    for (const [, { channel, since }] of [...own].sort((a, b) => a[0] - b[0])) {
      const place = queued.get(channel) ?? 0;
      queued.set(channel, place + 1);
      const end = END - QUEUE * place;
      made.dots.push(Math.floor(channel / vcs), Math.min(end, (end * (time - since)) / delay), packet % 8);
    }
  }
  return made;
}

/** A channel for people: `0 → 1`, its virtual channel where there are several. */
function named(net: Network, vcs: number, channel: number): string {
  const link = Math.floor(channel / vcs);
  const words = `${Math.floor(link / net.ports)} → ${net.neighbor[link]!}`;
  return vcs > 1 ? `${words}, vc ${channel % vcs}` : words;
}

const swatch = (packet: number): HTMLElement => el("i", { class: "swatch", style: `background:var(--hue-${packet % 8})`, "aria-hidden": "true" });

const RING: readonly [string, string] = ["accent", "channel of the ring"];
/** A line for each packet: where it goes, and what it does now. */
function packetRows(net: Network, one: Case, now: Standing, still: boolean): Child[][] {
  const { packets } = one.replay;
  return Array.from(packets.source, (source, k) => {
    const route = `${source} → ${packets.destination[k]!}`;
    const own = now.sent[k]!.filter((channel) => now.holder.get(channel) === k);
    const last = own[own.length - 1];
    const wait = one.waiting.packets.find((each) => each.holds === last);
    let words = "waits at its source";
    if (now.arrived[k] === packets.flits[k]) words = "has arrived";
    else if (last !== undefined) {
      words = `holds ${own.map((channel) => named(net, one.vcs, channel)).join(", ")}`;
      if (still && wait) words += `; waits for ${named(net, one.vcs, wait.wants)}`;
    } else if (now.entered[k]! > 0) words = "asks for its first channel";
    return [el("span", { class: "named" }, swatch(k), route), words];
  });
}

class View {
  private readonly top = el("div");
  private readonly below = el("div");
  private readonly cases;
  private readonly shown;
  private readonly ring;
  private readonly vc;
  private readonly player: Player;
  private readonly packets = el("div");
  private readonly verdict = el("p", { class: "verdict" });
  private readonly still = el("p", { class: "still" });
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

  destroy(): void {
    this.player.stop();
  }

  update(state: State, net: Network): void {
    const data = held<Data>(ID, this.app);
    const one = caseOf(state, net);
    if (!data || !one) {
      this.player.stop();
      this.without(state, net, data);
      return;
    }
    this.cases.options(data.cases.map((each) => ({ value: name(each), text: `${each.spec}: ${each.routing}` })), name(one));
    this.shown.set(curing(state) ? "cure" : "ring");
    const fresh = this.top.firstChild !== this.cases.element;
    if (fresh) this.top.replaceChildren(this.cases.element, this.shown.element);
    if (!curing(state)) {
      this.deadlock(state, one);
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
    const last = lastOf(one);
    if (!this.below.contains(this.player.element)) {
      this.below.replaceChildren(this.verdict, this.player.element, this.still, this.ring.element, heading("Its packets"), this.packets, el("div", { class: "ground" }));
    }
    this.ring.set(state["deadlock.ring"] === true);
    const count = one.cycle.length;
    this.verdict.replaceChildren(el("strong", { class: "bad" }, "Can deadlock."),
      ` With ${one.vcs} virtual ${one.vcs === 1 ? "channel" : "channels"}, ${count} of ${one.channels.toLocaleString("en")} channels wait for each other in a ring.`);
    this.below.querySelector(".ground")!.replaceChildren(this.ground(one));
    this.player.show(Math.min(last, state["deadlock.cycle"] as number), last);
  }

  private ground(one: Case): HTMLElement {
    const { replay } = one;
    return el(
      "div", {}, heading("What the proof looked at"),
      note(`Found: ${one.method}.`),
      facts([["Channels", one.channels], ["Dependencies", one.dependencies], ["Packet states", one.states],
        ["Run that deadlocks", replay.tries === 1 ? "the first tried" : `number ${replay.tries} of those tried`]]),
    );
  }

  /** The run at a time; marks are made anew only when a cycle has passed. */
  private draw(time: number): void {
    const { state, net } = this.app;
    const one = caseOf(state, net);
    if (!one || curing(state)) return;
    const now = standing(one.replay, one.vcs, time);
    const step = Math.floor(time);
    const key = `${name(one)} ${state["deadlock.ring"]}`;
    if (!this.marks || this.marks.step !== step || this.marks.key !== key) {
      const overlay = this.marked(net, one, now, state["deadlock.ring"] === true, step >= one.replay.moved);
      this.marks = { step, key, overlay };
      this.tellStill(one.replay, step);
      this.packets.replaceChildren(table(["Packet", "Now"], packetRows(net, one, now, step >= one.replay.moved)));
    }
    this.app.overlay({ ...this.marks.overlay, dots: Float32Array.from(now.dots) });
  }

  private tellStill({ moved, seen, inside }: Replay, step: number): void {
    const words = step < moved
      ? `${step === 0 ? "Packets enter." : "Packets take channels, one after the other."}`
      : `No flit goes on after cycle ${moved}: ${inside} stay for ever. The simulator had noticed by cycle ${seen}.`;
    if (step >= moved && this.still.textContent !== words) this.app.announce(words);
    this.still.textContent = words;
  }

  private marked(net: Network, one: Case, now: Standing, ring: boolean, still: boolean): Overlay {
    const links = new Map<number, Mark>();
    const routers = new Map<number, Mark>();
    if (ring) {
      for (const channel of one.cycle) {
        const link = Math.floor(channel / one.vcs);
        links.set(link, { colour: "accent", size: 2, arrow: true });
        routers.set(Math.floor(link / net.ports), { colour: "accent", size: still ? 4 : 2 });
      }
    }
    for (const [channel, packet] of now.holder) links.set(Math.floor(channel / one.vcs), { colour: `hue-${packet % 8}`, size: 5, arrow: true });
    if (ring && still) for (const channel of one.cycle) links.set(Math.floor(channel / one.vcs), { colour: "accent", size: 5, arrow: true });
    for (const source of one.replay.packets.source) if (!routers.has(source)) routers.set(source, { colour: "ink", size: 2 });
    const legend = [...(ring ? [RING] : []), ["hue-0", "held by a packet, in its colour"] as const];
    return { links, routers, fadeOthers: true, dotsAre: "a flit, in its packet's colour", legend };
  }

  /** Why a routing is free of deadlock, with the order of its channels in colours. */
  private free(state: State, net: Network, free: Free): HTMLElement[] {
    const vc = Math.min(free.vcs - 1, state["deadlock.vc"] as number);
    this.vc.options(Array.from({ length: free.vcs }, (_, v) => ({ value: String(v), text: String(v) })), String(vc));
    const heat = new Float32Array(net.routers * net.ports).fill(NaN);
    const most = free.order.reduce((a, b) => Math.max(a, b), 1);
    for (let c = 0; c < heat.length; c++) {
      const number = free.order[c * free.vcs + vc]!;
      if (net.neighbor[c]! >= 0 && number >= 0) heat[c] = number / most;
    }
    this.app.overlay({ heat, heatEnds: ["first", "last"] });
    const kind = free.escape === null ? "every dependency" : "every dependency between escape channels";
    const waits = free.escape === null ? "a packet only ever waits for a hotter channel" : "a packet can always ask for one hotter than those that it holds, and other channels have no number";
    const channels = `${free.vcs} virtual ${free.vcs === 1 ? "channel" : "channels"}`;
    return [
      el("p", { class: "verdict" }, el("strong", { class: "good" }, "Free of deadlock."), ` ${free.routing}, ${channels}.`),
      note(`Channels have numbers by which ${kind} ascends (${free.method}); a checker of its own accepted them. Cold colours are low numbers, hot ones high: ${waits}. A link has the colour of the hotter of its two channels.`),
      ...(free.vcs > 1 ? [row(el("span", { class: "quiet" }, "Virtual channel"), this.vc.element)] : []),
      facts([["Channels", free.channels], ["Dependencies", free.dependencies], ["Packet states", free.states],
        ...(free.escape === null ? [] : [["Escape channels", free.escape] as const])]),
    ];
  }
}

function mount(host: HTMLElement, app: App): Mounted {
  const view = new View(host, app);
  return { update: (state, net) => view.update(state, net), destroy: () => view.destroy() };
}

/** The routing that is proved, and its virtual channels where they are not those that it needs. */
function proved(state: State, net: Network): { routing: string; vcs: number } {
  const one = caseOf(state, net);
  if (one && !curing(state)) return { routing: one.routing, vcs: one.vcs };
  return { routing: one?.cure.routing ?? freeOf(net)?.routing ?? state.routing, vcs: one || freeOf(net) ? 0 : state.vcs };
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
  mount,
  ready: ready(ID),
  settled(state, net): Readonly<Record<string, Value>> {
    const one = caseOf(state, net);
    const free = one ? one.cure : freeOf(net);
    if (!free) return {};
    return {
      ...(one && one.routing === state["deadlock.routing"] ? {} : { "deadlock.routing": "" }),
      "deadlock.vc": Math.min(state["deadlock.vc"] as number, free.vcs - 1),
      "deadlock.cycle": one ? Math.min(state["deadlock.cycle"] as number, lastOf(one)) : 0,
    };
  },
  command(state, net) {
    if (!caseOf(state, net) && !freeOf(net)) return null;
    const { routing, vcs } = proved(state, net);
    const words = ["jumpnet prove", word(net.spec)];
    if (routing) words.push("--routing", word(routing));
    if (vcs) words.push("--vcs", String(vcs));
    words.push(curing(state) || !caseOf(state, net) ? "--explain" : "--explain --replay");
    return words.join(" ");
  },
  python(state, net) {
    if (!caseOf(state, net) && !freeOf(net)) return null;
    const { routing, vcs } = proved(state, net);
    const told = [...(routing ? [`"${routing}"`] : []), ...(vcs ? [`vcs=${vcs}`] : [])].join(", ");
    const proof = `jumpnet.network(${JSON.stringify(net.spec)}).prove(${told})`;
    if (curing(state) || !caseOf(state, net)) return `print(${proof}.explain())`;
    return `from jumpnet.replay.deadlock import replay_deadlock\nreplay_deadlock(${proof})`;
  },
};
