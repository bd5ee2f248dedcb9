"""Who is compared in `distances`: each library's own way to breadth-first search from one source, and programs.

A library contender is a function of (network) that returns a function of a source that gives the sum of the distances
from it; building the library's graph is not part of the time. A missing library raises ImportError.
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network

Search = Callable[[int], int]


def _links(net: Network) -> np.ndarray:
    """(links, 2) each link once."""
    rows, ports = np.nonzero(net.neighbor >= 0)
    pairs = np.stack([rows, net.neighbor[rows, ports]], axis=1)
    return pairs[pairs[:, 0] < pairs[:, 1]]


def networkx(net: Network) -> Search:
    """NetworkX: single_source_shortest_path_length."""
    import networkx as nx

    graph = nx.Graph(_links(net).tolist())
    return lambda source: sum(nx.single_source_shortest_path_length(graph, source).values())


def scipy(net: Network) -> Search:
    """SciPy: breadth_first_order, and the levels from its predecessors with NumPy."""
    from scipy.sparse import coo_array, csgraph

    rows, ports = np.nonzero(net.neighbor >= 0)
    ones = np.ones(rows.size, np.int8)
    graph = coo_array((ones, (rows, net.neighbor[rows, ports])), shape=(net.routers, net.routers)).tocsr()
    place = np.empty(net.routers, np.int64)

    def search(source: int) -> int:
        order, before = csgraph.breadth_first_order(graph, source)
        place[order] = np.arange(order.size)
        parents = place[before[order[1:]]]  # ascending: a level ends where parents leave the level before
        total, begin, end, level = 0, 0, 1, 0
        while end < order.size:
            level += 1
            begin, end = end, 1 + int(np.searchsorted(parents, end))
            total += level * (end - begin)
        return total

    return search


def igraph(net: Network) -> Search:
    """igraph: Graph.distances."""
    import igraph as ig

    graph = ig.Graph(net.routers, _links(net).tolist())
    return lambda source: sum(graph.distances(source=[source])[0])


def networkit(net: Network) -> Search:
    """networkit: distance.BFS without paths."""
    import networkit as nk

    graph = nk.Graph(net.routers)
    for u, v in _links(net).tolist():
        graph.addEdge(u, v)

    def search(source: int) -> int:
        run = nk.distance.BFS(graph, source, False)
        run.run()
        return int(np.asarray(run.getDistances()).sum())

    return search


LIBRARIES: dict[str, Callable[[Network], Search]] = {
    "NetworkX": networkx,
    "SciPy and NumPy": scipy,
    "igraph": igraph,
    "networkit": networkit,
}


class Program:
    """An outside program that takes an edge list file, one `u v` a line, and searches from all sources.

    It may print `cpu_seconds X`, the time of its search without reading the file, and `sum N`, the distances of all
    ordered pairs; without the first the CPU time of the whole program counts.
    """

    def __init__(self, path: str, net: Network):
        if not os.access(path, os.X_OK):
            raise JumpnetError(f"program {path!r} found, an executable file expected")
        self._path = path
        self._folder = tempfile.TemporaryDirectory()
        self._file = Path(self._folder.name) / "links.edges"
        np.savetxt(self._file, _links(net), fmt="%d")

    def run(self) -> tuple[float, int | None]:
        """(CPU seconds, sum of all distances or None)."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self._path, str(self._file)], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise JumpnetError(f"program {self._path} ended with status {done.returncode}")
        said = dict(line.split()[:2] for line in done.stdout.splitlines() if len(line.split()) == 2)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        total = int(said["sum"]) if "sum" in said else None
        return float(said.get("cpu_seconds", seconds)), total
