"""The network of a timed machine whose multicasts branch inside the routers (`sim.multicast.outside`). Used by
`closed_loop`.

On an RDT with a bit-map scheme all packets go by the rules of the router chip,
which are proved free of deadlock together (`jumpnet prove --multicast chip`); with a full map on any network multicasts
follow the paths of the routing that takes the other packets, which must give one path to each destination.
"""

from __future__ import annotations

from jumpnet.coherence.encoding import encoding
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.sim.config import SimConfig
from jumpnet.sim.multicast.outside import OutsideMulticasts
from jumpnet.sim.multicast.trees import Trees

__all__ = ["branching"]


def branching(
    net: Network,
    routing: str | Routing | BoundRouting | None,
    config: SimConfig,
    encoding_name: str,
    *,
    entries: int,
    ack_flits: int,
) -> OutsideMulticasts:
    """encoding_name: whose multicasts. entries: combining buffers of a router. Raises JumpnetError."""
    maps = encoding_name if "+" in encoding_name else encoding(encoding_name).scheme
    if maps and routing is not None:
        raise JumpnetError(f"a routing with multicasts of {encoding_name} found, the router chip's own expected: none")
    name = routing if isinstance(routing, str) else routing.name if routing is not None else ""
    trees = Trees(net, "chip" if maps else "paths", name, config.vcs, maps, "", config.least_vcs)
    try:
        trees.number(0, range(1, net.endpoints))
    except JumpnetError as error:
        why = str(error).removesuffix(" (tree_routing names another one)")
        raise JumpnetError(f"branches 'routers' with encoding {encoding_name} on {net.spec}: {why}") from None
    return OutsideMulticasts(net, trees, config, entries=entries, ack_flits=ack_flits)
