"""Valiant's routing on a dragonfly: by a random group; three classes, one for each group on the way.

Source: Kim et al. 2008.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.dragonfly._steps import dragonfly_relation, must_be_dragonfly
from jumpnet.routings.view import INTERMEDIATE

__all__ = ["DRAGONFLY_VALIANT"]


def start(net, head, draw, queue):
    """INTERMEDIATE is the first router of the drawn group."""
    head[INTERMEDIATE] = draw * net.params[1]


DRAGONFLY_VALIANT = Routing(
    name="dragonfly.valiant",
    relation=dragonfly_relation,
    start=start,
    draws=lambda net, options: int(net.params[3]),
    vcs=3,
    fits=must_be_dragonfly,
    source="Kim et al. 2008",
    summary="by a random group; three classes, free of deadlock",
)
