"""Words and runs of a proof go on from what it looked at: packets are followed again only near what is named."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from jumpnet.analysis.deadlock import explain as explain_module
from jumpnet.analysis.deadlock import kept as kept_module
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.kept import kept
from jumpnet.analysis.deadlock.prove import prove, proved
from jumpnet.analysis.deadlock.waiting import knots
from jumpnet.replay import deadlock as replay_module
from jumpnet.replay.deadlock import replay_deadlock
from jumpnet.routings import bind
from jumpnet.topology import build

CASES = [
    ("mesh:3x3", "mesh.dimension_order", None),
    ("torus:4x4", "torus.dimension_order", 1),
    ("torus:4x4", "torus.duato", None),
    ("mesh:3x3", "mesh.duato", 1),
    ("torus:4x4", "torus.bubble", None),
    ("dragonfly:2", "dragonfly.ugal", 1),
]


@pytest.mark.parametrize(("spec", "name", "vcs"), CASES)
def test_words_are_those_of_a_second_search(spec, name, vcs, monkeypatch: pytest.MonkeyPatch) -> None:
    proof, made = proved(bind(name, build(spec), vcs))
    again = str(explain(proof, made))
    monkeypatch.setattr(kept_module, "MOST_BYTES", 0)
    other = prove(bind(name, build(spec), vcs))
    assert kept(other) is None and kept(proof) is None
    assert other.explain() == proof.explain() == again


@pytest.mark.parametrize("vcs", [1, 2])
def test_no_dependency_is_looked_for_again(vcs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    proof = prove(bind("mesh.duato", build("mesh:3x3"), vcs))
    monkeypatch.setattr(explain_module, "dependencies", None)
    monkeypatch.setattr(replay_module, "dependencies", None)
    monkeypatch.setattr(knots, "walked_waits", None)  # what packets of a knot wait for, of all packets
    if vcs == 1:
        assert proof.explain().count("packet from") == 4 and replay_deadlock(proof).same
    else:
        assert "Duato's condition" in proof.explain()


def test_what_is_kept_goes_with_its_proof_and_the_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind("mesh.duato", build("mesh:3x3"), 1)
    first = prove(bound)
    seen = kept(first)
    assert seen is not None and len(seen.awaited) == 1 and seen.rows is not kept(first).rows
    size = kept_module._size(seen)
    monkeypatch.setattr(kept_module, "MOST_BYTES", 2 * size)
    others = [prove(bound), prove(bound)]
    assert kept(first) is None and None not in map(kept, others)
    monkeypatch.setattr(kept_module, "MOST_PROOFS", 1)
    last = prove(bound)
    assert [kept(other) for other in others] == [None, None] and np.array_equal(kept(last).bits, seen.bits)
    left = len(kept_module._kept)
    del last
    gc.collect()
    assert (left, len(kept_module._kept)) == (1, 0)


def test_sets_of_awaited_channels_are_kept_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knots, "MOST_KEPT_BYTES", 0)
    proof, made = proved(bind("mesh.duato", build("mesh:3x3"), 1))
    assert not made.awaited and proof.explain().count("packet from") == 4
