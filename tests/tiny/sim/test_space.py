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


def test_arrays_settle_in_the_block_once() -> None:
    space = Space(LARGE)
    odd = np.arange(101, dtype=np.int64)[1:]
    settled = space.settle(odd)
    assert settled.tolist() == odd.tolist() and not np.shares_memory(settled, odd)
    assert space.settle(settled) is settled
    settled[0] = -5
    assert odd[0] == 1
    alone = zeros(LARGE, np.uint8)
    assert space.settle(alone) is alone


def test_small_runs_have_no_block() -> None:
    space, array = Space(100), zeros(10, np.int32)
    assert space.settle(array) is array and on_lines(array) is array
