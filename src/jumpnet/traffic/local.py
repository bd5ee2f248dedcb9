"""Local traffic: the offset to the destination is Gaussian on the base grid, with a given spread in routers.

The weight of an offset d is exp(-|d|^2 / (2 sigma^2)) with |d| the Euclidean distance round the torus of the
coordinates; offset zero is left out. Source: the local communication of yang2001rdt section II.B, made precise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.traffic._pattern import Pattern
from jumpnet.traffic._permutation import sides_of
from jumpnet.traffic._weighted import pick

__all__ = ["LOCAL"]

SCALE = 2**24
"""Integer weight of the nearest offset; offsets whose weight rounds to zero never happen."""


def destination(own, source, draw):
    """own = [dimensions D, offsets k, D sides, k running totals, k x D offsets]."""
    dims, k = own[0], own[1]
    chosen = 2 + dims + k + dims * pick(own, 2 + dims, k, draw)
    result, size, rest = 0, 1, source
    for d in range(dims):
        side = own[2 + d]
        result += (rest % side + own[chosen + d]) % side * size
        rest //= side
        size *= side
    return result


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    sigma = options["sigma"]
    if not 0 < sigma < 1e6:
        raise JumpnetError(f"local: sigma={sigma} found, a spread above 0 expected")
    sides = sides_of(net, "local")
    if net.endpoints != net.routers or net.routers < 2:
        raise JumpnetError(f"local: {net.endpoints} terminals on {net.routers} routers found, one each expected")
    offsets = net.coord.astype(np.int64)[1:]
    nearest = np.minimum(offsets, np.array(sides) - offsets)
    squared = (nearest**2).sum(axis=1)
    weights = np.rint(SCALE * np.exp(-(squared - squared.min()) / (2 * sigma * sigma))).astype(np.int64)
    kept = weights > 0
    totals = np.cumsum(weights[kept])
    return np.concatenate([[len(sides), kept.sum()], sides, totals, offsets[kept].reshape(-1)])


def _draws(net: Network, options: Mapping[str, Any]) -> int:
    own = _prepare(net, options)
    return int(own[2 + own[0] + own[1] - 1])


LOCAL = Pattern(
    name="local",
    destination=destination,
    prepare=_prepare,
    draws=_draws,
    options={"sigma": 4.0},
    meanings={"sigma": "Standard deviation of the offset to the destination, in routers."},
    source="yang2001rdt section II.B",
    summary="Gaussian offset on the base grid",
)
