"""Steps shared by the hypercube routings. Port d flips bit d of the router number."""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network

__all__ = ["lowest_bit", "must_be_hypercube"]


def must_be_hypercube(net: Network) -> str | None:
    """Why a routing for hypercubes does not fit a network, or None."""
    return None if net.family == "hypercube" else "it needs a hypercube"


@kernel
def lowest_bit(word):
    """Place of the lowest 1 of a positive number.

    >>> lowest_bit(12)
    2
    """
    d = 0
    while (word >> d) & 1 == 0:
        d += 1
    return d
