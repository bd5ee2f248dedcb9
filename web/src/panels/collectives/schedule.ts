/** Collectives on a network: the schedules that Python computed, which one a state means, and what routers hold by it. */
import type { Network } from "../../data/network";
import type { State, Value } from "../../state/state";
import type { Transfers } from "../dots";
import { unpacked } from "../unpacked";

export interface Schedule extends Transfers {
  readonly steps: number;
  readonly least: number;
  readonly again: number;
  readonly gather: Transfers;
}

export interface Algorithm {
  readonly name: string;
  readonly summary: string;
  readonly source: string;
  readonly "one-port": Schedule;
  readonly "all-port": Schedule;
}

export interface Case {
  readonly spec: string;
  readonly root: number;
  readonly algorithms: readonly Algorithm[];
}

export interface Data {
  readonly cases: readonly Case[];
}

export const ID = "collectives";
type Kind = "broadcast" | "gather" | "all-reduce";
export const KINDS: Readonly<Record<Kind, string>> = { broadcast: "Broadcast", gather: "Gather", "all-reduce": "All-reduce" };

/** A collective as it is shown. */
export interface Shown {
  readonly one: Case;
  readonly algorithm: Algorithm;
  readonly schedule: Schedule;
  readonly kind: Kind;
  readonly moves: Transfers;
  readonly steps: number;
  readonly turn: number; // step from which a message goes out again, in an all-reduce
}

/** The collective that a state asks for, else the network's first; null where the page has none of the network. */
export function shownOf(state: State, net: Network): Shown | null {
  const one = unpacked<Data>(ID)?.cases.find((each) => each.spec === net.spec);
  if (!one) return null;
  const algorithm = one.algorithms.find((each) => each.name === state["collectives.algorithm"]) ?? one.algorithms[0]!;
  const schedule = algorithm[state["collectives.model"] as "one-port" | "all-port"];
  const { steps } = schedule;
  const kind = state["collectives.what"] as Kind;
  const shown = { one, algorithm, schedule, kind };
  if (kind === "all-reduce") return { ...shown, moves: joined(schedule), steps: 2 * steps, turn: steps };
  return { ...shown, moves: kind === "broadcast" ? schedule : schedule.gather, steps, turn: 0 };
}

/** First all of it is gathered, then the sum goes out. */
function joined({ gather, step, channel, steps }: Schedule): Transfers {
  const after = step.map((each) => each + steps);
  return { step: Int32Array.from([...gather.step, ...after]), channel: Int32Array.from([...gather.channel, ...channel]) };
}

/** Whether parts are still on their way to the root, and are what is looked at. */
export const gathering = ({ kind, turn }: Shown, done: number): boolean => kind === "gather" || (kind === "all-reduce" && done <= turn);

/** How much each router holds after so many steps: parts that it has gathered, or 1 where the message is. */
export function holding(net: Network, shown: Shown, done: number): Float32Array {
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

/** Keys of a state that ask for what there is not, as they are instead. */
export function settled(state: State, net: Network): Readonly<Record<string, Value>> {
  const shown = shownOf(state, net);
  if (!shown) return {};
  const named = shown.algorithm.name === state["collectives.algorithm"] || state["collectives.algorithm"] === "";
  return {
    "collectives.step": Math.min(state["collectives.step"] as number, shown.steps),
    ...(named ? {} : { "collectives.algorithm": "" }),
  };
}
