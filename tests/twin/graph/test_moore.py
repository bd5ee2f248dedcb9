"""Moore bound and average-distance bound against Moore graphs, a level-by-level twin, and bad input."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jumpnet.errors import JumpnetError
from jumpnet.graph.moore import least_average_distance, least_diameter, moore_bound, moore_gap


@pytest.mark.parametrize(
    ("degree", "diameter", "routers"), [(3, 2, 10), (7, 2, 50), (57, 2, 3250), (2, 4, 9), (5, 1, 6)]
)
def test_moore_graphs_have_no_gap(degree, diameter, routers):
    gap = moore_gap(routers, degree, diameter)
    assert (gap.bound, gap.fraction, gap.excess) == (routers, 1, 0)


def _levels(degree, directed):
    yield 1
    width = degree
    while True:
        yield width
        width *= degree if directed else degree - 1


@given(st.integers(2, 2000), st.integers(2, 9), st.booleans())
def test_bounds_equal_filling_level_by_level(routers, degree, directed):
    left, hops, distance = routers, 0, -1
    for width in _levels(degree, directed):
        distance += 1
        hops += distance * min(width, left)
        left -= width
        if left <= 0:
            break
    assert least_diameter(routers, degree, directed=directed) == distance
    assert least_average_distance(routers, degree, directed=directed) == Fraction(hops, routers - 1)
    assert moore_bound(degree, distance, directed=directed) >= routers
    assert moore_bound(degree, distance - 1, directed=directed) < routers


def test_directed_rings_and_single_routers():
    assert least_diameter(7, 1, directed=True) == 6
    assert least_average_distance(7, 1, directed=True) == Fraction(7, 2)
    assert moore_gap(1, 0, 0).fraction == 1
    assert least_diameter(2, 1) == 1


@pytest.mark.parametrize(
    "call", [lambda: moore_bound(-1, 2), lambda: moore_gap(11, 3, 2), lambda: least_diameter(5, 1)]
)
def test_what_cannot_be_is_bad_input(call):
    with pytest.raises(JumpnetError) as caught:
        call()
    assert "\n" not in str(caught.value)
