/** The links of a network: each once, two-way pairs of channels as one, and which link a channel belongs to. */
import type { Network } from "../data/network";

export interface Links {
  readonly count: number;
  readonly from: Int32Array; // (L,) router
  readonly to: Int32Array; // (L,) router
  readonly channel: Int32Array; // (L,) channel from `from` to `to`
  readonly back: Int32Array; // (L,) channel from `to` to `from`, -1 in directed networks
  readonly rank: Int32Array; // (L,)
  readonly of: Int32Array; // (R * P,) link of a channel, -1 where there is none or a router's link to itself
}

/** Links in the order of routers and ports; links of a router to itself are not drawn. */
export function linksOf(net: Network): Links {
  const { routers, ports, neighbor, farPort, directed } = net;
  const from: number[] = [];
  const channels: number[] = [];
  const of = new Int32Array(routers * ports).fill(-1);
  for (let r = 0; r < routers; r++) {
    for (let p = 0; p < ports; p++) {
      const c = r * ports + p;
      const s = neighbor[c]!;
      if (s < 0 || s === r || of[c]! >= 0) continue;
      of[c] = from.length;
      if (!directed) of[s * ports + farPort[c]!] = from.length;
      from.push(r);
      channels.push(c);
    }
  }
  const channel = Int32Array.from(channels);
  return {
    count: channels.length,
    from: Int32Array.from(from),
    to: channel.map((c) => neighbor[c]!),
    channel,
    back: channel.map((c) => (directed ? -1 : neighbor[c]! * ports + farPort[c]!)),
    rank: channel.map((c) => net.classRank[net.linkClass[c]!]!),
    of,
  };
}
