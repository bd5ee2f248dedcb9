"""How many virtual channels a run has: what its settings ask for, and what the routing needs.

`vcs` is a plain number. Without it a run has the channels that the routing needs, and at least `least_vcs`: a preset
says in this way what a paper's table says of all its networks, and a routing that needs more gets more (the RDT of
yang2001rdt: Table IV prints two, section IV.C.d adds one). Used by `Engine`, multicasts and studies.
"""

from __future__ import annotations

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing, bind, default_routing


def bound_with(
    routing: str | Routing | BoundRouting | None, net: Network, vcs: int | None, least_vcs: int = 1
) -> BoundRouting:
    """The routing on a network with as many virtual channels as the settings say; the network's default where None.

    A routing that is bound already keeps its channels; raises JumpnetError where the settings say another number.

    >>> from jumpnet.topology import build
    >>> cube, rdt = build("hypercube:4"), build("rdt:16")
    >>> bound_with("hypercube.ecube", cube, None, 2).vcs, bound_with("rdt.deadlock_free", rdt, None, 2).vcs
    (2, 3)
    """
    if isinstance(routing, BoundRouting):
        if vcs is not None and vcs != routing.vcs:
            raise JumpnetError(f"vcs {vcs} found, {routing.vcs} expected: {routing.name} is bound with so many")
        if vcs is None and routing.vcs < least_vcs:
            raise JumpnetError(
                f"{routing.name} bound with vcs {routing.vcs} found, at least {least_vcs} expected by least_vcs"
            )
        return routing
    if routing is None:
        routing = default_routing(net, vcs)
    bound = bind(routing, net, vcs)
    return bound if vcs is not None or bound.vcs >= least_vcs else bind(routing, net, least_vcs)
