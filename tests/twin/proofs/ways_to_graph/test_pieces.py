"""Graphs that are not held: rows made piece by piece are those of the graph, and what does not ascend is no proof."""

from __future__ import annotations

import numpy as np
import pytest
from tests.twin.proofs.ways_to_graph.walked import both_ways

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.cycles.checker import accepts_pieces, accepts_rows
from jumpnet.analysis.deadlock.cycles.numbers_by_rise import numbers_by_rise
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.rows import pieces as pieces_module
from jumpnet.analysis.deadlock.ways_to_graph.digits import graph as graph_module
from jumpnet.analysis.deadlock.ways_to_graph.digits import rows as rows_module
from jumpnet.analysis.deadlock.ways_to_graph.shortest import all_ways
from jumpnet.analysis.deadlock.ways_to_graph.shortest import graph as shortest_module
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.topology import build

CASES = [
    ("debruijn:5,n=2", "debruijn.shift"),
    ("debruijn:3,n=3", "debruijn.shift"),
    ("kautz:4,n=2", "kautz.shift"),
    ("fattree:3,n=3", "fattree.nca"),
    ("dragonfly:2", "dragonfly.minimal"),
    ("dragonfly:2", "dragonfly.valiant"),
]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch):
    """Small networks are looked at by sets of destinations; called, the rows are made for some routers at a time."""
    monkeypatch.setattr(dependency_module, "DIGITS_ROUTERS", 0)
    monkeypatch.setattr(graph_module, "SHARE", 0)

    def apart() -> None:
        monkeypatch.setattr(pieces_module, "WHOLE_BYTES", 0)
        monkeypatch.setattr(rows_module, "PIECE_BYTES", 500)

    return apart


@pytest.mark.parametrize(("spec", "name"), CASES)
def test_pieces_are_the_rows_of_the_graph(spec, name, small) -> None:
    bound = bind(name, build(spec))
    held, proved = dependencies(bound, beyond=True), prove(bound)
    small()
    made, proof = dependencies(bound, beyond=True), prove(bound)
    assert held.by == made.by == "digits" and held.pieces is None and made.pieces is not None
    pieces = list(made.pieces.each())
    assert len(pieces) > 1 and np.array_equal(np.concatenate(pieces), held.bits)
    for field in ("used", "escape", "count", "states", "channels", "adaptive", "choices", "whole"):
        assert np.array_equal(getattr(made, field), getattr(held, field)), field
    assert (proof.verdict, proof.method, proof.dependencies) == (proved.verdict, proved.method, proved.dependencies)
    assert proof.verdict == "free" and accepts_rows(proof.certificate, *held.rows)
    for late in (explain, lambda proof: made.rows):
        with pytest.raises(JumpnetError, match="dependencies found, fewer expected where they are to be listed"):
            late(proof)


def test_numbers_from_some_rows_that_do_not_serve_are_found_from_all(small, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a dragonfly those from some rows, which are turned round here, are refused, and those of rises."""
    asked: list[int] = []

    def spoilt(net, vcs, pieces):
        rows = list(pieces)
        asked.append(len(rows))
        number = numbers_by_rise(net, vcs, rows)
        return -number if len(asked) == 1 else number

    monkeypatch.setattr(graph_module, "numbers_by_rise", spoilt)
    small()
    proof = prove(bind("dragonfly.minimal", build("dragonfly:2")))
    assert proof.verdict == "free" and len(asked) == 2 and 0 < asked[0] < asked[1]


@pytest.mark.parametrize(("spec", "name"), [("debruijn:3,n=3", "debruijn.shift"), ("dragonfly:2", "dragonfly.minimal")])
def test_too_few_channels_are_no_proof_in_pieces(spec, name, small) -> None:
    small()
    bound = bind(name, build(spec), 1)
    assert dependencies(bound, beyond=True).pieces is None  # no numbers, so packets are followed
    assert prove(bound).verdict == "deadlock"


def test_the_checker_wants_all_rows_and_each_to_ascend(small) -> None:
    bound = bind("debruijn.shift", build("debruijn:4,n=2"))
    small()
    made = dependencies(bound, beyond=True)
    number, parts = made.number.copy(), []
    for bits in made.pieces.each():
        first = sum(len(part) for part, _ in parts)
        parts.append((bits, made.base[first : first + len(bits)]))
    assert made.accept(number) and accepts_pieces(number, parts)
    assert not accepts_pieces(number, parts[:-1]) and not accepts_pieces(number[:-1], parts)
    for held in np.flatnonzero(np.concatenate([bits for bits, _ in parts]).any(axis=1))[[0, -1]]:
        spoilt = number.copy()
        spoilt[held] = number.max() + 1
        assert not made.accept(spoilt)
    rows = dependencies(bound, apart=False)
    assert numbers_by_rise(bound.network, 2, [(0, rows.bits)]) is not None
    ring = dependencies(bind("torus.dimension_order", build("torus:5")))
    assert numbers_by_rise(ring.bound.network, 1, [(0, ring.bits)]) is None


def test_classes_that_follow_each_other_have_no_numbers() -> None:
    """On a line hops that rise follow such, and hops that fall; where packets turn back both ways there are rings."""
    made = dependencies(bind("mesh.dimension_order", build("mesh:4")))
    assert numbers_by_rise(made.bound.network, 1, [(0, made.bits)]) is not None
    bits = made.bits.copy()
    bits[bits != 0] = 3  # by either port
    assert numbers_by_rise(made.bound.network, 1, [(0, bits)]) is None


def test_all_ways_are_made_in_pieces_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortest_module, "LONG_SECONDS", 0)
    bound = bind("up_down", build("slimfly:5"), 2)
    walked = both_ways(monkeypatch, "SHORTEST_ROUTERS", bound)[1]
    monkeypatch.setattr(dependency_module, "SHORTEST_ROUTERS", 0)
    held = dependencies(bound, beyond=True)
    monkeypatch.setattr(dependency_module, "MOST_WAYS_BYTES", 0)
    monkeypatch.setattr(all_ways, "PIECE_BYTES", 1 << 10)
    made = dependencies(bound, beyond=True)
    assert (held.by, made.by, made.count) == ("ways", "ways", held.count) and made.pieces is not None
    pieces = list(made.pieces.each())
    assert len(pieces) > 1 and np.array_equal(np.concatenate(pieces), held.bits) and made.accept(made.number)
    assert not (walked.bits & ~held.bits).any()
