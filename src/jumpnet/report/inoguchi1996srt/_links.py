"""What the SRT sections share: the links of a network as pairs, and drawings whose file is imported when they draw."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["level_of", "links_of", "on_first_use"]

Links = set[tuple[int, int]]


def links_of(net: Network) -> Links:
    """Every link once, as a pair of routers, the smaller number first."""
    rows, cols = np.nonzero(net.neighbor != NO_ROUTER)
    far = net.neighbor[rows, cols]
    return set(zip(np.minimum(rows, far).tolist(), np.maximum(rows, far).tolist(), strict=True))


def level_of(net: Network) -> I64:
    """(R,) level of each router's bypass links, 0 where it has none."""
    rank = np.where(net.neighbor != NO_ROUTER, net.class_rank[net.link_class], 0)
    level: I64 = rank.max(axis=1).astype(np.int64)
    return level


def on_first_use(module: str, name: str, *args: Any, **keyed: Any) -> Callable[[Any], None]:
    """A drawing function whose file in `plot` is imported when it draws: a report without pictures needs none."""
    return lambda figure: getattr(import_module(module), name)(*args, **keyed)(figure)
