"""Bad dragonfly: every terminal sends to a random terminal of the next group, so that one global link carries a group.

Source: Kim, Dally, Scott and Abts, ISCA 2008, section 5 (the worst case of minimal routing).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.topology import stray
from jumpnet.traffic._pattern import Pattern

__all__ = ["BAD_DRAGONFLY"]


def destination(own, source, draw):
    """own = [terminals of a group, terminals]."""
    group = source // own[0]
    return ((group + 1) * own[0] + draw) % own[1]


def _group(net: Network) -> int:
    if net.family != "dragonfly":
        raise JumpnetError(f"bad_dragonfly: {net.spec} found, a dragonfly expected")
    if lies := stray(net):
        raise JumpnetError(f"bad_dragonfly: {net.spec} is no dragonfly: {lies}")
    return int(net.params[0] * net.params[1])


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    return np.array([_group(net), net.endpoints])


BAD_DRAGONFLY = Pattern(
    name="bad_dragonfly",
    destination=destination,
    prepare=_prepare,
    draws=lambda net, options: _group(net),
    source="Kim, Dally, Scott and Abts 2008, section 5",
    summary="random terminal of the next group: the worst case of minimal routing",
)
