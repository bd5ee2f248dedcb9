/** The command and the Python that give the collective that is shown. */
import type { Network } from "../../data/network";
import { word } from "../../shell/commands";
import type { State } from "../../state/state";
import { shownOf } from "./schedule";

export function commandOf(state: State, net: Network): string | null {
  const shown = shownOf(state, net);
  if (!shown) return null;
  const { algorithm, one, kind } = shown;
  const other = kind === "broadcast" ? "" : ` --collective ${kind}`;
  return `jumpnet multicast ${word(net.spec)} --broadcast ${algorithm.name}${other} --source ${one.root} --model ${state["collectives.model"]} --tree`;
}

export function pythonOf(state: State, net: Network): string | null {
  const shown = shownOf(state, net);
  if (!shown) return null;
  const { algorithm, one, kind } = shown;
  const made = `broadcast("${algorithm.name}")(jumpnet.network(${JSON.stringify(net.spec)}).net, ${one.root}, "${state["collectives.model"]}")`;
  const last = { broadcast: made, gather: `${made}.backwards()`, "all-reduce": `there = ${made}\n(there.backwards(), there)` }[kind];
  return `from jumpnet.multicast import broadcast\n${last}`;
}
