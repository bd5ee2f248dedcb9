/** A collective as it is drawn: the transfers so far, and how much each router holds. */
import type { Network } from "../../data/network";
import type { Mark, Meaning, Overlay } from "../../shell/panel";
import { gathering, holding, type Shown } from "./schedule";

const LEAST_SHADE = 0.06; // of a router with few of the parts
const DARKEST = 0.5; // of the scale of heat: heat-2

/** How dark routers are: by their share of the parts, or all that have the message alike. */
function shades(net: Network, shown: Shown, done: number): Float32Array {
  const all = gathering(shown, done) ? net.routers : 1;
  return holding(net, shown, done).map((each) => (each > 0 ? DARKEST * Math.max(LEAST_SHADE, each / all) : 0));
}

/** What is drawn after so many steps; `going`: the next one has begun. */
export function overlayOf(net: Network, shown: Shown, done: number, going: boolean): Overlay {
  const { moves, one, turn } = shown;
  const links = new Map<number, Mark>();
  for (let k = 0; k < moves.step.length; k++) {
    const [step, channel] = [moves.step[k]!, moves.channel[k]!];
    if (step < turn && done > turn) continue; // what was gathered is over
    if (step > done || (step === done && !going)) break;
    if (step === (going ? done : done - 1)) links.set(channel, { colour: "accent", size: 3.5, arrow: true });
    else if (!links.has(channel)) links.set(channel, { colour: "hue-0", size: 2 });
  }
  const heats: Meaning[] = gathering(shown, done)
    ? [["heat-2", "has all parts", "disc"], ["heat-0", "has few or none", "disc"]]
    : [["heat-2", "has it", "disc"], ["heat-0", "not yet", "disc"]];
  return {
    links, routers: new Map([[one.root, { colour: "ink", size: 4 }]]), labels: new Map([[one.root, "root"]]),
    routerHeat: shades(net, shown, done), fadeOthers: true,
    legend: [["accent", "in this step"], ["hue-0", "in steps before"], ...heats],
  };
}
