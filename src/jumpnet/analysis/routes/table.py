"""Routing tables as files: every route of a routing between routers with terminals, as weighted lists of routers.

The form is that of SST Merlin's source routing (`topoAny.calculate_routing_table`): for each pair some (weight, path),
the path without its source. BookSim's anynet and gem5's Garnet take none. Called by `jumpnet export --format routes`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import numpy as np

from jumpnet.analysis.routes.paths import route
from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting

__all__ = ["route_table_lines", "routes_between"]

MAX_ROUTES = 1 << 22
"""Pairs times draws: some minutes, and some hundred megabytes of text."""


def routes_between(bound: BoundRouting, source: int, destination: int) -> list[tuple[float, list[int]]]:
    """The different routes of a pair with their weights (sum 1): routers after the source. Adaptive: first candidates.

    Raises JumpnetError for a route that does not arrive. Cost: one walk for each draw.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> routes_between(bind("torus.dateline", build("torus:4x4")), 0, 10)
    [(1.0, [1, 2, 6, 10])]
    """
    found: Counter[tuple[int, ...]] = Counter()
    for draw in range(bound.draws):
        hops = route(bound, source, destination, draw) if source != destination else ()
        found[tuple(int(bound.network.neighbor[hop.router, hop.port]) for hop in hops)] += 1
    return [(count / bound.draws, list(path)) for path, count in sorted(found.items())]


def route_table_lines(bound: BoundRouting) -> Iterator[str]:
    """The lines of one JSON object: source -> destination -> [[weight, path], ...], a source on each line.

    In an SST configuration, with `rows = json.load(file)`, the table is
    `{int(s): {int(d): [(w, p) for w, p in ways] for d, ways in row.items()} for s, row in rows.items()}`, which a
    function given to `topo.calculate_routing_table` returns. Virtual channels are not in it: Merlin has its own. Raises
    JumpnetError for parallel links (a list of routers does not tell them apart) and more than MAX_ROUTES routes.
    """
    net = bound.network
    for r, row in enumerate(net.neighbor):
        far = row[row >= 0]
        if len(np.unique(far)) < len(far):
            raise JumpnetError(f"{net.spec}: parallel links at router {r} found; a route table names routers only")
    sources, sinks = np.flatnonzero(net.terminals).tolist(), np.flatnonzero(net.sinks).tolist()
    count = len(sources) * len(sinks) * bound.draws
    if count > MAX_ROUTES:
        raise JumpnetError(f"{net.spec} with {bound.name}: {count} routes found, at most {MAX_ROUTES} expected")
    yield "{"
    for i, source in enumerate(sources):
        row = {str(d): routes_between(bound, source, d) for d in sinks}
        yield f'"{source}": {json.dumps(row)}{"," if i + 1 < len(sources) else ""}'
    yield "}"
