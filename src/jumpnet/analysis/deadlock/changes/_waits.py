"""Kernel: what packets to one destination hold and ask for, into rows of bits. Called by `changeover`."""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry

__all__ = ["add_waits"]

ONE = np.uint64(1)


@entry
def add_waits(ways, first, slots, bits, used):
    """Add the dependencies of the ways between states: those by which one is entered wait for those that leave it.

    ways (M, 4): `packet_states.Section.ways`, of which first[s]:first[s + 1] leave state s; slots: channels of a
    router; bits (C, W): bit b of row c for channel b of the router that c leads to; used (C,).
    """
    for e in range(ways.shape[0]):
        channel, state = ways[e, 1], ways[e, 3]
        used[channel] = 1
        for f in range(first[state], first[state + 1]):
            b = ways[f, 1] % slots
            bits[channel, b >> 6] |= ONE << np.uint64(b & 63)
