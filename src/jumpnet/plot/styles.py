"""How networks are drawn: places of routers, colours and names of ranks, levels and dimensions.

Called by `draw.py`. A family gives `position`; the few places here are those that a person would choose instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np

from jumpnet.networks import Network
from jumpnet.plot.figure import PALETTE
from jumpnet.terms import F64, I64, NO_ROUTER, Array

__all__ = ["BASE_COLOUR", "Places", "node_ranks", "places", "rank_colours", "rank_names", "ranked"]

BASE_COLOUR = "#9aa3ae"
WRAPPING = {"rdt", "prdt", "torus", "srt2d", "illiac"}
LATTICES = WRAPPING | {"mesh", "cmesh", "hypercube", "crossedcube", "hyperx", "flatfly"}
ROWS = LATTICES | {"hypermesh", "circularomega"}
"""Families whose own places count rows by y."""
RECURSIVE = {"rdt", "prdt", "srt1d", "srt2d"}
LAYERED = ("base", "rank 0", "level 0")

# Directions of dimensions 0, 1 and 2 of a lattice in the plane, where y grows downward.
OBLIQUE = np.array([[1.0, 0.0], [0.0, 1.0], [0.42, -0.3]])
DIRECTIONS = ("+", "-", "x+", "x-", "y+", "y-", "up", "down", "out")
"""Words of kinds of links that say which way."""


@dataclass(frozen=True)
class Places:
    """Where routers are drawn, and how links leave the frame."""

    position: F64
    """(R, 2) places."""
    basis: F64 | None = None
    """(D, 2) step of each coordinate when places are coordinates times basis, else None."""
    sides: tuple[int, ...] | None = None
    """Sides of the torus whose wrap-around links leave the frame, or None."""
    circle: bool = False
    """Whether routers lie on a circle, so that chords bend inwards."""
    arch: I64 | None = None
    """(R,) +1 or -1: links along a row of such routers arch above or below it; None for no rows."""
    downward: bool = False
    """Whether y grows downward: on every grid, as in the papers' figures, so that row 0 is the highest."""

    @property
    def upward(self) -> F64:
        """(2,) the factors of places and steps where y grows upward."""
        return np.array([1.0, -1.0 if self.downward else 1.0])


def _basis(sides: tuple[int, ...]) -> F64:
    """Dimensions 0 and 1 span the plane, 2 runs up obliquely, further ones repeat the picture rightward and below."""
    basis = np.zeros((len(sides), 2))
    basis[: min(3, len(sides))] = OBLIQUE[: min(3, len(sides))]
    if len(sides) > 2 and max(sides[:2]) > 2:
        basis[2] = (0.42, -0.3)
        # A column that runs into the depth ends before the next one begins.
        basis[:2] *= max(1.0 + 0.15 * sides[2], basis[2, 0] * (sides[2] - 1) + 0.3)
    for d in range(3, len(sides)):
        extent = sum(np.abs(basis[k]) * (sides[k] - 1) for k in range(d))
        axis = (d - 3) % 2
        basis[d, axis] = extent[axis] + 1.0
        basis[d, 1 - axis] = 0.45
    return basis


def _dual_net(net: Network) -> Places | None:
    """RDN(m, 1): clusters of type 0 in a row above those of type 1; rings lie flat, their closing links arch away.

    Further levels put the clusters of each type in a block of rows, type 0 above type 1.
    """
    if net.coord.shape[1] < 3 or net.position is None:
        return None
    base = int(net.coord[:, 0].max()) + 1
    place = np.asarray(net.position, np.float64)[:base]
    place = place - place.mean(axis=0)
    radius = np.hypot(*place.T)
    flat = np.ptp(place[:, 1]) == 0 or np.ptp(radius) < 1e-6 * radius.max()
    if flat:
        place = np.stack([np.arange(base), np.zeros(base)], axis=1).astype(np.float64)
    arch = np.zeros(base, np.int64)
    while len(place) < net.routers:
        n = len(place)
        extent = np.ptp(place, axis=0)
        gap = (extent[0] + 1.6, extent[1] + 3.0)
        columns = n if n == base else int(np.ceil(np.sqrt(4.0 * n * gap[1] / gap[0])))
        upper = np.concatenate([place + np.array([c % columns * gap[0], -(c // columns) * gap[1]]) for c in range(n)])
        upper[:, 1] -= upper[:, 1].min()
        height = 1.4 * extent[1] + max(2.2, 0.22 * np.ptp(upper[:, 0]))
        place = np.concatenate([upper, upper * np.array([1, -1]) - np.array([0.0, height])])
        one = np.tile(arch, n)
        arch = np.repeat([1, -1], n * n) if n == base else np.concatenate([one, -one])
    return Places(place, arch=arch if flat else None)


def places(net: Network) -> Places:
    """Where to draw the routers of a network: where its family says, else by coordinates, else on a circle.

    >>> from jumpnet.topology import build
    >>> places(build("torus:4x4")).sides
    (4, 4)
    """
    sides = tuple(int(c) + 1 for c in net.coord.max(axis=0))
    if net.family in LATTICES and np.prod([float(s) for s in sides]) == net.routers and len(sides) <= 7:
        if len(sides) == 1 and sides[0] > 4:
            return _ring(net.routers)
        basis = _basis(sides)
        return Places(net.coord @ basis, basis, sides if net.family in WRAPPING else None, downward=True)
    dual = _dual_net(net) if net.family in ("rdn", "dualcube") else None
    if dual is not None:
        return dual
    if net.position is None:
        apart = 1 < len(sides) <= 3 and len(np.unique(net.coord, axis=0)) == net.routers
        return Places(net.coord @ _basis(sides), _basis(sides), downward=True) if apart else _ring(net.routers)
    position = np.asarray(net.position, np.float64)
    radius = np.hypot(*(position - position.mean(axis=0)).T)
    round_ = net.routers > 4 and np.ptp(radius) < 1e-3 * radius.max()
    return Places(position, circle=bool(round_), downward=net.family in ROWS)


def _ring(count: int) -> Places:
    angle = np.pi / 2 - 2 * np.pi * np.arange(count) / count
    radius = max(1.0, count / (2 * np.pi))
    return Places(np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius, circle=count > 4)


def _kind(name: str) -> str:
    """A kind of links without the words of its direction.

    >>> _kind("dimension 0 +1"), _kind("ring x-"), _kind("column+")
    ('dimension 0', 'ring', 'column')
    """
    return " ".join(word.rstrip("+-") for word in name.split() if word not in DIRECTIONS and word[0] not in "+-")


def ranked(net: Network) -> Network:
    """The network itself; one whose kinds of links are all of rank 0, as they are where a family says nothing of ranks,
    with a rank for each kind, both directions of one together.

    >>> from jumpnet.topology import build
    >>> net = build("torus:4x4")
    >>> ranked(net) is net
    True
    """
    used = np.unique(net.link_class[net.link_class >= 0])
    if net.class_rank[used].any():
        return net
    kinds = [_kind(name) for name in net.class_names]
    rank = np.array([kinds.index(kind) for kind in kinds], np.int32)
    if not net.directed:  # a link may be of one kind at one end and of another at the other
        router, port, far = net.channel_ends
        ends = net.link_class[router, port], net.link_class[far, net.far_port[router, port]]
        for one, other in np.unique(np.stack(ends, axis=1), axis=0).tolist():
            rank[rank == rank[other]] = rank[one]
    return replace(net, class_rank=rank) if len(np.unique(rank[used])) > 1 else net


def rank_names(net: Network) -> dict[int, str]:
    """What to call each rank, level or dimension: the words its link classes share.

    >>> from jumpnet.topology import build
    >>> rank_names(build("rdt:8"))
    {0: 'rank 0', 1: 'rank 1'}
    >>> rank_names(build("cmesh:4x4"))
    {0: 'x', 1: 'y', 2: 'express'}
    """
    used = np.unique(net.class_rank[np.unique(net.link_class[net.link_class >= 0])]).tolist()
    names = {}
    for rank in used:
        own = [name for name, r in zip(net.class_names, net.class_rank.tolist(), strict=True) if r == rank]
        same = takewhile(lambda words: len(set(words)) == 1, zip(*(name.split() for name in own), strict=False))
        shared = " ".join(w for w, *_ in same if w not in DIRECTIONS)
        kinds = {name.rstrip("+-") for name in own}  # x of x+ and x-
        names[int(rank)] = shared or (kinds.pop() if len(kinds) == 1 else "") or f"links {rank}"
    return names


def rank_colours(net: Network) -> dict[int, str]:
    """A colour for each rank: grey for the base of a recursive network, then the palette."""
    names = rank_names(net)
    colours: dict[int, str] = {}
    free = list(PALETTE)
    for rank, name in names.items():
        base = len(names) > 1 and name.startswith(LAYERED) and net.family in RECURSIVE | {"rdn", "dualcube"}
        colours[rank] = BASE_COLOUR if base else free[len(set(colours.values()) - {BASE_COLOUR}) % len(free)]
    return colours


def node_ranks(net: Network) -> Array | None:
    """(R,) the highest rank of each router's links, in recursive networks whose routers differ in it; else None."""
    if net.family not in RECURSIVE:  # others may have no kind of link at all, as the one switch of fattree:4,n=1
        return None
    none = net.neighbor == NO_ROUTER
    rank = np.where(none, -1, net.class_rank[net.link_class])
    highest: Array = rank.max(axis=1, initial=-1)
    return highest if np.unique(highest).size > 1 else None
