/** A run into a deadlock as it is drawn, and the order of the channels of a routing that cannot. */
import type { Network } from "../../data/network";
import type { Mark, Overlay } from "../../shell/panel";
import type { Case, Free } from "./data";
import type { Snapshot } from "./snapshot";

const RING: readonly [string, string] = ["accent", "channel of the ring"];
const HELD: readonly [string, string] = ["hue-0", "held by a packet, in its colour"];

/** A run at a cycle: channels that are held, and over them the ring of the proof; `still`: nothing moves any more. */
export function replayOverlay(net: Network, one: Case, now: Snapshot, ring: boolean, still: boolean): Overlay {
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
  const seen = [...links.values()].some(({ colour }) => colour !== "accent"); // else the ring covers what is held
  const legend = [...(ring ? [RING] : []), ...(seen ? [HELD] : [])];
  return { links, routers, fadeOthers: true, dotsAre: "a flit, in its packet's colour", legend };
}

/** Channels of a virtual channel by their number in the order that a proof gives them. */
export function orderOverlay(net: Network, free: Free, vc: number): Overlay {
  const heat = new Float32Array(net.routers * net.ports).fill(NaN);
  const most = free.order.reduce((a, b) => Math.max(a, b), 1);
  for (let c = 0; c < heat.length; c++) {
    const number = free.order[c * free.vcs + vc]!;
    if (net.neighbor[c]! >= 0 && number >= 0) heat[c] = number / most;
  }
  return { heat, heatEnds: ["first", "last"] };
}
