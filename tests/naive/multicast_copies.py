"""What routers and terminals of the slow multicast simulator share: copies of messages, and how far each has come.

Below `multicast_ends.py` (what sends and receives) and `multicast_routers.py` (the routers, and the whole).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.sim.config import SimConfig
from jumpnet.sim.memory.message_layout import UP_ACK
from jumpnet.sim.memory.shape import start_sizes
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.messages import Forest, Messages, check_settings
from jumpnet.sim.reference.parts import Flit, Packet
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.sim.resolve.by_routing import settle_reuse

__all__ = ["Copy", "MessageBook"]


@dataclass(eq=False)
class Copy(Packet):
    """One copy of a message, or an acknowledge; `source` is the message, `number` the place it is at or comes from."""

    @property
    def place(self) -> int:
        """The place."""
        return self.number


class MessageBook(Simulation):
    """The plans of all messages, and how far each has come; routers and terminals write in it."""

    def __init__(
        self,
        net: Network,
        vcs: int,
        forest: Forest,
        messages: Messages,
        config: SimConfig,
        ack: MulticastConfig,
        routing: BoundRouting | None = None,
    ) -> None:
        check_settings(net, config, ack)
        if routing is not None:
            starts = start_sizes(routing, config.routing_delay_cycles)
            self.one_vc_at_ends, self.escapes_last = routing.routing.one_vc_at_ends, routing.routing.escapes_last
            self.routing, self.looks, self.enters = routing, starts["start_looks"] == 1, starts["start_enters"] == 1
        self.forest, self.messages, self.ack = forest, messages, ack
        self.measure(net, config if routing is None else settle_reuse(config, routing), vcs)
        self.spread = max(1, int(net.sinks.max()))
        last = self.outputs * vcs
        self.unit_out_vcs = range(last, last + vcs)
        self.inputs, self.outputs = self.inputs + 1, self.outputs + 1
        self.entries_used = [0] * net.routers
        """Entries of each router's combining unit that are taken."""
        self.left: dict[tuple[int, int], int] = {}
        """Acknowledges still to come at each (message, place) that has branched."""
        self.in_unit: set[tuple[int, int]] = set()
        """Those counted by a combining unit."""
        self.fallbacks = self.link_flits = self.remade = 0
        self.received: dict[int, list[int]] = defaultdict(list)
        """Terminals that have received each message."""
        self.last_arrival: dict[int, int] = {}
        self.acknowledged: dict[int, int] = {}
        self.to_come: dict[int, int] = {}
        """Receivers of each message that have not acknowledged directly."""

    def goes_by_routing(self, packet: Packet) -> bool:
        """Whether a packet has no plan."""
        return packet.number < 0

    def record(self, cycle: int, kind: int, flit: Flit, router: int, place: int) -> None:
        """Append one event; a packet without a plan is at place 0."""
        p = flit.packet
        self.events.append((cycle, kind, p.source, max(0, p.number), p.kind, flit.index, router, place))

    def sink_index(self, terminal: int) -> int:
        """Number of a terminal among the sinks of its router."""
        return terminal - int(np.searchsorted(self.net.sink_router, self.net.sink_router[terminal]))

    def sink_out_vcs(self, x: int) -> range:
        """Output VCs to sink x of any router."""
        width = self.c.ejection_ports * self.vcs
        start = self.net.ports * self.vcs + x * width
        return range(start, start + width)

    def wait(self, m: int, k: int, terminal: int) -> int:
        """Cycles from a receipt at a place to the acknowledge that a terminal makes."""
        return self.ack.ack_delay_cycles

    def source(self, m: int) -> int:
        """Terminal that sends a message."""
        if self.messages.source is not None:
            return int(self.messages.source[m])
        router = self.forest.at(self.forest.start[self.messages.plan[m]]).router
        return int(np.searchsorted(self.net.terminal_router, router))

    def counting_sink(self, m: int, k: int) -> int:
        """Sink whose terminal counts acknowledges when no entry is free: the source's at the source, else the first."""
        place = self.forest.at(k)
        at_source = place.parent < 0 and place.origin < 0
        return self.sink_index(self.source(m)) if at_source else 0

    def counted_at(self, copy: Copy) -> int:
        """The place whose acknowledges a packet counts for."""
        return self.forest.at(copy.place).parent if copy.kind == UP_ACK else copy.place
