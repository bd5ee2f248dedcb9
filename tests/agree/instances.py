"""Networks of up to 8 routers with routings, drawn by number: the same number is the same instance on every machine.

A drawn routing is a table of rows: how many candidates, then (port, vc, next state, kind) of each. What picks the row
is its relation: destination and router, the STATE that the start hook and the candidates set, or the port of arrival.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from tests.agree.bubbles import bubbles
from tests.agree.tables import Row, by_arrival, by_router, by_state, first_state, tabled

from jumpnet.networks import Network, from_links
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.view import ESCAPE, NORMAL
from jumpnet.topology import build


class Instance(NamedTuple):
    """One network with one routing."""

    number: int
    kind: str
    bound: BoundRouting


def drawn_network(draw: random.Random, least: int = 3, most: int = 8) -> Network:
    """A connected network, one-way or two-way, of degree 2 to 4; packets come and go everywhere, or at some routers."""
    n, directed = draw.randint(least, most), draw.random() < 0.4
    order = draw.sample(range(n), n)
    if directed or draw.random() < 0.5:
        ends = [(a, b) for a, b in zip(order, order[1:] + order[:1], strict=True)]
    else:
        ends = [(order[k], draw.choice(order[:k])) for k in range(1, n)]
    degree = np.bincount(np.reshape(ends, -1), minlength=n)
    for _ in range(draw.randint(0, n)):
        a, b = draw.sample(range(n), 2)
        if (a, b) not in ends and (directed or (b, a) not in ends) and max(degree[a], degree[b]) < 4:
            ends.append((a, b))
            degree[[a, b]] += 1
    terminals = np.ones(n, np.int32)
    if draw.random() < 0.3:
        terminals[draw.sample(range(n), draw.randint(1, n - 2))] = 0
    return from_links(f"drawn-{n}", "drawn", n, np.array(ends), directed=directed, terminals=terminals)


def _hops(net: Network) -> np.ndarray:
    """(R, R) hops from a router to another, by relaxing until nothing changes."""
    hops = np.full((net.routers, net.routers), 99)
    np.fill_diagonal(hops, 0)
    for _ in range(net.routers):
        for r, p in zip(*np.nonzero(net.neighbor >= 0), strict=True):
            hops[r] = np.minimum(hops[r], 1 + hops[net.neighbor[r, p]])
    return hops


def _ports(net: Network, r: int) -> list[int]:
    return [p for p in range(net.ports) if net.neighbor[r, p] >= 0]


def _nearer(net: Network, hops: np.ndarray, r: int, d: int) -> list[int]:
    """Ports of router r on a shortest path to d."""
    return [p for p in _ports(net, r) if hops[net.neighbor[r, p], d] == hops[r, d] - 1]


def _tree(draw: random.Random, net: Network, d: int) -> dict[int, int]:
    """A port for each router other than d, drawn so that they lead to d, not by shortest paths."""
    port: dict[int, int] = {}
    while len(port) < net.routers - 1:
        inside = {d, *port}
        r, p = draw.choice([(r, p) for r in range(net.routers) if r not in inside for p in _ports(net, r)])
        if int(net.neighbor[r, p]) in inside:
            port[r] = p
    return port


def table_minimal(draw: random.Random) -> BoundRouting:
    """One port of a shortest path, one channel, for each destination and router."""
    net, vcs = drawn_network(draw), draw.randint(1, 2)
    hops = _hops(net)
    pairs = product(range(net.routers), repeat=2)
    rows = [[] if r == d else [(draw.choice(_nearer(net, hops, r, d)), draw.randrange(vcs), 0, 0)] for d, r in pairs]
    return tabled(net, by_router, rows, vcs)


def table_detours(draw: random.Random) -> BoundRouting:
    """A drawn tree to each destination, one channel."""
    net, vcs = drawn_network(draw), draw.randint(1, 2)
    rows: list[Row] = []
    for d in range(net.routers):
        port = _tree(draw, net, d)
        rows += [[] if r == d else [(port[r], draw.randrange(vcs), 0, 0)] for r in range(net.routers)]
    return tabled(net, by_router, rows, vcs)


def _walk(draw: random.Random, net: Network, hops: np.ndarray, s: int, d: int, minimal: bool) -> list[tuple[int, int]]:
    """A path of (router, port) without a router twice."""
    while True:
        here, path, seen = s, [], {s}
        while here != d:
            ports = _nearer(net, hops, here, d) if minimal or draw.random() < 0.5 else _ports(net, here)
            ports = [p for p in ports if int(net.neighbor[here, p]) not in seen]
            if not ports:
                break
            port = draw.choice(ports)
            path.append((here, port))
            here = int(net.neighbor[here, port])
            seen.add(here)
        if here == d:
            return path


def _paths(draw: random.Random, minimal: bool) -> BoundRouting:
    """A path drawn for each pair and draw, which the packet keeps to; channels drawn hop by hop."""
    net, vcs, draws = drawn_network(draw), draw.randint(1, 2), draw.choice([1, 1, 2])
    hops, rows, starts = _hops(net), [[]], np.zeros((draws, net.routers, net.routers), np.int64)
    ends = [r for r in range(net.routers) if net.terminals[r]]
    kept = draw.choice([1.0, 1.0, 0.5])  # of the packets, those with a path of their own; the others have any
    for k, s, d in product(range(draws), ends, ends):
        if s == d:
            continue
        path = _walk(draw, net, hops, s, d, minimal or draw.random() > kept)
        starts[k, s, d] = len(rows)
        for i, (_, port) in enumerate(path):
            rows.append([(port, draw.randrange(vcs), len(rows) + 1 if i + 1 < len(path) else 0, NORMAL)])
    more = {"starts": starts.ravel(), "start": first_state, "draws": lambda net, options: draws}
    return tabled(net, by_state, rows, vcs, **more)


def paths_minimal(draw: random.Random) -> BoundRouting:
    """A shortest path for each pair."""
    return _paths(draw, True)


def paths_detours(draw: random.Random) -> BoundRouting:
    """Any path for each pair."""
    return _paths(draw, False)


def walks(draw: random.Random) -> BoundRouting:
    """Walks that may turn back, of few pairs, with a choice at some hops: packets that stand in each other's way."""
    net = drawn_network(draw, 3, 6)
    n, vcs, most, choice = net.routers, draw.choice([1, 1, 2]), draw.randint(1, 5), draw.choice([0, 0.3, 0.6, 0.9])
    ends = draw.sample(range(n), draw.choice([2, 2, 3]))
    terminals = np.zeros(n, np.int32)
    terminals[ends] = 1
    net = replace(net, terminals=terminals, sinks=terminals)
    hops, rows, starts = _hops(net), [[]], np.zeros((n, n), np.int64)
    for s, d in product(ends, ends):
        known: dict[tuple[int, int], int] = {}

        def row_of(r: int, left: int, d: int = d, known: dict[tuple[int, int], int] = known) -> int:
            """The number of the row of a packet at r with so many hops of its own liking left, added if it is new."""
            if (r, left) not in known:
                known[r, left] = len(rows)
                rows.append([])
                ports = _ports(net, r) if left > 0 else _nearer(net, hops, r, d)
                some = draw.sample(ports, min(len(ports), 2 if draw.random() < choice else 1))
                rows[known[r, left]] = [
                    (p, draw.randrange(vcs), row_of(int(net.neighbor[r, p]), max(0, left - 1)), NORMAL) for p in some
                ]
            return known[r, left]

        known[d, 0] = 0
        starts[s, d] = row_of(s, draw.randint(0, most)) if s != d else 0
    return tabled(net, by_state, rows, vcs, starts=starts.ravel(), start=first_state)


def adaptive(draw: random.Random) -> BoundRouting:
    """Some of the channels of all shortest paths."""
    net, vcs = drawn_network(draw, 4), draw.randint(1, 3)
    hops, share, rows = _hops(net), draw.choice([0.3, 0.6, 1.0]), []
    for d, r in product(range(net.routers), repeat=2):
        all_of = [(p, v, 0, NORMAL) for p in _nearer(net, hops, r, d) for v in range(vcs)]
        rows.append([c for c in all_of if draw.random() < share] or all_of[:1])
    return tabled(net, by_router, rows, vcs)


def adaptive_detours(draw: random.Random) -> BoundRouting:
    """All shortest paths, and one or two hops by any other port; STATE counts them."""
    net, vcs, most = drawn_network(draw, 3, 6), draw.randint(1, 2), draw.randint(1, 2)
    hops, n, rows = _hops(net), net.routers, []
    for left, d, r in product(range(most + 1), range(n), range(n)):
        near = _nearer(net, hops, r, d) if r != d else []
        row = [(p, draw.randrange(vcs), (left * n + d) * n + int(net.neighbor[r, p]), NORMAL) for p in near]
        for p in _ports(net, r) if left and r != d and draw.random() < 0.7 else ():
            if p not in near:
                row.append((p, draw.randrange(vcs), ((left - 1) * n + d) * n + int(net.neighbor[r, p]), NORMAL))
        rows.append(row)
    starts = [(most * n + d) * n + s for s, d in product(range(n), repeat=2)]
    return tabled(net, by_state, rows, vcs, starts=starts, start=first_state)


def _escapes(draw: random.Random, net: Network, hops: np.ndarray, strong: bool) -> dict[tuple[int, int], int]:
    """The port of the escape of each (destination, router): up and down one tree, else any shortest path."""
    n = net.routers
    if not strong or net.directed:
        pairs = [(d, r) for d, r in product(range(n), repeat=2) if d != r]
        return {(d, r): draw.choice(_nearer(net, hops, r, d)) for d, r in pairs}
    up, port = _tree(draw, net, 0), {}
    for d in range(n):
        above, at = {}, d
        while at != 0:
            p = up[at]
            above[int(net.neighbor[at, p])] = int(net.far_port[at, p])
            at = int(net.neighbor[at, p])
        port.update({(d, r): above.get(r, up.get(r, 0)) for r in range(n) if r != d})
    return port


def escapes(draw: random.Random, on: Network | None = None) -> BoundRouting:
    """Shortest paths on all channels but 0, where the escapes are; who takes one may have to stay. On: a network."""
    net, vcs, stays = on or drawn_network(draw, 5), draw.randint(2, 3), draw.random() < 0.5
    hops, n = _hops(net), net.routers
    port, rows = _escapes(draw, net, hops, draw.random() < 0.8), []
    some = draw.choice([0.0, 0.0, 0.0, 0.2])
    for fixed, d, r in product(range(2), range(n), range(n)):
        row: Row = []
        for p in _nearer(net, hops, r, d) if d != r and not (fixed and stays) else ():
            row += [(p, v, (fixed * n + d) * n + int(net.neighbor[r, p]), NORMAL) for v in range(1, vcs)]
        if d != r and (not row or draw.random() >= some):
            row.append((port[d, r], 0, (n + d) * n + int(net.neighbor[r, port[d, r]]), ESCAPE))
        rows.append(row)
    starts = [d * n + s for s, d in product(range(n), repeat=2)]
    return tabled(net, by_state, rows, vcs, starts=starts, start=first_state)


def turns(draw: random.Random) -> BoundRouting:
    """Shortest ways without some turns: all of them, or one channel of one; a grid, or any network."""
    grid = draw.random() < 0.5
    net = build(draw.choice(["mesh:2x2", "mesh:3x2", "mesh:4x2", "mesh:2x2x2"])) if grid else drawn_network(draw)
    n, far = net.routers, 99
    channels = [(r, p) for r in range(n) for p in _ports(net, r)]
    all_turns = [(a, b) for a in channels for b in channels if b[0] == net.neighbor[a] and net.neighbor[b] != a[0]]
    banned = set(draw.sample(all_turns, round(len(all_turns) * draw.choice([0.2, 0.4, 0.6]))))
    vcs, every = draw.randint(1, 2), draw.random() < 0.5
    while True:
        free = [turn for turn in all_turns if turn not in banned]
        ahead = {(c, d): 0 if net.neighbor[c] == d else far for c in channels for d in range(n)}
        for _, (a, b), d in product(range(len(channels)), free, range(n)):
            if net.neighbor[a] != d:
                ahead[a, d] = min(ahead[a, d], 1 + ahead[b, d])
        if all(min(ahead[c, d] for c in channels if c[0] == r) < far for r in range(n) for d in range(n) if r != d):
            break
        banned -= set(draw.sample(sorted(banned), 1))
    rows: list[Row] = []
    arrivals = int(net.far_port.max()) + 1
    for r, q, d in product(range(n), range(-1, arrivals), range(n)):
        came = [c for c in channels if net.neighbor[c] == r and net.far_port[c] == q]
        may = [c for c in channels if c[0] == r and (q < 0 or any((a, c) not in banned for a in came[:1]))]
        if came:
            may = [c for c in may if (came[0], c) in free]
        best = min((ahead[c, d] for c in may), default=far)
        good = [c[1] for c in may if ahead[c, d] == best < far] if r != d and (q < 0 or came) else []
        rows.append([(p, draw.randrange(vcs), 0, NORMAL) for p in (good if every else good[:1])])
    return tabled(net, by_arrival, rows, vcs, starts=[arrivals + 1])


SHIPPED = [
    ("torus:{n}", "torus.dimension_order", (1, 2)), ("torus:{n}", "torus.dateline", (1, 2)),
    ("torus:{n}", "torus.booksim", (1, 2, 3)), ("torus:{n}", "torus.booksim:middle=shared", (1, 3)),
    ("torus:{n}", "torus.duato", (1, 2, 3)),
    ("torus:{n}", "torus.valiant", (1, 2, 4)), ("torus:{n}", "torus.romm", (1, 2)),
    ("torus:4x2", "torus.dateline", (1, 2)), ("torus:4x2", "torus.duato", (1, 2, 3)),
    ("torus:3x2", "torus.ugal", (1, 4)), ("mesh:4x2", "mesh.dimension_order", (1,)),
    ("mesh:4x2", "mesh.west_first", (1,)), ("mesh:4x2", "mesh.north_last", (1,)),
    ("mesh:4x2", "mesh.negative_first", (1,)), ("mesh:4x2", "mesh.odd_even", (1,)),
    ("mesh:3x2", "mesh.duato", (1, 2, 3)), ("mesh:2x2x2", "mesh.duato", (1, 2)),
    ("mesh:3x2", "mesh.valiant", (1, 2)), ("mesh:3x2", "mesh.romm", (1, 2)), ("mesh:3x2", "mesh.ugal", (1, 2)),
    ("hypercube:3", "hypercube.ecube", (1,)), ("hypercube:3", "hypercube.duato", (1, 2)),
    ("hypercube:3", "hypercube.valiant", (1, 2)), ("hypercube:3", "hypercube.ugal", (1, 2)),
    ("debruijn:2,n=3", "debruijn.shift", (1, None)), ("debruijn:2,n=3,directed=true", "debruijn.shift", (1, None)),
    ("kautz:2,n=2", "kautz.shift", (1, None)), ("kautz:2,n=2,directed=true", "kautz.shift", (1, None)),
    ("star:3", "star.sort", (1, None)), ("fly:2,n=2", "fly.destination_tag", (1,)),
    ("fattree:2,n=2", "fattree.nca", (1,)), ("hyperx:3x2", "hyperx.dimension_order", (1,)),
    ("hyperx:3x2", "hyperx.adaptive", (1, 2)), ("hyperx:3x2", "hyperx.valiant", (1, 2)),
    ("dragonfly:1", "dragonfly.minimal", (1, None)), ("dragonfly:1", "dragonfly.valiant", (1, 2, None)),
    ("dragonfly:1", "dragonfly.ugal", (2, None)), ("dragonfly:1", "dragonfly.par", (2, None)),
    ("{any}", "up_down", (1,)), ("{any}", "up_down:ports=all", (1, 2)), ("{any}", "lash", (1, None)),
    ("{any}", "dfsssp", (1, None)), ("{any}", "nue", (1, 2)), ("{any}", "minimal", (1,)),
    ("{any}", "minimal:ports=all", (1, 2)),
]  # fmt: skip


def shipped(draw: random.Random) -> BoundRouting:
    """A routing of the package on a tiny network, with the channels it needs or fewer."""
    spec, name, vcs = draw.choice(SHIPPED)
    d = draw.choice([3, 3, 4])
    spec = spec.format(n=draw.randint(3, 8), any=f"random:{draw.choice([6, 8])},d={d},seed={draw.randrange(1000)}")
    return bind(name, build(spec), draw.choice(vcs))


KINDS: dict[str, Callable[[random.Random], BoundRouting]] = {
    "minimal tables": table_minimal,
    "tables with detours": table_detours,
    "a shortest path for each pair": paths_minimal,
    "any path for each pair": paths_detours,
    "walks that turn back": walks,
    "adaptive, shortest paths": adaptive,
    "adaptive, with detours": adaptive_detours,
    "escape channels": escapes,
    "banned turns": turns,
    "bubbles": bubbles,
    "shipped": shipped,
}


def instance(number: int, seed: int = 0, kind: str = "") -> Instance:
    """The instance of a number, of a kind or of that whose turn it is."""
    kind = kind or list(KINDS)[number % len(KINDS)]
    bound = KINDS[kind](random.Random(f"{seed}/{number}"))
    return Instance(number, kind, bound)
