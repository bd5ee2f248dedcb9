"""Adaptive routing on a HyperX after DAL: any wrong dimension next, at most one detour in each; dimension-order escape.

Source: Ahn et al. 2009 (DAL). Class 0 is the escape channel, class 1 is adaptive. STATE bit d is set once the packet
took a detour in dimension d. A dimension that is right is never left, so a packet makes at most two hops a dimension.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.hyperx._steps import line_port, must_be_lines
from jumpnet.routings.view import DESTINATION, ESCAPE, MAX_CANDIDATES, NORMAL, STATE

__all__ = ["HYPERX_ADAPTIVE"]


def relation(net, here, head, out):
    """The correcting hop of every wrong dimension, then the detours still allowed, last the escape."""
    destination = head[DESTINATION]
    state = head[STATE]
    escape = line_port(net, here, destination)[0]
    if escape < 0:
        return 0
    count = 0
    for detours in range(2):
        base = 0
        for d in range(net.coord.shape[1]):
            k = net.params[d]
            ahead = (net.coord[destination, d] - net.coord[here, d]) % k
            if ahead != 0 and detours == 0:
                count = put_class(out, count, base + ahead - 1, 1, 2, net.vcs, state, NORMAL)
            elif ahead != 0 and (state >> d) & 1 == 0:
                for i in range(1, k - 1):
                    if count + 2 * net.vcs <= MAX_CANDIDATES:
                        j = i + (i >= ahead)  # all but `ahead`
                        count = put_class(out, count, base + j - 1, 1, 2, net.vcs, state | (1 << d), NORMAL)
            base += k - 1
    return put_class(out, count, escape, 0, 2, net.vcs, state, ESCAPE)


HYPERX_ADAPTIVE = Routing(
    name="hyperx.adaptive",
    relation=relation,
    vcs=2,
    fits=must_be_lines,
    symmetric=lambda net: True,
    adaptive=True,
    source="Ahn et al. 2009",
    summary="adaptive with one detour a dimension and a dimension-order escape channel; free of deadlock (Duato)",
)
