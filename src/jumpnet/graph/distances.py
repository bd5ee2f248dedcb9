"""Exact distances of any network: how many pairs at each distance, diameter, averages, eccentricities.

Where automorphism orbits are known one search per orbit gives the figures of all pairs; where nothing is known all
routers are sources. Many sources go into a bit-parallel search, 256 at a time, on every processor. Called by metrics,
papers and benchmarks.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.graph._bfs_all import UNREACHED, Links, Work, search_batch
from jumpnet.graph._bfs_one import record_of, search_implicit, search_table
from jumpnet.graph._chain import MOST_PORTS, chain_figures
from jumpnet.graph._own_neighbors import neighbors_pointer, refuse_fault
from jumpnet.graph._product import product_figures
from jumpnet.graph._table import Table, tabulated
from jumpnet.graph.distance_figures import DistanceFigures
from jumpnet.jit.vectors.numbers import BITS, WORDS
from jumpnet.memory import available_bytes, require
from jumpnet.networks import Implicit, Network
from jumpnet.process.threads import processors, share
from jumpnet.terms import I32, I64, NO_ROUTER, Array

__all__ = [
    "Progress",
    "distance_counts",
    "distances_from",
    "eccentricities",
    "search_bytes",
    "silent",
]


SEARCHES_A_BATCH = 8
"""Single searches that cost as much as a bit-parallel one of 256 sources."""
SMALL = 4096
"""Routers below which one search per orbit is always quick."""
Progress = Callable[[int, int], None]
"""Called with the searches or batches of searches that are done and their number, from any thread."""


def silent(done: int, total: int) -> None:
    """No word of progress."""


def _trimmed(counts: I64) -> tuple[int, ...]:
    filled = np.flatnonzero(counts)
    return tuple(int(n) for n in counts[: filled[-1] + 1]) if filled.size else ()


def search_bytes(routers: int, ports: int, searches: int) -> int:
    """Estimated bytes that so many searches of `distance_counts` take beside the network, one after the other where
    they are fewer than the routers.

    >>> search_bytes(16_777_216, 8, 4) < 2**30
    True
    """
    if searches < routers:
        return processors(searches) * routers * 13
    return _together_bytes(routers, ports, -(-routers // BITS))


def _together_bytes(routers: int, ports: int, batches: int) -> int:
    return routers * (4 * ports + 64) + processors(batches) * routers * (16 * WORDS + 40)


class _Searcher:
    """Single-source searches of one network with their work space; one for each thread."""

    def __init__(self, net: Network | Implicit):
        self._net = net
        if isinstance(net, Implicit):
            self._neighbors = neighbors_pointer(net)
            self._record = record_of(net)
        wide = net.routers > np.iinfo(np.int32).max
        self.order = np.empty(net.routers, np.int64 if wide else np.int32)

    def search(self, source: int) -> tuple[I64, I32]:
        """(routers at each distance, the routers reached in the order of their distance)."""
        net = self._net
        visited = np.zeros(net.routers // 8 + 1, np.uint8)
        counts = np.zeros(net.routers, np.int64)
        if isinstance(net, Implicit):
            out = np.empty(net.ports, np.int64)
            levels = search_implicit(self._neighbors, self._record, source, visited, self.order, counts, out)
            refuse_fault(net, self._record)
        else:
            levels = search_table(net.neighbor, source, visited, self.order, counts)
        found = counts[:levels].copy()
        return found, self.order[: found.sum()]


def _links(net: Network | Table) -> Links:
    """Out- and in-neighbors as lists."""
    present = net.neighbor != NO_ROUTER
    first = np.concatenate([[0], present.sum(axis=1).cumsum()]).astype(np.int64)
    target = np.ascontiguousarray(net.neighbor[present], np.int32)
    if not net.directed:
        return Links(first, target, first, target)
    source = np.repeat(np.arange(net.routers, dtype=np.int32), np.diff(first))
    back_first = np.concatenate([[0], np.bincount(target, minlength=net.routers).cumsum()]).astype(np.int64)
    return Links(first, target, back_first, np.ascontiguousarray(source[np.argsort(target, kind="stable")]))


def _rows(routers: int) -> tuple[Array, Array]:
    """Two buffers (routers + 2, WORDS) uint64, their rows aligned to cache lines."""
    size = (routers + 2) * 8 * WORDS
    room = np.empty(2 * size + 128, np.uint8)
    start = -room.ctypes.data % 64
    gap = -size % 64
    halves = (room[start : start + size], room[start + size + gap : start + 2 * size + gap])
    return halves[0].view(np.uint64).reshape(-1, WORDS), halves[1].view(np.uint64).reshape(-1, WORDS)


def _batches(terminals: I32, stands_for: I64) -> list[I64]:
    """Places of the sources in batches of at most BITS; within one all have as many terminals and stand for as many."""
    order = np.lexsort((terminals, stands_for))
    parted = (np.diff(terminals[order]) != 0) | (np.diff(stands_for[order]) != 0)
    groups = [0, *(np.flatnonzero(parted) + 1).tolist(), order.size]
    return [order[b : min(b + BITS, end)] for begin, end in itertools.pairwise(groups) for b in range(begin, end, BITS)]


def _search_together(net: Network | Table, sources: I64, stands_for: I64, progress: Progress) -> tuple[I64, I64]:
    """As `_search_each`, by the bit-parallel search."""
    routers = net.routers
    uniform = (net.terminals == net.terminals[0]).all() and (net.sinks == net.sinks[0]).all()
    terminals = np.zeros(sources.size, np.int32) if uniform else net.terminals[sources]
    weight = np.zeros(0, np.int64) if uniform else net.sinks.astype(np.int64)
    batches, links = _batches(terminals, stands_for), _links(net)
    threads = processors(len(batches))
    done = itertools.count(1)
    eccentricity = np.zeros(sources.size, np.int64)

    def part(thread: int) -> I64:
        """Pairs at each distance from one thread's share of the sources."""
        counts = np.zeros((2, routers), np.int64)
        changed, touched, mark = (np.zeros(routers, np.int32) for _ in range(3))
        work = Work(*_rows(routers), changed, touched, mark, np.zeros(2, np.int64))
        for batch in batches[thread::threads]:
            far = np.zeros(batch.size, np.int32)
            times = int(stands_for[batch[0]])
            factor = times * int(terminals[batch[0]])
            search_batch(links, work, sources[batch].astype(np.int32), weight, times, factor, counts, far)
            eccentricity[batch] = far
            progress(next(done), len(batches))
        return counts

    counts: I64 = np.sum(share(part, range(threads), threads), axis=0)
    counts[0, 0] = stands_for.sum()
    if uniform:
        counts[1] = counts[0] * (int(net.terminals[0]) * int(net.sinks[0]))
    else:
        counts[1, 0] = (net.terminals[sources].astype(np.int64) * net.sinks[sources] * stands_for).sum()
    eccentricity[eccentricity >= UNREACHED] = -1
    return counts, eccentricity


def _search_each(net: Network | Implicit, sources: I64, stands_for: I64, progress: Progress) -> tuple[I64, I64]:
    """(counts and terminal counts (2, levels) of all pairs (source, router), each counted as many times as its source
    stands for, eccentricities (S,) of the sources), one search after the other.
    """
    done = itertools.count(1)

    def part(thread: int) -> list[tuple[int, I64, int]]:
        """(source, pairs at each distance, eccentricity) of one thread's share of the sources."""
        searcher, results = searchers[thread], []
        for i in range(thread, sources.size, threads):
            found, order = searcher.search(int(sources[i]))
            both = np.stack([found, found])
            if isinstance(net, Network):
                sinks = np.add.reduceat(net.sinks[order], found.cumsum() - found, dtype=np.int64)
                both[1] = sinks * int(net.terminals[sources[i]])
            far = found.size - 1 if order.size == net.routers else -1
            results.append((i, both * stands_for[i], far))
            progress(next(done), sources.size)
        return results

    threads = processors(sources.size)
    searchers = [_Searcher(net) for _ in range(threads)]  # here, since compiling is not for several threads at once
    results = [r for found in share(part, range(threads), threads) for r in found]
    counts = np.zeros((2, max((both.shape[1] for _, both, _ in results), default=0)), np.int64)
    eccentricity = np.zeros(sources.size, np.int64)
    for i, both, far in results:
        counts[:, : both.shape[1]] += both
        eccentricity[i] = far
    return counts, eccentricity


def _sources(net: Network | Implicit) -> tuple[I64, I64]:
    """(sources that all pairs need, routers each stands for): one of each orbit, or all where that is less work."""
    if net.orbits is not None:
        orbits = net.orbits.size.size
        by_orbit = min(orbits, SEARCHES_A_BATCH * _batches_of(net, *net.orbits))
        if net.routers < SMALL or by_orbit * BITS <= SEARCHES_A_BATCH * net.routers:
            return net.orbits.representative, net.orbits.size
    return np.arange(net.routers, dtype=np.int64), np.ones(net.routers, np.int64)


def _batches_of(net: Network | Implicit, sources: I64, stands_for: I64) -> int:
    """Batches of a search together; as many as sources where there is no table to search together."""
    return sources.size if isinstance(net, Implicit) else len(_batches(net.terminals[sources], stands_for))


def _work_space(net: Network | Implicit, sources: I64, stands_for: I64) -> tuple[bool, int]:
    """Whether the sources are searched together, and the bytes it takes: where this is less work, and fits memory."""
    size = search_bytes(net.routers, net.ports, sources.size)
    if sources.size == net.routers:
        return True, size
    batches = _batches_of(net, sources, stands_for)
    if net.routers < SMALL or SEARCHES_A_BATCH * batches >= sources.size:
        return False, size
    more = _together_bytes(net.routers, net.ports, batches)
    return (True, more) if more <= available_bytes() else (False, size)


def _chain(net: Network | Implicit, searches: int) -> tuple[I64, I64] | None:
    """(counts and terminal counts (2, levels), eccentricity of each router) of a long path or ring; None of others."""
    if net.routers < SMALL or searches == 1 or net.ports > MOST_PORTS:
        return None
    return chain_figures(net if isinstance(net, Network) else tabulated(net))


def _product(net: Network | Implicit, searches: int, progress: Progress) -> tuple[I64, I64, int] | None:
    """The same of a large product of axes (`axes_of`), and the searches that the axes took; None of others."""
    if net.routers < SMALL or searches == 1 or isinstance(net, Implicit):
        return None

    def of_axis(axis: I32) -> tuple[I64, I64, int]:
        """Pairs at each distance along one axis, the greatest distance, and how many searches it took."""
        ones = np.ones(len(axis), np.int32)
        table = Table(axis, ones, ones, net.directed)
        found = chain_figures(table)
        counts, far = found or _search_together(table, np.arange(len(axis)), ones.astype(np.int64), progress)
        return counts[0], far, 1 if found else len(axis)

    return product_figures(net, of_axis)


def distance_counts(
    net: Network | Implicit, sources: I64 | None = None, *, progress: Progress = silent
) -> DistanceFigures:
    """The exact distance figures of a network, over all ordered pairs of routers.

    net: a network as arrays or implicit; directed ones are followed along their channels. sources: (S,) router
    numbers to search from instead of all. progress: see `Progress`. Raises JumpnetError for a source out of range, and
    when the work space would not fit memory. Cost: one breadth-first search per orbit, 256 at a time where there are
    many of them and room for it, else one after the other; R/256 times 256 searches when orbits are unknown or so many
    that this is less work. Of large products of axes, such as meshes, the axes alone are searched.

    >>> from jumpnet.topology import build
    >>> figures = distance_counts(build("torus:4x4"))
    >>> figures.counts, figures.diameter, str(figures.average)
    ((16, 64, 96, 64, 16), 4, '32/15')
    """
    if sources is None:
        searched, stands_for = _sources(net)
    else:
        searched = np.asarray(sources, np.int64).reshape(-1)
        stands_for = np.ones(searched.size, np.int64)
        if searched.size and not 0 <= searched.min() <= searched.max() < net.routers:
            raise JumpnetError(f"source {searched.max()} found, routers 0 to {net.routers - 1} expected")
    together, size = _work_space(net, searched, stands_for)
    require(size, f"the search of {net.routers:,} routers")
    searches = searched.size
    chain = _chain(net, searches) if sources is None else None
    product = _product(net, searches, progress) if sources is None and chain is None else None
    if chain is not None:
        counts, far, searches = chain[0], chain[1][searched], 1
    elif product is not None:
        counts, far, searches = product[0], product[1][searched], product[2]
    elif together:
        table = tabulated(net) if isinstance(net, Implicit) else net
        counts, far = _search_together(table, searched, stands_for, progress)
    else:
        counts, far = _search_each(net, searched, stands_for, progress)
    if isinstance(net, Implicit):
        injecting = int(stands_for.sum())
        terminal_pairs = injecting * net.routers
    else:
        injecting = int((net.terminals[searched] * stands_for).sum())
        terminal_pairs = injecting * int(net.sinks.sum(dtype=np.int64))
    return DistanceFigures(
        routers=net.routers,
        sources=int(stands_for.sum()),
        counts=_trimmed(counts[0]),
        terminal_counts=_trimmed(counts[1]),
        terminal_pairs=terminal_pairs,
        injecting=injecting,
        searched=searched,
        stands_for=stands_for,
        eccentricity=far,
        searches=searches,
    )


@public
def distances_from(net: Network | Implicit, source: int) -> I32:
    """(R,) distance in channels from router `source` to every router, -1 where there is no path.

    Raises JumpnetError for a router out of range. Cost: one breadth-first search, O(R P).

    >>> from jumpnet.topology import build
    >>> distances_from(build("torus:5"), 0).tolist()
    [0, 1, 2, 2, 1]
    """
    if not 0 <= source < net.routers:
        raise JumpnetError(f"router {source} found, 0 to {net.routers - 1} expected")
    require(search_bytes(net.routers, net.ports, 1) + 4 * net.routers, f"the search of {net.routers:,} routers")
    counts, order = _Searcher(net).search(source)
    distance = np.full(net.routers, -1, np.int32)
    distance[order] = np.repeat(np.arange(counts.size, dtype=np.int32), counts)
    return distance


def eccentricities(net: Network) -> I64:
    """(R,) distance from each router to the one farthest from it, -1 where it does not reach every router.

    Cost: the all-sources search, unless all routers are in one known orbit.

    >>> from jumpnet.topology import build
    >>> eccentricities(build("torus:5")).tolist()
    [2, 2, 2, 2, 2]
    """
    if net.orbits is not None and net.orbits.size.size == 1:
        return np.full(net.routers, distance_counts(net).eccentricity[0])
    require(search_bytes(net.routers, net.ports, net.routers), f"the search of {net.routers:,} routers")
    every = np.arange(net.routers, dtype=np.int64)
    return _search_together(net, every, np.ones(net.routers, np.int64), silent)[1]
