"""How short a cycle by BookSim's detours on a HyperX can be, as it says, against all packets of small ones."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.proof import SHORTEST
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.topology import build

SPECS = ("hyperx:3", "hyperx:2x2", "hyperx:3x2", "hyperx:4x3", "hyperx:2x2x2", "hyperx:2x3x2", "flatfly:3,n=3")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(("name", "vcs"), [("ugal_o1turn_booksim", 1), ("ugal_o1turn_booksim", 2), ("ugal_booksim", 1)])
def test_no_cycle_of_all_packets_is_shorter_and_some_are_as_short(spec, name, vcs):
    bound = bind(f"hyperx.{name}", build(spec), vcs)
    cycle = order_or_cycle(*dependencies(bound, apart=False).rows).cycle
    if cycle is None:
        assert set(bound.network.params.tolist()) == {2}  # one order of the dimensions, each hopped in once
    else:
        assert len(cycle) == bound.routing.least_cycle(bound.network)


def test_cycles_of_three_are_known_to_be_shortest_without_following_all_packets(monkeypatch):
    for threshold in ("LONG_WALKS", "MANY_WALKS", "MINUTES_OF_WALKS"):
        monkeypatch.setattr(dependency_module, threshold, 0)
    monkeypatch.setattr(
        dependency_module, "dependencies_by_dimension", lambda *_: pytest.fail("all ways are looked at")
    )
    proof = prove(bind("hyperx.ugal_o1turn_booksim", build("hyperx:4x4x4"), 2))
    assert proof.verdict == "deadlock" and len(proof.cycle) == 3 and SHORTEST in proof.method
