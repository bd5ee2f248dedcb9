"""Kernel: which nodes of a graph without a cycle lie ahead of one, and which behind it. Called by `all_ways`."""

from __future__ import annotations

from jumpnet.jit.linked import entry

__all__ = ["spread_both_ways"]


@entry
def spread_both_ways(there, order, ahead, behind):
    """Set ahead (N,) of all nodes that a way leads to from those set, and behind (N,) of all with a way to those set.

    there (N, P): the node that a port leads to, -1 where there is none; order (N,): nodes such that each hop leads to a
    later one.
    """
    nodes, ports = there.shape
    for i in range(nodes):
        n = order[i]
        if ahead[n]:
            for p in range(ports):
                if there[n, p] >= 0:
                    ahead[there[n, p]] = True
    for i in range(nodes):
        n = order[nodes - 1 - i]
        for p in range(ports):
            if there[n, p] >= 0 and behind[there[n, p]]:
                behind[n] = True
