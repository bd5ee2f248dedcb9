/** The settings of a run as a command or a line of Python says them. */
import { brokenOf } from "../data/faults";
import type { Network } from "../data/network";
import { opened } from "../sim/held";
import type { State } from "../state/state";
import { choices, type Choices } from "./chosen";

const BUFFERS: Readonly<Record<string, number>> = { booksim: 8, yang2001: 8, jump1: 16 };
export const WARMUP = 1000;
export const MEASURED = 3000;

/** The settings of a run as a command or Python has them; what is at its default is left out. */
export function words(state: State, made: Choices | null, faults: boolean): Record<string, string | number> {
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
    warmup_cycles: WARMUP,
    measure_cycles: MEASURED,
  };
}

const FLAGS = ["load", "traffic", "preset", "seed"];

/** As options of `jumpnet simulate`. */
export const asOptions = (settings: Record<string, string | number>): string[] =>
  Object.entries(settings).map(([key, value]) => (key === "packet_flits" ? `--packet-flits ${value}` : FLAGS.includes(key) ? `--${key} ${value}` : `--set ${key}=${value}`));

/** As arguments of `jumpnet.simulate`, whose preset is called `name`. */
export const asArguments = (settings: Record<string, string | number>): string[] =>
  Object.entries(settings).map(([key, value]) => `${key === "preset" ? "name" : key}=${typeof value === "string" ? `"${value}"` : value}`);

/** Settings of the run that is shown, as far as it is known yet. */
export function settingsOf(state: State, net: Network): [string, Record<string, string | number>] {
  const held = opened(net.spec);
  try {
    const made = held && choices(held, state, net);
    const broken = brokenOf(state, net);
    return [state.routing || (broken && made ? made.which.routing : ""), words(state, made, broken !== null)];
  } catch {
    return [state.routing, words(state, null, false)];
  }
}
