"""Naive twins of path figures and of the RDT plans: plain Python, one packet at a time, searches instead of tables."""

from __future__ import annotations

from collections import Counter, deque
from fractions import Fraction

import numpy as np
from tests.naive import plain
from tests.naive.dependency import candidates, starts

from jumpnet.routings import NORMAL
from jumpnet.routings.view import DESTINATION, IN_PORT, IN_VC, NEXT_STATE, PORT, SOURCE, STATE, VC, new_head, new_out


def naive_route(bound, source, destination, draw=0):
    """Channels (router, port, vc) of one route, by calling the relation as the Python function it is."""
    net, head, out = bound.network, new_head(source, destination), new_out()
    plain.start(bound, head, draw, np.zeros(bound.view.queues, np.int64))
    here, hops = source, []
    while True:
        count = plain.relation(bound, here, head, out)
        if count == 0:
            assert here == destination
            return hops
        assert count > 0 and len(hops) < 1000
        port = int(out[0, PORT])
        hops.append((here, port, int(out[0, VC])))
        head[STATE], head[IN_PORT], head[IN_VC] = out[0, NEXT_STATE], net.far_port[here, port], out[0, VC]
        assert head[SOURCE] == source and head[DESTINATION] == destination
        here = int(net.neighbor[here, port])


def naive_lengths(bound):
    """How many (pair, draw) have each length."""
    R = bound.network.routers
    pairs = ((s, d, k) for s in range(R) for d in range(R) for k in range(bound.draws) if s != d)
    return Counter(len(naive_route(bound, *pair)) for pair in pairs)


def naive_loads(bound, pattern):
    """(R, P) channel loads: every terminal, every draw of the pattern, exact."""
    net = bound.network
    load = [[Fraction(0)] * net.ports for _ in range(net.routers)]
    at, sink = net.terminal_router, net.sink_router
    for t in range(net.endpoints):
        for k in range(pattern.draws):
            to = pattern(t, k)
            if to >= 0:
                for router, port, _ in naive_route(bound, int(at[t]), int(sink[to])):
                    load[router][port] += Fraction(1, pattern.draws)
    return np.array(load, dtype=float)


def naive_extremes(bound, source, destination):
    """(longest, expected) hops of a routing's choices, for relations that do not ask where a packet came in.

    Every draw of the start hook is as likely as the others, and so is every (router, state) that the NORMAL candidates
    lead to; the ESCAPE ones count where there is no other.
    """
    net, memo = bound.network, {}

    def after(here, state, inter):
        key = here, state, inter
        if key not in memo:
            rows = candidates(bound, source, destination, here, -1, -1, state, inter)
            entered = {(int(net.neighbor[here, port]), now, kind) for port, _, now, kind in rows}
            chosen = [e for e in entered if e[2] == NORMAL] or list(entered)
            way = {e: after(e[0], e[1], inter) for e in entered}
            longest = max((1 + most for most, _ in way.values()), default=0)
            mean = 1 + sum(way[e][1] for e in chosen) / len(chosen) if chosen else Fraction(0)
            memo[key] = longest, mean
        return memo[key]

    begin = [after(source, *drawn) for drawn in starts(bound, source, destination, queues=False)]
    return max(most for most, _ in begin), sum(mean for _, mean in begin) / len(begin)


def naive_stretch(bound):
    """The largest ratio of a route's length to the distance of its ends, by searches from every router."""
    net, worst = bound.network, Fraction(1)
    for source in range(net.routers):
        far, todo = {source: 0}, deque([source])
        while todo:
            here = todo.popleft()
            for there in net.neighbor[here].tolist():
                if there >= 0 and there not in far:
                    far[there] = far[here] + 1
                    todo.append(there)
        routes = ((d, len(naive_route(bound, source, d, k))) for d in far if d != source for k in range(bound.draws))
        worst = max(worst, *(Fraction(hops, far[d]) for d, hops in routes))
    return worst


def fragment(a, b, n, R):
    """The paper's C fragment of simple vector routing: a list of (x, y) for each rank; ties toward zero."""

    def div_2n(v):
        q, rest = divmod(abs(v), 2 * n)
        return (q + (rest > n)) * (1 if v >= 0 else -1)

    vector = []
    for _ in range(R):
        g, f = div_2n(a + b), div_2n(b - a)
        vector.append((a - (n * g - n * f), b - (n * g + n * f)))
        a, b = g, f
    return [*vector, (a, b)]


def shortest_visit(ranks_at, start, vector, descending=False):
    """Fewest base hops that pass a router of every pending upper rank and end `vector[0]` away from the start.

    `ranks_at(x, y)` is the set of ranks of a place. Breadth-first over (place, ranks still pending).
    """

    def after(x, y, left):
        while left:
            use = {max(left)} & ranks_at(x, y) if descending else left & ranks_at(x, y)
            if not use:
                break
            left = left - use
        return x, y, left

    goal = (start[0] + vector[0][0], start[1] + vector[0][1])
    begin = after(*start, frozenset(r for r, v in enumerate(vector) if r and v != (0, 0)))
    hops, todo = {begin: 0}, deque([begin])
    while todo:
        x, y, left = here = todo.popleft()
        if (x, y) == goal and not left:
            return hops[here]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = after(x + dx, y + dy, left)
            if there not in hops:
                hops[there] = hops[here] + 1
                todo.append(there)
    raise AssertionError("no way")
