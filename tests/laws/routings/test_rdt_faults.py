"""Fault-tolerant floating routing delivers between all working routers, whatever single router or few links fail."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.routes.paths import path_figures, route
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.routings import bind
from jumpnet.routings._rdt.vectors import OWN_RADIUS
from jumpnet.topology import build


@pytest.mark.parametrize("router", range(8))
def test_any_one_router_may_fail(router):
    net = build("rdt:8")
    broken = degraded(net, routers=[router + 8 * (router % 3)])
    found = path_figures(bind("rdt.fault_tolerant", broken))
    assert found.pairs == 63 * 62
    assert found.average >= found.shortest_average


def test_ten_faults():
    net = build("rdt:16")
    draw = np.random.default_rng(7)
    routers = draw.choice(net.routers, 6, replace=False).tolist()
    ends = np.argwhere(net.neighbor >= 0)
    links = ends[draw.choice(len(ends), 4, replace=False)].tolist()
    broken = degraded(net, routers, links)
    bound = bind("rdt.fault_tolerant", broken)
    assert path_figures(bound).pairs == 250 * 249
    for hop in route(bound, *[r for r in range(net.routers) if r not in routers][::200][:2]):
        assert hop.router not in routers and broken.neighbor[hop.router, hop.port] >= 0


def test_floating_routing_meets_the_fault():
    net = build("rdt:8")
    with pytest.raises(JumpnetError, match="gives no route"):
        path_figures(bind("rdt.floating", degraded(net, routers=[9])))


def test_degraded_networks_are_networks():
    net = build("rdt:8")
    broken = degraded(net, routers=[9], links=[(0, 0)])
    broken.check()
    assert broken.endpoints == 63 and (broken.neighbor != 9).all()
    assert net.links - broken.links == net.degrees[9] + 1
    for wrong in ({"routers": [64]}, {"links": [(0, 99)]}):
        with pytest.raises(JumpnetError, match="expected"):
            degraded(net, **wrong)


def test_what_is_lost_is_counted_and_named():
    net, oneway = build("torus:4x4"), build("fly:2,n=2")
    ends = [(0, 0), (int(net.neighbor[0, 0]), int(net.far_port[0, 0]))]
    assert degraded(net, [5], ends).spec == "torus:4x4 without 1 router and 1 link"
    assert degraded(net, [5, 6]).spec == "torus:4x4 without 2 routers" and degraded(net).spec == "torus:4x4"
    two = np.argwhere(oneway.neighbor >= 0)[:2].tolist()
    assert oneway.directed and degraded(oneway, links=two).spec == f"{oneway.spec} without 2 links"


def test_every_vector_of_the_window_has_a_hop_where_nothing_is_broken() -> None:
    """From any place of the window, its border included, the table leads one hop nearer to the goal in the window."""
    bound = bind("rdt.fault_tolerant", build("rdt:16"))
    radius, first = int(bound.view.own[OWN_RADIUS]), 4 * int(bound.network.params[2])
    side = 2 * radius + 1
    window = bound.view.table[:, first : first + side * side].reshape(-1, side, side)
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    nearer = np.stack([x > 0, x < 0, y > 0, y < 0])
    for y_at in range(side):
        for x_at in range(side):
            hops = set(window[:, y_at, x_at].tolist())
            allowed = set(np.flatnonzero(nearer[:, y_at, x_at]).tolist()) or {-1}
            assert hops <= allowed, (x_at - radius, y_at - radius)


def test_a_rank_without_a_whole_torus_is_used_where_it_works() -> None:
    """Every router loses a link of rank 1: `avoid=torus` has no torus of it left to keep to, and keeps to links."""
    net = build("rdt:8")
    ends = np.argwhere((net.class_rank[net.link_class] == 1) & (net.neighbor >= 0))
    cut = [pair.tolist() for pair in ends if pair[1] == 4]
    broken = degraded(net, [], cut)
    link, torus = (bind(f"rdt.fault_tolerant:avoid={avoid}", broken).view.table[:, :4] for avoid in ("link", "torus"))
    assert len(cut) > 1 and (link == 0).any() and (link == torus).all()
