"""Statistics of a run against SciPy: the table of quantiles, and what lies beyond it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import stdtrit

from jumpnet.sim.statistics import STUDENT_975, half_width


def test_the_table_of_quantiles_is_scipys() -> None:
    np.testing.assert_allclose(STUDENT_975, stdtrit(np.arange(1, len(STUDENT_975) + 1), 0.975), rtol=1e-13)


@pytest.mark.parametrize("size", [2, 3, 39, 40, 41, 60])
def test_a_half_width_inside_the_table_and_beyond(size: int) -> None:
    values = np.arange(size) % 7 + 0.5
    expected = stdtrit(size - 1, 0.975) * values.std(ddof=1) / math.sqrt(size)
    assert half_width(values) == pytest.approx(expected, rel=1e-12)
