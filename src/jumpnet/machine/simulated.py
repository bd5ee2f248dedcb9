"""What carries the timed machine's messages through a simulated network. Used by `closed_loop`."""

from __future__ import annotations

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.sim.outside import Outside
from jumpnet.terms import I64
from jumpnet.topology import build

__all__ = ["Simulated", "network_for"]


def network_for(spec: str, nodes: int) -> Network:
    """A network with a terminal for each node. Raises JumpnetError for one with fewer."""
    net = build(spec)
    if net.endpoints < nodes:
        raise JumpnetError(f"{nodes} nodes found, at most the {net.endpoints} terminals of {spec} expected")
    return net


class Simulated:
    """A `timed.machine.Carrier`: node i is terminal i of a simulated network."""

    def __init__(self, network: Outside) -> None:
        self.network = network
        self.least_cycles = network.least_cycles

    @property
    def empty(self) -> bool:
        """Whether no message is on the way."""
        return self.network.packets == 0

    @property
    def outside(self) -> Outside | None:
        """The network, in whose loop kernels take turns."""
        return self.network

    def post(self, row: I64, source: I64, to: I64, sent: I64, flits: I64, network: I64) -> None:
        """Take messages."""
        self.network.post(row, source, to, sent, flits, network)

    def advance(self, cycle: int) -> tuple[I64, I64, I64]:
        """Go on to a cycle; what has been delivered."""
        self.network.advance(cycle)
        return self.network.take()
