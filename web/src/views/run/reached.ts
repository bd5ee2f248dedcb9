/** How far a run has come, as its link says it: the cycle, and what loads it had before the one that it has now. */
import type { App } from "../../shell/panel";
import type { Key, State, Value } from "../../state/state";
import type { Live } from "./live";

const MOST_CYCLES = 500_000_000;
const MOST_LOADS = 40; // changes of the load that a link has room for
const PARTS = 1e6; // of a load
const PIECE = 400; // cycles between two tellings of how far it has come
const MOMENT = 24; // ms that they may take

export const REACHED: Readonly<Record<string, Key>> = {
  "simulate.cycle": { initial: 0, least: 0, most: MOST_CYCLES },
  "simulate.loads": { initial: [], like: `up to ${MOST_LOADS} ascending cycles (up to simulate.cycle), each followed by the load until then in millionths` },
};

/** Another run begins anew. */
export const FROM_START = { "simulate.cycle": 0, "simulate.loads": [] } as const;

/** Whether the loads of a run changed more often than a link has room for. */
export const tooMany = (live: Live): boolean => live.loads.length > MOST_LOADS;

/** What a link says of a run that has come so far; as if it had not begun, where its loads changed too often. */
export function reached(live: Live): { "simulate.cycle": number; "simulate.loads": readonly number[] } {
  const { cycle } = live.sim;
  if (cycle === 0 || tooMany(live)) return FROM_START;
  return { "simulate.cycle": cycle, "simulate.loads": live.loads.flatMap(([until, load]) => [until, Math.round(load * PARTS)]) };
}

/** The same of a state, as one text. */
export const goalOf = (state: State): string => JSON.stringify([state["simulate.cycle"], state["simulate.loads"]]);

/** The loads as they are written: those that a run could have had. */
export const settledLoads = (state: State): Readonly<Record<string, Value>> => ({ "simulate.loads": changesOf(state).flatMap(([until, load]) => [until, Math.round(load * PARTS)]) });

/** Loads before the one that the run has now, each until a cycle. */
function changesOf(state: State): [until: number, load: number][] {
  const goal = state["simulate.cycle"] as number;
  const told = state["simulate.loads"] as readonly number[];
  const steps: [number, number][] = [];
  for (let k = 0; k + 1 < told.length && k < 2 * MOST_LOADS; k += 2) {
    const [until, load] = [told[k]!, told[k + 1]! / PARTS];
    if (until > (steps.at(-1)?.[0] ?? 0) && until <= goal && load <= 1) steps.push([until, load]);
  }
  return steps;
}

/** The loads of the cycles so far, each from its cycle on; at cycle 0 the one of the cycles to come. */
export function loadsSoFar(state: State): [from: number, load: number][] {
  const goal = state["simulate.cycle"] as number;
  const changes = changesOf(state);
  const loads = [...changes.map(([, load]) => load), state.load];
  return loads.map((load, k): [number, number] => [changes[k - 1]?.[0] ?? 0, load]).filter(([from]) => from === 0 || from < goal);
}

/** Runs from cycle 0 to where the state says, as fast as it goes; returns what stops it. `done` is told of an error, if any. */
export function goThere(app: App, live: Live, state: State, at: (cycle: number) => void, done: (error: unknown) => void): () => void {
  const goal = state["simulate.cycle"] as number;
  const steps = [...changesOf(state), [goal, state.load] as const];
  try {
    live.restart(steps[0]![1]);
  } catch (error) {
    done(error);
    return () => undefined;
  }
  return app.later(() => {
    try {
      const [until, load] = steps[0]!;
      live.setLoad(load);
      const { cycle } = live.sim;
      live.runFor(Math.min(PIECE, until - cycle), MOMENT);
      if (live.sim.cycle === until) steps.shift();
    } catch (error) {
      done(error);
      return true;
    }
    if (steps.length) at(live.sim.cycle);
    else done(null);
    return steps.length === 0;
  });
}
