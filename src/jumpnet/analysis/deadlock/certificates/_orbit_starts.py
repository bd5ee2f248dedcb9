"""Kernel: which of some states are those with which packets begin. Called by `orbit_states`."""

from __future__ import annotations

from jumpnet.analysis.deadlock.walks.packet_walk import begin
from jumpnet.jit.linked import entry
from jumpnet.routings.view import STATE

__all__ = ["note_begun"]


@entry
def note_begun(start, view, space, states, nodes, begun):
    """Set begun[n] where a packet from the router of node n to its target begins with its STATE."""
    for n in range(nodes):
        if states.router[n] != states.target[n]:
            begin(start, view, space, int(states.router[n]), int(states.target[n]), 0, 0)
            begun[n] = space.head[STATE] == states.state[n]
