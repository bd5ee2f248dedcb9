"""What routers and terminals of the reference simulator know of all of it: network, settings, sizes; and its record.

`simulation` adds the routers and terminals themselves, and lets time pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.random import plain_below, plain_draw63
from jumpnet.networks import Network
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import IN_PORT, IN_VC, KIND, NEXT_STATE, NORMAL, PORT, STATE, VC, new_out
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.memory.shape import ALIKE
from jumpnet.sim.reference.parts import Clock, Flit, Lane, Packet
from jumpnet.sim.resolve.packet_kinds import kind_tables
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["Surroundings"]


class Surroundings:
    """What is around a router: `measure` says how large everything is."""

    routing: BoundRouting
    """On one copy of the network."""
    looks = False
    """Whether the routing's start hook reads queues: then a packet's first router calls it."""
    revises = False
    """Whether every later router calls it too."""
    enters = False
    """Whether it is called as the packet enters instead, with the queues of its first router: routes a hop ahead."""
    sees = 1
    """Routers whose queues it reads."""
    bubble = 0
    """Flits of room that a packet leaves free where it enters a ring: the longest packet's, or 0."""
    escapes_last = False
    """Whether heads take escapes only where no other channel is free."""
    one_vc_at_ends = False
    """Whether the routing draws the channel on which a packet enters, and names the one on which it leaves."""
    told: tuple[I64, ...] = ()
    """Credits used up at each router as the cycle began, where the hook reads those of several."""

    def measure(self, net: Network, config: SimConfig, class_vcs: int) -> None:
        """Sizes of the routers, for so many virtual channels of each message class."""
        self.endpoints, self.subnet_routers = net.endpoints // config.subnets, net.routers // config.subnets
        self.net, self.c, self.class_vcs = net, config, class_vcs
        self.clock = Clock(*config.router_steps)
        self.kinds = kind_tables(config, class_vcs)
        self.vcs = config.channels_of_a_port(class_vcs)
        self.link_inputs = max(net.ports, int(net.far_port.max(initial=-1)) + 1)
        self.inputs = self.link_inputs + int(net.terminals.max()) * config.injection_ports
        self.outputs = net.ports + int(net.sinks.max()) * config.ejection_ports
        self.events: list[tuple[int, ...]] = []
        self.flit_latencies: list[Counter[int]] = [Counter() for _ in range(config.counted_classes)]
        """How many flits took how many cycles, of each message class's packets that have arrived."""
        self.cycle = 0
        self.grants = 0

    def ports_there(self, router: int) -> tuple[list[int], list[int]]:
        """Input and output ports that a router has; all where routers are alike, whether there is a link or not."""
        net, c = self.net, self.c
        if net.family in ALIKE:
            return list(range(self.inputs)), list(range(self.outputs))
        inputs, outputs = net.far_port[net.neighbor == router], np.flatnonzero(net.neighbor[router] != NO_ROUTER)
        enter = range(self.link_inputs, self.link_inputs + int(net.terminals[router]) * c.injection_ports)
        leave = range(net.ports, net.ports + int(net.sinks[router]) * c.ejection_ports)
        return [*sorted(inputs.tolist()), *enter], [*outputs.tolist(), *leave]

    def record(self, cycle: int, kind: int, flit: Flit, router: int, place: int) -> None:
        """Append one event."""
        p = flit.packet
        self.events.append((cycle, kind, p.source, p.number, p.kind, flit.index, router, place))

    def order(self, packet: Packet) -> int:
        """What goes first where priorities count: the lowest."""
        if self.c.priority == "age" or self.c.allocator == "age":
            return packet.created
        return packet.number if self.c.priority == "sequence" else int(self.kinds.rank[packet.kind])

    def order_at(self, lane: Lane) -> int:
        """What goes first of the flits at the fronts of lanes where priorities count: the lowest."""
        flits = lane.flits if self.c.priority_donation else [lane.flits[0]]
        return min(self._order_of(flit, lane) for flit in flits)

    def _order_of(self, flit: Flit, lane: Lane) -> int:
        seen = {
            "network_age": flit.entered,
            "local_age": flit.arrived,
            "hop_count": -flit.hops,
            "queue_length": -len(lane.flits),
        }
        kind = "age" if self.c.allocator == "age" else self.c.priority
        return seen[kind] if kind in seen else self.order(flit.packet)

    def goes_by_routing(self, packet: Packet) -> bool:
        """Whether a packet follows the routing, not a plan."""
        return True

    def start(self, packet: Packet, router: int = -1, used: I64 | None = None, cycle: int = -1) -> None:
        """Run the routing's start hook for a packet that enters, or of which a router sees the head.

        used: credits that are used up there. cycle: where the source draws again in each cycle in which it may enter.
        """
        routing = self.routing
        if (hook := self._functions()[1]) is not None:
            draw = plain_below(packet.draw if cycle < 0 else plain_draw63(packet.draw, cycle), routing.draws)
            if router >= 0 and packet.head[IN_PORT] >= 0:
                draw = router % self.subnet_routers
            queues = np.zeros(routing.view.queues, np.int64) if used is None else used
            if used is not None and self.told:  # those of its block, as the cycle began
                first = router // self.sees * self.sees
                queues = np.concatenate(self.told[first : first + self.sees])
            hook(routing.view, packet.head, draw, queues)

    _of: BoundRouting | None = None
    _made: tuple[Any, Any] = None, None

    def _functions(self) -> tuple[Any, Any]:
        """The routing's relation and start hook in plain Python, helpers too: to call a compiled one from here takes
        longer than most of them do."""
        if self._of is not self.routing:
            routing = self._of = self.routing
            self._made = rebuilt(routing.routing.relation), rebuilt(routing.routing.start)
        return self._made

    def relation(self, router: int, head: I64, out: I64) -> int:
        """Write the candidates of a packet at a router into `out`, by the routing; how many there are."""
        n: int = self._functions()[0](self.routing.view, router % self.subnet_routers, head, out)
        return n

    def part(self, output: int, vcs: Sequence[int]) -> Sequence[int]:
        """The part of virtual channels that an output of a router has, where each has one (BookSim's `noq`)."""
        each = len(vcs) // self.outputs
        return vcs[output * each : (output + 1) * each]

    def output_of(self, router: int, packet: Packet, head: I64) -> tuple[int, Sequence[int]]:
        """The output that a packet with that header takes at a router, and the virtual channels that its route has."""
        out = new_out()
        n = self.relation(router, head, out)
        if n == 0:
            index = packet.destination - int(np.searchsorted(self.net.sink_router, router))
            return self.net.ports + index, range(self.class_vcs)
        rows = out[:n].tolist()
        self.require_one_range(rows)
        return int(out[0, PORT]), sorted(row[VC] for row in rows)

    def require_one_range(self, rows: list[list[int]]) -> None:
        """Raise JumpnetError unless candidates are a range of channels of one port, unmarked, with one next state."""
        vcs = sorted(row[VC] for row in rows)
        alike = {(row[PORT], row[NEXT_STATE], row[KIND]) for row in rows} == {
            (rows[0][PORT], rows[0][NEXT_STATE], NORMAL)
        }
        if not alike or vcs != list(range(vcs[0], vcs[0] + len(vcs))):
            raise JumpnetError("channels_by_next_output with candidates that differ by more than their channels found")

    def by_next_output(self, router: int, packet: Packet, rows: list[list[int]]) -> list[list[int]]:
        """Of the candidates of a packet those virtual channels that its output at the next router has."""
        self.require_one_range(rows)
        port, vc, state, kind = rows[0]
        head = packet.head.copy()
        head[STATE], head[IN_PORT], head[IN_VC] = state, self.net.far_port[router, port], vc
        far = int(self.net.neighbor[router, port])
        return [[port, w, state, kind] for w in self.part(*self.output_of(far, packet, head))]
