"""The space of a run's arrays: aligned, apart from each other, and whole when it is full."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.sim.memory.space import CACHE_LINE, LARGE, Space, on_lines, zeros


@pytest.mark.parametrize("bytes_", [1000, LARGE])
def test_arrays_begin_with_lines_and_lie_apart(bytes_: int) -> None:
    space = Space(bytes_)
    shapes = [
        ((3, 5), np.int32),
        (7, np.int64),
        (0, np.int64),
        ((2, 2), np.int16),
        (LARGE // 8, np.int64),
        (9, np.int32),
    ]
    made = [space.zeros(shape, kind) for shape, kind in shapes]
    for k, (array, (shape, kind)) in enumerate(zip(made, shapes, strict=True)):
        assert array.shape == np.empty(shape).shape and array.dtype == kind and array.flags.c_contiguous
        assert array.ctypes.data % CACHE_LINE == 0 or not array.size
        assert not array.any()
        array[...] = k + 1
    assert [set(array.ravel().tolist()) for array in made if array.size] == [{1}, {2}, {4}, {5}, {6}]


def test_small_runs_have_no_block() -> None:
    first, second = (Space(bytes_).zeros(8, np.int64).base for bytes_ in (100, LARGE))
    assert first.nbytes < 1000 and second.nbytes >= LARGE


def test_arrays_that_begin_with_a_line_stay_where_they_are() -> None:
    array = zeros(10, np.int32)
    odd = array[1:]
    assert on_lines(array) is array
    assert on_lines(odd).ctypes.data % CACHE_LINE == 0 and on_lines(odd).tolist() == odd.tolist()
