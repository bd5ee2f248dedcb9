"""The order that `ranking` finds, as numbers of the channels of one network, and in words.

Called by `kinds` and `all_sizes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jumpnet.analysis.deadlock.ways_to_graph.inequalities.ranking import Group, Move
from jumpnet.networks import Network
from jumpnet.terms import I64

__all__ = ["channel_numbers", "rules"]


def channel_numbers(order: Sequence[Group], net: Network, vcs: int) -> I64:
    """(C,) number of each channel (router * P + port) * V + vc whose (port, vc) is in the order, -1 of the others.

    Channels between which the order says nothing may have one number. Cost: that of sorting the channels.
    """
    router, port, vc = (part.reshape(-1) for part in np.indices((net.routers, net.ports, vcs)))
    key: list[I64] = []
    _fill(key, order, np.flatnonzero(net.neighbor[router, port] >= 0), port * vcs + vc, net.coord[router], vcs)
    those = np.flatnonzero(key[0] >= 0) if key else np.zeros(0, np.int64)
    number = np.full(len(router), -1, np.int64)
    if len(those):
        number[those] = np.unique(np.stack(key, axis=1)[those], axis=0, return_inverse=True)[1].reshape(-1)
    return number


def _fill(key: list[I64], order: Sequence[Group], those: I64, kind: I64, coord: I64, vcs: int, depth: int = 0) -> None:
    """Write what tells `those` channels apart into the columns of the key from `depth` on, -1 where nothing does."""
    while order and len(key) < depth + 2:
        key.append(np.full(len(kind), -1, np.int64))
    for k, group in enumerate(order):
        kinds = [port * vcs + vc for port, vc in group.kinds]
        members = those[np.isin(kind[those], kinds)]
        key[depth][members] = k
        if group.along is not None:
            along = coord[members, group.along.dimension]
            key[depth + 1][members] = along if group.along.rises else coord[:, group.along.dimension].max() - along
        _fill(key, group.then, members, kind, coord, vcs, depth + 2)


def rules(order: Sequence[Group], link_names: Sequence[str], depth: int = 0) -> Iterator[str]:
    """The order in words, a line for each group, earlier first; link_names: of each port."""
    for group in order:
        channels = [f"{link_names[port]} vc {vc}" for port, vc in sorted(group.kinds)]
        by = "" if group.along is None else f", by {_grown(group.along)}"
        yield "  " * depth + ", ".join(channels) + by + ("; where that is equal:" if group.then else "")
        yield from rules(group.then, link_names, depth + 1)


def _grown(along: Move) -> str:
    return f"coordinate {along.dimension} {'rising' if along.rises else 'falling'}"
