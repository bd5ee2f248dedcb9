"""What the hooks of a routing do on networks of all sizes: the numbers it prepares, the states that packets start in.

They run on a network of which the sides alone may be asked, and by inequalities and remainders by two; what they answer
in any case counts. Called by `argument`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.symbolic.bits import Bit, Bits, Word
from jumpnet.analysis.deadlock.symbolic.header import Header, Unfit, View, called
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import starts_written, state_started
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import Ring
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import on_all_sizes
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import STATE
from jumpnet.terms import I64

__all__ = ["MANY_DRAWS", "prepared_on_all_sizes", "start_by_many_draws", "starts_on_all_sizes"]

MANY_DRAWS, MOST_DRAWS = 8, 64
"""Draws from which on their bits are told apart as they are asked for, and up to which each is a start of its own."""
STARTS = "packets start by a hook that may do otherwise on other sizes"


def prepared_on_all_sizes(bound: BoundRouting, rings: Sequence[Ring]) -> I64 | None:
    """(n,) integers that a routing prepares (`Prepared.own`), where networks of all sizes have the same; else None."""
    prepare = bound.routing.prepare
    if prepare is None:
        return None
    options = {**bound.options, "vcs": bound.vcs}

    def own(net: Any) -> I64:
        """What it prepares, if that is numbers."""
        made = np.asarray(rebuilt(prepare)(net, options).own)
        if made.dtype.kind != "i":
            raise Unfit
        return made

    try:
        first, *others = on_all_sizes(bound, rings, own)
    except Unfit:
        return None
    return first if all(np.array_equal(first, other) for other in (*others, bound.view.own)) else None


def starts_on_all_sizes(bound: BoundRouting, rings: Sequence[Ring]) -> set[int]:
    """Values of STATE among which are all that packets start with, whatever the sides; raises Unfit."""
    start = bound.routing.start
    if start is None:
        return {0}
    draws = _most_draws(bound, rings)
    if draws > MOST_DRAWS:
        raise Unfit(STARTS)
    try:
        return {state_started(rebuilt(start), View(), draw) for draw in range(draws)}
    except Unfit:  # it asks about the network, or about queues
        return set(starts_written(bound, draws, STARTS))


def start_by_many_draws(bound: BoundRouting, rings: Sequence[Ring]) -> Bits | None:
    """The same of a hook that does alike with MANY_DRAWS or more, of which bits are not known; None of another.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> start_by_many_draws(bind("torus.booksim", build("torus:4x4x4x4")), [Ring(3, closed=True)] * 4)
    Bits(value=0, unknown=15)
    """
    start = bound.routing.start
    draws = 1 if start is None else _most_draws(bound, rings)
    if start is None or draws < MANY_DRAWS:
        return None
    head = Header()
    try:
        called(rebuilt(start), View(), head, Word(Bits(0, (1 << (draws - 1).bit_length()) - 1)), ())
    except (Unfit, Bit):
        return None
    return head[STATE].bits if set(head) == {STATE} and isinstance(head[STATE], Word) else None


def _most_draws(bound: BoundRouting, rings: Sequence[Ring]) -> int:
    """Draws that a start hook is given on any size; raises Unfit."""
    options = {**bound.options, "vcs": bound.vcs}
    try:
        return max(map(int, on_all_sizes(bound, rings, lambda net: rebuilt(bound.routing.draws)(net, options))))
    except Unfit:
        raise Unfit(STARTS) from None
