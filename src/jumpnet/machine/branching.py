"""What carries the timed machine's messages where multicasts branch inside the routers. Used by `closed_loop`.

The network is `sim.multicast.outside`. On an RDT with a bit-map scheme all packets go by the rules of the router chip,
which are proved free of deadlock together (`jumpnet prove --multicast chip`); with a full map on any network multicasts
follow the paths of the routing that takes the other packets, which must give one path to each destination.
"""

from __future__ import annotations

from jumpnet.coherence.encoding import encoding
from jumpnet.errors import JumpnetError
from jumpnet.machine.simulated import Simulated
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.sim.config import SimConfig
from jumpnet.sim.multicast.outside import Arrivals, OutsideMulticasts
from jumpnet.sim.multicast.trees import Trees
from jumpnet.terms import I64

__all__ = ["Branching"]


class Branching(Simulated):
    """A `timed.machine.ManyCarrier`: node i is terminal i of a simulated network whose routers branch."""

    network: OutsideMulticasts

    def __init__(
        self,
        net: Network,
        routing: str | Routing | BoundRouting | None,
        config: SimConfig,
        encoding_name: str,
        *,
        entries: int,
        ack_flits: int,
    ) -> None:
        """encoding_name: whose multicasts. entries: combining buffers of a router. Raises JumpnetError."""
        maps = encoding_name if "+" in encoding_name else encoding(encoding_name).scheme
        if maps and routing is not None:
            raise JumpnetError(
                f"a routing with multicasts of {encoding_name} found, the router chip's own expected: none"
            )
        name = routing if isinstance(routing, str) else routing.name if routing is not None else ""
        trees = Trees(net, "chip" if maps else "paths", name, config.vcs, maps, "", config.least_vcs)
        try:
            trees.number(0, range(1, net.endpoints))
        except JumpnetError as error:
            why = str(error).removesuffix(" (tree_routing names another one)")
            raise JumpnetError(f"branches 'routers' with encoding {encoding_name} on {net.spec}: {why}") from None
        super().__init__(OutsideMulticasts(net, trees, config, entries=entries, ack_flits=ack_flits))

    def plan(self, source: int, to: tuple[int, ...], combined: bool) -> int:
        """The number of the plan of messages to many nodes."""
        return self.network.plan(source, to, combined)

    def post_all(self, row: I64, source: I64, to: I64, sent: I64, flits: I64, plan: I64, combined: I64) -> I64:
        """Take messages, those with a plan for many nodes; by what these are acknowledged."""
        return self.network.post_all(row, source, to, sent, flits, plan, combined)

    def answer(self, message: I64, place: I64, node: I64, sent: I64, what: I64) -> None:
        """Take what nodes have to say."""
        self.network.answer(message, place, node, sent, what)

    def advance_all(self, cycle: int) -> Arrivals:
        """Go on to a cycle; what has come until then."""
        self.network.advance(cycle)
        return self.network.take()
