"""The checker of acyclicity certificates: small, and independent of what made them.

A certificate numbers the channels; if every dependency goes from a lower to a higher number there is no cycle (Dally
and Seitz 1987, theorem 1). Called by `prove`, and by whoever received a certificate from someone else.
"""

from __future__ import annotations

from jumpnet.terms import I64

__all__ = ["accepts"]


def accepts(number: I64, holder: I64, wanted: I64) -> bool:
    """Whether every dependency holder[i] -> wanted[i] ascends in `number` (one number a channel).

    >>> import numpy as np
    >>> accepts(np.array([0, 2, 1]), np.array([0, 2]), np.array([2, 1]))
    True
    >>> accepts(np.array([0, 2, 1]), np.array([0, 1]), np.array([2, 2]))
    False
    """
    if len(holder) != len(wanted):
        return False
    for part in range(0, len(holder), 1 << 22):
        piece = slice(part, part + (1 << 22))
        if not (number[holder[piece]] < number[wanted[piece]]).all():
            return False
    return True
