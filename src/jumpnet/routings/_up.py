"""What routings to a nearest common ancestor share: the option `up`, which says how they choose among the ways up.

Used by `clos_nca` and `fattree_nca`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings._routing import Prepared
from jumpnet.routings.view import STATE

__all__ = ["BY_DESTINATION", "RANDOM", "WAYS", "draw_way", "prepare_way"]

WAYS = ("adaptive", "random", "destination")
"""Every way up is a candidate, the start's draw fixes one, or the destination's coordinates do."""
RANDOM = WAYS.index("random")
BY_DESTINATION = WAYS.index("destination")


def prepare_way(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = [index of the option `up` in WAYS]."""
    return Prepared(own=np.array([WAYS.index(options["up"])], np.int64))


def draw_way(net, head, draw, queue):
    """The start hook for `up=random`: STATE is the draw."""
    head[STATE] = draw
