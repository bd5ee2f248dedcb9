"""ROMM on a mesh: minimal through a random router of the box between source and destination, a class a phase.

Source: Nesson and Johnsson 1995; Dally and Towles section 9.1.3. Routes stay minimal; classes as in `mesh.valiant`.
Each dimension takes its own digit of the draw, of base at most 64: exactly uniform on sides up to 5, nearly above.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings._romm import bases_of, part_of
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.mesh._steps import must_be_mesh
from jumpnet.routings.mesh.valiant import relation
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE

__all__ = ["MESH_ROMM", "bases", "prepare", "start"]


def bases(net: Network) -> list[int]:
    """Base of each dimension's digit of the draw."""
    return bases_of(net.coord.max(axis=0))


def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = the base of each dimension's digit."""
    return Prepared(own=np.array(bases(net), np.int64))


def start(net, head, draw, queue):
    """Each dimension goes a random part of its way, none and all included."""
    via = 0
    stride = 1
    for d in range(net.coord.shape[1]):
        at, to = net.coord[head[SOURCE], d], net.coord[head[DESTINATION], d]
        part = part_of(draw, net.own[d], abs(to - at))
        draw //= net.own[d]
        via += (at + part if to > at else at - part) * stride
        stride *= net.params[d]
    head[INTERMEDIATE] = via


MESH_ROMM = Routing(
    name="mesh.romm",
    relation=relation,
    start=start,
    prepare=prepare,
    draws=lambda net, options: prod(bases(net)),
    two_phases="some",
    minimal=True,
    vcs=2,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    source="Nesson and Johnsson 1995",
    summary="minimal through a random router of the box between both ends, a class a phase; free of deadlock",
)
