/** Which run of a network the state means, and what of it the page has not. */
import type { Network } from "../../data/network";
import { brokenOf, MENDED } from "../../data/faults";
import type { Amiss } from "../../shell/panel";
import { RunError, WORST, type Broken, type Kernels, type Offered, type Which } from "../../sim/simulation";
import type { State, Value } from "../../state/state";
import { ROUND, roundOf } from "../../sim/held";

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
  /** A sentence for each of them that was asked for: what there is not, and what there is instead. */
  readonly said: Readonly<Record<string, string>>;
  /** These sentences; empty where there is all that was asked for. */
  readonly why: string;
}

const first = <T>(among: readonly T[], wanted: T): T => (among.includes(wanted) ? wanted : among[0]!);

/** Throws where nothing goes round what is broken. */
export function choices(held: Offered, state: State, net: Network): Choices {
  const broken = brokenOf(state, net);
  const routings = routingsOf(held, net, broken);
  const routing = first(routings, state.routing);
  const presets = held.presets(routing);
  const preset = first(presets, String(state["simulate.preset"]));
  const vcs = held.counts(routing);
  const buffers = held.buffers(routing, preset); // the usual one first
  const { patterns, traffic, wrong } = trafficOf(held, state, routing, broken);
  const which: Full = { routing, preset, vcs: first(vcs, state.vcs), traffic, buffer: first(buffers, state["simulate.buffer"] as number) };
  const offered = { vcs, presets, buffers: [...buffers].sort((a, b) => a - b) };
  const { mended, said } = mendedOf(state, which, { ...offered, wrong, broken: broken !== null, usual: held.usual || broken !== null, counted: held.counted(routing) });
  return { which, routings, ...offered, patterns, settings: held.settings(routing, preset), mended, said, why: Object.values(said).join(" ") };
}

/** Routings that there are, the default one first. */
function routingsOf(held: Offered, net: Network, broken: Broken | null): readonly string[] {
  const found = broken ? roundOf(held) : held.routings;
  if (!found.length) throw new Error(`${ROUND.join(", ")} go round faults, and this page has no runs of them on ${net.spec}.`);
  return found;
}

/** The permutation that loads a channel of a routing most, as the page may have it. */
export const worstFor = (routing: string): string => `${WORST}${routing}`;

/** Traffic that there is, that which is chosen, and what is wrong with the one asked for. */
function trafficOf(held: Offered, state: State, routing: string, broken: Broken | null): { readonly patterns: readonly string[]; readonly traffic: string; readonly wrong: string } {
  const suits = (each: string): boolean => !each.startsWith(WORST) || (!broken && (each === worstFor(routing) || each === state.traffic));
  const patterns = broken?.routers.length ? ["uniform"] : held.patterns.filter(suits);
  const asked = state.traffic === "worst" ? worstFor(routing) : state.traffic;
  const wrong = unfit(held, asked, patterns, broken !== null);
  return { patterns, traffic: wrong ? patterns[0]! : asked, wrong };
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

/** What there is, and why it is not what was asked for. */
interface There extends Pick<Choices, "vcs" | "presets" | "buffers"> {
  readonly wrong: string; // with the traffic that was asked for
  readonly broken: boolean;
  readonly usual: boolean; // a command that names no routing has this one
  readonly counted: boolean; // whether it is known how many virtual channels there are
}

/** Keys of the state that name something else than the run, as it is instead, and a sentence for each that was asked for. */
function mendedOf(state: State, which: Full, there: There): Pick<Choices, "mended" | "said"> {
  const [mended, said]: [Record<string, Value>, Record<string, string>] = [{}, {}];
  const { routing, vcs, preset, buffer, traffic } = which;
  const mend = (key: string, value: Value, why: string): void => {
    mended[key] = value;
    if (why) said[key] = why;
  };
  const named = there.usual ? "" : routing;
  const lacks = there.broken ? "does not go round what is broken" : "has no run here";
  if (state.routing !== routing && (state.routing || named)) mend("routing", named, state.routing && `${state.routing} ${lacks}; routing is ${routing} now.`);
  if (there.counted && state.vcs && state.vcs !== vcs) mend("vcs", 0, `vcs=${state.vcs} found, ${there.vcs.join(", ")} expected of ${routing}; it is ${vcs} now.`);
  const [presetAsked, bufferAsked] = [state["simulate.preset"], state["simulate.buffer"]];
  if (presetAsked !== preset) mend("simulate.preset", preset, `preset ${presetAsked} found, ${there.presets.join(", ")} expected; it is ${preset} now.`);
  if (bufferAsked && bufferAsked !== buffer) mend("simulate.buffer", 0, `buffers of ${bufferAsked} flits found, ${there.buffers.join(", ")} expected; they are ${buffer} now.`);
  if (state.traffic !== traffic) mend("traffic", traffic, there.wrong && `${there.wrong}; traffic is ${traffic} now.`);
  return { mended, said };
}

/** Keys of a link that name no run of the network, with what there is instead: `names` of those that are looked at. */
export function amiss(held: Offered, state: State, net: Network, names: readonly string[]): Amiss {
  const { mended, said } = choices(held, { ...state, ...MENDED } as State, net);
  return Object.fromEntries(names.flatMap((name) => (said[name] ? [[name, { instead: mended[name]!, why: said[name] }]] : [])));
}

/** Finds what virtual channels the chosen routing has, where that is not known yet; rejects where it has none. */
export const settled = (held: Offered, compiled: Kernels, state: State, net: Network): Promise<void> => held.settle(choices(held, state, net).which.routing, compiled);
