/** The command and the Python that give what the panel shows: the figures of the run so far, and the points of the curve. */
import { brokenOf, leftInPython, withoutOption } from "../../data/faults";
import type { Network } from "../../data/network";
import { command, loading, word } from "../../shell/commands";
import type { State } from "../../state/state";
import { loadsOf } from "./curve/points";
import { countedSince } from "./live";
import { loadsSoFar } from "./reached";
import { asArguments, asOptions, between, FULL, settingsOf, type Settings } from "./settings";

/** What a state does not say of the run that is shown. */
export interface Seen {
  readonly deadlocked: boolean;
  readonly loadsLeftOut: boolean; // it changed its load more often than a link has room for
}

/** Loads that are simulated for so many cycles. */
interface Part {
  readonly loads: readonly number[];
  readonly cycles: Settings;
}

/** What is to be simulated to have all that is shown; null where the state does not say what loads there were. */
function partsOf(state: State, seen: Seen): Part[] | null {
  if (seen.loadsLeftOut) return null;
  const cycle = state["simulate.cycle"] as number;
  const curve = loadsOf(state);
  return [
    ...(cycle ? [soFar(state, cycle, seen.deadlocked)] : []),
    ...(curve.length ? [{ loads: curve, cycles: FULL }] : []),
    ...(!cycle && !curve.length ? [{ loads: [state.load], cycles: FULL }] : []),
  ];
}

/** The run up to a cycle, whose figures began anew with its last load. */
function soFar(state: State, cycle: number, deadlocked: boolean): Part {
  const [[, first], ...later] = loadsSoFar(state) as [[number, number], ...[number, number][]];
  const last = later.at(-1)?.[0] ?? 0;
  const steps = later.length ? { load_steps: later.map(([from, load]) => `${from}:${load}`).join(",") } : {};
  return { loads: [first], cycles: { ...steps, ...between(last + countedSince(cycle - last), cycle, deadlocked) } };
}

export function commandOf(state: State, net: Network, seen: Seen): string | null {
  const parts = partsOf(state, seen);
  if (!parts) return null;
  const [routing, settings] = settingsOf(state, net);
  const named = `${routing ? ` --routing ${word(routing)}` : ""}${withoutOption(net, brokenOf(state, net))}`;
  return parts.map(({ loads, cycles }) => [`${command("simulate", net, routing)}${named}`, ...asOptions({ load: loads.join(","), ...settings, ...cycles })].join(" ")).join("; ");
}

export function pythonOf(state: State, net: Network, seen: Seen): string | null {
  const parts = partsOf(state, seen);
  if (!parts) return null;
  const broken = brokenOf(state, net);
  const [routing, settings] = settingsOf(state, net);
  const what = broken ? "left" : JSON.stringify(net.spec);
  const named = routing ? [`"${routing}"`] : [];
  const lines = parts.map(({ loads, cycles }) => {
    const [load] = loads;
    const more = { ...settings, ...cycles };
    if (loads.length > 1) return `jumpnet.network(${what}).curve(${[`[${loads.join(", ")}]`, ...named, ...asArguments(more)].join(", ")})`;
    return `jumpnet.simulate(${[what, ...named, ...asArguments({ load: load!, ...more })].join(", ")})`;
  });
  return [...loading(net, routing), ...(broken ? leftInPython(net, broken) : []), ...lines].join("\n");
}
