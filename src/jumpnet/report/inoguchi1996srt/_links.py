"""What the SRT sections share: the links of a network as pairs."""

from __future__ import annotations

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import NO_ROUTER

__all__ = ["links_of"]

Links = set[tuple[int, int]]


def links_of(net: Network) -> Links:
    """Every link once, as a pair of routers, the smaller number first."""
    rows, cols = np.nonzero(net.neighbor != NO_ROUTER)
    far = net.neighbor[rows, cols]
    return set(zip(np.minimum(rows, far).tolist(), np.maximum(rows, far).tolist(), strict=True))
