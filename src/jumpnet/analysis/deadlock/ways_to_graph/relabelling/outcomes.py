"""What a relation answers for all ways to go between two permutations, whatever their symbols are called.

A router is a permutation of symbols, and so is the *way to go* from a router to a destination: at each place the place
that the router's symbol has in the destination. The relation is run on routers of whose symbols it is known which are
equal, and nothing else; what it returns then holds for all pairs of routers with that way to go. One more thing may be
asked: whether the router that a port leads to has the higher number. That depends on where the packet is, and both
answers are followed. Anything else that is asked raises Unfit. Called by `ways`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.symbolic.batched_runs import Number, Run
from jumpnet.analysis.deadlock.symbolic.header import Elements, Header, Opaque, Unfit, View
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, MAX_CANDIDATES, STATE
from jumpnet.terms import I64, Array

__all__ = ["Outcome", "outcomes"]

MOST_RUNS = 1 << 12


class Outcome(NamedTuple):
    """Ways to go, with one STATE, that the relation answers alike."""

    which: I64
    """Routers whose way to go to the router 0, 1, 2... of all symbols in order it is."""
    asked: int
    """The port of which it was asked whether it leads up, -1 where it was not."""
    up: bool
    """The answer."""
    found: int
    """What the relation returned."""
    rows: I64
    """(found, 4) its candidates."""


class _Place(Opaque):
    """A router, or the destination, of all packets of a run."""

    def __init__(self, view: _View, symbols: Array, far: bool) -> None:
        self.view, self.symbols, self.far = view, symbols, far
        """symbols: (packets, places), each named by its place in the destination."""

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, _Place) or other.far == self.far:
            raise Unfit
        return bool(Number(self.view.run, (self.symbols == other.symbols).all(axis=1)))


class _Symbol(Opaque):
    """The symbol at a place, of which may be asked whether it is another."""

    def __init__(self, run: Run, name: Array) -> None:
        self.run, self.name = run, name

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, _Symbol):
            raise Unfit
        return Number(self.run, self.name == other.name)

    def __ne__(self, other: object) -> Any:
        if not isinstance(other, _Symbol):
            raise Unfit
        return Number(self.run, self.name != other.name)


class _Beyond(Opaque):
    """The router that a port leads to, of which may be asked whether its number is higher than where the packet is."""

    def __init__(self, view: _View, port: int) -> None:
        self.view, self.port = view, port

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, _Place) or other.far:
            raise Unfit
        return self.view.leads_up(self.port)

    def __lt__(self, other: object) -> bool:
        return not self > other


class _View(View):
    """The network as the relation may see it."""

    def __init__(self, bound: BoundRouting, run: Run) -> None:
        view = bound.view
        self.params, self.own, self.table, self.vcs = view.params, view.own, view.table, bound.vcs
        self.coord = Elements(view.coord.shape, _Place, lambda place, at: _Symbol(run, place.symbols[:, at]))
        self.neighbor = Elements(view.neighbor.shape, _Place, self._beyond)
        self.run, self.asked, self.up = run, -1, False

    def _beyond(self, place: _Place, port: int) -> _Beyond:
        if place.far:
            raise Unfit
        return _Beyond(self, port)

    def leads_up(self, port: int) -> bool:
        """Whether the packet's router has a lower number than the one at a port: both, one after the other."""
        if self.asked >= 0 and self.asked != port:
            raise Unfit
        if self.asked < 0:
            self.asked, self.up = port, self.run.both()
        return self.up


def outcomes(bound: BoundRouting, state: int) -> Iterator[Outcome]:
    """What the relation answers with one STATE for every way to go, each once, or once for each answer to a question.

    Raises Unfit. Cost: some hundred runs in plain Python on tables of all routers.
    """
    relation, coord = rebuilt(bound.routing.relation), bound.network.coord
    todo: list[tuple[I64, list[int]]] = [(np.arange(len(coord)), [])]
    for _ in range(MOST_RUNS):
        if not todo:
            return
        run = Run(*todo.pop(), todo)
        view = _View(bound, run)
        near = _Place(view, coord[run.which], far=False)
        far = _Place(view, np.broadcast_to(np.arange(coord.shape[1]), near.symbols.shape), far=True)
        out = np.zeros((MAX_CANDIDATES, 4), np.int64)
        try:
            found = int(relation(view, near, Header({DESTINATION: far, STATE: state}), out))
        except Exception as error:
            if run.parted:
                continue
            raise Unfit from error
        if not run.parted:
            if found > MAX_CANDIDATES:
                raise Unfit
            yield Outcome(run.which, view.asked, view.up, found, out[: max(0, found)])
    raise Unfit
