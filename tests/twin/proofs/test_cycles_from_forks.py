"""Shortest cycles looked for from nodes that lead on to several, against the search from all nodes."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock.cycles import order as cycles
from jumpnet.analysis.deadlock.cycles._search import mark_forks, shortest, shortest_both_ways, trim_backward
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.terms import I32, I64


def _drawn(seed: int, nodes: int, edges: int) -> tuple[I64, I32]:
    """A graph in compressed rows."""
    code = np.unique(np.random.default_rng(seed).integers(nodes * nodes, size=edges))
    return np.searchsorted(code // nodes, np.arange(nodes + 1)), (code % nodes).astype(np.int32)


@pytest.mark.parametrize(("nodes", "edges"), [(6, 7), (12, 15), (40, 60)])
def test_cycles_are_as_short(nodes: int, edges: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some cycle has no such node, all nodes are roots; from forks alone, such cycles would be missed."""
    monkeypatch.setattr(cycles, "MANY_NODES", 0)
    without_fork = missed = 0
    for seed in range(400):
        indptr, wanted = _drawn(seed, nodes, edges)
        alive, fork = np.ones(nodes, bool), np.zeros(nodes, bool)
        length = shortest(indptr, wanted, alive.copy(), np.zeros(nodes, np.int64))
        found = order_or_cycle(indptr, wanted).cycle
        assert length == (0 if found is None else len(found))
        trim_backward(indptr, wanted, alive)
        every = mark_forks(indptr, wanted, alive, fork, np.zeros(nodes, np.int32))
        by_forks = shortest_both_ways(indptr, wanted, alive, fork, np.zeros(nodes, np.int64))
        assert by_forks == length or not every
        without_fork, missed = without_fork + (not every), missed + (by_forks != length)
    assert without_fork > 20 and missed > 10
