"""The assignment search against its naive twin, its symmetry group, its ties and its bad input."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive import assignment as naive

from jumpnet.analysis.assignment.search import Objective, compare, orbit_representatives, search, symmetries
from jumpnet.errors import JumpnetError
from jumpnet.graph.metrics import metrics
from jumpnet.jit.decorator import DISABLED
from jumpnet.topology import build
from jumpnet.topology.rdt import ALPHA


@settings(max_examples=8)
@given(st.lists(st.integers(1, 4), min_size=8, max_size=8), st.sampled_from([8, 16]), st.sampled_from([0.5, 1.0, 3.0]))
def test_compare_equals_naive(ranks, side, sigma):
    text = ".".join(map(str, ranks))
    ours = compare(f"rdt:{side}", [text], f"local:{sigma}")[0]
    diameter, average, local = naive.figures(side, text, sigma)
    assert (ours.diameter, ours.average_distance) == (diameter, average)
    assert ours.local_distance is not None
    assert abs(float(ours.local_distance) - local) < 1e-9


@pytest.mark.parametrize("spec", ["rdt:72,R=2,assignment=1.2.2.1.1.2.1.1", "rdt:64", "rdt:128"])
def test_rows_of_more_than_one_word_equal_searches_by_the_table(spec):
    ours = compare(spec, [spec.partition("assignment=")[2] or "alpha"])[0]
    found = metrics(build(spec))
    assert (ours.diameter, ours.average_distance) == (found.diameter, found.average_distance)


@settings(max_examples=15)
@given(st.lists(st.integers(1, 4), min_size=8, max_size=8), st.integers(0, 63))
def test_symmetries_keep_the_figures(ranks, g):
    moved = [ranks[c] for c in symmetries(2)[g]]
    one, two = compare("rdt:32", [".".join(map(str, r)) for r in (ranks, moved)], "local:1.5")
    assert (one.diameter, one.average_distance, one.local_distance) == (
        two.diameter,
        two.average_distance,
        two.local_distance,
    )
    assert one.equivalents == two.equivalents


def test_symmetries_form_a_group():
    group = {tuple(g) for g in symmetries(2).tolist()}
    assert len(group) == 64
    assert tuple(range(8)) in group
    assert all(tuple(g[c] for c in h) in group for g in group for h in group)


def test_representatives_cover_every_assignment_once():
    digits, sizes = orbit_representatives(2, 4)
    group = symmetries(2)
    assert int(sizes.sum()) == 4**8
    # Burnside: the number of orbits is the mean number of colourings each element fixes.
    cycles = [len(np.unique([min(_cycle(g, c)) for c in range(8)])) for g in group.tolist()]
    assert len(digits) == Fraction(sum(4**k for k in cycles), len(group))
    assert all(size == len({tuple(row[g]) for g in group}) for row, size in zip(digits[::97], sizes[::97], strict=True))


def _cycle(g, c):
    seen = {c}
    while (c := g[c]) not in seen:
        seen.add(c)
    return seen


slow_interpreted = pytest.mark.skipif(DISABLED, reason="1771 candidates take minutes without compiled kernels")


@slow_interpreted
def test_search_finds_the_least_and_orders_all():
    result = search("rdt:16", "average_distance")
    keys = [c.key(result.objective) for c in result.candidates]
    assert keys == sorted(keys)
    assert result.assignments == 4**8
    assert sum(c.equivalents for c in result.candidates) == 4**8
    assert result.reference is not None
    assert result.best.average_distance < result.reference.average_distance
    assert naive.figures(16, result.best.assignment, 1.0)[:2] == (result.best.diameter, result.best.average_distance)
    assert all(c.average_distance == result.best.average_distance for c in result.ties)
    balanced = result.best_balanced
    assert balanced is not None
    assert sorted(balanced.assignment) == sorted(ALPHA)


@slow_interpreted
def test_one_thread_and_two_agree():
    assert search("rdt:8", "local:1", threads=1) == search("rdt:8", "local:1", threads=2)


def test_alpha_meets_every_rank():
    alpha = compare("rdt:32", ["alpha"])[0]
    assert alpha.meets_all_ranks and alpha.balanced
    assert not compare("rdt:32", ["1.1.1.1.2.3.4.4"])[0].meets_all_ranks


def test_two_ranks_a_class_are_searched_too():
    result = search("rdt:16,R=2,m=2,assignment=none", "diameter")
    assert [c.assignment for c in result.candidates] == [".".join(["1+2"] * 8)]
    assert result.reference is None


@slow_interpreted
def test_progress_reaches_the_total_and_can_stop_the_search():
    calls = []
    search("rdt:8", progress=lambda done, total: calls.append((done, total)))
    assert calls[-1][0] == calls[-1][1] == 1771

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search("rdt:8", progress=stop)


@pytest.mark.parametrize(
    ("spec", "objective", "words"),
    [
        ("torus:8x8", "diameter", "RDT"),
        ("rdt:30", "diameter", "a multiple of 2n = 4"),
        ("rdt:36", "diameter", "multiple of 8"),
        ("rdt:16", "diametre", "did you mean 'diameter'"),
        ("rdt:16", "local:0", "positive"),
        ("rdt:16", "local:x", "positive"),
        ("rdt:18,n=3,R=4,assignment=none", "diameter", "assignments found"),
    ],
)
def test_bad_input_is_one_line(spec, objective, words):
    with pytest.raises(JumpnetError, match=words) as caught:
        search(spec, objective)
    assert "\n" not in str(caught.value)


def test_objective_text_round_trips():
    for text in ("diameter", "average_distance", "local:2.5"):
        assert Objective.parse(text).text == text
