/** Which run of a network the state means, what of it the page has not, and how a command says it. */
import type { Network } from "../data/network";
import { brokenOf } from "../data/faults";
import { RunError, WORST, type Kernels, type Offered, type Which } from "../sim/simulation";
import type { State, Value } from "../state/state";
import { opened, ROUND, roundOf } from "../sim/held";

const BUFFERS: Readonly<Record<string, number>> = { booksim: 8, yang2001: 8, jump1: 16 };
export const WARMUP = 1000;
export const MEASURED = 3000;

type Full = Required<Which>;

/** What there is to choose from, and what is chosen. */
export interface Choices {
  readonly which: Full;
  readonly routings: readonly string[];
  readonly vcs: readonly number[];
  readonly presets: readonly string[];
  readonly buffers: readonly number[];
  readonly patterns: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  /** Keys of the state that name what the page has not, as it is instead. */
  readonly mended: Readonly<Record<string, Value>>;
  /** A sentence where the traffic is another than was asked for. */
  readonly why: string;
}

/** Why a network has no such traffic; empty where it has. */
function unfit(held: Offered, traffic: string, patterns: readonly string[], broken: boolean): string {
  if (broken && traffic.startsWith(WORST)) return "worst traffic is that of the whole network here";
  if (held.unfound(traffic)) return "";
  if (patterns.length === 1) return traffic === patterns[0] ? "" : `only ${patterns[0]!} traffic runs here`;
  try {
    held.traffic(traffic);
    return "";
  } catch (error) {
    if (error instanceof RunError) return error.message;
    throw error;
  }
}

/** The permutation that loads a channel of a routing most, as the page may have it. */
export const worstFor = (routing: string): string => `${WORST}${routing}`;

const first = <T>(among: readonly T[], wanted: T): T => (among.includes(wanted) ? wanted : among[0]!);

/** Throws where nothing goes round what is broken. */
export function choices(held: Offered, state: State, net: Network): Choices {
  const broken = brokenOf(state, net);
  const routings = broken ? roundOf(held) : held.routings;
  if (!routings.length) throw new Error(`${ROUND.join(", ")} go round faults, and this page has no runs of them on ${net.spec}.`);
  const routing = first(routings, state.routing);
  const presets = held.presets(routing);
  const preset = first(presets, String(state["simulate.preset"]));
  const vcs = held.counts(routing);
  const [usual, ...more] = held.buffers(routing, preset) as [number, ...number[]];
  const buffers = [usual, ...more].sort((a, b) => a - b);
  const patterns = broken?.routers.length ? ["uniform"] : held.patterns.filter((each) => !each.startsWith(WORST) || (!broken && (each === worstFor(routing) || each === state.traffic)));
  const asked = state.traffic === "worst" ? worstFor(routing) : state.traffic;
  const wrong = unfit(held, asked, patterns, broken !== null);
  const which: Full = {
    routing, preset, vcs: first(vcs, state.vcs), traffic: wrong ? patterns[0]! : asked,
    buffer: buffers.includes(state["simulate.buffer"] as number) ? (state["simulate.buffer"] as number) : usual,
  };
  const mended: Record<string, Value> = {};
  const named = held.usual || broken ? "" : routing; // a command that names none has another one
  if (state.routing !== routing && (state.routing || named)) mended.routing = named;
  if (state.vcs && state.vcs !== which.vcs) mended.vcs = 0;
  if (state.traffic !== which.traffic) mended.traffic = which.traffic;
  if (state["simulate.preset"] !== preset) mended["simulate.preset"] = preset;
  if (state["simulate.buffer"] && state["simulate.buffer"] !== which.buffer) mended["simulate.buffer"] = 0;
  return { which, routings, vcs, presets, buffers, patterns, settings: held.settings(routing, preset), mended, why: wrong && `${wrong}; traffic is ${which.traffic} now.` };
}

/** Finds what virtual channels the chosen routing has, where that is not known yet; rejects where it has none. */
export const settled = (held: Offered, compiled: Kernels, state: State, net: Network): Promise<void> => held.settle(choices(held, state, net).which.routing, compiled);

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
