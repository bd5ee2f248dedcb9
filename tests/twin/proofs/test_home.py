"""Packets to the router where they enter, by way of a drawn one on fewer channels than the routing needs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.naive.dependency import dependency_sets

from jumpnet.analysis.deadlock.changes.meeting import Flight, meeting
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.shared_channels import prove_kinds
from jumpnet.analysis.deadlock.walks import walkers
from jumpnet.errors import JumpnetError
from jumpnet.replay.deadlock import replay_deadlock
from jumpnet.routings import BoundRouting, bind
from jumpnet.topology import build

CASES = [
    ("mesh:2", "mesh.valiant", 1, "deadlock"),
    ("torus:2", "torus.valiant", 2, "deadlock"),
    ("hypercube:1", "hypercube.valiant", 1, "deadlock"),
    ("flatfly:2,n=1,c=2", "hyperx.valiant", 1, "deadlock"),
    ("mesh:3", "mesh.valiant", 1, "deadlock"),
    ("mesh:3", "mesh.valiant", 2, "free"),
]


def _edges(bound: BoundRouting, apart: bool) -> set[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    indptr, wanted = dependencies(bound, 1, apart).rows
    ports, vcs = bound.network.ports, bound.vcs
    named = [(c // (ports * vcs), c // vcs % ports, c % vcs) for c in range(len(indptr) - 1)]
    return {(named[c], named[b]) for c in range(len(named)) for b in wanted[indptr[c] : indptr[c + 1]].tolist()}


@pytest.mark.parametrize(("spec", "name", "vcs", "verdict"), CASES)
def test_packets_home_are_followed_where_halves_of_ways_share_channels(spec, name, vcs, verdict) -> None:
    bound = bind(name, build(spec), vcs)
    assert prove(bound, 1).verdict == verdict
    _, plain = dependency_sets(bound, home=vcs < bound.needed)
    assert _edges(bound, True) == _edges(bound, False) == plain


def test_packets_home_close_rings_of_few_terminals() -> None:
    """Between two ends of a line others go straight on."""
    ends = np.array([2, 0, 2], np.int32)
    bound = bind("mesh.valiant", replace(build("mesh:3"), terminals=ends, sinks=ends, orbits=None), 1)
    assert prove(bound, 1).verdict == "deadlock"


def test_nothing_is_proved_where_they_are_too_many_to_be_followed(monkeypatch) -> None:
    monkeypatch.setattr(walkers, "FEW_TRIPLES", 0)
    for vcs, verdict, ends in ((1, "unproved", ", were not followed"), (2, "free", "graph")):
        proof = prove(bind("mesh.valiant", build("mesh:2"), vcs), 1)
        assert proof.verdict == verdict and proof.method.endswith(ends)
        assert (proof.certificate is None) == (not proof.deadlock_free) == (vcs == 1)


def test_what_is_asked_of_such_a_proof_says_so(monkeypatch) -> None:
    """There is neither a cycle nor an order to tell of, nor a packet to run with."""
    monkeypatch.setattr(walkers, "FEW_TRIPLES", 0)
    proof = prove(bind("mesh.valiant", build("mesh:2"), 1), 1)
    words = explain(proof)
    assert words.waiting is None and "none can move" not in str(words) and words.as_json()["packets"] == []
    assert words.therefore.endswith("nothing is proved.")
    with pytest.raises(JumpnetError, match="were not followed: no packets that wait for each other are known"):
        replay_deadlock(proof)


@pytest.mark.parametrize(("few", "verdicts"), [(1 << 18, ("deadlock", "unproved")), (0, ("unproved", "unproved"))])
def test_kinds_and_packets_in_flight_are_not_proved_without_them(monkeypatch, few, verdicts) -> None:
    monkeypatch.setattr(walkers, "FEW_TRIPLES", few)
    bound = bind("torus.valiant", build("torus:2"), 2)
    assert (prove_kinds(bound, [0, 1]).verdict, meeting(dependencies(bound, 1), Flight([], [])).verdict) == verdicts


def test_packets_home_that_never_leave_need_not_be_followed(monkeypatch) -> None:
    """The drawn router lies between both ends, which are the same here."""
    monkeypatch.setattr(walkers, "FEW_TRIPLES", 0)
    assert [prove(bind(f"torus.{name}", build("torus:3"), 3), 1).verdict for name in ("romm", "valiant")] == [
        "free",
        "unproved",
    ]
