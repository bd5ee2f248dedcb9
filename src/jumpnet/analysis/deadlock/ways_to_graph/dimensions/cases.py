"""A relation run once for many pairs of routers: its values are tables over the coordinates of one dimension.

A *case* is a set of pairs (here, target), the product of one set of coordinate pairs for each dimension, for all of
which the relation runs the same way. Where it asks something that not all pairs of the present case answer alike, the
case is parted, and the relation runs again for the rest (Boyer, Elspas and Levitt 1975, on tables instead of formulas).
What does not fit, a question about two dimensions at once for instance, ends it; the caller then walks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import sub, xor
from typing import Any, NamedTuple, NoReturn

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import set_bits
from jumpnet.analysis.deadlock.symbolic.header import Elements, Header, Opaque, Unfit, Word, called
from jumpnet.analysis.deadlock.symbolic.operators import with_operators
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import Grid
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, MAX_CANDIDATES, PORT, VC
from jumpnet.terms import I64, Array

__all__ = ["Case", "Mask", "View", "bits_of", "cases"]

Mask = Array
"""(k, k) bool of one dimension: the coordinates of here and of the target."""
MOST_RUNS = 1 << 15
"""Runs of a relation in a row after which cases are no short cut any more."""


class Case(NamedTuple):
    """Pairs that the relation answers alike."""

    masks: tuple[Mask, ...]
    """One for each dimension; the pairs are their product."""
    found: int
    """What the relation returned."""
    rows: I64
    """(found, 4) its candidates."""


def bits_of(rows: I64, vcs: int, words: int) -> Array:
    """(words,) uint64: bit port * vcs + vc of each of some candidates."""
    mask = np.zeros(words, np.uint64)
    set_bits(mask, (rows[:, PORT] * vcs + rows[:, VC]).tolist())
    return mask


class _Run:
    """One run: what it may still be about, and which way it goes where it is parted."""

    def __init__(self, masks: Sequence[Mask], script: list[int], todo: list[list[int]]) -> None:
        self.masks = list(masks)
        self._script, self._todo, self._at = script, todo, 0

    def part(self, dimension: int, options: Sequence[Mask]) -> int:
        """Which of the options (apart, and all that there is) this run goes on with."""
        mask = self.masks[dimension]
        open_ones = [k for k, option in enumerate(options) if (mask & option).any()]
        return self.choose(dimension, open_ones, options.__getitem__)

    def choose(self, dimension: int, open_ones: Sequence[int], option: Callable[[int], Mask]) -> int:
        """The same of those options that some pair has: only the one that is gone on with is made."""
        if len(open_ones) == 1:
            return open_ones[0]
        if self._at == len(self._script):
            self._todo.extend([*self._script, other] for other in open_ones[1:])
            self._script.append(open_ones[0])
        taken = self._script[self._at]
        self._at += 1
        self.masks[dimension] = self.masks[dimension] & option(taken)
        return taken


@with_operators
class _Value:
    """An integer, or a truth value as 0 or 1, that depends on the coordinates of one dimension."""

    __array_ufunc__ = None
    __slots__ = ("data", "dimension", "run")

    def __init__(self, run: _Run, dimension: int, data: Array) -> None:
        self.run, self.dimension, self.data = run, dimension, data

    def _with(self, other: Any, operate: Callable[[Any, Any], Any], swap: bool = False) -> _Value:
        if isinstance(other, _Value):
            if other.dimension != self.dimension:
                raise Unfit
            other = other.data
        elif not isinstance(other, int | np.integer | np.bool_):
            raise Unfit
        made = np.asarray(operate(other, self.data) if swap else operate(self.data, other))
        # Truth values are numbers, as in Python: NumPy's sum of two that are true is no 2.
        return _Value(self.run, self.dimension, made.astype(np.int64, copy=False))

    def __bool__(self) -> bool:
        yes = self.data != 0
        return self.run.part(self.dimension, (yes, ~yes)) == 0

    def __index__(self) -> int:
        values = np.unique(self.data[self.run.masks[self.dimension]])
        return int(values[self.run.choose(self.dimension, range(len(values)), lambda k: self.data == values[k])])

    __int__ = __index__
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> _Value:
        return self._with(0, sub, swap=True)


class _Place(Opaque):
    """A router whose coordinates are those of `here`, or of the target."""

    __slots__ = ("axis", "grid", "run")

    def __init__(self, run: _Run, grid: Grid, axis: int) -> None:
        self.run, self.grid, self.axis = run, grid, axis

    def coordinate(self, dimension: int) -> _Value:
        """One of its coordinates."""
        k = self.grid.sides[dimension]
        along = np.arange(k, dtype=np.int64)
        data = np.broadcast_to(along[:, None] if self.axis == 0 else along, (k, k))
        return _Value(self.run, dimension, data)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Place):
            raise Unfit
        return all(self.coordinate(d) == other.coordinate(d) for d in range(len(self.grid.sides)))

    def __xor__(self, other: Any) -> Word:
        if not isinstance(other, _Place) or any(k != 2 for k in self.grid.sides):
            raise Unfit
        return Word([xor(self.coordinate(d), other.coordinate(d)) for d in range(len(self.grid.sides))])


def _unknown(place: _Place, at: int) -> NoReturn:
    """Of links only how many there are may be asked."""
    raise Unfit


class View:
    """The network as the relation sees it."""

    def __init__(self, bound: BoundRouting) -> None:
        view = bound.view
        self.coord = Elements(view.coord.shape, _Place, _Place.coordinate)
        self.neighbor, self.far_port, self.link_class = (
            Elements(array.shape, _Place, _unknown) for array in (view.neighbor, view.far_port, view.link_class)
        )
        self.params, self.own, self.table = view.params, view.own, view.table
        self.vcs, self.queues = view.vcs, view.queues


def cases(bound: BoundRouting, grid: Grid, masks: Sequence[Mask], known: Mapping[int, int]) -> Iterator[Case]:
    """The cases into which the relation parts the pairs of `masks`, for packets of which some header fields are known.

    The target stands in DESTINATION and INTERMEDIATE; who reads a field that is not known is unfit. Raises Unfit.
    Cost: one run in plain Python for each case, some 0.1 ms.
    """
    relation, view = rebuilt(bound.routing.relation), View(bound)
    todo: list[list[int]] = [[]]
    for _ in range(MOST_RUNS):
        if not todo:
            return
        run = _Run(masks, todo.pop(), todo)
        target = _Place(run, grid, 1)
        head, out = Header({DESTINATION: target, INTERMEDIATE: target, **known}), np.zeros((MAX_CANDIDATES, 4), int)
        found = called(int, called(relation, view, _Place(run, grid, 0), head, out))
        yield Case(tuple(run.masks), found, out[: max(0, found)])
    raise Unfit
