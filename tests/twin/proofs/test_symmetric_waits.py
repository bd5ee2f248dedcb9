"""What packets may wait for, found without following them all, held against the walk, set by set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency
from jumpnet.analysis.deadlock import prove as prove_module
from jumpnet.analysis.deadlock.conditions import duato
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.waiting import knots
from jumpnet.analysis.deadlock.waiting.symmetric_waits import waits_by_dimension
from jumpnet.analysis.deadlock.waiting.who_waits import follows
from jumpnet.analysis.deadlock.walks.waits import Waits
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import dependencies_by_translation
from jumpnet.routings import bind
from jumpnet.topology import build


def least_sets(waits: Waits, channel: int) -> set[int]:
    """The sets of a channel's list that hold no other one."""
    found, k = set(), int(waits.first[channel])
    while k >= 0:
        found.add(sum(int(word) << 64 * w for w, word in enumerate(waits.mask[k])))
        k = int(waits.after[k])
    return {one for one in found if not any(other != one and other & ~one == 0 for other in found)}


@pytest.mark.parametrize(
    ("name", "spec", "vcs", "by", "knot"),
    [
        ("mesh.duato", "mesh:4x3", 1, "dimensions", True),
        ("mesh.duato", "mesh:4x3", 2, "dimensions", False),
        ("mesh.west_first", "mesh:3x3", 1, "dimensions", False),
        ("torus.duato", "torus:5x4", 2, "dimensions", True),
        ("hypercube.duato", "hypercube:3", 1, "translation", True),
        ("hypercube.duato", "hypercube:4", 2, "translation", False),
        ("hyperx.adaptive", "hyperx:3x3", 1, "translation", True),
        ("hyperx.adaptive", "hyperx:3x2x2", 2, "translation", False),
    ],
)
def test_sets_and_knots_are_those_of_the_walk(name, spec, vcs, by, knot) -> None:
    bound = bind(name, build(spec), vcs)
    walked = dependencies(bound, apart=False)
    assert by == "dimensions" or dependencies_by_translation(bound, job_of(bound)) is not None
    quick = replace(walked, by=by)
    slow, fast = knots.awaited_sets(walked), knots.awaited_sets(quick)
    assert by != "dimensions" or waits_by_dimension(quick) is not None
    assert all(least_sets(slow, c) == least_sets(fast, c) for c in range(len(walked.used)))
    assert knots.has_knot(walked) == knots.has_knot(quick) == knot


def test_what_does_not_fit_is_walked() -> None:
    """`mesh.o1turn_adaptive` has two STATEs, `mesh.odd_even` looks at the channel by which a packet came."""
    for name in ("mesh.o1turn_adaptive", "mesh.odd_even"):
        made = replace(dependencies(bind(name, build("mesh:3x3")), apart=False), by="dimensions")
        assert waits_by_dimension(made) is None
        assert int(knots.awaited_sets(made).used[0]) > 0


def test_one_destination_stands_for_no_others_where_not_all_routers_are_alike() -> None:
    net = build("hypercube:3")
    less = net.terminals.copy()
    less[3] = 0
    for some in ({}, {"terminals": less, "sinks": less}, {"terminals": less}, {"sinks": less}):
        bound = bind("hypercube.duato", replace(net, orbits=None, **some))
        assert (dependencies_by_translation(bound, job_of(bound)) is None) == bool(some)


def test_a_large_network_is_proved_to_deadlock_without_a_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependency, "GRID_ROUTERS", 0)
    monkeypatch.setattr(knots, "walked_waits", None)
    for module in (duato, prove_module):
        monkeypatch.setattr(module, "MEMORY_LIMIT_BYTES", 0)
    for name, spec, vcs in (("mesh.duato", "mesh:4x3", 1), ("torus.duato", "torus:5x4", 2)):
        proof = prove(bind(name, build(spec), vcs))
        assert (proof.verdict, proof.by) == ("deadlock", "dimensions") and "wait in a knot" in proof.method
        assert "packet from" in proof.explain() and np.size(proof.cycle)


def test_where_all_routers_are_alike_dependencies_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind("hyperx.adaptive", build("hyperx:3x3"), 1)
    walked = dependencies(bound, apart=False)
    length = len(order_or_cycle(*walked.rows).cycle)
    monkeypatch.setattr(prove_module, "LONG_STEPS", 0)
    monkeypatch.setattr(prove_module, "extended_dependencies", None)
    monkeypatch.setattr(prove_module, "order_or_cycle", None)
    proof = prove(bound, made=replace(walked, by="translation"))
    assert (proof.verdict, proof.by) == ("deadlock", "translation") and "wait in a knot" in proof.method
    slots = bound.network.ports
    channel = [hop.router * slots + hop.port for hop in proof.cycle]
    assert len(channel) == length == 3
    assert all(follows(walked, *hop) for hop in zip(channel, channel[1:] + channel[:1], strict=True))
