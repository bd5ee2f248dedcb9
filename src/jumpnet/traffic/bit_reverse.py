"""Bit reverse: terminal a sends to the terminal whose address is a read from its other end.

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

__all__ = ["BIT_REVERSE"]


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    bits = bits_of(net, "bit_reverse")
    address = np.arange(2**bits)
    result = np.zeros_like(address)
    for b in range(bits):
        result |= ((address >> b) & 1) << (bits - 1 - b)
    return result


BIT_REVERSE = Pattern(
    name="bit_reverse",
    destination=destination,
    prepare=_prepare,
    source="Dally and Towles, section 3.2",
    summary="address with its bits in reverse order",
)
