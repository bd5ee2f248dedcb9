"""Virtual channels by the output that a packet takes at the next router (BookSim's `noq`), in plain Python.

The kernels' twin of it is `router.route_computation`. Used by `reference.router` and `reference.simulation`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.routings.view import IN_PORT, IN_VC, PORT, STATE, VC, new_out
from jumpnet.sim.reference.parts import Packet
from jumpnet.sim.reference.surroundings import Surroundings
from jumpnet.terms import I64

__all__ = ["by_next_output", "output_of", "part"]


def part(sim: Surroundings, output: int, vcs: Sequence[int]) -> Sequence[int]:
    """The part of virtual channels that an output of a router has, where each has one."""
    each = len(vcs) // sim.outputs
    return vcs[output * each : (output + 1) * each]


def output_of(sim: Surroundings, number: int, packet: Packet, head: I64) -> tuple[int, Sequence[int]]:
    """The output that a packet with that header takes at a router, and the virtual channels that its route has."""
    out = new_out()
    n = sim.routing.routing.relation(sim.routing.view, number % sim.subnet_routers, head, out)
    if n == 0:
        index = packet.destination - int(np.searchsorted(sim.net.sink_router, number))
        return sim.net.ports + index, range(sim.class_vcs)
    return int(out[0, PORT]), sorted(out[:n, VC].tolist())


def by_next_output(sim: Surroundings, number: int, packet: Packet, rows: list[list[int]]) -> list[list[int]]:
    """Of the candidates of a packet those virtual channels that its output at the next router has."""
    port, vc, state, kind = rows[0]
    head = packet.head.copy()
    head[STATE], head[IN_PORT], head[IN_VC] = state, sim.net.far_port[number, port], vc
    far = int(sim.net.neighbor[number, port])
    return [[port, w, state, kind] for w in part(sim, *output_of(sim, far, packet, head))]
