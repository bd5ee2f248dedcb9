"""Dependencies from packets with two hops to go, beside walks over the tables of all pairs: the same, bit for bit."""

from __future__ import annotations

import importlib
from dataclasses import replace

import numpy as np
import pytest
from tests.twin.proofs.ways_to_graph.walked import assert_equal, drawn_links, walked_unless_refused

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.waiting.knots import awaited_sets
from jumpnet.analysis.deadlock.walks.waits import find_knot
from jumpnet.analysis.deadlock.ways_to_graph.dimensions import translation as translation_module
from jumpnet.analysis.deadlock.ways_to_graph.shortest import _two_hops as kernels
from jumpnet.analysis.deadlock.ways_to_graph.shortest import circles as circles_module
from jumpnet.analysis.deadlock.ways_to_graph.shortest import two_hops as two_hops_module
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, from_links, from_neighbors
from jumpnet.routings import bind
from jumpnet.routings import minimal as minimal_module
from jumpnet.terms import I64
from jumpnet.topology import build

prove_module = importlib.import_module("jumpnet.analysis.deadlock.prove")
SPECS = [
    "slimfly:5",
    "hyperx:3x4",
    "kautz:3,n=2,directed=true",
    "wk:4,t=2",
    "dragonfly:2",
    "illiac:6",
    "tree:3,height=2",
    "star:4",
]
"""Diameters of two to six, one-way links, shortest cycles of none to eight channels."""


@pytest.fixture(autouse=True)
def _at_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependency_module, "SHORTEST_ROUTERS", 0)


def _drawn(seed: int) -> Network | None:
    """A small network, one-way or both ways, perhaps with parallel links."""
    draw = np.random.default_rng(seed)
    routers = int(draw.integers(3, 12))
    if (found := drawn_links(draw, routers)) is None:
        return None
    directed, links = found
    net = from_links(f"drawn{seed}", "mine", routers, links, directed=directed)
    if directed:
        return net
    return _shuffled(net, draw)


def _shuffled(net: Network, draw: np.random.Generator) -> Network:
    """The same with ports in an order of each router's own."""
    return from_neighbors(net.spec, "mine", np.array([row[draw.permutation(net.ports)] for row in net.neighbor]))


def _agree(net: Network, name: str, vcs: int) -> str | None:
    """The verdict, where the graph is that of the walk, and with it what is said; None where the walk refuses."""
    bound = bind(name, net, vcs)
    if (walked := walked_unless_refused(bound)) is None:
        return None
    made = dependencies(bound)
    if made.by != "hops":  # a choice between ports that 64 routers do not show, or neighbors alone
        return None
    assert_equal(made, walked, (net.spec, name, vcs))
    old, proof = prove_module.prove(bound, made=walked), prove_module.prove(bound, made=made)
    assert (proof.verdict, proof.may_circle) == (old.verdict, old.may_circle)
    assert len(proof.cycle or ()) == len(old.cycle or ())
    if proof.verdict == "deadlock":  # packets can wait in a knot, as the walk sees them
        held = walked.used.copy()
        find_knot(awaited_sets(walked), walked.base, held)
        assert held.any()
    return proof.verdict


def test_packets_with_two_hops_to_go_have_all_dependencies() -> None:
    said = [
        _agree(build(spec), name, vcs)
        for spec in SPECS
        for name, vcs in (("minimal", 1), ("minimal:ports=all", 1), ("minimal:ports=all", 2))
    ]
    said += [_agree(net, ("minimal", "minimal:ports=all")[k % 2], 1 + k % 3) for k in range(120) if (net := _drawn(k))]
    assert said.count("free") > 20 and said.count("deadlock") > 40 and said.count(None) < 90


def _following(cycle: I64) -> list[tuple[int, int]]:
    """Each channel of a cycle and the next."""
    return list(zip(cycle.tolist(), np.roll(cycle, -1).tolist(), strict=True))


def test_shortest_cycles_are_found_without_a_list() -> None:
    """Of three to five channels; longer ones need the list."""
    lengths = []
    for spec in (*SPECS, "random:60,d=10,seed=1"):
        for name in ("minimal", "minimal:ports=all"):
            made = dependencies(bind(name, build(spec)))
            if made.by != "hops":
                continue
            indptr, wanted = made.rows
            cycle, found = order_or_cycle(indptr, wanted).cycle, made.short_cycle
            if found is not None:
                assert cycle is not None and len(found) == len(cycle)
                assert all(b in wanted[indptr[a] : indptr[a + 1]] for a, b in _following(found))
                lengths.append(len(found))
            else:
                assert cycle is None or len(cycle) > 4
    assert set(lengths) == {3, 4, 5}


def test_four_in_a_circle_are_not_missed() -> None:
    """Where channels that are tried lie on no circle of four, those of all packets are looked at."""
    seen, draw = [], np.random.default_rng(1)
    for spec in ("torus:4x4", "mesh:3x4", "hypercube:3", "slimfly:5") * 8:
        net = _shuffled(build(spec), draw)
        made = dependencies(bind("minimal", net, 2))
        assert made.by == "hops" and circles_module._plain(net)
        found, cycle = circles_module._of_four(net, 2, made.bits), order_or_cycle(*made.rows).cycle
        assert (found is not None) == (cycle is not None and len(cycle) == 4), net.spec
        if found is not None:
            assert all(b in made.rows[1][made.rows[0][a] : made.rows[0][a + 1]] for a, b in _following(found))
        seen.append(found is not None)
    assert sum(seen) > 10 and len(seen) - sum(seen) > 8


def test_one_router_stands_for_all_where_ports_add_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = [bind(name, build("hyperx:3x4")) for name in ("minimal", "minimal:ports=all")]
    plain = [prove_module.prove(bound) for bound in bounds]
    assert all("two hops away" in str(explain(proof)) for proof in plain)
    monkeypatch.setattr(translation_module, "SPREAD_BYTES", 0)

    def refuse(*about: object) -> None:
        raise JumpnetError("a table is too big")

    monkeypatch.setattr(minimal_module, "refuse_table", refuse)
    for bound, proof in zip(bounds, plain, strict=True):
        made = dependencies(bound)
        again = prove_module.prove(bound)
        assert made.alike and again.by == "hops"
        assert (again.verdict, again.dependencies, again.states) == (proof.verdict, proof.dependencies, proof.states)
        assert len(again.cycle or ()) == len(proof.cycle or ())
    assert [proof.verdict for proof in plain] == ["free", "deadlock"]


def test_what_is_not_so_everywhere_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Routers that are no ends, packets without a way, and hops that a routing says it does not take."""
    assert dependencies(bind("minimal", build("fattree:2,n=2"))).by == "shortest"
    assert dependencies(bind("up_down", build("mesh:3x3"))).by == "shortest"
    with pytest.raises(JumpnetError, match="no path from router"):
        dependencies(bind("minimal", from_links("halves", "mine", 4, np.array([[0, 1], [2, 3]]))))
    monkeypatch.setattr(two_hops_module, "FAR", 5)  # more hops than a table has numbers for
    assert dependencies(bind("minimal", build("mesh:2x4"))).by == "shortest"


def test_a_port_too_many_or_too_few_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison with the walk has teeth: where later ports are taken too, and where some packets are left out."""
    bound = bind("minimal", build("illiac:6"))
    walked, wait = dependencies(bound, 1, apart=False), two_hops_module.wait_two_hops

    def all_ports(neighbor, first, every, *more):  # not the first alone
        wait(neighbor, first, True, *more)

    def no_last_router(neighbor, first, every, start, stop, mark, rows):
        wait(neighbor, first, every, start, stop - 1, mark, rows)

    for broken in (all_ports, no_last_router):
        monkeypatch.setattr(two_hops_module, "wait_two_hops", broken)
        made = dependencies(bound)
        assert made.by == "hops"
        with pytest.raises(AssertionError):
            assert_equal(made, walked, "broken")
    assert kernels.wait_two_hops is wait and replace(walked).count == walked.count
