/** The command and the Python that give what is left of a network, and what routings make of random faults. */
import { brokenOf, figuresInPython, namedFaults } from "../../data/faults";
import type { Network } from "../../data/network";
import { word } from "../../shell/commands";
import type { State } from "../../state/state";
import { countOf, faultsOf, kindOf, random, seedOf } from "./data";

export function commandOf(state: State, net: Network): string | null {
  if (random(state, net)) {
    return `jumpnet degrade ${word(net.spec)} --kind ${kindOf(state)} --faults ${countOf(state)} --seeds 1 --seed ${seedOf(state)} --no-simulate`;
  }
  const broken = brokenOf(state, net);
  if (!broken) return `jumpnet metrics ${word(net.spec)}`;
  return `jumpnet degrade ${word(net.spec)} --fault ${namedFaults(net, broken)}`;
}

export function pythonOf(state: State, net: Network): string {
  const routed = `, jumpnet.network(${JSON.stringify(net.spec)}).degrade([${countOf(state)}], kind="${kindOf(state)}", seeds=[${seedOf(state)}])`;
  const figures = figuresInPython(net, faultsOf(state, net));
  return `from jumpnet.analysis.what_is_left import what_is_left\n${figures}${random(state, net) ? routed : ""}`;
}
