"""A routing of a user's own that deadlocks as soon as a start hook lets it."""

from __future__ import annotations

from jumpnet.routings import DESTINATION, KIND, NEXT_STATE, PORT, STATE, VC

__all__ = ["round_a_ring"]


def round_a_ring(net, here, head, out):
    """On a ring: over the wrap-around in STATE 1 alone, where packets deadlock."""
    to, state = head[DESTINATION], head[STATE]
    out[0, PORT] = 0 if state == 1 or to > here else 1
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, state, 0
    return 0 if here == to else 1
