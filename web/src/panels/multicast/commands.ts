/** The command and the Python that give what is shown of a multicast. */
import type { Network } from "../../data/network";
import { word } from "../../shell/commands";
import type { State } from "../../state/state";
import { requestOf, territoryAlone } from "./request";

export function commandOf(state: State, net: Network): string | null {
  const request = requestOf(state, net);
  if (!request) return null;
  const { data, scheme, source, destinations } = request;
  const upTo = territoryAlone(state, request);
  if (upTo !== null) return `jumpnet multicast ${word(net.spec)} --source ${source} --top-rank ${upTo} --draw territory.svg`;
  if (!destinations.length) return null;
  const to = destinations.map((router) => `--to ${router}`).join(" ");
  return `jumpnet multicast ${word(net.spec)} --scheme ${data.schemes[scheme]!.name} --source ${source} ${to} --tree`;
}

export function pythonOf(state: State, net: Network): string | null {
  const request = requestOf(state, net);
  if (!request) return null;
  const { data, scheme, source, destinations } = request;
  const where = `territories(${JSON.stringify(net.spec)})`;
  const upTo = territoryAlone(state, request);
  if (upTo !== null)
    return [
      "from jumpnet.multicast.territory import territories", "from jumpnet.plot.figure import render",
      "from jumpnet.plot.territory import territory_drawer", `render(territory_drawer(${where}, ${source}, ${upTo}))`,
    ].join("\n");
  if (!destinations.length) return null;
  return [
    "from jumpnet.multicast import scheme", "from jumpnet.multicast.territory import territories",
    "from jumpnet.multicast.tree import multicast_tree",
    `multicast_tree(${where}, scheme("${data.schemes[scheme]!.name}"), ${source}, [${destinations.join(", ")}])`,
  ].join("\n");
}
