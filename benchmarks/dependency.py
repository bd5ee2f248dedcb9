"""Cycle search on channel dependency graphs, beside NetworkX on the same graph; and the graph's own cost.

CPU seconds, the better of `--rounds`, kernels warm. `graph`: finding all dependencies. `order`: numbering the channels
or finding a shortest cycle. `same`: the same answer by NetworkX, on a DiGraph of the same edges, whose building is not
counted: `topological_sort` where there is no cycle, else a shortest cycle by a breadth-first search from each channel
to less than the best so far. `any`: `is_directed_acyclic_graph`, or `find_cycle`, which stops at the first cycle it
meets, however long. `ratio`: same / order.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.routings import bind
from jumpnet.topology import build

CASES = [
    "torus:16x16/torus.dateline",
    "torus:16x16/torus.dimension_order",
    "torus:32x32/torus.dateline",
    "torus:32x32/torus.dimension_order",
    "torus:16x16x16/torus.dateline",
    "rdt:64/rdt.deadlock_free",
    "rdt:64/rdt.floating",
    "random:256,d=8,seed=1/minimal",
]


def _best(rounds: int, run: Callable[[], object]) -> float:
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return min(times)


def _same(graph: Any, acyclic: bool) -> object:
    """A numbering of the nodes, or the length of a shortest cycle."""
    import networkx as nx

    if acyclic:
        return {n: k for k, n in enumerate(nx.topological_sort(graph))}
    best = len(graph) + 1
    for n in graph:
        depth = nx.single_source_shortest_path_length(graph, n, cutoff=best - 2)
        best = min([best, *(depth[m] + 1 for m in graph.predecessors(n) if m in depth)])
    return best


def _any(graph: Any, acyclic: bool) -> object:
    """Whether there is no cycle, or the first one met."""
    import networkx as nx

    return nx.is_directed_acyclic_graph(graph) if acyclic else nx.find_cycle(graph)


def main(words: list[str]) -> None:
    """Parse the options, measure each case, print the table."""
    import networkx as nx

    parser = argparse.ArgumentParser(prog="benchmarks dependency", description=__doc__)
    parser.add_argument("cases", nargs="*", default=CASES, help="NETWORK/ROUTING, e.g. torus:16x16/torus.dateline")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args(words)
    print(f"{'':36}{'edges':>10}{'cycle':>7}{'graph s':>9}{'order s':>9}{'same s':>9}{'any s':>9}{'ratio':>8}")
    for case in chosen.cases:
        spec, _, name = case.partition("/")
        bound = bind(name or "torus.dateline", build(spec))
        made = dependencies(bound)
        indptr, indices = made.rows
        found = order_or_cycle(indptr, indices)
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(indptr) - 1))
        holder = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        graph.add_edges_from(zip(holder.tolist(), indices.tolist(), strict=True))
        walk = _best(chosen.rounds, lambda bound=bound: dependencies(bound))  # type: ignore[misc]
        ours = _best(chosen.rounds, lambda a=indptr, b=indices: order_or_cycle(a, b))  # type: ignore[misc]
        cycle = found.cycle
        acyclic = cycle is None
        same = _best(chosen.rounds, lambda g=graph, a=acyclic: _same(g, a))  # type: ignore[misc]
        first = _best(chosen.rounds, lambda g=graph, a=acyclic: _any(g, a))  # type: ignore[misc]
        length = "-" if cycle is None else str(len(cycle))
        assert cycle is None or _same(graph, acyclic) == len(cycle)
        print(
            f"{case:36}{made.count:10,}{length:>7}{walk:9.3f}{ours:9.4f}{same:9.3f}{first:9.4f}{same / ours:8.0f}",
            flush=True,
        )
