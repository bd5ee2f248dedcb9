/** What each packet of a run has done by a time: channels that it holds, flits on their way, how many have left its source. */
import type { Events, Replay } from "./data";

const END = 1; // of a link, where its first flit waits, at the router
const QUEUE = 0.12; // of a link, between two flits that wait at its end
const [ENTERS, TAKES, GOES, ARRIVES] = [0, 1, 2, 3]; // kinds of events

export interface Snapshot {
  readonly holder: Map<number, number>; // channel to packet
  readonly dots: number[]; // channel (router * P + port), place, colour
  readonly entered: number[];
  readonly arrived: number[];
  readonly sent: number[][]; // by packet: channels taken so far, in order
}

/** Where a flit is: the channel that it went over last, and since when. */
interface Place {
  readonly channel: number;
  readonly since: number;
}

type Flits = Map<number, Place>; // of one packet, by their number

/** The events up to a time, one after the other. */
export function snapshotAt({ events, packets, delay }: Replay, vcs: number, time: number): Snapshot {
  const count = packets.source.length;
  const made: Snapshot = {
    holder: new Map(), dots: [], entered: new Array<number>(count).fill(0), arrived: new Array<number>(count).fill(0),
    sent: Array.from({ length: count }, () => []),
  };
  const flits: Flits[] = Array.from({ length: count }, () => new Map());
  for (let k = 0; k < events.cycle.length && events.cycle[k]! <= time; k++) apply(made, flits, events, k, packets.flits);
  made.dots.push(...dotsOf(flits, vcs, time, delay));
  return made;
}

/** One event: what is held and where flits are, after it. */
function apply(made: Snapshot, flits: readonly Flits[], events: Events, k: number, lengths: Int32Array): void {
  const [packet, flit, channel] = [events.packet[k]!, events.flit[k]!, events.channel[k]!];
  const own = flits[packet]!;
  switch (events.kind[k]) {
    case ENTERS:
      made.entered[packet]!++;
      break;
    case TAKES:
      if (channel < 0) break;
      made.holder.set(channel, packet);
      made.sent[packet]!.push(channel);
      break;
    case GOES: {
      const before = own.get(flit);
      if (before && flit === lengths[packet]! - 1) made.holder.delete(before.channel); // its last flit has left it
      if (channel >= 0) own.set(flit, { channel, since: events.cycle[k]! });
      else own.delete(flit);
      break;
    }
    case ARRIVES:
      made.arrived[packet]!++;
      own.delete(flit);
  }
}

/** Flits on their channels, those that wait one behind the other. */
function dotsOf(flits: readonly Flits[], vcs: number, time: number, delay: number): number[] {
  const queued = new Map<number, number>();
  return flits.flatMap((own, packet) =>
    [...own].sort((a, b) => a[0] - b[0]).flatMap(([, { channel, since }]) => {
      const place = queued.get(channel) ?? 0;
      queued.set(channel, place + 1);
      const end = END - QUEUE * place;
      return [Math.floor(channel / vcs), Math.min(end, (end * (time - since)) / delay), packet % 8];
    }),
  );
}
