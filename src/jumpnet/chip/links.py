"""The ten links of the chip and what a link carries: numbers, names, strobe codes.

Source: nishi1997router section 4.1 (four links of rank 0, four of the upper rank, two to the MBPs, the processors of
the node's memory). The eleventh output of the 10 x 11 crossbar is the acknowledge combining unit
(docs/decisions/0050, S3). Used by every file of `chip`.
"""

from __future__ import annotations

__all__ = [
    "COMBINE", "DIRECTIONS", "EAST", "FLIT", "IDLE", "LAST", "LINKS", "MBP0", "MBP1", "NAMES", "NORTH", "OUTPUTS",
    "SOUTH", "TAG", "UPPER", "VCS", "WEST", "names",
]  # fmt: skip

NORTH, EAST, WEST, SOUTH = range(4)
"""Links of rank 0; those of the upper rank are `UPPER` higher. South is +y of the rank, as in `multicast`."""
UPPER = 4
MBP0, MBP1 = 8, 9
LINKS = 10
COMBINE = 10
"""The output of the crossbar that leads to the combining unit."""
OUTPUTS = 11
VCS = 2

NAMES = ("N0", "E0", "W0", "S0", "N1", "E1", "W1", "S1", "M0", "M1", "AC")
"""Short names of the outputs: direction and slot (0 base torus, 1 upper torus), MBPs, acknowledge combining."""
DIRECTIONS = ("N", "E", "W", "S")

IDLE, FLIT, LAST, TAG = range(4)
"""Codes of the two strobe wires of a link (docs/decisions/0050, F5): nothing, a flit, the last flit, a tag flit."""


def names(mask: int) -> str:
    """The outputs of a mask, by name.

    >>> names(0b1000_0000_001)
    'N0,AC'
    """
    return ",".join(NAMES[j] for j in range(OUTPUTS) if mask >> j & 1)
