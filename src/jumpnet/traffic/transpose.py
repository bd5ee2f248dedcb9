"""Transpose: the two halves of the address change places; on a square grid of 2^b x 2^b terminals (x, y) -> (y, x).

Source: Dally and Towles, section 3.2. `by=coordinates` transposes any square 2-D grid of routers instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.traffic._pattern import Pattern
from jumpnet.traffic._permutation import bits_of, destination, sides_of

__all__ = ["TRANSPOSE"]


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    if options["by"] == "coordinates":
        sides = sides_of(net, "transpose")
        if len(sides) != 2 or sides[0] != sides[1]:
            raise JumpnetError(f"transpose: sides {'x'.join(map(str, sides))} found, a square 2-D grid expected")
        each = int(net.terminals[0])
        router, port = np.divmod(np.arange(net.endpoints), each)
        return (router % sides[0] * sides[0] + router // sides[0]) * each + port
    bits = bits_of(net, "transpose")
    if bits % 2:
        raise JumpnetError(f"transpose: {net.endpoints} terminals found in {net.spec}, an even power of two expected")
    half = bits // 2
    address = np.arange(2**bits)
    return address >> half | (address & (2**half - 1)) << half


TRANSPOSE = Pattern(
    name="transpose",
    destination=destination,
    prepare=_prepare,
    options={"by": ("bits", "coordinates")},
    meanings={"by": "Whether halves of the address change places, or the coordinates of a square grid."},
    source="Dally and Towles, section 3.2",
    summary="halves of the address change places",
)
