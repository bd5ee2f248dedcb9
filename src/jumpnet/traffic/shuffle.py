"""Perfect shuffle: terminal a sends to the terminal whose address is a rotated left by one bit.

Source: Dally and Towles, section 3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.traffic._pattern import Pattern
from jumpnet.traffic._permutation import bits_of, destination

__all__ = ["SHUFFLE"]


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    bits = bits_of(net, "shuffle")
    address = np.arange(2**bits)
    return (address << 1) & (2**bits - 1) | address >> max(bits - 1, 0)


SHUFFLE = Pattern(
    name="shuffle",
    destination=destination,
    prepare=_prepare,
    source="Dally and Towles, section 3.2",
    summary="address rotated left by one bit",
)
