"""A network as the all-sources search needs it, and an implicit one made into that. Used by `distances`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.graph._bfs_one import record_of, tabulate
from jumpnet.graph._own_neighbors import neighbors_pointer, refuse_fault
from jumpnet.networks import Implicit
from jumpnet.terms import I32

__all__ = ["Table", "tabulated"]


class Table(NamedTuple):
    """What the all-sources search needs of a network."""

    neighbor: I32
    terminals: I32
    sinks: I32
    directed: bool

    @property
    def routers(self) -> int:
        """Number of routers."""
        return len(self.neighbor)


def tabulated(implicit: Implicit) -> Table:
    """An implicit network as a neighbor table, for the all-sources search."""
    routers, ports = implicit.routers, implicit.ports
    table = np.empty((routers, ports), np.int32)
    record = record_of(implicit)
    tabulate(neighbors_pointer(implicit), record, np.arange(routers), table, np.empty(ports, np.int64))
    refuse_fault(implicit, record)
    ones = np.ones(routers, np.int32)
    return Table(table, ones, ones, implicit.directed)
