"""What start hooks draw: the routers that ROMM passes, each as likely, and the ways round where both are as long."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from jumpnet.analysis.routes.paths import route
from jumpnet.routings import INTERMEDIATE, bind
from jumpnet.routings.view import new_head
from jumpnet.topology import build


def _ways(net, source, destination):
    """In each dimension the coordinates on the way; round a torus the shorter one, up where both are as long."""
    for at, to, k in zip(net.coord[source], net.coord[destination], net.coord.max(axis=0) + 1, strict=True):
        step, hops = (1 if to > at else -1), abs(int(to - at))
        if net.family == "torus":
            ahead = int(to - at) % int(k)
            step, hops = (1, ahead) if 2 * ahead <= k else (-1, int(k) - ahead)
        yield [int(at + step * i) % int(k) for i in range(hops + 1)]


@pytest.mark.parametrize(
    ("name", "spec"), [("mesh.romm", "mesh:4x3"), ("torus.romm", "torus:4x5"), ("torus.romm", "torus:8")]
)
def test_every_router_of_the_box_is_equally_likely(name, spec):
    net = build(spec)
    bound = bind(name, net)
    index = {tuple(coord): r for r, coord in enumerate(net.coord.tolist())}
    for source, destination in product(range(net.routers), repeat=2):
        met = Counter()
        for draw in range(bound.draws):
            head = new_head(source, destination)
            bound.routing.start(bound.view, head, draw, np.zeros(bound.view.queues, np.int64))
            met[int(head[INTERMEDIATE])] += 1
        assert set(met) == {index[place] for place in product(*_ways(net, source, destination))}
        assert len(set(met.values())) == 1


def test_ties_are_broken_both_ways_in_each_dimension():
    """BookSim's rule: half the draws go up and half down where both ways round are as long."""
    bound = bind("torus.booksim", build("torus:4x6"))
    first = Counter(tuple(route(bound, 0, 2 + 4 * 3, draw)[hop].port for hop in (0, 2)) for draw in range(bound.draws))
    assert first == dict.fromkeys(product((0, 1), (2, 3)), bound.draws // 4)
    assert bind("torus.booksim", build("torus:5x7")).draws == 1
