"""A head that is routed anew, followed from where it stands, one question after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.naive import plain

from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, IN_PORT, IN_VC, NEXT_STATE, PORT, STATE, VC, new_out

Edge = tuple[int, int]


def follow(bound: BoundRouting, channel: int, here: int, head: np.ndarray) -> set[Edge] | None:
    """Every dependency of a head from where it stands to its end; None when it finds no route somewhere."""
    net, out, todo = bound.network, new_out(), [(channel, here, head)]
    edges: set[Edge] = set()
    seen: set[Any] = set()
    while todo:
        channel, here, head = todo.pop()
        key = channel, here, head.tobytes()
        if key in seen:
            continue
        seen.add(key)
        count = int(plain.relation(bound, here, head, out))
        if count < 0 or (count == 0 and here != head[DESTINATION]):
            return None
        for port, vc, state in out[:count, [PORT, VC, NEXT_STATE]].tolist():
            after = (here * net.ports + port) * bound.vcs + vc
            if channel >= 0:
                edges.add((channel, after))
            onward = head.copy()
            onward[[STATE, IN_PORT, IN_VC]] = state, net.far_port[here, port], vc
            todo.append((after, int(net.neighbor[here, port]), onward))
    return edges
