/** From a state to the simulator at cycle 0: what the page has of the network is unpacked, and what must be searched is found. */
import { brokenOf } from "../../data/faults";
import type { Network } from "../../data/network";
import { kernels, offered } from "../../sim/held";
import { Simulation, type Offered } from "../../sim/simulation";
import type { State } from "../../state/state";
import { choices, settled, type Choices } from "./choices";

/** Which run a state wants: another one where this is another text. */
export const runOf = (state: State, net: Network): string =>
  JSON.stringify([net.spec, state.routing, state.traffic, state.vcs, state.packet, state.seed, state["simulate.preset"], state["simulate.buffer"], brokenOf(state, net)]);

/** What came of it: the run, or the state as it must be first. */
export interface Made {
  readonly held: Offered;
  readonly choices: Choices;
  readonly sim: Simulation | null; // null where `choices.mended` says what to change in the state
}

/** What is told meanwhile, and whether anybody still wants it. */
export interface Waiting {
  wanted(): boolean;
  offer(held: Offered, made: Choices): void;
}

/** The run that a state wants; null where it is not wanted any more. Rejects with a RunError where there is none. */
export async function make(state: State, net: Network, waiting: Waiting): Promise<Made | null> {
  const [held, compiled] = await Promise.all([offered(net.spec), kernels()]);
  if (!waiting.wanted()) return null;
  const before = choices(held, state, net);
  waiting.offer(held, before);
  await settled(held, compiled, state, net);
  await held.find(before.which.traffic, compiled);
  if (!waiting.wanted()) return null;
  const made = choices(held, state, net); // with the virtual channels that were found
  waiting.offer(held, made);
  if (Object.keys(made.mended).length) return { held, choices: made, sim: null };
  const sim = await Simulation.from(held, compiled, made.which, brokenOf(state, net));
  sim.set("packet_flits", state.packet);
  sim.set("seed", state.seed);
  return waiting.wanted() ? { held, choices: made, sim } : null;
}
