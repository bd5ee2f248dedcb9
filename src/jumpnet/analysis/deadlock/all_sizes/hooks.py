"""What the hooks of a routing do on networks of all sizes: the numbers it prepares, the states that packets start in.

They run on a network of which the sides alone may be asked, and by inequalities and remainders by two; what they answer
in any case counts. Called by `argument`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Header, Unfit, View, called
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import Ring
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import on_all_sizes
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import INTERMEDIATE, STATE
from jumpnet.routings.writes import constants_written
from jumpnet.terms import I64

__all__ = ["prepared_on_all_sizes", "starts_on_all_sizes"]

MOST_DRAWS = 64
STARTS = "packets start by a hook that may do otherwise on other sizes"


def prepared_on_all_sizes(bound: BoundRouting, rings: Sequence[Ring]) -> I64 | None:
    """The integers that a routing prepares (`Prepared.own`), where they are the same on networks of all sizes."""
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
    options = {**bound.options, "vcs": bound.vcs}
    try:
        draws = max(map(int, on_all_sizes(bound, rings, lambda net: rebuilt(bound.routing.draws)(net, options))))
    except Unfit:
        raise Unfit(STARTS) from None
    if draws > MOST_DRAWS:
        raise Unfit(STARTS)
    try:
        return {_started(rebuilt(start), draw) for draw in range(draws)}
    except Unfit:  # it asks about the network, or about queues
        written = [
            constants_written(start, 1, field, draws, before) for field, before in ((STATE, 0), (INTERMEDIATE, -1))
        ]
        if written[0] is None or written[1] != {-1}:
            raise Unfit(STARTS) from None
        return set(written[0])


def _started(start: Callable[..., Any], draw: int) -> int:
    """STATE as a hook sets it that looks at nothing but its draw; raises Unfit of others."""
    head = Header()
    called(start, View(), head, draw, ())
    if set(head) != {STATE} or not isinstance(head[STATE], int | np.integer):
        raise Unfit
    return int(head[STATE])
