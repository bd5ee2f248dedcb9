"""Uniform random traffic: every other terminal is equally likely (with `self=1` the source too, as BookSim does).

Source: Dally and Towles, section 3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.traffic._pattern import Pattern

__all__ = ["UNIFORM"]


def destination(own, source, draw):
    """own = [include the source]. The draw counts the allowed terminals in order."""
    if own[0] == 1 or draw < source:
        return draw
    return draw + 1


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    if options["self"] not in (0, 1):
        raise JumpnetError(f"uniform self {options['self']} found, 0 or 1 expected")
    if net.endpoints + options["self"] < 2:
        found = f"{net.spec} with {net.endpoints} terminals found"
        raise JumpnetError(f"{found}, at least 2 expected by uniform, or uniform:self=1")
    return np.array([options["self"]])


UNIFORM = Pattern(
    name="uniform",
    destination=destination,
    prepare=_prepare,
    draws=lambda net, options: net.endpoints - 1 + options["self"],
    options={"self": 0},
    meanings={"self": "1: the source may be the destination too, as in BookSim."},
    source="Dally and Towles, section 3.2",
    summary="every other terminal equally likely",
)
