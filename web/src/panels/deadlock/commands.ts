/** The command and the Python that prove what is shown, and replay a run into a deadlock. */
import type { Network } from "../../data/network";
import { word } from "../../shell/commands";
import type { State } from "../../state/state";
import { caseOf, freeOf, showsCure } from "./data";

/** The routing that is proved, and its virtual channels where they are not those that it needs. */
interface Proved {
  readonly routing: string;
  readonly vcs: number;
  readonly deadlocks: boolean;
}

/** Null where the page has no proof on the network. */
function proved(state: State, net: Network): Proved | null {
  const one = caseOf(state, net);
  if (one && !showsCure(state)) return { routing: one.routing, vcs: one.vcs, deadlocks: true };
  const free = one?.cure ?? freeOf(net);
  return free && { routing: free.routing, vcs: 0, deadlocks: false };
}

export function commandOf(state: State, net: Network): string | null {
  const what = proved(state, net);
  if (!what) return null;
  const { routing, vcs, deadlocks } = what;
  const words = ["jumpnet prove", word(net.spec), "--routing", word(routing), ...(vcs ? ["--vcs", String(vcs)] : [])];
  return [...words, deadlocks ? "--explain --replay" : "--explain"].join(" ");
}

export function pythonOf(state: State, net: Network): string | null {
  const what = proved(state, net);
  if (!what) return null;
  const { routing, vcs, deadlocks } = what;
  const proof = `jumpnet.network(${JSON.stringify(net.spec)}).prove("${routing}"${vcs ? `, vcs=${vcs}` : ""})`;
  return deadlocks ? `from jumpnet.replay.deadlock import replay_deadlock\nreplay_deadlock(${proof})` : `print(${proof}.explain())`;
}
