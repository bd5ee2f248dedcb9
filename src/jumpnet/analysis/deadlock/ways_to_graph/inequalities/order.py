"""The order that `ranking` finds, as numbers of the channels of one network, and in words.

Called by `kinds` and `all_sizes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.ways_to_graph.inequalities.ranking import Group, Move
from jumpnet.networks import Network
from jumpnet.terms import I64, Array

__all__ = ["channel_numbers", "rules"]


def channel_numbers(order: Sequence[Group], net: Network, vcs: int) -> I64:
    """(C,) number of each channel (router * P + port) * V + vc whose kind is in the order, -1 of the others.

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
        members = those[_in_group(group, kind[those], coord[those], coord.max(axis=0) + 1, vcs)]
        key[depth][members] = k
        if group.along is not None:
            along = coord[members, group.along.dimension]
            key[depth + 1][members] = along if group.along.rises else coord[:, group.along.dimension].max() - along
        _fill(key, group.then, members, kind, coord, vcs, depth + 2)


def _in_group(group: Group, kind: I64, coord: I64, sides: I64, vcs: int) -> Array:
    """Which channels, of some kinds and beginning at some coordinates, are of a group."""
    found = np.isin(kind, [port * vcs + vc for port, vc, *told in group.kinds if not told])
    for port, vc, *told in group.kinds:
        if told:
            there = [one.holds(coord[:, one.dimension], sides[one.dimension]) for one in told]
            found |= (kind == port * vcs + vc) & np.logical_and.reduce(there)
    return found


def rules(order: Sequence[Group], link_names: Sequence[str], depth: int = 0) -> Iterator[str]:
    """The order in words, a line for each group, earlier first; link_names: of each port."""
    for group in order:
        channels = dict.fromkeys(_named(group, kind, link_names) for kind in sorted(group.kinds))
        by = "" if group.along is None else f", by {_grown(group.along)}"
        yield "  " * depth + ", ".join(channels) + by + ("; where that is equal:" if group.then else "")
        yield from rules(group.then, link_names, depth + 1)


def _named(group: Group, kind: tuple[Any, ...], link_names: Sequence[str]) -> str:
    """A kind of channels in words; where they begin is left out if the group has the others of that kind, too."""
    port, vc, *told = kind
    if len(told) == 1 and (port, vc, told[0]._replace(yes=not told[0].yes)) in group.kinds:
        told = []
    return " ".join([f"{link_names[port]} vc {vc}", *[" and ".join(map(str, told))] * bool(told)])


def _grown(along: Move) -> str:
    return f"coordinate {along.dimension} {'rising' if along.rises else 'falling'}"
