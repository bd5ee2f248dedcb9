"""Rows of bits listed and checked by several threads, against their definition."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock.cycles.checker import accepts_bits
from jumpnet.analysis.deadlock.rows.bit_rows import are_set, unpack

ROWS = 11


@pytest.mark.parametrize("workers", [1, 2, 3, ROWS + 1])
def test_edges_are_those_of_the_bits(workers):
    draw = np.random.default_rng(workers)
    bits = draw.integers(0, 1 << 63, (ROWS, 2), np.uint64) << np.uint64(1) | draw.integers(0, 2, (ROWS, 2), np.uint64)
    bits[[0, 4]] = 0
    base = draw.integers(0, 1000, ROWS)
    indptr, indices = unpack(bits, base, workers)
    rows = [np.flatnonzero(row) + first for row, first in zip(are_set(bits, 128), base, strict=True)]
    assert indptr.tolist() == np.cumsum([0, *map(len, rows)]).tolist()
    assert indices.tolist() == np.concatenate(rows).tolist()


@pytest.mark.parametrize("workers", [1, 2, 3, ROWS + 1])
def test_a_dependency_that_does_not_ascend_is_seen_in_any_row(workers):
    """Each row waits for the one that follows; numbers that ascend, and those of each two neighbours alike."""
    bits, base, number = np.ones((ROWS, 1), np.uint64), np.arange(1, ROWS + 1), np.arange(ROWS)
    bits[-1] = 0
    assert accepts_bits(number, bits, base, workers)
    for row in range(ROWS - 1):
        spoilt = number.copy()
        spoilt[row + 1 :] -= 1
        assert not accepts_bits(spoilt, bits, base, workers), row
