/** A proof and a run in words: what each packet does, what was looked at, why a routing is free of deadlock. */
import type { Network } from "../../data/network";
import { el, facts, heading, note, type Child } from "../../shell/controls";
import type { Case, Free } from "./data";
import type { Snapshot } from "./snapshot";

/** A channel for people: `0 → 1`, its virtual channel where there are several. */
function named(net: Network, vcs: number, channel: number): string {
  const link = Math.floor(channel / vcs);
  const words = `${Math.floor(link / net.ports)} → ${net.neighbor[link]!}`;
  return vcs > 1 ? `${words}, vc ${channel % vcs}` : words;
}

const swatch = (packet: number): HTMLElement => el("i", { class: "swatch", style: `background:var(--hue-${packet % 8})`, "aria-hidden": "true" });

/** A line for each packet: where it goes, and what it does now. */
export function packetRows(net: Network, one: Case, now: Snapshot, still: boolean): Child[][] {
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

const channelsInWords = (vcs: number): string => `${vcs} virtual ${vcs === 1 ? "channel" : "channels"}`;

/** That a routing can deadlock, and how many channels wait. */
export function verdictOf(one: Case): (Node | string)[] {
  const count = one.cycle.length;
  return [el("strong", { class: "bad" }, "Can deadlock."), ` With ${channelsInWords(one.vcs)}, ${count} of ${one.channels.toLocaleString("en")} channels wait for each other in a ring.`];
}

/** What the proof of a deadlock looked at. */
export function evidenceOf({ method, channels, dependencies, states, replay }: Case): HTMLElement {
  return el(
    "div", {}, heading("What the proof looked at"),
    note(`Found: ${method}.`),
    facts([["Channels", channels], ["Dependencies", dependencies], ["Packet states", states],
      ["Run that deadlocks", replay.tries === 1 ? "the first tried" : `number ${replay.tries} of those tried`]]),
  );
}

/** Why a routing is free of deadlock; `choose`: a control for the virtual channel whose numbers are seen, where there are several. */
export function freeTexts(free: Free, choose: HTMLElement): HTMLElement[] {
  const kind = free.escape === null ? "every dependency" : "every dependency between escape channels";
  const waits = free.escape === null ? "a packet only ever waits for a hotter channel" : "a packet can always ask for one hotter than those that it holds, and other channels have no number";
  return [
    el("p", { class: "verdict" }, el("strong", { class: "good" }, "Free of deadlock."), ` ${free.routing}, ${channelsInWords(free.vcs)}.`),
    note(`Channels have numbers by which ${kind} ascends (${free.method}); a checker of its own accepted them. Cold colours are low numbers, hot ones high: ${waits}. A link has the colour of the hotter of its two channels.`),
    ...(free.vcs > 1 ? [choose] : []),
    facts([["Channels", free.channels], ["Dependencies", free.dependencies], ["Packet states", free.states],
      ...(free.escape === null ? [] : [["Escape channels", free.escape] as const])]),
  ];
}
