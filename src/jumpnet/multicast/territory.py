"""Territories and digit addresses: which routers a multicast of each top rank reaches, and by which digits.

Source: kudoh1995rhbd section 4, yang2001rdt section V.B. An offset from the origin of a multicast is a sum of one child
a rank, from rank 0 to the top rank; those children are its digits. On a PRDT the origin is the source. Where a router
has few ranks, as on RDT(2,4,1)/alpha, the message moves over the base torus to the nearest router that has the next
rank, before it starts and between ranks, and the origin is the source moved by the sum of these hops.
Called by trees, receivers, studies, drawings and the chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from jumpnet.api.public import public
from jumpnet.arrays.locked import locked, show_views
from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.multicast._scheme import Digits, unpack
from jumpnet.multicast.children import children, class_of, preference, stride
from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.topology import family, stray

__all__ = ["OUTSIDE", "Addressed", "Territories", "territories"]

OUTSIDE = -1
"""Entry of `Territories.rank_of` for an offset that no multicast reaches."""


@dataclass(frozen=True, eq=False)
class Addressed:
    """Destinations of one multicast as digits."""

    top: int
    """Top rank: the least whose territory holds all destinations."""
    origin: int
    """Router at the middle of the territory: the source, moved by the base hops."""
    packed: I64
    """(k,) digit strings, `stride` bits a digit, rank 0 lowest."""
    digits: tuple[Digits, ...]
    """The same, taken apart."""


@dataclass(frozen=True, eq=False)
class Territories:
    """Digit tables of one RDT or PRDT. Offsets are (x, y) modulo the side, as index y * side + x."""

    spec: str
    side: int
    n: int
    top: int
    """Highest rank that a multicast can use: every rank up to it is had by some router."""
    vectors: I64
    """(top + 1, 2, 2) unit vectors of the ranks."""
    rank_of: I64
    """(side^2,) least top rank whose territory holds an offset from the origin; OUTSIDE if none does."""
    packed: I64
    """(side^2,) the digits of that offset, packed. Unique, but where a small top torus leads to one router several ways
    round: then the first of `preference` is its highest digit."""
    hops: I64
    """(2n^2, top + 1, 2) base hop (dx, dy) from a router of each class to the nearest that has each rank."""
    shifts: I64
    """(2n^2, top + 1, 2) origin minus source, for each class of the source and each top rank."""

    @property
    def fanout(self) -> int:
        """Children of a router, 2n^2."""
        return 2 * self.n * self.n

    @property
    def stride(self) -> int:
        """Bits a digit takes in `packed`."""
        return stride(self.n)

    @property
    def routers(self) -> int:
        """Number of routers."""
        return self.side * self.side

    @cached_property
    def distinct(self) -> int:
        """Children on the highest rank that are different routers; the preferred digit of several that are one."""
        seen: dict[tuple[int, int], int] = {}
        for digit in preference(self.n):
            dx, dy = children(self.n)[digit]
            x, y = (int(v) % self.side for v in dx * self.vectors[self.top, 0] + dy * self.vectors[self.top, 1])
            seen.setdefault((x, y), digit)
        return sum(1 << digit for digit in seen.values())

    def class_at(self, router: int) -> int:
        """Class of a router (its rank-1 torus)."""
        return class_of(router % self.side, router // self.side, self.n)

    def moved(self, router: int, dx: int, dy: int) -> int:
        """The router (dx, dy) away on the base torus."""
        return (router // self.side + dy) % self.side * self.side + (router % self.side + dx) % self.side

    @cached_property
    def _of_class(self) -> tuple[list[list[list[int]]], list[list[list[int]]]]:
        """`hops` and `shifts` for whoever asks of single routers."""
        return self.hops.tolist(), self.shifts.tolist()

    def hop(self, router: int, rank: int) -> tuple[int, int]:
        """Base hop (dx, dy) from a router to the nearest that has a rank.

        >>> territories("rdt:16").hop(0, 1), territories("rdt:16").hop(0, 2)
        ((1, 0), (0, 0))
        """
        dx, dy = self._of_class[0][self.class_at(router)][rank]
        return dx, dy

    def origin(self, source: int, top: int) -> int:
        """Router at the middle of the territory of a source."""
        return self.moved(source, *self._of_class[1][self.class_at(source)][top])

    def members(self, source: int, top: int) -> I64:
        """Routers of the territory of a source and top rank, ascending: 2n^2 to the power top + 1, if they all differ.

        >>> territories("prdt:16").members(0, 0).tolist()
        [0, 1, 15, 16, 17, 31, 32, 240]
        """
        self._check(source, top)
        offsets = np.flatnonzero((self.rank_of >= 0) & (self.rank_of <= top))
        origin = self.origin(source, top)
        x = (offsets % self.side + origin % self.side) % self.side
        y = (offsets // self.side + origin // self.side) % self.side
        return np.sort(y * self.side + x)

    def address(self, source: int, destinations: Sequence[int], top: int | None = None) -> Addressed:
        """Top rank, origin and digits of a multicast; from the given top rank instead of the least where one is given.

        Raises JumpnetError for no destinations, routers or ranks out of range, and a destination outside the largest
        territory (or that of the given rank).

        >>> t = territories("prdt:128")
        >>> t.address(0, [1, 128 * 127]).digits
        ((2,), (1,))
        """
        if not len(destinations):
            raise JumpnetError("no destination found, at least one expected")
        most = self.routers
        for router in (source, *destinations):
            if not 0 <= router < most:
                raise JumpnetError(f"router {router} found, 0 to {self.routers - 1} expected in {self.spec}")
        target, side, rank_of = np.asarray(destinations, np.int64), self.side, self.rank_of
        y, x = np.divmod(target, side)
        if top is not None:
            self._check(source, top)
        for least in range(self.top + 1) if top is None else range(top, top + 1):
            origin = self.origin(source, least)
            offset = (y - origin // side) % side * side + (x - origin % side) % side
            rank = rank_of[offset]
            if rank.min() >= 0 and rank.max() <= least:
                packed, bits = self.packed[offset], self.stride
                digits = tuple(unpack(p, least + 1, bits) for p in packed.tolist())
                return Addressed(least, origin, packed, digits)
        outside = target[(rank < 0) | (rank > least)]
        place = f"({outside[0] % self.side},{outside[0] // self.side})"
        reached = int(((self.rank_of >= 0) & (self.rank_of <= least)).sum())
        raise JumpnetError(
            f"destination {place} found, one in the territory of rank {least} expected "
            f"({reached} of the {self.routers} routers of {self.spec})"
        )

    def _check(self, source: int, top: int) -> None:
        if not 0 <= top <= self.top:
            raise JumpnetError(f"top rank {top} found, 0 to {self.top} expected in {self.spec}")
        if not 0 <= source < self.routers:
            raise JumpnetError(f"router {source} found, 0 to {self.routers - 1} expected in {self.spec}")


def _hops(masks: I64, n: int, top: int) -> I64:
    """Nearest place with each rank from each class: fewest hops, then northernmost, then easternmost."""
    size = 2 * n * n
    near = sorted(
        ((x, y) for x in range(-n, n + 1) for y in range(-n, n + 1)), key=lambda v: (abs(v[0]) + abs(v[1]), v[1], -v[0])
    )
    hops = np.zeros((size, top + 1, 2), np.int64)
    for kind in range(size):
        x, y = kind % (2 * n), kind // (2 * n)
        for r in range(1, top + 1):
            hops[kind, r] = next((dx, dy) for dx, dy in near if masks[class_of(x + dx, y + dy, n)] >> r & 1)
    return hops


def _shifts(hops: I64, n: int) -> I64:
    """Sum of the hops to each top rank and down from there, for each class of the source."""
    size, ranks, _ = hops.shape
    shifts = np.zeros_like(hops)
    for kind in range(size):
        for top in range(1, ranks):
            x, y = kind % (2 * n), kind // (2 * n)
            for r in range(top, 0, -1):
                dx, dy = (int(v) for v in hops[class_of(x, y, n), r])
                x, y = x + dx, y + dy
            shifts[kind, top] = x - kind % (2 * n), y - kind // (2 * n)
    return shifts


def _tables(side: int, n: int, vectors: I64) -> tuple[I64, I64]:
    """(rank_of, packed) by listing the digit strings of each rank; the least rank stays, then the preferred digit."""
    rank_of = np.full(side * side, OUTSIDE, np.int64)
    packed = np.zeros(side * side, np.int64)
    x, y, string = (np.zeros(1, np.int64) for _ in range(3))
    for r in range(len(vectors)):
        free = rank_of == OUTSIDE
        steps = np.array(children(n), np.int64) @ vectors[r]
        for digit in reversed(preference(n)):
            place = (y + steps[digit, 1]) % side * side + (x + steps[digit, 0]) % side
            mine = free[place]
            rank_of[place[mine]] = r
            packed[place[mine]] = string[mine] | digit << (stride(n) * r)
        if r + 1 < len(vectors):
            string = (string[None, :] | (np.arange(len(steps))[:, None] << (stride(n) * r))).reshape(-1)
            x = ((x[None, :] + steps[:, :1]) % side).reshape(-1)
            y = ((y[None, :] + steps[:, 1:]) % side).reshape(-1)
    return rank_of, packed


show_views(Territories, "vectors", "rank_of", "packed", "hops", "shifts")

_known: dict[str, Territories] = {}


def _period(n: int, rank: int) -> int:
    """The sides on which the tori of a rank lie beside each other, as digits need, are multiples of this."""
    return (2 * n * n) ** (rank // 2) * (2 * n if rank % 2 else 1)


@public
def territories(net: Network | str) -> Territories:
    """The digit tables of an RDT or PRDT, built once for each spec.

    Raises JumpnetError for other families, cardinal numbers above 5, and tables that would not fit in memory.
    Cost: O(routers x children).

    >>> t = territories("rdt:128")
    >>> t.top, t.fanout
    (4, 8)
    """
    if isinstance(net, str):
        member = family(net)
        implicit = member.implicit() if member.name in ("rdt", "prdt") else None
        spec, name = member.spec, member.name
        params = None if implicit is None else implicit.params
    else:
        spec, name, params = net.spec, net.family, net.params
        if lies := stray(net):
            raise JumpnetError(f"multicast: {spec} is no {name}: {lies}")
    if name not in ("rdt", "prdt") or params is None:
        raise JumpnetError(f"multicast: {spec} found, a network of family rdt or prdt expected")
    if spec in _known:
        return _known[spec]
    side, n, most = (int(v) for v in params[:3])
    children(n)
    require(side * side * 64 * n * n, f"{spec}: digit tables of {side * side} routers")
    masks = params[3 + 4 * (most + 1) :]
    had = int(np.bitwise_or.reduce(masks))
    top = 0
    while top < most and had >> (top + 1) & 1 and side % _period(n, top + 1) == 0:
        top += 1
    if top == 0 and had > 1 and side % _period(n, 1):
        raise JumpnetError(f"multicast: {spec} found, a side that is a multiple of 2n = {2 * n} expected")
    vectors = params[3 : 3 + 4 * (top + 1)].reshape(top + 1, 2, 2)
    rank_of, packed = _tables(side, n, vectors)
    hops = _hops(masks, n, top)
    tables = vectors.copy(), rank_of, packed, hops, _shifts(hops, n)
    made = Territories(spec, side, n, top, *map(locked, tables))
    _known[spec] = made
    return made
