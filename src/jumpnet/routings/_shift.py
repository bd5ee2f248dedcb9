"""Steps shared by the shift routings of de Bruijn and Kautz networks. net.params = [d, n], coordinates the letters.

STATE is the level of `rise_class` times 64 plus the letters still to shift in.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings.classes import put_class, rise_class
from jumpnet.routings.view import DESTINATION, SOURCE, STATE

__all__ = ["shift_hop", "start_shift"]


@kernel
def _missing(net, source, destination):
    """Letters to shift in: n less the longest end of the source that begins the destination."""
    n = net.params[1]
    for m in range(n):
        same = True
        for i in range(n - m):
            same &= net.coord[source, m + i] == net.coord[destination, i]
        if same:
            return m
    return n


def start_shift(net, head, draw, queue):
    """STATE = number of letters to shift in."""
    head[STATE] = _missing(net, head[SOURCE], head[DESTINATION])


@kernel
def shift_hop(net, here, state, port, out):
    """The one hop that shifts in the next letter by `port`, on the channels of its class."""
    n = net.params[1]
    level = rise_class(state >> 6, net.neighbor[here, port] > here)
    return put_class(out, 0, port, level >> 1, n // 2 + 1, net.vcs, (level << 6) + (state & 63) - 1, 0)
