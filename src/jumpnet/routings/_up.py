"""What routings to a nearest common ancestor share: the option `up`, which says how they choose among the ways up.

Used by `clos.nca` and `fattree.nca`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.routings._routing import Prepared
from jumpnet.routings.view import MAX_CANDIDATES, STATE

__all__ = ["BY_DESTINATION", "RANDOM", "WAYS", "draw_way", "prepare_way"]

WAYS = ("adaptive", "random", "destination")
"""Every way up is a candidate, the start's draw fixes one, or the destination's coordinates do."""
RANDOM = WAYS.index("random")
BY_DESTINATION = WAYS.index("destination")


def prepare_way(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = [index of the option `up` in WAYS].

    Raises JumpnetError where a packet would be offered more ways up than may be written.
    """
    levels = int(net.params[1]) if net.family == "fattree" else 2
    ways = int(net.params[0]) if levels > 1 else 0
    if options["up"] == "adaptive" and ways * options["vcs"] > MAX_CANDIDATES:
        raise JumpnetError(
            f"{net.spec}: {counted(ways, 'way')} up on {counted(options['vcs'], 'virtual channel')} found, at most "
            f"{MAX_CANDIDATES} candidates expected: up=adaptive does not exist there, to be proved or to be simulated; "
            "up=random and up=destination take one of the ways"
        )
    return Prepared(own=np.array([WAYS.index(options["up"])], np.int64))


def draw_way(net, head, draw, queue):
    """The start hook for `up=random`: STATE is the draw."""
    head[STATE] = draw
