"""ROMM on a torus: minimal through a random router of the quadrant between source and destination.

Source: Nesson and Johnsson 1995; Dally and Towles section 9.1.3. Routes stay minimal; classes as in `torus.valiant`.
Each dimension takes its own digit of the draw, of base at most 64: exactly uniform on sides up to 9, nearly above.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings._romm import bases_of, part_of
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.torus._steps import must_be_torus, torus_two_phase
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE

__all__ = ["TORUS_ROMM"]


def _bases(net: Network) -> list[int]:
    return bases_of(int(k) // 2 for k in net.params)


def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = the base of each dimension's digit."""
    return Prepared(own=np.array(_bases(net), np.int64))


def start(net, head, draw, queue):
    """Each dimension goes a random part of its way, none and all included."""
    via = 0
    stride = 1
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        at = net.coord[head[SOURCE], d]
        ahead = (net.coord[head[DESTINATION], d] - at) % k
        length = ahead if 2 * ahead <= k else k - ahead
        part = part_of(draw, net.own[d], length)
        draw //= net.own[d]
        via += ((at + part if 2 * ahead <= k else at - part) % k) * stride
        stride *= k
    head[INTERMEDIATE] = via


TORUS_ROMM = Routing(
    name="torus.romm",
    relation=torus_two_phase,
    start=start,
    prepare=prepare,
    draws=lambda net, options: prod(_bases(net)),
    two_phases="some",
    minimal=True,
    vcs=4,
    fits=must_be_torus,
    symmetric=lambda net: True,
    source="Dally and Towles, section 9.1.3",
    summary="minimal through a random router of the quadrant, two dateline classes a phase; free of deadlock",
)
