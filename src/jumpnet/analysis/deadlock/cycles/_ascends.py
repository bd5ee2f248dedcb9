"""Kernel of the checker of certificates: whether numbers ascend along edges that are kept as bits."""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry

__all__ = ["ascends"]


@entry
def ascends(number, first, bits, base):
    """Whether number[first + c] < number[base[c] + b] for every bit b that is set in row c."""
    for c in range(bits.shape[0]):
        for w in range(bits.shape[1]):
            if bits[c, w] == 0:
                continue
            mine, d = number[first + c], base[c] + 64 * w
            for b in range(64):
                if (bits[c, w] >> np.uint64(b)) & np.uint64(1) != 0 and mine >= number[d + b]:
                    return False
    return True
