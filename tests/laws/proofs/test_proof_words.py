"""What a proof says in words decides nothing: with other words it is explained and certified alike."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from tests.arch.sources import FILES, TREES

from jumpnet.analysis.deadlock import dependency
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.dependency import dependencies_again
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.topology import build

CASES = {
    "all channels": ("torus:4x4", "torus.dateline", None),
    "escapes": ("torus:4x4", "torus.duato", None),
    "rings": ("torus:4x4", "torus.bubble", 1),
    "rings of escapes": ("torus:4x4", "torus.bubble_adaptive", 2),
    "no rings": ("random:12,d=3,seed=1", "minimal", 1),
    "all ways": ("torus:4x4", "torus.romm", None),
    "a cycle": ("torus:5", "torus.dateline", 1),
    "a knot": ("torus:4x4", "torus.duato", 2),
}


@pytest.mark.parametrize("case", CASES)
def test_no_word_of_a_proof_decides(case, tmp_path, monkeypatch):
    monkeypatch.setattr(dependency, "MANY_WALKS", 0)
    spec, name, vcs = CASES[case]
    bound = bind(name, build(spec), vcs)
    proof = prove(bound)
    other = replace(proof, method="in other words")
    one, two = explain(proof), explain(other)
    assert (one.followed, one.therefore, one.as_json()["packets"]) == (
        two.followed,
        two.therefore,
        two.as_json()["packets"],
    )
    if not proof.deadlock_free:
        return
    assert one.condition == two.condition
    assert write_certificate(tmp_path / "one.cert", bound, proof).condition == proof.condition
    write_certificate(tmp_path / "two.cert", bound, other)
    assert (tmp_path / "one.cert").read_bytes() == (tmp_path / "two.cert").read_bytes()


@pytest.mark.parametrize("case", CASES)
def test_the_dependencies_of_a_proof_are_made_again(case, monkeypatch):
    monkeypatch.setattr(dependency, "MANY_WALKS", 0)
    spec, name, vcs = CASES[case]
    bound = bind(name, build(spec), vcs)
    proof = prove(bound)
    made = dependencies_again(bound, proof.basis)
    assert (made.basis, made.count, made.states) == (proof.basis, proof.dependencies, proof.states)
    assert made.whole == (case != "all ways")


def _is_method(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "method"


def test_no_code_reads_the_words_of_a_method():
    """They are for people: no comparison, and nothing but more words made of them."""
    found = []
    for path in FILES:
        for node in ast.walk(TREES[path]):
            sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            sides += [node.value] if isinstance(node, ast.Attribute) else []
            found += [f"{path}:{side.lineno}" for side in sides if _is_method(side)]
    assert not found
