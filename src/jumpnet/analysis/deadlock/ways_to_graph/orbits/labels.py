"""Orbits of a network's routers under the automorphisms that its family declares and that keep port numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I32, I64
from jumpnet.topology import family
from jumpnet.topology.orbits import joined

__all__ = ["Orbits", "keeping_ports", "keeps_ports", "known_moves", "orbit_labels", "orbits_of"]

PART = 1 << 10
"""Routers whose links are compared at once: most automorphisms that do not keep ports are seen at the first."""


def known_moves(net: Network) -> list[I64] | None:
    """The automorphisms that the family declares, as permutations (R,) of the routers; None when it is not known."""
    try:
        return [np.asarray(way, np.int64) for way in family(net.spec).automorphisms(net)]
    except JumpnetError:
        return None


def keeping_ports(net: Network) -> list[I64]:
    """Those of them that keep port numbers."""
    return [way for way in known_moves(net) or [] if keeps_ports(net, way)]


class Orbits(NamedTuple):
    """The routers of each orbit, which is named by its representative."""

    label: I64
    """(R,) the orbit of each router."""
    routers: I32
    """(R,) the routers, orbit by orbit."""
    begin: I64
    """(R + 1,) where the orbit with representative r begins in it and, at r + 1, ends."""
    place: I64
    """(R,) of each router in its orbit."""

    def of(self, name: int) -> I32:
        """The routers of one."""
        return self.routers[self.begin[name] : self.begin[name + 1]]


def orbits_of(label: I64) -> Orbits:
    """The orbits by their labels.

    >>> orbits_of(np.array([0, 1, 0])).of(0)
    array([0, 2], dtype=int32)
    """
    routers = np.argsort(label, kind="stable").astype(np.int32)
    begin, place = row_starts(label[routers], len(label)), np.empty(len(label), np.int64)
    place[routers] = np.arange(len(label)) - begin[label[routers]]
    return Orbits(label, routers, begin, place)


@public
def orbit_labels(net: Network) -> I64 | None:
    """(R,) the least router that the family's port-keeping automorphisms carry each router to; None when unknown.

    None too when the family is not known, or one of its automorphisms does not keep port numbers.

    >>> from jumpnet.topology import build
    >>> orbit_labels(build("torus:2x2"))
    array([0, 0, 0, 0])
    """
    ways = known_moves(net)
    return joined(net.routers, ways) if ways is not None and all(keeps_ports(net, way) for way in ways) else None


def keeps_ports(net: Network, moved: I64) -> bool:
    """Whether links go with the routers when each moves to moved (R,), every link by the same port."""
    return all(_keep(net, moved, slice(first, first + PART)) for first in range(0, net.routers, PART))


def _keep(net: Network, moved: I64, some: slice) -> bool:
    """The same of the links of some routers."""
    near, to = net.neighbor[some], moved[some]
    if (np.where(near < 0, -1, moved[near]) != net.neighbor[to]).any():
        return False
    return not ((net.far_port[some] != net.far_port[to]).any() or (net.link_class[some] != net.link_class[to]).any())
