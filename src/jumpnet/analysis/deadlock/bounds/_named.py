"""Kernel: the ways of packets that are named one by one. Called by `named`; twin: the walks over all packets."""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry
from jumpnet.routings.view import (
    DESTINATION,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    NEXT_STATE,
    PORT,
    SOURCE,
    STATE,
    VC,
    call,
    call_start,
)

__all__ = ["BUSY", "follow_named"]

BUSY = 1 << 20
"""Flits in the queue that is busy, as in `packet_walk.begin`."""


@entry
def follow_named(relation, start, view, packets, head, out, queue, channels, lengths):
    """The channels (K, most hops) that packets (K, 4) take: source, destination, draw, queue that is busy or -1.

    lengths (K,) receives their numbers. False when one has a choice, does not arrive, or takes more hops.
    """
    ports, vcs = view.neighbor.shape[1], view.vcs
    for k in range(packets.shape[0]):
        here, hops = packets[k, 0], 0
        head[SOURCE], head[DESTINATION], head[STATE] = here, packets[k, 1], 0
        head[IN_PORT], head[IN_VC], head[INTERMEDIATE] = -1, -1, -1
        queue[:] = 0
        if packets[k, 3] >= 0:
            queue[packets[k, 3]] = BUSY
        call_start(start, view, head, packets[k, 2], queue)
        while True:
            found = call(relation, view, here, head, out)
            if found == 0 and here == packets[k, 1]:
                break
            port, vc = out[0, PORT], out[0, VC]
            if found != 1 or port < 0 or port >= ports or vc < 0 or vc >= vcs or hops == channels.shape[1]:
                return False
            there = np.int64(view.neighbor[here, port])
            if there < 0:
                return False
            channels[k, hops] = (here * ports + port) * vcs + vc
            head[STATE], head[IN_PORT], head[IN_VC] = out[0, NEXT_STATE], view.far_port[here, port], vc
            here = there
            hops += 1
        lengths[k] = hops
    return True
