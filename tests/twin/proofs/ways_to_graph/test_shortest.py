"""Dependencies from shortest ways to sets of destinations, against the walks over the tables of all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from tests.twin.proofs.ways_to_graph.walked import assert_equal, both_ways

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks import limits
from jumpnet.errors import JumpnetError
from jumpnet.networks import from_links
from jumpnet.routings import bind
from jumpnet.routings import minimal as minimal_module
from jumpnet.routings import up_down as up_down_module
from jumpnet.topology import build

TABLES = ["minimal", "minimal:ports=all", "up_down", "up_down:ports=all", "up_down:root=first"]
SPECS = ["random:40,d=3,seed=1", "random:300,d=4,seed=2", "torus:5x4", "fattree:2,n=3", "fly:2,n=3", "mesh:2x9"]
"""Two batches of destinations, routers that are no ends, one-way links, long ways."""


@pytest.fixture
def both(monkeypatch):
    """The dependencies of a routing by shortest ways, and those of the walk."""
    monkeypatch.setattr(dependency_module, "dependencies_of_two_hops", lambda *about: None)
    return lambda bound: both_ways(monkeypatch, "SHORTEST_ROUTERS", bound)


@pytest.mark.parametrize("spec", SPECS)
def test_shortest_ways_give_the_graph_of_the_walk(spec, both):
    net = build(spec)
    for name in TABLES:
        if net.directed and name.startswith("up_down"):
            continue
        for vcs in (1, 3):
            made, walked = both(bind(name, net, vcs))
            assert made.by == "shortest", name
            assert_equal(made, walked, (name, vcs))


RECURSIVE = [
    "srt1d:64", "srt1d:128,variant=ls", "srt2d:8", "srt2d:16,variant=ls", "srt2d:16,variant=ss",
    "srt2d:16,shift=uniform", "srt2d:16,shift=5",
]  # fmt: skip


@pytest.mark.parametrize("spec", RECURSIVE)
def test_recursive_tori_need_no_table(spec, both):
    made, walked = both(bind("srt.minimal_table", build(spec), 2))
    assert made.by == "shortest"
    assert_equal(made, walked, spec)


def test_layers_of_pairs_are_walked(both):
    assert both(bind("srt.minimal_table:layers=least", build("srt1d:16")))[0].by == "walks"


def test_tables_that_are_refused_are_not_asked_for(monkeypatch):
    net = build("random:1100,d=4,seed=3")
    proofs = [prove(bind("up_down", net)), prove(bind("minimal", net))]

    def refuse(*about):
        raise JumpnetError("a table is too big")

    for module in (minimal_module, up_down_module):
        monkeypatch.setattr(module, "refuse_table", refuse)
    for proof, name, by in zip(proofs, ("up_down", "minimal"), ("shortest", "hops"), strict=True):
        again = prove(bind(name, net), threads=2)
        assert (again.verdict, again.by, again.dependencies) == (proof.verdict, by, proof.dependencies)
    assert proofs[0].verdict == "free" and proofs[1].verdict == "deadlock"
    assert len(prove(bind("minimal", net)).cycle) == len(proofs[1].cycle)
    assert "by the shortest ways" in str(explain(proofs[0]))
    with pytest.raises(JumpnetError, match="too big"):
        dependencies(bind("minimal", net), apart=False)


def test_packets_without_a_way_are_left_to_the_walk(monkeypatch):
    monkeypatch.setattr(dependency_module, "SHORTEST_ROUTERS", 0)
    net = from_links("halves", "mine", 4, np.array([[0, 1], [2, 3]]))
    with pytest.raises(JumpnetError, match="no path from router"):
        dependencies(bind("minimal", net))


def test_what_takes_a_day_is_refused_before_it_starts_and_what_takes_long_says_so(monkeypatch, capsys):
    bound = bind("up_down", build("torus:40x40"))
    monkeypatch.setattr(limits, "TOLD_SECONDS", 1e-9)
    dependencies(bound)
    assert "up_down on torus:40x40: packets are followed for 0 CPU minutes at least" in capsys.readouterr().err
    monkeypatch.setattr(limits, "MOST_SECONDS", 1e-9)
    for walked in (bound, bind("srt.hierarchical", build("srt1d:16"))):
        with pytest.raises(JumpnetError, match=r"would take 0 CPU minutes at least.* prove a smaller member"):
            dependencies(walked)
