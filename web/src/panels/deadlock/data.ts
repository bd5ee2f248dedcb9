/** What Python found for the panel of deadlocks: proofs, rings with runs into them, and which of it a state means. */
import type { Network } from "../../data/network";
import type { State, Value } from "../../state/state";
import { unpacked } from "../unpacked";

export interface Proof {
  readonly spec: string;
  readonly routing: string;
  readonly vcs: number;
  readonly verdict: string;
  readonly method: string;
  readonly channels: number;
  readonly dependencies: number;
  readonly states: number;
}

export interface Events {
  readonly cycle: Int32Array;
  readonly kind: Int32Array; // 0 enters, 1 takes a channel, 2 goes over it, 3 has arrived
  readonly packet: Int32Array;
  readonly flit: Int32Array;
  readonly channel: Int32Array; // (router * P + port) * V + vc, -1 at a terminal
}

export interface Replay {
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

export interface Free extends Proof {
  readonly escape: number | null;
  readonly order: Int32Array; // by channel, -1 for those without a number
}

export interface Case extends Proof {
  readonly cycle: readonly number[];
  readonly whole: boolean;
  readonly waiting: { readonly kind: string; readonly packets: readonly { readonly holds: number; readonly wants: number }[] };
  readonly replay: Replay;
  readonly cure: Free;
}

export interface Data {
  readonly cases: readonly Case[];
  readonly free: readonly Free[]; // default routings of networks without a case
}

export const ID = "deadlock";
const AFTER = 2; // cycles that are shown when all stands still

/** The case of a state: that of its routing, else the network's first. */
export function caseOf(state: State, net: Network): Case | null {
  const own = unpacked<Data>(ID)?.cases.filter((each) => each.spec === net.spec) ?? [];
  return own.find((each) => each.routing === state["deadlock.routing"]) ?? own[0] ?? null;
}

/** A routing that is free of deadlock on a network without a case. */
export const freeOf = (net: Network): Free | null => unpacked<Data>(ID)?.free.find((each) => each.spec === net.spec) ?? null;

/** The last cycle that is shown of a run. */
export const lastCycle = ({ replay }: Case): number => replay.moved + replay.delay + AFTER;

/** A case as the value of a choice. */
export const caseName = (one: Case): string => `${one.spec} ${one.routing}`;

/** Whether a routing that cannot deadlock is shown in place of one that can. */
export const showsCure = (state: State): boolean => state["deadlock.show"] === "cure";

/** Keys of a state that ask for what there is not, as they are instead. */
export function settled(state: State, net: Network): Readonly<Record<string, Value>> {
  const one = caseOf(state, net);
  const free = one ? one.cure : freeOf(net);
  if (!free) return {};
  return {
    ...(one && one.routing === state["deadlock.routing"] ? {} : { "deadlock.routing": "" }),
    "deadlock.vc": Math.min(state["deadlock.vc"] as number, free.vcs - 1),
    "deadlock.cycle": one ? Math.min(state["deadlock.cycle"] as number, lastCycle(one)) : 0,
  };
}
