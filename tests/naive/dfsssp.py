"""Layers of DFSSSP as Domke, Hoefler and Nagel (2011) describe them: search, move the weakest out, search anew."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise


def first_cycle(edges):
    """Edges of the first cycle of a search depth first, in order of number; from the closing one backwards, or []."""
    after = {}
    for a, b in sorted(edges):
        after.setdefault(a, []).append(b)
    done, way = set(), []

    def visit(c):
        way.append(c)
        for there in after.get(c, []):
            if there in way:
                return [*pairwise([*way[way.index(there) :], there])][::-1]
            if there not in done and (found := visit(there)):
                return found
        done.add(way.pop())
        return []

    for root in sorted(after):
        if root not in done and (found := visit(root)):
            return found
    return []


def naive_layers(paths, limit):
    """{pair: layer} and their number, 0 if above `limit`; paths = {pair: list of channels}."""
    layer = dict.fromkeys(paths, 0)
    for k in range(limit):
        while True:
            count = Counter(e for pair, path in paths.items() if layer[pair] == k for e in pairwise(path))
            cycle = first_cycle(count)
            if not cycle:
                break
            weakest = min(cycle, key=lambda edge: count[edge])
            layer.update((pair, k + 1) for pair in paths if layer[pair] == k and weakest in pairwise(paths[pair]))
        if k + 1 not in layer.values():
            return layer, k + 1
    return layer, 0
