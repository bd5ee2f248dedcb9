"""What is left of a network: the kernel against one route at a time and NetworkX, and laws of nested faults."""

from __future__ import annotations

import re
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.degradation import DegradedFigures, degraded_figures
from jumpnet.analysis.routes.paths import route
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.fault.random_faults import fault_order, links_of, with_faults, working_part
from jumpnet.networks import Network
from jumpnet.routings import bind
from jumpnet.topology import build

LAYERED = "rdt.fault_tolerant:layers=least"


def _graph(net: Network) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(np.flatnonzero(net.terminals > 0).tolist())
    graph.add_edges_from((int(r), int(net.neighbor[r, p])) for r, p in np.argwhere(net.neighbor >= 0))
    return graph


def _naive(found: DegradedFigures) -> tuple[int, Fraction, Fraction, int, set[tuple[int, int]], np.ndarray]:
    """Pairs delivered, mean distance, mean and longest route, pairs not delivered, and loads, from single routes and
    searches in a graph.
    """
    net, bound = found.network, found.bound
    assert bound is not None
    graph = _graph(net)
    ends = sorted(r for r in graph if net.terminals[r] > 0)
    load, hops, far, done, longest = np.zeros((net.routers, net.ports)), 0, 0, 0, 0
    lost: set[tuple[int, int]] = set()
    for s in ends:
        distance = nx.single_source_shortest_path_length(graph, s)
        for d in ends:
            if s == d:
                continue
            try:
                taken = route(bound, s, d)
            except JumpnetError:
                lost.add((s, d))
                continue
            done, hops, far = done + 1, hops + len(taken), far + distance[d]
            longest = max(longest, len(taken))
            for hop in taken:
                load[hop.router, hop.port] += 1
    means = Fraction(far, max(1, done)), Fraction(hops, max(1, done))
    return done, *means, longest, lost, load / (len(ends) - 1)


@pytest.mark.parametrize(
    ("spec", "kind", "faults", "routing"),
    [
        ("torus:4x4", "nodes", 3, "lash"),
        ("torus:4x4", "links", 9, "up_down"),
        ("srt2d:4", "links", 4, "minimal"),
        ("rdn:3,k=1", "nodes", 4, "lash"),
        ("rdt:8", "nodes", 3, "rdt.fault_tolerant:avoid=torus"),
        ("rdt:8", "links", 70, "rdt.fault_tolerant"),
        ("rdt:8", "links", 100, "rdt.fault_tolerant"),
        ("rdt:8", "nodes", 2, LAYERED),
    ],
)
def test_figures_are_those_of_single_routes(spec: str, kind: str, faults: int, routing: str) -> None:
    net = build(spec)
    found = degraded_figures(net, kind, faults, 3, routing)
    done, distance, hops, longest, lost, load = _naive(found)
    working = net.endpoints - (faults if kind == "nodes" else 0)
    assert found.endpoints == working and found.reachable == Fraction(done, working * (working - 1))
    part = len(max(nx.connected_components(_graph(with_faults(net, kind, faults, 3)[0])), key=len))
    assert found.connected == Fraction(part * (part - 1), working * (working - 1))
    assert (found.average_distance, found.average_route, found.longest_route) == (distance, hops, longest)
    if found.verdict == "undelivered":
        named = re.fullmatch(r"no route from router (\d+) to (\d+)", found.why)
        assert named and (int(named[1]), int(named[2])) == max(lost)  # the last that failed
    assert np.allclose(found.load, load) and (found.verdict == "undelivered") == (found.reachable < found.connected)


def test_terminals_must_send_and_receive_at_the_same_routers() -> None:
    with pytest.raises(JumpnetError, match="router 0 with 2 terminals that send and 0 that receive found"):
        degraded_figures(build("fly:2,n=3"), "links", 1)


@pytest.mark.parametrize(
    ("spec", "routing"),
    [("rdt:8", LAYERED), ("rdt:8", LAYERED + ",avoid=torus"), ("rdn:3,k=1", "lash"), ("srt2d:4", "up_down")],
)
def test_every_certificate_is_accepted_and_none_without_layers(spec: str, routing: str) -> None:
    for kind, faults in (("nodes", 1), ("links", 3)):
        found = degraded_figures(build(spec), kind, faults, 1, routing)
        assert found.verdict == "free" and found.certificate is not None and found.bound is not None
        indptr, indices = dependencies(found.bound).rows
        holder = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        assert accepts(found.certificate, holder, indices)
        if found.bound.vcs > 1:  # the negative control: all layers on one channel
            assert degraded_figures(build(spec), kind, faults, 1, routing, vcs=1).verdict == "deadlock"


def test_an_alternative_torus_is_whole() -> None:
    """With one node of a rank-1 torus faulty, `avoid=torus` takes no rank-1 step of that torus any more."""
    net = build("rdt:8")
    upper = net.link_class.max(axis=1) // 4  # the one upper rank of each router
    victim = int(np.flatnonzero(upper == 1)[0])
    broken = degraded(net, routers=[victim])
    graph = nx.Graph((int(r), int(net.neighbor[r, p])) for r, p in np.argwhere(net.link_class // 4 == 1))
    torus = nx.node_connected_component(graph, victim)

    def taken(routing: str) -> int:
        bound, count = bind(routing, broken), 0
        for s in range(0, net.routers, 3):
            for d in range(net.routers):
                if victim not in (s, d) and s != d:
                    hops = route(bound, s, d)
                    count += sum(h.link_class.startswith("rank 1") and h.router in torus for h in hops)
        return count

    assert len(torus) < (upper == 1).sum()
    assert taken("rdt.fault_tolerant:avoid=torus") == 0 < taken("rdt.fault_tolerant")


def test_faults_are_nested_and_parts_hang_together() -> None:
    net = build("mesh:4x4")
    for kind, total in (("nodes", 16), ("links", 24)):
        order = fault_order(net, kind, 5)
        assert len({tuple(f) for f in order.tolist()}) == total
        assert (with_faults(net, kind, 7, 5)[1] == order[:7]).all()
        assert (fault_order(net, kind, 6) != order).any()
    assert len(links_of(net)) == net.links
    for faults in range(0, 24, 4):
        part = working_part(with_faults(net, "links", faults, 2)[0])
        part.check()
        assert nx.is_connected(_graph(part))
    assert working_part(net) is net


def test_what_cannot_be_had_is_an_answer_only_with_faults() -> None:
    net = build("torus:4x4")
    with pytest.raises(JumpnetError, match="does not fit"):
        degraded_figures(net, routing="rdt.floating")
    with pytest.raises(JumpnetError, match="did you mean 'nodes'"):
        degraded_figures(net, "node", 1)
    with pytest.raises(JumpnetError, match="17 faulty nodes found, 0 to 16 expected"):
        degraded_figures(net, "nodes", 17)
    assert degraded_figures(net, "links", 6, 1, "torus.dateline").verdict == "undelivered"
    alone = degraded_figures(net, "nodes", 15)
    assert alone.endpoints == 1 and alone.reachable == 0 and not alone.load.any()
    far = degraded_figures(build("rdt:16"), "nodes", 25, 1, LAYERED)
    assert far.verdict == "no routing" and "passes a channel twice" in far.why
