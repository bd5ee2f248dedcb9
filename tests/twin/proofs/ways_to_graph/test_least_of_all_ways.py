"""Cycles with too few channels: how short they can be by all ways in two phases, and those within a few groups."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.topology import build


@pytest.mark.parametrize(
    ("spec", "name", "vcs", "least"),
    [
        ("torus:5x5", "torus.ugal", 3, 5),
        ("torus:7x6", "torus.ugal", 3, 6),
        ("torus:6x6", "torus.ugal", 2, 2),
        ("torus:8x8", "torus.romm", 3, 8),
        ("torus:6x7", "torus.romm", 2, 4),
        ("torus:5x4x3", "torus.romm", 3, 4),
        ("mesh:5x4", "mesh.romm", 1, 4),
        ("hypercube:5", "hypercube.ugal", 1, 2),
    ],
)
def test_all_ways_in_two_phases_say_how_short_a_cycle_can_be(spec, name, vcs, least, monkeypatch):
    """Packets near each other and how short any cycle can be, against all packets followed to the end."""
    bound = bind(name, build(spec), vcs)
    shortest = len(prove(bound).cycle)
    for limit in ("MINUTES_OF_WALKS", "LONG_WALKS", "MANY_WALKS"):
        monkeypatch.setattr(dependency_module, limit, 0)
    made = dependencies(bound, beyond=True)
    assert made.to is not None and least <= shortest
    proof = prove(bound, made=made)
    assert (made.at_least or len(proof.cycle)) == least
    assert ("no cycle can be shorter" in proof.method) == (made.at_least is None)
    assert made.at_least is not None or len(proof.cycle) == shortest


def test_packets_within_a_few_groups_show_a_knot_of_several(monkeypatch):
    """On a dragonfly it takes packets between three groups by each other; those near one router wait in no knot.

    Sets of destinations serve it since they tell links apart, so they are left out.
    """
    monkeypatch.setattr(dependency_module, "dependencies_by_digits", lambda *_: None)
    bound = bind("dragonfly.par", build("dragonfly:1,a=32,g=6"), 3)
    plain = prove(bound)
    for limit in ("MINUTES_OF_WALKS", "LONG_WALKS"):
        monkeypatch.setattr(dependency_module, limit, 0)
    proof = prove(bound)
    assert (proof.verdict, plain.verdict, len(plain.cycle)) == ("deadlock", "deadlock", 4)
    assert len(proof.cycle) >= 4 and "a shortest of theirs" in proof.method  # between four of six groups
    assert "to 128 of the 192 destinations from 128 of the 192 sources" in proof.method
    assert "packet from" in str(explain(proof))


@pytest.mark.parametrize("spec", ["mesh:4x5", "mesh:3x3x2", "torus:5x4", "torus:3x4x3", "mesh:7"])
def test_routings_said_to_go_shortest_ways_never_turn_back(spec):
    net = build(spec)
    bound = bind(f"{net.family}.romm", net)
    assert bound.routing.minimal
    indptr, wanted = dependencies(bound, apart=False).rows
    held = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    assert (net.neighbor.reshape(-1)[wanted // bound.vcs] != held // (net.ports * bound.vcs)).all()
