"""What tables round faults have in common: distances by the links that a view has, and whether it is in pieces."""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings import _tables
from jumpnet.routings._tables import FAR

__all__ = ["arrivals", "fill_hops", "first_linked", "in_pieces", "visit"]

visit = kernel(_tables._visit, allocates=True)
arrivals = kernel(_tables._arrivals, allocates=True)
all_distances = kernel(_tables._distances, allocates=True)


@kernel(allocates=True)
def fill_hops(neighbor, first, origin, queue, hops):
    """hops[d, r] from r to d, FAR where there is no way; first, origin, queue are work space."""
    first[:] = 0
    arrivals(neighbor, first, queue, origin)
    all_distances(first, origin, FAR, queue, hops)


@kernel(allocates=True)
def first_linked(neighbor):
    """The first router with a link."""
    for r in range(neighbor.shape[0]):
        for p in range(neighbor.shape[1]):
            if neighbor[r, p] >= 0:
                return r
    return 0


@kernel(allocates=True)
def in_pieces(ends, hops, root):
    """Whether a router with terminals is out of reach."""
    cut_off = 0
    for r in range(ends.size):
        cut_off += int(ends[r] > 0 and hops[r, root] == FAR)
    return cut_off > 0
