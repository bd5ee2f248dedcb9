"""What the hooks of a routing do on networks of all sizes: the numbers it prepares, the states that packets start in.

They run on a network of which the sides alone may be asked, and by inequalities and remainders by two; what they answer
in any case counts. Called by `argument`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit, View
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import starts_written, state_started
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import Ring
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import on_all_sizes
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64

__all__ = ["prepared_on_all_sizes", "starts_on_all_sizes"]

MOST_DRAWS = 64
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
    options = {**bound.options, "vcs": bound.vcs}
    try:
        draws = max(map(int, on_all_sizes(bound, rings, lambda net: rebuilt(bound.routing.draws)(net, options))))
    except Unfit:
        raise Unfit(STARTS) from None
    if draws > MOST_DRAWS:
        raise Unfit(STARTS)
    try:
        return {state_started(rebuilt(start), View(), draw) for draw in range(draws)}
    except Unfit:  # it asks about the network, or about queues
        return set(starts_written(bound, draws, STARTS))
