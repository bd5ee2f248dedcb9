"""Packets that are drawn, with any draw and any queues, and followed in plain Python by candidates drawn one after
the other: what is said of all packets is held against them. Called by `bounds.among` and `covers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.own.hooks import call_hook
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import IN_PORT, IN_VC, NEXT_STATE, PORT, STATE, VC, new_head, new_out
from jumpnet.terms import I64

__all__ = ["DRAWN", "Asking", "drawn_packets"]

DRAWN = 256
"""Packets that are drawn, with a fixed seed."""
MOST_HOPS = 1 << 12
MOST_FLITS = 3
"""Flits in a queue that a start hook is told of, at most."""


class Asking(NamedTuple):
    """A packet at a router on its way."""

    here: int
    held: int
    """The channel that it holds, -1 at its source."""
    rows: I64
    """(K, 4) its candidates there; who goes on reading says that their ports and virtual channels exist."""


def drawn_packets(bound: BoundRouting) -> Iterator[Asking]:
    """What some packets ask for at each router that they come to, one packet after the other.

    Raises JumpnetError where one is not delivered. Cost: a call of the relation in plain Python for each hop.
    """
    draw, net, view = np.random.default_rng(5), bound.network, bound.view
    sources, sinks = np.flatnonzero(net.terminals > 0), np.flatnonzero(net.sinks > 0)
    for _ in range(DRAWN):
        head = new_head(int(draw.choice(sources)), int(draw.choice(sinks)))
        head[IN_PORT], head[IN_VC] = -1, -1
        if bound.routing.start is not None:
            queue = draw.integers(0, MOST_FLITS + 1, view.queues)
            number = int(draw.integers(bound.draws))
            call_hook(f"routing {bound.name}", "start", bound.routing.start, view, head, number, queue, own=bound.own)
        yield from _followed(bound, head, draw)


def _followed(bound: BoundRouting, head: I64, draw: np.random.Generator) -> Iterator[Asking]:
    """One packet."""
    net, view, who = bound.network, bound.view, f"routing {bound.name}"
    here, to, held = int(head[0]), int(head[1]), -1
    for _ in range(MOST_HOPS):
        out = new_out()
        found = call_hook(who, "relation", bound.routing.relation, view, here, head, out, own=bound.own)
        if found <= 0:
            if found < 0 or here != to:
                bound.explain(int(head[0]), to)
                raise JumpnetError(f"{bound.name} on {net.spec} does not deliver: a packet to {to} stops at {here}")
            return
        yield Asking(here, held, out[:found])
        row = out[int(draw.integers(found))]
        held = (here * net.ports + int(row[PORT])) * bound.vcs + int(row[VC])
        head[STATE], head[IN_PORT], head[IN_VC] = row[NEXT_STATE], view.far_port[here, row[PORT]], row[VC]
        here = int(net.neighbor[here, row[PORT]])
