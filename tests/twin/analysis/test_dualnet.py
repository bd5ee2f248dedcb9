"""Halvings of recursive dual-nets, counted link by link, against Theorem 1 of the RDN paper."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.naive import distances as naive

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.dualnet import algorithm_1, dual_halving
from jumpnet.analysis.routes.paths import path_figures
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind, default_routing
from jumpnet.topology import build
from jumpnet.topology.rdn import over


@pytest.mark.parametrize(
    ("base", "k"), [("torus:4", 1), ("torus:8", 1), ("torus:3", 2), ("hypercube:3", 1), ("torus:2", 2)]
)
def test_the_halving_cuts_as_many_links_as_it_says(base, k):
    found = dual_halving(build(base), k)
    net = over(build(base), k)
    half = found.half
    assert half is not None
    assert len(half) == found.routers == net.routers
    assert 2 * int(half.sum()) == net.routers
    crossing = sum(1 for r in range(net.routers) for s in net.neighbor[r] if s >= 0 and half[r] != half[s])
    assert crossing == 2 * found.links


@pytest.mark.parametrize(("base", "k"), [("torus:3", 2), ("torus:3", 3), ("torus:5x5", 2), ("torus:8", 1)])
def test_theorem_1_is_not_the_least_halving(base, k):
    found = dual_halving(build(base), k)
    assert found.links < found.claimed


def test_theorem_1_holds_where_every_halving_was_tried():
    found = dual_halving(build("torus:3"), 1)
    assert found.links == found.claimed


def test_k_from_one():
    with pytest.raises(JumpnetError, match="k=0 found"):
        dual_halving(build("torus:3"), 0)


def _walked(net, path):
    assert all(b in net.neighbor[a].tolist() for a, b in pairwise(path))
    return len(path) - 1


@pytest.mark.parametrize("spec", ["rdn:3,k=1", "rdn:4,k=1,base=complete", "rdn:3x2,k=1"])
def test_algorithm_1_as_printed_takes_shortest_paths(spec):
    net = build(spec)
    distance = naive.all_distances(net)
    for u in range(net.routers):
        for v in range(net.routers):
            path = algorithm_1(net, u, v)
            assert (path[0], path[-1], _walked(net, path)) == (u, v, distance[u][v])


def test_algorithm_1_is_the_papers_example():
    """(0,(0,0,0),(0,0,0)) to (1,(1,2,2),(0,2,2)) over u' = (0,(0,0,0),(1,2,2)) and v' = (1,(1,2,2),(0,0,0))."""
    net = build("rdn:3,k=2")
    path = algorithm_1(net, 0, 324 + 17 * 18 + 8)
    assert _walked(net, path) == 8
    assert path[3:5] == [17, 324 + 17 * 18]
    assert path[-2] == 324 + 17 * 18 + 17, "w = (1,2,2), which v has its cross edge to"


def test_the_larger_the_searched_level_the_better_the_halving():
    assert dual_halving(build("torus:5"), 3).links == 5000 * 626


def test_algorithm_1_routes_dual_nets_and_dual_cubes_by_default():
    for spec in ("rdn:3,k=1", "rdn:5x5,k=1", "dualcube:4"):
        assert default_routing(build(spec)) == "rdn.recursive"
    found = path_figures(bind("rdn.recursive", build("dualcube:3")))
    assert found.average == found.shortest_average
    assert prove(bind("rdn.recursive", build("dualcube:3"))).verdict == "free"


def test_algorithm_1_routes_only_where_the_ids_swap():
    for cross in ("exchanged", "same"):
        net = build(f"rdn:3,k=1,cross={cross}")
        assert default_routing(net) in ("lash:paths=balanced", "up_down")  # apart with `same`
        with pytest.raises(JumpnetError, match="cross=swap"):
            bind("rdn.recursive", net)
