"""Kinds of packets that use a routing's channels from different ones on: against a graph of pairs, and in a run."""

from __future__ import annotations

import pickle
from dataclasses import replace

import networkx as nx
import pytest
from tests.naive.dependency import dependency_sets

from jumpnet.analysis.deadlock import dependency, shared_channels
from jumpnet.analysis.deadlock.dependency import dependencies as follow
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.shared_channels import prove_kinds
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build


@pytest.mark.parametrize(
    ("spec", "name", "first", "verdict"),
    [
        ("mesh:3x3", "mesh.o1turn", [0, 1], "deadlock"),
        ("mesh:3x3", "mesh.o1turn", [3, 0, 1, 3], "deadlock"),
        ("mesh:3x3", "mesh.o1turn", [0, 2, 2], "free"),
        ("torus:5", "torus.dateline", [0, 1], "free"),
        ("torus:4x3", "torus.duato", [0, 3], "free"),
        ("torus:4x3", "torus.duato", [0, 1], "unproved"),
    ],
)
def test_dependencies_are_those_of_each_kind(spec, name, first, verdict):
    bound = bind(name, build(spec))
    proof = prove_kinds(bound, first)
    assert proof.verdict == verdict
    if "all kinds" in proof.method:
        _, links = dependency_sets(bound)
        moved = {tuple((r, p, v + k) for r, p, v in link) for link in links for k in first}
        assert proof.dependencies == len(moved)
        assert nx.is_directed_acyclic_graph(nx.DiGraph(list(moved))) == proof.deadlock_free


def test_dependencies_of_more_are_enough_for_an_order_and_never_for_a_cycle(monkeypatch):
    """All ways in two phases, of which ROMM takes some."""
    cases = [(bind("torus.romm", build("torus:4x4")), first) for first in ([0, 1], [0, 3])]
    cases.append((bind("torus.romm", build("torus:4x4"), 2), [0, 1]))
    walked = [prove_kinds(*case) for case in cases]
    monkeypatch.setattr(dependency, "MANY_WALKS", 0)
    followed = []
    monkeypatch.setattr(
        shared_channels, "dependencies", lambda bound, **more: followed.append(more) or follow(bound, **more)
    )
    for case, slow in zip(cases, walked, strict=True):
        followed.clear()
        quick = prove_kinds(*case)
        assert quick.verdict == slow.verdict and len(quick.cycle or ()) == len(slow.cycle or ())
        if "all kinds" in slow.method:
            assert quick.basis.whole is not quick.deadlock_free and len(followed) == 2 - quick.deadlock_free
    assert {proof.verdict for proof in walked} == {"free", "deadlock"}


def test_a_run_with_kinds_that_share_a_channel_deadlocks():
    settings = {"packet_flits": "8*0.5+7*0.5", "exchange_flits": "5,1", "buffer_flits": 1, "load": 1.0, "vcs": 2}
    runs = {"port_vcs": 6, "measure_cycles": 20_000, "warmup_cycles": 0, "drain": False, "seed": 2}
    assert simulate("mesh:4x4", "mesh.o1turn", exchange_vcs="0,1,3,4", **settings, **runs).deadlocked


def test_what_no_port_has_is_refused():
    with pytest.raises(JumpnetError, match=r"first channels .* found, 0 to 62 expected"):
        prove_kinds(bind("mesh.o1turn", build("mesh:3x3")), [0, 63])


def test_words_of_kinds_that_share_channels_are_refused_with_the_reason():
    proof = prove_kinds(bind("mesh.o1turn", build("mesh:3x3")), [0, 1])
    told = (
        r"mesh.o1turn with first channels 0, 1 on mesh:3x3: packets that branch, or kinds of them that share channels"
    )
    with pytest.raises(JumpnetError, match=told):
        explain(proof)


@pytest.mark.parametrize(("spec", "name", "vcs"), [("mesh:3x3", "mesh.o1turn", 2), ("torus:4", "torus.dateline", 1)])
def test_a_copy_of_a_proof_of_kinds_says_the_same(spec, name, vcs):
    proof = prove_kinds(bind(name, build(spec), vcs), [0, 2])
    words = proof.explain()
    assert f"{name} with first channels 0, 2" in words
    assert replace(proof).explain() == pickle.loads(pickle.dumps(proof)).explain() == words


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"routing": "mesh.o1turn with first channels 0, 3"}, "first channels 0, 2' is proved"),
        ({"routing": "mesh.o1turn"}, "first channels 0, 2' is proved"),
        ({"kinds": ()}, "'mesh.o1turn' is proved"),
        ({"kinds": (0, 1)}, r"kinds \(0, 1\) found"),
        ({"kinds": (0, 63)}, r"kinds \(0, 63\) found"),
        ({"kinds": (-2, 0)}, r"kinds \(-2, 0\) found"),
        ({"kinds": 2}, "kinds 2 found"),
        ({"kinds": ("0", 2)}, "kinds .* found"),
        ({"verdict": "deadlock"}, "'free' is proved"),
    ],
)
def test_a_changed_proof_of_kinds_is_refused(changed, why):
    proof = prove_kinds(bind("mesh.o1turn", build("mesh:3x3")), [0, 2])
    if "kinds" in changed:
        changed = {"basis": replace(proof.basis, **changed)}
    with pytest.raises(JumpnetError, match=f"a changed proof with .*{why}"):
        replace(proof, **changed).explain()
