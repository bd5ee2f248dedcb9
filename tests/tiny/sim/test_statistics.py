"""Statistics of a run against SciPy: the table of quantiles, and what lies beyond it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import stdtrit

from jumpnet.sim.measure.statistics import STUDENT_975, half_width, jain, mser, percentile


def test_the_table_of_quantiles_is_scipys() -> None:
    np.testing.assert_allclose(STUDENT_975, stdtrit(np.arange(1, len(STUDENT_975) + 1), 0.975), rtol=1e-13)


@pytest.mark.parametrize("size", [2, 3, 39, 40, 41, 60])
def test_a_half_width_inside_the_table_and_beyond(size: int) -> None:
    values = np.arange(size) % 7 + 0.5
    expected = stdtrit(size - 1, 0.975) * values.std(ddof=1) / math.sqrt(size)
    assert half_width(values) == pytest.approx(expected, rel=1e-12)


def test_a_percentile_has_at_least_its_part_below() -> None:
    """Of 0, 1, 1, 2 half are two, which are at or below 1. Of 1, 2, 2 half are two, not one: at or below 2."""
    counts = np.array([1, 2, 1])
    assert [percentile(counts, q) for q in (0.25, 0.26, 0.5, 0.75, 0.76, 1.0)] == [0, 1, 1, 1, 2, 2]
    assert percentile(np.array([0, 1, 2]), 0.5) == 2


def test_no_more_than_half_is_cut_off() -> None:
    """Without its first five values nothing would vary; three are half of seven."""
    assert mser([9.0, 9.0, 8.0, 9.0, 9.0, 1.0, 1.0]) <= 3
    assert mser([9.0, 1.0, 1.0, 1.0]) == 1


def test_fairness_of_two_of_three() -> None:
    """(2 x 1)^2 / (3 x 2)."""
    assert jain([1, 1, 0]) == pytest.approx(2 / 3)
