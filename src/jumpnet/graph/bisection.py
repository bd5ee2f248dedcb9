"""Bisection: the fewest links whose removal leaves two halves of the terminals (Dally and Towles, section 3.1).

Exact for small networks, wherever the bounds meet, and by a family's theorem; otherwise an upper bound (a cut found by
straight planes, the spectrum, METIS, or from the halvings that a family suggests) and a lower bound, by eigenvalue or
by the loads of shortest paths, labelled as such. The RDT paper's formula (yang2001rdt section IV.A) is
the straight cut of a grid. Called by metrics and reports.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

from jumpnet.api.shown import Shown, columns
from jumpnet.errors import JumpnetError
from jumpnet.graph._bisection import least_cut
from jumpnet.graph._congestion import add_loads
from jumpnet.graph._metis_arpack import two_parts
from jumpnet.graph.grid import grid_of
from jumpnet.graph.spectrum import MAX_ROUTERS, Fiedler, adjacency, fiedler, laplacian
from jumpnet.networks import Network
from jumpnet.terms import F64, I64, Array

__all__ = [
    "EXACT_ROUTERS",
    "Bisection",
    "NothingToHalve",
    "StraightCut",
    "bisection",
    "routed_bound",
    "straight_cut",
    "wires_across",
]

EXACT_ROUTERS = 24
"""Up to so many every halving is tried."""
MOST_ROUTED = 1 << 28
"""Channels looked at, once a router, for the bound by routes: seconds."""
ROUNDING = 1e-9
"""Part of a bound that is given away for what floating point may have lost."""
MOST_REFINING = 1 << 27
"""Routers looked at while a halving is refined: the full number of steps up to 65,536 of them."""


class NothingToHalve(JumpnetError):
    """Terminals stand at fewer than two routers."""


@dataclass(frozen=True)
class StraightCut:
    """Two planes perpendicular to an axis that halve a grid network."""

    axis: int
    offset: int
    """Coordinate at which the first half begins; it has side // 2 coordinates."""
    links: int
    """Links between the halves; a link that leads half round the grid counts once."""
    by_rank: dict[int, int]
    """Those links by rank, level or dimension (`Network.class_rank`)."""


@dataclass(frozen=True)
class Bisection(Shown):
    """What is known of a network's bisection, in links."""

    exact: int | None
    """The bisection width, when it is proved."""
    straight_cut: StraightCut | None
    """The best straight cut of a grid with an even side, else None."""
    upper: int
    """Links of the best halving found: the bisection width is at most this."""
    lower: int
    """The bisection width is at least this."""
    method: str
    """How `exact` or the bounds came about."""
    connectivity: float | None = None
    """The eigenvalue behind `lower` (see `spectrum.fiedler`), None where none was computed."""
    half: Array | None = field(default=None, compare=False, repr=False)
    """(R,) bool: the routers of one half of the halving with `upper` links, the witness of that bound."""

    @columns(
        {
            "exact, lower, upper": "the bisection width and its bounds, links",
            "straight_cut": "the best straight cut of a grid, links",
            "method": "how they came about",
            "connectivity": "the eigenvalue of the Laplacian behind `lower`, without unit",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """Bounds and method in one row, with the links of the straight cut."""
        (row,) = super().rows()
        return [{**row, "straight_cut": self.straight_cut.links if self.straight_cut else None}]


def straight_cut(net: Network) -> StraightCut | None:
    """The exact least straight cut of a grid network over all axes of even side and all places; None if there is none.

    Cost: O(axes channels). Network terminals are taken to be equal.

    >>> from jumpnet.topology import build
    >>> straight_cut(build("torus:8x8")).links, straight_cut(build("rdt:64")).links
    (16, 1536)
    """
    grid = grid_of(net)
    if grid is None:
        return None
    cuts = [_cut_axis(net, axis, side) for axis, side in enumerate(grid.sides) if side % 2 == 0]
    return min(cuts, key=lambda cut: (cut.links, cut.axis, cut.offset), default=None)


def _cut_axis(net: Network, axis: int, side: int) -> StraightCut:
    """The best place of a straight cut across one axis, all offsets at once by differences."""
    router, port, other = net.channel_ends
    near, far = net.coord[router, axis].astype(np.int64), net.coord[other, axis].astype(np.int64)
    crossing = _crossings(near, far, side)
    offset = int(np.argmin(crossing))
    half = (np.arange(side) - offset) % side < side // 2
    parted = half[near] != half[far]
    ranks = net.class_rank[net.link_class[router[parted], port[parted]]]
    once = 1 if net.directed else 2
    by_rank = {int(r): int(c) // once for r, c in zip(*np.unique(ranks, return_counts=True), strict=True)}
    return StraightCut(axis, offset, int(crossing[offset]) // once, by_rank)


def _crossings(near: I64, far: I64, side: int) -> I64:
    """(side / 2,) channels between the half of the coordinates from each offset on and the other half.

    The offsets that part two coordinates are an arc, from the one that lies behind to before the other, and those half
    the side away. Cost: O(channels + side).
    """
    half, ahead = side // 2, (far - near) % side
    first = np.where(ahead <= half, near + 1, far + 1) % half
    change = np.bincount(first, minlength=side + 1)
    change -= np.bincount(first + np.minimum(ahead, side - ahead), minlength=side + 1)
    covered = np.cumsum(change[:side])
    return covered[:half] + covered[half:]


def wires_across(net: Network, axis: int) -> dict[int, Fraction]:
    """Wires over one plane perpendicular to `axis`, by rank, as the RDT paper counts: sum of lengths over the side.

    Each link runs the short way along the axis and is met by as many planes as its length; a network that repeats
    along the axis has this many on each plane. A link of half the side counts with that length.

    >>> from jumpnet.topology import build
    >>> {r: int(w / 256) for r, w in wires_across(build("rdt:256"), 0).items()}
    {0: 1, 1: 1, 2: 2, 3: 8, 4: 16}
    """
    grid = grid_of(net)
    if grid is None or not 0 <= axis < len(grid.sides):
        raise JumpnetError(f"{net.spec}: axis {axis} of a full grid expected")
    side = grid.sides[axis]
    router, port, far = net.channel_ends
    length = (net.coord[far, axis].astype(np.int64) - net.coord[router, axis]) % side
    length = np.minimum(length, side - length)
    ranks = net.class_rank[net.link_class[router, port]]
    once = 1 if net.directed else 2
    totals = {int(r): Fraction(int(length[ranks == r].sum()), once * side) for r in np.unique(ranks)}
    return {r: wires for r, wires in totals.items() if wires}


class _Task(NamedTuple):
    """A network to be halved."""

    net: Network
    matrix: Any
    """Adjacency, (R, R) sparse: both directions of each link."""
    weight: I64
    """(R,) terminals of each router, over their greatest common divisor."""
    allowed: int
    """How far the weights of the halves may differ."""
    equal: bool
    """Whether all routers have as many terminals."""


def _allowed(weight: I64) -> int:
    """How far the halves' terminals may differ: as little as equal terminals permit, else the largest router's."""
    used = weight[weight > 0]
    if (used == used[0]).all():
        return int(used[0]) * (len(used) % 2)
    return int(used.max())


def _sweep(matrix: Any, x: F64, weight: I64, allowed: int) -> Array | None:
    """The best balanced cut between routers with smaller and larger entries of x: O(channels)."""
    order = np.lexsort((np.arange(len(x)), x))
    place = np.empty(len(x), np.int64)
    place[order] = np.arange(len(x))
    links = matrix.tocoo()
    first, last = np.minimum(place[links.row], place[links.col]), np.maximum(place[links.row], place[links.col])
    change = np.bincount(first, links.data, len(x)) - np.bincount(last, links.data, len(x))
    cut = np.cumsum(change).round().astype(np.int64) // 2  # Both directions of each link are in the matrix.
    difference = np.abs(2 * np.cumsum(weight[order]) - weight.sum())
    good = np.flatnonzero(difference <= allowed)
    if not good.size:
        return None
    half: Array = place <= good[np.argmin(cut[good])]
    return half


def _cut_of(matrix: Any, side: Array) -> int:
    links = matrix.tocoo()
    return round(float(links.data[side[links.row] != side[links.col]].sum())) // 2


def _refine(matrix: Any, side: Array, weight: I64, allowed: int, moves: int) -> Array:
    """Balance the halves, then swap pairs of equal weight while the cut falls; at most `moves` steps of O(routers)."""
    side = side.copy()

    def gains() -> F64:
        """Links saved by moving each router to the other side."""
        across = matrix @ np.where(side, 1.0, -1.0)
        return -across * np.where(side, 1.0, -1.0)

    for _ in range(moves):
        excess = int(weight[side].sum() * 2 - weight.sum())
        gain = gains()
        if abs(excess) > allowed:
            movable = np.flatnonzero((side == (excess > 0)) & (weight > 0) & (2 * weight <= abs(excess) + allowed))
            if not movable.size:
                break
            side[movable[np.argmax(gain[movable])]] ^= True
            continue
        free = np.flatnonzero((weight == 0) & (gain > 0))
        if free.size:
            side[free[np.argmax(gain[free])]] ^= True
            continue
        ins, outs = np.flatnonzero(side & (weight > 0)), np.flatnonzero(~side & (weight > 0))
        a, b = ins[np.argmax(gain[ins])], outs[np.argmax(gain[outs])]
        if weight[a] != weight[b] or gain[a] + gain[b] - 2 * matrix[a, b] <= 0:
            break
        side[[a, b]] ^= True
    return side


def _fitting(net: Network, half: Array) -> Array:
    """A halving that was given, checked."""
    if half.shape != (net.routers,) or half.dtype != bool:
        raise JumpnetError(f"{net.spec}: a halving of {half.shape} {half.dtype} found, {net.routers} bool expected")
    return half


def _lower(task: _Task, low: Fiedler | None) -> int:
    """Spectral lower bound: with x = +1 and -1 on the halves, the cut is x'Lx / 4.

    x is y + c w / |w|^2 with y orthogonal to the weights w and |c| <= allowed, so sqrt(x'Lx) is at least
    sqrt(value) |y| minus allowed sqrt(w'Lw) / |w|^2. For equal weights this is value (R^2 - allowed^2) / 4R.
    """
    if low is None:
        return 0
    net, weight, allowed = task.net, task.weight, task.allowed
    value = max(low.value - low.residual - 1e-9, 0.0)
    square = float(weight @ weight)
    rest = net.routers - allowed**2 / square
    slack = allowed * math.sqrt(float(weight @ (laplacian(net) @ weight))) / square
    return math.ceil(max(math.sqrt(value * rest) - slack, 0.0) ** 2 / 4 - 1e-6)


def _proved(task: _Task, low: Fiedler | None) -> tuple[int, str]:
    """The lower bound by the eigenvalue; of a network in one piece at least a link, as both halves have terminals."""
    lower = _lower(task, low)
    if lower == 0 and connected_components(task.matrix, directed=False, return_labels=False) == 1:
        return 1, "in one piece"
    return lower, "no lower bound" if low is None else "spectral lower bound"


def routed_bound(net: Network, weight: I64, allowed: int, evenly: bool) -> int:
    """Links that every halving cuts, as the pairs on its two sides need them: pairs over the most loaded link's load.

    All pairs send over shortest paths (see `add_loads`); a link carries at most the largest load, so as many links as
    this part the (W^2 - allowed^2) / 2 ordered pairs of the W terminals that no halving has on one side. 0 where some
    router reaches not all. Met by tori of even sides, evenly, and by meshes of even sides, if not. Cost: O(routers
    channels). Source: Leighton, Introduction to Parallel Algorithms and Architectures (1992), section 1.9: bounds by
    embedding the complete graph.

    >>> from jumpnet.topology import build
    >>> routed_bound(build("torus:8x8"), np.ones(64, np.int64), 0, True)
    16
    """
    load, weights = np.zeros(net.neighbor.shape), weight.astype(np.float64)
    if not add_loads(net.neighbor, weights, np.flatnonzero(weight), evenly, load):
        return 0
    if not net.directed:
        router, port, far = net.channel_ends
        load[router, port] += load[far, net.far_port[router, port]].copy()
    most = float(load.max(initial=0.0))
    pairs = (int(weight.sum()) ** 2 - allowed**2) / 2
    return math.ceil(pairs / most * (1 - ROUNDING)) if most else 0


def _hold(net: Network, claimed: tuple[int, str] | None, lower: int, upper: int) -> None:
    """Refuse a claimed width that what was found here contradicts."""
    if claimed is not None and not lower <= claimed[0] <= upper:
        found = f"{lower} to {upper} found"
        raise JumpnetError(f"{net.spec}: a bisection of {claimed[0]} links claimed ({claimed[1]}), {found}")


def _every_halving(task: _Task) -> tuple[int, Array]:
    """The width and a halving that has it, of a network small enough to try them all."""
    mask = np.zeros(1, np.int64)
    links = task.matrix.toarray().round().astype(np.int64)
    width = int(least_cut(links, task.weight, task.allowed, mask))
    return width, (mask[0] >> np.arange(task.net.routers)) & 1 == 1


def _eigenvalue(task: _Task) -> Fiedler | None:
    """The eigenvalue behind the spectral bound; None where its search does not converge."""
    try:
        return fiedler(task.net, None if task.equal else task.weight.astype(np.float64))
    except JumpnetError:
        return None


def _best_halving(
    task: _Task, plane: StraightCut | None, low: Fiedler | None, halves: Iterable[Array], lower: int
) -> tuple[int, str, Array]:
    """Links of the best halving found, how it was found, and its first half. No more is tried once `lower` is met.

    Of equal cuts the first counts: what depends on optional packages comes after what does not. Raises JumpnetError
    where none is balanced.
    """
    net, matrix, weight, allowed = task.net, task.matrix, task.weight, task.allowed
    found: list[tuple[int, str, Array]] = []
    if plane is not None:
        side = int(net.coord[:, plane.axis].max()) + 1
        found.append((plane.links, "straight cut", (net.coord[:, plane.axis] - plane.offset) % side < side // 2))
    steps = min(net.routers, 2000, MOST_REFINING // net.routers)
    tries: list[tuple[str, Callable[[], Array | None]]] = []
    tries += [("the family's halving", partial(np.copy, _fitting(net, half))) for half in halves]
    tries.append(("spectral cut", lambda: None if low is None else _sweep(matrix, low.vector, weight, allowed)))
    tries.append(("METIS", lambda: two_parts(matrix, weight)))
    tries.append(("order of routers", lambda: _sweep(matrix, np.arange(net.routers), weight, allowed)))
    for name, attempt in tries:
        if any(links <= lower for links, _, _ in found):
            break
        cut = attempt()
        if cut is not None:
            half = _refine(matrix, cut, weight, allowed, steps)
            if abs(int(weight[half].sum() * 2 - weight.sum())) <= allowed:
                found.append((_cut_of(matrix, half), name, half))
    if not found:
        raise JumpnetError(f"{net.spec}: no halving of its terminals found")
    return min(found, key=lambda item: item[0])


def bisection(
    net: Network, halves: Iterable[Array] = (), claimed: tuple[int, str] | None = None, *, by_routes: bool = True
) -> Bisection:
    """The bisection width of a network: exact or bounded, as its fields say.

    halves: (R,) bool each, where the search may start besides, e.g. `family(spec).halves(net)`.
    claimed: the width by a theorem and its source, e.g. `family(spec).bisection_width()`; taken as a lower bound, and
    so exact where a halving with as many links is at hand. Raises JumpnetError where the bounds found here exclude it.
    by_routes: whether `routed_bound` is asked for a better lower bound; whoever wants a halving alone does without.
    Terminals are halved as equally as possible; routers without terminals go where they cut least. Links count with
    their multiplicity; the channels of a directed network count in either direction. Raises NothingToHalve for networks
    without two terminals' routers, and JumpnetError for more than 2^20 routers and for halves of another size. Cost:
    2^(R-1) R up to 24 routers; then that of `fiedler`, of METIS (optional package pymetis; about a second for 65,536
    routers) and, up to some four thousand routers, of `routed_bound`.

    >>> from jumpnet.topology import build
    >>> bisection(build("torus:4x4")).exact
    8
    """
    if net.routers > MAX_ROUTERS:
        raise JumpnetError(f"{net.routers} routers found, at most {MAX_ROUTERS} expected for a bisection")
    weight = np.asarray(net.terminals, np.int64)
    if (weight > 0).sum() < 2:
        raise NothingToHalve(f"{net.spec}: terminals at fewer than two routers found, nothing to halve")
    weight = weight // np.gcd.reduce(weight)
    task = _Task(net, adjacency(net), weight, _allowed(weight), bool((weight == weight[0]).all()))
    plane = straight_cut(net) if task.equal else None
    if net.routers <= EXACT_ROUTERS:
        width, half = _every_halving(task)
        _hold(net, claimed, width, width)
        return Bisection(width, plane, width, width, "every halving", half=half)
    low = _eigenvalue(task)
    lower, below = _proved(task, low)
    upper, how, half = _best_halving(task, plane, low, halves, lower)
    if by_routes and lower < upper and net.routers * net.neighbor.size <= MOST_ROUTED:
        routed = max(routed_bound(net, weight, task.allowed, evenly) for evenly in (True, False))
        if routed > lower:
            lower, below = routed, "lower bound by the loads of shortest paths"
    _hold(net, claimed, min(lower, upper), upper)
    if claimed is not None and claimed[0] > lower:
        lower, below = claimed[0], f"closed form: {claimed[1]}"
    exact = upper if lower >= upper else None
    proof = "bounds meet" if exact is not None else "bounds"
    value = None if low is None else low.value
    return Bisection(exact, plane, upper, min(lower, upper), f"{proof}: {how}, {below}", value, half)
