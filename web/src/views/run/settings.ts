/** The settings of a run as a command or a line of Python says them. */
import { brokenOf } from "../../data/faults";
import type { Network } from "../../data/network";
import { opened } from "../../sim/held";
import type { State } from "../../state/state";
import { choices, type Choices } from "./choices";
import { MEASURED, WARMUP } from "./curve/points";

const BUFFERS: Readonly<Record<string, number>> = { booksim: 8, yang2001: 8, jump1: 16 };
const LEAST_PATIENCE = 10; // cycles, as `deadlock_cycles` has it

export type Settings = Record<string, string | number | boolean>;

/** The cycles of a full measurement. */
export const FULL: Settings = { warmup_cycles: WARMUP, measure_cycles: MEASURED };

/** The cycles of a run from one up to another, figures of which are shown, whether they have a deadlock or not. */
export const between = (since: number, cycle: number, deadlocked: boolean): Settings =>
  ({ warmup_cycles: since, measure_cycles: cycle - since, drain: false, ...(deadlocked ? { deadlock_cycles: Math.max(LEAST_PATIENCE, cycle) } : {}) });

/** What a run is, but for its load and its cycles; what is at its default is left out. */
function common(state: State, made: Choices | null, faults: boolean): Settings {
  const which = made?.which;
  const preset = which?.preset ?? String(state["simulate.preset"]);
  const [vcs, buffer] = which ? [state.vcs || preset === "yang2001" || faults ? which.vcs : 0, which.buffer] : [state.vcs, 0];
  return {
    ...(preset === "booksim" ? {} : { preset }),
    ...(state.traffic === "uniform" ? {} : { traffic: state.traffic }),
    packet_flits: state.packet,
    ...(vcs ? { vcs } : {}),
    ...(buffer && buffer !== BUFFERS[preset] ? { buffer_flits: buffer } : {}),
    ...(made?.settings.flow_control === "cut_through" ? { flow_control: "cut_through" } : {}),
    ...(state.seed === 1 ? {} : { seed: state.seed }),
  };
}

/** The routing and the settings of the run of a state, as far as it is known yet. */
export function settingsOf(state: State, net: Network): [routing: string, settings: Settings] {
  const held = opened(net.spec);
  try {
    const made = held && choices(held, state, net);
    const broken = brokenOf(state, net);
    return [state.routing || (broken && made ? made.which.routing : ""), common(state, made, broken !== null)];
  } catch {
    return [state.routing, common(state, null, false)];
  }
}

const FLAGS = ["load", "traffic", "preset", "seed"];

/** As options of `jumpnet simulate`. */
export const asOptions = (settings: Settings): string[] =>
  Object.entries(settings).map(([key, value]) => (key === "packet_flits" ? `--packet-flits ${value}` : FLAGS.includes(key) ? `--${key} ${value}` : `--set ${key}=${value}`));

/** As arguments of `jumpnet.simulate`, whose preset is called `name`. */
export const asArguments = (settings: Settings): string[] =>
  Object.entries(settings).map(([key, value]) => `${key === "preset" ? "name" : key}=${inPython(value)}`);

const inPython = (value: string | number | boolean): string => (typeof value === "string" ? `"${value}"` : value === false ? "False" : String(value));
