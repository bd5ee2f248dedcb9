"""A traffic matrix of one's own: a row for each source, a weight for each destination.

`matrix:rows=0-1-1/2-0-0/1-1-0` on three terminals. A source's packets go to its destinations by the weights of its row.
The load is that of the heaviest row; a source whose row is lighter sends less in proportion, and one of zeros nothing.
Source: Dally and Towles, section 3.2 (the traffic matrix).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.spec import is_count
from jumpnet.terms import I64
from jumpnet.traffic._pattern import NO_PACKET, Pattern
from jumpnet.traffic._weighted import pick

__all__ = ["MATRIX"]

HEAVIEST = 1_000_000


def destination(own, source, draw):
    """own = [k, then for each source k running totals of its weights]; a draw beyond its own total sends nothing."""
    k = own[0]
    first = 1 + source * k
    if draw >= own[first + k - 1]:
        return NO_PACKET
    return pick(own, first, k, draw)


def _weights(net: Network, text: str) -> I64:
    """(sources, destinations) weights."""
    sources, sinks = net.endpoints, int(net.sinks.sum())
    rows = [row.split("-") for row in text.split("/")] if text else []
    bad = [word for row in rows for word in row if not is_count(word) or int(word) > HEAVIEST]
    if bad:
        raise JumpnetError(f"matrix: weight {bad[0]!r} found, numbers from 0 to {HEAVIEST} joined by - expected")
    if len(rows) != sources:
        raise JumpnetError(f"matrix: {len(rows)} rows found, {sources} expected, one for each terminal")
    for number, row in enumerate(rows):
        if len(row) != sinks:
            raise JumpnetError(f"matrix: {len(row)} numbers found in row {number}, {sinks} expected")
    weights = np.array([[int(word) for word in row] for row in rows], np.int64)
    if not weights.any():
        raise JumpnetError("matrix: nothing but zeros found, at least one weight expected")
    return weights


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    weights = _weights(net, options["rows"])
    return np.concatenate([[weights.shape[1]], weights.cumsum(axis=1).ravel()])


def _draws(net: Network, options: Mapping[str, Any]) -> int:
    return int(_weights(net, options["rows"]).sum(axis=1).max())


MATRIX = Pattern(
    name="matrix",
    destination=destination,
    prepare=_prepare,
    draws=_draws,
    options={"rows": ""},
    meanings={"rows": "Weights of each terminal's destinations, joined by -, a row for each terminal, joined by /."},
    source="Dally and Towles, section 3.2",
    summary="destinations by a matrix of weights, a row for each source",
)
