/** Groups of networks of about one size, with their figures, as Python computed them. */
import type { Network } from "../../data/network";
import type { State, Value } from "../../state/state";
import { unpacked } from "../unpacked";

export interface Row {
  readonly spec: string;
  readonly routers: number;
  readonly links: number;
  readonly degree: readonly [number, number];
  readonly diameter: number;
  readonly average: number;
  readonly pairs: readonly number[]; // ordered pairs of routers by distance, from 0
  readonly bisection: readonly [number, number];
  readonly how: string;
  readonly capacity: number;
}

export interface Group {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

export interface Data {
  readonly groups: readonly Group[];
}

export const ID = "papers";
/** Routers of the group that is shown first. */
export const USUAL = "256";

/** The group that a state names, else the usual one; null as long as there is no data. */
export function groupOf(state: State): Group | null {
  const groups = unpacked<Data>(ID)?.groups;
  return groups?.find((each) => each.name === state["papers.group"]) ?? groups?.find((each) => each.name === USUAL) ?? groups?.[0] ?? null;
}

/** Networks that are compared: the open one alone where there is no data. */
export const specsOf = (state: State, net: Network): string[] => groupOf(state)?.rows.map(({ spec }) => spec) ?? [net.spec];

/** Keys of a state that ask for what there is not, as they are instead. */
export function settled(state: State): Readonly<Record<string, Value>> {
  const group = groupOf(state);
  return group ? { "papers.group": group.name } : {};
}
