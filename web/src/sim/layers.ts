/** How many layers, which are virtual channels, `lash` and `dfsssp` find on a network: their tables are filled to know. */
import type { Network } from "../data/network";
import type { Kernels } from "./kernels";
import { Offered, type Given, type Offer } from "./offered";
import { countsFrom, layersOf } from "./tables";
import { RunError } from "./types";

/** What is known of the runs of a network, with the counts of virtual channels of routings that fill layers; those searched later without. */
export async function withLayers(given: Given, net: Network, kernels: Kernels): Promise<Given> {
  const routings: Offer[] = [];
  for (const offer of given.routings) {
    const layered = offer.filled !== undefined && !offer.searched && offer.routing in kernels.layout.layers;
    const least = layered ? await found(offer, given, net, kernels) : offer.vcs[0]!;
    if (least === 0) continue; // more than there may be: Python refuses it too
    routings.push(layered ? { ...offer, vcs: countsFrom(least) } : offer);
  }
  return { ...given, routings };
}

/** The layers of a routing, 0 for too many. */
async function found(offer: Offer, given: Given, net: Network, kernels: Kernels): Promise<number> {
  const alone = await Offered.of({ ...given, routings: [{ ...offer, vcs: [1] }] }, net, kernels);
  try {
    return await layersOf(alone, alone.run({ routing: offer.routing, vcs: 1 }), kernels);
  } catch (error) {
    if (error instanceof RunError) return 0;
    throw error;
  }
}
