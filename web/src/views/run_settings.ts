/** The settings of a run as a command or a line of Python says them. */
import { brokenOf } from "../data/faults";
import type { Network } from "../data/network";
import { opened } from "../sim/held";
import type { State } from "../state/state";
import { choices, type Choices } from "./chosen";
import { FIGURES_OF } from "./live";

const BUFFERS: Readonly<Record<string, number>> = { booksim: 8, yang2001: 8, jump1: 16 };
export const WARMUP = 1000;
export const MEASURED = 3000;
const LEAST_PATIENCE = 10; // cycles, as `deadlock_cycles` has it

export type Settings = Record<string, string | number | boolean>;

/** Whether a command gives the figures that are shown: of a measurement at cycle 0, else of all cycles so far under one load. */
export const toldByCommand = (state: State): boolean =>
  (state["simulate.cycle"] as number) < FIGURES_OF && (state["simulate.loads"] as readonly number[]).length === 0;

/** The cycles of a run whose figures are those that are shown: once it has begun, all so far, a deadlock or not. */
function phases(state: State, deadlocked: boolean): Settings {
  const cycles = state["simulate.cycle"] as number;
  return cycles ? { warmup_cycles: 0, measure_cycles: cycles, drain: false, ...(deadlocked ? { deadlock_cycles: Math.max(LEAST_PATIENCE, cycles) } : {}) } : { warmup_cycles: WARMUP, measure_cycles: MEASURED };
}

/** The settings of a run as a command or Python has them; what is at its default is left out. */
function words(state: State, made: Choices | null, faults: boolean, deadlocked: boolean): Settings {
  const which = made?.which;
  const preset = which?.preset ?? String(state["simulate.preset"]);
  const [vcs, buffer] = which ? [state.vcs || preset === "yang2001" || faults ? which.vcs : 0, which.buffer] : [state.vcs, 0];
  return {
    load: state.load,
    ...(preset === "booksim" ? {} : { preset }),
    ...(state.traffic === "uniform" ? {} : { traffic: state.traffic }),
    packet_flits: state.packet,
    ...(vcs ? { vcs } : {}),
    ...(buffer && buffer !== BUFFERS[preset] ? { buffer_flits: buffer } : {}),
    ...(made?.settings.flow_control === "cut_through" ? { flow_control: "cut_through" } : {}),
    ...(state.seed === 1 ? {} : { seed: state.seed }),
    ...phases(state, deadlocked),
  };
}

const FLAGS = ["load", "traffic", "preset", "seed"];

/** As options of `jumpnet simulate`. */
export const asOptions = (settings: Settings): string[] =>
  Object.entries(settings).map(([key, value]) => (key === "packet_flits" ? `--packet-flits ${value}` : FLAGS.includes(key) ? `--${key} ${value}` : `--set ${key}=${value}`));

/** As arguments of `jumpnet.simulate`, whose preset is called `name`. */
export const asArguments = (settings: Settings): string[] =>
  Object.entries(settings).map(([key, value]) => `${key === "preset" ? "name" : key}=${inPython(value)}`);

const inPython = (value: string | number | boolean): string => (typeof value === "string" ? `"${value}"` : value === false ? "False" : String(value));

/** Settings of the run that is shown, as far as it is known yet. */
export function settingsOf(state: State, net: Network, deadlocked: boolean): [string, Settings] {
  const held = opened(net.spec);
  try {
    const made = held && choices(held, state, net);
    const broken = brokenOf(state, net);
    return [state.routing || (broken && made ? made.which.routing : ""), words(state, made, broken !== null, deadlocked)];
  } catch {
    return [state.routing, words(state, null, false, deadlocked)];
  }
}
