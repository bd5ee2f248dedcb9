/** The command and the Python that give the wafer that is shown. */
import type { Network } from "../../data/network";
import { word } from "../../shell/commands";
import type { State } from "../../state/state";
import { drawOf, shownOf } from "./data";

export function commandOf(state: State, net: Network): string | null {
  const shown = shownOf(state, net);
  if (!shown || shown.paper) return null; // defects of one's own come from a file: the page at this link gives the same
  const [density, seed, method] = drawOf(shown);
  return `jumpnet reconfigure ${word(net.spec)} --density ${density} --seed ${seed} --method ${method} --draw wafer.svg`;
}

export function pythonOf(state: State, net: Network): string | null {
  const shown = shownOf(state, net);
  if (!shown) return null;
  if (shown.paper) return `from jumpnet.analysis.paper_wafers import paper_wafers\npaper_wafers()["${shown.paper.figure}"]`;
  const [density, seed, method] = drawOf(shown);
  return `from jumpnet.analysis.reconfigure import reconfigure\nreconfigure(${JSON.stringify(net.spec)}, density=${density}, seed=${seed}, method="${method}")`;
}
