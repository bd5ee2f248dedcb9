"""Bit complement: terminal a sends to the terminal whose address has every bit of a inverted.

Source: Dally and Towles, section 3.2.
"""

from __future__ import annotations

import numpy as np

from jumpnet.traffic._pattern import Pattern
from jumpnet.traffic._permutation import bits_of, destination

__all__ = ["BIT_COMPLEMENT"]

BIT_COMPLEMENT = Pattern(
    name="bit_complement",
    destination=destination,
    prepare=lambda net, options: np.arange(2 ** bits_of(net, "bit_complement"))[::-1],
    source="Dally and Towles, section 3.2",
    summary="address with every bit inverted",
)
