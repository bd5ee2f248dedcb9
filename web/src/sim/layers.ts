/** How many layers, which are virtual channels, `lash` and `dfsssp` find on a network: their tables are filled to know. */
import type { Network } from "../data/network";
import type { Kernels } from "./machine";
import { Offered, type Given, type Offer } from "./offered";
import { Relation } from "./relation";
import { ChannelsError, RunError } from "./types";

const MOST_SHOWN = 8; // as `runs.MOST_SHOWN_VCS`

/** What is known of the runs of a network, with the counts of virtual channels of routings that fill layers. */
export async function withLayers(given: Given, net: Network, kernels: Kernels): Promise<Given> {
  const routings: Offer[] = [];
  for (const offer of given.routings) {
    const layered = offer.filled !== undefined && offer.routing in kernels.layout.layers;
    const least = layered ? await layersOf(offer, given, net, kernels) : offer.vcs[0]!;
    if (least === 0) continue; // more than there may be: Python refuses it too
    const more = Array.from({ length: Math.max(0, MOST_SHOWN - least) }, (_, k) => least + 1 + k);
    routings.push(layered ? { ...offer, vcs: [least, ...more] } : offer);
  }
  return { ...given, routings };
}

/** The layers of a routing, 0 for too many. */
async function layersOf(offer: Offer, given: Given, net: Network, kernels: Kernels): Promise<number> {
  const alone = await Offered.of({ ...given, routings: [{ ...offer, vcs: [1] }] }, net, kernels);
  try {
    await Relation.from(alone, kernels, { routing: offer.routing, vcs: 1 });
    return 1;
  } catch (error) {
    if (error instanceof ChannelsError) return error.needed;
    if (error instanceof RunError) return 0;
    throw error;
  }
}
