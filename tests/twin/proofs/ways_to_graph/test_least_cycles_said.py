"""How short a cycle can be, as routings say, against all packets of small networks."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.proof import SHORTEST
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.topology import build

LINES = ("hyperx:3", "hyperx:2x2", "hyperx:3x2", "hyperx:4x3", "hyperx:2x2x2", "hyperx:2x3x2", "flatfly:3,n=3")


OTHERS = [
    (1, "dragonfly.ugal_booksim", "dragonfly:2,p=1,a=4,g=9"),
    (1, "dragonfly.ugal_booksim", "dragonfly:2,p=1,a=3,g=4"),
    (2, "dragonfly.ugal_booksim", "dragonfly:2,p=1,a=4,g=9"),
    (2, "dragonfly.ugal_booksim", "dragonfly:1,p=1,a=6,g=4"),
    (3, "dragonfly.ugal_booksim", "dragonfly:2,p=1,a=4,g=9"),
    (3, "dragonfly.ugal_booksim", "dragonfly:2,a=4,g=4,arrangement=palmtree"),
    (1, "srt.hierarchical", "srt1d:64"),
    (1, "srt.hierarchical:layers=least", "srt1d:64"),
    (1, "rdt.partitioned", "rdt:16"),
]
"""With fewer virtual channels than are needed too."""


@pytest.mark.parametrize("spec", LINES)
@pytest.mark.parametrize(("name", "vcs"), [("ugal_o1turn_booksim", 1), ("ugal_o1turn_booksim", 2), ("ugal_booksim", 1)])
def test_no_cycle_of_all_packets_is_shorter_and_some_are_as_short(spec, name, vcs):
    bound = bind(f"hyperx.{name}", build(spec), vcs)
    cycle = order_or_cycle(*dependencies(bound, apart=False).rows).cycle
    if cycle is None:
        assert set(bound.network.params.tolist()) == {2}  # one order of the dimensions, each hopped in once
    else:
        assert len(cycle) == bound.routing.least_cycle(bound.network, vcs)


@pytest.mark.parametrize(("vcs", "name", "spec"), OTHERS)
def test_no_cycle_is_shorter_than_is_said_also_where_classes_share_channels(vcs, name, spec, monkeypatch):
    """What proofs say of how short one can be where following all packets would take minutes is no more than that."""
    bound = bind(name, build(spec), vcs)
    shortest = len(order_or_cycle(*dependencies(bound, apart=False).rows).cycle)
    assert bound.routing.least_cycle(bound.network, vcs) <= shortest
    for threshold in ("LONG_WALKS", "MINUTES_OF_WALKS"):
        monkeypatch.setattr(dependency_module, threshold, 0)
    proof = prove(bound)
    assert proof.verdict == "deadlock"
    assert (
        len(proof.cycle) == shortest
        if SHORTEST in proof.method
        else proof.basis.whole or proof.basis.at_least <= shortest
    )


def test_cycles_of_three_are_known_to_be_shortest_without_following_all_packets(monkeypatch):
    for threshold in ("LONG_WALKS", "MANY_WALKS", "MINUTES_OF_WALKS"):
        monkeypatch.setattr(dependency_module, threshold, 0)
    monkeypatch.setattr(
        dependency_module, "dependencies_by_dimension", lambda *_: pytest.fail("all ways are looked at")
    )
    proof = prove(bind("hyperx.ugal_o1turn_booksim", build("hyperx:4x4x4"), 2))
    assert proof.verdict == "deadlock" and len(proof.cycle) == 3 and SHORTEST in proof.method
